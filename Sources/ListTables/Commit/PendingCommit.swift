import GRDB
package import ListModel

/// A commit that is being made.
///
/// Each change is written to the rows when it is applied. The rows of the log are written when they
/// are full, and the row of the commit at the end.
package struct PendingCommit {
  private let rows: ListRows
  private let author: Author
  private let time: Int?
  private let feed: FeedLine?
  private let feedSequence: Int?
  private let undoes: Int?
  private let step: CommitStep
  private let keepsEntries: Bool
  private var sourceRevision: Int?
  /// Whether its changes are in the log; if not, the list's log begins after it.
  var isLogged = true
  private var record: EditRecord?
  private var chain: ChainHash
  private var log: LogWriter
  /// Its changes so far.
  package private(set) var entries: [LogEntry] = []
  private var neighbours: [Neighbours] = []
  private var joiner = GapJoiner()

  /// Begins a commit; from here on the list is at its revision.
  ///
  /// `undoes`: The revision of the commit that it takes back.
  /// `step`: What it is for a user who undoes.
  /// `record`: Notes its changes, if it is an edit that is made again later.
  /// `isBesideOthers`: Whether commits of other lists are made at the same time, of which this one is
  /// not the first to be finished.
  package init(
    _ rows: ListRows, by author: Author, time: Int?, feed: FeedLine?, undoes: Int? = nil,
    step: CommitStep = .none, record: EditRecord? = nil, isBesideOthers: Bool = false
  ) {
    self.init(
      rows, by: author, time: time, feed: feed, feedSequence: feed?.sequence, undoes: undoes,
      step: step, record: record, isBesideOthers: isBesideOthers, keepsEntries: true)
  }

  /// Begins a commit of a derived list.
  ///
  /// `sourceRevision`: The revision of its source that it follows.
  init(_ rows: ListRows, by author: Author, time: Int?, sourceRevision: Int) {
    self.init(
      rows, by: author, time: time, feed: nil, feedSequence: nil, undoes: nil, step: .none,
      record: nil, isBesideOthers: false, keepsEntries: true)
    self.sourceRevision = sourceRevision
  }

  /// Begins a commit as another store has it; no feed line is noted, and its changes are not kept.
  ///
  /// `author`: Who made it, in this store.
  /// `time`: When it was made, in this store.
  init(_ rows: ListRows, repeating commit: LoggedCommit, by author: Author, time: Int?) {
    self.init(
      rows, by: author, time: time, feed: nil, feedSequence: commit.feedSequence,
      undoes: commit.undoes, step: commit.step.map(CommitStep.of) ?? .none, record: nil,
      isBesideOthers: false, keepsEntries: false)
  }

  private init(
    _ rows: ListRows, by author: Author, time: Int?, feed: FeedLine?, feedSequence: Int?,
    undoes: Int?, step: CommitStep, record: EditRecord?, isBesideOthers: Bool, keepsEntries: Bool
  ) {
    self.step = step
    self.undoes = undoes
    self.record = record
    self.rows = rows
    self.author = author
    self.time = time
    self.feed = feed
    self.feedSequence = feedSequence
    self.keepsEntries = keepsEntries
    rows.revision += 1
    chain = ChainHash(
      after: rows.chain, revision: rows.revision, author: author.name, time: time,
      feedSequence: feedSequence)
    log = LogWriter(rows, isHeld: isBesideOthers)
  }

  /// How many changes it has.
  package var count: Int { entries.count }

  /// Makes room for so many changes.
  package mutating func reserveCapacity(_ count: Int) {
    entries.reserveCapacity(count)
    neighbours.reserveCapacity(count)
  }

  /// Applies a change to the list as the changes before have left it.
  ///
  /// - Returns: The log entry; or the reason why the change does not fit, and then nothing was
  ///   changed.
  package mutating func apply(_ change: Change) throws -> Result<LogEntry, ChangeError> {
    switch try rows.resolve(change) {
    case .success(let resolved):
      let entry = try apply(resolved)
      try record?.note(change, as: entry, in: rows)
      return .success(entry)
    case .failure(let error): return .failure(error)
    }
  }

  /// Inserts an item at the end of a section as it was in another store: with its content revision.
  package mutating func restore(
    _ item: Item, in section: SectionID
  ) throws -> Result<LogEntry, ChangeError> {
    switch try rows.resolve(.insertItem(item, in: section, at: .end)) {
    case .success(.insertItem(_, let path)):
      return .success(try apply(.insertItem(item, at: path)))
    case .success(let entry): return .success(try apply(entry))
    case .failure(let error): return .failure(error)
    }
  }

  /// Changes the state of an item that is at a path.
  package mutating func update(
    _ item: ItemID, at path: ItemPath, from before: ItemState, to after: ItemState
  ) throws {
    try apply(.updateItem(item, at: path, before: before, after: after))
  }

  /// Makes a change that was resolved against these rows.
  @discardableResult
  mutating func apply(_ entry: LogEntry) throws -> LogEntry {
    let hashes = EntryHashes(entry)
    let first = neighbours.count
    let written = try rows.apply(entry, hashes, appendingTo: &neighbours)
    try rows.ownedLists.noteOwnersDeleted(by: entry, at: rows.revision)
    chain.add(entry, hashes)
    if isLogged {
      try log.append(entry, written, neighbours: neighbours[first...], member: hashes.id)
    }
    rows.totals.add(entry)
    rows.gapTotal += entry.gapDifference
    if rows.gapTotal > 1, joinsGaps { try joiner.note(entry, in: rows) }
    if keepsEntries { entries.append(entry) } else { neighbours.removeAll(keepingCapacity: true) }
    return entry
  }

  /// Whether gaps that stand next to each other become one at its end.
  ///
  /// A derived list has none, and a commit of another store says what became of them.
  private var joinsGaps: Bool { keepsEntries && sourceRevision == nil }

  private mutating func joinGaps() throws {
    while let changes = try joiner.next(in: rows) {
      for change in changes {
        guard case .success(let resolved) = try rows.resolve(change) else { continue }
        let entry = try apply(resolved)
        try record?.note(consequence: entry, in: rows)
      }
    }
  }

  /// Writes the rest and returns the commit.
  @discardableResult
  package mutating func finish() throws -> Commit {
    try joinGaps()
    rows.chain = chain.value
    try log.finish()
    rows.totals.bytes += log.byteCount
    if record == nil, joinsGaps, !rows.pagesAhead.isRebased { try rows.settlePagesAhead() }
    try rows.logCommit(
      by: author, time: time, feedSequence: feedSequence, feedDigest: feed?.digest, undoes: undoes,
      step: step.first(at: rows.revision, isEmpty: entries.isEmpty), firstChange: log.firstChange,
      sourceRevision: sourceRevision)
    try rows.requireOwnChanges()
    if let record, count > 0 { try rows.outbox.insert(record, by: author, time: time) }
    if let feed {
      try rows.feed.take(feed, as: rows.revision)
      if feed.isReset { try rows.forgetPages() }
    }
    try rows.save()
    try rows.updateSearchIndexes()
    let commit = Commit(
      list: rows.list, revision: rows.revision, author: author, time: time, entries: entries,
      undoes: undoes,
      proof: CommitProof(chain: chain.value, digest: rows.digest, neighbours: neighbours))
    let derived =
      keepsEntries ? try rows.updateDerivedLists(after: entries, by: author, time: time) : []
    try rows.sums.deleteForgotten()
    return commit.followed(by: derived)
  }
}
