/// Chooses the elements that stay in place when a list is reordered, so that the fewest move.
package enum IncreasingSubsequence {
  /// An element or a run of elements that may stay in place.
  package struct Candidate {
    /// Its place before; different for each candidate.
    package var old: Int
    /// How many elements it stands for, at least 1.
    package var count: Int
    /// Decides between sets that keep equally many elements: the greatest sum stays.
    package var preference: Int

    package init(old: Int, count: Int, preference: Int) {
      self.old = old
      self.count = count
      self.preference = preference
    }
  }

  /// Chooses the candidates that stay.
  ///
  /// The old places of those that stay ascend. Of all such sets it takes one with the most
  /// elements, and of these one with the greatest sum of preferences.
  ///
  /// - Parameter candidates: In the order after.
  /// - Returns: For each candidate whether it stays; `nil` if all stay.
  /// - Complexity: O(*n* log *n*); O(*n*) if the old places ascend already.
  package static func stays(_ candidates: [Candidate]) -> [Bool]? {
    if ascends(candidates) { return nil }
    let (groups, sizes) = grouped(candidates)
    let groupStays = bestChain(of: groups)
    var stays: [Bool] = []
    stays.reserveCapacity(candidates.count)
    for (isKept, size) in zip(groupStays, sizes) {
      for _ in 0..<size { stays.append(isKept) }
    }
    return stays
  }

  /// Joins candidates that are neighbours before and after into groups, which stay or move as one.
  ///
  /// Most of a list is in such groups, and finding chains takes several times as long as grouping.
  ///
  /// - Returns: The groups, with their ranks from 1 on as old places, and the number of candidates
  ///   in each.
  private static func grouped(_ candidates: [Candidate]) -> (groups: [Candidate], sizes: [Int]) {
    // By position; 0 for a candidate that belongs to the group before it.
    var ranks = [Int](repeating: 0, count: candidates.count)
    var count = 0
    var previous = -1
    for position in positionsByOldPlace(candidates) {
      if position != previous + 1 || previous < 0 {
        count += 1
        ranks[position] = count
      }
      previous = position
    }
    var groups: [Candidate] = []
    var sizes: [Int] = []
    groups.reserveCapacity(count)
    sizes.reserveCapacity(count)
    for (position, candidate) in candidates.enumerated() {
      if ranks[position] > 0 {
        groups.append(candidate)
        groups[groups.count - 1].old = ranks[position]
        sizes.append(1)
      } else {
        groups[groups.count - 1].count += candidate.count
        groups[groups.count - 1].preference += candidate.preference
        sizes[sizes.count - 1] += 1
      }
    }
    return (groups, sizes)
  }

  /// The positions of candidates in the order of their old places.
  private static func positionsByOldPlace(_ candidates: [Candidate]) -> [Int] {
    var least = Int.max
    var greatest = Int.min
    for candidate in candidates {
      least = min(least, candidate.old)
      greatest = max(greatest, candidate.old)
    }
    let (span, overflows) = greatest.subtractingReportingOverflow(least)
    if !overflows, span < 8 * candidates.count {
      // Where the places are dense, a table takes 0.1 to 0.7 times as long as sorting; from a span
      // of 16 times the candidates on it may take longer.
      var positions = [Int](repeating: -1, count: span + 1)
      for position in candidates.indices { positions[candidates[position].old - least] = position }
      positions.removeAll { $0 < 0 }
      return positions
    }
    // Sorts pairs instead of positions: looking up each place while sorting would miss the cache.
    var order = candidates.indices.map { (old: candidates[$0].old, position: $0) }
    order.sort { $0.old < $1.old }
    return order.map(\.position)
  }

  /// The positions of a longest strictly increasing subsequence.
  ///
  /// - Parameter values: Distinct.
  /// - Returns: Positions in `values`, ascending.
  /// - Complexity: That of ``stays(_:)``.
  static func longest(in values: [Int]) -> [Int] {
    let stays = stays(values.map { Candidate(old: $0, count: 1, preference: 0) })
    return values.indices.filter { stays?[$0] ?? true }
  }

  private static func ascends(_ candidates: [Candidate]) -> Bool {
    var last = Int.min
    for candidate in candidates {
      if candidate.old < last { return false }
      last = candidate.old
    }
    return true
  }

  /// For each candidate whether the best ascending chain holds it.
  ///
  /// The old places of the candidates are their ranks, from 1 on.
  private static func bestChain(of candidates: [Candidate]) -> [Bool] {
    var predecessors = [Int](repeating: -1, count: candidates.count)
    // A Fenwick tree of maxima over ranks: the best chain that ends at or below a rank.
    var ends = [ChainEnd](repeating: .none, count: candidates.count + 1)
    var top = ChainEnd.none
    ends.withUnsafeMutableBufferPointer { ends in
      for (position, candidate) in candidates.enumerated() {
        var best = ChainEnd.none
        var slot = candidate.old - 1
        while slot > 0 {
          if ends[slot].isBetter(than: best) { best = ends[slot] }
          slot &= slot - 1
        }
        predecessors[position] = best.position
        let end = ChainEnd(
          count: best.count + candidate.count, preference: best.preference + candidate.preference,
          position: position)
        slot = candidate.old
        while slot < ends.count {
          if end.isBetter(than: ends[slot]) { ends[slot] = end }
          slot += slot & -slot
        }
        if end.isBetter(than: top) { top = end }
      }
    }
    var stays = [Bool](repeating: false, count: candidates.count)
    var position = top.position
    while position >= 0 {
      stays[position] = true
      position = predecessors[position]
    }
    return stays
  }

  /// The last candidate of a chain, and what the chain keeps.
  private struct ChainEnd {
    /// 0 in no chain, so that every chain is better.
    var count: Int
    var preference: Int
    var position: Int

    static let none = ChainEnd(count: 0, preference: 0, position: -1)

    func isBetter(than other: ChainEnd) -> Bool {
      count > other.count || (count == other.count && preference > other.preference)
    }
  }
}
