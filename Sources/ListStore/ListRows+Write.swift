import GRDB
import ListModel
import StoreSchema

extension ListRows {
  /// Makes a change as resolved against these rows.
  mutating func apply(_ entry: LogEntry) throws {
    switch entry {
    case .insertSection(let section, let attributes, let index):
      try insert(section, attributes, at: index)
    case .deleteSection(let section, _):
      let row = try knownSectionRow(section.id)
      try execute("DELETE FROM item WHERE section = ?", [row.id])
      try execute("DELETE FROM section WHERE id = ?", [row.id])
      sectionsChanged(by: -1)
    case .moveSection(let section, let from, let to):
      guard from != to else { return }
      let row = try knownSectionRow(section)
      let position = try PositionOrder.sections(db).makePosition(
        inGap: to > from ? to + 1 : to, count: try sectionCount(), in: id)
      try execute("UPDATE section SET position = ? WHERE id = ?", [position, row.id])
    case .updateSection(let section, _, let before, let after):
      try update(section, from: before, to: after)
    case .insertItem(let item, let path): try insert(item, at: path)
    case .deleteItem(let item, let path):
      try execute("DELETE FROM item WHERE id = ?", [try knownItemRow(item.id)])
      try countItems(-1, inSection: try sectionRow(at: path.section).id)
    case .moveItem(let item, let from, let to): try move(item, from: from, to: to)
    case .updateItem(let item, _, _, let after):
      try execute(
        """
        UPDATE item SET cell = ?, content = ?, type = ?, action = ?, contentRevision = ?
        WHERE id = ?
        """,
        [
          try cellRow(after.cell), after.content.text, after.type?.rawValue, after.action?.json,
          after.contentRevision, try knownItemRow(item),
        ])
    case .touchItem: break
    }
  }

  // MARK: Sections

  private mutating func insert(
    _ section: SectionID, _ attributes: SectionAttributes, at index: Int
  ) throws {
    let position = try PositionOrder.sections(db).makePosition(
      inGap: index, count: try sectionCount(), in: id)
    let layout = attributes.layout
    let insets = layout?.insets
    try execute(
      """
      INSERT INTO section (list, name, position, layoutKind, columns, lineSpacing,
        interitemSpacing, insetTop, insetLeft, insetBottom, insetRight, meta)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        id, section.rawValue, position, layout?.kind?.rawValue, layout?.columns,
        layout?.lineSpacing, layout?.interitemSpacing, insets?.top, insets?.left, insets?.bottom,
        insets?.right, attributes.meta?.text,
      ])
    let row = Int(db.lastInsertedRowID)
    try set(attributes.header, as: SupplementaryKind.header, ofSection: row)
    try set(attributes.footer, as: SupplementaryKind.footer, ofSection: row)
    sectionsChanged(by: 1)
  }

  private func update(
    _ section: SectionID, from before: SectionAttributes, to after: SectionAttributes
  ) throws {
    let row = try knownSectionRow(section).id
    let layout = after.layout
    let insets = layout?.insets
    try execute(
      """
      UPDATE section SET layoutKind = ?, columns = ?, lineSpacing = ?, interitemSpacing = ?,
        insetTop = ?, insetLeft = ?, insetBottom = ?, insetRight = ?, meta = ? WHERE id = ?
      """,
      [
        layout?.kind?.rawValue, layout?.columns, layout?.lineSpacing, layout?.interitemSpacing,
        insets?.top, insets?.left, insets?.bottom, insets?.right, after.meta?.text, row,
      ])
    if before.header != after.header {
      try set(after.header, as: SupplementaryKind.header, ofSection: row)
    }
    if before.footer != after.footer {
      try set(after.footer, as: SupplementaryKind.footer, ofSection: row)
    }
  }

  private func set(
    _ supplementary: Supplementary?, as kind: String, ofSection section: Int
  ) throws {
    guard let supplementary else {
      return try execute(
        "DELETE FROM supplementary WHERE section = ? AND kind = ?", [section, kind])
    }
    try execute(
      "INSERT OR REPLACE INTO supplementary (section, kind, view, content) VALUES (?, ?, ?, ?)",
      [section, kind, supplementary.view.rawValue, supplementary.content.text])
  }

  // MARK: Items

  private func insert(_ item: Item, at path: ItemPath) throws {
    let section = try sectionRow(at: path.section)
    let position = try PositionOrder.items(db).makePosition(
      inGap: path.item, count: section.itemCount, in: section.id)
    let state = item.state
    try execute(
      """
      INSERT INTO item (list, section, position, name, cell, type, action, contentRevision, content)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        id, section.id, position, item.id.rawValue, try cellRow(state.cell), state.type?.rawValue,
        state.action?.json, state.contentRevision, state.content.text,
      ])
    try countItems(1, inSection: section.id)
  }

  private func move(_ item: ItemID, from: ItemPath, to: ItemPath) throws {
    guard from != to else { return }
    let row = try knownItemRow(item)
    let source = try sectionRow(at: from.section)
    let target = from.section == to.section ? source : try sectionRow(at: to.section)
    let isDown = from.section == to.section && to.item > from.item
    let position = try PositionOrder.items(db).makePosition(
      inGap: isDown ? to.item + 1 : to.item, count: target.itemCount, in: target.id)
    try execute(
      "UPDATE item SET section = ?, position = ? WHERE id = ?", [target.id, position, row])
    if source.id != target.id {
      try countItems(-1, inSection: source.id)
      try countItems(1, inSection: target.id)
    }
  }

  private func countItems(_ difference: Int, inSection section: Int) throws {
    try execute("UPDATE section SET itemCount = itemCount + ? WHERE id = ?", [difference, section])
  }

  func cellRow(_ cell: CellName) throws -> Int {
    try db.nameRow(
      find: "SELECT id FROM cell WHERE name = ?", insert: "INSERT INTO cell (name) VALUES (?)",
      name: cell.rawValue)
  }

  private func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

extension Database {
  /// The row of an interned name, which is added if it is new.
  func nameRow(find: String, insert: String, name: String) throws -> Int {
    if let row = try Row.fetchOne(cachedStatement(sql: find), arguments: [name]) {
      return try row.integer(0)
    }
    try cachedStatement(sql: insert).execute(arguments: [name])
    return Int(lastInsertedRowID)
  }
}
