/// Chooses the elements that stay in place when a list is reordered, so that the fewest move.
enum IncreasingSubsequence {
  /// An element or a run of elements that may stay in place.
  struct Candidate {
    /// Its place before; different for each candidate.
    var old: Int
    /// How many elements it stands for, at least 1.
    var count: Int
    /// Decides between sets that keep equally many elements: the greatest sum stays.
    var preference: Int
  }

  /// Chooses the candidates that stay.
  ///
  /// The old places of those that stay ascend. Of all such sets it takes one with the most
  /// elements, and of these one with the greatest sum of preferences.
  ///
  /// - Parameter candidates: In the order after.
  /// - Returns: For each candidate whether it stays; `nil` if all stay.
  /// - Complexity: O(*n* log *n*); O(*n*) if the old places ascend already.
  static func stays(_ candidates: [Candidate]) -> [Bool]? {
    if ascends(candidates) { return nil }
    let (groups, sizes) = grouped(candidates)
    var chains = Chains(groups)
    for position in groups.indices { chains.extend(with: position) }
    var stays: [Bool] = []
    stays.reserveCapacity(candidates.count)
    for (groupStays, size) in zip(chains.best(), sizes) {
      for _ in 0..<size { stays.append(groupStays) }
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
    // Sorts pairs instead of positions: looking up each place while sorting would miss the cache.
    var order = candidates.indices.map { (old: candidates[$0].old, position: $0) }
    order.sort { $0.old < $1.old }
    // By position; 0 for a candidate that belongs to the group before it.
    var ranks = [Int](repeating: 0, count: candidates.count)
    var count = 0
    var previous = -1
    for (_, position) in order {
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

  /// The best ascending chains so far, by the rank at which they end.
  private struct Chains {
    private let candidates: [Candidate]
    /// A Fenwick tree of maxima over ranks: the best chain that ends at or below a rank.
    private var ends: [End]
    private var predecessors: [Int]
    private var top = End.none

    private struct End {
      var count: Int
      var preference: Int
      var position: Int

      static let none = End(count: 0, preference: 0, position: -1)

      func isBetter(than other: End) -> Bool {
        count > other.count || (count == other.count && preference > other.preference)
      }
    }

    /// - Parameter candidates: Their old places are their ranks, from 1 on.
    init(_ candidates: [Candidate]) {
      self.candidates = candidates
      ends = [End](repeating: .none, count: candidates.count + 1)
      predecessors = [Int](repeating: -1, count: candidates.count)
    }

    mutating func extend(with position: Int) {
      var best = End.none
      var slot = candidates[position].old - 1
      while slot > 0 {
        if ends[slot].position >= 0, best.position < 0 || ends[slot].isBetter(than: best) {
          best = ends[slot]
        }
        slot &= slot - 1
      }
      predecessors[position] = best.position
      let end = End(
        count: best.count + candidates[position].count,
        preference: best.preference + candidates[position].preference, position: position)
      slot = candidates[position].old
      while slot < ends.count {
        if ends[slot].position < 0 || end.isBetter(than: ends[slot]) { ends[slot] = end }
        slot += slot & -slot
      }
      if top.position < 0 || end.isBetter(than: top) { top = end }
    }

    func best() -> [Bool] {
      var stays = [Bool](repeating: false, count: candidates.count)
      var position = top.position
      while position >= 0 {
        stays[position] = true
        position = predecessors[position]
      }
      return stays
    }
  }
}
