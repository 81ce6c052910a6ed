package import Foundation
package import GRDB
package import ListModel

/// Brings stores to the schema of this library.
package enum Migrator {
  /// Applies the migrations that a store needs.
  ///
  /// Each is one `BEGIN IMMEDIATE` transaction, in which the list of applied ones is read again: of
  /// any number of processes, exactly one applies it. A failed or killed migration leaves the
  /// version before.
  ///
  /// - Parameters:
  ///   - writer: A connection to the store.
  ///   - file: What errors name.
  ///   - migrations: All there are; others than the library's own are for tests.
  /// - Returns: The names of those that this call applied.
  /// - Throws: ``/ListModel/StoreError`` for a store that this library must not touch, or what SQLite throws;
  ///   those applied before stay.
  package static func migrate(
    _ writer: some DatabaseWriter, file: String, migrations: [Migration] = Migration.all
  ) throws -> [String] {
    var names: [String] = []
    while let name = try migrateOnce(writer, file, migrations) { names.append(name) }
    return names
  }

  private static func migrateOnce(
    _ writer: some DatabaseWriter, _ file: String, _ migrations: [Migration]
  ) throws -> String? {
    // Without the write lock first: a store that is up to date is only read. In one transaction, or
    // another process that migrates meanwhile would make the parts disagree.
    let pending = try writer.read { db in
      try SchemaStatus(db, file: file, migrations: migrations).pending
    }
    if pending.isEmpty { return nil }
    try FullVolume.requireRoom(
      for: migrations.filter { pending.contains($0.name) }, of: file,
      freeBytes: FullVolume.freeBytes(
        at: URL(fileURLWithPath: file).deletingLastPathComponent().path))
    return try writer.writeWithoutTransaction { db in
      do { return try migrateOnce(db, file, migrations) } catch {
        throw FullVolume.told(error, by: db)
      }
    }
  }

  private static func migrateOnce(
    _ db: Database, _ file: String, _ migrations: [Migration]
  ) throws -> String? {
    var applied: String?
    try db.inTransaction(.immediate) {
      let status = try SchemaStatus(db, file: file, migrations: migrations)
      guard let migration = migrations.dropFirst(status.applied.count).first else {
        return .rollback
      }
      try db.execute(sql: migration.sql)
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

  /// Brings a store file to the schema of this library, also one that may come from anywhere.
  ///
  /// - Returns: The names of the migrations that were applied.
  /// - Throws: ``/ListModel/StoreError``; the store then has the version before.
  package static func up(_ file: URL) throws(StoreError) -> [String] {
    let header = try StoreHeader(of: file)
    guard header.schemaVersion <= Migration.latestVersion else {
      throw .newer(file.path, version: header.schemaVersion)
    }
    do {
      // Ten times as long as for looking: here all is written, perhaps to a slow disk.
      let queue = try DatabaseQueue(
        path: file.path, configuration: .store(timeLimit: 10 * TimeLimit.seconds(for: file)))
      let names = try migrate(queue, file: file.path)
      try queue.close()
      return names
    } catch {
      throw .wrap(error, attempt: "migrate the store", file: file.path)
    }
  }
}
