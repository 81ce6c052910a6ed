import ListItems
import ListModel
import StoreSchema
import ListTables
import GRDB

/// Items of a list whose contents are stored in an earlier version, as they were read.
struct OutdatedItems: Sendable {
  fileprivate(set) var items: [(item: SlicedItem, type: any ListItem.Type)] = []
  fileprivate(set) var size = SliceSize()
  /// The list's revision when they were read.
  fileprivate(set) var revision = 0
  /// Where the search goes on; `nil` at the end of the list.
  fileprivate(set) var end: ItemPath?
}

/// Items with their contents of the current version, and why others can't have one.
struct UpgradedItems: Sendable {
  var changes: ItemChanges = []
  var failures: [ItemTypeError] = []
}

extension OutdatedItems {
  /// Upgrades some of the items; other threads may upgrade others at the same time.
  func upgraded(_ part: Range<Int>) throws -> UpgradedItems {
    var states: [Result<ItemState, ItemTypeError>] = part.map { .success(items[$0].item.state) }
    let byType = Dictionary(grouping: part) { ObjectIdentifier(items[$0].type) }
    for indexes in byType.values {
      let type = items[indexes[0]].type
      let name = try type.typeName.stored(version: type.contentVersion)
      let outdated = indexes.map { Item(id: items[$0].item.id, state: items[$0].item.state) }
      for (index, content) in zip(indexes, type.upgradedContents(of: outdated)) {
        states[index - part.lowerBound] = content.map { content in
          var state = items[index].item.state
          state.content = content
          state.type = name
          return state
        }
      }
    }
    var upgraded = UpgradedItems()
    for (index, state) in zip(part, states) {
      switch state {
      case .success(let state): upgraded.changes.append((items[index].item, state))
      case .failure(let error): upgraded.failures.append(error)
      }
    }
    return upgraded
  }
}

extension Repository {
  /// The number of items of all lists.
  var itemCount: Int {
    get throws(StoreError) {
      try read("count items") { db in
        try Statements(db)("SELECT coalesce(sum(itemCount), 0) FROM section")
          .first { try $0.integer(0) } ?? 0
      }
    }
  }

  /// Whether somebody observes the commits of a list.
  func isObserved(_ list: ListID) -> Bool {
    observers.observe(list)
  }

  /// The next items of a list to be upgraded.
  ///
  /// `start`: The path to begin at.
  /// Returns: `nil` if there is no such list any more.
  func outdatedItems(
    of list: ListID, _ types: ItemTypes, from start: ItemPath
  ) throws(StoreError) -> OutdatedItems? {
    try read("read contents of \"\(list)\"") { db in
      try ListRows(db, list).map { rows in
        var search = OutdatedItemSearch(rows, types)
        return try search.run(from: start)
      }
    }
  }
}

/// Looks for items whose contents are stored in an earlier version.
private struct OutdatedItemSearch {
  private let rows: ListRows
  private let types: ItemTypes
  private var found = OutdatedItems()
  private var outdatedTypes: [StoredType: (any ListItem.Type)?] = [:]

  /// What tells whether an item is outdated.
  private struct StoredType: Hashable {
    var name: String?
    /// The row of the cell, for items that name no type.
    var cell: Int?
  }

  init(_ rows: ListRows, _ types: ItemTypes) {
    (self.rows, self.types) = (rows, types)
    found.revision = rows.revision
  }

  /// Reads on from a path, until there are enough items.
  mutating func run(from start: ItemPath) throws -> OutdatedItems {
    let read = try rows.statements("SELECT type, action, content FROM content WHERE id = ?")
    found.end = try rows.forEachItem(from: start) { member, path in
      if found.size.isFull { return false }
      try check(member, at: path, read)
      return true
    }
    return found
  }

  private mutating func check(
    _ member: Block.Member, at path: ItemPath, _ read: StoreStatement
  ) throws {
    found.size.checkedCount += 1
    read.bind(member.content, at: 1)
    let isFound: Void? = try read.first { row in
      let name = try row.textIfPresent(0)
      let type = try outdatedType(StoredType(name: name, cell: name == nil ? member.cell : nil))
      guard let type else { return }
      let state = ItemState(
        cell: try rows.statements.cellName(member.cell), content: try row.json(2),
        type: try name.map { try TypeName($0) },
        action: try row.textIfPresent(1).map { try Action(JSON(parsing: $0)) },
        contentRevision: member.contentRevision)
      found.size.add(state.content)
      found.items.append((try SlicedItem(member, at: path, state: state), type))
    }
    if isFound == nil { throw DatabaseError.corrupt("content \(member.content) is missing") }
  }

  /// The type of items whose contents have to be written in its current form; else `nil`.
  private mutating func outdatedType(_ stored: StoredType) throws -> (any ListItem.Type)? {
    if let known = outdatedTypes[stored] { return known }
    let name = try stored.name.map { try TypeName($0) }
    let cell: CellName = try stored.cell.map { try rows.statements.cellName($0) } ?? "unknown"
    var type = types.type(of: Item(id: "unknown", cell: cell, content: .null, type: name))
    if let found = type, !found.isOutdated(storedAs: name) { type = nil }
    outdatedTypes[stored] = .some(type)
    return type
  }
}
