import Foundation
package import GRDB
import GRDBSQLite
package import ListModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// Recognises failures of a full disk, and checks the free space before a migration.
package enum FullVolume {
  /// The words for a failure that a full disk has caused.
  ///
  /// - Returns: `nil` if the failure has another cause.
  static func reason(of error: DatabaseError, file: String) -> String? {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    let free = freeBytes(at: folder)
    switch error.resultCode {
    case .SQLITE_FULL: break
    // Some systems reserve space before it is used. SQLite then says only that writing failed.
    case .SQLITE_IOERR where writes.contains(error.extendedResultCode.rawValue):
      guard let free, free < leastRoom else { return nil }
    default: return nil
    }
    guard let free else { return "no room is left; free some, then try again" }
    var places = "\(text(free)) are free on the volume of \(folder)"
    if let temporary = otherTemporaryFolder(than: folder),
      let free = freeBytes(at: temporary)
    {
      places += ", \(text(free)) on that of \(temporary), where SQLite sorts"
    }
    let limit =
      free > plentyOfRoom
      ? "; if that is enough, a quota or `Repository.Options.maximumByteCount` ended it" : ""
    return "no room is left: \(places)\(limit). Free some, then try again"
  }

  /// Failures that a full disk can cause.
  private static let writes = Set(
    [
      ResultCode.SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC,
      .SQLITE_IOERR_TRUNCATE, .SQLITE_IOERR_SHMOPEN, .SQLITE_IOERR_SHMSIZE,
      .SQLITE_IOERR_SHMMAP, .SQLITE_IOERR_CLOSE,
    ].map(\.rawValue))

  /// Less free space than this is too little to open a store: SQLite's shared memory takes 32 KiB,
  /// and a commit some pages.
  private static let leastRoom = 256 << 10
  private static let plentyOfRoom = 16 << 20

  /// Recognises a full disk by the system's last error on a connection.
  ///
  /// - Parameters:
  ///   - error: The error that a statement of the connection has just thrown.
  ///   - db: The connection.
  /// - Returns: `SQLITE_FULL` if the disk or a quota was used up; otherwise `error`.
  package static func told(_ error: any Error, by db: Database) -> any Error {
    guard let failure = error as? DatabaseError else { return error }
    return told(failure, systemError: sqlite3_system_errno(db.sqliteConnection))
  }

  /// Recognises a full disk by the system's error number.
  package static func told(_ error: DatabaseError, systemError: Int32) -> DatabaseError {
    guard error.resultCode == .SQLITE_IOERR, systemError == ENOSPC || systemError == EDQUOT else {
      return error
    }
    let said = systemError == EDQUOT ? "the quota is used up" : "no space is left on the device"
    return DatabaseError(
      resultCode: .SQLITE_FULL, message: "\(error.message ?? "writing failed"): \(said)")
  }

  // MARK: Before a migration

  /// Refuses migrations for which the disk has no room, before they begin.
  ///
  /// A migration that drops a table copies its rows to another one first. Until it ends, the old
  /// rows, the new rows and the log of both take space.
  ///
  /// - Parameters:
  ///   - pending: The migrations to be applied.
  ///   - file: The store.
  ///   - backsUp: Whether a backup is made first, which takes as much room as the store.
  ///   - freeBytes: The free bytes of the store's volume; `nil` if the system does not say.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/storeFull``.
  package static func requireRoom(
    for pending: [Migration], of file: String, backsUp: Bool = false, freeBytes: Int?
  ) throws(StoreError) {
    guard !pending.isEmpty else { return }
    try require(
      neededBytes(for: pending, of: file, backsUp: backsUp) - slack,
      to: "migrate the store", in: URL(fileURLWithPath: file).deletingLastPathComponent().path,
      freeBytes: freeBytes, file: file)
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
  private static let slack = 256 << 10

  /// The bytes that migrations may need on the store's volume for a while; 0 for none.
  ///
  /// `backsUp`: Whether a backup is made first, which takes as much room as the store.
  package static func neededBytes(
    for pending: [Migration], of file: String, backsUp: Bool
  ) -> Int {
    if pending.isEmpty { return 0 }
    let size = size(ofStore: file)
    let isRewritten = pending.contains(where: \.rewritesTables)
    return (isRewritten ? 3 * size : 0) + (backsUp ? size : 0) + slack
  }

  /// The bytes of a store with its write-ahead log.
  static func size(ofStore file: String) -> Int { fileSize(file) + fileSize(file + "-wal") }

  /// The free bytes of the volume that a file or folder is on; `nil` if the system does not say.
  package static func freeBytes(at path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
    // Some file systems don't know: they say that they are 0 bytes large.
    guard let attributes, let size = attributes[.systemSize] as? NSNumber, size.int64Value > 0,
      let free = attributes[.systemFreeSize] as? NSNumber
    else { return nil }
    return Int(clamping: free.int64Value)
  }

  private static func fileSize(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    return attributes?[.size] as? Int ?? 0
  }

  /// The folder of SQLite's temporary files, if it is on another volume.
  private static func otherTemporaryFolder(than folder: String) -> String? {
    let environment = ProcessInfo.processInfo.environment
    let candidates = [
      environment["SQLITE_TMPDIR"], environment["TMPDIR"], "/var/tmp", "/usr/tmp", "/tmp",
    ]
    let found = candidates.compactMap(\.self).first {
      FileManager.default.isWritableFile(atPath: $0)
    }
    guard let found, let here = volume(of: folder), let there = volume(of: found), here != there
    else { return nil }
    return found
  }

  private static func volume(of path: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.systemNumber] as? NSNumber)?.intValue
  }

  /// A size in words: "12 bytes", "3.4 MB".
  private static func text(_ bytes: Int) -> String {
    switch bytes {
    case ..<10_000: "\(bytes) bytes"
    case ..<10_000_000: "\(bytes / 1_000) KB"
    case ..<10_000_000_000: "\(bytes / 1_000_000) MB"
    default: "\(bytes / 1_000_000_000) GB"
    }
  }
}
