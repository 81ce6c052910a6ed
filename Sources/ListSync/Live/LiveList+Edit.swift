public import ListModel
public import ListStore

extension LiveList {
  /// The same list, for commits of another author: of code that loads pages, tidies up, or does
  /// anything else that no user did.
  ///
  /// ```swift
  /// let pages = shelf.authored(by: "pages")
  /// try pages.edit { try $0.insert(page.books, in: "today") }
  /// try shelf.undo()  // not the page
  /// ```
  ///
  /// - Parameter author: The author of its commits, where a call names nobody else.
  /// - Returns: The list, with that ``author``.
  public func authored(by author: Author) -> LiveList {
    var list = self
    list.author = author
    return list
  }

  /// Edits the list in one write transaction and one commit.
  ///
  /// The first commit of a list makes the list. If the closure throws or changes nothing, the store
  /// stays as it was.
  ///
  /// ```swift
  /// try shelf.edit { list in
  ///   try list.insertSectionIfMissing("today")
  ///   try list.insert(Book(id: "emma", title: "Emma"), in: "today", at: .start)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - author: The author of the commit; `nil` for the list's ``author``.
  ///   - body: Makes the changes. Other writers wait while it runs. It can't write to the same
  ///     Repository in another way; reads of the Repository see the store before the edit.
  /// - Returns: What the closure returns.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/nestedEdit`` inside
  ///   another edit of the same Repository; or what the closure throws.
  /// - SeeAlso: ``commit(by:_:)``, which returns the commit.
  @discardableResult
  public func edit<Value>(
    by author: Author? = nil, _ body: (ListEditor) throws -> Value
  ) throws -> Value {
    try editing(by: author, body).value
  }

  /// Edits the list on another thread: as the call that blocks.
  ///
  /// In an `async` function the compiler takes this one, with `await`. Where the closure or its
  /// result is not `Sendable`, or the edit must be done before the function goes on, call the other
  /// one from a function that is not `async`.
  ///
  /// - Parameters:
  ///   - author: The author of the commit; `nil` for the list's ``author``.
  ///   - body: Makes the changes, after earlier edits that tasks wait for.
  /// - Returns: What the closure returns.
  /// - Throws: ``/ListModel/StoreError``, what the closure throws, or `CancellationError` if the task
  ///   was cancelled before the edit began.
  @discardableResult
  public func edit<Value: Sendable>(
    by author: Author? = nil, _ body: @escaping @Sendable (ListEditor) throws -> Value
  ) async throws -> Value {
    try await repository.edit(target(by: author), pending: newPendingID, body).value
  }

  /// Edits the list as ``edit(by:_:)-9d1o0`` does, and returns the commit.
  ///
  /// ```swift
  /// let deletion = try shelf.commit { try $0.delete("emma") }
  /// ```
  ///
  /// - Parameters:
  ///   - author: The author of the commit; `nil` for the list's ``author``.
  ///   - body: Makes the changes.
  /// - Returns: The commit; `nil` if nothing changed: no commit is made then.
  /// - Throws: ``/ListModel/StoreError``, or what the closure throws.
  @discardableResult
  public func commit(
    by author: Author? = nil, _ body: (ListEditor) throws -> Void
  ) throws -> Commit? {
    try editing(by: author, body).commit
  }

  /// Applies changes to the list, in order, as one commit.
  ///
  /// One write transaction: the rows and the log change together. The first commit of a list makes
  /// the list. Once this returns, the commit survives a crash of the process;
  /// `Repository.Options.durability` says whether it also survives a power failure.
  ///
  /// - Parameters:
  ///   - changes: The changes; each applies to the list as the one before left it. An empty array
  ///     makes a commit, too.
  ///   - author: The author of the commit; `nil` for the list's ``author``.
  /// - Returns: The commit, with the paths of each change.
  /// - Throws: ``/ListModel/StoreError`` if a change does not fit the list (its `cause` is a
  ///   ``/ListModel/ChangeError``) or the store can't be written: with
  ///   ``/ListModel/StoreError/Code/movedStore`` if its file was deleted, moved or replaced since
  ///   it was opened. The list is then unchanged.
  @discardableResult
  public func commit(
    _ changes: [Change], by author: Author? = nil
  ) throws(StoreError) -> Commit {
    try repository.commit(changes, to: id, ownedBy: owner, by: author ?? self.author)
  }

  /// The id of an edit that a server answers; `nil` if none does.
  var newPendingID: Repository.PendingEdit.ID? {
    sendsEdits ? Repository.PendingEdit.newID() : nil
  }

  /// Edits the list, and returns the commit too.
  func editing<Value>(
    by author: Author?, _ body: (ListEditor) throws -> Value
  ) throws -> (value: Value, commit: Commit?) {
    try repository.edit(target(by: author), pending: newPendingID, body)
  }

  /// The list as one that is to be edited.
  func target(by author: Author?) -> EditTarget {
    EditTarget(
      id, ownedBy: owner, by: author ?? self.author, types: types,
      supplementaryTypes: supplementaryTypes)
  }
}
