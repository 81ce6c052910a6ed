import GRDB
package import ListModel

/// The names of cells and authors that were looked up: each has a row of its own.
///
/// They hold as long as no other connection writes, because such rows are never changed by lists.
struct InternedNames {
  fileprivate var cellRows: [CellName: Int] = [:]
  fileprivate var cells: [Int: CellName] = [:]
  fileprivate var authorRows: [Author: Int] = [:]

  /// Makes room: more names than a list screen has are those of a test or of a damaged file.
  fileprivate mutating func limit() {
    if cellRows.count + cells.count + authorRows.count > 1_000 { self = InternedNames() }
  }
}

extension Statements {
  /// The row of a cell's name; a new name is added.
  package func cellRow(_ cell: CellName) throws -> Int {
    if let row = memory.names.cellRows[cell] { return row }
    let row = try nameRow(
      find: "SELECT id FROM cell WHERE name = ?", insert: "INSERT INTO cell (name) VALUES (?)",
      name: cell.rawValue)
    memory.names.limit()
    memory.names.cellRows[cell] = row
    return row
  }

  /// The name of a cell, by its row.
  ///
  /// - Throws: `SQLITE_CORRUPT` if there is no such cell.
  package func cellName(_ row: Int) throws -> CellName {
    if let name = memory.names.cells[row] { return name }
    let name = try self("SELECT name FROM cell WHERE id = ?")
      .first(row) { try CellName($0.text(0)) }
    guard let name else { throw DatabaseError.corrupt("cell \(row) has no name") }
    memory.names.limit()
    memory.names.cells[row] = name
    return name
  }

  /// The row of an author; a new one is added.
  func authorRow(_ author: Author) throws -> Int {
    if let row = memory.names.authorRows[author] { return row }
    let row = try nameRow(
      find: "SELECT id FROM author WHERE name = ?",
      insert: "INSERT INTO author (name) VALUES (?)", name: author.name)
    memory.names.limit()
    memory.names.authorRows[author] = row
    return row
  }

  private func nameRow(find: StaticString, insert: StaticString, name: String) throws -> Int {
    if let row = try self(find).first(name, read: { try $0.integer(0) }) { return row }
    try self(insert).run(name)
    return Int(db.lastInsertedRowID)
  }
}
