import Foundation
import ListModel
import StoreSchema

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Reads lines from a file or a pipe as they come, holding one line at a time.
struct LineReader {
  /// The longest line, in bytes, without its end.
  static let maximumByteCount = 16 << 20

  private let handle: FileHandle
  private let name: String
  private var buffer: [UInt8] = []
  /// Where the next line starts in the buffer, and how far it was searched for an end.
  private var start = 0
  private var searched = 0
  private var isAtEnd = false
  /// The number of the line that was read last.
  private(set) var lineNumber = 0

  /// What a read gave.
  enum Line {
    case whole([UInt8])
    /// What follows the last line's end.
    case torn([UInt8])
  }

  init(_ handle: FileHandle, name: String) {
    self.handle = handle
    self.name = name
  }

  /// The next line, `nil` at the end.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/feedLimit`` or
  ///   ``/ListModel/StoreError/Code/inputOutput``.
  mutating func next() throws(StoreError) -> Line? {
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        lineNumber += 1
        guard end - start <= Self.maximumByteCount else {
          throw .tooLong(line: lineNumber, of: name)
        }
        let line = Array(buffer[start..<end])
        start = end + 1
        searched = start
        return .whole(line)
      }
      searched = buffer.count
      guard searched - start <= Self.maximumByteCount else {
        lineNumber += 1
        throw .tooLong(line: lineNumber, of: name)
      }
      if isAtEnd {
        guard start < buffer.count else { return nil }
        lineNumber += 1
        defer { start = buffer.count }
        return .torn(Array(buffer[start...]))
      }
      try fill()
    }
  }

  private mutating func fill() throws(StoreError) {
    if start == buffer.count, buffer.capacity > 1 << 20 {
      // One long line, and no other may come.
      buffer = []
    } else {
      buffer.removeFirst(start)
    }
    searched -= start
    start = 0
    let chunk = 1 << 16
    let used = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: chunk))
    var count: Int
    var code: Int32 = 0
    repeat {
      count = buffer.withUnsafeMutableBytes { bytes in
        read(handle.fileDescriptor, bytes.baseAddress.map { $0 + used }, chunk)
      }
      code = errno
    } while count < 0 && code == EINTR
    buffer.removeLast(chunk - max(count, 0))
    guard count >= 0 else {
      throw StoreError(
        .notReadable, "the feed can't be read: \(StoreError.reason(errorNumber: code))", file: name)
    }
    isAtEnd = count == 0
  }
}
