import GRDB
import ListModel
import ListStore
import ListTables

// No digest covers the owners of nested lists, but their ids do.
extension SalvagedStore {
  /// Gives nested lists the owners that their ids name.
  ///
  /// An id that is only a hash names none. Then the list gets an id of its own, `recovered` and a
  /// number.
  /// - Returns: The number of lists that got an id of their own.
  static func repairOwners(_ db: Database) throws -> Int {
    var lostOwnerCount = 0
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT nested.id, nested.name, owner.name, ownerItem, listOwner.name
        FROM list AS nested LEFT JOIN listOwner ON listOwner.list = nested.id
          LEFT JOIN list AS owner ON owner.id = ownerList
        WHERE length(nested.name) > 0 -- those of hidden lists begin with U+0000
        """)
    for row in rows {
      let list = try ListID(row[1] as String)
      guard ListOwner.isNested(list) || row[3] != nil else { continue }
      if let owner = row[2] as String?,
        try ListOwner(
          list: ListID(owner), item: ItemID(row[3] as String), name: NestedName(row[4] as String)
        ).nestedList == list
      {
        continue
      }
      try db.execute(sql: "DELETE FROM listOwner WHERE list = ?", arguments: [row[0] as Int])
      if let owner = ListOwner(ofNested: list) {
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO listOwner (list, ownerList, ownerItem, name)
            SELECT ?, id, ?, ? FROM list WHERE name = ?
            """,
          arguments: [
            row[0] as Int, owner.item.rawValue, owner.name.rawValue, owner.list.rawValue,
          ])
        if db.changesCount > 0 { continue }
      }
      if ListOwner.isNested(list) {
        try db.execute(
          sql: "UPDATE OR IGNORE list SET name = 'recovered ' || id WHERE id = ?",
          arguments: [row[0] as Int])
        lostOwnerCount += 1
      }
    }
    return lostOwnerCount
  }
}
