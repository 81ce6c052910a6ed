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
  package let steps: [Step]
  /// The tables before and after, by name.
  package let tables: [Table]
  /// The size of the database file, in bytes.
  package let byteCountBefore: Int
  /// Its size after the migrations, in bytes.
  package let byteCountAfter: Int
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

  /// Migrates a private copy of a store and checks it; neither the store nor any file beside it is
  /// changed.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - version: The version to stop at.
  ///   - migrations: All migrations; tests pass others than the library's own.
  ///   - progress: Called with how much is migrated, from 0 to 1.
  /// - Throws: ``/ListModel/StoreError`` if the copy can't be made or migrated.
  package init(
    of file: URL, to version: Int = .max, migrations: [Migration] = Migration.all,
    progress: (Double) -> Void = { _ in }
  ) throws(StoreError) {
    let copy = try PrivateCopy(of: file)
    fromVersion = try StoreHeader(of: copy.file).schemaVersion
    let first = fromVersion
    toVersion = max(first, min(version, migrations.latestVersion))
    let pending = migrations.filter { $0.version > first && $0.version <= version }
    let before = try Self.rows(of: copy, naming: file)
    byteCountBefore = copy.byteCount
    var steps: [Step] = []
    for migration in pending {
      let start = Date()
      do throws(StoreError) {
        _ = try Migrator.up(
          copy.file, to: migration.version, migrations: migrations, backsUp: false
        ) { done, _ in
          progress((Double(steps.count) + done) / Double(pending.count))
        }
      } catch {
        var error = error
        error.file = file.path
        throw error
      }
      steps.append(
        Step(
          name: migration.name, seconds: Date().timeIntervalSince(start),
          rewritesTables: migration.rewritesTables))
    }
    self.steps = steps
    let after = try Self.rows(of: copy, naming: file)
    tables = Set(before.keys).union(after.keys).sorted().map {
      Table(name: $0, rowsBefore: before[$0], rowsAfter: after[$0])
    }
    byteCountAfter = FileStatus(of: copy.file.path)?.byteCount ?? 0
    makesBackup = first > 0 && Migrator.isBackedUp(before: pending)
    neededByteCount = DiskSpace.neededBytes(
      for: pending, of: file.path, backsUp: makesBackup)
    freeByteCount = DiskSpace.freeBytes(at: file.deletingLastPathComponent().path)
    findings = try Verification(of: copy.file, migrations: migrations).findings
  }

  /// How many rows each table has.
  private static func rows(
    of copy: PrivateCopy, naming file: URL
  ) throws(StoreError) -> [String: Int] {
    do {
      let queue = try DatabaseQueue(path: copy.file.path, configuration: .store())
      let rows = try queue.read { db in
        let tables = try String.fetchAll(
          db,
          sql: """
            SELECT name FROM sqlite_schema
            WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT GLOB 'sqlite_*'
            """)
        return try tables.map { table in
          (
            table,
            try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.quotedDatabaseIdentifier)") ?? 0
          )
        }
      }
      try queue.close()
      return Dictionary(uniqueKeysWithValues: rows)
    } catch {
      throw .wrap(error, attempt: "count the rows", file: file.path)
    }
  }
}
