import GRDB
import ListModel

extension StoreCheck {
  func check(_ list: ListID) throws {
    guard let rows = try ListRows(db, list) else { return }
    var blocks = 0
    var items = 0
    let sections = try checkSections(of: rows, blocks: &blocks)
    for section in sections {
      let before = items
      try walk(section.root, of: rows, section: section.id, parent: nil, blocks: &blocks) {
        member, block in
        items += 1
        let row = try rows.items.find(ItemID(member.name))
        if row?.id != member.id || row?.block != block {
          self.report(.order, "item \"\(member.name)\" and block \(block) disagree")
        }
        _ = try statements.cellName(member.cell)
      }
      if items - before != section.itemCount {
        report(
          .order,
          "section \"\(section.section)\" counts \(section.itemCount) items and has "
            + "\(items - before)")
      }
    }
    try compare(rows, "SELECT count(*) FROM block WHERE list = ?", with: blocks, "blocks")
    try compare(rows, "SELECT count(*) FROM item WHERE list = ?", with: items, "items")
    try compare(
      rows, "SELECT count(*) FROM section WHERE list = ?", with: sections.count, "sections")
    try attempt("its sums of sizes", .size) { try checkSums(rows) }
    try attempt("its items", .order) {
      if try rows.uncheckedDigest() != rows.digest {
        report(.digest, "the list is another one than its digest says")
      }
    }
    try attempt("its log", .log) { try checkLog(rows) }
  }

  /// The sections of a list in their order; counts the blocks of that order.
  func checkSections(of rows: ListRows, blocks: inout Int) throws -> [SectionRow] {
    var sections: [SectionRow] = []
    try walk(rows.root, of: rows, section: nil, parent: nil, blocks: &blocks) { member, block in
      let row = try rows.sectionRow(id: member.id)
      if row.section.rawValue != member.name || row.block != block {
        self.report(.order, "section \"\(row.section)\" and block \(block) disagree")
      }
      sections.append(row)
    }
    if sections.count != rows.sectionTotal {
      report(.order, "the list counts \(rows.sectionTotal) sections and has \(sections.count)")
    }
    return sections
  }

  private func compare(
    _ rows: ListRows, _ sql: StaticString, with expected: Int, _ what: String
  ) throws {
    let found = try statements(sql).first(rows.id) { try $0.integer(0) } ?? 0
    if found != expected {
      report(.order, "there are \(found) rows of \(what), and \(expected) that the order leads to")
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
      report(.order, "block \(id) is not where its row says")
    }
    if let parent, block.level != parent.level - 1 {
      // Not followed: it may lead back to a block above.
      return report(.order, "block \(id) is on a wrong level")
    }
    if block.entryCount > block.maximumEntries { report(.order, "block \(id) is too full") }
    if block.entryCount == 0, parent != nil { report(.order, "block \(id) is empty") }
    if block.level > 0, parent == nil, block.children.count == 1 {
      report(.order, "block \(id) stands above one block alone")
    }
    for member in block.members { try body(member, id) }
    for child in block.children {
      try walk(child.block, of: rows, section: section, parent: block, blocks: &blocks, body)
      let count = try rows.tree.block(child.block).count
      if count != child.count {
        report(
          .order, "block \(id) counts \(child.count) below block \(child.block), which has \(count)"
        )
      }
    }
  }

  // MARK: Sizes

  /// A block and a size key.
  private struct SumPlace: Hashable {
    var key: Int
    var block: Int
  }

  func checkSums(_ rows: ListRows) throws {
    var leaves: [SumPlace: SizeSums.Sum] = [:]
    try statements(
      """
      SELECT sizeKey, item.block, width, height, axis = 'vertical'
      FROM measuredSize JOIN item ON item.id = owner
        JOIN sizeKey ON sizeKey.id = measuredSize.sizeKey
      WHERE item.list = ? AND usedAt >= 0
      """
    ).forEach(rows.id) { row in
      let size = Size(width: try row.real(2), height: try row.real(3))
      leaves[SumPlace(key: try row.integer(0), block: try row.integer(1)), default: .init()] +=
        SizeSums.Sum(size, isVertical: try row.integer(4) != 0)
    }
    var expected: [SumPlace: SizeSums.Sum] = [:]
    for (place, sum) in leaves {
      var below = place.block
      expected[place, default: .init()] += sum
      var head = try rows.tree.head(of: below)
      while let above = head.parent {
        let next = try rows.tree.head(of: above)
        guard next.level == head.level + 1 else {
          throw DatabaseError.corrupt("block \(above) is not the parent of \(below)")
        }
        expected[SumPlace(key: place.key, block: above), default: .init()] += sum
        (below, head) = (above, next)
      }
    }
    try statements(
      """
      SELECT sizeKey, block, measured, length FROM blockExtent JOIN block ON block.id = block
      WHERE list = ?
      """
    ).forEach(rows.id) { row in
      let place = SumPlace(key: try row.integer(0), block: try row.integer(1))
      let sum = expected.removeValue(forKey: place) ?? .init()
      if try sum.measured != row.integer(2) || sum.length != row.integer(3) {
        self.report(.size, "the sum of sizes in block \(place.block) is wrong")
      }
    }
    if !expected.isEmpty { report(.size, "\(expected.count) sums of sizes are missing") }
  }
}
