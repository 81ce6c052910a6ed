package import Foundation
import ListSync

/// The clock and the randomness of a feed client, which tests replace.
package struct FeedPace: Sendable {
  /// The time of day.
  package var now: @Sendable () -> Date = { Date() }
  /// Waits; throws an error if the task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void = {
    try await Task.sleep(for: min($0, LiveList.longestPause))
  }
  /// A number from 0 to 1.
  package var random: @Sendable () -> Double = { Double.random(in: 0...1) }

  package init() {}
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
