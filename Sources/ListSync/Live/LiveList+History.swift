public import ListModel
public import ListStore

// What a list was, who changed it, and taking changes back.
extension LiveList {
  /// The list's newest revision: the number of its commits; 0 before the first one.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(1).
  public func revision() throws(StoreError) -> Int {
    do { return try repository.revision(of: id) } catch {
      guard error.code == .listNotFound else { throw error }
      return 0
    }
  }

  /// The whole list, at its newest revision or at an earlier one: see
  /// ``/ListStore/Repository/tree(of:at:)``.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/revisionNotFound`` for a
  ///   revision that the list never had or that its log does not reach any more, and with
  ///   ``/ListModel/StoreError/Code/listNotFound`` before the first commit.
  public func tree(at revision: Int? = nil) throws(StoreError) -> ListTree {
    try repository.tree(of: id, at: revision)
  }

  /// Commits of the list, the newest first, page by page.
  ///
  /// ```swift
  /// var page = try shelf.history()
  /// while let last = page.last {
  ///   show(page)
  ///   page = try shelf.history(before: last.revision)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - revision: Commits before this one; `nil` to begin with the newest.
  ///   - limit: The most commits of the page.
  /// - Returns: Commits without gaps; none where the log begins, or before the first commit.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/revisionNotFound`` for a
  ///   revision that the list never had.
  /// - Complexity: O(*k*), *k* changes of the page.
  public func history(
    before revision: Int? = nil, limit: Int = 50
  ) throws(StoreError) -> [Commit] {
    try repository.history(of: id, before: revision, limit: limit)
  }

  /// Takes back an author's newest edit, or group of edits, that was not taken back yet: see
  /// ``/ListStore/Repository/undo(in:by:pending:)``.
  ///
  /// ```swift
  /// try shelf.undo()
  /// ```
  ///
  /// - Parameters:
  ///   - author: Whose edits are undone.
  ///   - isPending: Whether the undo waits for a server's answer, as ``editPending(by:_:)`` does.
  /// - Returns: The new commit, and what later commits of others have kept; `nil` if there is nothing
  ///   to undo.
  /// - Throws: ``/ListModel/StoreError``; the list is then unchanged.
  @discardableResult
  public func undo(
    by author: Author = .app, pending isPending: Bool = false
  ) throws(StoreError) -> Repository.UndoneStep? {
    try repository.undo(in: id, by: author, pending: isPending)
  }

  /// Takes back an author's newest undo, unless the author has edited the list since: see
  /// ``/ListStore/Repository/redo(in:by:pending:)``.
  ///
  /// - Parameters:
  ///   - author: Whose undo is taken back.
  ///   - isPending: Whether the redo waits for a server's answer.
  /// - Returns: `nil` if there is nothing to redo.
  /// - Throws: ``/ListModel/StoreError``; the list is then unchanged.
  @discardableResult
  public func redo(
    by author: Author = .app, pending isPending: Bool = false
  ) throws(StoreError) -> Repository.UndoneStep? {
    try repository.redo(in: id, by: author, pending: isPending)
  }

  /// Whether ``undo(by:pending:)`` would find something.
  ///
  /// For a menu item's title, read the changes of
  /// ``/ListStore/Repository/undoableCommits(in:by:)``.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(*k*), *k* commits of the list since the step, at most 10,000.
  public func canUndo(by author: Author = .app) throws(StoreError) -> Bool {
    try !repository.undoableCommits(in: id, by: author).isEmpty
  }

  /// Whether ``redo(by:pending:)`` would find something.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: As ``canUndo(by:)``.
  public func canRedo(by author: Author = .app) throws(StoreError) -> Bool {
    try !repository.redoableCommits(in: id, by: author).isEmpty
  }

  /// Makes all edits of the list inside a closure one step for ``undo(by:pending:)``.
  ///
  /// ```swift
  /// try shelf.undoGroup {
  ///   try shelf.edit { try $0.delete("emma") }
  ///   try shelf.edit { try $0.setMeta("1 book") }
  /// }
  /// ```
  ///
  /// They stay commits of their own, and views show each at once.
  ///
  /// - Parameter body: Edits the list, in the same task or thread.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the edits before stay.
  @discardableResult
  public func undoGroup<Value>(_ body: () throws -> Value) rethrows -> Value {
    try repository.undoGroup(in: id, body)
  }

  /// Makes all edits of the list inside a closure one step, also those in its child tasks.
  ///
  /// - Parameter body: Edits the list.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the edits before stay.
  @discardableResult
  public nonisolated(nonsending) func undoGroup<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    try await repository.undoGroup(in: id, body)
  }
}
