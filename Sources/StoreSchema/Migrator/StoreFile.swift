package import Foundation
import GRDB
package import ListModel
import StoreFiles

/// Makes store files.
package enum StoreFile {
  /// Makes a new, empty store of this library's version.
  ///
  /// The store is made in a folder of its own and then linked to its name. So it appears whole or
  /// not at all, also if the process is killed. If two processes make it at once, one wins, and
  /// both use the same store. The folder of a killed process is removed when a store is next made
  /// under the same name.
  ///
  /// An empty file is a database without tables to SQLite, so a store takes its place, and its
  /// permissions. A link to one goes on to lead there.
  ///
  /// - Parameters:
  ///   - file: The store that is to be made.
  ///   - migrations: All migrations.
  ///   - busyTimeout: For how many seconds to wait for somebody who has locked an empty file.
  /// - Returns: `false` if a file is there already, or appears meanwhile.
  /// - Throws: ``/ListModel/StoreError``; nothing is left behind. It is
  ///   ``/ListModel/StoreError/Code/busy`` for an empty file that stays locked.
  package static func createIfAbsent(
    _ file: URL, migrations: [Migration] = Migration.all, busyTimeout: Double = 5
  ) throws(StoreError) -> Bool {
    // A link that leads nowhere counts as a file, because SQLite would write through it.
    guard FileStatus(of: file.path) != nil else {
      for suffix in ["-wal", "-journal"] where FileStatus(of: file.path + suffix) != nil {
        throw StoreError(
          .damagedStore,
          "\(file.lastPathComponent)\(suffix) lies there without its database; SQLite would mix it "
            + "into a new one. Restore the database, or move \(file.lastPathComponent)\(suffix) away",
          file: file.path)
      }
      return try draft(file, migrations).publish(as: file)
    }
    // A process may have been killed after it had made the store.
    StoreDraft.removeAbandoned(in: file.deletingLastPathComponent())
    guard let empty = EmptyFile(file) else { return false }
    return try empty.replace(by: draft(empty.file, migrations), busyTimeout)
  }

  private static func draft(
    _ file: URL, _ migrations: [Migration]
  ) throws(StoreError) -> StoreDraft {
    let draft = try StoreDraft(of: file)
    do {
      let queue = try DatabaseQueue(path: draft.file.path, configuration: .store())
      _ = try Migrator.migrate(queue, file: file.path, migrations: migrations)
      try queue.close()
    } catch {
      throw .wrap(error, attempt: "make the store", file: file.path)
    }
    return draft
  }
}

/// An empty file where a store is to be made, with nothing of a database beside it.
private struct EmptyFile {
  /// The file, without links.
  let file: URL
  private let identity: FileIdentity

  /// The file at a path, with links followed; `nil` if it is not empty, may not be written, or has a
  /// log or a journal that holds something.
  init?(_ link: URL) {
    guard let path = try? StorePath.resolved(link), access(path, W_OK) == 0,
      let status = FileStatus(of: path), status.kind == .file, status.byteCount == 0,
      // What a killed process has left may be all that there is of a store.
      ![Sidecar.log, .journal].contains(where: {
        FileStatus(of: path + $0.rawValue).map { $0.kind != .file || $0.byteCount > 0 } ?? false
      })
    else { return nil }
    file = URL(fileURLWithPath: path)
    identity = status.identity
  }

  /// Puts a store in its place, while nobody has locked it.
  ///
  /// - Returns: `false` if it is not empty any more, or another file has its name.
  func replace(by draft: StoreDraft, _ busyTimeout: Double) throws(StoreError) -> Bool {
    let wait = LockWait(timeout: busyTimeout)
    var tries = 0
    while true {
      let database: DatabaseFile
      do { database = try DatabaseFile(file.path, naming: file.path, isLockable: true) } catch {
        guard error.code == .fileNotFound else { throw error }
        return false
      }
      let lock = database.lockForReplacement()
      // Whoever had the lock may have made a store of it.
      guard let now = EmptyFile(file), now.identity == identity else { return false }
      if case .busy = lock {
        guard wait.pauses(after: tries) else { throw .openElsewhere(file) }
        tries += 1
      } else {
        try draft.replace(file)
        return true
      }
    }
  }
}
