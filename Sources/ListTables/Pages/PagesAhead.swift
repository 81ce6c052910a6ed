import GRDB
import ListModel
import Pages

/// The pages of a list that know more lines of its feed than it has had: rows of `pageAhead`.
///
/// A line of a feed names a place beside a neighbour, as it was when the line was written, and such a page may
/// have the neighbour elsewhere. So ``Rebase`` takes these pages out of the list, applies the line, and puts them
/// into it again, until the list has had the last line that they know.
package final class PagesAhead {
  private let statements: Statements
  /// The list's row.
  private let list: Int
  /// Whether a ``Rebase`` makes the next commit.
  var isRebased = false
  private var knownSequence: Int?

  init(_ statements: Statements, list: Int) {
    self.statements = statements
    self.list = list
  }

  /// A page that is in the list.
  struct Row {
    /// Its row; `nil` before it has one.
    var id: Int?
    var page: AskedPage
    /// The last line that it knows.
    var sequence: Int
    /// What takes it out of the list.
    var undo: [Change]
  }

  /// The last line that one of them knows, 0 if there is none; asked for once.
  package func sequence() throws -> Int {
    if let knownSequence { return knownSequence }
    let found = try statements("SELECT coalesce(max(sequence), 0) FROM pageAhead WHERE list = ?")
      .first(list) { try $0.integer(0) }
    knownSequence = found
    return found ?? 0
  }

  /// All of them, those that know less first.
  func all() throws -> [Row] {
    var pages: [Row] = []
    try statements(
      "SELECT id, page, sequence, undo FROM pageAhead WHERE list = ? ORDER BY sequence, id"
    ).forEach(list) { row in
      pages.append(
        Row(
          id: try row.integer(0), page: try AskedPage(parsing: row.text(1)),
          sequence: try row.integer(2),
          undo: try EditedChange.changes(parsing: row.text(3)).map(\.change)))
    }
    return pages
  }

  func save(_ page: Row) throws {
    knownSequence = nil
    let undo = EditedChange.json(page.undo.map { EditedChange($0) }).text
    if let id = page.id {
      try statements("UPDATE pageAhead SET undo = ? WHERE id = ?").run(undo, id)
    } else {
      try statements("INSERT INTO pageAhead (list, page, sequence, undo) VALUES (?, ?, ?, ?)")
        .run(list, page.page.json.text, page.sequence, undo)
    }
  }

  /// Forgets those of which the feed has told all with a line.
  func settle(upTo line: FeedLine) throws {
    knownSequence = nil
    try statements("DELETE FROM pageAhead WHERE list = ? AND sequence <= ?")
      .run(list, line.isReset ? .max : line.sequence)
  }

  /// Forgets all.
  func forget() throws {
    try statements("DELETE FROM pageAhead WHERE list = ?").run(list)
    knownSequence = 0
  }
}

extension ListRows: PageFacts {
  /// Whether pages know more than the list's feed has told.
  package func hasPagesAhead() throws -> Bool { try hasPage && pagesAhead.sequence() > 0 }

  /// Makes the pages that are ahead a part of what the feed's lines have made of the list, because something
  /// changes the list that is not taken back for a line.
  ///
  /// From then on nobody knows what the list lacks, or has elsewhere, as after a page that does not say what it
  /// knows.
  package func settlePagesAhead() throws {
    guard try hasPagesAhead() else { return }
    try pagesAhead.forget()
    pageSequence = .max
  }
}
