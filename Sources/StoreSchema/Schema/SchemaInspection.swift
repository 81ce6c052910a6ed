import Foundation
package import GRDB
import StoreFiles

/// The schema of a store as it is, whatever is wrong with it.
///
/// ``SchemaStatus`` refuses what no migration makes. This says what it is, and which tables can be
/// read all the same.
package struct SchemaInspection: Sendable {
  /// `PRAGMA user_version`.
  package let version: Int
  /// The migrations that the store lists as applied; `nil` if that table can't be read.
  package let applied: [SchemaStatus.Applied]?
  /// The names of the migrations that it needs.
  package var pending: [String] { migrations.dropFirst(max(0, version)).map(\.name) }
  /// Tables, indexes and triggers that are missing, or not as the version has them.
  ///
  /// For a newer version, compared with the newest version that this library knows.
  package let otherObjects: [String]
  /// The same, with the SQL of both; empty for a newer version.
  package let differences: [SchemaDifference]
  /// Tables and indexes that no migration makes, with SQL that runs by itself; empty for a newer
  /// version, whose migrations are not known.
  package let foreignSQL: [ForeignSQL]
  /// Those of ``otherObjects`` that are tables without the columns of the version, or no tables at all.
  package let unusableTables: Set<String>

  /// Whether the store is of a later version than this library knows.
  package var isNewer: Bool { version > latestVersion }
  /// The newest version that the library knows.
  package var latestVersion: Int { migrations.latestVersion }
  /// All migrations that the library knows.
  package let migrations: [Migration]

  /// Reads the schema through a connection that runs no views and no triggers.
  ///
  /// - Throws: SQLite's error if `sqlite_schema` can't be read.
  package init(_ db: Database, migrations: [Migration] = Migration.all) throws {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let known = max(0, min(version, migrations.latestVersion))
    let schema = try KnownSchema.compare(db, version: known, migrations: migrations)
    let others = known == 0 ? [] : schema.problems
    let unusable = try KnownSchema.of(known, migrations).columns.filter { table, columns in
      try others.contains(table) && !columns.isSubset(of: KnownSchema.plainColumns(of: table, db))
    }.keys
    let isListed = known > 0 && !unusable.contains("schemaMigration")
    let applied = isListed ? try? SchemaStatus.applied(db) : nil
    self.migrations = migrations
    self.version = version
    self.applied = applied
    otherObjects = others
    differences =
      others.isEmpty || version > known
      ? [] : try SchemaDifference.all(in: db, version: known, migrations: migrations)
    unusableTables = Set(unusable)
    foreignSQL = version > known ? [] : try ForeignSQL.all(in: db, schema)
  }
}
