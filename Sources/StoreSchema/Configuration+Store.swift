package import GRDB
import SQLiteSettings

extension Configuration {
  /// How every connection to a store is set up.
  ///
  /// - Parameters:
  ///   - busyTimeout: How long to wait for another connection, in seconds.
  ///   - maximumPageCount: The pages that the file may have; `nil`: as many as the disk takes.
  /// - Returns: The configuration.
  package static func store(
    busyTimeout: Double = 5, maximumPageCount: Int? = nil
  ) -> Configuration {
    var configuration = Configuration()
    configuration.label = "Cellar"
    configuration.busyMode = .timeout(busyTimeout)
    configuration.foreignKeysEnabled = true
    // The triggers of a store tell of writers that are not Cellar. A file from elsewhere may have
    // others, which are none of our business either.
    configuration.prepareDatabase { db in
      let code = cellar_disable_triggers(db.sqliteConnection)
      guard code == 0 else {
        throw DatabaseError(
          resultCode: ResultCode(rawValue: code), message: "triggers can't be switched off")
      }
    }
    if let maximumPageCount {
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA max_page_count = \(maximumPageCount)")
      }
    }
    return configuration
  }
}
