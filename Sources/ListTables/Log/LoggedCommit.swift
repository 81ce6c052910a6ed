import GRDB
import ListModel

/// A row of `listCommit`: a commit of the log without its changes.
package struct LoggedCommit: Sendable {
  /// The revision that it made.
  package let revision: Int
  /// Who made it; `nil` if the author's row is missing.
  package let author: String?
  /// In milliseconds since 1970.
  package let time: Int?
  /// The number of the feed line that made it.
  package let feedSequence: Int?
  /// The first revision of the step that it takes back.
  let undoes: Int?
  /// The first commit of its undo step.
  let step: Int?
  let chain: UInt64
  let digest: StateDigest
  /// The first row of its changes; `nil` for a commit without changes.
  let firstChange: Int?
  /// How many changes the list has had, with those of this commit.
  let changeTotal: Int

  fileprivate init(_ row: StatementRow) throws {
    revision = try row.integer(0)
    author = try row.textIfPresent(1)
    time = try row.integerIfPresent(2)
    feedSequence = try row.integerIfPresent(3)
    undoes = try row.integerIfPresent(4)
    chain = try row.hash(5)
    digest = StateDigest(value: try row.hash(6))
    firstChange = try row.integerIfPresent(7)
    step = try row.integerIfPresent(8)
    changeTotal = try row.integer(9)
  }
}

extension ListRows {
  /// Calls a closure with commits of the log, in order; a damaged log may lack some.
  ///
  /// `floor`: The revision before the first commit.
  func forEachCommit(
    after floor: Int, upTo last: Int = .max, limit: Int = .max,
    _ body: (LoggedCommit) throws -> Void
  ) throws {
    try statements(
      """
      SELECT revision, author.name, time, feedSequence, undoes, chain, digest, firstChange,
        step, changeTotal
      FROM listCommit LEFT JOIN author ON author.id = author
      WHERE list = ? AND revision > ? AND revision <= ? ORDER BY revision LIMIT ?
      """
    ).forEach(id, floor, last, limit) { try body(LoggedCommit($0)) }
  }

  /// Calls a closure with commits of the log, the newest first.
  func forEachCommitBackwards(
    from last: Int = .max, downTo floor: Int = 0, limit: Int = .max,
    _ body: (LoggedCommit) throws -> Void
  ) throws {
    try statements(
      """
      SELECT revision, author.name, time, feedSequence, undoes, chain, digest, firstChange,
        step, changeTotal
      FROM listCommit LEFT JOIN author ON author.id = author
      WHERE list = ? AND revision > ? AND revision <= ? ORDER BY revision DESC LIMIT ?
      """
    ).forEach(id, floor, last, limit) { try body(LoggedCommit($0)) }
  }
}

/// Follows a log from commit to commit: by the chain of their hashes, and by the digests of the
/// list.
struct LogReplay {
  private let log: LogReader
  /// The chain of the last commit.
  private(set) var chain: UInt64
  /// The digest of the list after the last commit; `nil` before the first one.
  private(set) var digest: StateDigest?

  /// `chain`: Of the commit before the first one.
  init(_ rows: ListRows, after chain: UInt64) throws {
    log = try LogReader(rows)
    self.chain = chain
  }

  /// Reads the changes of the next commit.
  ///
  /// The commit after it is followed from what this one says of chain and digest.
  ///
  /// - Returns: Whether its chain and its digest follow from the commit before and its changes.
  mutating func follow(
    _ commit: LoggedCommit, _ body: (LogReader.LoggedEntry) throws -> Void = { _ in }
  ) throws -> (chain: Bool, digest: Bool) {
    var hash = ChainHash(after: chain, commit)
    var replayed = digest
    chain = commit.chain
    digest = commit.digest
    try log.forEachEntry(of: commit) { logged in
      hash.add(logged.entry, logged.hashes)
      replayed?.apply(logged.entry, logged.hashes, neighbours: logged.neighbours[...])
      try body(logged)
    }
    return (hash.value == commit.chain, replayed == nil || replayed == commit.digest)
  }
}

extension ChainHash {
  /// Begins the hash of a commit of a log.
  init(after previous: UInt64, _ commit: LoggedCommit) {
    self.init(
      after: previous, revision: commit.revision, author: commit.author ?? "",
      time: commit.time, feedSequence: commit.feedSequence)
  }
}
