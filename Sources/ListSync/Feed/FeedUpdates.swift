public import BatchUpdates

/// What a feed's batch updates are for.
public struct FeedUpdates {
  /// Commits of a list that make one batch update.
  var coalescing: Int
  var policy: UpdatePolicy
  var receive: (BatchUpdate) throws -> Void

  /// - Parameters:
  ///   - coalescing: How many commits of a list make one batch update; what is left at the end
  ///     makes a last one.
  ///   - policy: When a batch update is not worth it, and what else it draws again.
  ///   - receive: Takes each batch update once its commits are stored. What it throws ends the
  ///     replay; the commits stay.
  public init(
    coalescing: Int = 1, policy: UpdatePolicy = UpdatePolicy(),
    receive: @escaping (BatchUpdate) throws -> Void
  ) {
    self.coalescing = max(1, coalescing)
    self.policy = policy
    self.receive = receive
  }
}
