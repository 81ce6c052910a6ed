public import BatchUpdates

/// The receiver of the batch updates of a feed.
public struct FeedUpdates {
  /// How many commits of a list make one batch update.
  var coalescing: Int
  var policy: UpdatePolicy
  var receive: (BatchUpdate) throws -> Void

  /// Hands batch updates to a closure.
  ///
  /// - Parameters:
  ///   - coalescing: How many commits of a list make one batch update. The commits that are left at
  ///     the end make a last one.
  ///   - policy: The limits beyond which the list is reloaded, and which items are drawn again.
  ///   - receive: Takes each batch update, after its commits are stored. If it throws an error, the
  ///     replay ends; the commits stay.
  public init(
    coalescing: Int = 1, policy: UpdatePolicy = UpdatePolicy(),
    receive: @escaping (BatchUpdate) throws -> Void
  ) {
    self.coalescing = max(1, coalescing)
    self.policy = policy
    self.receive = receive
  }
}
