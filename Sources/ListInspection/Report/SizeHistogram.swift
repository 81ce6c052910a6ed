import ListModel
import ListStore

/// How long the items with a cell are, along the direction of scrolling, by their stored sizes.
struct SizeHistogram {
  let cell: String
  /// How many sizes there are.
  let count: Int
  /// The lengths in points.
  let least: Double
  let mean: Double
  let greatest: Double
  /// The numbers of sizes in parts of equal length from the least to the greatest.
  private(set) var bars = [Int](repeating: 0, count: barCount)

  static let barCount = 24

  /// The cells with the most sizes, in this order.
  static func all(in repository: Repository) throws -> [SizeHistogram] {
    try repository.read("read the sizes") { db in
      let statements = Statements(db)
      var histograms: [Int: SizeHistogram] = [:]
      try statements(
        """
        WITH measured (cell, length) AS (
          SELECT cell, iif(axis = 'vertical', height, width)
          FROM measuredSize JOIN sizeKey ON sizeKey.id = sizeKey)
        SELECT cell.id, cell.name, count(*), min(length), avg(length), max(length)
        FROM measured JOIN cell ON cell.id = cell GROUP BY cell.id ORDER BY 3 DESC LIMIT 40
        """
      ).forEach { row in
        histograms[try row.integer(0)] = SizeHistogram(
          cell: try row.text(1), count: try row.integer(2), least: try row.real(3),
          mean: try row.real(4), greatest: try row.real(5))
      }
      try statements(
        """
        SELECT cell, iif(axis = 'vertical', height, width)
        FROM measuredSize JOIN sizeKey ON sizeKey.id = sizeKey
        """
      ).forEach { row in histograms[try row.integer(0)]?.add(try row.real(1)) }
      return histograms.values.sorted { ($1.count, $0.cell) < ($0.count, $1.cell) }
    }
  }

  private init(cell: String, count: Int, least: Double, mean: Double, greatest: Double) {
    (self.cell, self.count, self.least, self.mean, self.greatest) =
      (cell, count, least, mean, greatest)
  }

  private mutating func add(_ length: Double) {
    let part = greatest > least ? (length - least) / (greatest - least) : 0.5
    let bar = Shown.whole((part * Double(Self.barCount)).rounded(.down))
    bars[max(0, min(bar, Self.barCount - 1))] += 1
  }
}
