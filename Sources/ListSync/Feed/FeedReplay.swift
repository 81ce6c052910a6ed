import BatchUpdates
import ListModel
import ListStore
import Providers

/// Applies the lines of one feed to a store, and can be run again: applied lines are skipped.
///
/// `FeedPosition` says how a line is recognised.
struct FeedReplay {
  private let repository: Repository
  /// Whose list the lines are about, of a nested one.
  private let owner: ListOwner?
  private var runs: [ListID: Run] = [:]

  /// What was read about a list.
  private struct Run {
    var position = FeedPosition()
    /// Lines that were applied before, or are new.
    var waiting: [Message] = []
    var waitingByteCount = 0
  }

  /// How many bytes of lines wait at most.
  private static let maximumWaitingByteCount = 1 << 20

  /// A message about a list.
  private struct Message {
    var line: FeedLine
    var content: Content

    enum Content {
      case changes([Change])
      case tree([ListTree.Section])
      case nothing
    }

    func changes(_ current: () throws -> ListTree) throws -> [Change] {
      switch content {
      case .changes(let changes): changes
      case .tree(let sections): try current().changes(to: sections)
      case .nothing: try current().sections.map { .deleteSection($0.id) }
      }
    }
  }

  /// What became of a line.
  typealias Decision = (list: ListID, outcome: FeedOutcome)

  init(into repository: Repository, ownedBy owner: ListOwner? = nil) {
    self.repository = repository
    self.owner = owner
  }

  /// Applies a message, or finds that it was applied.
  ///
  /// - Returns: What became of it, and of lines that waited for it.
  mutating func apply(
    _ message: FeedMessage, mark: LineMark
  ) throws(StoreError) -> [Decision] {
    switch message {
    case .other: []
    case .commit(let header, let sequence, let changes):
      try decide(
        Message(line: line(header, sequence: sequence, mark), content: .changes(changes)), mark)
    case .snapshot(let header, let sequence, let sections):
      try decide(
        Message(
          line: line(header, sequence: sequence, bridgesGaps: true, mark),
          content: .tree(sections)), mark)
    case .reset(let header):
      try decide(Message(line: line(header, sequence: nil, mark), content: .nothing), mark)
    }
  }

  /// Decides the lines that still wait at the end of the feed, and notes where it ended.
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

  private mutating func decide(
    _ message: Message, _ mark: LineMark
  ) throws(StoreError) -> [Decision] {
    let list = message.line.list
    // Taken out, or what waits would be copied to be changed.
    var run = runs.removeValue(forKey: list) ?? Run()
    defer { runs[list] = run }
    var decided: [Decision] = []
    while true {
      let outcome = try repository.apply(message.line, at: &run.position) { current throws in
        try message.changes(current)
      }
      switch outcome {
      case .waitingAreNew:
        decided += try store(run.waiting, &run)
      case .waits(let settlesEarlier):
        if settlesEarlier { decided += skipWaiting(&run) }
        run.waiting.append(message)
        run.waitingByteCount += mark.byteCount
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

  /// Applies lines that waited and are new.
  private func store(_ waiting: [Message], _ run: inout Run) throws(StoreError) -> [Decision] {
    run.waiting = []
    run.waitingByteCount = 0
    var decided: [Decision] = []
    for (index, message) in waiting.enumerated() {
      let list = message.line.list
      if index == 0 {
        let commit = try repository.applyWaiting(message.line, at: &run.position) {
          current throws in try message.changes(current)
        }
        if let commit {
          decided.append((list, .applied(commit)))
          continue
        }
        // Somebody else applies feeds too: looked for anew.
        run.position = FeedPosition()
      }
      let outcome = try repository.apply(message.line, at: &run.position) { current throws in
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

  private func line(
    _ header: FeedMessage.Header, sequence: Int?, bridgesGaps: Bool = false, _ mark: LineMark
  ) -> FeedLine {
    FeedLine(
      list: header.list, ownedBy: owner, sequence: sequence, bridgesGaps: bridgesGaps,
      author: header.author, time: header.time, digest: mark.digest,
      writtenDigest: mark.writtenDigest)
  }
}
