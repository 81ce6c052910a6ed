import DerivedLists
import ListModel

/// Keys that the items of a derived list are ordered by, from one commit to the next.
///
/// They are those of contents, which never change: to put an item into its place takes those of a few
/// others, mostly the same ones.
struct KnownKeys {
  private var definition: JSON?
  private var keys: [StoredState: [ValueKey]] = [:]

  private static let maximumCount = 4_096

  /// The keys of a list's item.
  mutating func keys(
    of member: Block.Member, _ rule: DerivedDefinition, in list: ListRows
  ) throws -> [ValueKey] {
    if definition != rule.json { self = KnownKeys(definition: rule.json) }
    if let known = keys[member.state] { return known }
    let found = try list.storedKeys(of: member, rule)
    if keys.count >= Self.maximumCount { keys = [:] }
    keys[member.state] = found
    return found
  }
}
