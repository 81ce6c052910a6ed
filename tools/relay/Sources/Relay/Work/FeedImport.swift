import FeedServing
import Foundation
import ListModel
package import RelayEngine

/// Brings lines of a feed into an engine as they are: their numbers and hashes stay, so clients that
/// have followed the feed go on from their line.
///
/// What it leaves is a log without gaps. So a snapshot that leaves numbers out and a reset are taken
/// only where the log begins.
package struct FeedImport: Sendable {
  private let engine: any Engine
  private var lists: [ListID: List] = [:]
  private let now: Int

  fileprivate struct List: Sendable {
    var list: ServedList
    /// Lines that the engine does not have yet; their numbers follow each other.
    var lines: [Taken] = []
    /// The edits that these lines answer, and the places of the lines.
    var edits: [EditKey: Int] = [:]
    var byteCount = 0
    /// The end of the list in the engine.
    var end: LinePosition?
    /// Lines that the engine has from a number on, read to be compared with the feed's.
    var stored: (from: Int, lines: [LogPosition]) = (0, [])
    /// Whether the feed has had a line of it.
    var isBegun = false
    /// The place of a reset that no line has followed yet.
    var reset: Int?
  }

  /// A line, and its place in the feed.
  fileprivate struct Taken: Sendable {
    let line: ServedLine
    let place: Int
  }

  /// How many lines were appended, and how many were there.
  package private(set) var report = (appended: 0, skipped: 0)

  private static let mostBytes = 4 << 20

  /// `now`: The time, in milliseconds since 1970.
  package init(into engine: any Engine, now: Int) {
    self.engine = engine
    self.now = now
  }

  /// Takes a line.
  ///
  /// - Parameters:
  ///   - text: The line, without its line feed.
  ///   - place: Which line of the feed it is, from 1.
  /// - Throws: ``FeedImportError`` if it does not follow the list's last line, or the engine's error.
  package mutating func take(_ text: [UInt8], at place: Int) async throws {
    do {
      if let line = try ServedLine(parsing: text) {
        try await use(line.list) { work, list in try await work.take(line, at: place, &list) }
      } else if let id = Self.resetList(text) {
        try await use(id) { _, list in try list.takeReset(at: place) }
      }
    } catch let error as EngineError {
      throw error
    } catch let error as FeedImportError {
      throw error
    } catch {
      throw FeedImportError(at: place, "\(error)")
    }
  }

  /// Appends what is left.
  ///
  /// - Throws: ``FeedImportError`` if the feed ends with a reset that the log can't take, or the
  ///   engine's error.
  package mutating func finish() async throws {
    for id in lists.keys { try await use(id) { work, list in try await work.append(&list) } }
    for list in lists.values {
      if let reset = list.reset { throw list.refusal(ofReset: reset, at: reset) }
    }
  }

  /// Changes a list in its place; it stays as it is then, also after an error.
  private mutating func use(
    _ id: ListID, _ body: (inout FeedImport, inout List) async throws -> Void
  ) async throws {
    var list: List
    if let found = lists.removeValue(forKey: id) {
      list = found
    } else {
      list = List(list: try await current(id))
      list.end = list.list.position
    }
    do { try await body(&self, &list) } catch {
      lists[id] = list
      throw error
    }
    lists[id] = list
  }

  // MARK: Lines

  private mutating func take(_ line: ServedLine, at place: Int, _ list: inout List) async throws {
    let number = line.position.sequence
    let end = list.list.position?.sequence ?? 0
    let reset = list.reset
    list.isBegun = true
    list.reset = nil
    if number <= end {
      // A server may put a snapshot in the place of its lines. After a reset it would be of others.
      if !line.isSnapshot || reset != nil, try await !isThere(line, &list) {
        if let reset { throw list.refusal(ofReset: reset, at: place) }
        throw FeedImportError(
          at: place, "list \"\(line.list)\" has another line \(number): this is another feed")
      }
      report.skipped += 1
      return
    }
    if let reset { throw list.refusal(ofReset: reset, at: place) }
    if end > 0, line.isSnapshot, number > end + 1 {
      throw FeedImportError(
        at: place,
        "the snapshot \(number) of list \"\(line.list)\" leaves out the numbers after \(end), and a log "
          + "leaves out none; import the feed from this line on, where the list is not there yet")
    }
    if let key = line.editKey, let other = list.edits.updateValue(place, forKey: key) {
      throw FeedImportError(
        at: place, "the edit \"\(key.id)\" of \"\(key.subject)\" is in line \(other) already")
    }
    try list.list.apply(line)
    list.list.settle()
    list.lines.append(Taken(line: line, place: place))
    list.byteCount += line.text.count
    if list.byteCount > Self.mostBytes { try await append(&list) }
  }

  private func isThere(_ line: ServedLine, _ list: inout List) async throws -> Bool {
    let number = line.position.sequence
    if let first = list.lines.first?.line.position.sequence, number >= first {
      return list.lines[number - first].line.position == line.position
    }
    let position = LogPosition(line.position)
    // Many at once: a feed that is imported again has them one after another.
    if number < list.stored.from || number > list.stored.lines.last?.sequence ?? 0 {
      list.stored.from = number
      list.stored.lines = try await engine.lines(
        of: line.list.rawValue, after: number - 1, byteCount: Self.mostBytes
      ).map(\.position)
    }
    // A log in which numbers are missing is not this one's, and is read all the same.
    if let first = list.stored.lines.first?.sequence,
      case let index = number - first, list.stored.lines.indices.contains(index),
      list.stored.lines[index] == position
    {
      return true
    }
    return try await engine.knows(position, of: line.list.rawValue)
  }

  /// Appends the lines that the engine lacks, up to one whose edit has an answer already.
  private mutating func append(_ list: inout List) async throws {
    let id = list.list.id.rawValue
    let answers = try await engine.answers(to: Array(list.edits.keys), of: id)
    let known = list.lines.first { $0.line.editKey.map { answers[$0] != nil } ?? false }
    let lines = list.lines.prefix { $0.place != known?.place }
    if let last = lines.last?.line.position {
      let outcome = try await engine.append(
        LogBatch(
          to: id, after: list.end.map { LogPosition($0) },
          lines.map {
            LogLine(LogPosition($0.line.position), text: $0.line.text, edit: $0.line.editKey)
          }, at: now))
      guard outcome == .appended else {
        throw RelayFailure(
          .conflict, "list \"\(id)\" was changed by somebody else meanwhile; import again")
      }
      report.appended += lines.count
      list.end = last
      list.lines.removeFirst(lines.count)
    }
    if let known {
      throw FeedImportError(
        at: known.place,
        "the edit \"\(known.line.edit ?? "")\" has an answer in list \"\(id)\" already")
    }
    list.edits = [:]
    list.byteCount = 0
  }

  /// The list as the engine has it.
  private func current(_ id: ListID) async throws -> ServedList {
    var list = ServedList(id)
    if let snapshot = try await engine.snapshot(of: id.rawValue),
      let line = try ServedLine(parsing: snapshot.text)
    {
      try list.apply(line)
      if let own = try await engine.lines(
        of: id.rawValue, after: line.position.sequence - 1, byteCount: 0
      ).first {
        list.move(to: LinePosition(own.position))
      }
    }
    while true {
      let lines = try await engine.lines(
        of: id.rawValue, after: list.position?.sequence ?? 0, byteCount: Self.mostBytes)
      if lines.isEmpty { return list }
      for stored in lines {
        if let line = try ServedLine(parsing: stored.text) { try list.apply(line) }
      }
      list.settle()
    }
  }

  // MARK: Resets

  /// The list of a line that is a reset; `nil` for other kinds.
  private static func resetList(_ text: [UInt8]) -> ListID? {
    struct Kind: Decodable {
      let t: String
      let list: String
    }
    // A line of another kind may have anything else in it.
    guard let kind = try? JSONDecoder().decode(Kind.self, from: Data(text)), kind.t == "reset"
    else { return nil }
    return try? ListID(kind.list)
  }
}

