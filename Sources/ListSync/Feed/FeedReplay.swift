import BatchUpdates
import ListModel
import ListStore
import ListTables
import Providers

/// Decides which lines of a feed are new, and applies those; lines that were applied before are
/// skipped.
///
/// `FeedPosition` says how a line is recognised.
struct FeedReplay {
  private let repository: Repository
  private let source: FeedSource
  private var runs: [ListID: Run] = [:]

  /// The part of the feed that is about one list.
  private struct Run {
    var position = FeedPosition()
    /// Lines that were applied before or are new: the lines after them decide.
    var waiting: [Line] = []
    var waitingByteCount = 0
  }

  private typealias Line = (line: FeedLine, message: FeedMessage)

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

  /// Ends the feed: decides the lines that still wait, and notes in the store where the feed ended.
  mutating func finish() throws(StoreError) -> [Decision] {
    var decided: [Decision] = []
    for (list, var run) in runs.sorted(by: { $0.key < $1.key }) {
      if !run.waiting.isEmpty {
        if try repository.wasAppliedBefore(waitingAt: run.position, of: list) {
          decided += run.waiting.map { (list: $0.line.list, outcome: .skipped) }
        } else {
          decided += try store(run.waiting, &run)
        }
      }
      try repository.endFeedRun(at: run.position, of: list)
    }
    runs = [:]
    return decided
  }

  /// Applies a line, or finds that it was applied.
  ///
  /// - Returns: The outcome of the line, and of lines that waited for it.
  mutating func apply(
    _ message: FeedMessage, as line: FeedLine, byteCount: Int
  ) throws(StoreError) -> [Decision] {
    let list = line.list
    // Taken out of the dictionary, or changing it would copy the lines that wait.
    var run = runs.removeValue(forKey: list) ?? Run()
    defer { runs[list] = run }
    var decided: [Decision] = []
    while true {
      let outcome = try repository.apply(line, from: source, at: &run.position) { current throws in
        try message.changes(current)
      }
      switch outcome {
      case .waitingAreNew:
        decided += try store(run.waiting, &run)
      case .waits(let settlesEarlier):
        if settlesEarlier { decided += skipWaiting(&run) }
        run.waiting.append((line, message))
        run.waitingByteCount += byteCount
        if run.waitingByteCount > Self.maximumWaitingByteCount, run.waiting.count > 1 {
          run.position.settle()
          decided += skipWaiting(&run)
        }
        return decided
      case .applied, .skipped, .gap:
        decided += skipWaiting(&run)
        decided.append((list, outcome))
        return decided
      }
    }
  }

  private func skipWaiting(_ run: inout Run) -> [Decision] {
    defer {
      run.waiting = []
      run.waitingByteCount = 0
    }
    return run.waiting.map { (list: $0.line.list, outcome: .skipped) }
  }

  /// Applies lines that waited and turned out to be new.
  private func store(_ waiting: [Line], _ run: inout Run) throws(StoreError) -> [Decision] {
    run.waiting = []
    run.waitingByteCount = 0
    var decided: [Decision] = []
    for (index, (line, message)) in waiting.enumerated() {
      let list = line.list
      if index == 0 {
        let commit = try repository.applyWaiting(line, from: source, at: &run.position) {
          current throws in
          try message.changes(current)
        }
        if let commit {
          decided.append((list, .applied(commit)))
          continue
        }
        // Another writer applies feeds too, so the place is looked for anew.
        run.position = FeedPosition()
      }
      let outcome = try repository.apply(line, from: source, at: &run.position) { current throws in
        try message.changes(current)
      }
      switch outcome {
      case .waits, .waitingAreNew:
        run.position.settle()
        decided.append((list, .skipped))
      case .applied, .skipped, .gap: decided.append((list, outcome))
      }
    }
    return decided
  }
}
