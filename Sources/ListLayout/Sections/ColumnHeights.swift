/// The heights of a waterfall's columns; finds the shortest one.
///
/// It is a tree of minima: finding the shortest column and changing a height cost O(log *c*), *c*
/// columns. Heights are compared in 1,024ths of a point, so that rounding errors do not decide.
struct ColumnHeights: Sendable {
  /// The minima, with the root at 1; the columns follow.
  private var minima: ContiguousArray<Double>
  private let leafCount: Int

  init(columns: Int) {
    var leafCount = 1
    while leafCount < columns { leafCount *= 2 }
    self.leafCount = leafCount
    minima = ContiguousArray(repeating: .infinity, count: 2 * leafCount)
    for column in 0..<columns { minima[leafCount + column] = 0 }
    for node in stride(from: leafCount - 1, to: 0, by: -1) {
      minima[node] = min(minima[2 * node], minima[2 * node + 1])
    }
  }

  /// The shortest column, or the first of those equally short.
  var shortest: Int {
    var node = 1
    while node < leafCount {
      node = 2 * node + (minima[2 * node] <= minima[2 * node + 1] ? 0 : 1)
    }
    return node - leafCount
  }

  /// Sets the height of a column, in points.
  mutating func fill(_ column: Int, to height: Double) {
    var node = leafCount + column
    minima[node] = (height * 1_024).rounded()
    while node > 1 {
      node /= 2
      let least = min(minima[2 * node], minima[2 * node + 1])
      if minima[node] == least { return }
      minima[node] = least
    }
  }
}
