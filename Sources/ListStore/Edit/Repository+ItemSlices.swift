import ListItems
import ListModel
import ListTables

/// How far a change of items has come.
struct SliceTally {
  /// The number of changed items by list; lists without one are left out.
  var changed: [ListID: Int] = [:]
  /// The number of items that were looked at.
  var checkedCount = 0
  /// The number of items of all lists when it began.
  let itemCount: Int
  var failureCount = 0
  /// The first 100 failures, in the order of the lists.
  var failures: [(list: ListID, error: ItemTypeError)] = []

  private static let maximumFailureCount = 100

  /// The part of the items that were looked at, from 0 to 1.
  ///
  /// Items that are looked at again can make more than there are.
  var fraction: Double {
    itemCount == 0 ? 1 : min(1, Double(checkedCount) / Double(itemCount))
  }

  fileprivate mutating func add(_ slice: SliceRound.Ready, of list: ListID) {
    checkedCount += slice.checkedCount
    failureCount += slice.changes.failures.count
    let room = max(0, Self.maximumFailureCount - failures.count)
    failures += slice.changes.failures.prefix(room).map { (list, $0) }
  }

  /// Has a list counted anew, because it is looked through once more; what was changed stays so.
  fileprivate mutating func countAnew(from before: SliceTally) {
    (checkedCount, failureCount) = (before.checkedCount, before.failureCount)
    failures = before.failures
  }
}

extension Repository {
  /// Does a round's work, by ``SliceRound/run(write:read:change:)`` or
  /// ``SliceRound/runAtOnce(write:read:change:)``.
  typealias RoundWork = (
    ListID, SliceRound, _ write: @Sendable (ItemChanges) throws -> SliceRound.Written?,
    _ read: @Sendable (ItemPath) throws -> ItemSlice?
  ) throws -> (written: SliceRound.Written?, next: SliceRound)

  /// Changes items of all lists, by commits of at most 1,000 items.
  ///
  /// A slice of items is read and its changes are made while others may write. Then one short
  /// transaction writes it, without the items that somebody else has changed meanwhile. If somebody
  /// else has written to a list, it is looked through again, for what changed or moved.
  ///
  /// - Parameters:
  ///   - filter: The items that are changed, each once.
  ///   - keepsSizes: Whether measured sizes hold for the new states as for the old ones.
  ///   - author: The author of the commits.
  ///   - attempt: What is tried, for errors.
  ///   - progress: Called after each slice, with its list if the slice was written.
  ///   - work: Makes the changes.
  /// - Returns: What was changed.
  /// - Throws: ``/ListModel/StoreError``, or what the closures throw; earlier transactions stay.
  func changeItems(
    _ filter: ItemFilter, keepingSizes keepsSizes: Bool, by author: Author, _ attempt: String,
    progress: (SliceTally, _ written: ListID?) throws -> Void, _ work: RoundWork
  ) throws -> SliceTally {
    try writer.requireWritable(attempt)
    var tally = SliceTally(itemCount: try itemCount)
    for list in try editedLists() {
      let before = tally
      var changed = RowSet()
      var isDone = false
      while !isDone {
        tally.countAnew(from: before)
        var round = SliceRound(
          slice: try slice(of: list, filter, from: ItemPath(section: 0, item: 0), changed))
        var revision = round.slice?.revision ?? 0
        var (isAlone, hasChanged) = (true, false)
        while !round.isEmpty {
          let (written, next) = try work(
            list, round,
            { try self.write($0, to: list, keepingSizes: keepsSizes, by: author, attempt) },
            { [changed] in try self.slice(of: list, filter, from: $0, changed) })
          if let (commit, rows) = written {
            hasChanged = true
            if commit.revision != revision + 1 { isAlone = false }
            revision = commit.revision
            for row in rows { _ = changed.insert(row) }
            tally.changed[list] = changed.count
          }
          if let slice = next.slice, slice.revision > revision {
            isAlone = false
            revision = slice.revision
          }
          if let ready = round.ready {
            tally.add(ready, of: list)
            try progress(tally, written == nil ? nil : list)
          }
          round = next
        }
        isDone = isAlone || !hasChanged
      }
    }
    return tally
  }

  /// Changes items one slice after another, on this thread; parameters as in
  /// ``changeItems(_:keepingSizes:by:_:progress:_:)``.
  ///
  /// `progress`: Gets the fraction of the work that is done, after each slice.
  /// `change`: The states that items of a list get; their content revisions are not used.
  /// - Returns: The number of changed items by list. Items whose states mean the same as before
  ///   are neither changed nor counted.
  /// - Throws: ``/ListModel/StoreError``, or what `change` throws; earlier transactions stay.
  func changeItems(
    _ filter: ItemFilter, keepingSizes keepsSizes: Bool, by author: Author,
    _ progress: (Double) -> Void, _ change: (ListID, [Item]) throws -> [ItemState]
  ) throws -> [ListID: Int] {
    try changeItems(
      filter, keepingSizes: keepsSizes, by: author, "change items",
      progress: { tally, _ in progress(tally.fraction) }
    ) { list, round, write, read in
      try round.run(write: write, read: read) { items in
        let states = try change(list, items.map { Item(id: $0.id, state: $0.state) })
        // All callers make one state of each item.
        precondition(states.count == items.count, "every item has a state")
        return SliceChanges(
          changes: zip(items, states).filter { !$1.isEquivalent(to: $0.state) }
            .map { (item: $0, state: $1) })
      }
    }.changed
  }

  /// - Returns: `nil` if there is no such list any more.
  private func slice(
    of list: ListID, _ filter: ItemFilter, from start: ItemPath, _ changed: RowSet
  ) throws(StoreError) -> ItemSlice? {
    try read("read items of \"\(list)\"") { db in
      guard let rows = try ListRows(db, list) else { return nil }
      var reader = try ItemSliceReader(rows, filter, leavingOut: changed.contains)
      return try reader.read(from: start)
    }
  }

  /// The number of items of all lists.
  private var itemCount: Int {
    get throws(StoreError) {
      try read("count items") { db in
        try Statements(db)(
          """
          SELECT coalesce(sum(itemCount), 0) FROM section
          WHERE list NOT IN (SELECT list FROM derivedList)
          """
        ).first { try $0.integer(0) } ?? 0
      }
    }
  }
}
