import FeedServing
import ListModel
import Logging
import NIOCore
import RelayEngine

/// One list on one node: its state at the end of the log, the edits that wait, and those who wait for
/// lines.
///
/// Edits are made one after another in memory, and those that came meanwhile go to the engine as one
/// batch. The batch names the end of the log that it follows; if another node was faster, the lines are
/// taken back, the other's are read, and the edits are made again. So no lock is held anywhere while
/// the engine writes, and no line is shown before the engine has it.
///
/// What touches the list's state is done by ``work()``, one thing after another.
actor ListDesk {
  let id: ListID
  let engine: any Engine
  let kept: ListStoreroom?
  let limits: DeskLimits
  let logger: Logger

  /// The list; `nil` before it was read, and after a failure that left its end unknown.
  var list: ServedList?
  /// The last lines, without a gap.
  var tail: ListTail
  /// Those who wait for more of them.
  nonisolated let waiters = ListWaiters()
  /// A snapshot that the engine has, to begin an answer with.
  var snapshot: ServedLine?
  /// The snapshot that was sent last, as it is sent.
  var sentSnapshot: (position: LinePosition, bytes: ByteBuffer)?
  /// The bytes of the lines since that snapshot.
  var bytesSinceSnapshot = 0
  /// Positions that the engine was asked for and knows.
  var knownPositions: Set<LinePosition> = []

  private var requests: [EditRequest] = []
  private var snapshotRequests: [CheckedContinuation<FreshSnapshot?, any Error>] = []
  private var readRequests: [CheckedContinuation<Void, any Error>] = []
  private var unkeptRequest: CheckedContinuation<UnkeptList?, Never>?
  private var mustCatchUp = false
  private var isWorking = false
  private var users = 0
  private var sweeper: (at: ContinuousClock.Instant, task: Task<Void, any Error>)?
  private var isReleased = false

  init(
    _ id: ListID, engine: any Engine, kept: ListStoreroom?, limits: DeskLimits, logger: Logger
  ) {
    self.id = id
    self.engine = engine
    self.kept = kept
    self.limits = limits
    self.logger = logger
    tail = ListTail(mostBytes: limits.tailBytes)
  }

  // MARK: Who uses it

  /// - Returns: `false` if the desk was released: its node has another one, or makes one.
  func enter() -> Bool {
    if isReleased { return false }
    users += 1
    return true
  }

  func leave() { users -= 1 }

  /// Releases the desk, if nobody uses it and the store has what it has.
  func release() -> Bool {
    guard users == 0, !isWorking, list?.hasUnkept != true || kept == nil, waiters.close()
    else { return false }
    isReleased = true
    return true
  }

  /// How many items the list has in memory.
  var itemCount: Int { list?.itemCount ?? 0 }

  // MARK: Those who wait

  /// Wakes somebody once the list ends elsewhere than at a position, or a time has come, if the list is in
  /// memory and ends there.
  ///
  /// All who wait for a list share one wake-up and one timer.
  ///
  /// - Returns: Whether it ends there.
  nonisolated func watch(
    at end: LinePosition?, until deadline: ContinuousClock.Instant, _ waker: WakeOnce
  ) -> Bool {
    switch waiters.add(waker, at: end, until: deadline) {
    case .endsElsewhere: return false
    case .waits: break
    case .waitsUntilSweep: Task { await sweep(at: deadline) }
    }
    return true
  }

  /// Wakes those who have waited long enough, once it is time.
  private func sweep(at deadline: ContinuousClock.Instant) {
    if let sweeper, sweeper.at <= deadline { return }
    sweeper?.task.cancel()
    let task = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      sweeper = nil
      if let next = waiters.wakeExpired(.now) { sweep(at: next) }
    }
    sweeper = (deadline, task)
  }

  // MARK: Requests

  /// Makes an edit.
  ///
  /// - Throws: ``RelayFailure``; after one of the engine, the edit may be in the log.
  func take(_ edit: DeskEdit) async throws -> DeskAnswer {
    try await withCheckedThrowingContinuation { answer in
      requests.append(EditRequest(edit) { answer.resume(with: $0.mapError { $0 as any Error }) })
      work()
    }
  }

  /// Makes edits one after another.
  ///
  /// - Returns: The answer to each, in their order.
  func take(_ edits: [DeskEdit]) async -> [EditRequest.Answer] {
    await withCheckedContinuation { answer in
      let answers = AnswerCollector(count: edits.count) { answer.resume(returning: $0) }
      for (index, edit) in edits.enumerated() {
        requests.append(EditRequest(edit) { answers.set($0, at: index) })
      }
      work()
    }
  }

  /// A snapshot of the list as it is now, which the engine has; `nil` for a list without a line.
  func freshSnapshot() async throws -> FreshSnapshot? {
    try await withCheckedThrowingContinuation { answer in
      snapshotRequests.append(answer)
      work()
    }
  }

  /// Waits until the list is in memory.
  func read() async throws {
    if list != nil, !mustCatchUp { return }
    try await withCheckedThrowingContinuation { answer in
      readRequests.append(answer)
      work()
    }
  }

  /// Reads what other nodes have written, unless the list ends where the log does.
  ///
  /// `end`: The end of the log; `nil` if it is not known.
  func catchUpSoon(to end: LogPosition? = nil) {
    guard list != nil || isWorking else { return }
    // Most lists that have moved were moved by this node.
    if let end, !isWorking, tail.end.map({ LogPosition($0) }) == end { return }
    mustCatchUp = true
    work()
  }

  /// Takes what the store lacks; `nil` if it lacks nothing.
  func takeUnkept() async -> UnkeptList? {
    guard list?.hasUnkept == true, unkeptRequest == nil else { return nil }
    return await withCheckedContinuation { answer in
      unkeptRequest = answer
      work()
    }
  }

  // MARK: Work

  private func work() {
    if isWorking { return }
    isWorking = true
    Task {
      while hasWork {
        await answerReaders()
        await makeSnapshot()
        await makeEdits()
      }
      isWorking = false
    }
  }

  private var hasWork: Bool {
    mustCatchUp || !requests.isEmpty || !snapshotRequests.isEmpty || !readRequests.isEmpty
      || unkeptRequest != nil
  }

  private func answerReaders() async {
    if let request = unkeptRequest {
      unkeptRequest = nil
      request.resume(returning: list?.takeUnkept())
    }
    guard mustCatchUp || !readRequests.isEmpty else { return }
    let readers = readRequests
    readRequests = []
    mustCatchUp = false
    do {
      try await catchUp()
      for reader in readers { reader.resume() }
    } catch {
      forget()
      let failure = RelayFailure(error)
      for reader in readers { reader.resume(throwing: failure) }
    }
  }

  private func makeSnapshot() async {
    if snapshotRequests.isEmpty { return }
    let readers = snapshotRequests
    snapshotRequests = []
    do {
      if list == nil { try await catchUp() }
      var fresh: FreshSnapshot?
      for _ in 0..<Self.mostAttempts {
        guard let list, let end = list.position else { break }
        if let snapshot, try await isStored(snapshot, at: end) {
          fresh = FreshSnapshot(line: snapshot, end: end)
          break
        }
        let made = try await LongWork.run(LongWork.byteCount(ofTreeWith: list.itemCount)) {
          try list.snapshot()
        }
        guard let made else { break }
        if try await store(made, at: end) {
          fresh = FreshSnapshot(line: made, end: end)
          break
        }
        // Another node has deleted the list and made it anew, or the log was restored.
        try await catchUp()
      }
      for reader in readers { reader.resume(returning: fresh) }
    } catch {
      let failure = RelayFailure(error)
      for reader in readers { reader.resume(throwing: failure) }
    }
  }

  /// Whether a snapshot stands for the list's last line, and the engine has both: no other is written then.
  private func isStored(_ line: ServedLine, at end: LinePosition) async throws -> Bool {
    guard line.position.sequence == end.sequence, try await isEnd(end) else { return false }
    return try await engine.knows(LogPosition(line.position), of: id.rawValue)
  }

  /// Stores a snapshot.
  ///
  /// - Returns: Whether the log has the line that it stands for.
  private func store(_ line: ServedLine, at end: LinePosition) async throws -> Bool {
    do throws(EngineError) {
      guard
        try await engine.put(
          LogSnapshot(LogPosition(line.position), text: line.text), standingFor: LogPosition(end),
          of: id.rawValue, at: limits.now())
      else { return false }
    } catch {
      // Who asks for the list gets it all the same. Nothing is dropped for a snapshot that is not stored.
      guard error.code == .full else { throw error }
      logger.warning("a snapshot can't be stored", metadata: ["list": "\(id)", "why": "\(error)"])
      return true
    }
    snapshot = line
    bytesSinceSnapshot = 0
    return true
  }

  /// Makes the edits that wait, as one batch.
  private func makeEdits() async {
    let batch = takeRequests()
    if batch.isEmpty { return }
    var round = MadeEdits()
    do {
      if list == nil { try await catchUp() }
      round = try await make(batch)
      if !round.lines.isEmpty {
        let outcome = try await engine.append(
          LogBatch(
            to: id.rawValue, after: round.start.map { LogPosition($0) },
            round.lines.map(\.logLine), at: limits.now()))
        if try await settle(outcome, &round) == false {
          // Made again, on what the others have written.
          requests = round.unanswered + requests
          return
        }
      }
      try await refuse(&round)
    } catch {
      // Whether the engine has the lines is unknown.
      forget()
      round.fail(RelayFailure(error), orElse: batch)
    }
  }

  /// Makes edits in memory.
  private func make(_ batch: [EditRequest]) async throws -> MadeEdits {
    guard var list else { throw EngineError(.unavailable, "the list could not be read") }
    let (time, byteCount) = (limits.now(), batch.map(\.edit.byteCount).max() ?? 0)
    if LongWork.isLong(byteCount) {
      // Who reads the list meanwhile has it as it was.
      let made = try await LongWork.run(byteCount) { [list] in
        var (round, list) = (MadeEdits(), list)
        round.make(batch, in: &list, at: time)
        return (round: round, list: list)
      }
      self.list = made.list
      return made.round
    }
    // Not in two places, or each change would copy the list.
    self.list = nil
    var round = MadeEdits()
    round.make(batch, in: &list, at: time)
    self.list = list
    return round
  }

  private func takeRequests() -> [EditRequest] {
    var bytes = 0
    let count = requests.prefix(limits.mostEditsAtOnce).prefix { request in
      defer { bytes += request.edit.byteCount }
      return bytes < limits.mostBytesAtOnce
    }.count
    defer { requests.removeFirst(count) }
    return Array(requests.prefix(count))
  }

  /// Does what an append's outcome asks for.
  ///
  /// - Returns: Whether the log has the lines.
  private func settle(_ outcome: AppendOutcome, _ round: inout MadeEdits) async throws -> Bool {
    switch outcome {
    case .appended:
      list?.settle()
      for line in round.lines { publish(line.line) }
      round.answerMade()
      waiters.wake()
      return true
    case .behind:
      list?.takeBack()
      try await catchUp()
    case .known(let answers):
      list?.takeBack()
      round.answer(answers)
    }
    return false
  }

  /// Refuses edits that do not fit the list, or its end, unless they were taken once, or the list has
  /// changed.
  private func refuse(_ round: inout MadeEdits) async throws {
    if round.refused.isEmpty, round.conflicting.isEmpty { return }
    // A node that lags must not refuse what fits the list as it is.
    if try await catchUp() {
      requests = round.unanswered + requests
      return
    }
    if !round.conflicting.isEmpty {
      // One that is sent again meets the line that it became.
      let keys = round.conflicting.compactMap(\.edit.key)
      let known = keys.isEmpty ? [:] : try await engine.answers(to: keys, of: id.rawValue)
      round.answerConflicting(known, list?.position)
    }
    for member in round.refused {
      guard let key = member.request.edit.key else {
        round.answer(member.request, .refused(member.why))
        continue
      }
      let answer = try await engine.refuse(key, of: id.rawValue, why: member.why, at: limits.now())
      round.answer(member.request, DeskAnswer(answer))
    }
  }

  /// Notes a line that the log has.
  func publish(_ line: ServedLine) {
    tail.append(line)
    waiters.move(to: tail.end)
    bytesSinceSnapshot += line.text.count
  }

  /// Forgets what is in memory, to read it again.
  func forget() {
    list = nil
    snapshot = nil
    sentSnapshot = nil
    knownPositions = []
    tail.forget()
    waiters.forget()
  }
}
