package import ListModel

/// The schema of a version as text, made by applying its migrations to an empty database.
package enum SchemaText {
  /// The text of a version's schema; for the newest version, that of `migrations/schema.sql`.
  ///
  /// `version`: From 1 to the newest.
  ///
  /// - Throws: ``/ListModel/StoreError`` if SQLite can't apply the migrations.
  package static func canonical(
    version: Int, migrations: [Migration] = Migration.all
  ) throws(StoreError) -> String {
    let comment =
      if version == migrations.latestVersion {
        """
        -- What a store holds after all migrations: every statement of `sqlite_schema`, each table before
        -- its indexes, tables in the order of their names. To read and to compare, never run.
        -- Written by: CELLAR_WRITE_SCHEMA=1 swift test --filter MigrationFileTests
        """
      } else {
        """
        -- What a store of version \(version) holds: every statement of `sqlite_schema`, each table before
        -- its indexes, tables in the order of their names. To read and to compare, never run.
        """
      }
    do {
      let statements = try KnownSchema.of(version, migrations).statements.map { $0.sql + ";" }
      return ([comment] + statements).joined(separator: "\n\n") + "\n"
    } catch {
      throw .wrap(error, attempt: "make the schema of version \(version)", file: ":memory:")
    }
  }
}
