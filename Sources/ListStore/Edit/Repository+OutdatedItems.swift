import GRDB
import ListItems
import ListModel
import StoreSchema

/// Items of a list whose contents are stored in an earlier version, with their contents of the
/// current one.
struct OutdatedItems: Sendable {
  var items: ItemChanges = []
  var failures: [ItemTypeError] = []
  /// How many items were looked at.
  var checkedCount = 0
  /// The list's revision when they were read.
  var revision = 0
  /// Where the search goes on; `nil` at the end of the list.
  var end: ItemPath?

  /// Whether these are enough for one transaction, or for one look at the progress.
  var isFull: Bool { items.count >= Self.maximumCount || checkedCount >= Self.maximumCheckedCount }

  /// The most items that one transaction upgrades: as many as a view follows in one batch update.
  private static let maximumCount = 1_000
  /// The most items that are looked at for them.
  private static let maximumCheckedCount = 20_000
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
    observers.withValue { $0.values.contains { $0.list == list } }
  }

  /// The next items of a list to be upgraded.
  ///
  /// `start`: The path to begin at.
  /// Returns: `nil` if there is no such list any more.
  func outdatedItems(
    of list: ListID, _ types: ItemTypes, from start: ItemPath
  ) throws(StoreError) -> OutdatedItems? {
    let search = try read("read contents of \"\(list)\"") { db in
      try ListRows(db, list).map { rows in
        var search = OutdatedItemSearch(rows, types)
        try search.run(from: start)
        return search
      }
    }
    // Without the read transaction.
    return try search.map { search throws(StoreError) in
      do { return try search.upgraded() } catch { throw failure(error, "upgrade contents") }
    }
  }
}

/// Looks for items whose contents are stored in an earlier version.
private struct OutdatedItemSearch {
  private let rows: ListRows
  private let types: ItemTypes
  private var found = OutdatedItems()
  /// The indexes of ``found``'s items, by their type.
  private var indexesByType: [ObjectIdentifier: (type: any ListItem.Type, indexes: [Int])] = [:]
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
  mutating func run(from start: ItemPath) throws {
    let read = try rows.statements("SELECT type, action, content FROM content WHERE id = ?")
    found.end = try rows.forEachItem(from: start) { member, path in
      if found.isFull { return false }
      try check(member, at: path, read)
      return true
    }
  }

  private mutating func check(
    _ member: Block.Member, at path: ItemPath, _ read: StoreStatement
  ) throws {
    found.checkedCount += 1
    read.bind(member.content, at: 1)
    let isFound: Void? = try read.first { row in
      let name = try row.textIfPresent(0)
      let type = try outdatedType(StoredType(name: name, cell: name == nil ? member.cell : nil))
      guard let type else { return }
      let state = ItemState(
        cell: try rows.cellName(member.cell), content: try JSON(parsing: row.text(2)),
        type: try name.map { try TypeName($0) },
        action: try row.textIfPresent(1).map { try Action(JSON(parsing: $0)) },
        contentRevision: member.contentRevision)
      found.items.append((try SlicedItem(member, at: path, state: state), state))
      let index = found.items.count - 1
      indexesByType[ObjectIdentifier(type), default: (type, [])].indexes.append(index)
    }
    if isFound == nil { throw DatabaseError.corrupt("content \(member.content) is missing") }
  }

  /// The type of items whose contents have to be written in its current form; else `nil`.
  private mutating func outdatedType(_ stored: StoredType) throws -> (any ListItem.Type)? {
    if let known = outdatedTypes[stored] { return known }
    let name = try stored.name.map { try TypeName($0) }
    let cell: CellName = try stored.cell.map { try rows.cellName($0) } ?? "unknown"
    var type = types.type(of: Item(id: "unknown", cell: cell, content: .null, type: name))
    if let found = type, !found.isOutdated(storedAs: name) { type = nil }
    outdatedTypes[stored] = .some(type)
    return type
  }

  /// The items with their contents of the current version.
  func upgraded() throws -> OutdatedItems {
    var upgraded = found
    var failures: [Int: ItemTypeError] = [:]
    for (type, indexes) in indexesByType.values {
      let name = try type.typeName.stored(version: type.contentVersion)
      let items = indexes.map { Item(id: found.items[$0].item.id, state: found.items[$0].state) }
      for (index, content) in zip(indexes, type.upgradedContents(of: items)) {
        switch content {
        case .success(let content):
          upgraded.items[index].state.content = content
          upgraded.items[index].state.type = name
        case .failure(let error): failures[index] = error
        }
      }
    }
    upgraded.failures = failures.sorted { $0.key < $1.key }.map(\.value)
    upgraded.items = upgraded.items.indices.filter { failures[$0] == nil }
      .map { upgraded.items[$0] }
    return upgraded
  }
}
