import ListModel
import ListTables

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
  ///   - progress: Gets the fraction of the work that is done, after each slice.
  ///   - change: The states that items of a list get; their content revisions are not used.
  /// - Returns: The number of changed items by list. Items whose states mean the same as before
  ///   are neither changed nor counted.
  /// - Throws: ``/ListModel/StoreError``, or what `change` throws; earlier transactions stay.
  func changeItems(
    _ filter: ItemFilter, keepingSizes keepsSizes: Bool, by author: Author,
    _ progress: (Double) -> Void, _ change: (ListID, [Item]) throws -> [ItemState]
  ) throws -> [ListID: Int] {
    try writer.requireWritable("change items")
    var counts: [ListID: Int] = [:]
    let itemCount = try itemCount
    var checkedCount = 0
    for list in try lists() {
      var pass = ItemPass(self, list, filter, keepsSizes: keepsSizes, author: author)
      var isDone = false
      while !isDone {
        isDone = try !pass.run(
          {
            checkedCount += $0
            // Those that are looked at again can make more than there are.
            progress(itemCount == 0 ? 1 : min(1, Double(checkedCount) / Double(itemCount)))
          }, change)
      }
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
  /// `didCheck`: Gets the number of items that were looked at, after each slice.
  /// - Returns: Whether it has to be looked through again.
  mutating func run(
    _ didCheck: (Int) -> Void, _ change: (ListID, [Item]) throws -> [ItemState]
  ) throws -> Bool {
    var start: ItemPath? = ItemPath(section: 0, item: 0)
    var revision: Int?
    var (isAlone, hasChanged) = (true, false)
    while let first = start {
      guard let slice = try slice(from: first) else { return false }
      if let revision, revision != slice.revision { isAlone = false }
      revision = slice.revision
      let written = try repository.write(
        changes(of: slice, change), to: list, keepingSizes: keepsSizes, by: author, "change items")
      if let (commit, rows) = written {
        hasChanged = true
        if commit.revision != slice.revision + 1 { isAlone = false }
        revision = commit.revision
        for row in rows { _ = changed.insert(row) }
      }
      didCheck(slice.size.checkedCount)
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
  ) throws -> ItemChanges {
    if slice.items.isEmpty { return [] }
    let states = try change(list, slice.items.map { Item(id: $0.id, state: $0.state) })
    // All callers make one state of each item.
    precondition(states.count == slice.items.count, "every item has a state")
    return zip(slice.items, states).filter { !$1.isEquivalent(to: $0.state) }
      .map { (item: $0, state: $1) }
  }
}
