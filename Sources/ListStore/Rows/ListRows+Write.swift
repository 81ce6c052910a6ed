import GRDB
import ListModel

extension ListRows {
  /// Applies a change that was resolved against these rows.
  ///
  /// - Returns: The neighbours of the place that something was taken from, then of the place that
  ///   it was put into.
  func apply(_ entry: LogEntry) throws -> [Seam] {
    let seams: [Seam]
    switch entry {
    case .updateList(_, let after):
      meta = after?.text
      try statements("UPDATE list SET meta = ? WHERE id = ?").run(meta, id)
      seams = []
    case .insertSection(let section, let attributes, let index):
      seams = [try insert(section, attributes, at: index)]
    case .deleteSection(let section, let index):
      seams = [try delete(section, at: index)]
    case .moveSection(_, let from, let to): seams = try moveSection(from: from, to: to)
    case .updateSection(let section, _, let before, let after):
      try update(section, from: before, to: after)
      seams = []
    case .insertItem(let item, let path): seams = [try insert(item, at: path)]
    case .deleteItem(let item, let path): seams = [try delete(item.id, at: path)]
    case .moveItem(_, let from, let to): seams = try moveItem(from: from, to: to)
    case .updateItem(let item, let path, let before, let after):
      try update(item, at: path, from: before, to: after)
      seams = []
    case .touchItem: seams = []
    }
    digest?.apply(entry, seams: seams[...])
    return seams
  }

  /// The neighbours of a place.
  private func seam(at index: Int, root: Int, parent: UInt64) throws -> Seam {
    try seam(at: tree.place(index, root: root), parent: parent)
  }

  private func seam(at place: BlockTree.Place, parent: UInt64) throws -> Seam {
    let (previous, next) = try tree.neighbours(of: place)
    return Seam(
      parent: parent, previous: previous.map(\.hash) ?? Seam.none,
      next: next.map(\.hash) ?? Seam.none)
  }

  // MARK: Sections

  private func insert(
    _ section: SectionID, _ attributes: SectionAttributes, at index: Int
  ) throws -> Seam {
    let target = try tree.place(index, root: root)
    let seam = try seam(at: target, parent: Seam.none)
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
    remember(
      SectionRow(id: row, section: section, block: place.block, root: items.id, itemCount: 0))
    root = place.root
    sectionTotal += 1
    return seam
  }

  private func delete(_ section: ListTree.Section, at index: Int) throws -> Seam {
    let row = try knownSectionRow(section.id)
    try tree.removeOrder(root: row.root) { member, block in
      try deleteRows(ofItem: member.id, in: block)
    }
    root = try tree.remove(at: index, root: root).root
    try statements("DELETE FROM section WHERE id = ?").run(row.id)
    forget(row)
    sectionTotal -= 1
    return try seam(at: index, root: root, parent: Seam.none)
  }

  private func moveSection(from: Int, to: Int) throws -> [Seam] {
    guard from != to else { return [] }
    let taken = try tree.remove(at: from, root: root)
    let left = try seam(at: from, root: taken.root, parent: Seam.none)
    let target = try tree.place(to, root: taken.root)
    let entered = try seam(at: target, parent: Seam.none)
    let place = try tree.insert(taken.member, at: target)
    tree.moved(taken.member.id, from: taken.block, to: place.block, isItem: false)
    root = place.root
    return [left, entered]
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

  private func insert(_ item: Item, at path: ItemPath) throws -> Seam {
    let section = try sectionRow(at: path.section)
    let target = try tree.place(path.item, root: section.root)
    let seam = try seam(at: target, parent: section.hash)
    let state = item.state
    let row = try newItemID()
    let place = try tree.insert(
      .init(
        id: row, name: item.id.rawValue, cell: try cellRow(state.cell),
        contentRevision: state.contentRevision),
      at: target)
    section.root = place.root
    section.itemCount += 1
    let insert = try statements("INSERT INTO item (id, list, name, block) VALUES (?, ?, ?, ?)")
    insert.bind(row, at: 1)
    insert.bind(id, at: 2)
    insert.bind(item.id.rawValue, at: 3)
    insert.bind(place.block, at: 4)
    try insert.run()
    let content = try statements(
      "INSERT INTO itemContent (id, type, action, content) VALUES (?, ?, ?, ?)")
    content.bind(row, at: 1)
    content.bind(state.type?.rawValue, at: 2)
    content.bind(state.action?.json, at: 3)
    content.bind(state.content.text, at: 4)
    try content.run()
    return seam
  }

  private func newItemID() throws -> Int {
    let last =
      try lastItem ?? statements("SELECT lastItem FROM store").first { try $0.integer(0) } ?? 0
    guard last < Int.max else { throw DatabaseError.corrupt("there are no more item ids") }
    lastItem = last + 1
    return last + 1
  }

  private func delete(_ item: ItemID, at path: ItemPath) throws -> Seam {
    let section = try sectionRow(at: path.section)
    let taken = try take(item, at: path, from: section)
    try deleteRows(ofItem: taken.member.id, in: taken.block)
    return try seam(at: path.item, root: section.root, parent: section.hash)
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

  /// Deletes the rows of an item that no order has any more.
  private func deleteRows(ofItem item: Int, in block: Int) throws {
    try sums.removeItem(item, storedIn: tree.displacedItems[item]?.from ?? block)
    tree.forgetItem(item)
    try statements("DELETE FROM item WHERE id = ?").run(item)
    try statements("DELETE FROM itemContent WHERE id = ?").run(item)
  }

  private func moveItem(from: ItemPath, to: ItemPath) throws -> [Seam] {
    guard from != to else { return [] }
    let source = try sectionRow(at: from.section)
    let target = from.section == to.section ? source : try sectionRow(at: to.section)
    let taken = try take(nil, at: from, from: source)
    let left = try seam(at: from.item, root: source.root, parent: source.hash)
    let gap = try tree.place(to.item, root: target.root)
    let entered = try seam(at: gap, parent: target.hash)
    let place = try tree.insert(taken.member, at: gap)
    tree.moved(taken.member.id, from: taken.block, to: place.block, isItem: true)
    target.root = place.root
    target.itemCount += 1
    return [left, entered]
  }

  private func update(
    _ item: ItemID, at path: ItemPath, from before: ItemState, to after: ItemState
  ) throws {
    let place = try tree.place(path.item, root: sectionRow(at: path.section).root)
    let (leaf, offset) = (place.leaf, place.offset)
    guard leaf.members.indices.contains(offset) else {
      throw DatabaseError.corrupt("no item at \(path)")
    }
    leaf.members[offset].cell = try cellRow(after.cell)
    leaf.members[offset].contentRevision = after.contentRevision
    tree.touch(leaf)
    let row = leaf.members[offset].id
    if before.content == after.content, before.type == after.type, before.action == after.action {
      return
    }
    try statements("UPDATE itemContent SET type = ?, action = ?, content = ? WHERE id = ?")
      .run(after.type?.rawValue, after.action?.json, after.content.text, row)
  }
}
