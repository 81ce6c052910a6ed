import Foundation
import ListModel
import StoreFiles

/// Writes a file that only its owner may read, whole or not at all.
enum NewFile {
  /// Writes a file.
  ///
  /// - Parameters:
  ///   - bytes: What is in it.
  ///   - path: Its path.
  ///   - replaces: Whether a file that is there is replaced, in one step; else it is an error.
  /// - Throws: ``StoreError`` if it can't be written; what was there stays.
  static func write(
    _ bytes: [UInt8], to path: String, replacing replaces: Bool
  ) throws(StoreError) {
    let name = NamedFile.name(of: path)
    var status = stat()
    if lstat(path, &status) == 0 {
      guard replaces else { throw isThere(path) }
      guard status.kind == S_IFREG else {
        throw StoreError(.notWritable, "only a file can be replaced, and it is none", file: path)
      }
    }
    let draft =
      NamedFile.folder(of: path) + "/." + String(decoding: name.utf8.prefix(180), as: UTF8.self)
      + ".new-" + UUID().uuidString.lowercased()
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError(writing: path, failed: errno) }
    OwnedPaths.add(draft)
    defer {
      close(descriptor)
      unlink(draft)
      OwnedPaths.remove(draft)
    }
    if let number = SystemFile(descriptor: descriptor).put(bytes).errorNumber {
      throw StoreError(writing: path, failed: number)
    }
    guard fsync(descriptor) == 0 else { throw StoreError(writing: path, failed: errno) }
    // A link fails if there is a file by now; a rename replaces it.
    if (replaces ? rename(draft, path) : link(draft, path)) != 0 {
      throw errno == EEXIST ? isThere(path) : StoreError(writing: path, failed: errno)
    }
  }

  private static func isThere(_ path: String) -> StoreError {
    StoreError(
      .notWritable, "there is a file already; give a name that is free, or --force", file: path)
  }
}
