/// Chooses what may stay where it is when a list is reordered: moves are what is left over.
enum IncreasingSubsequence {
  /// Something that may stay, in the order after.
  struct Candidate {
    /// Where it was; different for each candidate.
    var old: Int
    /// How many elements stay with it, at least 1.
    var count: Int
    /// How much it had better stay, of several that keep as many elements.
    var preference: Int
  }

  /// Which candidates stay: of the sets in which the old places ascend, one with the most elements,
  /// and of these one with the highest sum of preferences.
  ///
  /// - Parameter candidates: In the order after.
  /// - Returns: One answer a candidate; `nil` if all may stay.
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

  /// Takes neighbours for one that were neighbours before, too: all of them stay, or none.
  ///
  /// Most of a list is in such groups, and finding chains costs several times as much as this.
  ///
  /// - Returns: The groups, with their ranks from 1 on as old places, and how many candidates are in
  ///   each.
  private static func grouped(_ candidates: [Candidate]) -> (groups: [Candidate], sizes: [Int]) {
    // Sorted beside their positions: looking each up while sorting misses the cache.
    var order = candidates.indices.map { (old: candidates[$0].old, position: $0) }
    order.sort { $0.old < $1.old }
    // By position; 0 for those that follow the one before them.
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
  /// - Complexity: As of ``stays(_:)``.
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

  /// The best chains so far, by where they end.
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
