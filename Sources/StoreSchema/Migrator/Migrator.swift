package import Foundation
package import GRDB
package import ListModel
package import StoreFiles

/// Migrates stores to the schema of this library.
package enum Migrator {
  /// Gets how much of the work is done, from 0 to 1 and never less than before, and the name of the
  /// migration that runs.
  package typealias Progress = (_ fraction: Double, _ migration: String) -> Void

  /// Applies the migrations that a store needs.
  ///
  /// Each migration is one `BEGIN IMMEDIATE` transaction, which first reads again what was applied.
  /// So if several processes migrate at once, exactly one applies each. A migration that fails, is
  /// killed, loses rows without a word, or leaves another schema than it should, leaves the store at
  /// the version before it.
  ///
  /// - Parameters:
  ///   - writer: A connection to the store.
  ///   - file: The file's name in errors.
  ///   - migrations: All migrations; tests pass others than the library's own.
  ///   - version: The version to migrate to; the newest by default.
  ///   - backsUp: Whether a ``StoreBackup`` is made first; `nil`: before more than one migration,
  ///     and before one that rewrites tables.
  ///   - copy: A copy of the store that becomes the backup, if it still has the store's version;
  ///     `nil`: the store is copied for the backup.
  ///   - progress: Not called if nothing is pending.
  /// - Returns: The migrations that this call applied, and the backup.
  /// - Throws: ``/ListModel/StoreError`` for a store that this library must not change, or SQLite's
  ///   error. Migrations that were applied before the error stay.
  package static func migrate(
    _ writer: some DatabaseWriter, file: String, migrations: [Migration] = Migration.all,
    to version: Int = .max, backsUp: Bool? = false, from copy: PrivateCopy? = nil,
    progress: Progress = { _, _ in }
  ) throws -> MigrationResult {
    var result = MigrationResult()
    var copy = copy
    while true {
      // First without the write lock, so that a store that is up to date is only read. In one
      // transaction, or the parts would disagree if another process migrated meanwhile.
      let status = try writer.read { db in
        try SchemaStatus(db, file: file, migrations: migrations)
      }
      let pending = migrations.filter {
        $0.version <= version && status.pending.contains($0.name)
      }
      guard let next = pending.first else { break }
      let needsBackup =
        result.backup == nil && result.names.isEmpty && status.version > 0
        && (backsUp ?? isBackedUp(before: pending))
      try DiskSpace.requireRoom(
        for: pending, of: file, backsUp: needsBackup,
        freeBytes: DiskSpace.freeBytes(
          at: URL(fileURLWithPath: file).deletingLastPathComponent().path))
      let count = Double(result.names.count + pending.count)
      let done = Double(result.names.count)
      progress(done / count, next.name)
      if needsBackup {
        let url = URL(fileURLWithPath: file)
        defer { copy = nil }
        // Otherwise another process has migrated meanwhile.
        guard
          let backup = try StoreBackup.make(
            of: url, from: copy, ifVersion: status.version, migrations)
        else { continue }
        result.backup = backup.file
        result.removedBackups = backup.removed
      }
      let isApplied = try writer.writeWithoutTransaction { db in
        do {
          return try step(db, file) { db in
            // Another process may have been faster.
            guard
              try SchemaStatus(db, file: file, migrations: migrations).version == status.version
            else { return false }
            result.appObjects += try apply(next, to: db, file, migrations)
            return true
          }
        } catch {
          throw DiskSpace.explaining(error, by: db)
        }
      }
      if isApplied { result.names.append(next.name) }
    }
    if let last = result.names.last { progress(1, last) }
    return result
  }

  /// Runs one step in a transaction, without foreign keys.
  ///
  /// With them, dropping a table would delete the rows that refer to it. They are checked at the
  /// end, and switched on again however the step ends.
  ///
  /// `body`: Returns `false` to change nothing.
  private static func step(
    _ db: Database, _ file: String, _ body: (Database) throws -> Bool
  ) throws -> Bool {
    let hadForeignKeys = try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") ?? true
    // Inside a transaction it would do nothing.
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    defer { if hadForeignKeys { try? db.execute(sql: "PRAGMA foreign_keys = ON") } }
    var isDone = false
    try db.inTransaction(.immediate) {
      isDone = try body(db)
      guard isDone else { return .rollback }
      try db.checkForeignKeys()
      return .commit
    }
    return isDone
  }

  /// Applies a migration and checks what it has left.
  ///
  /// - Returns: What an app has added, and was made anew.
  private static func apply(
    _ migration: Migration, to db: Database, _ file: String, _ migrations: [Migration]
  ) throws -> [String] {
    let script = try migration.script()
    let start = ContinuousClock.now
    let rows = script.canLoseRows ? try RowGuard(db) : nil
    let objects = try run(
      script.up, named: migration.name, in: db, version: migration.version - 1, file, migrations)
    try rows?.requireAll(in: db, after: script, named: migration.name, file: file)
    try db.execute(sql: "PRAGMA application_id = \(StoreHeader.applicationID)")
    try db.execute(sql: "PRAGMA user_version = \(migration.version)")
    try requireSchema(of: migration.version, in: db, migrations, named: migration.name, file)
    try db.execute(
      sql: """
        INSERT INTO schemaMigration (version, name, checksum, appliedAt, duration, libraryVersion,
          fingerprint, minimumReader)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        migration.version, migration.name, migration.checksum,
        Int(Date().timeIntervalSince1970 * 1_000),
        Int((ContinuousClock.now - start) / .milliseconds(1)), LibraryVersion.current,
        KnownSchema.fingerprint(of: db), script.minimumReader ?? migration.version,
      ])
    return objects
  }

  /// Runs the SQL of a migration, or of a way down, on a store of a version.
  ///
  /// - Returns: What an app has added, and was made anew.
  private static func run(
    _ sql: String, named name: String, in db: Database, version: Int, _ file: String,
    _ migrations: [Migration]
  ) throws -> [String] {
    let objects = try AppObjectGuard(db, version: version, migrations)
    do { try db.execute(sql: sql) } catch {
      throw AppObjectGuard.explaining(error, named: name, file: file)
    }
    return try objects?.restore(in: db, named: name, file: file) ?? []
  }

  /// Whether a backup is made before migrations, if nothing else was asked for.
  package static func isBackedUp(before pending: [Migration]) -> Bool {
    pending.count > 1 || pending.contains(where: \.rewritesTables)
  }

  private static func requireSchema(
    of version: Int, in db: Database, _ migrations: [Migration], named name: String, _ file: String
  ) throws {
    let problems =
      version == 0 ? [] : try KnownSchema.problems(in: db, version: version, migrations: migrations)
    guard problems.isEmpty else {
      throw StoreError.verificationFailed(
        file, name, because: "\(problems.joined(separator: ", ")) would not be as it should be")
    }
  }

  /// Migrates a store file to the schema of this library; the file may be from an unknown source.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - version: The version to migrate to; the newest by default. A store that has it already, or
  ///     a later one, stays as it is.
  ///   - migrations: All migrations; tests pass others than the library's own.
  ///   - backsUp: See ``migrate(_:file:migrations:to:backsUp:from:progress:)``.
  ///   - copy: See there.
  ///   - busyTimeout: How long to wait for another connection, in seconds.
  ///   - progress: See there.
  /// - Returns: The migrations that were applied, and the backup.
  /// - Throws: ``/ListModel/StoreError``; the store then has the version before.
  package static func up(
    _ file: URL, to version: Int = .max, migrations: [Migration] = Migration.all,
    backsUp: Bool? = nil, from copy: PrivateCopy? = nil, busyTimeout: Double = 5,
    progress: Progress = { _, _ in }
  ) throws(StoreError) -> MigrationResult {
    try withStore(file, migrations, busyTimeout, attempt: "migrate the store") { queue in
      try migrate(
        queue, file: file.path, migrations: migrations, to: version, backsUp: backsUp,
        from: copy, progress: progress)
    }
  }

  /// Undoes the migrations of a store after a version, the last one first.
  ///
  /// A backup is always made first. Each migration is one transaction; a way down loses nothing that
  /// lists hold.
  ///
  /// - Parameters:
  ///   - file: The store; it may be from an unknown source.
  ///   - version: The version that it gets; a store that has it already stays as it is.
  ///   - migrations: All migrations; tests pass others than the library's own.
  ///   - busyTimeout: How long to wait for another connection, in seconds.
  /// - Returns: The migrations that were undone, and the backup.
  /// - Throws: ``/ListModel/StoreError``; with
  ///   ``/ListModel/StoreError/Code/irreversibleMigration`` before anything is changed if one of
  ///   the migrations has no way down, ``/ListModel/StoreError/Code/invalidValue`` if the store has
  ///   an earlier version, and ``/ListModel/StoreError/Code/busy`` if it is open elsewhere.
  package static func down(
    _ file: URL, to version: Int, migrations: [Migration] = Migration.all, busyTimeout: Double = 5
  ) throws(StoreError) -> MigrationResult {
    try withStore(file, migrations, busyTimeout, attempt: "undo migrations of the store") { queue in
      try undo(queue, file, to: version, migrations)
    }
  }

  private static func undo(
    _ queue: DatabaseQueue, _ file: URL, to version: Int, _ migrations: [Migration]
  ) throws -> MigrationResult {
    func status(_ db: Database) throws -> SchemaStatus {
      try SchemaStatus(db, file: file.path, migrations: migrations)
    }
    /// The ways down from the store's version, from the first migration that is undone to the last.
    func ways(_ db: Database) throws -> [(migration: Migration, down: String)] {
      let now = try status(db).version
      guard (0...now).contains(version) else {
        throw StoreError(
          .invalidValue,
          "the store has schema version \(now), which is not after \(version). "
            + "Nothing was changed: name a version from 1 to \(now)",
          file: file.path)
      }
      return try migrations[version..<now].map { ($0, try wayDown(of: $0, file: file.path)) }
    }
    var result = MigrationResult()
    if try queue.read(ways).isEmpty { return result }
    try PrivateFolder.refuse(StoreBackup.folder(of: file), to: "make a backup", beside: file)
    try queue.writeWithoutTransaction { db in
      // An app that goes on with the store would take it for one of another library.
      try db.takeForItself(file)
      let ways = try ways(db)
      if !ways.isEmpty, let backup = try StoreBackup.make(of: file, through: db, migrations) {
        result.backup = backup.file
        result.removedBackups = backup.removed
      }
      for (migration, down) in ways.reversed() {
        do {
          _ = try step(db, file.path) { db in
            result.appObjects += try undo(migration, by: down, in: db, file.path, migrations)
            return true
          }
        } catch {
          throw DiskSpace.explaining(error, by: db)
        }
        result.names.append(migration.name)
      }
    }
    return result
  }

  private static func wayDown(of migration: Migration, file: String) throws -> String {
    let script = try migration.script()
    guard let down = script.down else {
      throw StoreError.irreversible(
        file, migration.name, because: script.oneWayReason ?? "it has no way down")
    }
    return down
  }

  private static func undo(
    _ migration: Migration, by down: String, in db: Database, _ file: String,
    _ migrations: [Migration]
  ) throws -> [String] {
    let name = "undoing \(migration.name)"
    let rows = try RowGuard(db)
    let objects = try run(
      down, named: name, in: db, version: migration.version, file, migrations)
    try rows.requireAll(
      in: db, after: migration.script(), isUndone: true, named: name, file: file)
    try db.execute(
      sql: "DELETE FROM schemaMigration WHERE version = ?", arguments: [migration.version])
    try db.execute(sql: "PRAGMA user_version = \(migration.version - 1)")
    try requireSchema(of: migration.version - 1, in: db, migrations, named: name, file)
    return objects
  }

  /// Opens a store that may be from an unknown source.
  private static func withStore(
    _ file: URL, _ migrations: [Migration], _ busyTimeout: Double, attempt: String,
    _ body: (DatabaseQueue) throws -> MigrationResult
  ) throws(StoreError) -> MigrationResult {
    try SchemaStatus.requireKnown(StoreHeader(of: file), of: file, migrations)
    try SchemaStatus.requireReleased(file)
    do {
      return try DatabaseQueue.withStore(file, busyTimeout: busyTimeout) { queue in
        let status = try queue.read {
          try SchemaStatus($0, file: file.path, migrations: migrations)
        }
        let refusal = ForeignSQL.refusal(of: status.foreignSQL, file: file.path)
        if let refusal { throw refusal }
        return try body(queue)
      }
    } catch {
      throw .wrap(error, attempt: attempt, file: file.path)
    }
  }
}
