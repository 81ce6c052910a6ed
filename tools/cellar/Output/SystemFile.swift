import Foundation
import ListModel

/// An open file, pipe or device, written and read with the system's own calls: their error numbers
/// say why they failed.
struct SystemFile {
  let descriptor: Int32

  static let standardInput = SystemFile(descriptor: 0)
  static let standardOutput = SystemFile(descriptor: 1)
  static let standardError = SystemFile(descriptor: 2)

  /// Writes bytes, all unless something is in the way.
  ///
  /// - Returns: How many were written, and why not all.
  func put(_ bytes: [UInt8]) -> (count: Int, errorNumber: Int32?) {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = write(
          descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
        if count > 0 {
          written += count
        } else if count == 0 {
          return (written, EIO)
        } else if errno != EINTR {
          return (written, errno)
        }
      }
      return (written, nil)
    }
  }

  /// All bytes up to the end.
  func readAll(as name: String) throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    let chunk = 1 << 16
    while true {
      let used = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: chunk))
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress.map { $0 + used }, chunk)
      }
      let number = errno
      bytes.removeLast(chunk - max(count, 0))
      if count == 0 { return bytes }
      if count < 0, number != EINTR { throw StoreError(reading: name, failed: number) }
    }
  }
}

/// A whole file, or standard input for `-`.
func readInput(_ path: String) throws(StoreError) -> [UInt8] {
  if path == "-" { return try SystemFile.standardInput.readAll(as: "standard input") }
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw StoreError(reading: path, failed: errno) }
  defer { close(descriptor) }
  return try SystemFile(descriptor: descriptor).readAll(as: path)
}

/// Checks that a file is there and can be read, without opening it: a pipe would wait.
func requireReadable(_ path: String) throws(StoreError) {
  var status = stat()
  guard stat(path, &status) == 0 else { throw StoreError(reading: path, failed: errno) }
  if status.kind == S_IFDIR { throw StoreError(reading: path, failed: EISDIR) }
  guard access(path, R_OK) == 0 else { throw StoreError(reading: path, failed: errno) }
}

extension stat {
  /// What it is: `S_IFREG`, `S_IFDIR`, ….
  var kind: mode_t { st_mode & S_IFMT }
}
