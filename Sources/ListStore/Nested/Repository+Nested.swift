import Foundation
public import ListModel
import ListTables

extension Repository {
  /// The lists that an item owns, by name, also if the item was deleted and can be brought back.
  package func nestedLists(
    of item: ItemID, in list: ListID
  ) throws(StoreError) -> [NestedName: ListID] {
    try read("read the nested lists of \"\(item)\"") { db in
      var lists: [NestedName: ListID] = [:]
      try StoreStatement(
        db,
        """
        SELECT listOwner.name, nested.name FROM listOwner
          JOIN list AS nested ON nested.id = listOwner.list
          JOIN list AS owner ON owner.id = ownerList
        WHERE owner.name = ? AND ownerItem = ?
        """
      ).forEach(list.rawValue, item.rawValue) { row in
        lists[try NestedName(row.text(0))] = try ListID(stored: row.text(1))
      }
      return lists
    }
  }

  /// The owner of a nested list.
  ///
  /// - Returns: `nil` if no item owns the list, or if there is no such list.
  /// - Throws: ``/ListModel/StoreError`` if the store can't be read.
  public func owner(of list: ListID) throws(StoreError) -> ListOwner? {
    try read("read the owner of \"\(list)\"") { db in
      try StoreStatement(
        db,
        """
        SELECT owner.name, ownerItem, listOwner.name FROM listOwner
          JOIN list AS nested ON nested.id = listOwner.list
          JOIN list AS owner ON owner.id = ownerList
        WHERE nested.name = ?
        """
      ).first(list.rawValue) { row in
        ListOwner(
          list: try ListID(stored: row.text(0)), item: try ItemID(row.text(1)),
          name: try NestedName(row.text(2)))
      }
    }
  }

  /// Deletes nested lists of items that were deleted and that no retained commit could bring back.
  ///
  /// - Returns: Whether there may be more.
  func deleteOrphans(of list: ListID) throws(StoreError) -> Bool {
    let deleted = try write("delete nested lists of \"\(list)\"") { transaction in
      let rows = try rows(transaction, list)
      return try transaction.delete(
        rows.ownedLists.orphans(beforeLogAt: rows.logFloor, atMost: Self.orphanSlice))
    }
    didDelete(deleted)
    return !deleted.isEmpty
  }

  /// The most nested lists that one transaction deletes, without the lists nested in those.
  private static var orphanSlice: Int { 32 }
}
