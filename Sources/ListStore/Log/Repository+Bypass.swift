import Foundation
import GRDB
import ListModel
import ListTables
import StoreSchema

extension Repository {
  /// Compares lists with their digests if another program has written to the store.
  ///
  /// A log that does not lead to its list's rows begins anew. A store that no other program has
  /// written to is only read. A list whose rows can't be read stays as it is until the next time, so
  /// that the other lists can be used; reading it says what is wrong.
  static func checkBypassedLists(
    _ database: some DatabaseWriter, _ access: StoreAccess, _ file: URL
  ) throws {
    func isBypassed(_ db: Database) throws -> Bool {
      try StoreStatement(db, "SELECT isBypassed FROM store").first { try $0.integer(0) } ?? 0 != 0
    }
    // On the writer's connection, because it is open already.
    guard try database.writeWithoutTransaction(isBypassed) else { return }
    try database.write { db in
      // Read again: another process may have been faster, or may have migrated the store.
      try db.requireSchema(for: access, file: file.path)
      guard try isBypassed(db) else { return }
      var lists: [ListID] = []
      try StoreStatement(db, "SELECT name FROM list ORDER BY name").forEach {
        lists.append(try ListID(stored: $0.text(0)))
      }
      var isAllRead = true
      for list in lists where try !checkAgainstLog(list, db) { isAllRead = false }
      guard isAllRead else { return }
      try Statements(db).mendSearchIndexes()
      try Statements(db).deriveListsAnew(by: .unknown, time: nil)
      // What only logs named that began anew.
      try Statements(db).deleteUnusedContents()
      try db.execute(sql: "UPDATE store SET isBypassed = 0")
    }
  }

  /// - Returns: `false` if the list's rows can't be read; they are then as before.
  private static func checkAgainstLog(_ list: ListID, _ db: Database) throws -> Bool {
    do {
      try db.inSavepoint {
        try ListRows(db, list)?.checkAgainstLog()
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
