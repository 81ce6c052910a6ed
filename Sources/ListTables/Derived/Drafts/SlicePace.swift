/// How long slices of work change rows, so that each keeps others out for about as long.
///
/// What a slice writes at its end, and its commit, take longer the more there is already, and on a slow device.
package struct SlicePace: Sendable {
  /// How long the next one changes rows.
  package private(set) var time: Duration

  /// How long a slice is to keep others out, from the beginning of its transaction to the end of its commit.
  private static let wanted = Duration.milliseconds(25)
  private static let bounds = Duration.milliseconds(1)...Duration.milliseconds(20)

  package init(time: Duration = .milliseconds(8)) { self.time = time }

  /// Takes into account how long a slice has kept others out.
  package mutating func note(_ taken: Duration) {
    let share = Self.wanted / taken
    let next = time * min(max(share, 0.5), 1.5)
    time = min(max(next, Self.bounds.lowerBound), Self.bounds.upperBound)
  }
}
