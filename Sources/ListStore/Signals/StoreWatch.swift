import Foundation
import StoreFiles

/// Polls a store whenever a signal fires, and by the clock.
///
/// A system reports a write before the commit can be read: SQLite writes the pages first. So the
/// store is polled several times after a signal. The clock covers what no signal reports.
///
/// It has a thread of its own, which waits for the signals itself: on a busy machine, each thread that
/// must wake another one costs milliseconds.
final class StoreWatch: Sendable {
  private let signals: [any CommitSignal]
  /// The most seconds between two polls.
  private let interval: Double
  private let wakeUp = WakeUp()
  private let state = Guarded(State())
  /// Locked while it polls; `nil` once it has ended.
  private let poll: Guarded<Poll?>
  private let interrupt: @Sendable () -> Void

  /// Notifies the observers of what a poll has found.
  typealias Notification = () -> Void

  /// How it polls.
  struct Poll: Sendable {
    /// Reads, and is called by one thread; what it returns is called after it.
    var read: @Sendable () -> Notification?
    /// Has a read that goes on end soon.
    var interrupt: @Sendable () -> Void
  }

  private struct State {
    /// How often it has polled since the last signal.
    var polls = 0
    var isPaused = false
    var hasEnded = false

    /// Whether it polls now, and what it does then.
    mutating func next(_ interval: Double) -> Pause {
      if hasEnded { return .end }
      if isPaused { return .rest }
      defer { polls += 1 }
      return polls < StoreWatch.pauses.count ? StoreWatch.pauses[polls] : .listen(interval)
    }
  }

  /// What its thread does after a poll.
  private enum Pause {
    /// Sleeps for so many seconds, whatever fires.
    case sleep(Double)
    /// Waits for a signal, for so many seconds.
    case listen(Double)
    /// Waits until it may go on.
    case rest
    case end
  }

  /// The pauses between the polls after a signal.
  ///
  /// A commit writes several times, so a millisecond passes before the next signal counts. The last
  /// polls are for a writer that a busy machine stops between its last write and its commit.
  private static let pauses: [Pause] = [
    .sleep(0.000_1), .sleep(0.000_3), .sleep(0.000_6), .listen(0.003), .listen(0.01),
    .listen(0.02), .listen(0.1), .listen(0.5),
  ]

  /// The most seconds until the first poll, unless a signal fires.
  ///
  /// It finds what was committed before the signals began, which is rarely anything, and a launch needs the
  /// processor for its first screen.
  private static let firstPause = 0.05

  /// A watch that has not begun.
  ///
  /// `poll`: Is released when the watch ends.
  init(signals: [any CommitSignal], interval: Double, _ poll: Poll) {
    self.signals = signals
    self.interval = interval
    interrupt = poll.interrupt
    self.poll = Guarded(poll)
  }

  /// Begins to poll, on a thread of its own; soon, unless it is paused.
  ///
  /// The thread keeps the watch until ``stop()``.
  ///
  /// `onFailure`: Called for each signal that the system does not give.
  func start(isPaused: Bool, onFailure: @escaping @Sendable () -> Void) {
    state.withValue { $0.isPaused = isPaused }
    let thread = Thread { [self] in run(onFailure) }
    thread.name = "Cellar commits"
    thread.qualityOfService = .userInitiated
    thread.start()
  }

  /// Ends it, for ever; a poll that goes on is interrupted.
  func stop() {
    state.withValue { $0.hasEnded = true }
    interrupt()
    poll.withValue { $0 = nil }
    wakeUp.wake()
  }

  /// Polls no more until ``resume()``; a poll that goes on is interrupted.
  func pause() {
    state.withValue { $0.isPaused = true }
    interrupt()
    // Nothing is read any more once this returns.
    poll.withValue { _ in }
  }

  /// Polls at once, and goes on.
  func resume() {
    state.withValue { $0.isPaused = false }
    pollAgain()
  }

  /// Has the thread poll now, and again a few times.
  private func pollAgain() {
    state.withValue { $0.polls = 0 }
    wakeUp.wake()
  }

  // MARK: The thread

  private func run(_ onFailure: () -> Void) {
    for signal in signals {
      do { try signal.start(handler: { [weak self] in self?.pollAgain() }) } catch { onFailure() }
    }
    listen(Self.firstPause)
    while true {
      switch pollOnce() {
      case .sleep(let seconds): Thread.sleep(forTimeInterval: seconds)
      case .listen(let seconds): listen(seconds)
      case .rest: _ = wakeUp.wait(for: [], atMost: nil)
      case .end:
        for signal in signals { signal.stop() }
        return
      }
    }
  }

  private func listen(_ seconds: Double) {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    let descriptors = signals.compactMap(\.descriptor)
    while case let rest = clock.now.duration(to: end), rest > .zero {
      if wakeUp.wait(for: descriptors, atMost: rest / .seconds(1)) { return }
      // All of them: what is not read would end the next wait at once.
      if signals.map({ $0.drain() }).contains(true) {
        return state.withValue { $0.polls = 0 }
      }
    }
  }

  private func pollOnce() -> Pause {
    #if canImport(ObjectiveC)
      autoreleasepool { pollAndNotify() }
    #else
      pollAndNotify()
    #endif
  }

  private func pollAndNotify() -> Pause {
    let (notify, pause): (Notification?, Pause) = poll.withValue { poll in
      // Inside the lock, so that nothing is read any more once it is paused or has ended.
      let pause = state.withValue { $0.next(interval) }
      switch pause {
      case .rest, .end: return (nil, pause)
      case .sleep, .listen: return (poll?.read(), pause)
      }
    }
    // Outside the lock: a task that is cancelled holds its own lock, which notifying it takes, while it
    // ends the watch.
    notify?()
    return pause
  }
}
