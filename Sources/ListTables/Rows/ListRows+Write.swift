import GRDB
import ListModel

extension ListRows {
  /// Applies a change that was resolved against these rows.
  ///
  /// `neighbours`: Gets the neighbours of the place that something was taken from, then of the place
  /// that it was put into.
  /// Returns: What the log names of the rows.
  func apply(
    _ entry: LogEntry, _ hashes: EntryHashes, appendingTo neighbours: inout [Neighbours]
  ) throws -> WrittenRows {
    var written = WrittenRows()
    let first = neighbours.count
    switch entry {
    case .updateList(_, let after):
      meta = after?.text
      try statements("UPDATE list SET meta = ? WHERE id = ?").run(meta, id)
    case .insertSection(let section, let attributes, let index):
      neighbours.append(try insert(section, attributes, at: index))
    case .deleteSection(let section, let index):
      neighbours.append(try delete(section, at: index, &written))
    case .moveSection(_, let from, let to): try moveSection(from: from, to: to, &neighbours)
    case .updateSection(let section, _, let before, let after):
      try update(section, from: before, to: after)
    case .insertItem(let item, let path):
      neighbours.append(try insert(item, hash: hashes.id, at: path, &written))
    case .deleteItem(let item, let path):
      neighbours.append(try delete(item.id, at: path, &written))
    case .moveItem(_, let from, let to): try moveItem(from: from, to: to, &neighbours)
    case .updateItem(_, let path, let before, let after):
      try updateItem(at: path, from: before, to: after, &written)
    case .touchItem: break
    }
    digest.apply(entry, hashes, neighbours: neighbours[first...])
    return written
  }

  /// The neighbours of a place.
  private func around(at index: Int, root: Int, parent: UInt64) throws -> Neighbours {
    try around(at: tree.place(index, root: root), parent: parent)
  }

  private func around(at place: BlockTree.Place, parent: UInt64) throws -> Neighbours {
    let (previous, next) = try tree.neighbours(of: place)
    return Neighbours(
      parent: parent, previous: previous.map(\.hash) ?? Neighbours.none,
      next: next.map(\.hash) ?? Neighbours.none)
  }

  // MARK: Sections

