import GRDB
import ListModel

/// A commit that is being made.
///
/// Each change is written to the rows and to the log when it is applied; the row of the commit is
/// written at the end.
struct PendingCommit {
  private let rows: ListRows
  private let author: Author
  private let time: Int?
  private let feed: FeedLine?
  private var chain: ChainHash
  private var entries: [LogEntry] = []
  private var seams: [Seam] = []

  /// Begins a commit; from here on the list is at its revision.
  init(_ rows: ListRows, by author: Author, time: Int?, feed: FeedLine?) {
    self.rows = rows
    self.author = author
    self.time = time
    self.feed = feed
    rows.revision += 1
    chain = ChainHash(
      after: rows.chain ?? 0, revision: rows.revision, author: author.name, time: time,
      feedSequence: feed?.sequence)
  }

  /// How many changes it has.
  var count: Int { entries.count }

  mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
    seams.reserveCapacity(count)
  }

  /// Applies a change to the list as the changes before have left it.
  ///
  /// - Returns: The log entry; or the reason why the change does not fit, and then nothing was
  ///   changed.
  mutating func apply(_ change: Change) throws -> Result<LogEntry, ChangeError> {
    switch try rows.resolve(change) {
    case .success(let entry):
      let places = try rows.apply(entry)
      try rows.noteDeletedOwners(entry)
      let record = ChangeRecord(entry, seams: places)
      chain.add(record)
      rows.totals.add(record)
      try record.insert(
        rows.statements, list: rows.id, revision: rows.revision, ordinal: entries.count)
      entries.append(entry)
      seams.append(contentsOf: places)
      return .success(entry)
    case .failure(let error): return .failure(error)
    }
  }

  /// Writes the rest and returns the commit.
  func finish() throws -> Commit {
    guard let digest = rows.digest else {
      throw DatabaseError.corrupt("list \"\(rows.list)\" has no digest")
    }
    rows.chain = chain.value
    try rows.logCommit(by: author, time: time, feed: feed)
    if let feed {
      rows.feedSequence = feed.sequence
      try rows.note(feed)
    }
    try rows.save()
    return Commit(
      list: rows.list, revision: rows.revision, author: author, time: time, entries: entries,
      proof: CommitProof(chain: chain.value, digest: digest, seams: seams))
  }
}
