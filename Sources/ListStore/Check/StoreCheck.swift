import GRDB
import ListModel
import StoreSchema

/// Walks through a whole store and notes what is wrong with it.
final class StoreCheck {
  private let db: Database
  private let statements: Statements
  private(set) var problems: [StoreProblem] = []
  private var list: ListID?

  init(_ db: Database) {
    self.db = db
    statements = Statements(db)
  }

  func run() throws {
    try statements("PRAGMA foreign_key_check").forEach { row in
      report("a row of \(try row.textIfPresent(0) ?? "?") refers to a row that is missing")
    }
    var lists: [ListID] = []
    try statements("SELECT name FROM list ORDER BY name").forEach {
      lists.append(try ListID($0.text(0)))
    }
    for list in lists {
      self.list = list
      do {
        try check(list)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        report(error.message ?? "rows contradict each other")
      } catch let error as FormatError {
        report(error.description)
      }
    }
    list = nil
    try checkNothingIsLeftOver()
    try checkContents()
    try checkOwners()
  }

  private func report(_ message: String) {
    if problems.count < 100 { problems.append(StoreProblem(list: list, message: message)) }
  }

  private func count(_ sql: StaticString) throws -> Int {
    try statements(sql).first { try $0.integer(0) } ?? 0
  }

  // MARK: The store

  private func checkNothingIsLeftOver() throws {
    let leftovers: [(StaticString, String)] = [
      (
        "SELECT count(*) FROM measuredSize WHERE item NOT IN (SELECT id FROM item)",
        "sizes without an item"
      ),
      (
        "SELECT count(*) FROM measuredSize WHERE sizeKey NOT IN (SELECT id FROM sizeKey)",
        "sizes without a key"
      ),
      (
        "SELECT count(*) FROM blockExtent WHERE block NOT IN (SELECT id FROM block)",
        "sums of sizes without a block"
      ),
      (
        "SELECT count(*) FROM blockExtent WHERE sizeKey NOT IN (SELECT id FROM sizeKey)",
        "sums of sizes without a key"
      ),
      (
        """
        SELECT count(*) FROM (SELECT id FROM item UNION ALL SELECT id FROM content)
        WHERE id > (SELECT lastItem FROM store)
        """, "items or contents beyond the last id that was given"
      ),
      (
        "SELECT count(*) FROM block WHERE list NOT IN (SELECT id FROM list)",
        "blocks without a list"
      ),
      (
        "SELECT count(*) FROM item WHERE list NOT IN (SELECT id FROM list)",
        "items without a list"
      ),
      (
        """
        SELECT count(*) FROM (SELECT 1 FROM decoration
          GROUP BY section HAVING max(ordinal) <> count(*) - 1)
        """,
        "sections whose decorations are not numbered from 0 on"
      ),
      (
        """
        SELECT count(*) FROM change WHERE NOT EXISTS (SELECT 1 FROM listCommit
          WHERE listCommit.list = change.list AND listCommit.revision = change.revision
            AND firstChange <= change.id)
        """, "rows of changes without a commit"
      ),
    ]
    for (sql, what) in leftovers {
      let count = try count(sql)
      if count > 0 { report("\(count) \(what)") }
    }
  }

  /// Every content is named by an item or by the log, and every one that they name is there.
  private func checkContents() throws {
    guard var missing = try? statements.usedContents() else {
      return report("contents can't be counted, because a block or a row of the log is damaged")
    }
    var unused = 0
    try statements("SELECT id FROM content").forEach { row in
      if missing.remove(try row.integer(0)) == nil { unused += 1 }
    }
    if unused > 0 { report("\(unused) contents that neither an item nor the log names") }
    if !missing.isEmpty { report("\(missing.count) contents that are named and missing") }
  }

  /// A nested list has the id that follows from its owner; no other list has such an id.
  private func checkOwners() throws {
    try statements(
      """
      SELECT nested.name, owner.name, ownerItem, listOwner.name
      FROM list AS nested LEFT JOIN listOwner ON listOwner.list = nested.id
        LEFT JOIN list AS owner ON owner.id = ownerList
      """
    ).forEach { row in
      do {
        let list = try ListID(row.text(0))
        guard let owner = try row.textIfPresent(1) else {
          if ListOwner.isNested(list) { report("nested list \"\(list)\" has no owner") }
          return
        }
        let expected = ListOwner(
          list: try ListID(owner), item: try ItemID(row.text(2)),
          name: try NestedName(row.text(3)))
        if expected.nestedList != list {
          report("list \"\(list)\" has the owner of \"\(expected.nestedList)\"")
        }
      } catch let error as FormatError {
        report(error.description)
      }
    }
  }

  // MARK: A list

  private func check(_ list: ListID) throws {
    guard let rows = try ListRows(db, list) else { return }
    var blocks = 0
    var items = 0
    var sections: [ListRows.SectionRow] = []
    try walk(rows.root, of: rows, section: nil, parent: nil, blocks: &blocks) { member, block in
      let row = try rows.sectionRow(id: member.id)
      if row.section.rawValue != member.name || row.block != block {
        self.report("section \"\(row.section)\" and block \(block) disagree")
      }
      sections.append(row)
    }
    for section in sections {
      let before = items
      try walk(section.root, of: rows, section: section.id, parent: nil, blocks: &blocks) {
        member, block in
        items += 1
        let row = try rows.itemRow(ItemID(member.name))
        if row?.id != member.id || row?.block != block {
          self.report("item \"\(member.name)\" and block \(block) disagree")
        }
        _ = try rows.cellName(member.cell)
      }
      if items - before != section.itemCount {
        report(
          "section \"\(section.section)\" counts \(section.itemCount) items and has "
            + "\(items - before)")
      }
    }
    if sections.count != rows.sectionTotal {
      report("the list counts \(rows.sectionTotal) sections and has \(sections.count)")
    }
    try compare(rows, "SELECT count(*) FROM block WHERE list = ?", with: blocks, "blocks")
    try compare(rows, "SELECT count(*) FROM item WHERE list = ?", with: items, "items")
    try compare(
      rows, "SELECT count(*) FROM section WHERE list = ?", with: sections.count, "sections")
    try checkSums(rows)
    if StateDigest(try rows.uncheckedTree()) != rows.digest {
      report("the list is another one than its digest says")
    }
    try checkLog(rows)
  }

