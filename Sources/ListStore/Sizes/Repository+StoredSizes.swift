package import ListModel
import ListTables

/// A stored size of an item, with what it was measured with.
package struct StoredSize: Sendable {
  /// The row of its key.
  package var key: Int
  /// The width and height in points.
  package var size: Size
  /// The cell that was measured.
  package var measuredCell: CellName
  /// The cell that the item has now.
  package var cell: CellName
  /// Why it no longer holds for the item; `nil` if it does, for its key.
  package var reason: SizeAnswer.EstimateReason?
}

extension Repository {
  /// Calls a closure with every stored size of a list's items, for all keys, in the items' order.
  ///
  /// Sizes of keys that are being deleted are left out. One read transaction.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``, or if the rows can't
  ///   be read.
  /// - Complexity: O(*n*), *n* items.
  package func forEachStoredSize(
    of list: ListID, _ body: (StoredSize) throws -> Void
  ) throws(StoreError) {
    try read("read sizes of \"\(list)\"") { db in
      let rows = try rows(db, list)
      let sizeRows = SizeRows(rows)
      let keys = Set(try sizeRows.keys().keys)
      let statement = try rows.statements(
        """
        SELECT sizeKey, width, height, content, layout, measurerVersion, cell
        FROM measuredSize WHERE owner = ?
        """)
      try rows.forEachSection { section in
        let layout = try rows.layoutHash(ofSection: section.id)
        try rows.forEachMember(of: section) { member in
          try statement.forEach(member.id) { row in
            let key = try row.integer(0)
            guard keys.contains(key) else { return }
            var record = try SizeRecord(row)
            let measuredCell = try rows.statements.cellName(Int(record.cell))
            record.compare(
              cell: UInt32(clamping: member.cell),
              content: UInt64(bitPattern: Int64(member.contentRevision)))
            var reason: SizeAnswer.EstimateReason?
            if case .estimate(_, let why) = record.answer(layout: layout, measurerVersion: nil) {
              reason = why
            }
            try body(
              StoredSize(
                key: key, size: record.size, measuredCell: measuredCell,
                cell: try rows.statements.cellName(member.cell), reason: reason))
          }
        }
      }
    }
  }
}
