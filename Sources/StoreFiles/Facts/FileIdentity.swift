#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#elseif canImport(Android)
  package import Android
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The identity of a file, whatever its name: its device and its inode.
///
/// A path is looked up without opening the file, because closing a file that SQLite has open would
/// release SQLite's locks.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// The same text in every process, while the file exists: "DEVICE-INODE".
  package var name: String { "\(device)-\(inode)" }

  /// The file at a path, with links followed; `nil` if there is none.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file at a path, or the link if it is one; `nil` if there is neither.
  package init?(ofLinkOrFile path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// An open file; `nil` if the descriptor is none.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file whose status the system gave.
  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// Whether an open file still has a name in some folder.
  static func hasName(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// The bytes of a file; 0 if there is none.
  ///
  /// `path`: Its path, or the name under which it is read in place.
  package static func byteCount(of path: String) -> Int {
    var status = stat()
    let path = InPlaceStore.path(behind: path) ?? path
    return stat(path, &status) == 0 ? Int(clamping: status.st_size) : 0
  }
}
