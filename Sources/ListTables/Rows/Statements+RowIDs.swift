import GRDB

// Items and contents share their ids: the first content of an item has the item's id.
extension Statements {
  /// The greatest id of an item or of a content.
  package static var greatestRowID: Int { 1 << 48 - 1 }

  /// How many ids a writer reserves beyond those that it has given.
  private static var reservedCount: Int { 63 }

  /// An id for an item, a content or a section's view, which none of them has or had.
  func newRowID() throws -> Int {
    var last: (given: Int, reserved: Int)
    if let known = memory.lastRowID {
      last = known
    } else {
      let stored = try self("SELECT lastItem FROM store").first { try $0.integer(0) } ?? 0
      last = (stored, stored)
    }
    guard last.given < Self.greatestRowID else {
      throw DatabaseError.corrupt("there are no more item ids")
    }
    last.given += 1
    memory.lastRowID = last
    return last.given
  }

  /// An id for a block, which none has that is stored or that any list of the transaction has made.
  func newBlockID() throws -> Int {
    let last =
      try memory.lastBlock
      ?? self("SELECT coalesce(max(id), 0) FROM block").first { try $0.integer(0) } ?? 0
    guard last < Int.max else { throw DatabaseError.corrupt("there are no more block ids") }
    memory.lastBlock = last + 1
    return last + 1
  }

  /// Writes which ids were given, and reserves some more, so that few commits write that row.
  func reserveRowIDs() throws {
    guard let last = memory.lastRowID, last.given > last.reserved else { return }
    let reserved = min(last.given + Self.reservedCount, Self.greatestRowID)
    try self("UPDATE store SET lastItem = ?").run(reserved)
    memory.lastRowID = (last.given, reserved)
  }
}
