package import Foundation
package import GRDB
package import ListModel
import StoreFiles

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
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/readOnly`` for an earlier
  ///   version, ``/ListModel/StoreError/Code/newerStore`` for a later one that this library can't
  ///   read, or another one for a store that is damaged.
  package static func requireReadable(_ db: Database, file: String) throws {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    if version == Migration.latestVersion {
      _ = try SchemaStatus(db, file: file)
    } else if version < Migration.latestVersion {
      throw StoreError.needsMigration(file, version: version)
    } else {
      try requireReadableNewer(db, version: version, file: file)
      let unusable = try SchemaInspection(db).unusableTables
      guard unusable.isEmpty else {
        throw StoreError.otherSchema(file, version: version, unusable.sorted())
      }
    }
  }

  /// Refuses a store of a later version that does not say that this version can read it.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/newerStore``.
  package static func requireReadableNewer(
    _ db: Database, version: Int, file: String
  ) throws(StoreError) {
    let reader = minimumReader(db, version: version)
    guard let reader, reader <= Migration.latestVersion else {
      throw .newer(file, version: version, minimumReader: reader)
    }
  }

  /// The oldest version that can read a store of a later version than this library's, as that store
  /// says; `nil` if it does not.
  ///
  /// - Parameter file: The store; neither it nor any file beside it is changed.
  /// - Returns: A schema version; `nil` if the store can't be read, too.
  package static func minimumReader(of file: URL) -> Int? {
    let reader = try? SchemaReading.read(file, attempt: "read the schema version") { db in
      minimumReader(db, version: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
    }
    return reader ?? nil
  }

  /// The greatest of what the migrations after this library's say; `nil` if one of them is not
  /// listed.
  static func minimumReader(_ db: Database, version: Int) -> Int? {
    let later = Migration.latestVersion + 1...max(version, Migration.latestVersion + 1)
    let readers = try? Int.fetchAll(
      db,
      sql: """
        SELECT coalesce(minimumReader, version) FROM schemaMigration WHERE version BETWEEN ? AND ?
        """, arguments: [later.lowerBound, later.upperBound])
    return readers?.count == later.count ? readers?.max() : nil
  }
}
