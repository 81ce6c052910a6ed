import GRDB
package import ListModel

/// Which edits of a list the outbox has.
package struct KnownEdits {
  /// Whether the outbox has an edit, whatever became of it.
  package var hasAny: Bool
  /// Whether one of them waits for an answer, or for the feed to bring it.
  package var hasWaiting: Bool
}

/// A row of `pendingEdit`.
package struct EditRow: Equatable {
  /// How far the edit got.
  package enum State: String {
    /// An ordinary edit beside one that waits.
    case local
    case waiting
    case accepted
    case conflicted
    case rejected
  }

  let id: Int
  /// The edit's id, by which a server knows it.
  package let name: String
  /// Who made it.
  package let author: Author
  /// When it was made, in milliseconds since 1970.
  package let time: Int?
  /// How far it got.
  package var state: State
  /// What it changes, with the places of the moment when it was made.
  package let changes: [EditedChange]
  /// What takes it out of the list; `nil`: the list does not show it.
  package var undo: [Change]?
  /// Why it conflicts or was refused.
  package var why: String?
  /// What the list has of that which a conflicting change names.
  package var found: JSON?

  /// Whether a server is to answer it.
  var isOpen: Bool { state == .waiting || state == .accepted }
  /// Whether it is made again after a line of the feed.
  var isMadeAgain: Bool { isOpen || state == .local }
}

extension ListRows {
  /// What the next commit notes, if it is a pending edit, or an ordinary one beside one that waits.
  package func editRecord(pending name: String? = nil) throws -> EditRecord? {
    if let name { return EditRecord(name, isPending: true) }
    return try edits().hasWaiting ? EditRecord(EditRecord.newName(), isPending: false) : nil
  }

  /// Which edits the outbox has.
  package func edits() throws -> KnownEdits {
    if let knownEdits { return knownEdits }
    let found = try statements(
      """
      SELECT EXISTS (SELECT 1 FROM pendingEdit WHERE list = ?1), EXISTS (SELECT 1 FROM pendingEdit
        WHERE list = ?1 AND state IN ('waiting', 'accepted'))
      """
    ).first(id) { (try $0.integer(0) != 0, try $0.integer(1) != 0) }
    let edits = KnownEdits(hasAny: found?.0 ?? false, hasWaiting: found?.1 ?? false)
    knownEdits = edits
    return edits
  }

  /// Adds an edit to the outbox.
  func insert(_ record: EditRecord, by author: Author, time: Int?) throws {
    try statements(
      """
      INSERT INTO pendingEdit (list, name, author, time, state, changes, undo)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      id, record.name, try authorRow(author), time,
      (record.isPending ? EditRow.State.waiting : .local).rawValue,
      EditedChange.json(record.changes).text, Self.json(record.undoing))
    let wasWaiting = try edits().hasWaiting
    knownEdits = KnownEdits(hasAny: true, hasWaiting: wasWaiting || record.isPending)
  }

  /// The edits in the order in which they were made.
  package func editRows() throws -> [EditRow] {
    var edits: [EditRow] = []
    try statements(
      """
      SELECT pendingEdit.id, pendingEdit.name, author.name, time, state, changes, undo, why, found
      FROM pendingEdit JOIN author ON author.id = author WHERE list = ? ORDER BY pendingEdit.id
      """
    ).forEach(id) { row in
      guard let state = EditRow.State(rawValue: try row.text(4)) else {
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

  /// Writes what changed of an edit.
  func update(_ edit: EditRow) throws {
    try statements("UPDATE pendingEdit SET state = ?, undo = ?, why = ?, found = ? WHERE id = ?")
      .run(
        edit.state.rawValue, edit.undo.map(Self.json), edit.why, edit.found?.text, edit.id)
    knownEdits = nil
  }

  func delete(_ edit: EditRow) throws {
    try statements("DELETE FROM pendingEdit WHERE id = ?").run(edit.id)
    knownEdits = nil
  }

  private static func json(_ changes: [Change]) -> String {
    EditedChange.json(changes.map { EditedChange($0) }).text
  }
}