  private func insert(
    _ section: SectionID, _ attributes: SectionAttributes, at index: Int
  ) throws -> Neighbours {
    let target = try tree.place(index, root: root)
    let around = try around(at: target, parent: Neighbours.none)
    let layout = attributes.layout
    let insets = layout?.insets
    try statements(
      """
      INSERT INTO section (list, name, block, root, layoutKind, columns, lineSpacing,
        interitemSpacing, insetTop, insetLeft, insetBottom, insetRight, meta, visibility)
      VALUES (?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      id, section.rawValue, layout?.kind?.rawValue, layout?.columns, layout?.lineSpacing,
      layout?.interitemSpacing, insets?.top, insets?.left, insets?.bottom, insets?.right,
      attributes.meta?.text, attributes.visibility.rawValue)
    let row = Int(db.lastInsertedRowID)
    try setViews(ofSection: row, from: SectionAttributes(), to: attributes)
    let place = try tree.insert(.init(id: row, name: section.rawValue), at: target)
    let items = try tree.makeBlock(section: row)
    try statements("UPDATE section SET block = ?, root = ? WHERE id = ?")
      .run(place.block, items.id, row)
    sections.keep(
      SectionRow(id: row, section: section, block: place.block, root: items.id, itemCount: 0))
    root = place.root
    sectionTotal += 1
    return around
  }

  private func delete(
    _ section: ListTree.Section, at index: Int, _ written: inout WrittenRows
  ) throws -> Neighbours {
    let row = try knownSectionRow(section.id)
    try tree.removeOrder(root: row.root) { member, block in
      written.items.append((member.quotedName, member.state))
      try deleteRows(of: member, in: block)
    }
    root = try tree.remove(at: index, root: root).root
    try statements(
      "DELETE FROM measuredSize WHERE owner IN (SELECT id FROM supplementary WHERE section = ?)"
    ).run(row.id)
    try statements("DELETE FROM section WHERE id = ?").run(row.id)
    sections.forget(row)
    tree.forgetSection(row.id)
    sectionTotal -= 1
    return try around(at: index, root: root, parent: Neighbours.none)
  }

  private func moveSection(from: Int, to: Int, _ neighbours: inout [Neighbours]) throws {
    guard from != to else { return }
    let taken = try tree.remove(at: from, root: root)
    neighbours.append(try around(at: from, root: taken.root, parent: Neighbours.none))
    let target = try tree.place(to, root: taken.root)
    neighbours.append(try around(at: target, parent: Neighbours.none))
    let place = try tree.insert(taken.member, at: target)
    tree.moved(taken.member, from: taken.block, to: place.block, isItem: false)
    root = place.root
  }

  private func update(
    _ section: SectionID, from before: SectionAttributes, to after: SectionAttributes
  ) throws {
    let sectionRow = try knownSectionRow(section)
    sectionRow.layoutHash = nil
    let row = sectionRow.id
    let layout = after.layout
    let insets = layout?.insets
    try statements(
      """
      UPDATE section SET layoutKind = ?, columns = ?, lineSpacing = ?, interitemSpacing = ?,
        insetTop = ?, insetLeft = ?, insetBottom = ?, insetRight = ?, meta = ?,
        visibility = ? WHERE id = ?
      """
    ).run(
      layout?.kind?.rawValue, layout?.columns, layout?.lineSpacing, layout?.interitemSpacing,
      insets?.top, insets?.left, insets?.bottom, insets?.right, after.meta?.text,
      after.visibility.rawValue, row)
    try setViews(ofSection: row, from: before, to: after)
  }

  // MARK: Items

  private func insert(
    _ item: Item, hash: UInt64, at path: ItemPath, _ written: inout WrittenRows
  ) throws -> Neighbours {
    let member = try borrowedMember(item.id) ?? newMember(item)
    written.after = member.state
    try noteContent(ofItem: member.id, from: nil, to: member.content)
    return try insert(member, hash: hash, at: path)
  }

  private func insert(
    _ member: Block.Member, hash: UInt64, at path: ItemPath
  ) throws -> Neighbours {
    let section = try sectionRow(at: path.section)
    let target = try tree.place(path.item, root: section.root)
    let around = try around(at: target, parent: section.hash)
    let place = try tree.insert(member, at: target, leavesRoom: lender != nil)
    section.root = place.root
    section.itemCount += 1
    if lender == nil {
      try items.insert(.init(name: member.name, id: member.id, block: place.block), hash: hash)
    } else {
      try self.place(member.id, in: place.block)
    }
    return around
  }

  /// Inserts items of the source into a draft, of which no log tells, one after the other.
  ///
  /// `lent`: The items, and what the state of each contributes to a ``StateDigest``.
  /// `placesAtOnce`: Whether they get the rows that tell their places: see ``place(_:in:)``.
  func borrow(
    _ lent: [(member: Block.Member, term: UInt64)], at path: ItemPath, placesAtOnce: Bool
  ) throws {
    let section = try sectionRow(at: path.section)
    let target = try tree.place(path.item, root: section.root)
    var around = try around(at: target, parent: section.hash)
    for (member, term) in lent {
      let hash = member.hash
      digest.insert(hash, at: around)
      digest.replace(0, by: term)
      around.previous = hash
    }
    section.root = try tree.insert(lent.lazy.map(\.member), at: target, leavesRoom: true) {
      member, block in
      if placesAtOnce { try place(member.id, in: block) }
    }
    section.itemCount += lent.count
  }

  /// Adds the row that tells the place of an item of a derived list, and counts the item's sizes there.
  func place(_ item: Int, in block: Int) throws {
    try items.borrow(item, in: block)
    borrowed[item] = block
  }

  private func newMember(_ item: Item) throws -> Block.Member {
    Block.Member(
      id: try makeContent(item.state), name: item.id.rawValue,
      cell: try statements.cellRow(item.state.cell), contentRevision: item.state.contentRevision)
  }

  /// The item as the source has it; `nil` for a list that is not derived.
  private func borrowedMember(_ item: ItemID) throws -> Block.Member? {
    guard let lender else { return nil }
    if let lent, lent.name == item.rawValue { return lent }
    guard let member = try lender.member(of: item) else {
      throw DatabaseError.corrupt("item \"\(item)\" is not in the source")
    }
    return member
  }

  /// Adds the row of a content.
  ///
  /// - Returns: Its id. The first content of an item gives the item its id.
  private func makeContent(_ state: ItemState) throws -> Int {
    let id = try statements.newRowID()
    let insert = try statements(
      "INSERT INTO content (id, type, action, content) VALUES (?, ?, ?, ?)")
    insert.bind(id, at: 1)
    insert.bind(state.type?.rawValue, at: 2)
    insert.bind(state.action?.json, at: 3)
    insert.bind(state.content.text, at: 4)
    try insert.run()
    return id
  }

  private func delete(
    _ item: ItemID, at path: ItemPath, _ written: inout WrittenRows
  ) throws -> Neighbours {
    let section = try sectionRow(at: path.section)
    let taken = try take(item, at: path, from: section)
    written.before = taken.member.state
    try deleteRows(of: taken.member, in: taken.block)
    return try around(at: path.item, root: section.root, parent: section.hash)
  }

  /// Takes an item out of its order.
  private func take(
    _ item: ItemID?, at path: ItemPath, from section: SectionRow
  ) throws -> (member: Block.Member, block: Int) {
    let taken = try tree.remove(at: path.item, root: section.root)
    section.root = taken.root
    section.itemCount -= 1
    return (taken.member, taken.block)
  }

  /// Deletes the rows of an item that no order has any more; its content stays for the log.
  private func deleteRows(of item: Block.Member, in block: Int) throws {
    try noteContent(ofItem: item.id, from: item.content, to: nil)
    if borrowed.removeValue(forKey: item.id) == nil {
      try sums.removeItem(item.id, storedIn: tree.displacedItems[item.id]?.from ?? block)
    }
    if lender == nil {
      sums.forget(item.id)
    } else {
      try statements.leave(item.content, ofList: id, at: revision)
    }
    tree.forgetItem(item.id)
    try items.delete(item)
  }

  private func moveItem(
    from: ItemPath, to: ItemPath, _ neighbours: inout [Neighbours]
  ) throws {
    guard from != to else { return }
    let source = try sectionRow(at: from.section)
    let target = from.section == to.section ? source : try sectionRow(at: to.section)
    let taken = try take(nil, at: from, from: source)
    neighbours.append(try around(at: from.item, root: source.root, parent: source.hash))
    let gap = try tree.place(to.item, root: target.root)
    neighbours.append(try around(at: gap, parent: target.hash))
    let place = try tree.insert(taken.member, at: gap)
    tree.moved(taken.member, from: taken.block, to: place.block, isItem: true)
    target.root = place.root
    target.itemCount += 1
  }

  private func updateItem(
    at path: ItemPath, from before: ItemState, to after: ItemState,
    _ written: inout WrittenRows
  ) throws {
    let place = try tree.place(path.item, root: sectionRow(at: path.section).root)
    let (leaf, offset) = (place.leaf, place.offset)
    guard leaf.members.indices.contains(offset) else {
      throw DatabaseError.corrupt("no item at \(path)")
    }
    let old = leaf.members[offset].state
    let isSameContent =
      before.content == after.content && before.type == after.type
      && before.action == after.action
    let new =
      if lender == nil {
        StoredState(
          cell: try statements.cellRow(after.cell), contentRevision: after.contentRevision,
          content: isSameContent ? old.content : try makeContent(after))
      } else {
        try borrowedMember(ItemID(leaf.members[offset].name))?.state ?? old
      }
    if lender != nil { try statements.leave(old.content, ofList: id, at: revision) }
    try noteContent(ofItem: leaf.members[offset].id, from: old.content, to: new.content)
    leaf.set(new, at: offset)
    tree.touch(leaf)
    written.before = old
    written.after = new
  }
}
