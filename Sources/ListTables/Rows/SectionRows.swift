import GRDB
package import ListModel

/// A row of `section`, without the attributes.
package final class SectionRow {
  /// The section's row.
  package let id: Int
  /// The section's id.
  package let section: SectionID
  let hash: UInt64
  /// The block of level 0 that has the section in the list's order.
  fileprivate(set) var block: Int
  /// The block over its items.
  package var root: Int { didSet { if root != oldValue { noteChange() } } }
  /// How many items the section has.
  package var itemCount: Int { didSet { noteChange() } }
  /// The hash of its layout; `nil` before it was asked for.
  var layoutHash: UInt64?
  /// Whether it is among ``changes``.
  fileprivate var isChanged = false
  /// Where it notes that it is to be written; `nil` for one that nobody keeps.
  fileprivate weak var changes: SectionRows.Changes?

  init(id: Int, section: SectionID, block: Int, root: Int, itemCount: Int) {
    self.id = id
    self.section = section
    hash = section.stableHash
    self.block = block
    self.root = root
    self.itemCount = itemCount
  }

  private func noteChange() {
    guard !isChanged, let changes else { return }
    isChanged = true
    changes.rows.append(self)
  }
}

/// The sections of a list that were read, and those of them that are to be written.
final class SectionRows {
  private let statements: Statements
  /// The list's row.
  private let list: Int
  private var byRow: [Int: SectionRow] = [:]
  private var byID: [SectionID: SectionRow] = [:]
  private let changes = Changes()

  /// Those that are to be written, unless they were forgotten since.
  fileprivate final class Changes {
    var rows: [SectionRow] = []
  }

  init(_ statements: Statements, list: Int) {
    self.statements = statements
    self.list = list
  }

  /// How many are kept in memory.
  var count: Int { byRow.count }

  /// A section by its id; `nil` if the list has no such section.
  func find(_ section: SectionID) throws -> SectionRow? {
    if let row = byID[section] { return row }
    return try statements.section(section, in: list).map(keep)
  }

  /// A section by its row, which must be there.
  func find(row id: Int) throws -> SectionRow {
    if let row = byRow[id] { return row }
    let found = try statements(
      "SELECT name, block, root, itemCount FROM section WHERE id = ? AND list = ?"
    ).first(id, list) { row in
      SectionRow(
        id: id, section: try SectionID(row.text(0)), block: try row.integer(1),
        root: try row.integer(2), itemCount: try row.count(3))
    }
    guard let found else { throw DatabaseError.corrupt("section \(id) has no row") }
    return keep(found)
  }

  /// Reads sections at once, if their rows are near each other: of a list with many sections.
  ///
  /// `rows`: Theirs.
  func read(_ rows: Set<Int>) throws {
    guard rows.count > 1, let first = rows.min(), let last = rows.max(),
      last - first < 4 * rows.count
    else { return }
    try statements(
      """
      SELECT id, name, block, root, itemCount FROM section WHERE id BETWEEN ? AND ? AND list = ?
      """
    ).forEach(first, last, list) { row in
      let id = try row.integer(0)
      guard rows.contains(id), byRow[id] == nil else { return }
      keep(
        SectionRow(
          id: id, section: try SectionID(row.text(1)), block: try row.integer(2),
          root: try row.integer(3), itemCount: try row.count(4)))
    }
  }

  @discardableResult
  func keep(_ row: SectionRow) -> SectionRow {
    byRow[row.id] = row
    byID[row.section] = row
    row.changes = changes
    return row
  }

  func forget(_ row: SectionRow) {
    byRow[row.id] = nil
    byID[row.section] = nil
  }

  /// Notes that other blocks hold sections now.
  func move(_ displaced: [Int: BlockTree.Displacement]) {
    for (section, place) in displaced { byRow[section]?.block = place.to }
  }

  /// Writes the changed rows.
  func save() throws {
    for section in changes.rows.sorted(by: { $0.id < $1.id }) where byRow[section.id] === section {
      try statements("UPDATE section SET root = ?, itemCount = ? WHERE id = ?")
        .run(section.root, section.itemCount, section.id)
      section.isChanged = false
    }
    changes.rows = []
  }
}

extension Statements {
  /// The row of a section; `nil` if the list has no such section.
  package func section(_ section: SectionID, in list: Int) throws -> SectionRow? {
    try self("SELECT id, block, root, itemCount FROM section WHERE list = ? AND name = ?")
      .first(list, section.rawValue) { row in
        SectionRow(
          id: try row.integer(0), section: section, block: try row.integer(1),
          root: try row.integer(2), itemCount: try row.count(3))
      }
  }
}

extension StatementRow {
  /// A count that is calculated with: a file can hold any number.
  fileprivate func count(_ index: Int32) throws -> Int {
    let count = try integer(index)
    guard (0...Block.greatestCount).contains(count) else {
      throw DatabaseError.corrupt("\(count) is no count")
    }
    return count
  }
}
