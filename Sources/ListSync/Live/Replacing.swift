import BatchUpdates
public import ListItems
public import ListModel
public import ListStore

// The app passes the whole list; the differences become one commit, as with a feed's snapshot.

extension ListEditor {
  /// Replaces the whole list: sections and items that differ are inserted, deleted, moved and
  /// updated, the others are left alone.
  ///
  /// The list's own meta stays.
  ///
  /// - Parameter sections: All sections of the list.
  /// - Returns: The changes in the order in which they were made; empty if nothing differs.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/duplicateID`` if an id occurs twice;
  ///   its `cause` is a ``/ListItems/ListBuildError`` that names both. Nothing is changed then.
  /// - Complexity: O(*n* log *n*), *n* items and sections of both.
  @discardableResult
  public func replaceAll(with sections: [ListTree.Section]) throws(StoreError) -> [LogEntry] {
    try check(sections)
    var entries: [LogEntry] = []
    for change in try tree().changes(to: sections) { entries.append(try apply(change)) }
    return entries
  }

  /// Replaces the whole list with the one that a builder makes.
  ///
  /// - Parameter content: All sections of the list.
  /// - Returns: The changes in the order in which they were made; empty if nothing differs.
  /// - Throws: ``/ListModel/StoreError`` if the sections make no list; its `cause` is a
  ///   ``/ListItems/ListBuildError``. Or whatever `content` throws. Nothing is changed then.
  @discardableResult
  public func replaceAll(
    @ListBuilder _ content: () throws -> [ListSection]
  ) throws -> [LogEntry] {
    let sections: [ListTree.Section]
    let built = try content()
    do throws(ListBuildError) {
      sections = try [ListTree.Section](built: built, requireKnown)
    } catch {
      throw unusable(error)
    }
    for section in sections {
      try requireKnown(section.attributes, besides: attributes(of: section.id))
    }
    return try replaceAll(with: sections)
  }
}

extension LiveList {
  /// Replaces the whole list, as one commit of the differences.
  ///
  /// One write transaction. A list that the store does not have is made, unless `sections` is
  /// empty.
  ///
  /// - Parameters:
  ///   - sections: All sections of the list.
  ///   - author: The author of the commit; `nil` for the list's ``LiveList/author``.
  /// - Returns: The commit; `nil` if nothing differs: no commit is made then.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/duplicateID`` if an id occurs twice;
  ///   its `cause` is a ``/ListItems/ListBuildError`` that names both.
  /// - Complexity: O(*n* log *n*), *n* items and sections of both.
  @discardableResult
  public func replace(
    with sections: [ListTree.Section], by author: Author? = nil
  ) throws -> Commit? {
    try editing(by: author) { try $0.replaceAll(with: sections) }.commit
  }

  /// Replaces the whole list on another thread: as the call that blocks.
  ///
  /// In an `async` function the compiler takes this one, with `await`.
  ///
  /// - Parameters:
  ///   - sections: All sections of the list.
  ///   - author: The author of the commit; `nil` for the list's ``LiveList/author``.
  /// - Returns: The commit; `nil` if nothing differs.
  /// - Throws: As the call that blocks; or `CancellationError` if the task was cancelled before it
  ///   began.
  @discardableResult
  public func replace(
    with sections: [ListTree.Section], by author: Author? = nil
  ) async throws -> Commit? {
    try await repository.edit(target(by: author), pending: newPendingID) {
      try $0.replaceAll(with: sections)
    }.commit
  }

  /// Replaces the whole list with the one that a builder makes, as one commit of the differences.
  ///
  /// Screens that show the list animate them. Other writers wait while the builder runs.
  ///
  /// ```swift
  /// try shelf.replace {
  ///   ListSection("today") {
  ///     Book(id: "emma", title: "Emma")
  ///     for book in more { book }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - author: The author of the commit; `nil` for the list's ``LiveList/author``.
  ///   - content: All sections of the list.
  /// - Returns: The commit; `nil` if nothing differs.
  /// - Throws: ``/ListModel/StoreError`` if the sections make no list; its `cause` is a
  ///   ``/ListItems/ListBuildError``. Or whatever `content` throws.
  @discardableResult
  public func replace(
    by author: Author? = nil, @ListBuilder _ content: () throws -> [ListSection]
  ) throws -> Commit? {
    try editing(by: author) { try $0.replaceAll(content) }.commit
  }

  /// Replaces the whole list on another thread with the one that a builder makes: as the call that
  /// blocks.
  ///
  /// In an `async` function the compiler takes this one, with `await`; the builder has to be
  /// `Sendable`.
  ///
  /// - Parameters:
  ///   - author: The author of the commit; `nil` for the list's ``LiveList/author``.
  ///   - content: All sections of the list.
  /// - Returns: The commit; `nil` if nothing differs.
  /// - Throws: As the call that blocks; or `CancellationError` if the task was cancelled before it
  ///   began.
  @discardableResult
  public func replace(
    by author: Author? = nil,
    @ListBuilder _ content: @escaping @Sendable () throws -> [ListSection]
  ) async throws -> Commit? {
    try await repository.edit(target(by: author), pending: newPendingID) {
      try $0.replaceAll(content)
    }.commit
  }
}
