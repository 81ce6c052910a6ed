import Foundation
import GRDB

extension LogBatch {
  /// Appends the batch, or finds why it does not fit.
  func append(to db: Database) throws -> AppendOutcome {
    let list = try ListRow(id: list, db)
    guard list?.head ?? 0 == expectedSequence, expected.map({ $0.hash == list?.hash }) ?? true
    else {
      return .behind(list.flatMap { $0.head == 0 ? nil : LogPosition($0.head, $0.hash) })
    }
    if let list {
      let answers = try EditAnswer.answers(to: lines.compactMap(\.edit), of: list.number, db)
      if !answers.isEmpty { return .known(answers) }
    }
    guard let last = lines.last else { return .appended }
    let number: Int64
    if let list {
      number = list.number
    } else {
      try db.cachedStatement(sql: "INSERT INTO list (id) VALUES (?)").execute(arguments: [self.list]
      )
      number = db.lastInsertedRowID
    }
    try insert(to: number, db)
    let bytes = (list?.bytes ?? 0) + byteCount
    try db.cachedStatement(
      sql: "UPDATE list SET head = ?, hash = ?, bytes = ?, floor = ? WHERE number = ?"
    ).execute(arguments: [
      last.position.sequence, Data(last.position.hash), bytes,
      // The first line may be a snapshot: nothing before it is there.
      list?.floor ?? lines[0].position.sequence - 1, number,
    ])
    try db.cachedStatement(sql: "INSERT INTO moved (list, at) VALUES (?, ?)")
      .execute(arguments: [self.list, time])
    if bytes > list?.compactAt ?? ListRow.compactAtFirst {
      try db.cachedStatement(sql: "INSERT OR IGNORE INTO work VALUES (?, 0)")
        .execute(arguments: [self.list])
    }
    return .appended
  }

  private func insert(to list: Int64, _ db: Database) throws {
    let insertLine = try db.cachedStatement(sql: "INSERT INTO line VALUES (?, ?, ?, ?, ?, ?)")
    let insertEdit = try db.cachedStatement(
      sql: "INSERT INTO edit VALUES (?, ?, ?, ?, NULL, ?)")
    for line in lines {
      try insertLine.execute(arguments: [
        list, line.position.sequence, Data(line.position.hash), line.edit?.subject, line.edit?.id,
        String(decoding: line.text, as: UTF8.self),
      ])
      if let edit = line.edit {
        try insertEdit.execute(arguments: [
          list, edit.subject, edit.id, line.position.sequence, time,
        ])
      }
    }
  }
}

/// A row of `list`.
struct ListRow {
  let number: Int64
  let head: Int
  let hash: [UInt8]
  let floor: Int
  let bytes: Int
  let compactAt: Int

  /// With how many bytes a new list is looked at.
  static let compactAtFirst = 65_536

  init?(id: String, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "SELECT number, head, hash, floor, bytes, compactAt FROM list WHERE id = ?")
    guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
    number = row[0]
    head = row[1]
    hash = [UInt8](row[2] as Data)
    floor = row[3]
    bytes = row[4]
    compactAt = row[5]
  }
}

extension EditAnswer {
  /// The answers of edits that have one.
  static func answers(
    to edits: [EditKey], of list: Int64, _ db: Database
  ) throws -> [EditKey: EditAnswer] {
    let statement = try db.cachedStatement(
      sql: "SELECT seq, why FROM edit WHERE list = ? AND subject = ? AND id = ?")
    var answers: [EditKey: EditAnswer] = [:]
    for edit in edits {
      guard let row = try Row.fetchOne(statement, arguments: [list, edit.subject, edit.id]) else {
        continue
      }
      answers[edit] = (row[0] as Int?).map(EditAnswer.taken) ?? .refused(row[1] ?? "")
    }
    return answers
  }
}
