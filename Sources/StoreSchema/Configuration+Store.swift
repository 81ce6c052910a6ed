package import GRDB

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
    if let maximumPageCount {
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA max_page_count = \(maximumPageCount)")
      }
    }
    return configuration
  }
}
