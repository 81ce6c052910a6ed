import Foundation
import ListModel

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
    var status = stat()
    if lstat(path, &status) == 0 {
      guard replaces else { throw isThere(path) }
      guard status.kind == S_IFREG else {
        throw StoreError(.notWritable, "only a file can be replaced, and it is none", file: path)
      }
    }
    let draft = try DraftFile(of: path, named: path)
    if let number = draft.file.put(bytes).errorNumber {
      throw StoreError(writing: path, failed: number)
    }
    guard fsync(draft.file.descriptor) == 0 else { throw StoreError(writing: path, failed: errno) }
    // A link fails if there is a file by now; a rename replaces it. Without its object the draft goes.
    let code = withExtendedLifetime(draft) {
      (replaces ? rename(draft.path, path) : link(draft.path, path)) == 0 ? 0 : errno
    }
    if code != 0 { throw code == EEXIST ? isThere(path) : StoreError(writing: path, failed: code) }
  }

  private static func isThere(_ path: String) -> StoreError {
    StoreError(
      .notWritable, "there is a file already; give a name that is free, or --force", file: path)
  }
}
