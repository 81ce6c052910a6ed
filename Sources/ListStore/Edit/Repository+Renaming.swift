import Foundation
public import ListModel
import StoreSchema

extension Repository {
  /// Changes the cell name of all items that have a name, for a cell class that was renamed.
  ///
  /// Readers see commits, and measured sizes stay exact. Each transaction renames at most 10,000
  /// items, so no writer waits long; a call that was interrupted can be repeated. To write nothing,
  /// declare an alias in the app's view registry instead.
  ///
  /// - Parameters:
  ///   - old: The name that the items have.
  ///   - new: The name that they get; other items may have it already.
  ///   - author: The author of the commits.
  /// - Returns: The number of renamed items by list; lists without such items are left out.
  /// - Throws: ``/ListModel/StoreError``; earlier transactions stay.
  /// - Complexity: O(*n* + *k* log *n*), *n* items of the store, *k* of them renamed; each
  ///   transaction reads its whole list.
  @discardableResult
  public func renameCell(
    _ old: CellName, to new: CellName, by author: Author = .app
  ) throws(StoreError) -> [ListID: Int] {
    var renamed: [ListID: Int] = [:]
    if old == new { return renamed }
    for list in try lists() {
      var count = 0
      repeat {
        count = try renameSome(old, to: new, in: list, by: author)
        if count > 0 { renamed[list, default: 0] += count }
      } while count == Self.renamingSlice
    }
    return renamed
  }

  /// The stored cell names that are most similar to a name, at most three.
  package func cellNames(near name: CellName) throws(StoreError) -> [CellName] {
    try read("read the names of cells") { db in
      try NearestNames.nearest(
        to: name.rawValue, among: Statements(db).cellNames(near: name.rawValue)
      ).map { name throws in try CellName(name) }
    }
  }

  /// The most items that one transaction renames.
  private static var renamingSlice: Int { 10_000 }

  private func renameSome(
    _ old: CellName, to new: CellName, in list: ListID, by author: Author
  ) throws(StoreError) -> Int {
    struct NothingToRename: Error {}
    do {
      let commit: Commit = try writer.write("rename cell \"\(old)\"") { transaction in
        let rows = try rows(transaction, list)
        let items = try rows.items(withCell: old, atMost: Self.renamingSlice)
        if items.isEmpty { throw NothingToRename() }
        var commit = PendingCommit(rows, by: author, time: Self.now, feed: nil)
        let (oldRow, newRow) = (try rows.cellRow(old), try rows.cellRow(new))
        for item in items {
          let change = Change.updateItem(item.name, ItemUpdate(cell: .set(new)))
          if case .failure(let error) = try commit.apply(change) {
            throw StoreError.damaged(file.path, because: "\(error)", cause: error)
          }
          // A renamed cell measures the same, so its exact sizes stay exact.
          try transaction.statements(
            """
            UPDATE measuredSize SET cell = ?, contentRevision = contentRevision + 1
            WHERE item = ? AND cell = ?
            """
          ).run(newRow, item.row, oldRow)
        }
        return try commit.finish()
      }
      didCommit(commit)
      return commit.entries.count
    } catch is NothingToRename {
      return 0
    } catch {
      throw failure(error, "rename cell \"\(old)\" in \"\(list)\"")
    }
  }
}

extension ListRows {
  /// The first items with a cell name, in the order of the list.
  fileprivate func items(
    withCell cell: CellName, atMost most: Int
  ) throws -> [(row: Int, name: ItemID)] {
    let cellRow = try statements("SELECT id FROM cell WHERE name = ?")
      .first(cell.rawValue) { try $0.integer(0) }
    guard let cellRow else { return [] }
    var items: [(row: Int, name: ItemID)] = []
    try forEachSection { section in
      if items.count == most { return }
      try forEachMember(of: section) { member in
        if member.cell == cellRow, items.count < most {
          items.append((member.id, try ItemID(member.name)))
        }
      }
    }
    return items
  }
}
