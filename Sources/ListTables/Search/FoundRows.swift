/// The rows of the items that an index has found.
package struct FoundRows {
  /// From the least to the greatest.
  private let rows: [Int]
  /// A bit for each row from the first one on; empty if they are too far from each other.
  private var bits: [UInt64] = []

  /// `found`: In the order of the rows, unless the index is damaged.
  init(_ found: [Int]) {
    let isSorted = found.indices.dropFirst().allSatisfy { found[$0 - 1] <= found[$0] }
    rows = isSorted ? found : found.sorted()
    guard let first = rows.first, let last = rows.last,
      last - first < max(Self.nearRows, 64 * rows.count)
    else { return }
    bits = [UInt64](repeating: 0, count: (last - first) / 64 + 1)
    for row in rows { bits[(row - first) / 64] |= 1 << UInt64((row - first) % 64) }
  }

  /// How many rows take 2 MB as bits.
  private static var nearRows: Int { 1 << 24 }

  /// Whether a row is among them.
  func contains(_ row: Int) -> Bool {
    guard let first = rows.first, row >= first else { return false }
    if !bits.isEmpty {
      let place = row - first
      return place / 64 < bits.count && bits[place / 64] >> UInt64(place % 64) & 1 == 1
    }
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low] == row
  }
}
