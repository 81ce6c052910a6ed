package import Foundation
import GRDB
package import ListModel

extension StoreBackup {
  /// Puts a copy of a backup in the place of a store.
  ///
  /// The copy is checked first, and gets a store id of its own, so that every reader of the former
  /// store begins anew. The path leads to the former store or to the restored one at every moment,
  /// also if the process is killed. What a killed process has left is removed when a store is next
  /// made or restored there.
  ///
  /// - Parameters:
  ///   - backup: The backup, or any store; it is not changed.
  ///   - file: The store; it may be damaged or missing.
  ///   - busyTimeout: How long to wait for other connections to the store, in seconds.
  /// - Returns: Where the former store is now, if SQLite could not open it; `nil` for a sound one,
  ///   which is gone.
  /// - Throws: ``/ListModel/StoreError``, and nothing is changed: for a backup that is damaged or of
  ///   a newer version; if the store is open elsewhere
  ///   (``/ListModel/StoreError/Code/busy``); if its file is another program's.
  /// - Complexity: O(*n*), *n* bytes of the backup.
  @discardableResult
  package static func restore(
    _ backup: URL, to file: URL, busyTimeout: Double = 5
  ) throws(StoreError) -> URL? {
    let header = try StoreHeader(of: backup)
    guard header.schemaVersion <= Migration.latestVersion else {
      throw .newer(backup.path, version: header.schemaVersion)
    }
    do {
      let parent = file.deletingLastPathComponent()
      try FullVolume.require(
        FullVolume.size(ofStore: backup.path), to: "restore the store", in: parent.path,
        freeBytes: FullVolume.freeBytes(at: parent.path), file: file.path)
      let folder = try StoreFile.makeDraft(of: file)
      let draft = folder.url.appendingPathComponent(StoreFile.draftName)
      try prepare(draft, from: backup)
      try DurableFile.synchronise(draft.path)
      let aside = try StoreReplacement(of: file, by: draft).replace(busyTimeout: busyTimeout)
      try DurableFile.synchronise(parent.path)
      return aside
    } catch {
      throw .wrap(error, attempt: "restore the store", file: file.path)
    }
  }

  /// Copies a backup, with its log if it has one, checks the copy and makes it a store of its own.
  private static func prepare(_ draft: URL, from backup: URL) throws {
    let name = backup.path
    _ = try PrivateCopy.copy(
      DatabaseFile(StorePath.resolved(backup, naming: name), naming: name), to: draft.path,
      naming: name)
    _ = try StoreHeader(of: draft, naming: name)
    do {
      let queue = try DatabaseQueue(
        path: draft.path, configuration: .store(timeLimit: 10 * TimeLimit.seconds(for: draft)))
      try queue.writeWithoutTransaction { db in
        try db.requireIntegrity(file: name)
        try db.inTransaction {
          let status = try SchemaStatus(db, file: name)
          if status.version > 0 {
            try db.execute(sql: "UPDATE store SET storeID = randomblob(16)")
          }
          return .commit
        }
        try db.execute(sql: "PRAGMA journal_mode = DELETE")
      }
      try queue.close()
    } catch {
      throw StoreError.wrap(error, attempt: "check the backup", file: name)
    }
  }
}
