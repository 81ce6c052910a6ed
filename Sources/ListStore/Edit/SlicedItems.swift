import ListModel
import ListTables
import GRDB

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
  fileprivate func isSame(as member: Block.Member) -> Bool {
    member.id == row && member.content == stored.content
      && member.contentRevision == stored.contentRevision && member.cell == stored.cell
  }
}

/// How many items a slice has, and when they are enough.
struct SliceSize: Sendable {
  var itemCount = 0
  /// Of the contents.
  var byteCount = 0
  /// How many items were looked at.
  var checkedCount = 0

  /// The most items of a slice: to change them takes some milliseconds, and a view follows them in
  /// one batch update.
  private static let maximumItemCount = 1_000
  /// The most bytes of contents of a slice, unless one item alone has more.
  private static let maximumByteCount = 1 << 20
  /// The most items that are looked at for a slice: their blocks stay in memory.
  private static let maximumCheckedCount = 20_000

  var isFull: Bool {
    itemCount >= Self.maximumItemCount || byteCount >= Self.maximumByteCount
      || checkedCount >= Self.maximumCheckedCount
  }

  mutating func add(_ content: JSON) {
    itemCount += 1
    byteCount += content.text.utf8.count
  }
}

/// Items with the states that they are to get; content revisions are counted when they are written.
typealias ItemChanges = [(item: SlicedItem, state: ItemState)]

extension Repository {
  /// Writes the changes of those items that are still as they were read.
  ///
  /// - Parameters:
  ///   - changes: The changes of items of a list.
  ///   - list: The list.
  ///   - keepsSizes: Whether measured sizes hold for the new states as for the old ones.
  ///   - author: The author of the commit.
  ///   - attempt: What is tried, for errors.
  /// - Returns: The commit, and the rows of the items that it changed; `nil` if nothing was written.
  /// - Throws: `StoreError`.
  func write(
    _ changes: ItemChanges, to list: ListID, keepingSizes keepsSizes: Bool, by author: Author,
    _ attempt: String
  ) throws -> (commit: Commit, rows: [Int])? {
    struct NothingToWrite: Error {}
    if changes.isEmpty { return nil }
    // Sizes that wait were measured with the states of now.
    sizeQueue.flush()
    var written: [Int] = []
    do {
      let commit: Commit = try writer.write(attempt) { transaction in
        guard let rows = try transaction.rows(list) else { throw NothingToWrite() }
        var commit = PendingCommit(rows, by: author, time: WallClock.now, feed: nil)
        commit.reserveCapacity(changes.count)
        let keepsSizes = try keepsSizes && rows.hasMeasuredSizes
        for (item, state) in changes {
          guard let path = try rows.path(of: item) else { continue }
          var state = state
          state.contentRevision = min(item.state.contentRevision, .max - 1) + 1
          try commit.update(item.id, at: path, from: item.state, to: state)
          if keepsSizes { try rows.keepSizes(of: item, cell: state.cell) }
          written.append(item.row)
        }
        if written.isEmpty { throw NothingToWrite() }
        return try commit.finish()
      }
      didCommit(commit)
      return (commit, written)
    } catch is NothingToWrite {
      return nil
    } catch {
      throw failure(error, "\(attempt) of \"\(list)\"")
    }
  }
}

extension ListRows {
  /// Calls a closure with each item and its path, from a path on, until it returns `false`.
  ///
  /// - Returns: The path of the item for which it did; `nil` at the end of the list.
  /// - Throws: `SQLITE_CORRUPT` if a section counts more items than it has.
  func forEachItem(
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

  /// Where an item is now; `nil` if it has changed since it was read, or is gone.
  fileprivate func path(of item: SlicedItem) throws -> ItemPath? {
    if item.path.section < sectionTotal {
      let section = try sectionRow(at: item.path.section)
      if item.path.item < section.itemCount,
        item.isSame(as: try tree.member(at: item.path.item, root: section.root))
      {
        return item.path
      }
    }
    guard let path = try location(of: item.id)?.path else { return nil }
    let member = try tree.member(at: path.item, root: sectionRow(at: path.section).root)
    return item.isSame(as: member) ? path : nil
  }

  fileprivate var hasMeasuredSizes: Bool {
    get throws {
      try statements("SELECT EXISTS (SELECT * FROM measuredSize)")
        .first { try $0.integer(0) } == 1
    }
  }

  /// Makes the sizes of an item that was just changed hold as they did before.
  fileprivate func keepSizes(of item: SlicedItem, cell: CellName) throws {
    try statements(
      """
      UPDATE measuredSize SET cell = iif(cell = ?, ?, cell), content = content + 1
      WHERE owner = ?
      """
    ).run(item.stored.cell, try statements.cellRow(cell), item.row)
  }
}
