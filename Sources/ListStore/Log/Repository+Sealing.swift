import Foundation
import ListModel
import StoreSchema
import ListTables
import GRDB

extension Repository {
  /// Seals the lists that need it after a migration, or after another program wrote to the store.
  ///
  /// Sealing gives a list its digest and its chain hash, or compares them with its rows. A store in
  /// which no list needs it is only read. A list whose rows can't be read stays as it is until the
  /// next time, so that the other lists can be used; reading it says what is wrong.
  static func sealLists(_ database: some DatabaseWriter, _ file: URL) throws {
    func listsToSeal(_ db: Database) throws -> (lists: [ListID], isBypassed: Bool) {
      var lists: [ListID] = []
      var isBypassed = false
      try StoreStatement(
        db,
        """
        SELECT isBypassed, name FROM store LEFT JOIN list ON isBypassed OR digest IS NULL
        ORDER BY name
        """
      ).forEach { row in
        isBypassed = try row.integer(0) != 0
        if let name = try row.textIfPresent(1) { lists.append(try ListID(name)) }
      }
      return (lists, isBypassed)
    }
    // On the writer's connection, because it is open already.
    let pending = try database.writeWithoutTransaction(listsToSeal)
    if pending.lists.isEmpty, !pending.isBypassed { return }
    try database.write { db in
      // Read again: another process may have been faster, or may have migrated the store.
      try db.requireSchema(for: .readingAndWriting, file: file.path)
      let pending = try listsToSeal(db)
      var isAllRead = true
      for list in pending.lists where try !seal(list, db) { isAllRead = false }
      // What only logs named that began anew.
      if isAllRead { try Statements(db).deleteUnusedContents() }
      if pending.isBypassed, isAllRead { try db.execute(sql: "UPDATE store SET isBypassed = 0") }
    }
  }

  /// Seals a list, or checks it if it was sealed before.
  ///
  /// - Returns: `false` if its rows can't be read; they are then as before.
  private static func seal(_ list: ListID, _ db: Database) throws -> Bool {
    do {
      try db.inSavepoint {
        let rows = try ListRows(db, list)
        if rows?.digest == nil { try rows?.seal() } else { try rows?.checkAgainstLog() }
        return .commit
      }
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return false
    } catch is FormatError {
      return false
    }
  }
}
