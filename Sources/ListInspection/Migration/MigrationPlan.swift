package import Foundation
import GRDB
package import ListModel
import StoreFiles
package import StoreSchema

/// What the migrations that a store needs would do to it, tried on a private copy.
package struct MigrationPlan: Encodable, Sendable {
  /// The version that the store has.
  package let fromVersion: Int
  /// The version that it would have.
  package let toVersion: Int
  /// The migrations, in order; empty if the store has the version or a later one.
  package private(set) var steps: [Step] = []
  /// The tables before and after, by name.
  package let tables: [Table]
  /// The size of the database file, in bytes.
  package let byteCountBefore: Int
  /// Its size after the migrations, in bytes.
  package private(set) var byteCountAfter: Int
  /// Whether `up` makes a backup first, unless it is told otherwise.
  package let makesBackup: Bool
  /// The free bytes that the migrations take on the store's volume for a while.
  package let neededByteCount: Int
  /// The free bytes of that volume; `nil` if the system does not say.
  package let freeByteCount: Int?
  /// What the check of the migrated copy has found; empty if it is sound.
  package let findings: [Finding]

  /// A migration that was tried.
  package struct Step: Encodable, Sendable {
    package let name: String
    /// How long it took on the copy.
    package let seconds: Double
    /// Whether it copies tables, so that both take room for a while.
    package let rewritesTables: Bool
    /// What an app has added to the store and is made anew because its table is, as in "index mine".
    package let appObjects: [String]
  }

  /// The rows of a table.
  package struct Table: Encodable, Sendable {
    package let name: String
    /// `nil` if the version before has no such table.
    package let rowsBefore: Int?
    /// `nil` if the version after has no such table.
    package let rowsAfter: Int?
  }

  /// Whether the volume has the room that is needed, as far as the system says.
  package var hasRoom: Bool { freeByteCount.map { $0 >= neededByteCount } ?? true }

  /// Tries the migrations; neither the store nor any file beside it is changed.
  ///
  /// A store is copied at most once: to be migrated, or because it is open.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - version: The version to stop at.
  ///   - migrations: All migrations; tests pass others than the library's own.
  ///   - progress: Called with how much is migrated, from 0 to 1.
  /// - Returns: What is wrong with the store, and the plan; `nil` if the store must not be migrated.
  /// - Throws: ``/ListModel/StoreError`` if it is no store or can't be copied.
  package static func make(
    for file: URL, to version: Int = .max, migrations: [Migration] = Migration.all,
    progress: @escaping (Double) -> Void = { _ in }
  ) throws(StoreError) -> (verification: Verification, plan: MigrationPlan?) {
    var steps: [Step] = []
    var after: State?
    var request = MigrationTrial.Request(version: version, progress: progress)
    request.applied = { result, seconds in
      steps += result.names.map { name in
        let rewrites = migrations.first { $0.name == name }?.rewritesTables ?? false
        return Step(
          name: name, seconds: seconds, rewritesTables: rewrites, appObjects: result.appObjects)
      }
    }
    request.reached = { pool in
      var state = try State(of: pool)
      let foreign = try pool.read { try ForeignSQL.all(in: $0, migrations: migrations) }
      let file = URL(fileURLWithPath: pool.path)
      state.pages = Finding.pages(
        PageCheck(on: file, without: foreign, atMost: 20) { try pool.read($0) })
      after = state
    }
    let inspection = try Verification.look(at: file, migrations, request)
    let verification = Verification(inspection)
    if verification.refusal(toMigrate: file, to: version) != nil { return (verification, nil) }
    do {
      let before = try State(of: inspection.store().database)
      return (
        verification,
        MigrationPlan(file, version, migrations, verification, steps, before, after ?? before)
      )
    } catch {
      throw .wrap(error, attempt: "count the rows", file: file.path)
    }
  }

  private init(
    _ file: URL, _ version: Int, _ migrations: [Migration], _ verification: Verification,
    _ steps: [Step], _ before: State, _ after: State
  ) {
    let first = verification.schemaVersion ?? 0
    let pending = migrations.filter { $0.version > first && $0.version <= version }
    fromVersion = first
    toVersion = max(first, min(version, migrations.latestVersion))
    self.steps = steps
    tables = Set(before.rows.keys).union(after.rows.keys).sorted().map {
      Table(name: $0, rowsBefore: before.rows[$0], rowsAfter: after.rows[$0])
    }
    byteCountBefore = before.byteCount
    byteCountAfter = after.byteCount
    makesBackup = first > 0 && Migrator.isBackedUp(before: pending)
    neededByteCount = DiskSpace.neededBytes(for: pending, of: file.path, backsUp: makesBackup)
    freeByteCount = DiskSpace.freeBytes(at: file.deletingLastPathComponent().path)
    findings = after.pages + verification.findings
  }

  /// A database before or after migrations.
  private struct State {
    /// How many rows each table has.
    var rows: [String: Int] = [:]
    var byteCount = 0
    /// What SQLite's check of the pages says.
    var pages: [Finding] = []

    init(of database: any DatabaseReader) throws {
      try database.read { db in
        rows = try RowGuard.counts(db)
        byteCount =
          try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
          * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
      }
    }
  }
}
