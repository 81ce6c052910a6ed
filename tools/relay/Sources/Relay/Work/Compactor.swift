import FeedServing
import ListModel
import Logging
import RelayEngine

/// How long lines stay before a snapshot alone stands for them.
package struct Retention: Hashable, Sendable {
  /// Lines younger than this stay, in milliseconds: a client that was away for less goes on from its
  /// line, and learns what became of its edits.
  package var lines = 7 * 86_400_000
  /// Answers to edits stay so long: an edit that is sent again after that is made again.
  package var answers = 90 * 86_400_000

  /// The defaults: 7 days, and 90 days.
  package init() {}
}

/// Drops lines that a snapshot stands for.
///
/// The work waits in the engine, where it survives the end of a node: a list that was begun is taken up
/// again. Every step can be done twice. Lines are dropped only after the snapshot was read back from
/// the engine and is the list.
struct Compactor: Sendable {
  let node: RelayNode
  let retention: Retention

  /// How long a node may take for a list before another one takes it up, in milliseconds.
  private static let lease = 600_000
  /// How long work waits at most for lines that are too young, in milliseconds.
  private static let longestWait = 86_400_000
  /// Lines that have fewer bytes may stay for ever, as those of a list that was never taken up.
  private static let fewBytes = 65_536

  /// Does the work that waits, again and again until the task is cancelled.
  func run(every pause: Duration) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: pause)
      if Task.isCancelled { return }
      do {
        try await compactWaiting()
        try await node.engine.tidy(at: node.limits.now())
      } catch {
        node.logger.warning("compaction waits", metadata: ["why": "\(RelayFailure.logged(error))"])
      }
    }
  }

  /// Compacts the lists that wait.
  ///
  /// - Returns: How many.
  @discardableResult
  func compactWaiting() async throws -> Int {
    var count = 0
    while !Task.isCancelled {
      let lists = try await node.engine.takeWork(
        limit: 16, at: node.limits.now(), lease: Self.lease)
      if lists.isEmpty { break }
      for list in lists {
        var next: Int?
        if let id = try? ListID(list) {
          let dropped = try await compact(id)
          next = try await nextTime(of: id, hasDropped: dropped > 0)
        }
        if let next {
          try await node.engine.postponeWork(on: list, until: next)
        } else {
          try await node.engine.finishWork(on: list)
        }
        count += 1
      }
    }
    return count
  }

  /// When a list is looked at again, because of lines that are too young; `nil` if few bytes of lines are
  /// left.
  ///
  /// Its next line may never come, and until then nothing else would have it looked at.
  private func nextTime(of list: ListID, hasDropped: Bool) async throws -> Int? {
    guard let head = try await head(of: list), head.floor < head.position.sequence - 1,
      head.byteCount > Self.fewBytes
    else { return nil }
    let now = node.limits.now()
    // Once some were dropped, all that are left are dropped together: each time costs a snapshot.
    var time = now + min(retention.lines, Self.longestWait)
    if !hasDropped, let oldest = try await self.time(of: head.floor + 1, list) {
      time = min(time, oldest + retention.lines)
    }
    return max(time, now + 1_000)
  }

  private func head(of list: ListID) async throws -> LogHead? {
    try await node.engine.heads(of: [list.rawValue])[TextKey(list.rawValue)]
  }

  /// The time of a line; `nil` if it names none, or is not there.
  private func time(of sequence: Int, _ list: ListID) async throws -> Int? {
    let line = try await node.engine.lines(
      of: list.rawValue, after: sequence - 1, byteCount: 0
    ).first
    return try line.flatMap { try ServedLine(parsing: $0.text) }?.time
  }

  /// Drops the lines of a list that are old enough.
  ///
  /// - Returns: How many lines.
  @discardableResult
  func compact(_ list: ListID) async throws -> Int {
    guard let head = try await head(of: list) else { return 0 }
    let oldest = node.limits.now() - retention.lines
    // The last line stays: the log goes on from it.
    let last = try await lastLine(of: list, before: oldest, head.floor..<head.position.sequence)
    guard last > head.floor else { return 0 }
    guard let made = try await node.with(list, { desk in try await desk.freshSnapshot() }) else {
      return 0
    }
    let snapshot = try await readBack(made.line, of: list)
    let end = min(last, snapshot.position.sequence - 1)
    guard
      try await node.engine.drop(
        list.rawValue, through: end, for: snapshot.position,
        answersBefore: node.limits.now() - retention.answers)
    else { return 0 }
    node.logger.info(
      "compacted", metadata: ["list": "\(list)", "lines": "\(end - head.floor)"])
    return max(0, end - head.floor)
  }

  /// The number of the last line that is older than a time; the lower bound if none is.
  private func lastLine(
    of list: ListID, before time: Int, _ range: Range<Int>
  ) async throws -> Int {
    var (low, high) = (range.lowerBound, range.upperBound - 1)
    // Times mostly rise from line to line, and need not be exact here.
    while low < high {
      let middle = low + (high - low + 1) / 2
      let found = try await self.time(of: middle, list) ?? 0
      if found < time { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The snapshot as the engine has it, if it is the one that was made and becomes the same list again.
  private func readBack(_ made: ServedLine, of list: ListID) async throws -> LogSnapshot {
    guard let stored = try await node.engine.snapshot(of: list.rawValue) else {
      throw EngineError(.failed, "no snapshot could be stored, so no line is dropped")
    }
    // Another node may have stored a later one, which is as good.
    var copy = ServedList(list)
    guard let line = try ServedLine(parsing: stored.text),
      LogPosition(line.position) == stored.position,
      stored.position.sequence > made.position.sequence || stored.text == made.text
    else { throw EngineError(.failed, "the snapshot that was stored is another one") }
    try copy.apply(line)
    guard try copy.snapshot()?.text == stored.text else {
      throw EngineError(.failed, "the snapshot that was stored does not become the same list")
    }
    return stored
  }
}
