import Foundation
import ListSync

/// The body of an answer, made into the lines of a feed: lines of JSON, or an event stream whose
/// `data` fields are the lines.
enum FeedStream {
  case lines
  case events(EventStream)

  /// - Returns: `nil` for a type that is no feed, such as the page of a sign-in to a network.
  init?(contentType: String?) {
    let type = contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    switch type {
    case "text/event-stream": self = .events(EventStream())
    case nil, "application/x-ndjson", "application/ndjson", "application/jsonl",
      "application/octet-stream", "text/plain":
      self = .lines
    default: return nil
    }
  }

  /// Appends a part of the body.
  ///
  /// - Returns: Whether it ends with the server's word that there is nothing more for now.
  mutating func append(_ part: Data, to lines: inout FeedLines) -> Bool {
    guard case .events(var events) = self else {
      lines.append(contentsOf: part)
      return false
    }
    defer { self = .events(events) }
    return events.append(part, to: &lines)
  }
}

/// Reads an event stream (HTML Standard, 9.2) byte by byte.
///
/// Each `data` field is one line of the feed; other fields are skipped. Nothing is kept but the
/// beginning of a field's name.
struct EventStream {
  private enum ParserState {
    /// In the name of a field, after so many letters of `data`.
    case name(Int)
    /// Right behind the colon of `data`, where a space does not count.
    case beforeData
    case data
    /// In a comment, which a server sends when it has sent everything.
    case comment
    case skipped
  }

  private var state = ParserState.name(0)
  private static let data = Array("data".utf8)

  /// Appends the data in a part of the stream to a feed's lines.
  ///
  /// - Returns: Whether its last line is a comment.
  mutating func append(_ part: Data, to lines: inout FeedLines) -> Bool {
    var isIdle = false
    var kept: [UInt8] = []
    for byte in part {
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        switch state {
        case .data:
          kept.append(UInt8(ascii: "\n"))
          isIdle = false
        case .comment: isIdle = true
        case .name, .beforeData, .skipped: break
        }
        state = .name(0)
        continue
      }
      switch state {
      case .name(0) where byte == UInt8(ascii: ":"): state = .comment
      case .name(let count) where count < 4 && byte == Self.data[count]: state = .name(count + 1)
      case .name(4) where byte == UInt8(ascii: ":"): state = .beforeData
      case .name: state = .skipped
      case .beforeData:
        state = .data
        if byte != UInt8(ascii: " ") { kept.append(byte) }
      case .data: kept.append(byte)
      case .comment, .skipped: break
      }
    }
    lines.append(contentsOf: kept)
    return isIdle
  }
}
