import Foundation

/// What the file system says of a file.
package struct FileFacts: Sendable {
  package let byteCount: Int
  /// When it was changed last, in nanoseconds since 1970.
  package let modifiedAt: Int
  package let inode: UInt64
  package let device: UInt64

  /// - Returns: `nil` if there is no regular file at the path itself.
  package init?(of path: String) {
    var values = stat()
    guard lstat(path, &values) == 0, values.st_mode & S_IFMT == S_IFREG else { return nil }
    byteCount = Int(values.st_size)
    #if canImport(Darwin)
      let time = values.st_mtimespec
    #else
      let time = values.st_mtim
    #endif
    modifiedAt = Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
    inode = UInt64(values.st_ino)
    device = UInt64(truncatingIfNeeded: values.st_dev)
  }
}
