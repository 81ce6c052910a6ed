import GRDB
package import ListModel

/// The schema of a version as text, made by applying its migrations to an empty database.
package enum SchemaText {
  /// A statement of `sqlite_schema`.
  struct Statement {
    let name: String
    let kind: String
    let sql: String
  }

  /// The text of a version's schema; for the newest version, that of `migrations/schema.sql`.
  ///
  /// `version`: From 1 to the newest.
  ///
  /// - Throws: ``/ListModel/StoreError`` if SQLite can't apply the migrations.
  package static func canonical(version: Int) throws(StoreError) -> String {
    do {
      return text(of: try statements(ofVersion: version).map(\.sql), version: version)
    } catch {
      throw .wrap(error, attempt: "make the schema of version \(version)", file: ":memory:")
    }
  }

  static func text(of statements: [String], version: Int) -> String {
    let comment = """
      -- What a store holds after all migrations: every statement of `sqlite_schema`, each table before
      -- its indexes, tables in the order of their names. To read and to compare, never run.
      -- Written by: CELLAR_WRITE_SCHEMA=1 swift test --filter MigrationFileTests
      """
    let earlier = """
      -- What a store of version \(version) holds: every statement of `sqlite_schema`, each table before
      -- its indexes, tables in the order of their names. To read and to compare, never run.
      """
    return ([version == Migration.latestVersion ? comment : earlier] + statements.map { $0 + ";" })
      .joined(separator: "\n\n") + "\n"
  }

  /// The statements of a version's schema, each table before its indexes.
  static func statements(ofVersion version: Int) throws -> [Statement] {
    let database = try DatabaseQueue(configuration: .store())
    return try database.write { db in
      for migration in Migration.all.prefix(version) { try migration.apply(to: db) }
      return try statements(of: db)
    }
  }

  static func statements(of db: Database) throws -> [Statement] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT name, type, sql FROM sqlite_schema
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY tbl_name, type DESC, name
        """
    ).map { row throws in
      Statement(name: try row.text(0), kind: try row.text(1), sql: try row.text(2))
    }
  }
}
