import Foundation
package import ListModel

/// Files and folders whose contents must be on the disk before something else is done.
package enum DurableFile {
  /// Waits until the disk has a file's bytes, or a folder's names.
  ///
  /// Never for a database that a connection of this process has open: closing the descriptor would
  /// drop its locks.
  package static func synchronise(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw refusal(path, errno) }
    defer { close(descriptor) }
    #if canImport(Darwin)
      // `fsync` leaves bytes in the disk's cache there.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(descriptor) == 0 else { throw refusal(path, errno) }
  }

  private static func refusal(_ path: String, _ code: Int32) -> StoreError {
    StoreError(
      code == ENOSPC || code == EDQUOT ? .storeFull : .inputOutput,
      "the file can't be brought to the disk: \(StoreError.reason(errorNumber: code))", file: path)
  }
}
