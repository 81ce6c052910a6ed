import FeedServing
import NIOConcurrencyHelpers

/// Those who wait for the next line of a list.
///
/// Behind a lock, and not with the list: most requests are of devices that have all lines, and wait without
/// a turn at the desk.
final class ListWaiters: Sendable {
  private struct State {
    /// Where the list ends, `nil` if it has no line.
    var end: LinePosition?
    /// Whether that is known: the list is in memory.
    var isKnown = false
    var waiters: [Waiter] = []
    var mostWaiters = 64
    /// When ``wakeExpired(_:)`` is called next; `nil` if nobody has a deadline.
    var nextSweep: ContinuousClock.Instant?
    var isClosed = false
  }

  private struct Waiter {
    let deadline: ContinuousClock.Instant
    let waker: WakeOnce
  }

  private let state = NIOLockedValueBox(State())

  /// How many wait, without those that something else has woken.
  var count: Int { state.withLockedValue { $0.waiters.count { !$0.waker.hasFired } } }

  /// Notes where the list ends.
  ///
  /// Whoever changes that calls ``wake()`` afterwards.
  func move(to end: LinePosition?) {
    state.withLockedValue { ($0.end, $0.isKnown) = (end, true) }
  }

  /// Notes that the list is not in memory any more.
  func forget() { state.withLockedValue { $0.isKnown = false } }

  /// What has become of somebody who wants to wait.
  enum Outcome {
    /// The list does not end there.
    case endsElsewhere
    case waits
    /// The same, and ``wakeExpired(_:)`` must be called at the deadline.
    case waitsUntilSweep
  }

  /// Waits, if the list ends at a position.
  func add(
    _ waker: WakeOnce, at position: LinePosition?, until deadline: ContinuousClock.Instant
  ) -> Outcome {
    state.withLockedValue { state in
      if state.isClosed || !state.isKnown || state.end != position { return .endsElsewhere }
      // Some wait for several lists, and another one has woken them.
      if state.waiters.count >= state.mostWaiters {
        state.waiters.removeAll { $0.waker.hasFired }
        state.mostWaiters = max(64, 2 * state.waiters.count)
      }
      state.waiters.append(Waiter(deadline: deadline, waker: waker))
      if let next = state.nextSweep, next <= deadline { return .waits }
      state.nextSweep = deadline
      return .waitsUntilSweep
    }
  }

  /// Wakes all who wait.
  func wake() {
    let woken = state.withLockedValue { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in woken { waiter.waker.fire() }
  }

  /// Wakes those who have waited long enough.
  ///
  /// - Returns: When it must be called again; `nil` if nobody waits.
  func wakeExpired(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let (woken, next) = state.withLockedValue { state in
      let woken = state.waiters.filter { $0.deadline <= now }
      if !woken.isEmpty { state.waiters.removeAll { $0.deadline <= now } }
      state.nextSweep = state.waiters.map(\.deadline).min()
      return (woken, state.nextSweep)
    }
    for waiter in woken { waiter.waker.fire() }
    return next
  }

  /// Takes nobody any more.
  ///
  /// - Returns: `false` if somebody waits; then it goes on.
  func close() -> Bool {
    state.withLockedValue { state in
      if !state.waiters.isEmpty { return false }
      state.isClosed = true
      return true
    }
  }
}
