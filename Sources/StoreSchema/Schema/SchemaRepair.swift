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
  ///   - dropped: Tables and indexes of others that are dropped first: of a private copy alone.
  ///   - accepted: The migrations whose checksums are accepted.
  ///   - migrations: All migrations; tests pass others than the library's own.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/changedMeanwhile`` if the
  ///   store is not as it was when the differences were found, or
  ///   ``/ListModel/StoreError/Code/foreignSQL`` if SQL of others would run. It is then unchanged.
  package static func run(
    _ file: URL, rebuilding objects: [SchemaDifference], dropping dropped: [ForeignSQL] = [],
    accepting accepted: [SchemaInspection.ModifiedMigration],
    migrations: [Migration] = Migration.all
  ) throws(StoreError) {
    if objects.isEmpty, accepted.isEmpty, dropped.isEmpty { return }
    do {
      try DatabaseQueue.withStore(file) { queue in
        try queue.inDatabase { try ForeignSQL.drop(dropped, from: $0) }
        try queue.inTransaction(.immediate) { db in
          try ForeignSQL.refuse(in: db, file: file.path, migrations: migrations)
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

  /// Drops what an app has added to a private copy, where it would only be in the way.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  package static func dropAppObjects(
    in copy: URL, migrations: [Migration]
  ) throws(StoreError) {
    do {
      try DatabaseQueue.withStore(copy) { queue in
        try queue.write { db in
          let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
          let objects = try KnownSchema.statements(of: db).filter {
            try KnownSchema.isOfApp($0.name, version: version, migrations)
          }
          for kind in ["trigger", "view", "index", "table"] {
            for object in objects where object.kind == kind {
              do {
                try db.execute(sql: "DROP \(kind) IF EXISTS \(object.name.sqlName)")
              } catch is DatabaseError {
                // A table that belongs to another one, or whose module is not here, may stay.
              }
            }
          }
        }
      }
    } catch {
      throw .wrap(error, attempt: "prepare the copy", file: copy.path)
    }
  }

  private static func rebuild(_ object: SchemaDifference, _ db: Database) throws {
    let name = object.name.sqlName
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
