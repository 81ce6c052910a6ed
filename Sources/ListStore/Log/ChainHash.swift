import ListModel

/// The hash that chains the commits of a list: of a commit as its rows have it, and of the chain
/// before it.
///
/// Two logs that agree on the chain at a revision agree on every commit up to it. Numbers alone do
/// not tell that: a store that was restored from a backup and written again has other commits under
/// the same revisions.
struct ChainHash {
  private(set) var value: UInt64

  /// `previous`: The chain before the commit; 0 before the first.
  init(
    after previous: UInt64, revision: Int, author: String, time: Int?, feedSequence: Int?
  ) {
    value = previous
    add(revision)
    add(author)
    add(time)
    add(feedSequence)
  }

  mutating func add(_ record: ChangeRecord) {
    add(record.operation)
    add(record.section)
    add(record.item)
    add(record.from.section)
    add(record.from.item)
    add(record.to.section)
    add(record.to.item)
    add(record.before)
    add(record.after)
  }

  /// Of the list after a commit that has no changes to tell what it did.
  mutating func add(_ digest: StateDigest) { value = XXHash64.hash(digest.value, seed: value) }

  private mutating func add(_ number: Int?) {
    value = XXHash64.hash(number == nil ? 0 : 1, seed: value)
    if let number { value = XXHash64.hash(UInt64(bitPattern: Int64(number)), seed: value) }
  }

  private mutating func add(_ json: [UInt8]?) {
    add(json?.count)
    if let json { value = json.withUnsafeBytes { XXHash64.hash($0, seed: value) } }
  }

  private mutating func add(_ text: String?) {
    add(text?.utf8.count)
    if let text { value = XXHash64.hash(text, seed: value) }
  }
}
