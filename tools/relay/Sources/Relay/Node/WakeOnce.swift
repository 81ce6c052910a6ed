import NIOConcurrencyHelpers

/// Somebody who waits for the first of several things.
final class WakeOnce: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, Never>)
    case fired
  }

  private let state = NIOLockedValueBox(State.idle)

  /// Wakes who waits; nothing happens the second time.
  func fire() {
    let waiting = state.withLockedValue { state -> CheckedContinuation<Void, Never>? in
      defer { state = .fired }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume()
  }

  var hasFired: Bool { state.withLockedValue { if case .fired = $0 { true } else { false } } }

  /// Waits until it is fired, or returns at once if it was; only one may wait.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isFired = state.withLockedValue { state in
        if case .fired = state { return true }
        state = .waiting(continuation)
        return false
      }
      if isFired { continuation.resume() }
    }
  }
}
