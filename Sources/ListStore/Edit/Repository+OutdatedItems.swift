import GRDB
import ListItems
import ListModel
import StoreSchema

/// Items of a list whose contents are stored in an earlier version, with their contents of the
/// current one.
struct OutdatedItems: Sendable {
  var items: [OutdatedItem] = []
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

/// An item of ``OutdatedItems``.
struct OutdatedItem: Sendable {
  var id: ItemID
  /// Where it was when it was read.
  var path: ItemPath
  /// Its row, and its state in the tables.
  var row: Int
  var stored: StoredState
  var before: ItemState
  var after: ItemState

  /// Gives the item a content of the current version.
  mutating func upgrade(to content: JSON, storedAs type: TypeName) {
    after.content = content
    after.type = type
    if after.contentRevision < .max { after.contentRevision += 1 }
  }

  /// Whether a member is the item as it was read.
  func isSame(as member: Block.Member) -> Bool {
    member.id == row && member.content == stored.content
      && member.contentRevision == stored.contentRevision && member.cell == stored.cell
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

  /// Writes contents, of those items that are still as they were read.
  ///
  /// - Returns: The commit; `nil` if there are none.
  func write(_ slice: OutdatedItems, to list: ListID, by author: Author) throws -> Commit? {
    struct NothingToWrite: Error {}
    if slice.items.isEmpty { return nil }
    // Sizes that wait were measured with the contents of now.
    sizeQueue.flush()
    do {
      let commit: Commit = try writer.write("upgrade contents") { transaction in
        guard let rows = try transaction.rows(list) else { throw NothingToWrite() }
        var commit = PendingCommit(rows, by: author, time: Self.now, feed: nil)
        let keepSizes =
          try rows.hasMeasuredSizes
          ? rows.statements(
            "UPDATE measuredSize SET contentRevision = contentRevision + 1 WHERE item = ?") : nil
        for item in slice.items {
          guard let path = try rows.path(of: item) else { continue }
          try commit.update(item.id, at: path, from: item.before, to: item.after)
          // What is drawn is the same: the content was upgraded before it was drawn, too.
          try keepSizes?.run(item.row)
        }
        if commit.count == 0 { throw NothingToWrite() }
        return try commit.finish()
      }
      didCommit(commit)
      return commit
    } catch is NothingToWrite {
      return nil
    } catch {
      throw failure(error, "upgrade contents of \"\(list)\"")
    }
  }
}

extension ListRows {
  fileprivate var hasMeasuredSizes: Bool {
    get throws {
      try statements("SELECT EXISTS (SELECT * FROM measuredSize)")
        .first { try $0.integer(0) } == 1
    }
  }

  /// Where an item is now; `nil` if it has changed since it was read, or is gone.
  fileprivate func path(of item: OutdatedItem) throws -> ItemPath? {
    if item.path.section < sectionTotal {
      let section = try sectionRow(at: item.path.section)
      if item.path.item < section.itemCount,
        item.isSame(as: try tree.member(at: item.path.item, root: section.root))
      {
        return item.path
      }
    }
    guard let path = try location(of: item.id)?.path else { return nil }
    let root = try sectionRow(at: path.section).root
    return item.isSame(as: try tree.member(at: path.item, root: root)) ? path : nil
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
    var next = start
    let read = try rows.statements("SELECT type, action, content FROM content WHERE id = ?")
    while next.section < rows.sectionTotal {
      let section = try rows.sectionRow(at: next.section)
      while next.item < section.itemCount {
        let place = try rows.tree.place(next.item, root: section.root)
        let members = place.leaf.members[place.offset...]
        if members.isEmpty { throw DatabaseError.corrupt("no item at \(next)") }
        for member in members {
          if found.isFull {
            found.end = next
            return
          }
          try check(member, at: next, read)
          next.item += 1
        }
      }
      next = ItemPath(section: next.section + 1, item: 0)
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
      found.items.append(
        OutdatedItem(
          id: try ItemID(member.name), path: path, row: member.id, stored: member.state,
          before: state, after: state))
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
      let items = indexes.map { Item(id: found.items[$0].id, state: found.items[$0].before) }
      for (index, content) in zip(indexes, type.upgradedContents(of: items)) {
        switch content {
        case .success(let content): upgraded.items[index].upgrade(to: content, storedAs: name)
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
