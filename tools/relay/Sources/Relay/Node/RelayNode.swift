import FeedServing
import ListModel
import Logging
import NIOConcurrencyHelpers
import RelayEngine

/// A node: the lists that it serves, in memory and in a store of its own, over an engine that other
/// nodes may share.
final class RelayNode: Sendable {
  let engine: any Engine
  let limits: DeskLimits
  let logger: Logger
  private let kept: ListStoreroom?
  private let desks = NIOLockedValueBox<[ListID: ListDesk]>([:])
  /// What the last look at the engine showed.
  private let health = NIOLockedValueBox(Health())
  /// Those who wait for lists to move.
  private let movedWaiters = NIOLockedValueBox<[WakeOnce]>([])

  struct Health {
    /// Why the engine can't be used; `nil` if it can.
    var problem: String? = "the engine was not asked yet"
    var revoked: Set<TextKey> = []
    var timeline: EngineTimeline?
    var isEnding = false
  }

  init(
    engine: any Engine, kept: KeptLists? = nil, limits: DeskLimits = DeskLimits(), logger: Logger
  ) {
    self.engine = engine
    self.limits = limits
    self.logger = logger
    self.kept = kept.map { ListStoreroom($0, logger: logger) }
  }

  // MARK: Lists

  /// Uses a list's desk.
  func with<Value: Sendable>(
    _ list: ListID, _ body: (ListDesk) async throws -> Value
  ) async throws -> Value {
    while true {
      let desk = desk(list)
      guard await desk.enter() else {
        // It was released between the two lines before.
        desks.withLockedValue { if $0[list] === desk { $0[list] = nil } }
        continue
      }
      do {
        let value = try await body(desk)
        await desk.leave()
        return value
      } catch {
        await desk.leave()
        throw error
      }
    }
  }

  /// Wakes somebody once a list ends elsewhere than at a position, or a time has come, if the list is in
  /// memory and ends there.
  ///
  /// - Returns: Whether it ends there.
  func watch(
    _ list: ListID, at end: LinePosition?, until deadline: ContinuousClock.Instant,
    _ waker: WakeOnce
  ) -> Bool {
    let desk = desks.withLockedValue { $0[list] }
    return desk?.watch(at: end, until: deadline, waker) ?? false
  }

  private func desk(_ list: ListID) -> ListDesk {
    desks.withLockedValue { desks in
      if let desk = desks[list] { return desk }
      let desk = ListDesk(list, engine: engine, kept: kept, limits: limits, logger: logger)
      desks[list] = desk
      return desk
    }
  }

  // MARK: What the engine says

  /// Why the node is not ready; `nil` if it is.
  var problem: String? {
    health.withLockedValue { $0.isEnding ? "the node ends" : $0.problem }
  }

  var isEnding: Bool { health.withLockedValue { $0.isEnding } }

  /// Whether a token was revoked, by its id or its subject.
  func isRevoked(_ ids: [String]) -> Bool {
    health.withLockedValue { health in ids.contains { health.revoked.contains(TextKey($0)) } }
  }

  /// Follows the engine until the task is cancelled: lines of other nodes, revocations, its history.
  ///
  /// - Parameters:
  ///   - pause: Between two looks for lines.
  ///   - timelineChanged: Called with each history that is not the one before.
  func follow(
    every pause: Duration, timelineChanged: @Sendable (EngineTimeline) -> Void
  ) async {
    var cursor: String?
    var lastLook = ContinuousClock.now
    var nextCheck = ContinuousClock.now
    while !Task.isCancelled {
      do {
        if nextCheck <= .now {
          nextCheck = .now + Self.checkInterval
          if try await check(timelineChanged) { cursor = nil }
        }
        // After a long absence entries may be gone: all lists are looked at.
        if lastLook < .now - Self.longestAbsence { cursor = nil }
        let wasNew = cursor == nil
        let moved = try await engine.moved(since: cursor)
        cursor = moved.cursor
        lastLook = .now
        if wasNew { await catchUpAll() } else { await catchUp(moved.lists) }
        if !moved.lists.isEmpty || wasNew { wakeMovedWaiters() }
      } catch let error as EngineError where error.code == .unknownCursor {
        // The engine answers, with another history.
        cursor = nil
        nextCheck = .now
      } catch {
        let why = RelayFailure(error).message
        let wasReady = health.withLockedValue { health in
          defer { health.problem = why }
          return health.problem == nil
        }
        if wasReady { logger.error("the engine does not answer", metadata: ["why": "\(why)"]) }
        nextCheck = .now
      }
      try? await Task.sleep(for: problem == nil ? pause : max(pause, .milliseconds(200)))
    }
  }

  private static let checkInterval = Duration.seconds(1)
  private static let longestAbsence = Duration.seconds(300)

  /// - Returns: Whether the engine's history is another one than before.
  private func check(
    _ timelineChanged: @Sendable (EngineTimeline) -> Void
  ) async throws -> Bool {
    let timeline = try await engine.timeline()
    let revoked = try await engine.revocations(at: limits.now())
    let (before, wasReady) = health.withLockedValue { health in
      defer {
        health.problem = nil
        health.revoked = revoked
        health.timeline = timeline
      }
      return (health.timeline, health.problem == nil)
    }
    if !wasReady { logger.notice("the engine answers") }
    guard before != timeline else { return !wasReady }
    logger.notice("the engine's history", metadata: ["timeline": "\(timeline.number)"])
    timelineChanged(timeline)
    return true
  }

  /// Has lists that have moved read what others have written.
  private func catchUp(_ moved: [TextKey: LogPosition?]) async {
    let known = desks.withLockedValue { desks in
      moved.compactMap { list, end in
        (try? ListID(list.text)).flatMap { desks[$0] }.map { (desk: $0, end: end) }
      }
    }
    for (desk, end) in known { await desk.catchUpSoon(to: end) }
  }

