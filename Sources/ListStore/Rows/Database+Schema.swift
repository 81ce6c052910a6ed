import GRDB
import StoreSchema

extension Database {
  /// Refuses a store that another process has migrated since it was opened.
  ///
  /// Reads `PRAGMA user_version` in the transaction that is open, which is then of that schema.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/newerStore`` or
  ///   ``/ListModel/StoreError/Code/movedStore``.
  func requireLatestSchema(file: String) throws {
    let version = try StoreStatement(self, "PRAGMA user_version").first { try $0.integer(0) } ?? 0
    try SchemaStatus.requireLatest(version, file: file)
  }
}
