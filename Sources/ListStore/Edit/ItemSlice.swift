import GRDB
import ListModel
import ListTables

/// Which items are changed.
enum ItemFilter: Sendable {
  case cell(CellName)
  /// By the stored name of the type, and by the cell of items that name none.
  case types(@Sendable (TypeName?, CellName) -> Bool)
}

/// An item as it was read, to be changed by a later transaction.
struct SlicedItem: Sendable {
  let id: ItemID
  let path: ItemPath
  /// Its row, and its state in the tables.
  let row: Int
  let stored: StoredState
  let state: ItemState

  init(_ member: Block.Member, at path: ItemPath, state: ItemState) throws {
    id = try ItemID(member.name)
    self.path = path
    row = member.id
    stored = member.state
    self.state = state
  }

  /// Whether a member is the item as it was read.
  func isSame(as member: Block.Member) -> Bool {
    member.id == row && member.content == stored.content
      && member.contentRevision == stored.contentRevision && member.cell == stored.cell
  }
}

/// Items with the states that they are to get; content revisions are counted when they are written.
typealias ItemChanges = [(item: SlicedItem, state: ItemState)]

/// Some items of a list, as many as one transaction changes.
struct ItemSlice: Sendable {
  fileprivate(set) var items: [SlicedItem] = []
  /// The list's revision when they were read.
  let revision: Int
  /// Where the next slice begins; `nil` at the end of the list.
  fileprivate(set) var end: ItemPath?
  /// How many items were looked at.
  fileprivate(set) var checkedCount = 0
  /// Of the contents.
  private var byteCount = 0

  /// The most items of a slice: to change them takes some milliseconds, and a view follows them in
  /// one batch update.
  private static let maximumItemCount = 1_000
  /// The most bytes of contents of a slice, unless one item alone has more.
  private static let maximumByteCount = 1 << 20
  /// The most items that are looked at for a slice: their blocks stay in memory.
  private static let maximumCheckedCount = 20_000

  fileprivate init(revision: Int) { self.revision = revision }

  fileprivate var isFull: Bool {
    items.count >= Self.maximumItemCount || byteCount >= Self.maximumByteCount
      || checkedCount >= Self.maximumCheckedCount
  }

  fileprivate mutating func add(_ item: SlicedItem) {
    items.append(item)
    byteCount += item.state.content.text.utf8.count
  }
}

/// Reads a slice of the items of a filter.
struct ItemSliceReader {
  private let rows: ListRows
  private let filter: ItemFilter
  /// The row of the filter's cell.
  private let cellRow: Int?
  private let isChanged: (_ row: Int) -> Bool
  private var slice: ItemSlice
  private var types: [StoredType: Bool] = [:]

  /// What the answer for an item depends on.
  private struct StoredType: Hashable {
    var name: String?
    /// The row of the cell, for items that name no type.
    var cell: Int?
  }

  /// `isChanged`: Whether the item of a row was changed before, and is left out.
  init(
    _ rows: ListRows, _ filter: ItemFilter, leavingOut isChanged: @escaping (Int) -> Bool
  ) throws {
    self.rows = rows
    self.filter = filter
    self.isChanged = isChanged
    slice = ItemSlice(revision: rows.revision)
    if case .cell(let cell) = filter {
      cellRow = try rows.statements("SELECT id FROM cell WHERE name = ?")
        .first(cell.rawValue) { try $0.integer(0) }
    } else {
      cellRow = nil
    }
  }

  /// The next slice from a path on.
  mutating func read(from start: ItemPath) throws -> ItemSlice {
    if case .cell = filter, cellRow == nil { return slice }
    let content = try rows.statements("SELECT type, action, content FROM content WHERE id = ?")
    slice.end = try rows.forEachItem(from: start) { member, path in
      if slice.isFull { return false }
      slice.checkedCount += 1
      if cellRow.map({ $0 != member.cell }) ?? false || isChanged(member.id) { return true }
      content.bind(member.content, at: 1)
      let found: Void? = try content.first { row in
        if try isChosen(member, row) { slice.add(try item(member, at: path, row)) }
      }
      if found == nil { throw DatabaseError.corrupt("content \(member.content) is missing") }
      return true
    }
    return slice
  }

  private func item(
    _ member: Block.Member, at path: ItemPath, _ row: StatementRow
  ) throws -> SlicedItem {
    try SlicedItem(
      member, at: path,
      state: ItemState(
        cell: rows.statements.cellName(member.cell), content: row.json(2),
        type: row.textIfPresent(0).map { try TypeName($0) },
        action: row.textIfPresent(1).map { try Action(stored: $0.utf8) },
        contentRevision: member.contentRevision))
  }

  private mutating func isChosen(_ member: Block.Member, _ row: StatementRow) throws -> Bool {
    guard case .types(let isChosen) = filter else { return true }
    let name = try row.textIfPresent(0)
    let type = StoredType(name: name, cell: name == nil ? member.cell : nil)
    if let known = types[type] { return known }
    let answer = isChosen(
      try name.map { try TypeName($0) }, try rows.statements.cellName(member.cell))
    types[type] = answer
    return answer
  }
}

extension ListRows {
  /// Calls a closure with each item and its path, from a path on, until it returns `false`.
  ///
  /// - Returns: The path of the item for which it did; `nil` at the end of the list.
  /// - Throws: `SQLITE_CORRUPT` if a section counts more items than it has.
  fileprivate func forEachItem(
    from start: ItemPath, _ body: (Block.Member, ItemPath) throws -> Bool
  ) throws -> ItemPath? {
    var next = start
    while next.section < sectionTotal {
      let section = try sectionRow(at: next.section)
      while next.item < section.itemCount {
        let place = try tree.place(next.item, root: section.root)
        let members = place.leaf.members[place.offset...]
        if members.isEmpty { throw DatabaseError.corrupt("no item at \(next)") }
        for member in members {
          guard try body(member, next) else { return next }
          next.item += 1
        }
      }
      next = ItemPath(section: next.section + 1, item: 0)
    }
    return nil
  }
}
