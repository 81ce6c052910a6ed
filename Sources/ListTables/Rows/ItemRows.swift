package import ListModel

/// The rows of a list's items, which find an item by its id.
package final class ItemRows {
  private let statements: Statements
  /// The list's row.
  private let list: Int
  private let tree: BlockTree
  private var new = NewItems()
  /// Whether the table has rows of the list; `nil` before it was asked for.
  ///
  /// It stays `true` when it has none any more.
  private var hasStoredItems: Bool?

  init(_ statements: Statements, list: Int, _ tree: BlockTree) {
    self.statements = statements
    self.list = list
    self.tree = tree
  }

  /// The row of an item, and the block that holds the item; `nil` if the list has no such item.
  package func find(_ item: ItemID) throws -> (id: Int, block: Int)? {
    if let new = new.item(item) {
      return (new.id, tree.currentBlock(ofItem: new.id, stored: new.block))
    }
    // Asked by whoever inserts several items.
    if hasStoredItems == nil, !new.isEmpty {
      hasStoredItems =
        try statements("SELECT EXISTS (SELECT 1 FROM item WHERE list = ?)")
        .first(list) { try $0.integer(0) } != 0
    }
    if hasStoredItems == false { return nil }
    let find = try statements("SELECT id, block FROM item WHERE list = ? AND name = ?")
    find.bind(list, at: 1)
    find.bind(item.rawValue, at: 2)
    return try find.first { row in
      let id = try row.integer(0)
      return (id, tree.currentBlock(ofItem: id, stored: try row.integer(1)))
    }
  }

  /// Adds the row of an item: now or with the others of the transaction.
  func insert(_ item: NewItem, hash: UInt64) throws {
    if new.count >= NewItems.maximumCount { try save() }
    if !new.insert(item, hash: hash) { try write(item) }
  }

  /// Deletes the row of an item.
  func delete(_ item: Block.Member) throws {
    if new.remove(item) { return }
    let delete = try statements("DELETE FROM item WHERE list = ? AND name = ?")
    delete.bind(list, at: 1)
    delete.bind(StoreStatementText(utf8: item.utf8), at: 2)
    try delete.run()
  }

  /// Writes the rows of the new items.
  func save() throws {
    if new.isEmpty { return }
    for var item in new.sortedByName {
      item.block = tree.currentBlock(ofItem: item.id, stored: item.block)
      tree.forgetItem(item.id)
      try write(item)
    }
    new.removeAll()
  }

  private func write(_ item: NewItem) throws {
    let insert = try statements("INSERT INTO item (list, name, id, block) VALUES (?, ?, ?, ?)")
    insert.bind(list, at: 1)
    insert.bind(item.name, at: 2)
    insert.bind(item.id, at: 3)
    insert.bind(item.block, at: 4)
    try insert.run()
    hasStoredItems = true
  }
}

/// An item that was inserted.
struct NewItem {
  var name: String
  var id: Int
  /// The block that had the item when it was inserted.
  var block: Int
}

/// Items that a transaction has inserted and that have no row of `item` yet.
///
/// Their rows are written together, sorted by name. In the order of a list, whose names mean nothing,
/// each would be on another page of the file.
private struct NewItems {
  private var items: [UInt64: NewItem] = [:]

  /// More are not kept in memory.
  static let maximumCount = 1 << 17

  var count: Int { items.count }
  var isEmpty: Bool { items.isEmpty }

  /// The item of a name.
  func item(_ name: ItemID) -> NewItem? {
    if items.isEmpty { return nil }
    guard let item = items[name.stableHash], item.name.utf8.elementsEqual(name.rawValue.utf8)
    else { return nil }
    return item
  }

  /// Keeps an item.
  ///
  /// `hash`: The hash of the name.
  /// Returns: `false` if another name has the same hash, and then the item is not kept.
  mutating func insert(_ item: NewItem, hash: UInt64) -> Bool {
    if items[hash] != nil { return false }
    items[hash] = item
    return true
  }

  /// - Returns: Whether there was one.
  mutating func remove(_ item: Block.Member) -> Bool {
    if items.isEmpty { return false }
    let hash = item.hash
    guard items[hash]?.id == item.id else { return false }
    items[hash] = nil
    return true
  }

  mutating func removeAll() { items = [:] }

  var sortedByName: [NewItem] { items.values.sorted { $0.name < $1.name } }
}
