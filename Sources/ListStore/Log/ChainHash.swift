import ListModel

/// The hash of a commit's rows and of the hash of the commit before it.
///
/// If two logs have the same hash at a revision, all their commits up to it are the same. Revision
/// numbers do not show that: a store that was restored from a backup and written to has other
/// commits under the same numbers.
struct ChainHash {
  private(set) var value: UInt64

  /// Begins the hash of a commit.
  ///
  /// `previous`: The hash of the commit before; 0 for the first commit.
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

  /// Adds the digest of the list after a commit that has no changes.
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
