import Foundation
package import GRDB
import GRDBSQLite
import ListModel
import StoreFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

// Recognises failures of a full disk.
extension DiskSpace {
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

  /// Names a full disk, or a file system without locks, as the cause of an error, by the system's last
  /// error on a connection.
  ///
  /// - Parameters:
  ///   - error: The error that a statement of the connection has just thrown.
  ///   - db: The connection.
  /// - Returns: `SQLITE_FULL` if the disk or a quota was used up; a ``/ListModel/StoreError`` if there
  ///   are no locks; otherwise `error`.
  package static func explaining(_ error: any Error, by db: Database) -> any Error {
    guard let failure = error as? DatabaseError else { return error }
    let number = sqlite3_system_errno(db.sqliteConnection)
    if locks.contains(failure.extendedResultCode), LockSupport.isMissing(number) {
      let file = sqlite3_db_filename(db.sqliteConnection, "main").map { String(cString: $0) }
      return StoreError.noLocks(file ?? "", cause: failure)
    }
    return explaining(failure, systemError: number)
  }

  /// Failures to take a lock, or to give it back.
  private static let locks: [ResultCode] = [
    .SQLITE_IOERR_LOCK, .SQLITE_IOERR_RDLOCK, .SQLITE_IOERR_UNLOCK,
    .SQLITE_IOERR_CHECKRESERVEDLOCK, .SQLITE_IOERR_SHMLOCK,
  ]

  /// Names a full disk as the cause of an error, by the system's error number.
  package static func explaining(_ error: DatabaseError, systemError: Int32) -> DatabaseError {
    guard error.resultCode == .SQLITE_IOERR, systemError == ENOSPC || systemError == EDQUOT else {
      return error
    }
    let cause = systemError == EDQUOT ? "the quota is used up" : "no space is left on the device"
    return DatabaseError(
      resultCode: .SQLITE_FULL, message: "\(error.message ?? "writing failed"): \(cause)")
  }
}
