import Foundation
import GRDB
import Testing

/// All rows of the tables that migrations write, as text, after SQLite's check of the file.
///
/// `isOfStore`: Whether the store's id, which a restore changes, is among them.
func storedRows(of file: URL, isOfStore: Bool = true) throws -> [String] {
  let queue = try DatabaseQueue(path: file.path)
  defer { try? queue.close() }
  return try queue.read { db in
    #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
    return try [
      "list", "block", "item", "content", "listCommit", "change", "store", "note", "badge",
    ]
    .filter { try db.tableExists($0) && (isOfStore || $0 != "store") }
    .map { table in
      let columns = try db.columns(in: table).map { "quote(\($0.name))" }
      let row = columns.joined(separator: " || ',' || ")
      return try String.fetchOne(
        db,
        sql: """
          SELECT '\(table): ' || group_concat(line, char(10))
          FROM (SELECT \(row) AS line FROM \(table) ORDER BY line)
          """) ?? table
    }
  }
}
