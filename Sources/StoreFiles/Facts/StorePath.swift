package import Foundation
package import ListModel

/// The path of a store.
package enum StorePath {
  /// The path of a store without links, as SQLite resolves it.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - name: The file's name in errors; `nil` for its path.
  /// - Returns: The path.
  /// - Throws: ``/ListModel/StoreError`` if there is no regular file at the path.
  package static func resolved(
    _ file: URL, naming name: String? = nil
  ) throws(StoreError) -> String {
    let name = name ?? file.path
    // Checked before it is opened, because opening a pipe waits.
    guard let status = FileStatus(following: file.path) else { throw unreadable(errno, name) }
    switch status.kind {
    case .file: break
    case .folder: throw .notAStore(name, because: "a folder")
    case .link, .other: throw .notAStore(name, because: "not a regular file")
    }
    guard let resolved = realpath(file.path, nil) else { throw unreadable(errno, name) }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Where a link leads; `nil` if the path is none.
  package static func linkTarget(of path: String) -> String? {
    guard FileStatus(of: path)?.kind == .link else { return nil }
    return try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  private static func unreadable(_ code: Int32, _ name: String) -> StoreError {
    switch code {
    // A link to itself leads nowhere, like a link to nothing.
    case ENOENT, ENOTDIR, ELOOP: .fileNotFound(name)
    default:
      StoreError(
        .notReadable, "the file can't be read: \(String(cString: strerror(code)))", file: name)
    }
  }
}
