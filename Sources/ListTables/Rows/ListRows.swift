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
  /// How many of its items are gaps.
  var gapTotal: Int
  /// The number of the last feed line that may name what the list lacks, although it has no gap, or that pages have
  /// the effect of: the feed may be behind them.
  package var pageSequence: Int
  /// The revision up to which it is known where pages ended; 0: no page is in the list.
  var pageRevision: Int
  /// The app's own data about the list: JSON.
  var meta: String?
  /// The order of the sections, and of the items of each.
  package let tree: BlockTree
  /// The sums of sizes in the blocks of that order.
  package let sums: SizeSums
  /// The feed lines that the list took.
  package let feed: FeedHistory
  /// The edits that wait for a server's answer.
  package private(set) lazy var outbox = Outbox(statements, list: id)
  /// The pages that know more than the list's feed has told.
  package private(set) lazy var pagesAhead = PagesAhead(statements, list: id)
  /// The lists that items of the list own.
  package private(set) lazy var ownedLists = OwnedLists(statements, ownerList: id)
  /// The items by name.
  package let items: ItemRows
  let sections: SectionRows
  /// Where the item is that was looked for last: a commit, and the lists that are derived from it, look for
  /// one several times.
  var lastFound: (item: ItemID, location: ItemLocation, changeOfPlaces: Int)?
  /// The source of a derived list, whose items it has; `nil` unless its commit is being made.
  var lender: ListRows?
  /// The next item that the derived list gets, as the source has it; `nil`: it is looked up.
  var lent: Block.Member?
  /// Items that the derived list has got, and the blocks that got them: their sizes are not counted.
  var borrowed: [Int: Int] = [:]
  /// Items whose contents are others than before the commit that is being made, by their rows: those of
  /// a list with a full-text index.
  var contentChanges: [Int: ContentChange] = [:]
  /// The keys of the derived list that were read last.
  var knownKeys = KnownKeys()
  /// Items of the derived list that name other rows now and look as before: no entry tells of them.
  var borrowedAnew: [ItemID] = []

  /// - Returns: `nil` if the store has no such list.
  package convenience init?(_ db: Database, _ list: ListID) throws {
    try self.init(Statements(db), list)
  }

  /// - Returns: `nil` if the store has no such list.
  package init?(_ statements: Statements, _ list: ListID) throws {
    let found = try statements(
      """
      SELECT id, revision, feedSequence, sectionCount, root, digest, chain, logFloor, floorChain,
        changeTotal, byteTotal, meta, gapCount, pageSequence, pageRevision
      FROM list WHERE name = ?
      """
    ).first(list.rawValue) { row in
      (
        try row.integer(0), try row.integer(1), try row.integer(2), try row.integer(3),
        try row.integer(4), StateDigest(value: try row.hash(5)), try row.hash(6),
        try row.integer(7), try row.hash(8),
        LogTotals(changes: try row.integer(9), bytes: try row.integer(10)),
        try row.textIfPresent(11), try row.integer(12), try row.integer(13), try row.integer(14)
      )
    }
    guard let found else { return nil }
    db = statements.db
    self.statements = statements
    self.list = list
    let feedSequence: Int
    (
      id, revision, feedSequence, sectionTotal, root, digest, chain, logFloor, floorChain, totals,
      meta, gapTotal, pageSequence, pageRevision
    ) = found
    tree = BlockTree(statements, list: id)
    sums = SizeSums(statements, tree)
    sections = SectionRows(statements, list: id)
    items = ItemRows(statements, list: id, tree)
    feed = FeedHistory(statements, list: id, sequence: feedSequence)
    // A damaged file can hold any number, so check before adding to these.
    let countable = 0...Self.greatestRevision
    guard countable.contains(revision), (0...Block.greatestCount).contains(sectionTotal),
      (0...Block.greatestCount).contains(gapTotal), pageSequence >= 0, feedSequence >= 0,
      (0...revision).contains(logFloor), countable.contains(totals.changes),
      countable.contains(totals.bytes)
    else { throw DatabaseError.corrupt("list \"\(list)\" has impossible counts") }
  }

  /// The greatest revision and total that is accepted, because a damaged file can hold any number.
  static let greatestRevision = 1 << 60

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
    // It may be one that others were derived from before it was there.
    statements.memory.itemOwners = nil
    guard let rows = try ListRows(statements, list) else {
      throw DatabaseError.corrupt("the new list can't be found")
    }
    return rows
  }

  /// Writes the changed rows.
  package func save() throws {
    try countBorrowedSizes()
    try items.save()
    try sums.save()
    sections.move(tree.displacedSections)
    try tree.flush()
    try sections.save()
    try statements.reserveRowIDs()
    try statements(
      """
      UPDATE list SET revision = ?, feedSequence = ?, sectionCount = ?, root = ?, digest = ?,
        chain = ?, logFloor = ?, floorChain = ?, changeTotal = ?, byteTotal = ?, gapCount = ?,
        pageSequence = ? WHERE id = ?
      """
    ).run(
      revision, feed.sequence, sectionTotal, root, digest.value, chain, logFloor, floorChain,
      totals.changes, totals.bytes, gapTotal, pageSequence, id)
  }

  /// Ends a transaction, and forgets rows that must not be kept or take too much memory.
  ///
  /// - Returns: Whether the rest may serve another transaction.
  package func endTransaction() -> Bool {
    tree.endTransaction()
    items.endTransaction()
    return sections.count <= 1_000
  }

  // MARK: Sections

  /// The row of a section; `nil` if the list has no such section.
  package func sectionRow(_ section: SectionID) throws -> SectionRow? {
    try sections.find(section)
  }

  /// The row of a section, by its id in the table.
  package func sectionRow(id: Int) throws -> SectionRow { try sections.find(row: id) }

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
}
