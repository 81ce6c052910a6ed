package import Foundation
import GRDB
package import ListModel

/// Repairs a store's schema in place.
package enum SchemaRepair {
  /// Makes indexes, triggers and views as the store's version has them, and takes this library's checksums
  /// for migrations that were applied with other SQL.
  ///
  /// One transaction: all of it is done, or nothing. No row of a list is changed.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - objects: The indexes, triggers and views, as ``SchemaDifference/all(in:version:)`` has found them.
  ///   - accepted: The migrations whose checksums are accepted.
  ///   - migrations: All migrations; tests pass others than the library's own.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/changedMeanwhile`` if the
  ///   store is not as it was when the differences were found. It is then unchanged.
  package static func run(
    _ file: URL, rebuilding objects: [SchemaDifference],
    accepting accepted: [SchemaInspection.ModifiedMigration],
    migrations: [Migration] = Migration.all
  ) throws(StoreError) {
    if objects.isEmpty, accepted.isEmpty { return }
    do {
      try DatabaseQueue.withStore(file) { queue in
        try queue.inTransaction(.immediate) { db in
          let schema = try SchemaInspection(db, migrations: migrations)
          guard objects.allSatisfy(schema.differences.contains),
            accepted.allSatisfy(schema.modifiedMigrations.contains)
          else { throw changed(file) }
          for object in objects { try rebuild(object, db) }
          for migration in accepted {
            try db.execute(
              sql: "UPDATE schemaMigration SET checksum = ? WHERE version = ?",
              arguments: [migration.known, migration.version])
          }
          return .commit
        }
      }
    } catch {
      throw .wrap(error, attempt: "repair the schema", file: file.path)
    }
  }

  private static func rebuild(_ object: SchemaDifference, _ db: Database) throws {
    let name = object.name.quotedDatabaseIdentifier
    switch object.foundKind {
    case "index": try db.execute(sql: "DROP INDEX \(name)")
    case "trigger": try db.execute(sql: "DROP TRIGGER \(name)")
    case "view": try db.execute(sql: "DROP VIEW \(name)")
    default: break
    }
    try db.execute(sql: object.expected)
  }

  private static func changed(_ file: URL) -> StoreError {
    StoreError(
      .changedMeanwhile,
      "its schema has changed since it was looked at; nothing was repaired. Look again",
      file: file.path)
  }
}
