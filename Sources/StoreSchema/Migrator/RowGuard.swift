package import GRDB
import ListModel
import StoreFiles

/// Finds the tables that have lost rows in a migration which does not say that it takes some.
package struct RowGuard {
  private let counts: [String: Int]

  /// Counts the rows of every table.
  ///
  /// - Complexity: O(*n*), *n* rows.
  init(_ db: Database) throws { counts = try Self.counts(db) }

  /// How many rows each ordinary table of a database has, by name; without full-text indexes, which are
  /// made of other rows.
  package static func counts(_ db: Database) throws -> [String: Int] {
    let tables = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND sql LIKE 'CREATE TABLE%'
          AND name <> 'searchIndex' AND name NOT GLOB 'searchText_*'
        """)
    var counts: [String: Int] = [:]
    for table in tables {
      counts[table] = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM \(table.sqlName)")
    }
    return counts
  }

  /// Refuses what has lost rows.
  ///
  /// `isUndone`: Whether the migration was undone. What the script says of its way up does not excuse that,
  /// but for tables that the way up has made.
  ///
  /// - Throws: ``/ListModel/StoreError`` with
  ///   ``/ListModel/StoreError/Code/verificationFailed``, which names the tables.
  func requireAll(
    in db: Database, after script: MigrationScript, isUndone: Bool = false, named name: String,
    file: String
  ) throws {
    let later = try Self.counts(db)
    let losses = counts.sorted { $0.key < $1.key }.compactMap { table, count -> String? in
      if count == 0 { return nil }
      if script.fewerRows.contains(table), !isUndone || later[table] == nil { return nil }
      let now = later[isUndone ? table : script.renamedTables[table] ?? table]
      if let now, now >= count { return nil }
      return "\(table.cut(to: 80)) \(count) before and \(now.map(String.init) ?? "none") after"
    }
    if counts["derivedList"] ?? 0 > 0, later["derivedList"] == nil {
      throw StoreError(
        .verificationFailed,
        "\(name) was not undone: an earlier version has no derived lists. Drop them first: "
          + "`cellar derive FILE --list`, then `--drop`. The store is as it was",
        file: file)
    }
    guard losses.isEmpty else {
      throw StoreError.verificationFailed(
        file, name, because: "rows would be lost: \(losses.joined(separator: ", "))")
    }
  }
}
