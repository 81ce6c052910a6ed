public import ListModel
public import ListSync

extension FeedClient {
  /// Sends a list's pending edits to the server that has its feed, until the task is cancelled.
  ///
  /// ```swift
  /// let sending = Task { try await client.sendPendingEdits(of: shelf) }
  /// ```
  ///
  /// The edits go one after another, in their order, each as a `POST` to the feed's address. One
  /// without an answer is sent again under the same id, after the pauses of ``follow(_:as:progress:)``.
  /// An answer counts only if it names the edit. One that the server accepts is brought by the feed,
  /// so follow the list too; one that it refuses leaves the list and stays in the outbox, with the
  /// server's reason.
  ///
  /// Run one sender for a list, in one process. Edits that wait when the call ends are sent by the
  /// next one.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - feedList: The feed's name for it; `nil` if it is the list's own id.
  ///   - progress: Takes each state, in the task of the call: ``State/connecting`` before a request,
  ///     ``State/waiting(until:because:)`` after one that failed, and ``State/upToDate`` whenever no
  ///     edit waits.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/feedRefused`` for an answer such as 403
  ///   or 404 that does not name the edit, which then waits on; errors of the store; what `headers`
  ///   throws.
  public func sendPendingEdits(
    of list: LiveList, as feedList: ListID? = nil,
    progress: @escaping @Sendable (State) -> Void = { _ in }
  ) async throws {
    var sender = FeedSender(
      client: self, list: list, feedList: feedList ?? list.id, progress: progress)
    try await list.untilCancelled { try await sender.run() }
  }
}
