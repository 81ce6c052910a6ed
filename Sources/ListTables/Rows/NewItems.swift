package import ListModel

/// Items that a transaction has inserted and that have no row of `item` yet.
///
/// Their rows are written together, sorted by name. In the order of a list, whose names mean nothing,
/// each would be on another page of the file.
struct NewItems {
  private var items: [UInt64: NewItem] = [:]

  struct NewItem {
    var name: String
    var id: Int
    /// The block that had the item when it was inserted.
    var block: Int
  }

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

extension ListRows {
  /// Adds the row of an item: now or with the others of the transaction.
  func insertRow(of item: NewItems.NewItem, hash: UInt64) throws {
    if newItems.count >= NewItems.maximumCount { try writeNewItems() }
    if !newItems.insert(item, hash: hash) { try write(item) }
  }

  /// Writes the rows of the new items.
  func writeNewItems() throws {
    if newItems.isEmpty { return }
    for var item in newItems.sortedByName {
      item.block = tree.currentBlock(ofItem: item.id, stored: item.block)
      tree.forgetItem(item.id)
      try write(item)
    }
    newItems.removeAll()
  }

  private func write(_ item: NewItems.NewItem) throws {
    let insert = try statements("INSERT INTO item (list, name, id, block) VALUES (?, ?, ?, ?)")
    insert.bind(id, at: 1)
    insert.bind(item.name, at: 2)
    insert.bind(item.id, at: 3)
    insert.bind(item.block, at: 4)
    try insert.run()
    hasStoredItems = true
  }

  /// Deletes the row of an item.
  func deleteRow(of item: Block.Member) throws {
    if newItems.remove(item) { return }
    let delete = try statements("DELETE FROM item WHERE list = ? AND name = ?")
    delete.bind(id, at: 1)
    delete.bind(StoreStatementText(utf8: item.utf8), at: 2)
    try delete.run()
  }

  /// The row of an item, and the block that holds the item.
  package func itemRow(_ item: ItemID) throws -> (id: Int, block: Int)? {
    if let new = newItems.item(item) {
      return (new.id, tree.currentBlock(ofItem: new.id, stored: new.block))
    }
    // Asked by whoever inserts several items.
    if hasStoredItems == nil, !newItems.isEmpty {
      hasStoredItems =
        try statements("SELECT EXISTS (SELECT 1 FROM item WHERE list = ?)")
        .first(id) { try $0.integer(0) } != 0
    }
    if hasStoredItems == false { return nil }
    let find = try statements("SELECT id, block FROM item WHERE list = ? AND name = ?")
    find.bind(id, at: 1)
    find.bind(item.rawValue, at: 2)
    return try find.first { row in
      let id = try row.integer(0)
      return (id, tree.currentBlock(ofItem: id, stored: try row.integer(1)))
    }
  }
}
