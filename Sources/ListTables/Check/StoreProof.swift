package import DerivedLists
package import GRDB
import ListModel

/// Proves in one pass over the rows that a store is sound.
///
/// It covers what ``StoreCheck`` looks for. Rows that must agree are compared by sums of their
/// hashes, and digests and chains are computed from the bytes of contents, which no value is made
/// of. Where the proof fails, ``StoreCheck`` tells what is wrong.
package final class StoreProof {
  let statements: Statements
  let check: StoreCheck
  let terms: ContentTerms
  private var blockCount = 0
  private var itemCount = 0
  private var sectionCount = 0
  /// The items of all lists that are not derived: only derived lists have those of others.
  private var ownItems = RowSet()
  private var derivedLists: Set<Int> = []
  var changeRowCount = 0

  /// The rows are not as those of a sound store.
  struct Unproven: Error {}

  private init(
    _ db: Database, _ closures: [ComputedField: ComputedField.Closure]
  ) throws {
    check = StoreCheck(db, closures)
    statements = check.statements
    terms = try ContentTerms(statements)
  }

  /// Whether a store is proven to be sound.
  ///
  /// `closures`: Those of derived lists.
  package static func holds(
    for db: Database, _ closures: [ComputedField: ComputedField.Closure] = [:]
  ) -> Bool {
    do {
      try StoreProof(db, closures).run()
      return true
    } catch { return false }
  }

  private func run() throws {
    try check.runBesideLists()
    try require(!statements.derivedLists().contains(where: \.isUnfinished))
    var lists: [ListID] = []
    try statements("SELECT list FROM derivedList").forEach {
      derivedLists.insert(try $0.integer(0))
    }
    try statements("SELECT name FROM list").forEach { lists.append(try ListID(stored: $0.text(0))) }
    for list in lists { try prove(list) }
    try check.checkDerivedLists()
    let counts = try statements(
      """
      SELECT (SELECT count(*) FROM block),
        (SELECT count(*) FROM item) + (SELECT count(*) FROM borrowedItem),
        (SELECT count(*) FROM section), (SELECT count(*) FROM change)
      """
    ).first { try ($0.integer(0), $0.integer(1), $0.integer(2), $0.integer(3)) }
    try require(
      counts.map { $0 == (blockCount, itemCount, sectionCount, changeRowCount) } == true
        && terms.areAllRead && check.problems.isEmpty)
  }

  func require(_ isSound: Bool) throws {
    if !isSound { throw Unproven() }
  }

  private func prove(_ list: ListID) throws {
    guard let rows = try ListRows(statements, list) else { throw Unproven() }
    let sections = try check.checkSections(of: rows, blocks: &blockCount)
    try require(Set(sections.map(\.id)).count == sections.count)
    let isBorrowing = derivedLists.contains(rows.id)
    var walk = ItemWalk(rows, isBorrowing: isBorrowing, terms, slot: terms.makeSlot())
    var found = StateDigest(meta: try rows.listMeta(), sections: sections.lazy.map(\.section))
    for section in sections {
      found.add(try rows.attributes(of: section.id), ofSection: section.hash)
      try require(walk.walk(section, &found) == section.itemCount)
    }
    try require(walk.itemSum == itemSum(of: rows) && walk.gapCount == rows.gapTotal)
    try require(isBorrowing || ownItems.insert(walk.items))
    blockCount += walk.blockCount
    itemCount += walk.items.count
    sectionCount += sections.count
    try check.checkSums(rows)
    try proveLog(of: rows)
    try terms.compute()
    try require(found.value &+ terms.sums[walk.slot] == rows.digest.value)
    terms.removeSlots(from: walk.slot)
  }

  /// The sum over the rows of items, to be compared with that over the members of blocks.
  private func itemSum(of rows: ListRows) throws -> UInt64 {
    var sum: UInt64 = 0
    try statements("SELECT name, id, block FROM item WHERE list = ?").forEach(rows.id) { row in
      let name = try row.withBytes(0) { XXHash64.hash($0) }
      sum &+= ItemWalk.hash(name, row: try row.integer(1), block: try row.integer(2))
    }
    try statements("SELECT item, block FROM borrowedItem WHERE list = ?").forEach(rows.id) { row in
      sum &+= ItemWalk.hash(0, row: try row.integer(0), block: try row.integer(1))
    }
    return sum
  }
}

extension UnsafeRawBufferPointer {
  /// Whether it is an id as Cellar makes them.
  var isIdentifier: Bool {
    guard 1...256 ~= count else { return false }
    if allSatisfy({ 0x01...0x7F ~= $0 }) { return true }
    return !contains(0) && String(decoding: self, as: UTF8.self).utf8.elementsEqual(self)
  }
}
