import GRDB
import ListModel
import ListStore
import ListTables

/// A list in the tables of a damaged store, as far as its rows are there.
///
/// Nothing in the tables is taken for granted: blocks may be missing, lead in a circle, or name
/// sections, cells and contents that are lost.
struct SalvagedList {
  let id: Int
  let list: ListID
  let db: Database
  private let statements: Statements
  private let blocks: [Int: Block]
  private let cells: [Int: CellName]

  /// A row of `block`, without its members.
  private struct Block {
    var section: Int?
    var level: Int
    var children: [Int] = []
    var count: Int
  }

  /// A section in its place.
  struct Section {
    /// Its row; `nil` for the section of items whose own is not known.
    var row: Int?
    var name: SectionID
    var attributes = SectionAttributes()
    /// Whether the attributes are those that the store had.
    var hasAttributes = false
    /// The rows of the blocks that order its items.
    var leaves: [Int] = []
    /// How many items its row or its blocks count.
    var itemCount = 0
    /// Whether one block leads to all others, and so gives their order.
    var isOrdered = true
  }

  /// A member of a block, as its entry has it.
  struct Member {
    var id: Int
    var name: String
    var cell = 0
    var contentRevision = 0
    var content: Int
  }

  init(_ db: Database, id: Int, list: ListID) throws {
    let statements = Statements(db)
    self.db = db
    self.statements = statements
    self.id = id
    self.list = list
    var blocks: [Int: Block] = [:]
    try statements(
      """
      SELECT id, section, level, memberCount, iif(level > 0, members, '[]')
      FROM block WHERE list = ?
      """
    ).forEach(id) { row in
      blocks[try row.integer(0)] = Block(
        section: try row.integerIfPresent(1), level: try row.integer(2),
        children: Self.entries(try row.text(4)).compactMap { try? $0.first?.integer() },
        count: try row.integer(3))
    }
    self.blocks = blocks
    var cells: [Int: CellName] = [:]
    try statements("SELECT id, name FROM cell").forEach { row in
      if let name = try? CellName(row.text(1)) { cells[try row.integer(0)] = name }
    }
    self.cells = cells
  }

  // MARK: Sections

  /// The sections in their order; those that no block names come last.
  func sections() throws -> [Section] {
    var sections: [Section] = []
    var known: Set<Int> = []
    var owners: [Int?: [Int]] = [:]
    for (block, row) in blocks { owners[row.section, default: []].append(block) }
    func add(_ row: Int, _ name: String) throws {
      guard known.insert(row).inserted, let name = try? SectionID(name) else { return }
      let order = self.order(of: owners[row] ?? [])
      var section = Section(
        row: row, name: name, leaves: order.leaves, itemCount: order.count,
        isOrdered: order.isWhole)
      var hasRow = false
      try statements("SELECT itemCount, root FROM section WHERE id = ?").first(row) { row in
        // A row that was told from an index has a root of 0, and nothing but its name.
        hasRow = try row.integer(1) > 0
        let count = try row.integer(0)
        if hasRow, count < 1 << 31 { section.itemCount = count }
      }
      do {
        let attributes = try statements.attributes(ofSection: row)
        if attributes.error(of: name) == nil {
          (section.attributes, section.hasAttributes) = (attributes, hasRow)
        }
      } catch is DatabaseError {
        section.hasAttributes = false
      } catch is FormatError {
        section.hasAttributes = false
      }
      sections.append(section)
    }
    for leaf in self.order(of: owners[nil] ?? []).leaves {
      for member in try members(of: leaf) { try add(member.id, member.name) }
    }
    var rest: [(Int, String)] = []
    try statements("SELECT id, name FROM section WHERE list = ? ORDER BY id")
      .forEach(id) { rest.append((try $0.integer(0), try $0.text(1))) }
    for (row, name) in rest { try add(row, name) }
    // Items of sections of which nothing else is known.
    let homeless = owners.filter { $0.key.map { !known.contains($0) } == true }.values.flatMap {
      $0
    }
    let order = self.order(of: homeless)
    if !order.leaves.isEmpty {
      sections.append(
        Section(
          row: nil, name: Self.freeName(among: sections.map(\.name)), leaves: order.leaves,
          itemCount: order.count, isOrdered: false))
    }
    return sections
  }

  /// A name for a section that holds what has no other; with a number if the list has it already.
  static func freeName(
    _ first: SectionID = "recovered", among names: [SectionID]
  ) -> SectionID {
    let names = Set(names)
    var name = first
    var number = 1
    while names.contains(name) {
      number += 1
      name = (try? SectionID("\(first) \(number)")) ?? name
    }
    return name
  }

