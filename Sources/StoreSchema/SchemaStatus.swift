package import Foundation
package import GRDB
package import ListModel

/// Which migrations a store has had, and which it still needs.
package struct SchemaStatus: Sendable {
  /// The schema version of the store.
  package let version: Int
  /// The names of the migrations that it needs, in order.
  package let pending: [String]
  /// Those that it has had, in order.
  package let applied: [Applied]

  /// A migration that was applied.
  package struct Applied: Sendable {
    package let version: Int
    package let name: String
    package let checksum: String
    /// In milliseconds since 1970.
    package let appliedAt: Int
  }

  /// Reads the status of a store file, which is not changed, nor is anything beside it.
  ///
  /// - Throws: ``/ListModel/StoreError``, also for a store of a newer version.
  package init(of file: URL) throws(StoreError) {
    try self.init(of: PrivateCopy(of: file), naming: file)
  }

  /// Reads the status of a copy that was made already.
  ///
  /// - Parameters:
  ///   - copy: The copy; nothing in it is migrated.
  ///   - file: What errors name.
  /// - Throws: ``/ListModel/StoreError``, also for a store of a newer version.
  package init(of copy: PrivateCopy, naming file: URL) throws(StoreError) {
    do {
      let queue = try DatabaseQueue(
        path: copy.file.path, configuration: .store(timeLimit: TimeLimit.seconds(for: copy.file)))
      self = try queue.read { db in try SchemaStatus(db, file: file.path) }
      try queue.close()
    } catch {
      throw .wrap(error, attempt: "read the schema version", file: file.path)
    }
  }

  /// Reads the status through a connection.
  ///
  /// - Parameters:
  ///   - db: A connection to the store, in a transaction.
  ///   - file: What errors name.
  ///   - migrations: All there are; others than the library's own are for tests.
  /// - Throws: ``/ListModel/StoreError`` for a newer version, a migration with other SQL, or bookkeeping that
  ///   contradicts itself; or what SQLite throws.
  package init(
    _ db: Database, file: String, migrations: [Migration] = Migration.all
  ) throws {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard version <= migrations.count else { throw StoreError.newer(file, version: version) }
    guard version >= 0 else {
      throw StoreError.damaged(file, because: "it says schema version \(version)")
    }
    let problems = try Self.schemaProblems(db, version, migrations)
    // Who changed the schema may have had another migration: the list of them says so, if it is ours.
    guard !problems.contains("schemaMigration") else {
      throw StoreError.otherSchema(file, version: version, problems)
    }
    let applied = version == 0 ? [] : try Self.applied(db)
    let newest = max(version, applied.last?.version ?? 0)
    guard newest <= migrations.count else {
      throw StoreError.newer(file, version: newest)
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
    pending = migrations.dropFirst(applied.count).map(\.name)
  }

  /// Refuses a store that has another schema version than it had when it was opened: another process
  /// has migrated it, or has written an older copy into its file.
  ///
  /// - Parameters:
  ///   - version: The number that `PRAGMA user_version` reads in the transaction that follows it.
  ///   - file: What the error names.
  /// - Throws: ``StoreError`` with ``StoreError/Code/newerStore`` or ``StoreError/Code/movedStore``.
  package static func requireLatest(_ version: Int, file: String) throws(StoreError) {
    if version > Migration.latestVersion { throw .newer(file, version: version) }
    if version < Migration.latestVersion { throw .older(file, version: version) }
  }

  /// What is wrong with the schema, by name.
  private static func schemaProblems(
    _ db: Database, _ version: Int, _ migrations: [Migration]
  ) throws -> [String] {
    if version > 0 {
      return try KnownSchema.problems(in: db, version: version, migrations: migrations)
    }
    // A store that has had no migration has no list of them.
    return try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE lower(name) = 'schemamigration'"
    )
    .map { _ in "schemaMigration" }
  }

  private static func applied(_ db: Database) throws -> [Applied] {
    try Row.fetchAll(
      db, sql: "SELECT version, name, checksum, appliedAt FROM schemaMigration ORDER BY version"
    ).map { row throws in
      Applied(
        version: try row.integer(0), name: try row.text(1), checksum: try row.text(2),
        appliedAt: try row.integer(3))
    }
  }
}
