import GRDB
public import ListModel

extension Repository {
  /// Deletes a list: its rows, its log, its sizes, what screens showed of it, and the lists that its
  /// items own.
  ///
  /// One write transaction, and no way back: there is no log any more. Whoever shows the list is told: a
  /// reload, and an empty list. It is a new one if it is written to again, from revision 1 and, by a
  /// feed, from line 1.
  ///
  /// A list that is damaged can be deleted too.
  ///
  /// - Parameter list: The list.
  /// - Returns: The lists that were deleted: it and those nested in it.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``.
  /// - Complexity: O(*n* + *k* + *b*), *n* items and *k* changes of the lists, *b* blocks of the store.
  @discardableResult
  public func deleteList(_ list: ListID) throws(StoreError) -> Set<ListID> {
    let deleted = try write("delete \"\(list)\"") { transaction in
      let deleted = try transaction.delete([list])
      if deleted.isEmpty { throw try listNotFound(list, transaction.statements.db) }
      return deleted
    }
    didDelete(deleted)
    return deleted
  }
}

extension WriteTransaction {
  /// Deletes lists, and those that their items own.
  ///
  /// - Returns: All of them.
  func delete(_ lists: [ListID]) throws -> Set<ListID> {
    var names: Set<ListID> = []
    var rows: Set<Int> = []
    var rest = lists
    while let name = rest.popLast() {
      let row = try statements("SELECT id FROM list WHERE name = ?")
        .first(name.rawValue) { try $0.integer(0) }
      // A file can hold owners in a circle.
      guard let row, rows.insert(row).inserted else { continue }
      names.insert(name)
      try statements(
        "SELECT list.name FROM listOwner JOIN list ON list.id = listOwner.list WHERE ownerList = ?"
      ).forEach(row) { rest.append(try ListID($0.text(0))) }
    }
    if rows.isEmpty { return [] }
    for row in rows { try statements("DELETE FROM listOwner WHERE list = ?").run(row) }
    for row in rows { try deleteRows(ofList: row) }
    // By looking through all blocks once: no index leads from a list to its own.
    try statements(
      """
      DELETE FROM blockExtent
      WHERE block IN (SELECT id FROM block WHERE list NOT IN (SELECT id FROM list))
      """
    ).run()
    try statements("DELETE FROM block WHERE list NOT IN (SELECT id FROM list)").run()
    for name in names { forget(name) }
    return names
  }

  /// Deletes the rows of a list, but for its blocks.
  private func deleteRows(ofList row: Int) throws {
    try statements("DELETE FROM viewState WHERE list = ?").run(row)
    try statements("DELETE FROM measuredSize WHERE item IN (SELECT id FROM item WHERE list = ?)")
      .run(row)
    try statements("DELETE FROM itemContent WHERE id IN (SELECT id FROM item WHERE list = ?)")
      .run(row)
    try statements("DELETE FROM item WHERE list = ?").run(row)
    // Headers and footers go with it.
    try statements("DELETE FROM section WHERE list = ?").run(row)
    try statements("DELETE FROM change WHERE list = ?").run(row)
    try statements("DELETE FROM listCommit WHERE list = ?").run(row)
    try statements("DELETE FROM feedLine WHERE list = ?").run(row)
    try statements("DELETE FROM list WHERE id = ?").run(row)
  }
}
