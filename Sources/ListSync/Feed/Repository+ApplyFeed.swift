public import BatchUpdates
public import ListModel
public import ListStore
import Providers
import StoreSchema

/// What became of a feed's lines.
public struct FeedReport: Sendable {
  /// What became of the lines about one list.
  public struct ListReport: Sendable {
    /// Lines that became commits.
    public var applied = 0
    /// Lines that had been applied before.
    public var skipped = 0
    /// Batch updates that were handed out.
    public var batchUpdates = 0
    /// The list's revision after the last line.
    public var revision = 0
  }

  /// The lists that lines were about.
  public var lists: [ListID: ListReport] = [:]
  /// Lines read so far, whatever they were about.
  public var lines = 0

  /// A report of nothing yet.
  public init() {}

  /// Lines that became commits, of all lists.
  public var applied: Int { lists.values.reduce(0) { $0 + $1.applied } }
}

/// What a feed's batch updates are for.
public struct FeedUpdates {
  /// Commits of a list that make one batch update.
  var coalescing: Int
  var receive: (BatchUpdate) throws -> Void

  /// - Parameters:
  ///   - coalescing: How many commits of a list make one batch update; what is left at the end
  ///     makes a last one.
  ///   - receive: Takes each batch update once its commits are stored. What it throws ends the
  ///     replay; the commits stay.
  public init(coalescing: Int = 1, receive: @escaping (BatchUpdate) throws -> Void) {
    self.coalescing = max(1, coalescing)
    self.receive = receive
  }
}

extension Repository {
  /// Applies a feed: each line is one transaction and one revision of its list.
  ///
  /// Lines that were applied before are skipped, so a feed can be applied again, also after an error
  /// or a kill. The first line that does not fit ends the replay; all before it stay applied.
  ///
  /// - Parameters:
  ///   - reader: The feed.
  ///   - updates: Takes batch updates, if they are wanted.
  ///   - report: Counts along, so that what was done is known also where this throws.
  ///   - progress: Called after each line.
  /// - Throws: ``StoreError`` with the feed's name and line, or what `updates` throws.
  public func apply(
    _ reader: inout FeedReader, updates: FeedUpdates? = nil, report: inout FeedReport,
    progress: (FeedReport) -> Void = { _ in }
  ) throws {
    var session = FeedSession(repository: self, updates: updates, report: report)
    defer { report = session.report }
    do {
      while let (message, line, digest) = try reader.next() {
        session.report.lines += 1
        do throws(StoreError) {
          try session.apply(message, digest: digest)
        } catch {
          throw error.placed(in: reader.name, line: line)
        }
        try session.handOutUpdates()
        progress(session.report)
      }
      try session.finish()
    } catch {
      // What was stored is told, whatever came after it.
      try session.handOutUpdates(all: true)
      throw error
    }
    try session.handOutUpdates(all: true)
  }
}

/// One run of a feed into a store, with the lists that its batch updates are about.
private struct FeedSession {
  let repository: Repository
  let updates: FeedUpdates?
  var report: FeedReport
  private var replay: FeedReplay
  private var followed: [ListID: Followed] = [:]

  private struct Followed {
    var provider: Provider
    var waiting: [Commit] = []
  }

  init(repository: Repository, updates: FeedUpdates?, report: FeedReport) {
    self.repository = repository
    self.updates = updates
    self.report = report
    replay = FeedReplay(into: repository)
  }

  mutating func apply(_ message: FeedMessage, digest: [UInt8]) throws(StoreError) {
    if updates != nil, let list = message.list, followed[list] == nil {
      followed[list] = Followed(provider: try repository.providerIfPresent(for: list))
    }
    for (list, outcome) in try replay.apply(message, digest: digest) {
      try count(outcome, of: list, sequence: message.sequence)
    }
  }

  mutating func finish() throws(StoreError) {
    for (list, outcome) in try replay.finish() { try count(outcome, of: list, sequence: nil) }
    // Others may have written meanwhile.
    for list in report.lists.keys {
      report.lists[list]?.revision = try repository.revision(of: list)
    }
  }

  private mutating func count(
    _ outcome: FeedOutcome, of list: ListID, sequence: Int?
  ) throws(StoreError) {
    var counts = report.lists[list] ?? FeedReport.ListReport()
    switch outcome {
    case .applied(let commit):
      counts.applied += 1
      counts.revision = commit.revision
      followed[list]?.waiting.append(commit)
    case .skipped:
      counts.skipped += 1
      if counts.revision == 0 { counts.revision = try repository.revision(of: list) }
    case .gap(let expected):
      throw StoreError(
        .feedGap,
        "list \"\(list)\" expects line \(expected), but this is \(sequence ?? 0); nothing of it "
          + "was applied. Fetch the lines between, or a snapshot")
    }
    report.lists[list] = counts
  }

  /// Hands out the batch updates that are due; all that wait if `all`.
  mutating func handOutUpdates(all: Bool = false) throws {
    guard let updates else { return }
    for list in followed.keys.sorted() {
      guard var state = followed[list], !state.waiting.isEmpty,
        all || state.waiting.count >= updates.coalescing
      else { continue }
      let update = try repository.advance(&state.provider, with: state.waiting)
      state.waiting = []
      followed[list] = state
      report.lists[list, default: FeedReport.ListReport()].batchUpdates += 1
      try updates.receive(update)
    }
  }
}

extension FeedMessage {
  fileprivate var list: ListID? {
    switch self {
    case .commit(let header, _, _), .snapshot(let header, _, _), .reset(let header): header.list
    case .other: nil
    }
  }

  fileprivate var sequence: Int? {
    switch self {
    case .commit(_, let sequence, _), .snapshot(_, let sequence, _): sequence
    case .reset, .other: nil
    }
  }
}

extension StoreError {
  /// Names the feed's line, unless the trouble is the store's own.
  fileprivate func placed(in feed: String, line: Int) -> StoreError {
    guard cause is ChangeError || file == nil else { return self }
    var error = self
    error.file = feed
    error.line = line
    return error
  }
}
