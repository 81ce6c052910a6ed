import NIOConcurrencyHelpers
import RelayEngine

/// An engine that others change when it has named its lists for the first time.
final class ChangingEngine: Engine {
  private let engine: any Engine
  private let change: @Sendable () async throws -> Void
  private let hasChanged = NIOLockedValueBox(false)

  init(_ engine: any Engine, _ change: @escaping @Sendable () async throws -> Void) {
    self.engine = engine
    self.change = change
  }

  func lists(after id: String?, limit: Int) async throws(EngineError) -> [LogHead] {
    let page = try await engine.lists(after: id, limit: limit)
    let isFirst = hasChanged.withLockedValue { hasChanged in
      defer { hasChanged = true }
      return !hasChanged
    }
    if isFirst {
      do { try await change() } catch { throw EngineError(.failed, "\(error)") }
    }
    return page
  }

  // MARK: As the engine

  func append(_ batch: LogBatch) async throws(EngineError) -> AppendOutcome {
    try await engine.append(batch)
  }

  func refuse(
    _ edit: EditKey, of list: String, why: String, at time: Int
  ) async throws(EngineError) -> EditAnswer {
    try await engine.refuse(edit, of: list, why: why, at: time)
  }

  func answers(
    to edits: [EditKey], of list: String
  ) async throws(EngineError) -> [EditKey: EditAnswer] {
    try await engine.answers(to: edits, of: list)
  }

  func heads(of lists: [String]) async throws(EngineError) -> [TextKey: LogHead] {
    try await engine.heads(of: lists)
  }

  func lines(
    of list: String, after sequence: Int, byteCount: Int
  ) async throws(EngineError) -> [LogLine] {
    try await engine.lines(of: list, after: sequence, byteCount: byteCount)
  }

  func knows(_ position: LogPosition, of list: String) async throws(EngineError) -> Bool {
    try await engine.knows(position, of: list)
  }

  func put(
    _ snapshot: LogSnapshot, standingFor line: LogPosition, of list: String, at time: Int
  ) async throws(EngineError) -> Bool {
    try await engine.put(snapshot, standingFor: line, of: list, at: time)
  }

  func snapshot(of list: String) async throws(EngineError) -> LogSnapshot? {
    try await engine.snapshot(of: list)
  }

  func drop(
    _ list: String, through sequence: Int, for snapshot: LogPosition, answersBefore time: Int
  ) async throws(EngineError) -> Bool {
    try await engine.drop(list, through: sequence, for: snapshot, answersBefore: time)
  }

  func delete(
    _ list: String, at end: LogPosition?
  ) async throws(EngineError) -> DeleteOutcome { try await engine.delete(list, at: end) }

  func moved(since cursor: String?) async throws(EngineError) -> MovedLists {
    try await engine.moved(since: cursor)
  }

  func takeWork(limit: Int, at time: Int, lease: Int) async throws(EngineError) -> [String] {
    try await engine.takeWork(limit: limit, at: time, lease: lease)
  }

  func postponeWork(on list: String, until time: Int) async throws(EngineError) {
    try await engine.postponeWork(on: list, until: time)
  }

  func finishWork(on list: String) async throws(EngineError) {
    try await engine.finishWork(on: list)
  }

  func revoke(_ token: String, until time: Int) async throws(EngineError) {
    try await engine.revoke(token, until: time)
  }

  func revocations(at time: Int) async throws(EngineError) -> Set<TextKey> {
    try await engine.revocations(at: time)
  }

  func tidy(at time: Int) async throws(EngineError) { try await engine.tidy(at: time) }

  func timeline() async throws(EngineError) -> EngineTimeline { try await engine.timeline() }

  func close() async { await engine.close() }
}
