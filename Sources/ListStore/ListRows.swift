import GRDB
import ListModel
import StoreSchema

/// One list's rows, through a connection, inside a transaction.
struct ListRows {
  let db: Database
  /// The list's row.
  let id: Int
  let list: ListID
  var revision: Int
  var feedSequence: Int
  private(set) var sectionTotal: Int

  /// - Returns: `nil` if the store has no such list.
  init?(_ db: Database, _ list: ListID) throws {
    guard
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: "SELECT id, revision, feedSequence, sectionCount FROM list WHERE name = ?"),
        arguments: [list.rawValue])
    else { return nil }
    self.db = db
    self.list = list
    id = try row.integer(0)
    revision = try row.integer(1)
    feedSequence = try row.integer(2)
    sectionTotal = try row.integer(3)
    // A file can hold any number: these are counted on from here.
    let countable = 0..<(1 << 60)
    guard countable.contains(revision), countable.contains(sectionTotal), feedSequence >= 0 else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "list \"\(list)\" has impossible counts")
    }
  }

  /// Makes an empty list.
  static func create(_ db: Database, _ list: ListID) throws -> ListRows {
    try db.cachedStatement(sql: "INSERT INTO list (name, revision) VALUES (?, 0)")
      .execute(arguments: [list.rawValue])
    guard let rows = try ListRows(db, list) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the new list can't be found")
    }
    return rows
  }

  /// Writes back what the list's own row holds.
  func save() throws {
    try db.cachedStatement(
      sql: "UPDATE list SET revision = ?, feedSequence = ?, sectionCount = ? WHERE id = ?"
    ).execute(arguments: [revision, feedSequence, sectionTotal, id])
  }

  mutating func sectionsChanged(by difference: Int) { sectionTotal += difference }

  // MARK: Rows

  struct SectionRow {
    var id: Int
    var position: Int
    var itemCount: Int
  }

  func sectionRow(_ section: SectionID) throws -> SectionRow? {
    try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT id, position, itemCount FROM section WHERE list = ? AND name = ?"),
      arguments: [id, section.rawValue]
    ).map { row throws in
      SectionRow(
        id: try row.integer(0), position: try row.integer(1), itemCount: try row.integer(2))
    }
  }

  /// The row that must be there, because the list was looked at in this transaction.
  func knownSectionRow(_ section: SectionID) throws -> SectionRow {
    guard let row = try sectionRow(section) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "section \"\(section)\" has no row")
    }
    return row
  }

  func knownItemRow(_ item: ItemID) throws -> Int {
    guard
      let row = try Row.fetchOne(
        db.cachedStatement(sql: "SELECT id FROM item WHERE list = ? AND name = ?"),
        arguments: [id, item.rawValue])
    else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "item \"\(item)\" has no row")
    }
    return try row.integer(0)
  }

  /// The section at an index.
  func sectionRow(at index: Int) throws -> SectionRow {
    guard
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT id, position, itemCount FROM section
            WHERE list = ? ORDER BY position LIMIT 1 OFFSET ?
            """),
        arguments: [id, index])
    else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "no section at index \(index)")
    }
    return SectionRow(
      id: try row.integer(0), position: try row.integer(1), itemCount: try row.integer(2))
  }
}

// MARK: What resolving a change asks

extension ListRows: ListLookup {
  typealias Failure = any Error

  func sectionCount() throws -> Int { sectionTotal }

  func sectionIndex(of section: SectionID) throws -> Int? {
    guard let row = try sectionRow(section) else { return nil }
    return try PositionOrder.sections(db).index(ofPosition: row.position, in: id)
  }

  func attributes(ofSection section: SectionID, at index: Int) throws -> SectionAttributes {
    try attributes(of: knownSectionRow(section).id)
  }

  func section(_ section: SectionID, at index: Int) throws -> Section {
    let row = try knownSectionRow(section)
    return Section(
      id: section, attributes: try attributes(of: row.id), items: try items(of: row.id))
  }

  func itemCount(inSection section: SectionID, at index: Int) throws -> Int {
    try knownSectionRow(section).itemCount
  }

  func location(of item: ItemID) throws -> ItemLocation? {
    guard
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT item.section, item.position, section.name, section.position
            FROM item JOIN section ON section.id = item.section
            WHERE item.list = ? AND item.name = ?
            """),
        arguments: [id, item.rawValue])
    else { return nil }
    return ItemLocation(
      section: try SectionID(row.text(2)),
      path: ItemPath(
        section: try PositionOrder.sections(db).index(ofPosition: row.integer(3), in: id),
        item: try PositionOrder.items(db).index(ofPosition: row.integer(1), in: row.integer(0))))
  }

  func state(of item: ItemID, at path: ItemPath) throws -> ItemState {
    guard
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT cell.name, item.content, item.type, item.action, item.contentRevision
            FROM item JOIN cell ON cell.id = item.cell WHERE item.list = ? AND item.name = ?
            """),
        arguments: [id, item.rawValue])
    else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "item \"\(item)\" has no row")
    }
    return try row.itemState(from: 0)
  }
}

// MARK: Reading whole lists

extension ListRows {
  /// The list at its head revision.
  func tree() throws -> ListTree {
    var tree = ListTree(list: list, revision: revision)
    let rows = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT id, name FROM section WHERE list = ? ORDER BY position"),
      arguments: [id])
    for row in rows {
      let section = try row.integer(0)
      tree.sections.append(
        Section(
          id: try SectionID(row.text(1)), attributes: try attributes(of: section),
          items: try items(of: section)))
    }
    return tree
  }

  private func items(of section: Int) throws -> [Item] {
    let cursor = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT item.name, cell.name, item.content, item.type, item.action, item.contentRevision
          FROM item JOIN cell ON cell.id = item.cell
          WHERE item.section = ? ORDER BY item.position
          """),
      arguments: [section])
    var items: [Item] = []
    while let row = try cursor.next() {
      items.append(Item(id: try ItemID(row.text(0)), state: try row.itemState(from: 1)))
    }
    return items
  }

  private func attributes(of section: Int) throws -> SectionAttributes {
    guard
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT layoutKind, columns, lineSpacing, interitemSpacing,
              insetTop, insetLeft, insetBottom, insetRight, meta
            FROM section WHERE id = ?
            """),
        arguments: [section])
    else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a section has no row") }
    var attributes = SectionAttributes(
      layout: try row.layout(), meta: try row.textIfPresent(8).map { try JSON($0) })
    let supplementaries = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT kind, view, content FROM supplementary WHERE section = ?"),
      arguments: [section])
    for row in supplementaries {
      let view = Supplementary(
        view: try ViewName(row.text(1)), content: try JSON(row.text(2)))
      switch try row.text(0) {
      case SupplementaryKind.header: attributes.header = view
      case SupplementaryKind.footer: attributes.footer = view
      default: break
      }
    }
    return attributes
  }
}

/// How the kinds of supplementaries are stored.
enum SupplementaryKind {
  static let header = "header"
  static let footer = "footer"
}

extension Row {
  /// The state in five columns: cell, content, type, action, content revision.
  fileprivate func itemState(from index: Int) throws -> ItemState {
    ItemState(
      cell: try CellName(text(index)), content: try JSON(text(index + 1)),
      type: try textIfPresent(index + 2).map { try TypeName($0) },
      action: try textIfPresent(index + 3).map { try Action(JSON($0)) },
      contentRevision: try integer(index + 4))
  }

  fileprivate func layout() throws -> SectionLayout {
    var layout = SectionLayout(
      kind: try textIfPresent(0).flatMap(SectionLayout.Kind.init),
      columns: try integerIfPresent(1), lineSpacing: try realIfPresent(2),
      interitemSpacing: try realIfPresent(3))
    if let top = try realIfPresent(4) {
      layout.insets = Insets(
        top: top, left: try real(5), bottom: try real(6), right: try real(7))
    }
    return layout
  }
}
