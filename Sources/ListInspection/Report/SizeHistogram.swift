import ListModel
import ListStore
import ListTables

/// How long the items with a cell are, along the direction of scrolling, by their stored sizes.
struct SizeHistogram {
  let cell: String
  let lengths: LengthCounts

  private static let mostCells = 40

  /// The cells with the most sizes, in this order.
  static func all(in repository: Repository) throws -> [SizeHistogram] {
    try repository.read("read the sizes") { db in
      var cells: [String: LengthCounts] = [:]
      try Statements(db)(
        """
        SELECT cell.name, iif(axis = 'vertical', height, width)
        FROM measuredSize JOIN sizeKey ON sizeKey.id = sizeKey JOIN cell ON cell.id = cell
        """
      ).forEach { row in cells[try row.text(0), default: LengthCounts()].add(try row.real(1)) }
      return cells.map(SizeHistogram.init).filter { $0.lengths.count > 0 }
        .sorted { ($1.lengths.count, $0.cell) < ($0.lengths.count, $1.cell) }
        .prefix(mostCells).map(\.self)
    }
  }
}
