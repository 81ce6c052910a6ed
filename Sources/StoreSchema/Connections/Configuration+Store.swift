package import GRDB
import GRDBSQLite
import SQLiteSettings
import StoreFiles

extension Configuration {
  /// The configuration of every connection to a store.
  ///
  /// No connection runs code that the file brings along: triggers and views are switched off. (The
  /// triggers of a store itself are for other programs: they note that one has written.) Indexes on
  /// expressions, checks and generated columns can't be switched off: see ``ForeignSQL``.
  ///
  /// - Parameters:
  ///   - busyTimeout: How long to wait for another connection, in seconds.
  ///   - maximumPageCount: The most pages that the file may have; `nil` for no limit but the
  ///     disk's.
  ///   - timeLimit: The seconds that opening a file from an unknown source may take. Such a
  ///     connection checks each page that it reads. `nil` for the app's own file.
  /// - Returns: The configuration.
  package static func store(
    busyTimeout: Double = 5, maximumPageCount: Int? = nil, timeLimit: Int? = nil
  ) -> Configuration {
    var configuration = Configuration()
    configuration.label = "Cellar"
    let wait = LockWait(timeout: busyTimeout)
    configuration.busyMode = .callback {
      cellar_is_impatient() == 0 && wait.pauses(after: $0)
    }
    configuration.foreignKeysEnabled = true
    // The transaction of a snapshot stays open between calls.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { db in
      cellar_limit_sizes(db.sqliteConnection)
      let code = cellar_distrust_schema(db.sqliteConnection)
      guard code == 0 else {
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code), message: "SQLite can't be set up safely")
      }
      if cellar_is_in_place(db.sqliteConnection) != 0 {
        try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      }
    }
    if let timeLimit {
      configuration.prepareDatabase { db in
        db.limitTime(to: timeLimit)
        try db.execute(sql: "PRAGMA cell_size_check = 1")
      }
    }
    if let maximumPageCount {
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA max_page_count = \(maximumPageCount)")
      }
    }
    // The first lock is taken here, where it can still be asked why it failed.
    configuration.prepareDatabase { db in
      do { try db.execute(sql: "SELECT 1 FROM sqlite_schema LIMIT 1") } catch {
        throw DiskSpace.explaining(error, by: db)
      }
    }
    return configuration
  }
}

extension Database {
  /// Makes the views of the newest schema for this connection alone.
  ///
  /// Those of the file itself are switched off, and may be other ones.
  package func makeViews() throws {
    try execute(sql: "PRAGMA temp_store = MEMORY")
    for statement in KnownSchema.embeddedStatements.map(\.description)
    where statement.hasPrefix("CREATE VIEW ") {
      try execute(sql: "CREATE TEMP" + statement.dropFirst("CREATE".count))
    }
  }

  /// Leaves the connection without the virtual tables whose code a file could run: full-text search
  /// and the like.
  func dropModules() { _ = cellar_drop_modules(sqliteConnection) }

  /// Ends statements that still run after so many seconds from now; `nil` for no limit.
  ///
  /// They fail with `SQLITE_INTERRUPT`.
  package func limitTime(to seconds: Int?) {
    cellar_limit_time(sqliteConnection, Int32(clamping: seconds ?? 0))
  }

  /// Has commits of this connection note how long they leave the write-ahead log, and never copy it into
  /// the file.
  ///
  /// SQLite copies it at 1,000 pages. `PRAGMA wal_autocheckpoint` ends this.
  package func noteLogPages() { cellar_note_log_pages(sqliteConnection) }

  /// The pages of the write-ahead log after this thread's last commit by a connection of
  /// ``noteLogPages()``; 0 if it has made none since it asked.
  package static func takeLogPages() -> Int { Int(cellar_take_log_pages()) }

  /// Copies the write-ahead log into the file, so that the next one who writes starts the log anew: what is
  /// there, then, while nobody can write, what others have committed meanwhile.
  ///
  /// It waits for nobody: if somebody writes, or reads an earlier state, something is left.
  package func copyWholeLog() { _ = cellar_copy_whole_log(sqliteConnection) }

  /// Has SQLite no longer tell GRDB of each column that a statement reads.
  ///
  /// GRDB needs that for observations, of which there are none. It is half of the time to prepare a statement.
  package func endColumnReports() { sqlite3_set_authorizer(sqliteConnection, nil, nil) }

  /// Whether the path of the store leads to another file or to none.
  ///
  /// If so, a write would go to a file that nobody finds. One system call, about a microsecond.
  package var hasMoved: Bool { cellar_has_moved(sqliteConnection) != 0 }
}
