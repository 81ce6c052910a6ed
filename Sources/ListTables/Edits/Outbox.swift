import GRDB
import ListModel

/// The edits of a list that wait for a server's answer, and those beside them: rows of
/// `pendingEdit`.
package final class Outbox {
  private let statements: Statements
  /// The list's row.
  private let list: Int
  private var knownContents: Contents?

  /// Which edits there are.
  package struct Contents {
    /// Whether there is an edit, whatever became of it.
    package var hasAny: Bool
    /// Whether one of them waits for an answer, or for the feed to bring it.
    package var hasWaiting: Bool
  }

  init(_ statements: Statements, list: Int) {
    self.statements = statements
    self.list = list
  }

  /// Which edits there are; asked for once.
  package func contents() throws -> Contents {
    if let knownContents { return knownContents }
    let found = try statements(
      """
      SELECT EXISTS (SELECT 1 FROM pendingEdit WHERE list = ?1), EXISTS (SELECT 1 FROM pendingEdit
        WHERE list = ?1 AND state IN ('waiting', 'accepted'))
      """
    ).first(list) { (try $0.integer(0) != 0, try $0.integer(1) != 0) }
    let contents = Contents(hasAny: found?.0 ?? false, hasWaiting: found?.1 ?? false)
    knownContents = contents
    return contents
  }

  /// What the next commit notes, if it is a pending edit, or an ordinary one beside one that waits.
  package func record(pending name: String? = nil) throws -> EditRecord? {
    if let name { return EditRecord(name, isPending: true) }
    return try contents().hasWaiting
      ? EditRecord(EditRecord.newName(), isPending: false) : nil
  }

  /// The edits in the order in which they were made.
  package func edits() throws -> [EditRow] {
    var edits: [EditRow] = []
    try statements(
      """
      SELECT pendingEdit.id, pendingEdit.name, author.name, time, state, changes, undo, why, found
      FROM pendingEdit JOIN author ON author.id = author WHERE list = ? ORDER BY pendingEdit.id
      """
    ).forEach(list) { row in
      guard let state = EditRow.Progress(rawValue: try row.text(4)) else {
        throw DatabaseError.corrupt("an edit has the state \"\(try row.text(4))\"")
      }
      edits.append(
        EditRow(
          id: try row.integer(0), name: try row.text(1), author: try Author(row.text(2)),
          time: try row.integerIfPresent(3), state: state,
          changes: try EditedChange.changes(parsing: row.text(5)),
          undo: try row.textIfPresent(6).map { text in
            try EditedChange.changes(parsing: text).map(\.change)
          },
          why: try row.textIfPresent(7),
          found: try row.textIfPresent(8).map { try JSON(parsing: $0) }))
    }
    return edits
  }

  /// Adds an edit that was just made.
  func insert(_ record: EditRecord, by author: Author, time: Int?) throws {
    try insert(
      EditRow(
        name: record.name, author: author, time: time,
        state: record.isPending ? .waiting : .local, changes: record.changes, undo: record.undoing))
  }

  /// Adds an edit after those that are there.
  package func insert(_ edit: EditRow) throws {
    try statements(
      """
      INSERT INTO pendingEdit (list, name, author, time, state, changes, undo, why, found)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      list, edit.name, try statements.authorRow(edit.author), edit.time, edit.state.rawValue,
      EditedChange.json(edit.changes).text, edit.undo.map(Self.json), edit.why, edit.found?.text)
    let wasWaiting = try contents().hasWaiting
    knownContents = Contents(hasAny: true, hasWaiting: wasWaiting || edit.isOpen)
  }

  /// Whether an edit waits for its answer without being in the list; `nil` if it does not wait.
  package func isAside(_ edit: String) throws -> Bool? {
    try statements(
      "SELECT undo IS NULL FROM pendingEdit WHERE list = ? AND name = ? AND state = 'waiting'"
    ).first(list, edit) { try $0.integer(0) != 0 }
  }

  /// Notes that the server has taken an edit, which the feed will bring.
  package func accept(_ edit: String) throws {
    try statements(
      "UPDATE pendingEdit SET state = 'accepted' WHERE list = ? AND name = ? AND state = 'waiting'"
    ).run(list, edit)
  }

  /// The row of the last edit that the server has taken and that the list still waits for; 0 for none.
  package func lastAccepted() throws -> Int {
    try statements(
      "SELECT coalesce(max(id), 0) FROM pendingEdit WHERE list = ? AND state = 'accepted'"
    ).first(list) { try $0.integer(0) } ?? 0
  }

  /// Makes edits a part of what the server has: those that it has taken, and the ordinary ones before them.
  ///
  /// `last`: The row of the last one.
  ///
  /// - Returns: Those that a server was to answer.
  package func settle(upTo last: Int) throws -> [EditRow] {
    if last == 0 { return [] }
    let settled = try edits().filter {
      $0.id <= last && ($0.state == .accepted || $0.state == .local)
    }
    for edit in settled { try delete(edit) }
    return settled.filter(\.isOpen)
  }

  /// Writes what changed of an edit.
  func update(_ edit: EditRow) throws {
    try statements(
      "UPDATE pendingEdit SET state = ?, changes = ?, undo = ?, why = ?, found = ? WHERE id = ?"
    ).run(
      edit.state.rawValue, EditedChange.json(edit.changes).text, edit.undo.map(Self.json), edit.why,
      edit.found?.text, edit.id)
    knownContents = nil
  }

  func delete(_ edit: EditRow) throws {
    try statements("DELETE FROM pendingEdit WHERE id = ?").run(edit.id)
    knownContents = nil
  }

  /// Deletes an edit that conflicts or was rejected.
  ///
  /// - Returns: `false` if there is no such edit.
  package func discard(_ edit: String) throws -> Bool {
    let delete = try statements(
      """
      DELETE FROM pendingEdit
      WHERE list = ? AND name = ? AND state IN ('conflicted', 'rejected')
      """)
    try delete.run(list, edit)
    knownContents = nil
    return delete.changeCount > 0
  }

  private static func json(_ changes: [Change]) -> String {
    EditedChange.json(changes.map { EditedChange($0) }).text
  }
}
