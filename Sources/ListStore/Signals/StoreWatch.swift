import Dispatch
import Foundation
import StoreSchema

/// Looks into a store whenever a signal rings, and by the clock.
///
/// A system tells of a write before the commit can be read: SQLite writes the pages first. So the
/// store is looked at several times after a ring. The clock covers what no signal tells of.
final class StoreWatch: Sendable {
  private let signals: [any CommitSignal]
  /// The most seconds between two looks.
  private let interval: Double
  private let queue = DispatchQueue(label: "Cellar commits", qos: .userInitiated)
  private let state: Guarded<State>

  /// Tells what a look has found.
  typealias News = () -> Void

  private struct State {
    /// `nil` once it has ended.
    var look: (() -> News?)?
    var timer: (any DispatchSourceTimer)?
    /// How often it has looked since the last ring.
    var looks = 0
    var isPaused = false
  }

  /// The pauses between the looks after a ring, in seconds.
  private static let pauses = [0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.02]

  /// A watch that has not begun.
  ///
  /// `look`: Reads, by one thread at a time; released when the watch ends. What it returns is called
  /// after it.
  init(signals: [any CommitSignal], interval: Double, look: sending @escaping () -> News?) {
    self.signals = signals
    self.interval = interval
    state = Guarded(State(look: look))
  }

  /// Begins to look, on a thread of its own; at once, unless it is paused.
  ///
  /// `onFailure`: Called for each signal that the system does not give.
  func start(isPaused: Bool, onFailure: @escaping @Sendable () -> Void) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.lookAndSchedule() }
    state.withValue { state in
      state.timer = timer
      state.isPaused = isPaused
    }
    timer.resume()
    queue.async { [weak self] in self?.startSignals(onFailure) }
  }

  private func startSignals(_ onFailure: () -> Void) {
    for signal in signals {
      do { try signal.start(on: queue) { [weak self] in self?.ring() } } catch { onFailure() }
    }
    // What was committed before they began.
    ring()
  }

  /// Ends it, for ever; a look that goes on ends first.
  func stop() {
    state.withValue { state in
      state.timer?.cancel()
      state.timer = nil
      state.look = nil
    }
    queue.async { [signals] in
      for signal in signals { signal.stop() }
    }
  }

  /// Looks no more until ``resume()``; a look that goes on ends first.
  func pause() { state.withValue { $0.isPaused = true } }

  /// Looks at once, and goes on.
  func resume() {
    state.withValue { $0.isPaused = false }
    queue.async { [weak self] in self?.ring() }
  }

  /// Looks now, and again a few times.
  private func ring() {
    state.withValue { $0.looks = 0 }
    lookAndSchedule()
  }

  private func lookAndSchedule() {
    let news: News? = state.withValue { state in
      guard let timer = state.timer, let look = state.look, !state.isPaused else { return nil }
      // Inside the lock, so that nothing is read any more once it is paused or has ended.
      let news = look()
      if state.looks < Self.pauses.count {
        timer.schedule(deadline: .now() + Self.pauses[state.looks], leeway: .nanoseconds(0))
        state.looks += 1
      } else {
        timer.schedule(
          deadline: .now() + interval, leeway: .milliseconds(Int(interval * 100)))
      }
      return news
    }
    // Outside the lock: a task that is cancelled holds its own lock, which telling it takes, while it
    // ends the watch.
    news?()
  }
}
