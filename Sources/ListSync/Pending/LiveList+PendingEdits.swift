public import ListModel
public import ListStore

// Edits of the app's own beside a feed: <doc:PendingEdits>.
extension LiveList {
  /// Edits the list, for a server to answer.
  ///
  /// The list shows the edit at once. In the same transaction it enters the list's outbox, from
  /// which a `FeedClient` or ``sendPendingEdits(retryingAfter:_:)`` sends it. The feed answers: a line that carries the
  /// edit's id brings what the server has made of it, and a `reject` line refuses it.
  ///
  /// ```swift
  /// try shelf.editPending { try $0.update("emma", as: Book.self) { $0.isLiked = true } }
  /// ```
  ///
  /// - Parameters:
  ///   - author: The author of the commit; `nil` for the list's ``author``.
  ///   - body: Makes the changes, as in ``edit(by:_:)-9d1o0``.
  /// - Returns: What the closure returns, and the edit; `nil` if nothing changed.
  /// - Throws: ``/ListModel/StoreError``, or what the closure throws. The outbox is then unchanged,
  ///   too.
  @discardableResult
  public func editPending<Value>(
    by author: Author? = nil, _ body: (ListEditor) throws -> Value
  ) throws -> (value: Value, edit: Repository.PendingEdit?) {
    try repository.editPending(target(by: author), body)
  }

  /// Edits the list on another thread, for a server to answer: as the call that blocks.
  ///
  /// In an `async` function the compiler takes this one, with `await`.
  ///
  /// - Parameters:
  ///   - author: The author of the commit; `nil` for the list's ``author``.
  ///   - body: Makes the changes, after earlier edits that tasks wait for.
  /// - Returns: What the closure returns, and the edit; `nil` if nothing changed.
  /// - Throws: As the call that blocks; or `CancellationError` if the task was cancelled before the
  ///   edit began.
  @discardableResult
  public func editPending<Value: Sendable>(
    by author: Author? = nil, _ body: @escaping @Sendable (ListEditor) throws -> Value
  ) async throws -> (value: Value, edit: Repository.PendingEdit?) {
    let (repository, target) = (repository, target(by: author))
    return try await repository.afterEdits { try repository.editPending(target, body) }
  }

  /// The list's outbox, in the order in which the edits were made.
  ///
  /// An edit leaves it when the feed brings it. One that was rejected or conflicts stays until
  /// ``discard(_:)``, also across a relaunch, so that the app can show it.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  public func pendingEdits() throws(StoreError) -> [Repository.PendingEdit] {
    try repository.pendingEdits(of: id)
  }

  /// Takes an edit out of the list that the server has refused otherwise than by the feed.
  ///
  /// The edits after it are made again without it, in one commit. An edit that waits no more is left
  /// alone.
  ///
  /// - Parameters:
  ///   - edit: The edit's id.
  ///   - why: The server's reason, for the app.
  /// - Throws: ``/ListModel/StoreError``.
  public func reject(
    _ edit: Repository.PendingEdit.ID, why: String? = nil
  ) throws(StoreError) {
    try repository.reject(edit, of: id, why: why)
  }

  /// Removes an edit from the outbox that conflicts or was rejected.
  ///
  /// - Returns: `false` if there is no such edit: one that waits can't be removed, because the server
  ///   may have it already.
  /// - Throws: ``/ListModel/StoreError``.
  @discardableResult
  public func discard(_ edit: Repository.PendingEdit.ID) throws(StoreError) -> Bool {
    try repository.discard(edit, of: id)
  }

  /// What becomes of the list's edits from now on, where this Repository applies the feed.
  ///
  /// For what became of edits while the app did not run, look into ``pendingEdits()``.
  ///
  /// - Returns: A stream that ends when the Repository is deallocated.
  public func editOutcomes() -> AsyncStream<Repository.PendingEdit.Outcome> {
    repository.editOutcomes(of: id)
  }
}
