import Foundation
import GRDB
import ListModel
import ListTables

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
  ) throws(StoreError) -> SliceRound.Written? {
    if changes.isEmpty { return nil }
    // Sizes that wait were measured with the states of now.
    sizeQueue.flush()
    var written: [Int] = []
    let commit = try commit(to: list, by: author, "\(attempt) of \"\(list)\"") { rows, commit in
      commit.reserveCapacity(changes.count)
      let keepsSizes = try keepsSizes && rows.hasMeasuredSizes
      for (index, (item, state)) in changes.enumerated() {
        if let error = state.gapError(of: item.id) {
          throw StoreError.rejected(
            error, change: index, of: changes.count, in: rows, file: filePath)
        }
        guard let path = try rows.path(of: item) else { continue }
        var state = state
        state.contentRevision = min(item.state.contentRevision, .max - 1) + 1
        try commit.update(item.id, at: path, from: item.state, to: state)
        if keepsSizes { try rows.keepSizes(of: item, cell: state.cell) }
        written.append(item.row)
      }
    }
    return commit.map { ($0, written) }
  }
}

extension ListRows {
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
