import GRDB
import ListModel

extension StoreCheck {
  func check(_ list: ListID) throws {
    guard let rows = try ListRows(db, list) else { return }
    // Nobody sees it, and not all of its items have rows; it is checked when it is a list.
    if (try? statements.derivedList(list))?.isUnfinished == true { return }
    var blocks = 0
    var items = ItemFaults()
    let sections = try checkSections(of: rows, blocks: &blocks)
    for section in sections {
      let before = items.count
      try walk(section.root, of: rows, section: section.id, parent: nil, blocks: &blocks) {
        member, block in
        try check(member, in: block, rows, &items)
      }
      if items.count - before != section.itemCount {
        report(
          .order,
          "section \"\(section.section)\" says that it has \(section.itemCount) items, and has "
            + "\(items.count - before)")
      }
    }
    try statements("SELECT name, id FROM item WHERE list = ?").forEach(rows.id) { row in
      if try !items.known.contains(row.integer(1)) { items.missing.add(try row.text(0)) }
    }
    try statements("SELECT item FROM borrowedItem WHERE list = ?").forEach(rows.id) { row in
      let item = try row.integer(0)
      if !items.known.contains(item) { items.missing.add("row \(item)") }
    }
    let found = Set(sections.map(\.id))
    var missing = FaultyNames()
    try statements("SELECT name, id FROM section WHERE list = ?").forEach(rows.id) { row in
      if try !found.contains(row.integer(1)) { missing.add(try row.text(0)) }
    }
    report(
      .order, missing, "section", "is missing: the list has no place for it",
      many: "are missing: the list has no place for them")
    items.report(to: self)
    if items.gapCount != rows.gapTotal {
      report(
        .order, "it says that it has \(rows.gapTotal) gaps, and has \(items.gapCount)")
    }
    let count = try statements("SELECT count(*) FROM block WHERE list = ?").first(rows.id) {
      try $0.integer(0)
    }
    if let count, count != blocks {
      report(
        .order, "parts of its order (blocks) that are left over, or twice in it: \(count - blocks)")
    }
    try attempt("its sums of sizes", .size) { try checkSums(rows) }
    // Without a part of an item there is no digest, and that was told.
    if items.haveAllParts {
      try attempt("its items", .order) {
        if try rows.uncheckedDigest() != rows.digest {
          report(
            .digest, "its items, their order or their contents are not those of its last commit")
        }
      }
    }
    try attempt("its log", .log) { try checkLog(rows) }
  }

  private func check(
    _ member: Block.Member, in block: Int, _ rows: ListRows, _ items: inout ItemFaults
  ) throws {
    items.count += 1
    if !items.known.insert(member.id) { items.doubled.add(member.name) }
    // Those of a derived list are found by their rows.
    let borrowed = try statements.block(ofBorrowed: member.id, in: rows.id)
    let place =
      try borrowed.map { (id: member.id, block: $0) }
      ?? statements.place(of: ItemID(member.name), in: rows.id)
    if place?.id != member.id || place?.block != block { items.lost.add(member.name) }
    do {
      if try statements.cellName(member.cell) == Gap.cell { items.gapCount += 1 }
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CORRUPT
    {
      items.withoutCell.add(member.name)
    }
    let isSound = try statements(
      "SELECT json_valid(content) AND (action IS NULL OR json_valid(action)) FROM content WHERE id = ?"
    ).first(member.content) { try $0.integer(0) != 0 }
    if isSound == true { return }
    _ = toldContents.insert(member.content)
    if isSound == nil {
      items.withoutContent.add(member.name)
    } else {
      items.unsound.add(member.name)
    }
  }

  /// The sections of a list in their order; counts the blocks of that order.
  func checkSections(of rows: ListRows, blocks: inout Int) throws -> [SectionRow] {
    var sections: [SectionRow] = []
    var lost = FaultyNames()
    try walk(rows.root, of: rows, section: nil, parent: nil, blocks: &blocks) { member, block in
      let row = try rows.sectionRow(id: member.id)
      if row.section.rawValue != member.name || row.block != block { lost.add(member.name) }
      sections.append(row)
    }
    report(.order, lost, "section", "can't be found by its id", many: "can't be found by their ids")
    if sections.count != rows.sectionTotal {
      report(
        .order, "it says that it has \(rows.sectionTotal) sections, and has \(sections.count)")
    }
    return sections
  }

  /// Visits the members of an order and checks the shape of its tree.
  private func walk(
    _ id: Int, of rows: ListRows, section: Int?, parent: Block?, blocks: inout Int,
    _ body: (Block.Member, Int) throws -> Void
  ) throws {
    let block = try rows.tree.block(id)
    blocks += 1
    if block.section != section || block.parent != parent?.id {
      report(.order, "its order is damaged: block \(id) is not where its row says")
    }
    if let parent, block.level != parent.level - 1 {
      // Not followed: it may lead back to a block above.
      return report(.order, "its order is damaged: block \(id) is on a wrong level")
    }
    if block.entryCount > block.maximumEntries {
      report(.order, "its order is damaged: block \(id) is too full")
    }
    if block.entryCount == 0, parent != nil {
      report(.order, "its order is damaged: block \(id) is empty")
    }
    if block.level > 0, parent == nil, block.children.count == 1 {
      report(.order, "its order is damaged: block \(id) stands above one block alone")
    }
    for member in block.members { try body(member, id) }
    for child in block.children {
      try walk(child.block, of: rows, section: section, parent: block, blocks: &blocks, body)
      let count = try rows.tree.block(child.block).count
      if count != child.count {
        report(
          .order,
          "its order is damaged: block \(id) counts \(child.count) below block \(child.block), which "
            + "has \(count)")
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
      SELECT sizeKey, place.block, width, height, axis = 'vertical'
      FROM (SELECT id, block FROM item WHERE list = ?1
          UNION ALL SELECT item, block FROM borrowedItem WHERE list = ?1) AS place
        JOIN measuredSize ON owner = place.id
        JOIN sizeKey ON sizeKey.id = measuredSize.sizeKey
      WHERE usedAt >= 0
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
        self.report(
          .size, "the sum of measured sizes of a part of it (block \(place.block)) is wrong")
      }
    }
    if !expected.isEmpty {
      report(.size, "sums of measured sizes that are missing: \(expected.count)")
    }
  }
}
