import Foundation

/// How a connection waits for another one's lock.
///
/// SQLite's own waiting pauses for longer each time, up to 100 ms, and so sleeps through the gaps that
/// a busy writer leaves: a commit beside an upgrade of a million contents waited 54 ms, though no lock
/// was held for more than 7.
package struct LockWait {
  private let timeout: Double

  /// A way of waiting for so many seconds in all.
  package init(timeout: Double) { self.timeout = timeout }

  /// What one try costs is some microseconds.
  private static let pause = 0.001
  private static let laterPause = 0.005
  private static let firstTries = 100

  /// Pauses before the next try.
  ///
  /// - Parameter tries: The number of pauses so far.
  /// - Returns: Whether to try again.
  package func pauses(after tries: Int) -> Bool {
    guard Self.length(of: tries) < timeout else { return false }
    Thread.sleep(forTimeInterval: tries < Self.firstTries ? Self.pause : Self.laterPause)
    return true
  }

  /// The length of so many pauses, in seconds.
  package static func length(of tries: Int) -> Double {
    let later = max(0, tries - firstTries)
    return Double(tries - later) * pause + Double(later) * laterPause
  }
}
