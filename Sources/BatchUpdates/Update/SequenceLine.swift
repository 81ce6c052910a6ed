import ListOrder

/// The items of one section, or the sections of a list, while moves and inserts are applied one
/// after another in the order of their targets.
///
/// It stores the elements that leave by a move and those that have arrived so far, and only counts
/// the elements that stay. Gap *g* is the place behind the first *g* elements that stay. In a gap,
/// elements that arrived are in front of those that have yet to leave, so an arrival is next to its
/// final neighbour at once.
struct SequenceLine {
  /// The gap that each leaving element stands in, ascending.
  private let leavingGaps: [Int]
  /// How many have not left yet.
  private var waiting: WaitingCount
  /// The gap that each arrived element stands in, ascending.
  private var arrivedGaps: [Int] = []

  /// A line before the first move.
  ///
  /// - Parameter leaving: Indexes of the elements that leave by a move, ascending, counted without
  ///   deleted elements.
  init(leaving: [Int] = []) {
    leavingGaps = leaving.indices.map { leaving[$0] &- $0 }
    waiting = WaitingCount(leaving.count)
  }

  /// Removes an element that leaves.
  ///
  /// - Parameter position: Its position among those that leave; each leaves once.
  /// - Returns: Its index in the line before the removal.
  mutating func take(_ position: Int) -> Int {
    waiting.remove(position)
    return settledIndex(ofStaying: leavingGaps[position]) &+ waiting.count(below: position)
  }

  /// Inserts an element that arrives.
  ///
  /// - Parameter target: Its index after the stage; greater than those of earlier arrivals.
  /// - Returns: Its index in the line after the insertion.
  mutating func place(at target: Int) -> Int {
    let gap = target &- arrivedGaps.count
    arrivedGaps.append(gap)
    // Elements that have yet to leave an earlier gap shift it; those of its own gap are behind it.
    return target &+ waiting.count(below: leavingGaps.partitioningIndex { $0 >= gap })
  }

  /// The index of an element that stays, counted without those that have yet to leave.
  ///
  /// - Parameter rank: How many elements that stay are in front of it.
  /// - Returns: The index once all have left.
  func settledIndex(ofStaying rank: Int) -> Int {
    rank &+ arrivedGaps.partitioningIndex { $0 > rank }
  }
}

/// Counts the positions that were not removed, with a Fenwick tree.
private struct WaitingCount {
  private var sums: [Int]

  init(_ count: Int) {
    // Each slot sums over as many positions as its lowest bit says.
    sums = (1..<(count + 1)).map { $0 & -$0 }
  }

  mutating func remove(_ position: Int) {
    var slot = position + 1
    while slot <= sums.count {
      sums[slot - 1] -= 1
      slot += slot & -slot
    }
  }

  func count(below position: Int) -> Int {
    var total = 0
    var slot = position
    while slot > 0 {
      total += sums[slot - 1]
      slot -= slot & -slot
    }
    return total
  }
}
