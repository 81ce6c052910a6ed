package import Foundation
import GRDB
package import ListModel
package import StoreFiles

extension StoreBackup {
  /// Puts a copy of a backup in the place of a store.
  ///
  /// The copy is checked first, and gets a store id of its own, so that every reader of the former
  /// store begins anew. The path leads to the former store or to the restored one at every moment,
  /// also if the process is killed. What a killed process has left is removed when a store is next
  /// made or restored there.
  ///
  /// The former store is kept in `.backups`: as a backup, or as a copy of its files if SQLite can't
  /// read it.
  ///
  /// - Parameters:
  ///   - backup: The backup, or any store; it is not changed.
  ///   - file: The store; it may be damaged or missing.
  ///   - migrations: All migrations; tests pass others than the library's own.
  ///   - keepsFormer: Whether a former store that SQLite can read is kept; any other one always is.
  ///   - busyTimeout: How long to wait for other connections to the store, in seconds.
  ///   - didRemove: Gets the older backups of the store that were deleted for it.
  /// - Returns: Where the former store is kept; `nil` if there was none, or it is not kept.
  /// - Throws: ``/ListModel/StoreError``, and nothing is changed: for a backup that is damaged or of
  ///   a newer version; if the store is open elsewhere
  ///   (``/ListModel/StoreError/Code/busy``); if its file is another program's.
  /// - Complexity: O(*n*), *n* bytes of the backup and of the former store.
  @discardableResult
  package static func restore(
    _ backup: URL, to file: URL, migrations: [Migration] = Migration.all,
    keepsFormer: Bool = true, busyTimeout: Double = 5,
    didRemove: ([URL]) -> Void = { _ in }
  ) throws(StoreError) -> URL? {
    try SchemaStatus.requireKnown(StoreHeader(of: backup), of: backup, migrations)
    do {
      let parent = file.deletingLastPathComponent()
      try PrivateFolder.refuse(folder(of: file), to: "keep the former store", beside: file)
      try DiskSpace.require(
        FileExtents.byteCount(ofStore: backup.path) + FileExtents.byteCount(ofStore: file.path),
        to: "restore the store", in: parent, file: file.path)
      let draft = try StoreDraft(of: file, from: backup, attempt: "restore the store")
      try PrivateCopy.copy(
        DatabaseFile(StorePath.resolved(backup, naming: backup.path), naming: backup.path),
        to: draft.file.path, naming: backup.path)
      try prepare(draft.file, naming: backup.path, migrations, checksPages: true)
      let replacement = StoreReplacement(
        of: file, by: draft, former: keepsFormer ? .backedUp : .gone, migrations)
      let kept = try replacement.replace(busyTimeout: busyTimeout)
      var removed: [URL] = []
      try DurableFile.synchronise(parent.path)
      if let kept {
        removed = prune(of: file, keeping: kept, sparing: backup, migrations)
      }
      didRemove(removed + pruneCopies(of: file))
      return kept
    } catch {
      throw .wrap(error, attempt: "restore the store", file: file.path)
    }
  }

  /// Puts a store that was made from a damaged one in its place, as a restore does.
  ///
  /// The files of the damaged one are copied to `.backups` before.
  ///
  /// - Parameters:
  ///   - file: The damaged store.
  ///   - draft: The new store, whose pages were checked; it is gone afterwards.
  ///   - source: The copy of the damaged store that the draft was made from.
  ///   - isLogForeign: Whether the write-ahead log beside the store is another one's.
  ///   - migrations: All migrations; tests pass others than the library's own.
  ///   - busyTimeout: How long to wait for other connections to the store, in seconds.
  /// - Returns: The copy of the damaged store, and the older copies that were deleted for it.
  /// - Throws: ``/ListModel/StoreError``, and nothing is changed: if the store is open elsewhere, or
  ///   is not as it was when it was copied (``/ListModel/StoreError/Code/changedMeanwhile``).
  package static func replace(
    _ file: URL, by draft: StoreDraft, madeFrom source: PrivateCopy, isLogForeign: Bool,
    migrations: [Migration] = Migration.all, busyTimeout: Double = 5
  ) throws(StoreError) -> (backup: URL, removed: [URL]) {
    do {
      try prepare(draft.file, naming: file.path, migrations, checksPages: false)
      let kept = try copyFiles(of: file)
      do {
        let former = StoreReplacement.Former.copied(source, isLogForeign: isLogForeign)
        _ = try StoreReplacement(of: file, by: draft, former: former, migrations)
          .replace(busyTimeout: busyTimeout)
      } catch {
        deleteCopy(kept)
        throw error
      }
      try DurableFile.synchronise(file.deletingLastPathComponent().path)
      return (kept, pruneCopies(of: file, keeping: kept))
    } catch {
      throw .wrap(error, attempt: "repair the store", file: file.path)
    }
  }

  /// Checks a draft, makes it a store of its own, and brings it to the disk.
  ///
  /// `name`: The name in errors of the file that it was made from.
  private static func prepare(
    _ draft: URL, naming name: String, _ migrations: [Migration], checksPages: Bool
  ) throws {
    _ = try StoreHeader(of: draft, naming: name)
    do {
      if checksPages { try PageCheck.require(draft, naming: name, migrations) }
      try DatabaseQueue.withStore(draft) { queue in
        try queue.writeWithoutTransaction { db in
          // No row that others refer to is deleted, or gets another key.
          try db.execute(sql: "PRAGMA foreign_keys = OFF")
          try db.inTransaction {
            let status = try SchemaStatus(db, file: name, migrations: migrations)
            if status.version > 0 {
              let running = status.foreignSQL.filter {
                $0.kind == "index" && $0.table.lowercased() == "store"
              }
              if let refusal = ForeignSQL.refusal(of: running, file: name) { throw refusal }
              try db.execute(sql: "UPDATE store SET storeID = randomblob(16)")
            }
            return .commit
          }
          try db.execute(sql: "PRAGMA journal_mode = DELETE")
        }
      }
    } catch {
      throw StoreError.wrap(error, attempt: "check the copy", file: name)
    }
    try DurableFile.synchronise(draft.path)
  }
}
