import Foundation
import GRDB

extension SQLiteEngine {
  package func answers(
    to edits: [EditKey], of list: String
  ) async throws(EngineError) -> [EditKey: EditAnswer] {
    try await read("read answers") { db in
      guard let list = try ListRow(id: list, db) else { return [:] }
      return try EditAnswer.answers(to: edits, of: list.number, db)
    }
  }

  package func heads(of lists: [String]) async throws(EngineError) -> [TextKey: LogHead] {
    try await read("read heads") { db in
      try lists.reduce(into: [:]) { heads, id in
        heads[TextKey(id)] = try ListRow(id: id, db)?.logHead(id)
      }
    }
  }

  package func lists(after id: String?, limit: Int) async throws(EngineError) -> [LogHead] {
    try await read("list lists") { db in
      let ids = try String.fetchAll(
        db, sql: "SELECT id FROM list WHERE head > 0 AND id > ? ORDER BY id LIMIT ?",
        arguments: [id ?? "", limit])
      return try ids.compactMap { try ListRow(id: $0, db)?.logHead($0) }
    }
  }

  package func lines(
    of list: String, after sequence: Int, byteCount: Int
  ) async throws(EngineError) -> [LogLine] {
    try await read("read lines") { db in
      guard let list = try ListRow(id: list, db) else { return [] }
      let statement = try db.cachedStatement(
        sql:
          "SELECT seq, hash, subject, edit, text FROM line WHERE list = ? AND seq > ? ORDER BY seq"
      )
      let rows = try Row.fetchCursor(statement, arguments: [list.number, sequence])
      var lines: [LogLine] = []
      var bytes = 0
      while bytes <= byteCount, let row = try rows.next() {
        let line = LogLine(
          LogPosition(row[0], [UInt8](row[1] as Data)), text: Array((row[4] as String).utf8),
          edit: (row[3] as String?).map { EditKey($0, of: row[2] ?? "") })
        bytes += line.text.count
        lines.append(line)
      }
      return lines
    }
  }

  package func knows(
    _ position: LogPosition, of list: String
  ) async throws(EngineError) -> Bool {
    try await read("look for a line") { db in
      guard let list = try ListRow(id: list, db) else { return false }
      let hash = Data(position.hash)
      let isThere = try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM line WHERE list = ?1 AND seq = ?2 AND hash = ?3)
            OR EXISTS (SELECT 1 FROM snapshot WHERE list = ?1 AND seq = ?2 AND hash = ?3)
            OR EXISTS (SELECT 1 FROM trail WHERE list = ?1 AND last >= ?2 AND first <= ?2
              AND substr(hashes, (?2 - first) * 16 + 1, 16) = ?3)
          """, arguments: [list.number, position.sequence, hash])
      return isThere ?? false
    }
  }

  package func snapshot(of list: String) async throws(EngineError) -> LogSnapshot? {
    try await read("read a snapshot") { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT seq, hash, text FROM snapshot WHERE list = (SELECT number FROM list WHERE id = ?)
          AND text IS NOT NULL ORDER BY seq DESC LIMIT 1
          """, arguments: [list])
      return row.map {
        LogSnapshot(
          LogPosition($0[0], [UInt8]($0[1] as Data)), text: Array(($0[2] as String).utf8))
      }
    }
  }

  package func moved(since cursor: String?) async throws(EngineError) -> MovedLists {
    try await read("look for lines") { db in
      let last =
        try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'moved'") ?? 0
      guard let cursor else {
        return MovedLists(lists: [:], cursor: try MovedCursor(at: last, db).description)
      }
      guard let start = MovedCursor(cursor), start.number <= last, try start.isOfThisFile(db) else {
        throw EngineError.unknownCursor
      }
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT m.list, max(l.head), l.hash, count(*) FROM moved m
          LEFT JOIN list l ON l.id = m.list AND l.head > 0 WHERE m.number > ? GROUP BY m.list
          """, arguments: [start.number])
      var lists: [TextKey: LogPosition?] = [:]
      var count = 0
      while let row = try rows.next() {
        let head = (row[1] as Int?).map { LogPosition($0, [UInt8](row[2] as Data)) }
        lists.updateValue(head, forKey: TextKey(row[0] as String))
        count += row[3] as Int
      }
      // What moved may be tidied already.
      guard count == last - start.number else { throw EngineError.unknownCursor }
      return MovedLists(
        lists: lists,
        cursor: last == start.number ? cursor : try MovedCursor(at: last, db).description)
    }
  }

  package func revocations(at time: Int) async throws(EngineError) -> Set<TextKey> {
    try await read("read revocations") { db in
      Set(
        try String.fetchAll(
          db, sql: "SELECT token FROM revoked WHERE until > ?", arguments: [time]
        ).map { TextKey($0) })
    }
  }

  package func timeline() async throws(EngineError) -> EngineTimeline {
    try await read("read the file's id") { db in
      EngineTimeline(
        system: try String.fetchOne(db, sql: "SELECT system FROM relay") ?? "", number: 1)
    }
  }
}

extension ListRow {
  /// `nil` for a list without a line.
  fileprivate func logHead(_ id: String) -> LogHead? {
    head == 0
      ? nil
      : LogHead(list: id, position: LogPosition(head, hash), floor: floor, byteCount: bytes)
  }
}

/// Where a look for moved lists ended: at which entry, and the time of that entry.
///
/// A file that was put back to an earlier time gives the numbers to other entries, of other times.
private struct MovedCursor: CustomStringConvertible {
  let number: Int
  let time: Int

  /// The cursor at the last entry.
  init(at number: Int, _ db: Database) throws {
    self.number = number
    time = try Self.time(of: number, db) ?? 0
  }

  /// Reads a cursor; `nil` for another text.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), number >= 0, let time = Int(parts[1]) else {
      return nil
    }
    self.number = number
    self.time = time
  }

  /// Whether the entry is the same in a file, or was tidied.
  ///
  /// What was written after the file was put back is younger than a cursor that a node takes, and is
  /// still there.
  func isOfThisFile(_ db: Database) throws -> Bool {
    try Self.time(of: number, db).map { $0 == time } ?? true
  }

  private static func time(of number: Int, _ db: Database) throws -> Int? {
    try Int.fetchOne(db, sql: "SELECT at FROM moved WHERE number = ?", arguments: [number])
  }

  var description: String { "\(number).\(time)" }
}
