/// How long slices of work change rows, so that each keeps others out for about as long.
///
/// What a slice writes at its end takes longer the more there is already, and on a slow device.
package struct SlicePace: Sendable {
  /// How long the next one changes rows.
  package private(set) var time: Duration

  /// How long a slice is to take, with what it writes at its end; to commit it comes on top.
  private static let wanted = Duration.milliseconds(25)
  private static let bounds = Duration.milliseconds(1)...Duration.milliseconds(20)

  package init(time: Duration = .milliseconds(8)) { self.time = time }

  /// Runs a slice.
  ///
  /// `slice`: Changes rows until its closure says that it is time to end, and writes what it has changed.
  package mutating func run<Result>(
    _ slice: (_ isTime: () -> Bool) throws -> Result
  ) rethrows -> Result {
    let start = ContinuousClock.now
    let end = start + time
    let result = try slice { ContinuousClock.now >= end }
    note(ContinuousClock.now - start)
    return result
  }

  /// Takes into account how long a slice has taken with what it wrote at its end.
  package mutating func note(_ taken: Duration) {
    let share = Self.wanted / taken
    let next = time * min(max(share, 0.5), 1.5)
    time = min(max(next, Self.bounds.lowerBound), Self.bounds.upperBound)
  }
}
