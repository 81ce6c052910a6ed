import Foundation
package import ListModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Whether a file system has locks.
///
/// Some that are shared over a network have none.
package enum LockSupport {
  /// Whether an error number says that there are no locks.
  package static func isMissing(_ errorNumber: Int32) -> Bool {
    [ENOLCK, ENOTSUP, EOPNOTSUPP].contains(errorNumber)
  }

  /// Whether the volume of a store has no locks, as far as it can be tried beside the store.
  ///
  /// SQLite takes the system's answer for a lock of somebody else, and the store itself must not be
  /// opened to try it: closing it would drop the locks of this process. So a file is made beside it,
  /// locked, and deleted.
  package static func isMissing(beside store: String) -> Bool {
    let folder = URL(fileURLWithPath: store).deletingLastPathComponent()
    let path = folder.appendingPathComponent(".cellar-lock-\(UUID().uuidString)").path
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer {
      close(descriptor)
      unlink(path)
    }
    var lock = flock()
    lock.l_type = Int16(F_RDLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_len = 1
    return fcntl(descriptor, F_SETLK, &lock) != 0 && isMissing(errno)
  }
}

extension StoreError {
  /// The error for a store on a file system without locks.
  package static func noLocks(_ file: String, cause: (any Error)? = nil) -> StoreError {
    StoreError(
      .noLocks,
      "the file system that it is on has no locks, so nothing would keep two programs from writing at "
        + "once; nothing was changed. Keep the store on a local disk, or have the file server's "
        + "locks switched on",
      file: file, cause: cause)
  }
}
