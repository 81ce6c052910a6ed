import ListModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Cuts the bytes of a feed into lines, as the bytes arrive.
///
/// It keeps the bytes that were appended and not yet taken as lines.
package struct FeedLines {
  /// The longest line, in bytes, without its end.
  package static let maximumByteCount = 16 << 20
  /// The most levels of arrays and objects in a line, the line itself counted.
  package static let maximumLevelCount = 32

  /// The feed's name in errors.
  let name: String
  /// The number of the line that was taken last, from 1.
  private(set) var number = 0
  private var buffer: [UInt8] = []
  /// Where the next line starts in the buffer.
  private var start = 0
  /// How far the buffer was searched for the line's end.
  private var searched = 0

  init(of name: String) { self.name = name }

  /// Appends a byte.
  ///
  /// Returns: Whether a line is now complete or too long, so that ``next()`` must be called.
  mutating func append(_ byte: UInt8) -> Bool {
    buffer.append(byte)
    return byte == UInt8(ascii: "\n") || buffer.count - start > Self.maximumByteCount
  }

  /// Appends bytes, which may begin and end anywhere in a line.
  package mutating func append(contentsOf bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
  }

  /// Appends one line, or several with line ends between them.
  ///
  /// The last line may have its end or not.
  mutating func append(lines text: String) {
    buffer.append(contentsOf: text.utf8)
    if text.utf8.last != UInt8(ascii: "\n") { buffer.append(UInt8(ascii: "\n")) }
  }

  /// Appends the bytes that a closure writes.
  ///
  /// `count`: How many bytes there is room for.
  /// `write`: Returns how many bytes it has written; a negative number if it failed.
  /// Returns: What `write` returned.
  mutating func append(
    atMost count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Int {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { bytes in
      let written = write(UnsafeMutableRawBufferPointer(bytes))
      buffer.append(contentsOf: UnsafeBufferPointer(rebasing: bytes.prefix(max(written, 0))))
      return written
    }
  }

  /// Takes the next line, without its end.
  ///
  /// - Returns: `nil` if no line is complete.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/feedLimit`` for a line that is too
  ///   long.
  mutating func next() throws(StoreError) -> [UInt8]? {
    if let end = endOfLine() {
      number += 1
      guard end - start <= Self.maximumByteCount else { throw .tooLong(line: number, of: name) }
      defer {
        start = end + 1
        searched = start
      }
      return Array(buffer[start..<end])
    }
    searched = buffer.count
    guard searched - start <= Self.maximumByteCount else {
      number += 1
      throw .tooLong(line: number, of: name)
    }
    dropTakenLines()
    return nil
  }

  /// The place of the next line end among the bytes that were not searched yet.
  private func endOfLine() -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let end = memchr(start + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
      else { return nil }
      return UnsafeRawPointer(end) - start
    }
  }

  private mutating func dropTakenLines() {
    if start == buffer.count {
      // The lines after a very long one are usually short: don't keep that much memory.
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
    } else {
      buffer.removeFirst(start)
    }
    searched -= start
    start = 0
  }

  /// Requires that the feed does not end within a line.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/tornFeed``.
  func requireEnd() throws(StoreError) {
    guard start < buffer.count else { return }
    throw .torn(byteCount: buffer.count - start, line: number + 1, of: name)
  }
}

extension StoreError {
  /// The error for a feed that ends within a line.
  fileprivate static func torn(byteCount: Int, line: Int, of feed: String) -> StoreError {
    StoreError(
      .tornFeed,
      "the last line has no end (\(byteCount) bytes): it was torn off and is not applied; all "
        + "lines before it are",
      file: feed, line: line)
  }

  /// The error for a line that is longer than 16 MiB.
  fileprivate static func tooLong(line: Int, of feed: String) -> StoreError {
    StoreError(
      .feedLimit, "the line is longer than 16 MiB; nothing of it was applied", file: feed,
      line: line)
  }
}
