public import Foundation
import ListModel
public import StoreSchema

/// A feed that is read line by line: commits from outside, as FORMATS.md describes them.
public struct FeedReader {
  private var lines: LineReader
  /// What errors call the feed.
  public let name: String

  /// Opens a feed file.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/fileNotFound`` or
  ///   ``StoreError/Code/notReadable``.
  public init(file: URL) throws(StoreError) {
    do {
      self.init(reading: try FileHandle(forReadingFrom: file), name: file.path)
    } catch {
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw .fileNotFound(file.path)
      }
      throw StoreError(.notReadable, "the feed can't be read", file: file.path, cause: error)
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

  /// The next message with its line's number and digest; `nil` at the end.
  ///
  /// - Throws: ``StoreError`` with the line: ``StoreError/Code/malformedFeed``,
  ///   ``StoreError/Code/feedLimit``, or ``StoreError/Code/tornFeed`` for a last line without an
  ///   end.
  mutating func next() throws(StoreError) -> (message: FeedMessage, line: Int, digest: [UInt8])? {
    while let line = try lines.next() {
      switch line {
      case .torn(let bytes):
        throw StoreError(
          .tornFeed,
          "the last line has no end (\(bytes.count) bytes): it was torn off and is not applied; all "
            + "lines before it are",
          file: name, line: lines.lineNumber)
      case .whole(let bytes):
        if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
        return (try message(bytes), lines.lineNumber, Digest.sha256(bytes))
      }
    }
    return nil
  }

  private func message(_ bytes: [UInt8]) throws(StoreError) -> FeedMessage {
    do throws(FormatError) {
      return try FeedMessage(parsing: bytes)
    } catch {
      throw StoreError(
        error.isBeyondLimit ? .feedLimit : .malformedFeed,
        "\(error); nothing of this line was applied", file: name, line: lines.lineNumber,
        cause: error)
    }
  }
}
