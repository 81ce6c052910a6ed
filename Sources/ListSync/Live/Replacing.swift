import BatchUpdates
public import ListModel
public import ListStore
public import ListItems

// A list that becomes what the app says, by what differs: as a feed's snapshot does.

extension ListEditor {
  /// Makes the list what it is to be: what is there and is the same is left alone, the rest is inserted,
  /// deleted, moved and updated.
  ///
  /// - Parameter sections: All of the list.
  /// - Returns: What was changed, in the order in which it happened; nothing where nothing differs.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/duplicateID`` for an id that is
  ///   there twice: its `cause` is a ``/ListItems/ListBuildError`` that names both. Nothing was
  ///   changed then.
  /// - Complexity: O(*n* log *n*), *n* items and sections of both.
  @discardableResult
  public func replaceAll(with sections: [ListTree.Section]) throws(StoreError) -> [LogEntry] {
    try check(sections)
    var entries: [LogEntry] = []
    for change in try tree().changes(to: sections) { entries.append(try apply(change)) }
    return entries
  }

  /// Makes the list what is built.
  ///
  /// - Parameter content: All of the list.
  /// - Returns: What was changed, in the order in which it happened; nothing where nothing differs.
  /// - Throws: ``/ListModel/StoreError``, its `cause` a ``/ListItems/ListBuildError`` where what
  ///   was built is no list; or what `content` throws. Nothing was changed then.
  @discardableResult
  public func replaceAll(
    @ListBuilder _ content: () throws -> [ListSection]
  ) throws -> [LogEntry] {
    let sections: [ListTree.Section]
    let built = try content()
    do throws(ListBuildError) { sections = try [ListTree.Section](built: built) } catch {
      throw unusable(error)
    }
    return try replaceAll(with: sections)
  }
}

extension Repository {
  /// Makes a list what it is to be, as one commit of what differs.
  ///
  /// One write transaction. A list that the store does not have is made, unless it is to be empty.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - sections: All of it.
  ///   - author: Who says so.
  /// - Returns: The commit; `nil` where nothing differs: the list is then as it was.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/duplicateID`` for an id
  ///   that is there twice: its `cause` is a ``/ListItems/ListBuildError`` that names both.
  /// - Complexity: O(*n* log *n*), *n* items and sections of both.
  @discardableResult
  public func replace(
    _ list: ListID, with sections: [ListTree.Section], by author: Author = .app
  ) throws -> Commit? {
    try edit(list, by: author) { try $0.replaceAll(with: sections) }.commit
  }

  /// Makes a list what is built, as one commit of what differs.
  ///
  /// ```swift
  /// try repository.replace("shelf") {
  ///   ListSection("today") { Book(id: "emma", title: "Emma") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - author: Who says so.
  ///   - content: All of it; other writers wait for it, so it does nothing that takes long.
  /// - Returns: The commit; `nil` where nothing differs: the list is then as it was.
  /// - Throws: ``/ListModel/StoreError``, its `cause` a ``/ListItems/ListBuildError`` where what
  ///   was built is no list; or what `content` throws.
  @discardableResult
  public func replace(
    _ list: ListID, by author: Author = .app,
    @ListBuilder _ content: () throws -> [ListSection]
  ) throws -> Commit? {
    try edit(list, by: author) { try $0.replaceAll(content) }.commit
  }
}

extension LiveList {
  /// Makes the list what it is to be: see ``ListStore/Repository/replace(_:with:by:)``.
  ///
  /// - Returns: The commit; `nil` where nothing differs.
  /// - Throws: ``/ListModel/StoreError``.
  @discardableResult
  public func replace(with sections: [ListTree.Section], by author: Author = .app) throws -> Commit?
  {
    try editing(by: author) { try $0.replaceAll(with: sections) }.commit
  }

  /// Makes the list what is built, as one commit of what differs; whoever shows it animates that.
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
  ///   - author: Who says so.
  ///   - content: All of the list.
  /// - Returns: The commit; `nil` where nothing differs.
  /// - Throws: ``/ListModel/StoreError``, its `cause` a ``/ListItems/ListBuildError`` where what
  ///   was built is no list; or what `content` throws.
  @discardableResult
  public func replace(
    by author: Author = .app, @ListBuilder _ content: () throws -> [ListSection]
  ) throws -> Commit? {
    try editing(by: author) { try $0.replaceAll(content) }.commit
  }
}
