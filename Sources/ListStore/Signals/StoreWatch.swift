import Foundation
import StoreFiles

/// Looks into a store whenever a signal rings, and by the clock.
///
/// A system tells of a write before the commit can be read: SQLite writes the pages first. So the
/// store is looked at several times after a ring. The clock covers what no signal tells of.
///
/// It has a thread of its own, which waits for the signals itself: on a busy machine, each thread that
/// must wake another one costs milliseconds.
final class StoreWatch: Sendable {
  private let signals: [any CommitSignal]
  /// The most seconds between two looks.
  private let interval: Double
  private let wakeUp = WakeUp()
  private let state = Guarded(State())
  /// Locked while it looks; `nil` once it has ended.
  private let look: Guarded<Look?>
  private let interrupt: @Sendable () -> Void

  /// Tells what a look has found.
  typealias News = () -> Void

  /// How it looks.
  struct Look: Sendable {
    /// Reads, and is called by one thread; what it returns is called after it.
    var read: @Sendable () -> News?
    /// Has a read that goes on end soon.
    var interrupt: @Sendable () -> Void
  }

  private struct State {
    /// How often it has looked since the last ring.
    var looks = 0
    var isPaused = false
    var hasEnded = false

    /// Whether it looks now, and what it does then.
    mutating func next(_ interval: Double) -> Pause {
      if hasEnded { return .end }
      if isPaused { return .rest }
      defer { looks += 1 }
      return looks < StoreWatch.pauses.count ? StoreWatch.pauses[looks] : .listen(interval)
    }
  }

  /// What its thread does after a look.
  private enum Pause {
    /// Sleeps for so many seconds, and hears no ring.
    case sleep(Double)
    /// Waits for a ring, for so many seconds.
    case listen(Double)
    /// Waits until it may go on.
    case rest
    case end
  }

  /// The pauses between the looks after a ring.
  ///
  /// A commit writes several times, so a millisecond passes before the next ring is heard. The last
  /// looks are for a writer that a busy machine stops between its last write and its commit.
  private static let pauses: [Pause] = [
    .sleep(0.000_1), .sleep(0.000_3), .sleep(0.000_6), .listen(0.003), .listen(0.01),
    .listen(0.02), .listen(0.1), .listen(0.5),
  ]

  /// A watch that has not begun.
  ///
  /// `look`: Is released when the watch ends.
  init(signals: [any CommitSignal], interval: Double, _ look: Look) {
    self.signals = signals
    self.interval = interval
    interrupt = look.interrupt
    self.look = Guarded(look)
  }

  /// Begins to look, on a thread of its own; at once, unless it is paused.
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

  /// Ends it, for ever; a look that goes on is interrupted.
  func stop() {
    state.withValue { $0.hasEnded = true }
    interrupt()
    look.withValue { $0 = nil }
    wakeUp.wake()
  }

  /// Looks no more until ``resume()``; a look that goes on is interrupted.
  func pause() {
    state.withValue { $0.isPaused = true }
    interrupt()
    // Nothing is read any more once this returns.
    look.withValue { _ in }
  }

  /// Looks at once, and goes on.
  func resume() {
    state.withValue { $0.isPaused = false }
    ring()
  }

  /// Has the thread look now, and again a few times.
  private func ring() {
    state.withValue { $0.looks = 0 }
    wakeUp.wake()
  }

  // MARK: The thread

  private func run(_ onFailure: () -> Void) {
    for signal in signals {
      do { try signal.start(ring: { [weak self] in self?.ring() }) } catch { onFailure() }
    }
    while true {
      // The first look finds what was committed before the signals began.
      switch lookOnce() {
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
      if signals.map({ $0.takeRings() }).contains(true) {
        return state.withValue { $0.looks = 0 }
      }
    }
  }

  private func lookOnce() -> Pause {
    #if canImport(ObjectiveC)
      autoreleasepool { lookAndTell() }
    #else
      lookAndTell()
    #endif
  }

  private func lookAndTell() -> Pause {
    let (news, pause): (News?, Pause) = look.withValue { look in
      // Inside the lock, so that nothing is read any more once it is paused or has ended.
      let pause = state.withValue { $0.next(interval) }
      switch pause {
      case .rest, .end: return (nil, pause)
      case .sleep, .listen: return (look?.read(), pause)
      }
    }
    // Outside the lock: a task that is cancelled holds its own lock, which telling it takes, while it
    // ends the watch.
    news?()
    return pause
  }
}
