package import GRDB
import SQLiteSettings

extension Database {
  /// Writes into `sqlite_schema` by hand, and has SQLite read it anew.
  ///
  /// A statement that is put there as a text is parsed. Nothing of it runs: no expression, no query.
  ///
  /// - Parameter body: Writes rows of `sqlite_schema`; no transaction may be open.
  /// - Throws: SQLite's error if it can't read the schema afterwards; nothing is changed then.
  package func editSchema(_ body: (Database) throws -> Void) throws {
    let code = cellar_allow_schema_writes(sqliteConnection)
    guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    try execute(sql: "PRAGMA writable_schema = ON")
    do {
      try inTransaction(.immediate) {
        try body(self)
        // With ON, SQLite would pass over what it can't parse.
        try execute(sql: "PRAGMA writable_schema = RESET")
        _ = try Int.fetchOne(self, sql: "SELECT count(*) FROM sqlite_schema")
        return .commit
      }
    } catch {
      try execute(sql: "PRAGMA writable_schema = RESET")
      throw error
    }
  }
}
