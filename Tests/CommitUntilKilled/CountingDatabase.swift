import GRDB

// The database that the modes `count…` count in: every commit changes pages far apart, and they
// agree after every commit.
enum CountingDatabase {
  /// Counts one further, in one transaction.
  static func step(_ db: Database) throws {
    try db.inTransaction(.immediate) {
      try db.execute(
        sql: """
          UPDATE first SET number = number + 1;
          UPDATE line SET number = number + 1
            WHERE id % 40 = (SELECT number % 40 FROM first);
          UPDATE last SET number = number + 1;
          """)
      return .commit
    }
  }
}
