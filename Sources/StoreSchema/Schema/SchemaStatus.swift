package import Foundation
package import GRDB
package import ListModel
import StoreFiles

/// The migrations that were applied to a store, and those that it still needs.
package struct SchemaStatus: Sendable {
  /// The schema version of the store.
  package let version: Int
  /// The names of the migrations that it needs, in order.
  package let pending: [String]
  /// The migrations that were applied, in order.
  package let applied: [Applied]
  /// Tables and indexes of others, with SQL that runs by itself.
  package let foreignSQL: [ForeignSQL]

  /// A migration that was applied.
  package struct Applied: Sendable {
    /// The version that it led to.
    package let version: Int
    /// Its name, such as `v0001_lists`.
    package let name: String
    /// The checksum of its SQL: see ``Migration/checksum(of:)``.
    package let checksum: String
    /// When it was applied, in milliseconds since 1970.
    package let appliedAt: Int
    /// How long it took, in milliseconds.
    package let duration: Int
    /// The version of the library that applied it, such as `0.1.0`.
    package let libraryVersion: String
    /// A hash of the whole schema right after it.
    package let fingerprint: String
    /// The oldest schema version whose library can read the store.
    package let minimumReader: Int
  }

  /// Reads the status of a store file; neither it nor any file beside it is changed.
  ///
  /// - Throws: ``/ListModel/StoreError``, also for a store of a newer version.
  package init(
    of file: URL, migrations: [Migration] = Migration.all
  ) throws(StoreError) {
    self = try SchemaReading.read(file, attempt: "read the schema version") { db in
      try SchemaStatus(db, file: file.path, migrations: migrations)
    }
  }

  /// Reads the status through a connection.
  ///
  /// - Parameters:
  ///   - db: A connection to the store, in a transaction.
  ///   - file: The file's name in errors.
  ///   - migrations: All migrations; tests pass others than the library's own.
  /// - Throws: ``/ListModel/StoreError`` for a newer version, a migration with other SQL, or a list
  ///   of migrations that contradicts the version; or SQLite's error.
  package init(
    _ db: Database, file: String, migrations: [Migration] = Migration.all
  ) throws {
    do {
      try self.init(checking: db, file, migrations)
    } catch let error as StoreError {
      throw Self.isUnreleased(db) ? StoreError.unreleased(file) : error
    }
  }

  private init(checking db: Database, _ file: String, _ migrations: [Migration]) throws {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard version <= migrations.count else {
      throw Self.newer(db, file, version: version, migrations)
    }
    guard version >= 0 else {
      throw StoreError.damaged(file, because: "it says schema version \(version)")
    }
    let schema = try KnownSchema.compare(db, version: version, migrations: migrations)
    let problems = try version > 0 ? schema.problems : Self.listsOfMigrations(db)
    // If the schema is different, another migration may have made it. The list of migrations says
    // so, unless that table is itself a different one.
    guard !problems.contains("schemaMigration") else {
      throw StoreError.otherSchema(file, version: version, problems)
    }
    let applied = version == 0 ? [] : try Self.applied(db)
    let newest = max(version, applied.last?.version ?? 0)
    guard newest <= migrations.count else {
      throw Self.newer(db, file, version: newest, migrations)
    }
    guard version == applied.last?.version ?? 0 else {
      throw StoreError.damaged(
        file,
        because: "it says schema version \(version), but migration "
          + "\(applied.last?.version ?? 0) was its last")
    }
    for (step, migration) in zip(applied, migrations) {
      guard step.version == migration.version else {
        throw StoreError.damaged(file, because: "migration \(migration.version) is not listed")
      }
      guard step.checksum == migration.checksum else {
        throw StoreError.modifiedMigration(
          file, name: migration.name, stored: step.checksum, known: migration.checksum)
      }
    }
    guard problems.isEmpty else {
      throw StoreError.otherSchema(file, version: version, problems)
    }
    self.version = version
    self.applied = applied
    foreignSQL = try ForeignSQL.all(in: db, schema)
    pending = migrations.dropFirst(applied.count).map(\.name)
  }

  /// Refuses a store whose schema version has changed since it was opened.
  ///
  /// Another process may have migrated it, or may have written an older copy into its file.
  ///
  /// - Parameters:
  ///   - version: The `user_version` in the current transaction.
  ///   - latest: The version that it had.
  ///   - file: The file's name in the error.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/newerStore`` or
  ///   ``/ListModel/StoreError/Code/movedStore``.
  package static func requireVersion(
    _ version: Int, latest: Int, file: String
  ) throws(StoreError) {
    if version > latest { throw .newer(file, version: version, known: latest) }
    if version < latest { throw .older(file, version: version, known: latest) }
  }

  /// What a store without a migration has in place of a list of migrations: nothing, if it is sound.
  private static func listsOfMigrations(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE lower(name) = 'schemamigration'"
    )
    .map { _ in "schemaMigration" }
  }

  /// The list of migrations of a store that has a version's schema.
  static func applied(_ db: Database) throws -> [Applied] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT version, name, checksum, appliedAt, duration, libraryVersion, fingerprint,
          minimumReader
        FROM schemaMigration ORDER BY version
        """
    ).map { row throws in
      Applied(
        version: try row.integer(0), name: try row.text(1), checksum: try row.text(2),
        appliedAt: try row.integer(3), duration: try row.integer(4),
        libraryVersion: try row.text(5), fingerprint: try row.text(6),
        minimumReader: try row.integer(7))
    }
  }
}
