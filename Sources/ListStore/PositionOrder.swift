import GRDB
import StoreSchema

/// How rows under one parent keep their order: by positions with gaps.
///
/// The whole of the scheme is behind this interface; a later migration may replace it. An insert
/// writes one row unless the gap is used up: then the parent's rows are spread out again, O(*m*).
/// Finding the row at an index or the index of a row reads O(*m*) index entries, *m* siblings.
struct PositionOrder {
  private let db: Database
  private let statements: Statements

  /// The queries for one kind of rows.
  ///
  /// All take the parent first.
  private struct Statements {
    var countBelow: String
    var positionAtIndex: String
    var last: String
    var rows: String
    var setAside: String
    var setPosition: String
  }

  /// Between neighbours that were never squeezed.
  private static let gap = 1 << 32
  /// Positions stay within ± this, so that differences can't overflow.
  private static let limit = 1 << 61

  /// The order of sections in a list.
  static func sections(_ db: Database) -> PositionOrder {
    PositionOrder(
      db: db,
      statements: Statements(
        countBelow: "SELECT count(*) FROM section WHERE list = ? AND position < ?",
        positionAtIndex:
          "SELECT position FROM section WHERE list = ? ORDER BY position LIMIT 1 OFFSET ?",
        last: "SELECT max(position) FROM section WHERE list = ?",
        rows: "SELECT id FROM section WHERE list = ? ORDER BY position",
        setAside: "UPDATE section SET position = position - ? WHERE list = ?",
        setPosition: "UPDATE section SET position = ? WHERE id = ?"))
  }

  /// The order of items in a section.
  static func items(_ db: Database) -> PositionOrder {
    PositionOrder(
      db: db,
      statements: Statements(
        countBelow: "SELECT count(*) FROM item WHERE section = ? AND position < ?",
        positionAtIndex:
          "SELECT position FROM item WHERE section = ? ORDER BY position LIMIT 1 OFFSET ?",
        last: "SELECT max(position) FROM item WHERE section = ?",
        rows: "SELECT id FROM item WHERE section = ? ORDER BY position",
        setAside: "UPDATE item SET position = position - ? WHERE section = ?",
        setPosition: "UPDATE item SET position = ? WHERE id = ?"))
  }

  /// The index of the row at a position.
  func index(ofPosition position: Int, in parent: Int) throws -> Int {
    try integer(statements.countBelow, [parent, position]) ?? 0
  }

  /// A position in the gap before the row at `index`, or after the last row where `index` is the
  /// count.
  ///
  /// - Parameters:
  ///   - index: In `0...count`.
  ///   - count: How many rows the parent has.
  ///   - parent: The row of the list or the section.
  /// - Returns: A position that no row of the parent has.
  /// - Throws: What SQLite throws; rows may be spread out by then, in the same order.
  func makePosition(inGap index: Int, count: Int, in parent: Int) throws -> Int {
    // Both were counted from rows that a file holds.
    guard index >= 0, index <= count else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "a stored count is wrong: no place \(index) of \(count)")
    }
    if let position = try position(inGap: index, count: count, in: parent) { return position }
    try spreadOut(count: count, in: parent)
    guard let position = try position(inGap: index, count: count, in: parent) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "no row at index \(index) of \(count)")
    }
    return position
  }

  /// `nil` where the gap is used up.
  private func position(inGap index: Int, count: Int, in parent: Int) throws -> Int? {
    if count == 0 { return 0 }
    if index == count {
      guard let last = try integer(statements.last, [parent]), last < Self.limit else { return nil }
      return last + Self.gap
    }
    guard let next = try integer(statements.positionAtIndex, [parent, index]) else { return nil }
    if index == 0 { return next > -Self.limit ? next - Self.gap : nil }
    guard let previous = try integer(statements.positionAtIndex, [parent, index - 1]) else {
      return nil
    }
    let (room, overflow) = next.subtractingReportingOverflow(previous)
    return !overflow && room > 1 ? previous + room / 2 : nil
  }

  /// Gives all rows of a parent positions with the full gap again.
  private func spreadOut(count: Int, in parent: Int) throws {
    let rows = try Row.fetchAll(db.cachedStatement(sql: statements.rows), arguments: [parent])
    // Out of the way first: positions are unique under a parent at every moment.
    let statement = try db.cachedStatement(sql: statements.setAside)
    try statement.execute(arguments: [2 * Self.limit, parent])
    let place = try db.cachedStatement(sql: statements.setPosition)
    for (index, row) in rows.enumerated() {
      try place.execute(arguments: [(index - rows.count / 2) * Self.gap, try row.integer(0)])
    }
  }

  private func integer(_ sql: String, _ arguments: StatementArguments) throws -> Int? {
    try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)?.integerIfPresent(0)
  }
}
