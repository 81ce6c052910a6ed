package import ListModel
package import ListStore
import ListTables

/// Applies one feed to a store: cuts its bytes into lines, reads each line and applies it.
///
/// Files, asynchronous sequences and servers use the same run. They append bytes to ``lines``, call
/// ``applyLines(_:)`` after each part, and ``finish(isCancelled:)`` at the end.
package struct FeedRun {
  /// The one list whose lines are applied.
  package struct Target: Sendable {
    /// The feed's name for the list.
    package var feedList: ListID
    package var list: ListID
    /// The list's owner, if the list is a nested one.
    var owner: ListOwner?
  }

  /// The lines between the last applied one and a later one, which are missing.
  ///
  /// The cause of an error with ``/ListModel/StoreError/Code/feedGap``.
  package struct Gap: Error {
    package let list: ListID
    /// The number of the first missing line.
    package let expected: Int
    /// The number of the line that was read instead.
    package let found: Int
  }

  /// The bytes of the feed, cut into lines.
  package var lines: FeedLines
  /// Counts of the lines so far.
  package private(set) var report: FeedReport
  private let repository: Repository
  private var source: FeedSource
  private let target: Target?
  private var replay: FeedReplay
  /// `nil` if nobody wants batch updates.
  private var updates: FeedUpdateQueue?

  /// Begins a feed.
  ///
  /// `source`: The feed; with a target, all that counts of it is its name.
  /// `target`: `nil` to apply the lines of all lists.
  /// `heads`: The taken lines that the feed is known to follow; without them, the lines themselves
  /// show it.
  /// `report`: The counts to go on from.
  package init(
    into repository: Repository, from source: FeedSource, target: Target? = nil,
    updates: FeedUpdates? = nil, after heads: [FeedHead] = [], report: FeedReport = FeedReport()
  ) {
    lines = FeedLines(of: source.shownName)
    self.source = source
    self.report = report
    self.repository = repository
    self.target = target
    replay = FeedReplay(into: repository, from: source, after: heads)
    self.updates = updates.map { FeedUpdateQueue(of: repository, for: $0) }
  }

  /// Begins another feed after the end of this one; the counts and the batch updates go on.
  mutating func goOn(with source: FeedSource) {
    lines = FeedLines(of: source.shownName)
    self.source = source
    replay = FeedReplay(into: repository, from: source)
  }

  /// Applies the lines that are complete.
  ///
  /// - Throws: `StoreError` with the feed's name and line, or whatever the receiver of batch
  ///   updates throws.
  package mutating func applyLines(_ progress: (FeedReport) -> Void) throws {
    while let bytes = try lines.next() {
      if bytes.isBlankLine { continue }
      let sequence = try begin(bytes)
      // A line may decide others that have waited for it; each commit is told before the next one.
      repeat { try updates?.handOut(&report) } while try decide(sequence)
      progress(report)
    }
  }

  /// Reads a line and begins to apply it.
  ///
  /// - Returns: Its number, if it has one.
  private mutating func begin(_ bytes: [UInt8]) throws(StoreError) -> Int {
    let message = try FeedMessage(line: bytes, number: lines.number, of: lines.name)
    report.lines += 1
    guard let message, target.map({ $0.feedList == message.list }) ?? source.reads(message.list)
    else { return 0 }
    let line = FeedLine(
      list: target?.list ?? message.list, ownedBy: target?.owner, sequence: message.sequence,
      isSnapshot: message.isSnapshot, author: message.author, time: message.time,
      edit: message.edit, text: bytes, isMinified: message.isMinified)
    do throws(StoreError) {
      try updates?.follow(line.list)
      if case .rejection(let why) = message.content {
        try reject(message.edit ?? "", of: line.list, why: why, by: line.author)
      } else {
        replay.begin(message, as: line, byteCount: bytes.count)
      }
    } catch {
      throw error.placed(in: lines.name, line: lines.number)
    }
    return line.sequence
  }

  /// Makes the next commit of the line, or of one that has waited for it.
  ///
  /// - Returns: Whether anything was decided.
  private mutating func decide(_ sequence: Int) throws(StoreError) -> Bool {
    do throws(StoreError) {
      guard let (list, outcome) = try replay.next() else { return false }
      try count(outcome, of: list, sequence: sequence)
      return true
    } catch {
      throw error.placed(in: lines.name, line: lines.number)
    }
  }

  /// Takes a refused edit back.
  ///
  /// The line has no number: an edit that is not known was rejected before, or is another app's.
  private mutating func reject(
    _ edit: String, of list: ListID, why: String?, by author: Author
  ) throws(StoreError) {
    guard let commit = try repository.reject(edit, of: list, why: why, by: author, from: source)
    else { return }
    report.lists[list, default: FeedReport.ListReport()].revision = commit.revision
    updates?.add(commit)
  }

  /// Ends the feed: decides the lines that still wait for later ones.
  ///
  /// `isCancelled`: Whether the feed was abandoned, so that it may end within a line.
  package mutating func finish(isCancelled: Bool = false) throws {
    if !isCancelled { try lines.requireEnd() }
    while let (list, outcome) = try replay.finish() {
      try count(outcome, of: list, sequence: 0)
      try updates?.handOut(&report)
    }
    // Other writers may have committed meanwhile.
    for list in report.lists.keys {
      report.lists[list]?.revision = try repository.revision(of: list)
    }
  }

  /// Hands out the batch updates of all commits that wait.
  mutating func handOutRest() throws { try updates?.handOut(&report, all: true) }

  private mutating func count(
    _ outcome: FeedOutcome, of list: ListID, sequence: Int
  ) throws(StoreError) {
    var counts = report.lists[list] ?? FeedReport.ListReport()
    switch outcome {
    case .applied(let commit):
      counts.applied += 1
      counts.revision = commit.revision
      updates?.add(commit)
    case .waits, .waitingAreNew: break
    case .skipped:
      counts.skipped += 1
      if counts.revision == 0 { counts.revision = try repository.revision(of: list) }
    case .gap(let expected):
      throw StoreError(
        .feedGap,
        "list \"\(list)\" expects seq \(expected), but this line has seq \(sequence); nothing "
          + "of it was applied. Fetch the lines between, or a snapshot",
        cause: Gap(list: list, expected: expected, found: sequence))
    }
    report.lists[list] = counts
  }
}

extension FeedMessage {
  /// Reads a line of a feed; `nil` if it is about no list.
  ///
  /// - Throws: `StoreError` that names the line: ``/ListModel/StoreError/Code/malformedFeed`` or
  ///   ``/ListModel/StoreError/Code/feedLimit``.
  fileprivate init?(line bytes: [UInt8], number: Int, of feed: String) throws(StoreError) {
    do throws(FormatError) {
      try self.init(parsing: bytes)
    } catch {
      throw StoreError(
        error.isBeyondLimit ? .feedLimit : .malformedFeed,
        "\(error); nothing of this line was applied", file: feed, line: number, cause: error)
    }
  }
}

extension StoreError {
  /// Adds the feed's name and line, unless the error is about the store itself.
  fileprivate func placed(in feed: String, line: Int) -> StoreError {
    guard cause is ChangeError || file == nil else { return self }
    var error = self
    error.file = feed
    error.line = line
    return error
  }
}

extension [UInt8] {
  /// Whether a line has nothing but white space.
  fileprivate var isBlankLine: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