  /// Has all lists look at their logs.
  private func catchUpAll() async {
    for desk in desks.withLockedValue({ Array($0.values) }) { await desk.catchUpSoon() }
  }

  // MARK: The change hook

  /// The lists that have moved since a call; waits for the first until a time has come.
  ///
  /// A cursor has the time before the engine's own, as the engine forgets what moved long ago.
  ///
  /// - Parameters:
  ///   - cursor: What the call before returned; `nil` to begin.
  ///   - deadline: How long it waits.
  ///   - isWanted: Which lists count; the moves of others end no wait.
  ///   - wait: Waits for a waker; returns `false` if nobody wants the answer any more.
  /// - Returns: The lists that count.
  /// - Throws: ``RelayFailure`` with ``RelayFailure/Kind/gone`` for a cursor that is too old, or of another
  ///   history.
  func moved(
    since cursor: String?, until deadline: ContinuousClock.Instant,
    where isWanted: (String) -> Bool, wait: (WakeOnce) async -> Bool
  ) async throws -> MovedLists {
    do throws(EngineError) {
      let moved = try await movedLists(
        since: try cursor.map(engineCursor), until: deadline, where: isWanted, wait: wait)
      return MovedLists(lists: moved.lists, cursor: "\(limits.now()).\(moved.cursor)")
    } catch {
      guard error.code == .unknownCursor else { throw error }
      throw RelayFailure(
        .gone, "since is too old, or of another log: ask without it, and look at all lists")
    }
  }

  private func engineCursor(_ cursor: String) throws(EngineError) -> String {
    let parts = cursor.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let time = Int(parts[0]), limits.now() - time < Self.cursorLifetime
    else { throw .unknownCursor }
    return String(parts[1])
  }

  /// Less than entries stay, since clocks differ.
  private static let cursorLifetime = 540_000

  private func movedLists(
    since start: String?, until deadline: ContinuousClock.Instant,
    where isWanted: (String) -> Bool, wait: (WakeOnce) async -> Bool
  ) async throws(EngineError) -> MovedLists {
    let mayWait = start != nil && deadline > .now
    let timer: Task<Void, any Error>? =
      mayWait ? Task { try await wakeMovedWaiters(at: deadline) } : nil
    defer { timer?.cancel() }
    var cursor = start
    while true {
      // Before it asks, so that no move comes in between.
      let waker = WakeOnce()
      if mayWait { movedWaiters.withLockedValue { $0.append(waker) } }
      defer { movedWaiters.withLockedValue { $0.removeAll { $0 === waker } } }
      let moved = try await engine.moved(since: cursor)
      let wanted = MovedLists(
        lists: moved.lists.filter { isWanted($0.key.text) }, cursor: moved.cursor)
      if !mayWait || !wanted.lists.isEmpty || deadline <= .now || isEnding { return wanted }
      guard await wait(waker) else { return wanted }
      cursor = moved.cursor
    }
  }

  private func wakeMovedWaiters(at time: ContinuousClock.Instant) async throws {
    try await Task.sleep(until: time, clock: .continuous)
    wakeMovedWaiters()
  }

  private func wakeMovedWaiters() {
    let woken = movedWaiters.withLockedValue { waiters in
      defer { waiters = [] }
      return waiters
    }
    for waiter in woken { waiter.fire() }
  }

  // MARK: The store

  /// Writes what lists have become into the store, and releases those that were not used for long,
  /// until the task is cancelled.
  func keepHouse(every pause: Duration, mostItems: Int, mostLists: Int) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: pause)
      await keep()
      await release(mostItems: mostItems, mostLists: mostLists)
    }
  }

  /// Writes what lists have become into the store.
  func keep() async {
    guard let kept else { return }
    let all = desks.withLockedValue { Array($0.values) }
    var unkept: [UnkeptList] = []
    for desk in all {
      if let list = await desk.takeUnkept() { unkept.append(list) }
      if unkept.count == 256 {
        await kept.keep(unkept)
        unkept = []
      }
    }
    await kept.keep(unkept)
  }

  private func release(mostItems: Int, mostLists: Int) async {
    let all = desks.withLockedValue { $0 }
    var items = 0
    var counts: [(list: ListID, desk: ListDesk, items: Int)] = []
    for (list, desk) in all {
      let count = await desk.itemCount
      items += count
      counts.append((list, desk, count))
    }
    var lists = all.count
    // In the order of a dictionary, which is as good as by chance.
    for (list, desk, count) in counts where items > mostItems || lists > mostLists {
      guard await desk.release() else { continue }
      desks.withLockedValue { if $0[list] === desk { $0[list] = nil } }
      items -= count
      lists -= 1
    }
  }

  // MARK: The end

  /// Ends: those who wait are answered, and the store gets what it lacks.
  ///
  /// Edits that were taken are in the engine already.
  func end() async {
    health.withLockedValue { $0.isEnding = true }
    wakeMovedWaiters()
    for desk in desks.withLockedValue({ Array($0.values) }) { desk.waiters.wake() }
  }

  /// Closes the store and the engine.
  func close() async {
    await keep()
    await kept?.close()
    await engine.close()
  }

  /// How many lists are in memory, and how many connections wait for lines or for lists to move.
  func counts() -> (lists: Int, waiting: Int) {
    let all = desks.withLockedValue { Array($0.values) }
    let moved = movedWaiters.withLockedValue { $0.count { !$0.hasFired } }
    return (all.count, all.reduce(moved) { $0 + $1.waiters.count })
  }
}
