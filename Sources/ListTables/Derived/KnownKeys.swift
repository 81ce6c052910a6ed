import DerivedLists
import ListModel

/// Keys that the items of a derived list are ordered by, from one commit to the next.
///
/// They are those of contents, which never change: to put an item into its place takes those of a few
/// others, mostly the same ones.
struct KnownKeys {
  private var definition: JSON?
  private var keys: [StoredState: [ValueKey]] = [:]
  /// Those from before, of which what is asked for again stays.
  private var older: [StoredState: [ValueKey]] = [:]

  private static let maximumCount = 2_048

  /// The keys of a list's item.
  mutating func keys(
    of member: Block.Member, _ rule: DerivedDefinition, in list: ListRows
  ) throws -> [ValueKey] {
    if definition != rule.json { self = KnownKeys(definition: rule.json) }
    let state = member.state
    if let known = keys[state] { return known }
    let found = try older[state] ?? list.storedKeys(of: member, rule)
    if keys.count >= Self.maximumCount { (older, keys) = (keys, [:]) }
    keys[state] = found
    return found
  }
}
