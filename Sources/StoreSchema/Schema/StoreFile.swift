package import Foundation
import GRDB
package import ListModel

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
  package static func createIfAbsent(_ file: URL) throws(StoreError) -> Bool {
    let path = file.path
    // A link that leads nowhere counts as a file, because SQLite would write through it.
    if (try? FileManager.default.attributesOfItem(atPath: path)) != nil {
      // A process may have been killed after it had made the store.
      removeAbandonedDrafts(of: file)
      return false
    }
    for suffix in ["-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
      throw StoreError(
        .damagedStore,
        "\(file.lastPathComponent)\(suffix) lies there without its database; SQLite would mix it "
          + "into a new one. Restore the database, or move \(file.lastPathComponent)\(suffix) away",
        file: path)
    }
    let folder = try makeDraft(of: file)
    let draft = folder.url.appendingPathComponent(draftName)
    do {
      let queue = try DatabaseQueue(path: draft.path, configuration: .store())
      _ = try Migrator.migrate(queue, file: path)
      try queue.close()
    } catch {
      throw .wrap(error, attempt: "make the store", file: path)
    }
    return try publish(draft, as: file)
  }

  /// Gives a store that was made in a draft's folder its name.
  ///
  /// - Returns: `false` if a file has the name already; it stays.
  /// - Throws: ``/ListModel/StoreError``
  package static func publish(_ draft: URL, as file: URL) throws(StoreError) -> Bool {
    do {
      do {
        try FileManager.default.linkItem(at: draft, to: file)
      } catch {
        // Some file systems have no links. A move refuses an existing file too, though less
        // strictly.
        if FileManager.default.fileExists(atPath: file.path) { return false }
        try FileManager.default.moveItem(at: draft, to: file)
      }
      return true
    } catch {
      if FileManager.default.fileExists(atPath: file.path) { return false }
      throw .wrap(error, attempt: "make the store", file: file.path)
    }
  }

  /// Makes the folder in which a store is made, beside its file, and removes the folders of killed
  /// processes.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  package static func makeDraft(of file: URL) throws(StoreError) -> OwnedFolder {
    removeAbandonedDrafts(of: file)
    let folder = file.deletingLastPathComponent()
    do {
      return try OwnedFolder(named: draftPrefix(file), in: folder)
    } catch {
      let reason =
        error.code == ENOENT || error.code == ENOTDIR
        ? "there is no folder \(folder.path); make it first"
        : "its folder can't be written: \(error)"
      throw StoreError(
        error.code == ENOSPC || error.code == EDQUOT ? .storeFull : .notWritable,
        "can't make the store: \(reason)", file: file.path, cause: error)
    }
  }

  /// The name of the store in its draft's folder.
  package static let draftName = "store.sqlite"

  private static func draftPrefix(_ file: URL) -> String { ".\(file.lastPathComponent).new-" }

  private static func removeAbandonedDrafts(of file: URL) {
    let folder = file.deletingLastPathComponent()
    let suffixes = [""] + Companion.Kind.allCases.map(\.rawValue)
    OwnedFolder.removeAbandoned(
      named: draftPrefix(file), in: folder, holding: Set(suffixes.map { draftName + $0 }))
    // Earlier versions of Cellar made a file instead of a folder.
    for name in OwnedFolder.names(in: folder, from: draftPrefix(file)) {
      let path = folder.appendingPathComponent(name).path
      var values = stat()
      guard lstat(path, &values) == 0, values.st_mode & S_IFMT == S_IFREG,
        values.st_uid == geteuid()
      else { continue }
      for suffix in suffixes { unlink(path + suffix) }
    }
  }
}