  /// The blocks of level 0 among some, in the order to which the blocks above them lead, and how
  /// many members they should have.
  private func order(of ids: [Int]) -> (leaves: [Int], count: Int, isWhole: Bool) {
    let below = Set(ids.flatMap { blocks[$0]?.children ?? [] })
    // The roots first, the highest before the others.
    let roots = ids.sorted { lhs, rhs in
      (below.contains(lhs) ? 1 : 0, -(blocks[lhs]?.level ?? 0), lhs)
        < (below.contains(rhs) ? 1 : 0, -(blocks[rhs]?.level ?? 0), rhs)
    }
    var leaves: [Int] = []
    var seen: Set<Int> = []
    let section = ids.first.flatMap { blocks[$0]?.section }
    func visit(_ id: Int) {
      guard let block = blocks[id], block.section == section, seen.insert(id).inserted else {
        return
      }
      if block.level == 0 { leaves.append(id) }
      for child in block.children where (blocks[child]?.level ?? 0) < block.level { visit(child) }
    }
    var (count, rootCount) = (0, 0)
    for root in roots where !seen.contains(root) {
      rootCount += 1
      let counted = blocks[root]?.count ?? 0
      if counted < 1 << 31, count < 1 << 31 { count += counted }
      visit(root)
    }
    return (leaves, count, rootCount <= 1)
  }

  /// The rows of the sections whose items lost blocks had, by block, as far as something tells.
  ///
  /// A block above names it, or its section's row does. The rest was below another lost block: it
  /// has the one section that has lost such a block, if there is no second one.
  func sectionsOfLostBlocks(_ lost: Set<Int>) throws -> [Int: Int] {
    var sections: [Int: Int] = [:]
    var withLostInnerBlocks: Set<Int> = []
    for block in blocks.values {
      guard let section = block.section else { continue }
      for child in block.children where blocks[child] == nil {
        sections[child] = section
        if block.level > 1 { withLostInnerBlocks.insert(section) }
      }
    }
    try statements("SELECT id, root FROM section WHERE list = ?").forEach(id) { row in
      let (section, root) = (try row.integer(0), try row.integer(1))
      if blocks[root] != nil { return }
      sections[root] = section
      // An item in it means that it has no blocks below.
      if !lost.contains(root) { withLostInnerBlocks.insert(section) }
    }
    if withLostInnerBlocks.count == 1, let section = withLostInnerBlocks.first {
      for block in lost where sections[block] == nil { sections[block] = section }
    }
    return sections
  }

  // MARK: Items

  /// The items that have a row, and are not among those that a block places.
  func itemsWithoutPlace(besides placed: Set<Int>) throws -> [(name: String, block: Int)] {
    var items: [(name: String, block: Int)] = []
    try statements("SELECT id, name, block FROM item WHERE list = ?").forEach(id) { row in
      if try !placed.contains(row.integer(0)) {
        items.append((try row.text(1), try row.integer(2)))
      }
    }
    return items
  }

  /// The members of a block of level 0; none if its text can't be read.
  func members(of leaf: Int) throws -> [Member] {
    let json = try statements("SELECT members FROM block WHERE id = ?")
      .first(leaf) { try $0.text(0) }
    return Self.entries(json ?? "").compactMap { parts in
      guard parts.count >= 2, let id = try? parts[0].integer(), let name = try? parts[1].string()
      else { return nil }
      var member = Member(id: id, name: name, content: id)
      let numbers = parts.dropFirst(2).map { try? $0.integer() }
      guard numbers.count <= 3, !numbers.contains(nil) else { return nil }
      member.cell = numbers.count > 0 ? numbers[0] ?? 0 : 0
      member.contentRevision = numbers.count > 1 ? numbers[1] ?? 0 : 0
      member.content = numbers.count > 2 ? numbers[2] ?? id : id
      return member
    }
  }

  /// The arrays in a text of arrays, such as the members of a block; none if it is no such text.
  static func entries(_ json: String) -> [[JSONNode]] {
    guard let nodes = try? JSONNode(parsing: Array(json.utf8)).array() else { return [] }
    return nodes.compactMap { try? $0.array() }
  }

  /// Why an item can't be recovered.
  enum Loss: String {
    case name, cell, content
  }

  /// The item of a member.
  func item(_ member: Member) throws -> Result<Item, LostItem> {
    guard let id = try? ItemID(member.name), member.contentRevision >= 0 else {
      return .failure(LostItem(part: .name))
    }
    guard let cell = cells[member.cell] else { return .failure(LostItem(part: .cell)) }
    let state = try statements("SELECT type, action, content FROM content WHERE id = ?")
      .first(member.content) { row in
        let (type, action) = (try row.textIfPresent(0), try row.textIfPresent(1))
        return ItemState(
          cell: cell, content: try JSON(parsing: row.text(2)),
          type: try type.map { try TypeName($0) },
          action: try action.map { try Action(stored: $0.utf8) },
          contentRevision: member.contentRevision)
      }
    guard let state else { return .failure(LostItem(part: .content)) }
    return .success(Item(id: id, state: state))
  }

  /// An item a part of which is lost.
  struct LostItem: Error { var part: Loss }
}
