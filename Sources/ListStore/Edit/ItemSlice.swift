import ListModel
import ListTables
import GRDB

/// Which items of the lists are changed.
enum ItemFilter {
  case cell(CellName)
  case types((TypeName) -> Bool)
}

/// Some items of a list, as many as one transaction changes.
struct ItemSlice {
  var items: [SlicedItem] = []
  /// The list's revision when they were read.
  let revision: Int
  /// Where the next slice begins; `nil` at the end of the list.
  var end: ItemPath?
  var size = SliceSize()
}

/// Reads a slice of the items of a filter.
struct ItemSliceReader {
  private let rows: ListRows
  private let filter: ItemFilter
  /// The row of the filter's cell.
  private let cellRow: Int?
  private let contentType: StoreStatement
  private let isChanged: (_ row: Int) -> Bool
  private var slice: ItemSlice
  private var selectedTypes: [String: Bool] = [:]

  /// `isChanged`: Whether the item of a row was changed before, and is left out.
  init(
    _ rows: ListRows, _ filter: ItemFilter, leavingOut isChanged: @escaping (Int) -> Bool
  ) throws {
    self.rows = rows
    self.filter = filter
    self.isChanged = isChanged
    slice = ItemSlice(revision: rows.revision)
    contentType = try rows.statements("SELECT type FROM content WHERE id = ?")
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
    slice.end = try rows.forEachItem(from: start) { member, path in
      if slice.size.isFull { return false }
      try take(member, at: path)
      return true
    }
    return slice
  }

  private mutating func take(_ member: Block.Member, at path: ItemPath) throws {
    slice.size.checkedCount += 1
    guard try isSelected(member), !isChanged(member.id) else { return }
    let state = try rows.state(of: member)
    slice.size.add(state.content)
    slice.items.append(try SlicedItem(member, at: path, state: state))
  }

  private mutating func isSelected(_ member: Block.Member) throws -> Bool {
    guard case .types(let isSelected) = filter else { return member.cell == cellRow }
    contentType.bind(member.content, at: 1)
    let type = try contentType.first { try $0.textIfPresent(0) }
    guard let type else { throw DatabaseError.corrupt("content \(member.content) is missing") }
    guard let type else { return false }
    if let known = selectedTypes[type] { return known }
    let answer = isSelected(try TypeName(type))
    selectedTypes[type] = answer
    return answer
  }
}
