package import Foundation
package import ListModel

extension StoreError {
  /// The error for a file that does not exist.
  package static func fileNotFound(_ file: String) -> StoreError {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    let hasFolder = FileManager.default.fileExists(atPath: folder)
    return StoreError(
      .fileNotFound,
      "there is no such file" + (hasFolder ? "" : ", and no folder \(folder)"), file: file)
  }

  /// The error for a file that is no store.
  package static func notAStore(_ file: String, because reason: String) -> StoreError {
    StoreError(.notAStore, "not a Cellar store: \(reason)", file: file)
  }

  /// The error for a store whose contents contradict each other; `reason` is part of a sentence.
  package static func damaged(
    _ file: String, because reason: String, cause: (any Error)? = nil
  ) -> StoreError {
    StoreError(
      .damagedStore,
      "the store is damaged: \(reason); nothing was changed. Run `cellar repair FILE` to "
        + "get back what is there; or restore a copy, or move the file aside and let the lists be "
        + "loaded again",
      file: file, cause: cause)
  }

  /// The error for a file that can't be replaced or moved, because a connection has it open.
  package static func openElsewhere(_ file: URL) -> StoreError {
    let holder =
      LockHolder.connections(ofDatabase: file.path) ?? "another connection has the store open"
    return StoreError(
      .busy, "\(holder); nothing was changed. Close it, then try again", file: file.path)
  }
}