  private func compare(
    _ rows: ListRows, _ sql: StaticString, with expected: Int, _ what: String
  ) throws {
    let found = try statements(sql).first(rows.id) { try $0.integer(0) } ?? 0
    if found != expected {
      report("there are \(found) rows of \(what), and \(expected) that the order leads to")
    }
  }

  /// Visits the members of an order and checks the shape of its tree.
  private func walk(
    _ id: Int, of rows: ListRows, section: Int?, parent: Block?, blocks: inout Int,
    _ body: (Block.Member, Int) throws -> Void
  ) throws {
    let block = try rows.tree.block(id)
    blocks += 1
    if block.section != section || block.parent != parent?.id {
      report("block \(id) is not where its row says")
    }
    if let parent, block.level != parent.level - 1 {
      // Not followed: it may lead back to a block above.
      return report("block \(id) is on a wrong level")
    }
    if block.entryCount > block.maximumEntries { report("block \(id) is too full") }
    if block.entryCount == 0, parent != nil { report("block \(id) is empty") }
    if block.level > 0, parent == nil, block.children.count == 1 {
      report("block \(id) stands above one block alone")
    }
    for member in block.members { try body(member, id) }
    for child in block.children {
      try walk(child.block, of: rows, section: section, parent: block, blocks: &blocks, body)
      let count = try rows.tree.block(child.block).count
      if count != child.count {
        report("block \(id) counts \(child.count) below block \(child.block), which has \(count)")
      }
    }
  }

  // MARK: Sizes

  private func checkSums(_ rows: ListRows) throws {
    var expected: [[Int]: SizeSums.Sum] = [:]
    try statements(
      """
      SELECT sizeKey, item.block, width, height, axis = 'vertical'
      FROM measuredSize JOIN item ON item.id = measuredSize.item
        JOIN sizeKey ON sizeKey.id = measuredSize.sizeKey
      WHERE item.list = ? AND usedAt >= 0
      """
    ).forEach(rows.id) { row in
      let key = try row.integer(0)
      let sum = SizeSums.Sum(
        measured: 1,
        length: SizeSums.length(
          try row.real(2), try row.real(3), isVertical: try row.integer(4) != 0))
      var block: Block? = try rows.tree.block(row.integer(1))
      while let below = block {
        expected[[key, below.id], default: .init()] += sum
        block = try rows.tree.parent(of: below)
      }
    }
    try statements(
      """
      SELECT sizeKey, block, measured, length FROM blockExtent JOIN block ON block.id = block
      WHERE list = ?
      """
    ).forEach(rows.id) { row in
      let place = [try row.integer(0), try row.integer(1)]
      let sum = expected.removeValue(forKey: place) ?? .init()
      if try sum.measured != row.integer(2) || sum.length != row.integer(3) {
        self.report("the sum of sizes in block \(place[1]) is wrong")
      }
    }
    if !expected.isEmpty { report("\(expected.count) sums of sizes are missing") }
  }

  // MARK: The log

  private func checkLog(_ rows: ListRows) throws {
    let log = try LogReader(rows)
    let hashedAsJSON = try rows.hashedAsJSON()
    var chain = rows.floorChain
    var expected = rows.logFloor + 1
    var digest: StateDigest?
    try statements(
      """
      SELECT revision, author.name, time, feedSequence, chain, digest, firstChange
      FROM listCommit JOIN author ON author.id = author WHERE list = ? AND revision > ? ORDER BY revision
      """
    ).forEach(rows.id, rows.logFloor) { row in
      let revision = try row.integer(0)
      if revision != expected { report("revision \(expected) is missing in the log") }
      expected = revision + 1
      var hash = ChainHash(
        after: chain, revision: revision, author: try row.text(1),
        time: try row.integerIfPresent(2), feedSequence: try row.integerIfPresent(3))
      try log.forEachEntry(ofRevision: revision, from: row.integerIfPresent(6)) { logged in
        hash.add(logged, isJSON: revision <= hashedAsJSON)
        digest?.apply(logged.entry, logged.hashes, seams: (logged.seams ?? [])[...])
      }
      chain = hash.value
      let stored = try row.hashIfPresent(4)
      if stored != chain {
        report("the commit of revision \(revision) is another one than its chain says")
        chain = stored ?? chain
      }
      let storedDigest = try row.hashIfPresent(5).map(StateDigest.init(value:))
      if let digest, digest != storedDigest {
        report("the changes of revision \(revision) do not lead to its digest")
      }
      digest = storedDigest
    }
    if expected != rows.revision + 1 {
      report("the list is at revision \(rows.revision), its log at \(expected - 1)")
    }
    if chain != rows.chain { report("the log's chain is not the list's") }
    if let digest, digest != rows.digest { report("the log's digest is not the list's") }
  }
}
