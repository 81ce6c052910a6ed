import GRDB
package import ListModel

// The rows that a list in an edit and a pinned Provider both look up.
extension Statements {
  /// The name of a cell.
  ///
  /// - Throws: `SQLITE_CORRUPT` if there is no such cell.
  package func cellName(_ row: Int) throws -> CellName {
    let name = try self("SELECT name FROM cell WHERE id = ?")
      .first(row) { try CellName($0.text(0)) }
    guard let name else { throw DatabaseError.corrupt("cell \(row) has no name") }
    return name
  }

  /// The row of a section; `nil` if the list has no such section.
  package func section(_ section: SectionID, in list: Int) throws -> ListRows.SectionRow? {
    try self("SELECT id, block, root, itemCount FROM section WHERE list = ? AND name = ?")
      .first(list, section.rawValue) { row in
        ListRows.SectionRow(
          id: try row.integer(0), section: section, block: try row.integer(1),
          root: try row.integer(2), itemCount: try row.count(3))
      }
  }

  /// The row of a section that must be there.
  func section(row id: Int, in list: Int) throws -> ListRows.SectionRow {
    let found = try self(
      "SELECT name, block, root, itemCount FROM section WHERE id = ? AND list = ?"
    ).first(id, list) { row in
      ListRows.SectionRow(
        id: id, section: try SectionID(row.text(0)), block: try row.integer(1),
        root: try row.integer(2), itemCount: try row.count(3))
    }
    guard let found else { throw DatabaseError.corrupt("section \(id) has no row") }
    return found
  }
}

/// Reads the contents of items, one after another.
package struct ItemContents {
  private let statement: StoreStatement

  /// An item's content, type and action: a row of `content`.
  package struct Content: Sendable {
    /// The type of the content, with its version.
    package var type: TypeName?
    /// What a tap does.
    package var action: Action?
    /// The item's own data.
    package var content: JSON
  }

  /// A reader on a connection.
  package init(_ statements: Statements) throws {
    statement = try statements("SELECT type, action, content FROM content WHERE id = ?")
  }

  /// A content, by its row.
  ///
  /// - Throws: `SQLITE_CORRUPT` if there is none.
  package func content(_ id: Int) throws -> Content {
    let content = try statement.first(id) { row in
      Content(
        type: try row.textIfPresent(0).map { try TypeName($0) },
        action: try row.textIfPresent(1).map { try Action(JSON(parsing: $0)) },
        content: try row.json(2))
    }
    guard let content else { throw DatabaseError.corrupt("content \(id) is missing") }
    return content
  }
}

extension StatementRow {
  /// The JSON in a column.
  package func json(_ index: Int32) throws -> JSON {
    try withBytes(index) { try JSON(parsing: $0) }
  }

  /// A count that is calculated with: a file can hold any number.
  fileprivate func count(_ index: Int32) throws -> Int {
    let count = try integer(index)
    guard (0...Block.greatestCount).contains(count) else {
      throw DatabaseError.corrupt("\(count) is no count")
    }
    return count
  }
}
