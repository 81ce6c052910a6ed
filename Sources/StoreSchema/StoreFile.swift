package import Foundation
import GRDB

/// Makes store files.
package enum StoreFile {
  /// Makes a new, empty store of this library's version.
  ///
  /// It is made under another name and then linked to its own: the store appears whole or not at
  /// all, also if the process is killed, and of two processes that make it at once one wins and both
  /// go on with the same store.
  ///
  /// - Returns: `false` if a file was there already, or came meanwhile.
  /// - Throws: ``StoreError``; nothing is left behind.
  package static func createIfAbsent(_ file: URL) throws(StoreError) -> Bool {
    let path = file.path
    // A dangling link is a file too: SQLite would write through it.
    if (try? FileManager.default.attributesOfItem(atPath: path)) != nil { return false }
    for suffix in ["-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
      throw StoreError(
        .damagedStore,
        "\(file.lastPathComponent)\(suffix) lies there without its database; SQLite would mix it "
          + "into a new one. Restore the database, or move \(file.lastPathComponent)\(suffix) away",
        file: path)
    }
    let folder = file.deletingLastPathComponent()
    guard FileManager.default.fileExists(atPath: folder.path) else {
      throw StoreError(
        .notWritable, "can't make the store: there is no folder \(folder.path); make it first",
        file: path)
    }
    removeAbandonedDrafts(of: file, in: folder)
    let draft = folder.appendingPathComponent(
      ".\(file.lastPathComponent).new-\(UUID().uuidString)")
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: draft.path + suffix)
      }
    }
    do {
      let queue = try DatabaseQueue(path: draft.path, configuration: .store())
      _ = try Migrator.migrate(queue, file: path)
      try queue.close()
    } catch {
      throw .wrap(error, attempt: "make the store", file: path)
    }
    do {
      do {
        try FileManager.default.linkItem(at: draft, to: file)
      } catch {
        // Not every file system has links; a move refuses an existing file as well, if less strictly.
        if FileManager.default.fileExists(atPath: path) { return false }
        try FileManager.default.moveItem(at: draft, to: file)
      }
      return true
    } catch {
      if FileManager.default.fileExists(atPath: path) { return false }
      throw .wrap(error, attempt: "make the store", file: path)
    }
  }

  /// Removes what processes that were killed left behind, an hour ago or more.
  private static func removeAbandonedDrafts(of file: URL, in folder: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(".\(file.lastPathComponent).new-") {
      let path = folder.appendingPathComponent(name).path
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard let modified = attributes?[.modificationDate] as? Date,
        Date().timeIntervalSince(modified) > 3_600
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
