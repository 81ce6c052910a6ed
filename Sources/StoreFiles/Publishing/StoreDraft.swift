package import Foundation
package import ListModel

/// A store that is made under another name, beside its own, and appears whole or not at all.
package enum StoreDraft {
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
      throw StoreError(
        .inputOutput, "can't make the store: \(StoreError.reason(error))", file: file.path,
        cause: error)
    }
  }

  /// Makes the folder in which a store is made, beside its file, and removes the folders of killed
  /// processes.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  package static func folder(of file: URL) throws(StoreError) -> OwnedFolder {
    removeAbandoned(of: file)
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
  package static let name = "store.sqlite"

  private static func draftPrefix(_ file: URL) -> String { ".\(file.lastPathComponent).new-" }

  /// Removes what killed processes have left of a store that they made.
  package static func removeAbandoned(of file: URL) {
    let folder = file.deletingLastPathComponent()
    let suffixes = [""] + SidecarFile.Kind.allCases.map(\.rawValue)
    OwnedFolder.removeAbandoned(
      named: draftPrefix(file), in: folder, holding: Set(suffixes.map { name + $0 }))
    // Earlier versions of Cellar made a file instead of a folder.
    for found in OwnedFolder.names(in: folder, from: draftPrefix(file)) {
      let path = folder.appendingPathComponent(found).path
      var values = stat()
      guard lstat(path, &values) == 0, values.st_mode & S_IFMT == S_IFREG,
        values.st_uid == geteuid()
      else { continue }
      for suffix in suffixes { unlink(path + suffix) }
    }
  }
}
