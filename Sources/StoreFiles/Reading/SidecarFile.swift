import Foundation
package import ListModel

/// A file that SQLite keeps beside a database, opened for reading.
///
/// It is never `-shm`, because closing a descriptor of that file would drop the locks of this
/// process's connections.
package final class SidecarFile {
  /// The path of the file.
  package let path: String
  let descriptor: Int32

  /// Opens a sidecar file; `nil` if there is none.
  ///
  /// SQLite makes no links and no pipes, so a link is not followed, and a pipe is not waited for.
  ///
  /// - Parameters:
  ///   - kind: Which file it is.
  ///   - database: The path of the database, without links.
  ///   - name: The file's name in errors.
  /// - Throws: ``/ListModel/StoreError`` if it is no regular file, or can't be read.
  package init?(_ kind: Sidecar, of database: String, naming name: String) throws(StoreError) {
    path = database + kind.rawValue
    guard try Self.isThere(kind, of: database, naming: name) else { return nil }
    descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP: throw Self.notRegular(path, name)
      case let code:
        throw StoreError(
          .notReadable, "\(path) can't be read: \(String(cString: strerror(code)))", file: name)
      }
    }
    guard FileStatus(descriptor: descriptor)?.kind == .file else {
      close(descriptor)
      throw Self.notRegular(path, name)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether a database has such a file.
  ///
  /// - Throws: ``/ListModel/StoreError`` if it is a link, a folder or the like.
  package static func isThere(
    _ kind: Sidecar, of database: String, naming name: String
  ) throws(StoreError) -> Bool {
    guard let status = FileStatus(of: database + kind.rawValue) else { return false }
    guard status.kind == .file else { throw notRegular(database + kind.rawValue, name) }
    return true
  }

  private static func notRegular(_ path: String, _ name: String) -> StoreError {
    StoreError(
      .damagedStore,
      "\(path) is no regular file, which no SQLite puts there; it was not followed, and nothing was "
        + "changed. Look where it leads, and move it away",
      file: name)
  }

  /// The size in bytes; 0 if the system does not say.
  package var size: Int { FileStatus(descriptor: descriptor)?.byteCount ?? 0 }

  /// Reads up to a number of bytes into a buffer.
  ///
  /// - Returns: How many bytes were read, up to the first that can't be read.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled,
        off_t(offset + filled))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      filled += count
    }
    return filled
  }

  /// Reads bytes; `nil` if not all of them can be read.
  func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0 else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
    return bytes.count == count ? bytes : nil
  }
}
