/// A line among those that a list took.
package struct FeedPlace: Hashable, Sendable {
  /// How many resets the list had taken.
  package var epoch: Int
  /// The line's number; 0 for the reset that began the epoch.
  package var sequence: Int
}

extension FeedPlace {
  /// Whether a line is the one after this, or a snapshot or a reset that may come after any.
  package func isFollowed(by line: FeedLine) -> Bool {
    if line.isReset { return true }
    if line.isSnapshot { return line.sequence > sequence }
    return line.sequence - 1 == sequence
  }
}
