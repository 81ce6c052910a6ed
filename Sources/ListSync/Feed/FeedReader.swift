public import Foundation
public import ListModel
import StoreFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// A feed in a file or a pipe: commits from outside, line by line, as <doc:FeedFormat> describes
/// them.
public struct FeedReader {
  private let handle: FileHandle
  /// The feed's name in errors.
  public let name: String

  /// Opens a feed file.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/fileNotFound`` or
  ///   ``/ListModel/StoreError/Code/notReadable``.
  public init(file: URL) throws(StoreError) {
    do {
      self.init(reading: try FileHandle(forReadingFrom: file), name: file.path)
    } catch {
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw .fileNotFound(file.path)
      }
      throw StoreError(
        .notReadable, "the feed can't be read: \(StoreError.reason(error))", file: file.path,
        cause: error)
    }
  }

  /// Reads a feed from an open file or pipe, up to its end.
  ///
  /// - Parameters:
  ///   - handle: The file or pipe, at the start of a line.
  ///   - name: The feed's name in errors.
  public init(reading handle: FileHandle, name: String) {
    self.handle = handle
    self.name = name
  }

  /// Appends the next bytes to a feed's lines: as many as are available, at most 64 KB.
  ///
  /// - Returns: `false` at the end.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/notReadable``.
  func read(into lines: inout FeedLines) throws(StoreError) -> Bool {
    var code: Int32 = 0
    let count = lines.append(atMost: 1 << 16) { bytes in
      while true {
        let count = Foundation.read(handle.fileDescriptor, bytes.baseAddress, bytes.count)
        code = errno
        if count >= 0 || code != EINTR { return count }
      }
    }
    guard count >= 0 else {
      throw StoreError(
        .notReadable, "the feed can't be read: \(StoreError.reason(errorNumber: code))", file: name)
    }
    return count > 0
  }
}
