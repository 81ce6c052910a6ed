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
  /// - Returns: `false` if a file is there already, or appears meanwhile.
  /// - Throws: ``/ListModel/StoreError``; nothing is left behind.
  package static func createIfAbsent(
    _ file: URL, migrations: [Migration] = Migration.all
  ) throws(StoreError) -> Bool {
    let path = file.path
    // A link that leads nowhere counts as a file, because SQLite would write through it.
    if FileStatus(of: path) != nil {
      // A process may have been killed after it had made the store.
      StoreDraft.removeAbandoned(of: file)
      return false
    }
    for suffix in ["-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
      throw StoreError(
        .damagedStore,
        "\(file.lastPathComponent)\(suffix) lies there without its database; SQLite would mix it "
          + "into a new one. Restore the database, or move \(file.lastPathComponent)\(suffix) away",
        file: path)
    }
    let draft = try StoreDraft(of: file)
    do {
      let queue = try DatabaseQueue(path: draft.file.path, configuration: .store())
      _ = try Migrator.migrate(queue, file: path, migrations: migrations)
      try queue.close()
    } catch {
      throw .wrap(error, attempt: "make the store", file: path)
    }
    return try draft.publish(as: file)
  }
}
