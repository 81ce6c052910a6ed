import FeedServing
import ListModel
package import RelayEngine

/// Brings lines of a feed into an engine as they are: their numbers and hashes stay, so clients that
/// have followed the feed go on from their line.
package struct FeedImport: Sendable {
  private let engine: any Engine
  private var lists: [ListID: List] = [:]
  private let now: Int

  private struct List: Sendable {
    var list: ServedList
    var lines: [ServedLine] = []
    var byteCount = 0
    /// The end of the list in the engine.
    var end: LinePosition?
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
  /// - Throws: If it does not follow the list's last line.
  package mutating func take(_ text: [UInt8]) async throws {
    guard let line = try ServedLine(parsing: text) else { return }
    var list: List
    if let found = lists.removeValue(forKey: line.list) {
      list = found
    } else {
      list = List(list: try await current(line.list))
      list.end = list.list.position
    }
    let end = list.list.position?.sequence ?? 0
    if line.position.sequence <= end {
      guard
        try await engine.knows(LogPosition(line.position), of: line.list.rawValue)
          || list.lines.contains(where: { $0.position == line.position })
      else {
        throw RelayFailure(
          .conflict,
          "list \"\(line.list)\" has another line \(line.position.sequence): this is another feed")
      }
      report.skipped += 1
    } else {
      try list.list.apply(line)
      list.list.settle()
      list.lines.append(line)
      list.byteCount += line.text.count
      if list.byteCount > Self.mostBytes { try await append(&list) }
    }
    lists[line.list] = list
  }

  /// Appends what is left.
  package mutating func finish() async throws {
    for (id, var list) in lists {
      try await append(&list)
      lists[id] = list
    }
  }

  private mutating func append(_ list: inout List) async throws {
    guard let last = list.lines.last else { return }
    let lines = list.lines.map { line in
      LogLine(
        LogPosition(line.position), text: line.text,
        // The author is the subject of the token that the edit was sent with.
        edit: line.edit.map { EditKey($0, of: line.author.name) })
    }
    let outcome = try await engine.append(
      LogBatch(to: last.list.rawValue, after: list.end.map { LogPosition($0) }, lines, at: now))
    guard outcome == .appended else {
      throw RelayFailure(
        .conflict, "list \"\(last.list)\" was changed by somebody else meanwhile; import again")
    }
    report.appended += list.lines.count
    list.end = last.position
    list.lines = []
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
}
