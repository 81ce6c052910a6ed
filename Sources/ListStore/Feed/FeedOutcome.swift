package import ListModel

/// The outcome of a feed line.
package enum FeedOutcome: Sendable {
  /// It became a commit.
  case applied(Commit)
  /// It was applied before, and so were those that waited.
  case skipped
  /// The lines after it tell whether it was applied before.
  ///
  /// `settlesEarlier`: Whether it shows that the lines which waited before it were applied before.
  case waits(settlesEarlier: Bool)
  /// The lines that waited are new: they are to be applied, and this one after them. Nothing was
  /// applied.
  case waitingAreNew
  /// Lines between the last applied and this one are missing. Nothing was applied.
  case gap(expected: Int)
}
