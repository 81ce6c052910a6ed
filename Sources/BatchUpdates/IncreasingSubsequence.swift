/// Chooses what may stay where it is when a list is reordered: moves are what is left over.
enum IncreasingSubsequence {
  /// The positions of a longest strictly increasing subsequence.
  ///
  /// - Parameter values: Distinct.
  /// - Returns: Positions in `values`, ascending.
  /// - Complexity: O(*n* log *n*); O(*n*) if `values` ascends throughout.
  static func longest(in values: [Int]) -> [Int] {
    if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { return Array(values.indices) }
    // Patience sorting: `tails[l]` is where the smallest end of a subsequence of length l + 1 is.
    var tails: [Int] = []
    var predecessors = [Int](repeating: -1, count: values.count)
    for (position, value) in values.enumerated() {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { predecessors[position] = tails[low - 1] }
      if low == tails.count { tails.append(position) } else { tails[low] = position }
    }
    return chain(endingAt: tails.last ?? -1, predecessors)
  }

  /// The positions of a heaviest strictly increasing subsequence.
  ///
  /// - Parameters:
  ///   - values: Distinct, in `0..<bound`.
  ///   - weights: Positive, one a value.
  ///   - bound: What all values are below.
  /// - Returns: Positions in `values`, ascending.
  /// - Complexity: O(*n* log *bound*).
  static func heaviest(in values: [Int], weights: [Int], bound: Int) -> [Int] {
    // A Fenwick tree of prefix maxima: the best chain that ends at a value below some bound.
    var best = [(weight: Int, position: Int)](repeating: (0, -1), count: bound + 1)
    var predecessors = [Int](repeating: -1, count: values.count)
    var heaviest = (weight: 0, position: -1)
    for (position, value) in values.enumerated() {
      var below = (weight: 0, position: -1)
      var slot = value
      while slot > 0 {
        if best[slot].weight > below.weight { below = best[slot] }
        slot -= slot & -slot
      }
      predecessors[position] = below.position
      let chain = (weight: below.weight + weights[position], position: position)
      slot = value + 1
      while slot <= bound {
        if chain.weight > best[slot].weight { best[slot] = chain }
        slot += slot & -slot
      }
      if chain.weight > heaviest.weight { heaviest = chain }
    }
    return chain(endingAt: heaviest.position, predecessors)
  }

  private static func chain(endingAt last: Int, _ predecessors: [Int]) -> [Int] {
    var positions: [Int] = []
    var position = last
    while position >= 0 {
      positions.append(position)
      position = predecessors[position]
    }
    return positions.reversed()
  }
}
