import Foundation
import GRDB
import ListModel
import ListStore
import StoreFiles
import StoreSchema

/// The migrations that a store needs, tried on the one copy of it that is made.
///
/// The copy's own file stays as the store was, and can become a backup: the migrations are in the
/// write-ahead log beside it. SQLite moves nothing from there as long as somebody reads the state
/// before them.
struct MigrationTrial {
  /// The copy before the migrations.
  let before: DatabaseSnapshot
  /// The lists after all migrations; or why they can't be read.
  let lists: Result<Repository, StoreError>

  /// What is wanted of a trial.
  struct Request {
    /// The version that the store is to get; the copy is migrated further, to read its lists.
    var version = Int.max
    /// Called with how much of the way to ``version`` is done, from 0 to 1.
    var progress: (Double) -> Void = { _ in }
    /// Called after each migration up to ``version`` with what it did, and how many seconds it took.
    var applied: (MigrationResult, Double) -> Void = { _, _ in }
    /// Gets the copy when it has ``version``, unless a migration fails.
    var reached: (DatabasePool) throws -> Void = { _ in }
  }

  /// Migrates a copy.
  ///
  /// - Parameters:
  ///   - copy: The copy, which nobody has open.
  ///   - name: The store's name in errors.
  ///   - schema: The copy's schema.
  ///   - migrations: All migrations.
  ///   - request: What is wanted.
  /// - Throws: SQLite's error if the copy can't be opened; a migration that fails is in ``lists``.
  init(
    _ copy: URL, naming name: String, _ schema: SchemaInspection, _ migrations: [Migration],
    _ request: Request
  ) throws {
    let pool = try Self.open(copy, schema.version)
    // Who reads an empty log reads the file, and keeps it as it is.
    _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    before = try pool.makeSnapshot()
    do {
      try schema.mend(copy)
      try Self.migrate(pool, naming: name, from: schema.version, migrations, request)
      lists = .success(try Repository(inspecting: copy))
    } catch {
      var error = StoreError.wrap(error, attempt: "read an earlier version", file: name)
      error.file = name
      lists = .failure(error)
    }
    try pool.close()
  }

  /// Opens a copy that gets a write-ahead log.
  private static func open(_ copy: URL, _ version: Int) throws -> DatabasePool {
    let configuration = Configuration.store(timeLimit: 10 * TimeLimit.seconds(for: copy))
    let queue = try DatabaseQueue(path: copy.path, configuration: configuration)
    try queue.writeWithoutTransaction { db in
      // GRDB makes and drops a table where it finds no log, which leaves a free page.
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA user_version = \(version)")
    }
    let pool = try DatabasePool(path: copy.path, configuration: configuration)
    try queue.close()
    return pool
  }

  private static func migrate(
    _ pool: DatabasePool, naming name: String, from first: Int, _ migrations: [Migration],
    _ request: Request
  ) throws {
    let wanted = migrations.filter { $0.version > first && $0.version <= request.version }
    for (index, migration) in wanted.enumerated() {
      let start = ContinuousClock.now
      let result = try Migrator.migrate(
        pool, file: name, migrations: migrations, to: migration.version
      ) { done, _ in request.progress((Double(index) + done) / Double(wanted.count)) }
      request.applied(result, (ContinuousClock.now - start) / .seconds(1))
    }
    try request.reached(pool)
    _ = try Migrator.migrate(pool, file: name, migrations: migrations)
  }
}
