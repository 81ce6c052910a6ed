public import ListModel
import ListTables

extension Repository {
  /// Deletes a list: its rows, its log, its sizes, its view states, and the lists that its items
  /// own.
  ///
  /// One write transaction. It can't be undone, because the log is deleted too. Screens that show
  /// the list get a reload and an empty list. If the list is written to again, it is a new one: it
  /// begins at revision 1, and a feed begins at line 1.
  ///
  /// A damaged list can be deleted too. Bytes of it stay in the file's free pages and in backups until
  /// `erase(_:by:)` takes them out.
  ///
  /// - Parameter list: The list.
  /// - Returns: The deleted lists: this one, and those nested in it.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``.
  /// - Complexity: O(*n* + *k*), *n* items and *k* changes of the lists; of damaged ones, of the store.
  @discardableResult
  public func deleteList(_ list: ListID) throws(StoreError) -> Set<ListID> {
    let deleted = try write("delete \"\(list)\"") { transaction in
      let deleted = try transaction.delete([list])
      if deleted.isEmpty { throw try listNotFound(list, transaction.statements.db) }
      return deleted
    }
    didDelete(deleted)
    return deleted.filter { !$0.isHidden }
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
      // A damaged file can hold owners in a circle.
      guard let row, rows.insert(row).inserted else { continue }
      names.insert(name)
      try statements(
        "SELECT list.name FROM listOwner JOIN list ON list.id = listOwner.list WHERE ownerList = ?"
      ).forEach(row) { rest.append(try ListID(stored: $0.text(0))) }
      // What is derived from it goes with it, and what is there for its sake.
      try statements(
        """
        SELECT name FROM derivedList JOIN list ON list.id = list WHERE source = ?1
        UNION SELECT source FROM derivedList WHERE list = ?2 AND part = 'first'
        """
      ).forEach(name.rawValue, row) { rest.append(try ListID(stored: $0.text(0))) }
    }
    if rows.isEmpty { return [] }
    for row in rows { try statements.dropSearchIndexes(ofList: row) }
    let borrowing = Set(try statements.derivedLists().map(\.list))
    let blocks = names.map { deleteContents(of: $0, areBorrowed: borrowing.contains($0)) }
    for row in rows { try statements("DELETE FROM listOwner WHERE list = ?").run(row) }
    for row in rows { try deleteRows(ofList: row) }
    if !blocks.contains(nil) {
      try delete(blocks: blocks.flatMap { $0 ?? [] })
    } else {
      try deleteBlocksOfNoList()
      try statements("DELETE FROM change WHERE list NOT IN (SELECT id FROM list)").run()
      try statements.deleteUnusedContents()
    }
    for name in names { forget(name) }
    statements.forgetDerivedLists()
    try statements.dropUnusedSearchIndexes()
    return names
  }

  /// Deletes blocks of lists that are deleted.
  private func delete(blocks: [Int]) throws {
    var keys: [Int] = []
    try statements("SELECT id FROM sizeKey").forEach { keys.append(try $0.integer(0)) }
    for block in blocks.sorted() {
      try statements("DELETE FROM block WHERE id = ? AND list NOT IN (SELECT id FROM list)")
        .run(block)
      for key in keys {
        try statements(
          """
          DELETE FROM blockExtent
          WHERE sizeKey = ?1 AND block = ?2 AND NOT EXISTS (SELECT 1 FROM block WHERE id = ?2)
          """
        ).run(key, block)
      }
    }
  }

  /// Deletes the blocks of lists that are deleted, in a pass over all blocks of the store.
  private func deleteBlocksOfNoList() throws {
    try statements(
      """
      DELETE FROM blockExtent
      WHERE block IN (SELECT id FROM block WHERE list NOT IN (SELECT id FROM list))
      """
    ).run()
    try statements("DELETE FROM block WHERE list NOT IN (SELECT id FROM list)").run()
  }

  /// Deletes the changes of a list, and its contents, unless they are those of its source.
  ///
  /// - Returns: The list's blocks; `nil` if not all can be found, because the list is damaged.
  private func deleteContents(of list: ListID, areBorrowed: Bool) -> [Int]? {
    do {
      // Read anew: what this transaction keeps of the list is not needed any more.
      guard let rows = try ListRows(statements, list) else { return [] }
      let blocks = try rows.blocks()
      if !areBorrowed { try rows.deleteContents() }
      try rows.deleteChanges()
      return blocks
    } catch { return nil }
  }

  /// Deletes the rows of a list, except its blocks.
  private func deleteRows(ofList row: Int) throws {
    try statements("DELETE FROM viewState WHERE list = ?").run(row)
    try statements(
      """
      DELETE FROM measuredSize WHERE owner IN (
        SELECT id FROM item WHERE list = ?1
        UNION ALL SELECT supplementary.id FROM supplementary JOIN section ON section.id = section
          WHERE list = ?1)
      """
    ).run(row)
    statements.forgetItem()
    try statements("DELETE FROM item WHERE list = ?").run(row)
    try statements("DELETE FROM borrowedItem WHERE list = ?").run(row)
    // The rows of headers and footers are deleted with their section's.
    try statements("DELETE FROM section WHERE list = ?").run(row)
    try statements.releaseContents(ofList: row)
    try statements("DELETE FROM listCommit WHERE list = ?").run(row)
    try statements("DELETE FROM feedLine WHERE list = ?").run(row)
    try statements("DELETE FROM pendingEdit WHERE list = ?").run(row)
    try statements("DELETE FROM list WHERE id = ?").run(row)
  }
}
