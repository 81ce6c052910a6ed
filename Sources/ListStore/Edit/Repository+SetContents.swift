public import ListModel

extension Repository {
  /// Gives all items of a type another content, made from the one that they have.
  ///
  /// ```swift
  /// try repository.setContents(ofType: "Book") { item in
  ///   try JSON(encoding: Book(try item.value(as: BookOfLastYear.self)))
  /// }
  /// ```
  ///
  /// Readers see commits. Each one changes at most 1,000 items or a megabyte of contents, and the
  /// closure runs before its transaction, so no writer waits long. An item that somebody else changes
  /// meanwhile is read again. A call that was interrupted can be repeated if the closure leaves a
  /// content that it has made as it is.
  ///
  /// - Parameters:
  ///   - type: The stored name of the type: `Book`, or `Book@2` for contents of version 2.
  ///   - keepsSizes: Whether measured sizes hold for the new contents, too. Otherwise they become
  ///     estimates.
  ///   - author: The author of the commits.
  ///   - content: The new content of an item. If it means the same as the old one, the item stays as
  ///     it is.
  /// - Returns: The number of changed items by list; lists without one are left out.
  /// - Throws: ``/ListModel/StoreError``, or what the closure throws; earlier transactions stay.
  /// - Complexity: O(*n* + *k* log *n*), *n* items of the store, *k* of them changed.
  @discardableResult
  public func setContents(
    ofType type: TypeName, keepingSizes keepsSizes: Bool = false, by author: Author = .app,
    _ content: (Item) throws -> JSON
  ) throws -> [ListID: Int] {
    try setContents(inSlicesOfType: type, cell: nil, keepingSizes: keepsSizes, by: author) {
      _, items in
      try items.map(content)
    }
  }

  /// Gives all items of a type, of a cell, or of both another content, a slice of a list at a time.
  ///
  /// Parameters as in ``setContents(ofType:keepingSizes:by:_:)``; `nil` fits all. The closure returns
  /// a content for each item.
  package func setContents(
    inSlicesOfType type: TypeName?, cell: CellName?, keepingSizes keepsSizes: Bool,
    by author: Author,
    progress: (Double) -> Void = { _ in },
    _ contents: (ListID, [Item]) throws -> [JSON]
  ) throws -> [ListID: Int] {
    try changeItems(
      cell.map { .cell($0) } ?? .types { name, _ in type == nil || name == type },
      keepingSizes: keepsSizes, by: author, progress
    ) { list, items in
      let chosen = items.filter { type == nil || $0.state.type == type }
      var new = chosen.isEmpty ? [] : try contents(list, chosen)[...]
      return items.map { item in
        var state = item.state
        if type == nil || state.type == type, let content = new.popFirst() {
          state.content = content
        }
        return state
      }
    }
  }
}
