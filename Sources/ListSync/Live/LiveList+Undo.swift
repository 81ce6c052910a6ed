public import ListModel
public import ListStore

// Taking changes back.
extension LiveList {
  /// Takes back an author's newest edit, or group of edits, that was not taken back yet.
  ///
  /// One write transaction and one commit, whose ``/ListModel/Commit/undoes`` is the edit's revision.
  /// Calling it again goes further back. Commits of others are skipped and win where they have
  /// changed the same thing since. What to take back follows from the log, so it goes on after a
  /// relaunch.
  ///
  /// Steps are made by edits, imports and ``undoCommit(_:by:)``; not by feeds, renaming and upgrades
  /// of contents.
  ///
  /// ```swift
  /// try shelf.undo()
  /// ```
  ///
  /// - Parameters:
  ///   - author: Whose edits are undone; also the author of the new commit. `nil` for the list's
  ///     ``author``.
  ///   - isPending: Whether the undo waits for a server's answer, as ``editPending(by:_:)-71zwe`` does;
  ///     `nil` for the list's ``sendsEdits``. Give `true` where the edit itself was pending, or the
  ///     server keeps it.
  /// - Returns: The new commit, and what later commits of others have kept; `nil` if there is nothing
  ///   to undo: no edit, or the log has not the whole step any more, or it is older than the newest
  ///   10,000 commits of the list.
  /// - Throws: ``/ListModel/StoreError``; the list is then unchanged.
  /// - Complexity: O(*k* log *n*), *k* changes of the step and since, *n* items.
  @discardableResult
  public func undo(
    by author: Author? = nil, pending isPending: Bool? = nil
  ) throws(StoreError) -> Repository.UndoneStep? {
    try repository.undo(in: id, by: author ?? self.author, pending: isPending ?? sendsEdits)
  }

  /// Takes back an author's newest undo, unless the author has edited the list since.
  ///
  /// - Parameters:
  ///   - author: Whose undo is taken back; also the author of the new commit. `nil` for the list's
  ///     ``author``.
  ///   - isPending: Whether the redo waits for a server's answer; `nil` for the list's ``sendsEdits``.
  /// - Returns: `nil` if there is nothing to redo.
  /// - Throws: ``/ListModel/StoreError``; the list is then unchanged.
  @discardableResult
  public func redo(
    by author: Author? = nil, pending isPending: Bool? = nil
  ) throws(StoreError) -> Repository.UndoneStep? {
    try repository.redo(in: id, by: author ?? self.author, pending: isPending ?? sendsEdits)
  }

  /// Takes back an author's newest edit on another thread: as the call that blocks.
  ///
  /// In an `async` function the compiler takes this one, with `await`.
  ///
  /// - Parameters:
  ///   - author: Whose edits are undone; `nil` for the list's ``author``.
  ///   - isPending: Whether the undo waits for a server's answer; `nil` for the list's ``sendsEdits``.
  /// - Returns: As the call that blocks.
  /// - Throws: ``/ListModel/StoreError``; or `CancellationError` if the task was cancelled before it
  ///   began.
  @discardableResult
  public func undo(
    by author: Author? = nil, pending isPending: Bool? = nil
  ) async throws -> Repository.UndoneStep? {
    let (list, author, isPending) = (self, author ?? self.author, isPending ?? sendsEdits)
    return try await repository.afterEdits {
      try list.repository.undo(in: list.id, by: author, pending: isPending)
    }
  }

  /// Takes back an author's newest undo on another thread: as the call that blocks.
  ///
  /// - Parameters:
  ///   - author: Whose undo is taken back; `nil` for the list's ``author``.
  ///   - isPending: Whether the redo waits for a server's answer; `nil` for the list's ``sendsEdits``.
  /// - Returns: As the call that blocks.
  /// - Throws: ``/ListModel/StoreError``; or `CancellationError` if the task was cancelled before it
  ///   began.
  @discardableResult
  public func redo(
    by author: Author? = nil, pending isPending: Bool? = nil
  ) async throws -> Repository.UndoneStep? {
    let (list, author, isPending) = (self, author ?? self.author, isPending ?? sendsEdits)
    return try await repository.afterEdits {
      try list.repository.redo(in: list.id, by: author, pending: isPending)
    }
  }

  /// Whether ``undo(by:pending:)-2pxgn`` would find something.
  ///
  /// For a menu item's title, read the changes of ``undoableCommits(by:)``.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(*k*), *k* commits of the list since the step, at most 10,000.
  public func canUndo(by author: Author? = nil) throws(StoreError) -> Bool {
    try !undoableCommits(by: author).isEmpty
  }

  /// Whether ``redo(by:pending:)-vij7`` would find something.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: As ``canUndo(by:)``.
  public func canRedo(by author: Author? = nil) throws(StoreError) -> Bool {
    try !redoableCommits(by: author).isEmpty
  }

  /// The revisions of the commits that the next ``undo(by:pending:)-2pxgn`` takes back, ascending; empty if
  /// there is nothing to undo.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: As ``canUndo(by:)``; the changes are not read.
  public func undoableCommits(by author: Author? = nil) throws(StoreError) -> [Int] {
    try repository.undoableCommits(in: id, by: author ?? self.author)
  }

  /// The revisions of the commits that the next ``redo(by:pending:)-vij7`` takes back, ascending; empty if
  /// there is nothing to redo.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: As ``canUndo(by:)``.
  public func redoableCommits(by author: Author? = nil) throws(StoreError) -> [Int] {
    try repository.redoableCommits(in: id, by: author ?? self.author)
  }

  /// Undoes a commit, whoever made it, by a new commit.
  ///
  /// One write transaction. Items and sections that the commit inserted are deleted, those that it
  /// deleted return, and those that it moved or changed are as before it. Later commits win: an
  /// item that one of them deleted stays deleted, an item that one moved to another section stays
  /// there, and a field that one changed keeps its newer value.
  ///
  /// - Parameters:
  ///   - revision: The revision of the commit.
  ///   - author: The author of the new commit; `nil` for the list's ``author``.
  /// - Returns: The new commit.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/listNotFound``, or with
  ///   ``/ListModel/StoreError/Code/revisionNotFound`` if the log does not have the commit.
  /// - Complexity: O(*k* log *n*), *k* changes of the commit and since, *n* items.
  @discardableResult
  public func undoCommit(
    _ revision: Int, by author: Author? = nil
  ) throws(StoreError) -> Commit {
    try repository.undoCommit(revision, of: id, by: author ?? self.author)
  }

  /// Makes all edits of the list inside a closure one step for ``undo(by:pending:)-2pxgn``.
  ///
  /// ```swift
  /// try shelf.undoGroup {
  ///   try shelf.edit { try $0.delete("emma") }
  ///   try shelf.edit { try $0.setMeta("1 book") }
  /// }
  /// ```
  ///
  /// They stay commits of their own, and views show each at once. A group inside a group of the same
  /// list belongs to the outer one.
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
