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

extension FeedClient {
  /// The longest pause that a server may ask for.
  private static let longestAskedPause: Duration = .seconds(3_600)

  /// The pause after so many failures in a row.
  ///
  /// `asked`: What the server asks for at least.
  func pause(afterFailures count: Int, asked: Duration?) -> Duration {
    // Longer ones could not be doubled.
    let doubled = min(firstPause, LiveList.longestPause) * (1 << min(count - 1, 20))
    let pause = min(doubled, longestPause) * (1 - pace.random() / 2)
    return max(pause, min(asked ?? .zero, Self.longestAskedPause))
  }
}
