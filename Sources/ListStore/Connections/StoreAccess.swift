import GRDB
import ListTables
import StoreSchema

/// What a Repository may do with its store.
struct StoreAccess: Sendable {
  enum Mode: Sendable {
    /// The store has this library's schema version.
    case readingAndWriting
    /// The store has this library's schema version, or a later one that says that it can be read.
    case reading
    /// Whatever the store's version is: see ``Repository/init(inspecting:)``.
    case inspecting
  }

  let mode: Mode
  /// This library's schema version.
  var latestVersion = Migration.latestVersion

  var isReadOnly: Bool { mode != .readingAndWriting }
}

extension Database {
  /// Refuses a store that another process has migrated since it was opened.
  ///
  /// Reads `PRAGMA user_version` in the transaction that is open, which is then of that schema.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/newerStore`` or
  ///   ``/ListModel/StoreError/Code/movedStore``.
  func requireSchema(for access: StoreAccess, file: String) throws {
    if access.mode == .inspecting { return }
    let version = try StoreStatement(self, "PRAGMA user_version").first { try $0.integer(0) } ?? 0
    let latest = access.latestVersion
    if access.mode == .reading, version > latest {
      try SchemaStatus.requireReadableNewer(self, version: version, latest: latest, file: file)
    } else {
      try SchemaStatus.requireVersion(version, latest: latest, file: file)
    }
  }
}
