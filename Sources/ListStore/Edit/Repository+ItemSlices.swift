import GRDB
import ListModel

extension Repository {
  /// Changes items of all lists, by commits of at most 1,000 items.
  ///
  /// A slice of items is read and its new states are made while others may write. Then one short
  /// transaction writes it, without the items that somebody else has changed meanwhile. If somebody
  /// else has written to a list, it is looked through again, for what changed or moved.
  ///
  /// - Parameters:
  ///   - filter: The items that are changed, each once.
  ///   - keepsSizes: Whether measured sizes hold for the new states as for the old ones.
  ///   - author: The author of the commits.
  ///   - change: The states that items of a list get; their content revisions are not used.
  /// - Returns: The number of changed items by list. Items whose states mean the same as before
  ///   are neither changed nor counted.
  /// - Throws: ``/ListModel/StoreError``, or what `change` throws; earlier transactions stay.
  func changeItems(
    _ filter: ItemFilter, keepingSizes keepsSizes: Bool, by author: Author,
    _ change: (ListID, [Item]) throws -> [ItemState]
  ) throws -> [ListID: Int] {
    var counts: [ListID: Int] = [:]
    for list in try lists() {
      var pass = ItemPass(self, list, filter, keepsSizes: keepsSizes, author: author)
      while try pass.run(change) {}
      if pass.changed.count > 0 { counts[list] = pass.changed.count }
    }
    return counts
  }
}

/// Changes the items of one list.
private struct ItemPass {
  private let repository: Repository
  private let list: ListID
  private let filter: ItemFilter
  private let keepsSizes: Bool
  private let author: Author
  /// The rows of the items that were changed.
  private(set) var changed = RowSet()

  private typealias Changes = [(item: SlicedItem, state: ItemState)]

  init(
    _ repository: Repository, _ list: ListID, _ filter: ItemFilter, keepsSizes: Bool,
    author: Author
  ) {
    self.repository = repository
    self.list = list
    self.filter = filter
    self.keepsSizes = keepsSizes
    self.author = author
  }

  /// Looks through the list.
  ///
  /// - Returns: Whether it has to be looked through again.
  mutating func run(_ change: (ListID, [Item]) throws -> [ItemState]) throws -> Bool {
    var start: ItemPath? = ItemPath(section: 0, item: 0)
    var revision: Int?
    var (isAlone, hasChanged) = (true, false)
    while let first = start {
      guard let slice = try slice(from: first) else { return false }
      if let revision, revision != slice.revision { isAlone = false }
      revision = slice.revision
      if let written = try write(changes(of: slice, change)) {
        hasChanged = true
        if written != slice.revision + 1 { isAlone = false }
        revision = written
      }
      start = slice.end
    }
    return hasChanged && !isAlone
  }

  /// - Returns: `nil` if there is no such list any more.
  private func slice(from start: ItemPath) throws(StoreError) -> ItemSlice? {
    try repository.read("read items of \"\(list)\"") { db in
      guard let rows = try ListRows(db, list) else { return nil }
      var reader = try ItemSliceReader(rows, filter, leavingOut: changed.contains)
      return try reader.read(from: start)
    }
  }

  private func changes(
    of slice: ItemSlice, _ change: (ListID, [Item]) throws -> [ItemState]
  ) throws -> Changes {
    if slice.items.isEmpty { return [] }
    let states = try change(list, slice.items.map { Item(id: $0.id, state: $0.state) })
    precondition(states.count == slice.items.count, "every item has a state")
    return zip(slice.items, states).compactMap { item, state in
      if state.isEquivalent(to: item.state) { return nil }
      var state = state
      state.contentRevision = min(item.state.contentRevision, .max - 1) + 1
      return (item, state)
    }
  }

  /// Writes the changes of those items that are still as they were read.
  ///
  /// - Returns: The revision of the commit; `nil` if nothing was written.
  private mutating func write(_ changes: Changes) throws -> Int? {
    struct NothingToWrite: Error {}
    if changes.isEmpty { return nil }
    // Sizes that wait were measured with the states of now.
    repository.sizeQueue.flush()
    var written: [Int] = []
    do {
      let commit: Commit = try repository.writer.write("change items") { transaction in
        guard let rows = try transaction.rows(list) else { throw NothingToWrite() }
        var commit = PendingCommit(rows, by: author, time: Repository.now, feed: nil)
        commit.reserveCapacity(changes.count)
        let keepsSizes = try keepsSizes && rows.hasMeasuredSizes
        for (item, state) in changes {
          guard let path = try rows.path(of: item) else { continue }
          try commit.update(item.id, at: path, from: item.state, to: state)
          if keepsSizes { try rows.keepSizes(of: item, cell: state.cell) }
          written.append(item.row)
        }
        if written.isEmpty { throw NothingToWrite() }
        return try commit.finish()
      }
      repository.didCommit(commit)
      for row in written { _ = changed.insert(row) }
      return commit.revision
    } catch is NothingToWrite {
      return nil
    } catch {
      throw repository.failure(error, "change items of \"\(list)\"")
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

  /// Makes the sizes of an item that was just changed hold as they did before.
  fileprivate func keepSizes(of item: SlicedItem, cell: CellName) throws {
    try statements(
      """
      UPDATE measuredSize SET cell = iif(cell = ?, ?, cell), contentRevision = contentRevision + 1
      WHERE item = ?
      """
    ).run(item.stored.cell, try cellRow(cell), item.row)
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
}
