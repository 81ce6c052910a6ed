import GRDB
package import ListModel

// MARK: Lookups for resolving a change

extension ListRows: ListLookup {
  /// Reading rows can fail in any way that SQLite can.
  package typealias Failure = any Error

  /// The id of the section at an index.
  package func sectionID(at index: Int) throws -> SectionID { try sectionRow(at: index).section }

  /// The id of the item at a path.
  package func itemID(at path: ItemPath) throws -> ItemID {
    try ItemID(tree.member(at: path.item, root: sectionRow(at: path.section).root).name)
  }

  /// The app's own data about the list.
  package func listMeta() throws -> JSON? { try meta.map { try JSON(parsing: $0) } }

  /// How many sections the list has.
  package func sectionCount() throws -> Int { sectionTotal }

  /// Where a section is; `nil` if the list has no such section.
  package func sectionIndex(of section: SectionID) throws -> Int? {
    try sectionRow(section).map { try index(of: $0) }
  }

  /// The attributes of a section that the list has.
  package func attributes(ofSection section: SectionID, at index: Int) throws -> SectionAttributes {
    try attributes(of: knownSectionRow(section).id)
  }

  /// A section with its items, all read into memory.
  package func section(_ section: SectionID, at index: Int) throws -> ListTree.Section {
    let row = try knownSectionRow(section)
    var known = RowSet()
    return ListTree.Section(
      id: section, attributes: try attributes(of: row.id), items: try readItems(of: row, &known))
  }

  /// How many items a section has.
  package func itemCount(inSection section: SectionID, at index: Int) throws -> Int {
    try knownSectionRow(section).itemCount
  }

  /// Where an item is; `nil` if the list has no such item.
  package func location(of item: ItemID) throws -> ItemLocation? {
    if let last = lastFound, last.item == item, last.changeOfPlaces == tree.changeOfPlaces {
      return last.location
    }
    guard let row = try items.find(item) else { return nil }
    let (index, root) = try tree.index(of: row.id, in: row.block)
    guard let holder = root.section else {
      throw DatabaseError.corrupt("item \"\(item)\" is in no section")
    }
    let section = try sectionRow(id: holder)
    let location = ItemLocation(
      section: section.section, path: ItemPath(section: try self.index(of: section), item: index))
    lastFound = (item, location, tree.changeOfPlaces)
    return location
  }

  /// How many items are gaps.
  package func gapCount() throws -> Int { gapTotal }

  /// Whether the item at a path is one.
  package func isGap(at path: ItemPath) throws -> Bool {
    if gapTotal == 0 { return false }
    let member = try tree.member(at: path.item, root: sectionRow(at: path.section).root)
    return try statements.cellName(member.cell) == Gap.cell
  }

  /// The state of an item at its path, with its content.
  package func state(of item: ItemID, at path: ItemPath) throws -> ItemState {
    let member = try tree.member(at: path.item, root: sectionRow(at: path.section).root)
    guard member.name.utf8.elementsEqual(item.rawValue.utf8) else {
      throw DatabaseError.corrupt("the item at \(path) is not \"\(item)\"")
    }
    return try state(of: member)
  }

  /// The state of a member of a block, with its content.
  package func state(of member: Block.Member) throws -> ItemState {
    let cell = try statements.cellName(member.cell)
    let content = try ItemContents(statements).content(member.content)
    return ItemState(
      cell: cell, content: content.content, type: content.type, action: content.action,
      contentRevision: member.contentRevision)
  }
}

// MARK: Reading whole lists

extension ListRows {
  /// The list as it is now, compared with its digest.
  ///
  /// If another program has written to the store, the list may differ from the digest until the
  /// store is opened anew.
  ///
  /// - Throws: `SQLITE_CORRUPT` if the rows do not agree with the commits.
  package func listTree() throws -> ListTree {
    let tree = try uncheckedTree()
    try compare(StateDigest(tree))
    return tree
  }

  /// Compares what the rows have with the list's digest.
  private func compare(_ found: StateDigest) throws {
    if found != digest, try !isBypassed() {
      throw DatabaseError.corrupt(
        "list \"\(list)\": its rows do not agree with the digest of revision \(revision)")
    }
  }

  /// Writes the list as JSON, with exact sizes, in parts as it is read: it is never whole in memory.
  ///
  /// It is read twice: first to compare it with its digest, before anything is written.
  ///
  /// - Throws: `SQLITE_CORRUPT` if the rows do not agree with the commits; or what the closure throws.
  package func writeTree(_ put: (String) throws -> Void) throws {
    try compare(uncheckedDigest())
    let sizes = try ExactSizes(self)
    var writer = JSONWriter()
    try writer.object { writer in
      writer.member("list", list.rawValue)
      writer.member("revision", String(revision))
      if let meta = try listMeta() { writer.member("meta", meta) }
      try writer.member("sections") { writer in
        try writer.array { writer in
          try forEachUncheckedSection { section, known in
            try writer.object { writer in
              try write(section, &known, sizes, to: &writer, put)
            }
          }
        }
      }
    }
    try put(writer.take())
  }

  private func write(
    _ section: SectionRow, _ known: inout RowSet, _ sizes: ExactSizes, to writer: inout JSONWriter,
    _ put: (String) throws -> Void
  ) throws {
    let attributes = try attributes(of: section.id)
    writer.member("id", section.section.rawValue)
    attributes.writeMembers(to: &writer)
    let layout = attributes.layout.stableHash
    try writer.member("items") { writer in
      try writer.array { writer in
        try forEachItem(of: section, &known) { member in
          let item = Item(id: try ItemID(member.name), state: try state(of: member))
          item.write(to: &writer, size: try sizes.size(of: member, layout: layout))
          if writer.utf8.count > 1 << 16 { try put(writer.take()) }
        }
      }
    }
  }

