package import GRDB
package import ListModel

/// One list's rows, through a connection, inside a transaction.
///
/// Rows that were read are kept in memory, and changed rows are written by ``save()``. The object
/// can serve the next transaction too, if nobody else has written meanwhile: see ``StoreWriter``.
package final class ListRows {
  let db: Database
  /// The prepared statements of the connection.
  package let statements: Statements
  /// The list's row.
  package let id: Int
  /// The list's id.
  package let list: ListID
  /// The number of the last commit; one more than the store has while a commit is made.
  package var revision: Int
  var feedSequence: Int
  /// The state's checksum.
  package var digest: StateDigest
  /// The hash that chains the commits.
  package var chain: UInt64
  /// The first revision from which the log leads on.
  package var logFloor: Int
  /// The chain at that revision.
  package var floorChain: UInt64
  /// How many changes all commits had, and how many bytes their rows took.
  var totals: LogTotals
  /// The block over the sections.
  var root: Int
  /// How many sections the list has.
  package var sectionTotal: Int
  /// The app's own data about the list: JSON.
  var meta: String?
  /// The order of the sections, and of the items of each.
  package let tree: BlockTree
  /// The sums of sizes in the blocks of that order.
  package let sums: SizeSums
  /// The last feed line that it took; `nil` before it was asked for.
  var knownFeedHead: FeedPosition.Place?
  /// Where the last run of a feed ended, if before that line; `nil` before it was asked for.
  var knownEndOfFeedRun: FeedPosition.Place??
  /// Whether items of the list own lists; `nil` before it was asked for.
  ///
  /// It stays `true` when they own none any more.
  package var ownsLists: Bool?
  /// Which edits of the list the outbox has; `nil` before it was asked for.
  package var knownEdits: KnownEdits?
  var newItems = NewItems()
  /// Whether the table `item` has rows of the list; `nil` before it was asked for.
  ///
  /// It stays `true` when it has none any more.
  var hasStoredItems: Bool?
  private var sections: [Int: SectionRow] = [:]
  private var sectionsByID: [SectionID: SectionRow] = [:]
  private var authorRows: [Author: Int] = [:]
  private var cellRows: [CellName: Int] = [:]
  private var cellNames: [Int: CellName] = [:]

  /// - Returns: `nil` if the store has no such list.
  package convenience init?(_ db: Database, _ list: ListID) throws {
    try self.init(Statements(db), list)
  }

  /// - Returns: `nil` if the store has no such list.
  package init?(_ statements: Statements, _ list: ListID) throws {
    let found = try statements(
      """
      SELECT id, revision, feedSequence, sectionCount, root, digest, chain, logFloor, floorChain,
        changeTotal, byteTotal, meta
      FROM list WHERE name = ?
      """
    ).first(list.rawValue) { row in
      (
        try row.integer(0), try row.integer(1), try row.integer(2), try row.integer(3),
        try row.integer(4), StateDigest(value: try row.hash(5)), try row.hash(6),
        try row.integer(7), try row.hash(8),
        LogTotals(changes: try row.integer(9), bytes: try row.integer(10)),
        try row.textIfPresent(11)
      )
    }
    guard let found else { return nil }
    db = statements.db
    self.statements = statements
    self.list = list
    (
      id, revision, feedSequence, sectionTotal, root, digest, chain, logFloor, floorChain, totals,
      meta
    ) = found
    tree = BlockTree(statements, list: id)
    sums = SizeSums(statements, tree)
    // A damaged file can hold any number, so check before adding to these.
    let countable = 0...Self.greatestRevision
    guard countable.contains(revision), (0...Block.greatestCount).contains(sectionTotal),
      feedSequence >= 0,
      (0...revision).contains(logFloor), countable.contains(totals.changes),
      countable.contains(totals.bytes)
    else { throw DatabaseError.corrupt("list \"\(list)\" has impossible counts") }
  }

  /// The greatest revision and total that is accepted, because a damaged file can hold any number.
  static let greatestRevision = 1 << 60
  /// The greatest id of an item or of a content.
  package static let greatestRowID = 1 << 48 - 1
  /// How many ids a writer reserves beyond those that it has given.
  private static let reservedRowIDs = 63

  /// Makes an empty list.
  package static func create(_ statements: Statements, _ list: ListID) throws -> ListRows {
    let empty = StateDigest(ListTree(list: list))
    try statements(
      "INSERT INTO list (name, revision, digest, chain, root) VALUES (?, 0, ?, 0, 0)"
    ).run(list.rawValue, empty.value)
    let id = Int(statements.db.lastInsertedRowID)
    let tree = BlockTree(statements, list: id)
    let root = try tree.makeBlock(section: nil)
    try tree.flush()
    try statements("UPDATE list SET root = ? WHERE id = ?").run(root.id, id)
    guard let rows = try ListRows(statements, list) else {
      throw DatabaseError.corrupt("the new list can't be found")
    }
    return rows
  }

  /// Writes the changed rows.
  package func save() throws {
    try writeNewItems()
    try sums.save()
    for (section, place) in tree.displacedSections { sections[section]?.block = place.to }
    try tree.flush()
    for section in sections.values.filter(\.isChanged).sorted(by: { $0.id < $1.id }) {
      try statements("UPDATE section SET root = ?, itemCount = ? WHERE id = ?")
        .run(section.root, section.itemCount, section.id)
      section.isChanged = false
    }
    if let last = statements.memory.lastRowID, last.given > last.reserved {
      // Some more are reserved, so that few commits write this row.
      let reserved = min(last.given + Self.reservedRowIDs, Self.greatestRowID)
      try statements("UPDATE store SET lastItem = ?").run(reserved)
      statements.memory.lastRowID = (last.given, reserved)
    }
    try statements(
      """
      UPDATE list SET revision = ?, feedSequence = ?, sectionCount = ?, root = ?, digest = ?,
        chain = ?, logFloor = ?, floorChain = ?, changeTotal = ?, byteTotal = ? WHERE id = ?
      """
    ).run(
      revision, feedSequence, sectionTotal, root, digest.value, chain, logFloor, floorChain,
      totals.changes, totals.bytes, id)
  }

  /// Begins another transaction, in which nobody else has written to the list since the last one.
  package func beginTransaction() { tree.beginTransaction() }

  /// Ends a transaction, and forgets rows that must not be kept or take too much memory.
  ///
  /// - Returns: Whether the rest may serve another transaction.
  package func endTransaction() -> Bool {
    tree.endTransaction()
    return sections.count + authorRows.count + cellRows.count + cellNames.count <= 1_000
  }

  // MARK: Sections

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
    package var root: Int { didSet { isChanged = isChanged || root != oldValue } }
    /// How many items the section has.
    package var itemCount: Int { didSet { isChanged = true } }
    /// The hash of its layout; `nil` before it was asked for.
    var layoutHash: UInt64?
    fileprivate(set) var isChanged = false

    init(id: Int, section: SectionID, block: Int, root: Int, itemCount: Int) {
      self.id = id
      self.section = section
      hash = section.stableHash
      self.block = block
      self.root = root
      self.itemCount = itemCount
    }
  }

  /// The row of a section; `nil` if the list has no such section.
  package func sectionRow(_ section: SectionID) throws -> SectionRow? {
    if let row = sectionsByID[section] { return row }
    return try statements.section(section, in: id).map(remember)
  }

  func sectionRow(id: Int) throws -> SectionRow {
    if let row = sections[id] { return row }
    return remember(try statements.section(row: id, in: self.id))
  }

  @discardableResult
  func remember(_ row: SectionRow) -> SectionRow {
    sections[row.id] = row
    sectionsByID[row.section] = row
    return row
  }

  func forget(_ row: SectionRow) {
    sections[row.id] = nil
    sectionsByID[row.section] = nil
    tree.forgetSection(row.id)
  }

  /// The row of a section that was found before in this transaction.
  func knownSectionRow(_ section: SectionID) throws -> SectionRow {
    guard let row = try sectionRow(section) else {
      throw DatabaseError.corrupt("section \"\(section)\" has no row")
    }
    return row
  }

  /// The section at an index.
  package func sectionRow(at index: Int) throws -> SectionRow {
    try sectionRow(id: tree.member(at: index, root: root).id)
  }

  func index(of row: SectionRow) throws -> Int {
    try tree.index(of: row.id, in: tree.currentBlock(ofSection: row.id, stored: row.block)).index
  }

  // MARK: Names

  /// The row of a cell's name; a new name is added.
  package func cellRow(_ cell: CellName) throws -> Int {
    if let row = cellRows[cell] { return row }
    let row = try statements.nameRow(
      find: "SELECT id FROM cell WHERE name = ?", insert: "INSERT INTO cell (name) VALUES (?)",
      name: cell.rawValue)
    cellRows[cell] = row
    return row
  }

  func authorRow(_ author: Author) throws -> Int {
    if let row = authorRows[author] { return row }
    let row = try statements.nameRow(
      find: "SELECT id FROM author WHERE name = ?",
      insert: "INSERT INTO author (name) VALUES (?)", name: author.name)
    authorRows[author] = row
    return row
  }

  /// The name of a cell, by its row.
  package func cellName(_ row: Int) throws -> CellName {
    if let name = cellNames[row] { return name }
    let name = try statements.cellName(row)
    cellNames[row] = name
    return name
  }
}
