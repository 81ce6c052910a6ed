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
  package let pending: [String]
  /// Migrations that were applied with other SQL than this library has.
  package let otherMigrations: [String]
  /// Tables, indexes and triggers that are missing, or not as the version has them.
  ///
  /// For a newer version, compared with the newest version that this library knows.
  package let otherObjects: [String]
  /// The same, with the SQL of both; empty for a newer version.
  package let differences: [SchemaDifference]
  /// Those of them that are tables without the columns of the version, or no tables at all.
  package let unusableTables: Set<String>

  /// Whether the store is of a later version than this library knows.
  package var isNewer: Bool { version > Migration.latestVersion }

  /// The tables, indexes, triggers and views in a store that no version has, as "table mine".
  ///
  /// An app or a person may have added them. The statistics of `ANALYZE` are not among them.
  ///
  /// - Throws: SQLite's error if `sqlite_schema` can't be read.
  package static func othersObjects(in db: Database) throws -> [String] {
    var known: Set<String> = []
    for version in 1...Migration.latestVersion {
      known.formUnion(try SchemaText.statements(ofVersion: version).map(\.name))
    }
    return try SchemaText.statements(of: db).filter { !known.contains($0.name) }
      .map { "\($0.kind) \($0.name)" }
  }

  /// Reads the schema through a connection that runs no views and no triggers.
  ///
  /// - Throws: SQLite's error if `sqlite_schema` can't be read.
  package init(_ db: Database) throws {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let known = max(0, min(version, Migration.latestVersion))
    let others =
      known == 0
      ? [] : try KnownSchema.problems(in: db, version: known, migrations: Migration.all)
    let unusable = try KnownTables.columns(ofVersion: known).filter { table, columns in
      try others.contains(table) && !columns.isSubset(of: KnownTables.plainColumns(of: table, db))
    }.keys
    let isListed = known > 0 && !unusable.contains("schemaMigration")
    let applied = isListed ? try? SchemaStatus.applied(db, version: known) : nil
    self.version = version
    self.applied = applied
    otherObjects = others
    differences =
      others.isEmpty || version > known ? [] : try SchemaDifference.all(in: db, version: known)
    unusableTables = Set(unusable)
    pending = Migration.all.dropFirst(max(0, version)).map(\.name)
    otherMigrations = (applied ?? []).filter { step in
      Migration.all.contains { $0.version == step.version && $0.checksum != step.checksum }
    }.map(\.name)
  }
}

/// The columns of the tables of each version.
private enum KnownTables {
  private static let cache = Guarded<[Int: [String: Set<String>]]>([:])

  static func columns(ofVersion version: Int) throws -> [String: Set<String>] {
    if version == 0 { return [:] }
    if let known = cache.withValue({ $0[version] }) { return known }
    let database = try DatabaseQueue(configuration: .store())
    let columns = try database.write { db in
      for migration in Migration.all.prefix(version) { try migration.apply(to: db) }
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
      return Dictionary(
        uniqueKeysWithValues: try tables.map { ($0, try plainColumns(of: $0, db)) })
    }
    cache.withValue { $0[version] = columns }
    return columns
  }

  /// The columns of an ordinary table that are no expressions; none if it is no such table.
  static func plainColumns(of table: String, _ db: Database) throws -> Set<String> {
    let isTable = try Bool.fetchOne(
      db,
      sql: """
        SELECT type = 'table' AND sql LIKE 'CREATE TABLE%' FROM sqlite_schema WHERE name = ?
        """, arguments: [table])
    guard isTable == true else { return [] }
    let rows = try Row.fetchAll(
      db, sql: "SELECT name, hidden FROM pragma_table_xinfo(?)", arguments: [table])
    return Set(try rows.filter { try $0.integer(1) == 0 }.map { try $0.text(0) })
  }
}
