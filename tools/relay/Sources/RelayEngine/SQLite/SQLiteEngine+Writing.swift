import Foundation
import GRDB

extension SQLiteEngine {
  package func refuse(
    _ edit: EditKey, of list: String, why: String, at time: Int
  ) async throws(EngineError) -> EditAnswer {
    try await write("refuse an edit") { db in
      // A list without a line has no answers to keep: the edit is refused again.
      guard let list = try ListRow(id: list, db) else { return .refused(why) }
      if let answer = try EditAnswer.answers(to: [edit], of: list.number, db)[edit] {
        return answer
      }
      try db.execute(
        sql: "INSERT INTO edit VALUES (?, ?, ?, NULL, ?, ?)",
        arguments: [list.number, edit.subject, edit.id, why, time])
      return .refused(why)
    }
  }

  package func put(
    _ snapshot: LogSnapshot, standingFor line: LogPosition, of list: String, at time: Int
  ) async throws(EngineError) -> Bool {
    try await write("store a snapshot") { db in
      guard let list = try ListRow(id: list, db),
        try Bool.fetchOne(
          db,
          sql: "SELECT EXISTS (SELECT 1 FROM line WHERE list = ? AND seq = ? AND hash = ?)",
          arguments: [list.number, snapshot.position.sequence, Data(line.hash)]) == true
      else { return false }
      try db.execute(
        sql:
          "INSERT INTO snapshot VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text",
        arguments: [
          list.number, snapshot.position.sequence, Data(snapshot.position.hash),
          String(decoding: snapshot.text, as: UTF8.self), time,
        ])
      // Later snapshots replace earlier ones, whose positions stay known.
      try db.execute(
        sql: "UPDATE snapshot SET text = NULL WHERE list = ? AND seq < ? AND text IS NOT NULL",
        arguments: [list.number, snapshot.position.sequence])
      return true
    }
  }

  package func drop(
    _ list: String, through sequence: Int, for snapshot: LogPosition, answersBefore time: Int
  ) async throws(EngineError) -> Bool {
    try await write("drop lines") { db in
      guard let list = try ListRow(id: list, db), sequence < snapshot.sequence,
        try Bool.fetchOne(
          db,
          sql: """
            SELECT EXISTS (SELECT 1 FROM snapshot
              WHERE list = ? AND seq = ? AND hash = ? AND text IS NOT NULL)
            """, arguments: [list.number, snapshot.sequence, Data(snapshot.hash)]) == true
      else { return false }
      try list.drop(through: sequence, db)
      try db.execute(
        sql: "DELETE FROM edit WHERE list = ? AND at < ?", arguments: [list.number, time])
      try db.execute(
        sql: "DELETE FROM snapshot WHERE list = ? AND text IS NULL AND at < ?",
        arguments: [list.number, time])
      return true
    }
  }

  package func delete(
    _ list: String, at end: LogPosition?
  ) async throws(EngineError) -> DeleteOutcome {
    try await write("delete a list") { db in
      guard let row = try ListRow(id: list, db) else { return .missing }
      let found = LogPosition(row.head, row.hash)
      if let end, end != found { return .behind(found) }
      for table in ["line", "edit", "snapshot", "trail"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE list = ?", arguments: [row.number])
      }
      try db.execute(sql: "DELETE FROM work WHERE list = ?", arguments: [list])
      try db.execute(sql: "DELETE FROM list WHERE number = ?", arguments: [row.number])
      try db.execute(
        sql: "INSERT INTO moved (list, at) VALUES (?, 1000 * unixepoch())", arguments: [list])
      return .deleted
    }
  }

  package func takeWork(
    limit: Int, at time: Int, lease: Int
  ) async throws(EngineError) -> [String] {
    try await write("take work") { db in
      let lists = try String.fetchAll(
        db, sql: "SELECT list FROM work WHERE leasedUntil <= ? LIMIT ?", arguments: [time, limit])
      for list in lists {
        try db.execute(
          sql: "UPDATE work SET leasedUntil = ? WHERE list = ?", arguments: [time + lease, list])
      }
      return lists
    }
  }

  package func postponeWork(on list: String, until time: Int) async throws(EngineError) {
    try await write("postpone work") { db in
      try db.execute(
        sql: "UPDATE work SET leasedUntil = ? WHERE list = ?", arguments: [time, list])
    }
  }

  package func finishWork(on list: String) async throws(EngineError) {
    try await write("finish work") { db in
      try db.execute(sql: "DELETE FROM work WHERE list = ?", arguments: [list])
    }
  }

  package func revoke(_ token: String, until time: Int) async throws(EngineError) {
    try await write("revoke a token") { db in
      try db.execute(
        sql: """
          INSERT INTO revoked VALUES (?, ?)
          ON CONFLICT DO UPDATE SET until = max(until, excluded.until)
          """, arguments: [token, time])
    }
  }

  package func tidy(at time: Int) async throws(EngineError) {
    try await write("tidy up") { db in
      try db.execute(
        sql: "DELETE FROM moved WHERE at < ?", arguments: [time - movedLifetime])
      try db.execute(sql: "DELETE FROM revoked WHERE until <= ?", arguments: [time])
    }
  }
}

/// How long an entry of ``Engine/moved(since:)`` stays, in milliseconds: a node that was away for
/// longer looks at all its lists.
let movedLifetime = 600_000

extension ListRow {
  /// Drops lines, and keeps their hashes.
  fileprivate func drop(through sequence: Int, _ db: Database) throws {
    let rows = try Row.fetchCursor(
      db,
      sql:
        "SELECT seq, hash, length(CAST(text AS BLOB)) FROM line WHERE list = ? AND seq <= ? ORDER BY seq",
      arguments: [number, sequence])
    var first: Int?
    var last = 0
    var hashes = Data()
    var left = bytes
    while let row = try rows.next() {
      last = row[0]
      first = first ?? last
      hashes += row[1] as Data
      left -= row[2] as Int
    }
    guard let first else { return }
    try db.execute(
      sql: "INSERT INTO trail VALUES (?, ?, ?, ?)", arguments: [number, last, first, hashes])
    try db.execute(
      sql: "DELETE FROM line WHERE list = ? AND seq <= ?", arguments: [number, sequence])
    try db.execute(
      sql: "UPDATE list SET floor = ?, bytes = ?, compactAt = ? WHERE number = ?",
      arguments: [last, left, max(Self.compactAtFirst, 2 * left), number])
  }
}
