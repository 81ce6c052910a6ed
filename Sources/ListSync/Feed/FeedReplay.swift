import BatchUpdates
import ListModel
import ListStore
import ListTables
import Providers

/// Decides which lines of a feed are new, and applies those; lines that were applied before are
/// skipped.
///
/// `FeedPosition` says how a line is recognised.
///
/// Each commit is reported before the next one is made, so that whoever shows the list can follow line by
/// line: ``begin(_:as:byteCount:)`` takes a line, and ``next()`` makes one decision after the other.
struct FeedReplay {
  private let repository: Repository
  private let source: FeedSource
  private var runs: [ListID: Run] = [:]
  /// The line that was taken last, until it is decided or waits.
  private var current: Line?
  /// Lines that have waited and are new, the next one last; and whether it is the first of them.
  private var new: [Line] = []
  private var isFirstOfNew = false
  /// Lines that were found to be applied before, the next one last.
  private var skipped: [ListID] = []
  /// What is said after those.
  private var last: Decision?
  /// The lists for which the feed has not ended yet, the next one last; `nil` before its end.
  private var ending: [ListID]?

  /// The part of the feed that is about one list.
  private struct Run {
    var position = FeedPosition()
    /// Lines that were applied before or are new: the lines after them decide.
    var waiting: [Line] = []
    var waitingByteCount = 0
  }

  private struct Line {
    var line: FeedLine
    var message: FeedMessage
    var byteCount: Int
  }

  /// How many bytes of lines wait at most.
  private static let maximumWaitingByteCount = 1 << 20

  /// The outcome of a line, and the list that it is about.
  typealias Decision = (list: ListID, outcome: FeedOutcome)

  /// `heads`: The taken lines that the feed is known to follow.
  init(into repository: Repository, from source: FeedSource, after heads: [FeedHead] = []) {
    self.repository = repository
    self.source = source
    for head in heads { runs[head.list] = Run(position: head.position) }
  }

  /// Takes a line; the one before is decided, or waits.
  mutating func begin(_ message: FeedMessage, as line: FeedLine, byteCount: Int) {
    current = Line(line: line, message: message, byteCount: byteCount)
  }

  /// Decides a line: the one that was taken last, or one that has waited for it.
  ///
  /// - Returns: `nil` if nothing can be decided without the next line.
  mutating func next() throws(StoreError) -> Decision? {
    while true {
      if let list = skipped.popLast() { return (list, .skipped) }
      if let decision = last {
        last = nil
        return decision
      }
      if let line = new.popLast() { return try store(line) }
      guard let line = current else { return nil }
      try decide(line)
    }
  }

  /// Ends the feed for a list after the other: decides the lines that still wait, and notes in the store
  /// where the feed ended.
  ///
  /// - Returns: `nil` once that is done for all lists.
  mutating func finish() throws(StoreError) -> Decision? {
    var lists = ending ?? runs.keys.sorted(by: >)
    defer { ending = lists }
    while true {
      if let decision = try next() { return decision }
      guard let list = lists.last, var run = runs[list] else { return nil }
      if run.waiting.isEmpty {
        try repository.endFeedRun(at: run.position, of: list)
        lists.removeLast()
      } else {
        let wereApplied = try repository.wasAppliedBefore(waitingAt: run.position, of: list)
        if wereApplied { skipWaiting(&run) } else { storeWaiting(&run) }
        runs[list] = run
      }
    }
  }

  /// Applies the line that was taken last, or finds that it was applied.
  private mutating func decide(_ line: Line) throws(StoreError) {
    let list = line.line.list
    // Taken out of the dictionary, or changing it would copy the lines that wait.
    var run = runs.removeValue(forKey: list) ?? Run()
    defer { runs[list] = run }
    switch try apply(line, at: &run.position) {
    case .waitingAreNew: storeWaiting(&run)
    case .waits(let settlesEarlier):
      current = nil
      if settlesEarlier { skipWaiting(&run) }
      run.waiting.append(line)
      run.waitingByteCount += line.byteCount
      if run.waitingByteCount > Self.maximumWaitingByteCount, run.waiting.count > 1 {
        run.position.settle()
        skipWaiting(&run)
      }
    case let outcome:
      current = nil
      skipWaiting(&run)
      last = (list, outcome)
    }
  }

  private func apply(
    _ line: Line, at position: inout FeedPosition
  ) throws(StoreError) -> FeedOutcome {
    try repository.apply(line.line, from: source, at: &position) { current throws in
      try line.message.changes(current)
    }
  }

  private mutating func skipWaiting(_ run: inout Run) {
    skipped = run.waiting.reversed().map(\.line.list) + skipped
    (run.waiting, run.waitingByteCount) = ([], 0)
  }

  private mutating func storeWaiting(_ run: inout Run) {
    (new, isFirstOfNew) = (run.waiting.reversed(), true)
    (run.waiting, run.waitingByteCount) = ([], 0)
  }

  /// Applies a line that has waited and turned out to be new.
  private mutating func store(_ line: Line) throws(StoreError) -> Decision {
    let list = line.line.list
    var run = runs.removeValue(forKey: list) ?? Run()
    defer { runs[list] = run }
    if isFirstOfNew {
      isFirstOfNew = false
      let commit = try repository.applyWaiting(line.line, from: source, at: &run.position) {
        current throws in
        try line.message.changes(current)
      }
      if let commit { return (list, .applied(commit)) }
      // Another writer applies feeds too, so the place is looked for anew.
      run.position = FeedPosition()
    }
    switch try apply(line, at: &run.position) {
    case .waits, .waitingAreNew:
      run.position.settle()
      return (list, .skipped)
    case let outcome: return (list, outcome)
    }
  }
}
