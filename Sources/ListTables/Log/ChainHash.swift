import ListModel

/// The hash of a commit and of the hash of the commit before it.
///
/// If two logs have the same hash at a revision, all their commits up to it are the same. Revision
/// numbers do not show that: a store that was restored from a backup and written to has other
/// commits under the same numbers.
///
/// It is a hash of what the entries mean, however the log stores them.
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

  /// Adds an entry.
  mutating func add(_ entry: LogEntry, _ hashes: EntryHashes) {
    add(entry.operation, entry.places, hashes)
  }

  /// Adds an entry, by its parts.
  mutating func add(_ operation: LogOperation, _ places: LogEntry.Places, _ hashes: EntryHashes) {
    let (from, to) = places
    let words = (
      UInt64(operation.rawValue).littleEndian, hashes.id.littleEndian,
      Self.word(from?.section), Self.word(from?.item), Self.word(to?.section),
      Self.word(to?.item), hashes.before.littleEndian, hashes.after.littleEndian
    )
    value = withUnsafeBytes(of: words) { XXHash64.hash($0, seed: value) }
  }

  /// No place has the number -1.
  private static func word(_ number: Int?) -> UInt64 {
    UInt64(bitPattern: Int64(number ?? -1)).littleEndian
  }

  /// Adds the digest of the list after a commit that has no changes.
  mutating func add(_ digest: StateDigest) { value = XXHash64.hash(digest.value, seed: value) }

  private mutating func add(_ number: Int?) {
    value = XXHash64.hash(number == nil ? 0 : 1, seed: value)
    if let number { value = XXHash64.hash(UInt64(bitPattern: Int64(number)), seed: value) }
  }

  private mutating func add(_ text: String) {
    add(text.utf8.count)
    value = XXHash64.hash(text, seed: value)
  }
}
