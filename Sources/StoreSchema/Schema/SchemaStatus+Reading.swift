package import Foundation
package import GRDB
package import ListModel
package import StoreFiles

// A store that is only read can be of a later version, if it says so.
extension SchemaStatus {
  /// Refuses a store that this library can't read without writing to it.
  ///
  /// A store of this version has to be sound. One of a later version has to say that this version
  /// can read it, and to have the tables and columns of this version.
  ///
  /// - Parameters:
  ///   - db: A connection to the store, in a transaction.
  ///   - file: The file's name in errors.
  ///   - migrations: All migrations; tests pass others than the library's own.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/readOnly`` for an earlier
  ///   version, ``/ListModel/StoreError/Code/newerStore`` for a later one that this library can't
  ///   read, or another one for a store that is damaged.
  package static func requireReadable(
    _ db: Database, file: String, migrations: [Migration] = Migration.all
  ) throws {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let latest = migrations.latestVersion
    if version == latest {
      _ = try SchemaStatus(db, file: file, migrations: migrations)
    } else if isUnreleased(db) {
      throw StoreError.unreleased(file)
    } else if version < latest {
      throw StoreError.needsMigration(file, version: version, known: latest)
    } else {
      try requireReadableNewer(db, version: version, latest: latest, file: file)
      let unusable = try SchemaInspection(db, migrations: migrations).unusableTables
      guard unusable.isEmpty else {
        throw StoreError.otherSchema(file, version: version, unusable.sorted())
      }
    }
  }

  /// Refuses a store of a later version that does not say that this version can read it.
  ///
  /// - Parameters:
  ///   - db: A connection to the store.
  ///   - version: The store's version.
  ///   - latest: The version of this library.
  ///   - file: The file's name in the error.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/newerStore``.
  package static func requireReadableNewer(
    _ db: Database, version: Int, latest: Int, file: String
  ) throws(StoreError) {
    let reader = minimumReader(db, version: version, latest: latest)
    guard let reader, reader <= latest else {
      throw .newer(file, version: version, minimumReader: reader, known: latest)
    }
  }

  /// Refuses a store whose header has a later version than the migrations lead to.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/newerStore``, or with
  ///   ``/ListModel/StoreError/Code/modifiedMigration`` for a store of an unreleased schema. Neither
  ///   the store nor any file beside it is changed.
  package static func requireKnown(
    _ header: StoreHeader, of file: URL, _ migrations: [Migration]
  ) throws(StoreError) {
    let version = header.schemaVersion
    if version <= migrations.latestVersion { return }
    let refusal = try? SchemaReading.read(file, attempt: "read the schema version") { db in
      newer(
        db, file.path, version: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? version,
        migrations)
    }
    throw refusal ?? .newer(file.path, version: version, known: migrations.latestVersion)
  }

  /// Why a store of a later version is refused.
  static func newer(
    _ db: Database, _ file: String, version: Int, _ migrations: [Migration]
  ) -> StoreError {
    if isUnreleased(db) { return .unreleased(file) }
    let latest = migrations.latestVersion
    return .newer(
      file, version: version,
      minimumReader: minimumReader(db, version: version, latest: latest), known: latest)
  }

  /// Refuses the store of a file as ``requireReleased(_:file:)`` does; neither it nor any file beside
  /// it is changed.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/modifiedMigration``.
  package static func requireReleased(_ file: URL) throws(StoreError) {
    let isUnreleased = try? SchemaReading.read(
      file, attempt: "read the schema version", Self.isUnreleased)
    if isUnreleased == true { throw .unreleased(file.path) }
  }

  /// Refuses a store of an unreleased schema, whatever its version.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/modifiedMigration``.
  package static func requireReleased(_ db: Database, file: String) throws(StoreError) {
    if isUnreleased(db) { throw .unreleased(file) }
  }

  /// Whether the store's first migration is the one of before the first release.
  static func isUnreleased(_ db: Database) -> Bool {
    let checksum = try? String.fetchOne(
      db, sql: "SELECT checksum FROM schemaMigration WHERE version = 1")
    return checksum == Migration.unreleasedChecksum
  }

  /// The oldest version that can read a store of a later version than this library's: the greatest
  /// of what the migrations after this library's say; `nil` if one of them is not listed.
  private static func minimumReader(_ db: Database, version: Int, latest: Int) -> Int? {
    let later = latest + 1...max(version, latest + 1)
    let readers = try? Int.fetchAll(
      db, sql: "SELECT minimumReader FROM schemaMigration WHERE version BETWEEN ? AND ?",
      arguments: [later.lowerBound, later.upperBound])
    return readers?.count == later.count ? readers?.max() : nil
  }
}

extension StoreError {
  /// The error for a store that a Cellar of before the first release has made.
  package static func unreleased(_ file: String) -> StoreError {
    StoreError(
      .modifiedMigration,
      "a store of an unreleased schema: a Cellar of before the first release made it, and no "
        + "release reads it; nothing was changed. Delete it, or move it aside, and let the list be "
        + "loaded again",
      file: file)
  }
}
