import GRDB
import ListModel

// MARK: What resolving a change asks

extension ListRows: ListLookup {
  typealias Failure = any Error

  func sectionCount() throws -> Int { sectionTotal }

  func sectionIndex(of section: SectionID) throws -> Int? {
    try sectionRow(section).map { try index(of: $0) }
  }

  func attributes(ofSection section: SectionID, at index: Int) throws -> SectionAttributes {
    try attributes(of: knownSectionRow(section).id)
  }

  func section(_ section: SectionID, at index: Int) throws -> Section {
    let row = try knownSectionRow(section)
    return Section(
      id: section, attributes: try attributes(of: row.id), items: try items(of: row))
  }

  func itemCount(inSection section: SectionID, at index: Int) throws -> Int {
    try knownSectionRow(section).itemCount
  }

  func location(of item: ItemID) throws -> ItemLocation? {
    guard let row = try itemRow(item) else { return nil }
    let (index, root) = try tree.index(of: row.id, in: row.block)
    guard let holder = root.section else {
      throw DatabaseError.corrupt("item \"\(item)\" is in no section")
    }
    let section = try sectionRow(id: holder)
    return ItemLocation(
      section: section.section, path: ItemPath(section: try self.index(of: section), item: index))
  }

  func state(of item: ItemID, at path: ItemPath) throws -> ItemState {
    let member = try tree.member(at: path.item, root: sectionRow(at: path.section).root)
    guard member.name.utf8.elementsEqual(item.rawValue.utf8) else {
      throw DatabaseError.corrupt("the item at \(path) is not \"\(item)\"")
    }
    return try state(of: member)
  }

  /// What a member of a block is, with its content.
  func state(of member: Block.Member) throws -> ItemState {
    let cell = try cellName(member.cell)
    let state = try statements("SELECT type, action, content FROM itemContent WHERE id = ?")
      .first(member.id) { row in
        ItemState(
          cell: cell, content: try JSON(row.text(2)),
          type: try row.textIfPresent(0).map { try TypeName($0) },
          action: try row.textIfPresent(1).map { try Action(JSON($0)) },
          contentRevision: member.contentRevision)
      }
    guard let state else { throw DatabaseError.corrupt("item \(member.id) has no content") }
    return state
  }
}

// MARK: Reading whole lists

extension ListRows {
  /// The list at its head revision.
  func listTree() throws -> ListTree {
    var list = ListTree(list: list, revision: revision)
    try forEachSection { row in
      list.sections.append(
        Section(
          id: row.section, attributes: try attributes(of: row.id), items: try items(of: row)))
    }
    return list
  }

  /// The sections in their order.
  func forEachSection(_ body: (SectionRow) throws -> Void) throws {
    try forEachMember(root: root) { try body(sectionRow(id: $0.id)) }
  }

  private func items(of section: SectionRow) throws -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(min(section.itemCount, 1 << 20))
    try forEachMember(root: section.root) { member in
      items.append(Item(id: try ItemID(member.name), state: try state(of: member)))
    }
    return items
  }

  /// The members of an order.
  ///
  /// Reads the blocks one by one and keeps none, so that a long list takes no memory here.
  func forEachMember(root: Int, _ body: (Block.Member) throws -> Void) throws {
    try forEachMember(of: try tree.block(root), body)
  }

  private func forEachMember(of block: Block, _ body: (Block.Member) throws -> Void) throws {
    for member in block.members { try body(member) }
    for child in block.children {
      try forEachMember(of: tree.child(child.block, of: block), body)
    }
  }
}
