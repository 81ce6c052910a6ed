import Foundation

/// The time of commits and of what was used last.
enum WallClock {
  /// Milliseconds since 1970.
  static var now: Int { Int(Date().timeIntervalSince1970 * 1_000) }
}