extension FeedImport.List {
  /// A reset is the beginning of a feed, if the lines that follow are those that the log has.
  fileprivate mutating func takeReset(at place: Int) throws {
    if isBegun { throw refusal(ofReset: place, at: place) }
    if list.position != nil { reset = place }
  }

  fileprivate func refusal(ofReset reset: Int, at place: Int) -> FeedImportError {
    FeedImportError(
      at: place,
      "\(reset == place ? "the reset" : "after the reset of line \(reset)") begins list \"\(list.id)\" "
        + "anew, and its log has lines up to \(list.position?.sequence ?? 0); import the feed from the "
        + "reset on, where the list is not there yet, or after DELETE /list")
  }
}

extension ServedLine {
  /// The edit that it answers: the author is taken for the subject of the token that it was sent with.
  fileprivate var editKey: EditKey? { edit.map { EditKey($0, of: author.name) } }
}

/// Why a line of a feed is not imported.
package struct FeedImportError: Error, CustomStringConvertible {
  /// Which feed it is; empty if it has no name.
  var feed = ""
  /// Which line of the feed it is, from 1.
  package let place: Int
  private let why: String

  init(at place: Int, _ why: String) {
    self.place = place
    self.why = why
  }

  package var description: String {
    "\(feed.isEmpty ? "" : "\(feed), ")line \(place): \(why)"
  }
}
