public import Foundation
public import ListModel
import StoreSchema

/// A feed that is read line by line: commits from outside, as <doc:FeedFormat> describes
/// them.
public struct FeedReader {
  private var lines: LineReader
  /// What errors call the feed.
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
  ///   - handle: Where the lines come from.
  ///   - name: What errors call it.
  public init(reading handle: FileHandle, name: String) {
    lines = LineReader(handle, name: name)
    self.name = name
  }

  /// The next message with its line's number and mark; `nil` at the end.
  ///
  /// - Throws: `StoreError` with the line: ``/ListModel/StoreError/Code/malformedFeed``,
  ///   ``/ListModel/StoreError/Code/feedLimit``, or ``/ListModel/StoreError/Code/tornFeed`` for
  ///   a last line without an end.
  mutating func next() throws(StoreError) -> (message: FeedMessage, line: Int, mark: LineMark)? {
    while let line = try lines.next() {
      switch line {
      case .torn(let bytes):
        throw .torn(bytes, line: lines.lineNumber, of: name)
      case .whole(let bytes):
        if bytes.isBlankLine { continue }
        let line = lines.lineNumber
        return (
          try FeedMessage(line: bytes, number: line, of: name), line, LineMark(bytes)
        )
      }
    }
    return nil
  }
}

extension FeedMessage {
  /// Reads a line of a feed.
  ///
  /// - Throws: `StoreError` that names the line: ``/ListModel/StoreError/Code/malformedFeed`` or
  ///   ``/ListModel/StoreError/Code/feedLimit``.
  init(line bytes: [UInt8], number: Int, of feed: String) throws(StoreError) {
    do throws(FormatError) {
      try self.init(parsing: bytes)
    } catch {
      throw StoreError(
        error.isBeyondLimit ? .feedLimit : .malformedFeed,
        "\(error); nothing of this line was applied", file: feed, line: number, cause: error)
    }
  }
}

extension StoreError {
  /// A feed that ends within a line.
  static func torn(_ bytes: [UInt8], line: Int, of feed: String) -> StoreError {
    StoreError(
      .tornFeed,
      "the last line has no end (\(bytes.count) bytes): it was torn off and is not applied; all "
        + "lines before it are",
      file: feed, line: line)
  }

  /// A line that is longer than a feed's may be.
  static func tooLong(line: Int, of feed: String) -> StoreError {
    StoreError(
      .feedLimit, "the line is longer than 16 MiB; nothing of it was applied", file: feed,
      line: line)
  }

  /// Names the feed's line, unless the trouble is the store's own.
  func placed(in feed: String, line: Int) -> StoreError {
    guard cause is ChangeError || file == nil else { return self }
    var error = self
    error.file = feed
    error.line = line
    return error
  }
}

extension Collection<UInt8> {
  /// Whether a line says nothing.
  var isBlankLine: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
