package import Foundation
package import ListModel

/// The free space of the volume that a store is on.
package enum DiskSpace {
  /// Refuses what needs more room than its folder's volume has, as far as the system says.
  ///
  /// - Parameters:
  ///   - byteCount: How much it needs; 256 KiB are added.
  ///   - attempt: What it is, as in "make a backup".
  ///   - folder: A folder on the volume.
  ///   - file: The store.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/storeFull``.
  package static func require(
    _ byteCount: Int, to attempt: String, in folder: URL, file: String
  ) throws(StoreError) {
    try require(
      byteCount, to: attempt, in: folder.path, freeBytes: freeBytes(at: folder.path), file: file)
  }

  /// Refuses what needs more room than a volume has.
  ///
  /// - Parameters:
  ///   - byteCount: How much it needs; 256 KiB are added.
  ///   - attempt: What it is, as in "migrate the store".
  ///   - folder: A folder on the volume.
  ///   - freeBytes: The free bytes there; `nil` if the system does not say.
  ///   - file: The store.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/storeFull``.
  package static func require(
    _ byteCount: Int, to attempt: String, in folder: String, freeBytes: Int?, file: String
  ) throws(StoreError) {
    let needed = byteCount + slack
    guard let freeBytes, freeBytes < needed else { return }
    throw StoreError(
      .storeFull,
      "can't \(attempt), there is no room: it may need \(text(needed)) for a while, and "
        + "\(text(freeBytes)) are free on the volume of \(folder). Nothing was changed: free "
        + "\(text(needed - freeBytes)) more, then try again",
      file: file)
  }

  /// What everything needs besides.
  package static let slack = 256 << 10

  /// The free bytes of the volume that a file or folder is on; `nil` if the system does not say.
  package static func freeBytes(at path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
    // Some file systems don't know: they say that they are 0 bytes large.
    guard let attributes, let size = attributes[.systemSize] as? NSNumber, size.int64Value > 0,
      let free = attributes[.systemFreeSize] as? NSNumber
    else { return nil }
    return Int(clamping: free.int64Value)
  }

  /// The folder of SQLite's temporary files, if it is on another volume.
  package static func otherTemporaryFolder(than folder: String) -> String? {
    let environment = ProcessInfo.processInfo.environment
    let candidates = [
      environment["SQLITE_TMPDIR"], environment["TMPDIR"], "/var/tmp", "/usr/tmp", "/tmp",
    ]
    let found = candidates.compactMap(\.self).first {
      FileManager.default.isWritableFile(atPath: $0)
    }
    guard let found, let here = FileIdentity(of: folder), let there = FileIdentity(of: found),
      here.device != there.device
    else { return nil }
    return found
  }

  /// A size in words: "12 bytes", "3.4 MB".
  package static func text(_ bytes: Int) -> String {
    switch bytes {
    case ..<10_000: "\(bytes) bytes"
    case ..<10_000_000: "\(bytes / 1_000) KB"
    case ..<10_000_000_000: "\(bytes / 1_000_000) MB"
    default: "\(bytes / 1_000_000_000) GB"
    }
  }
}
