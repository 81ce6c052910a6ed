import Foundation
import GRDB

/// All rows that a store holds, by table.
func dump(_ file: URL) throws -> [String: [[DatabaseValue]]] {
  let database = try DatabaseQueue(path: file.path)
  defer { try? database.close() }
  return try database.read { db in
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage ORDER BY name")
    return try Dictionary(
      uniqueKeysWithValues: tables.map { table in
        (
          table,
          try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { Array($0.databaseValues) }
        )
      })
  }
}
