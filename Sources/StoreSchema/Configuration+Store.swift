package import GRDB
import GRDBSQLite
import SQLiteSettings

extension Configuration {
  /// How every connection to a store is set up.
  ///
  /// No connection runs code that a file brings along. The triggers of a store tell of writers that are
  /// not Cellar; those of others, and views, are none of our business either.
  ///
  /// - Parameters:
  ///   - busyTimeout: How long to wait for another connection, in seconds.
  ///   - maximumPageCount: The pages that the file may have; `nil`: as many as the disk takes.
  ///   - timeLimit: For a file that may come from anywhere: the seconds that opening it may take. Such
  ///     a connection has tighter limits, and checks each page that it reads. `nil` for a file of
  ///     the app's own.
  /// - Returns: The configuration.
  package static func store(
    busyTimeout: Double = 5, maximumPageCount: Int? = nil, timeLimit: Int? = nil
  ) -> Configuration {
    var configuration = Configuration()
    configuration.label = "Cellar"
    configuration.busyMode = .timeout(busyTimeout)
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase { db in
      let code = cellar_distrust_schema(db.sqliteConnection)
      guard code == 0 else {
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code), message: "SQLite can't be set up safely")
      }
    }
    if let timeLimit {
      configuration.prepareDatabase { db in
        db.limitTime(to: timeLimit)
        for (limit, value) in Self.limitsOfStrangers {
          sqlite3_limit(db.sqliteConnection, limit, value)
        }
        try db.execute(sql: "PRAGMA cell_size_check = 1")
      }
    }
    if let maximumPageCount {
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA max_page_count = \(maximumPageCount)")
      }
    }
    return configuration
  }

  /// What our own statements and schema need several times over.
  ///
  /// A row can be long: a deleted section is one row of the log, with all its items.
  private static let limitsOfStrangers: [(Int32, Int32)] = [
    (SQLITE_LIMIT_LENGTH, 512 << 20), (SQLITE_LIMIT_SQL_LENGTH, 256 << 10),
    (SQLITE_LIMIT_COLUMN, 200), (SQLITE_LIMIT_EXPR_DEPTH, 100),
    (SQLITE_LIMIT_COMPOUND_SELECT, 20), (SQLITE_LIMIT_VDBE_OP, 50_000),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 20), (SQLITE_LIMIT_ATTACHED, 0),
  ]
}

extension Database {
  /// Ends statements that run later than so many seconds from now; `nil`: none is ended.
  ///
  /// They fail with `SQLITE_INTERRUPT`.
  package func limitTime(to seconds: Int?) {
    cellar_limit_time(sqliteConnection, Int32(clamping: seconds ?? 0))
  }

  /// Whether the path of the store leads to nothing any more, or to another file: what is written now
  /// would be written to a file that nobody finds.
  ///
  /// Asks the system once, about a microsecond.
  package var hasMoved: Bool { cellar_has_moved(sqliteConnection) != 0 }
}
