import GRDB
package import ListModel

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
        action: try row.textIfPresent(1).map { try Action(stored: $0.utf8) },
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
}
