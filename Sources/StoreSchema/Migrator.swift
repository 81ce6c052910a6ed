package import Foundation
package import GRDB
package import ListModel

/// Migrates stores to the schema of this library.
package enum Migrator {
  /// Applies the migrations that a store needs.
  ///
  /// Each migration is one `BEGIN IMMEDIATE` transaction, which first reads again what was applied.
  /// So if several processes migrate at once, exactly one applies each. A migration that fails or
  /// is killed leaves the store at the version before it.
  ///
  /// - Parameters:
  ///   - writer: A connection to the store.
  ///   - file: The file's name in errors.
  ///   - migrations: All migrations; tests pass others than the library's own.
  ///   - progress: Called now and then with how much of the work is done, from 0 to 1, never less
  ///     than before; with 1 after the last migration. Not called if nothing is pending.
  /// - Returns: The names of the migrations that this call applied.
  /// - Throws: ``/ListModel/StoreError`` for a store that this library must not change, or SQLite's
  ///   error. Migrations that were applied before the error stay.
  package static func migrate(
    _ writer: some DatabaseWriter, file: String, migrations: [Migration] = Migration.all,
    progress: (Double) -> Void = { _ in }
  ) throws -> [String] {
    var names: [String] = []
    while let name = try migrateOnce(
      writer, file, migrations,
      { done, pending in
        progress((Double(names.count) + done) / Double(names.count + pending))
      })
    {
      names.append(name)
    }
    if !names.isEmpty { progress(1) }
    return names
  }

  /// `progress`: Called with how much of this migration is done, and how many are pending with it.
  private static func migrateOnce(
    _ writer: some DatabaseWriter, _ file: String, _ migrations: [Migration],
    _ progress: (Double, Int) -> Void
  ) throws -> String? {
    // First without the write lock, so that a store that is up to date is only read. In one
    // transaction, or the parts would disagree if another process migrated meanwhile.
    let pending = try writer.read { db in
      try SchemaStatus(db, file: file, migrations: migrations).pending
    }
    if pending.isEmpty { return nil }
    try FullVolume.requireRoom(
      for: migrations.filter { pending.contains($0.name) }, of: file,
      freeBytes: FullVolume.freeBytes(
        at: URL(fileURLWithPath: file).deletingLastPathComponent().path))
    return try writer.writeWithoutTransaction { db in
      do {
        return try migrateOnce(db, file, migrations) { progress($0, pending.count) }
      } catch {
        throw FullVolume.told(error, by: db)
      }
    }
  }

  private static func migrateOnce(
    _ db: Database, _ file: String, _ migrations: [Migration], _ progress: (Double) -> Void
  ) throws -> String? {
    var applied: String?
    try db.inTransaction(.immediate) {
      let status = try SchemaStatus(db, file: file, migrations: migrations)
      guard let migration = migrations.dropFirst(status.applied.count).first else {
        return .rollback
      }
      try migration.apply(to: db, progress: progress)
      try db.execute(
        sql:
          "INSERT INTO schemaMigration (version, name, checksum, appliedAt) VALUES (?, ?, ?, ?)",
        arguments: [
          migration.version, migration.name, migration.checksum,
          Int(Date().timeIntervalSince1970 * 1_000),
        ])
      try db.execute(sql: "PRAGMA application_id = \(StoreHeader.applicationID)")
      try db.execute(sql: "PRAGMA user_version = \(migration.version)")
      try db.checkForeignKeys()
      applied = migration.name
      return .commit
    }
    return applied
  }

  /// Migrates a store file to the schema of this library; the file may be from an unknown source.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - progress: See ``migrate(_:file:migrations:progress:)``.
  /// - Returns: The names of the migrations that were applied.
  /// - Throws: ``/ListModel/StoreError``; the store then has the version before.
  package static func up(
    _ file: URL, progress: (Double) -> Void = { _ in }
  ) throws(StoreError) -> [String] {
    let header = try StoreHeader(of: file)
    guard header.schemaVersion <= Migration.latestVersion else {
      throw .newer(file.path, version: header.schemaVersion)
    }
    do {
      // Ten times as long as for reading: everything is written here, perhaps to a slow disk.
      let queue = try DatabaseQueue(
        path: file.path, configuration: .store(timeLimit: 10 * TimeLimit.seconds(for: file)))
      let names = try migrate(queue, file: file.path, progress: progress)
      try queue.close()
      return names
    } catch {
      throw .wrap(error, attempt: "migrate the store", file: file.path)
    }
  }
}
