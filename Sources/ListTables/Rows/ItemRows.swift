package import ListModel

/// The rows of a list's items, which find an item by its id.
///
/// Those of a derived list are in `borrowedItem`, by the rows of the list that owns the items.
package final class ItemRows {
  private let statements: Statements
  /// The list's row.
  private let list: Int
  private let tree: BlockTree
  private var new = NewItems()
  /// The blocks of items that a derived list has got in the transaction, by the items' rows.
  private var newBorrowed: [Int: Int] = [:]
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
    if let new = new.item(item) { return current((new.id, new.block)) }
    // Asked by whoever inserts several items.
    if hasStoredItems == nil, !new.isEmpty {
      hasStoredItems =
        try statements("SELECT EXISTS (SELECT 1 FROM item WHERE list = ?)")
        .first(list) { try $0.integer(0) } != 0
    }
    if hasStoredItems == false { return nil }
    // Who reads a list that is not derived need not know which ones are.
    if statements.memory.itemOwners?[list] == nil,
      let found = try statements.place(of: item, in: list)
    {
      return current(found)
    }
    guard let owner = try statements.owner(ofItemsIn: list) else { return nil }
    for row in try statements.rows(of: item, in: owner) + (formerRows[item] ?? []) {
      let block = try newBorrowed[row] ?? statements.block(ofBorrowed: row, in: list)
      if let block { return current((row, block)) }
    }
    return nil
  }

  private func current(_ place: (id: Int, block: Int)) -> (id: Int, block: Int) {
    (place.id, tree.currentBlock(ofItem: place.id, stored: place.block))
  }

  /// Rows that items had which are no more, or have others.
  ///
  /// By these, derived lists find what is to be taken out of them.
  private(set) var formerRows: [ItemID: [Int]] = [:]

  /// Notes a row that an item has no longer.
  func note(formerRow row: Int, of item: ItemID) { formerRows[item, default: []].append(row) }

  /// Forgets what only the transaction needs.
  func endTransaction() { formerRows = [:] }

  /// Adds the row of an item: now or with the others of the transaction.
  func insert(_ item: NewItem, hash: UInt64) throws {
    if new.count >= NewItems.maximumCount { try save() }
    if !new.insert(item, hash: hash) { try write(item) }
  }

  /// Adds the row of an item of another list to those of a derived one, with the others of the transaction.
  func borrow(_ row: Int, in block: Int) throws {
    if newBorrowed.count >= NewItems.maximumCount { try save() }
    newBorrowed[row] = block
  }

  /// Deletes the row of an item.
  func delete(_ item: Block.Member) throws {
    if try isBorrowing {
      if newBorrowed.removeValue(forKey: item.id) != nil { return }
      return try statements("DELETE FROM borrowedItem WHERE list = ? AND item = ?")
        .run(list, item.id)
    }
    if new.remove(item) { return }
    if try statements.hasDerivedLists() { note(formerRow: item.id, of: try ItemID(item.name)) }
    statements.forgetItem()
    let delete = try statements("DELETE FROM item WHERE list = ? AND name = ?")
    delete.bind(list, at: 1)
    delete.bind(StoreStatementText(utf8: item.utf8), at: 2)
    try delete.run()
  }

  /// Writes the rows of the new items.
  func save() throws {
    for var item in new.sortedByName {
      item.block = tree.currentBlock(ofItem: item.id, stored: item.block)
      tree.forgetItem(item.id)
      try write(item)
    }
    new.removeAll()
    if newBorrowed.isEmpty { return }
    try write(
      newBorrowed.sorted(by: { $0.key < $1.key }).lazy.map { [tree] row, block in
        defer { tree.forgetItem(row) }
        return (row, tree.currentBlock(ofItem: row, stored: block))
      })
    newBorrowed = [:]
  }

  /// Writes rows of items of another list, best in the order of the items' rows.
  func write(_ borrowed: some Sequence<(row: Int, block: Int)>) throws {
    let insert = try statements("INSERT INTO borrowedItem (list, item, block) VALUES (?, ?, ?)")
    insert.bind(list, at: 1)
    for (row, block) in borrowed {
      insert.bind(row, at: 2)
      insert.bind(block, at: 3)
      try insert.run()
    }
  }

  private func write(_ item: NewItem) throws {
    statements.forgetItem()
    let insert = try statements("INSERT INTO item (list, name, id, block) VALUES (?, ?, ?, ?)")
    insert.bind(list, at: 1)
    insert.bind(item.name, at: 2)
    insert.bind(item.id, at: 3)
    insert.bind(item.block, at: 4)
    try insert.run()
    hasStoredItems = true
  }

  /// Whether the list is derived: its items have the rows of the list that owns them.
  private var isBorrowing: Bool { get throws { try statements.owner(ofItemsIn: list) != nil } }
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

extension Statements {
  /// The row of an item that a list owns, and the block that it was in when the list was saved.
  ///
  /// A commit and the lists that are derived from its list ask for the same item one after the other: the
  /// last answer is kept.
  func place(of item: ItemID, in list: Int) throws -> (id: Int, block: Int)? {
    if let last = memory.lastItem, last.list == list, last.item == item {
      return (last.id, last.block)
    }
    let find = try self("SELECT id, block FROM item WHERE list = ? AND name = ?")
    find.bind(list, at: 1)
    find.bind(item.rawValue, at: 2)
    let place = try find.first { (id: try $0.integer(0), block: try $0.integer(1)) }
    if let place { memory.lastItem = (list, item, place.id, place.block) }
    return place
  }

  /// The block that has an item of a derived list.
  ///
  /// `row`: The item's, in the list that owns it.
  func block(ofBorrowed row: Int, in list: Int) throws -> Int? {
    try self("SELECT block FROM borrowedItem WHERE list = ? AND item = ?")
      .first(list, row) { try $0.integer(0) }
  }

  /// The rows that an item has, or has had in this transaction, in the list that owns it.
  func rows(of item: ItemID, in owner: ItemOwner) throws -> [Int] {
    var found: [Int] = []
    if let row = try place(of: item, in: owner.row)?.id { found.append(row) }
    return found + (lists?[owner.list]?.items.formerRows[item] ?? [])
  }
}
