import Foundation
package import ListModel
import SQLiteSettings

/// A database file opened for reading without a connection: nothing is created or changed.
///
/// It is opened through SQLite's file layer, because closing any other descriptor of the file would
/// drop the locks of this process's connections.
package final class DatabaseFile {
  /// The path without links; the sidecars are beside it.
  package let path: String
  private let file: OpaquePointer
  /// The file's name in errors.
  private let name: String

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: A regular file; no link.
  ///   - name: The file's name in errors.
  ///   - isLockable: Whether ``lockForReplacement()`` is to be used.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/notReadable``.
  package init(_ path: String, naming name: String, isLockable: Bool = false) throws(StoreError) {
    var opened: OpaquePointer?
    let code = cellar_file_open(path, isLockable ? 1 : 0, &opened)
    guard code == 0, let opened else {
      if access(path, F_OK) != 0, errno == ENOENT { throw .fileNotFound(name) }
      throw StoreError(
        .notReadable, "the file can't be read (\(Self.name(of: code)))", file: name)
    }
    self.path = path
    self.name = name
    file = opened
  }

  deinit { cellar_file_close(file) }

  /// The size in bytes.
  package var size: Int {
    get throws(StoreError) {
      var size: Int64 = 0
      try check(cellar_file_size(file, &size))
      return Int(clamping: size)
    }
  }

  /// Reads up to a number of bytes into a buffer.
  ///
  /// - Returns: How many bytes were read.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError)
    -> Int
  {
    let count = min(buffer.count, max(0, try size - offset))
    if count == 0 { return 0 }
    let code = cellar_file_read(file, buffer.baseAddress, Int32(clamping: count), Int64(offset))
    // The file became shorter meanwhile; missing bytes were read as zeros.
    if code == CELLAR_FILE_SHORT_READ {
      return min(count, max(0, try size - offset))
    }
    try check(code)
    return count
  }

  /// Reads up to a number of bytes.
  func bytes(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = try bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(StoreError) in try read(into: buffer, at: offset) }
    }.get()
    return Array(bytes.prefix(found))
  }

  /// The first 100 bytes of a file without links, or as many as there are.
  package static func firstBytes(
    of path: String, naming name: String
  ) throws(StoreError) -> [UInt8] {
    try DatabaseFile(path, naming: name).bytes(at: 0, count: DatabaseHeader.byteCount)
  }

  /// The result of trying to lock a file.
  package enum Lock {
    /// The file does not change, and its log is not deleted, until ``DatabaseFile/unlock()``.
    case taken
    /// Another connection has the file for itself: it writes, or is about to delete the log.
    case busy
    /// The file system has no locks.
    case unavailable
  }

  /// Takes the lock of a reader.
  func lock() -> Lock {
    switch cellar_file_lock_shared(file) {
    case 0: .taken
    case CELLAR_FILE_BUSY: .busy
    default: .unavailable
    }
  }

  /// Takes the file for itself: no connection in WAL mode has it open, and none uses it.
  package func lockForReplacement() -> Lock {
    switch cellar_file_lock_exclusive(file) {
    case 0: .taken
    case CELLAR_FILE_BUSY: .busy
    default: .unavailable
    }
  }

  func unlock() { cellar_file_unlock(file) }

  /// Whether a connection is about to write, outside of WAL mode.
  var isReserved: Bool {
    var isReserved: Int32 = 0
    return cellar_file_is_reserved(file, &isReserved) == 0 && isReserved != 0
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code != 0 else { return }
    throw StoreError(
      .inputOutput, "the file can't be read (\(Self.name(of: code)))", file: name)
  }

  /// A result code of SQLite in words, such as "SQLite 10 (disk I/O error)".
  static func name(of code: Int32) -> String {
    "SQLite \(code) (\(String(cString: cellar_file_error_text(code))))"
  }
}