  /// Whether another program has written since the store was opened.
  package func isBypassed() throws -> Bool {
    try statements("SELECT isBypassed FROM store").first { try $0.integer(0) } ?? 0 != 0
  }

  /// Compares the list's row with the commit of its revision; not for use inside an edit.
  package func checkHead() throws {
    let commit = try statements(
      "SELECT chain, digest FROM listCommit WHERE list = ? AND revision = ?"
    ).first(id, revision) { (try $0.hash(0), try $0.hash(1)) }
    let isSound =
      if let commit { commit == (chain, digest.value) } else { revision == logFloor }
    guard isSound, revision != logFloor || chain == floorChain else {
      throw DatabaseError.corrupt(
        "list \"\(list)\" does not agree with its commit of revision \(revision)")
    }
  }

  /// The list, read from its rows without a comparison with the digest.
  ///
  /// Each section and item is read once. In a damaged file, blocks could name one of them again and
  /// again, and the list would have no end.
  func uncheckedTree() throws -> ListTree {
    var tree = ListTree(list: list, revision: revision, meta: try listMeta())
    try forEachUncheckedSection { row, known in
      tree.sections.append(
        ListTree.Section(
          id: row.section, attributes: try attributes(of: row.id),
          items: try readItems(of: row, &known)
        ))
    }
    return tree
  }

  /// The digest of the list as its rows have it; one content at a time is in memory.
  package func uncheckedDigest() throws -> StateDigest {
    var sections: [SectionID] = []
    try forEachSection { sections.append($0.section) }
    var digest = StateDigest(meta: try listMeta(), sections: sections)
    try forEachUncheckedSection { section, known in
      digest.add(try attributes(of: section.id), ofSection: section.hash)
      var previous = Neighbours.none
      try forEachItem(of: section, &known) { member in
        let hash = try ItemID(member.name).stableHash
        digest.addPair(previous, hash, in: section.hash)
        digest.add(try state(of: member), ofItem: hash)
        previous = hash
      }
      digest.addPair(previous, Neighbours.none, in: section.hash)
    }
    return digest
  }

  /// The sections in their order, each of them once.
  ///
  /// `body`: Takes a section and the items that were read before it.
  func forEachUncheckedSection(
    _ body: (SectionRow, inout RowSet) throws -> Void
  ) throws {
    var known = RowSet()
    var count = 0
    try forEachSection { row in
      try body(row, &known)
      count += 1
    }
    guard count == sectionTotal else {
      throw DatabaseError.corrupt(
        "list \"\(list)\" counts \(sectionTotal) sections and has \(count)")
    }
  }

  private func readItems(of section: SectionRow, _ known: inout RowSet) throws -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(min(section.itemCount, 4_096))
    try forEachItem(of: section, &known) { member in
      items.append(Item(id: try ItemID(member.name), state: try state(of: member)))
    }
    return items
  }

  /// Calls a closure with the items of a section in order; none of them may be in `known`.
  func forEachItem(
    of section: SectionRow, _ known: inout RowSet, _ body: (Block.Member) throws -> Void
  ) throws {
    var count = 0
    try forEachMember(of: section) { member in
      guard known.insert(member.id) else {
        throw DatabaseError.corrupt("item \"\(member.name)\" is in the list twice")
      }
      try body(member)
      count += 1
    }
    guard count == section.itemCount else {
      throw DatabaseError.corrupt(
        "section \"\(section.section)\" counts \(section.itemCount) items and has \(count)")
    }
  }

  /// The sections in their order.
  package func forEachSection(_ body: (SectionRow) throws -> Void) throws {
    var known: Set<Int> = []
    var members: [Block.Member] = []
    try forEachMember(ofOrder: root, in: nil) { members.append($0) }
    try sections.read(Set(members.map(\.id)))
    for member in members {
      guard known.insert(member.id).inserted else {
        throw DatabaseError.corrupt("section \"\(member.name)\" is in the list twice")
      }
      let row = try sectionRow(id: member.id)
      guard row.section.rawValue.utf8.elementsEqual(member.name.utf8) else {
        throw DatabaseError.corrupt("section \"\(row.section)\" has two names")
      }
      try body(row)
    }
  }

  /// The items of a section in their order.
  package func forEachMember(of section: SectionRow, _ body: (Block.Member) throws -> Void) throws {
    try forEachMember(ofOrder: section.root, in: section.id, body)
  }

  /// The members of an order.
  ///
  /// Reads the blocks one by one and keeps none, so that a long list takes no memory here.
  func forEachMember(
    ofOrder root: Int, in section: Int?, _ body: (Block.Member) throws -> Void
  ) throws {
    let block = try tree.block(root)
    // Else many sections could share one order.
    guard block.section == section, block.parent == nil else {
      throw DatabaseError.corrupt("block \(root) is not the root of its order")
    }
    try forEachMember(of: block, body)
  }

  private func forEachMember(of block: Block, _ body: (Block.Member) throws -> Void) throws {
    for member in block.members { try body(member) }
    for child in block.children {
      try tree.withChild(child.block, of: block) { try forEachMember(of: $0, body) }
    }
  }
}
