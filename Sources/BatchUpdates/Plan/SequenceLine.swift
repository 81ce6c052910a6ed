import ListOrder

/// The items of one section, or the sections of a list, while moves and inserts are applied to them
/// one after another, by ascending target.
///
/// Knows only what leaves by a move and what has arrived so far; what stays is merely counted. Gap
/// *g* is the place behind the first *g* elements that stay. In a gap, what has arrived is in front
/// of what is still to leave, so that an arrival is always next to its final neighbour.
struct SequenceLine {
  /// The gap that each leaving element stands in, ascending.
  private let leavingGaps: [Int]
  /// Those that have not left yet.
  private var waiting: WaitingCount
  /// The gap that each arrived element stands in, ascending.
  private var arrivedGaps: [Int] = []

  /// A line in which nothing has moved yet.
  ///
  /// - Parameter leaving: Indexes of what leaves by a move, ascending; deleted elements don't count.
  init(leaving: [Int] = []) {
    leavingGaps = leaving.indices.map { leaving[$0] &- $0 }
    waiting = WaitingCount(leaving.count)
  }

  /// Takes out an element that leaves.
  ///
  /// - Parameter position: Its position among those that leave; each is taken once.
  /// - Returns: Its index in the line until then.
  mutating func take(_ position: Int) -> Int {
    waiting.remove(position)
    return settledIndex(ofStaying: leavingGaps[position]) &+ waiting.count(below: position)
  }

  /// Puts in an element.
  ///
  /// - Parameter target: The index at which it ends; more than those of the elements put in before.
  /// - Returns: Its index in the line from now on.
  mutating func place(at target: Int) -> Int {
    let gap = target &- arrivedGaps.count
    arrivedGaps.append(gap)
    // What is still to leave from a gap in front is in the way; in its own gap it is behind.
    return target &+ waiting.count(below: leavingGaps.partitioningIndex { $0 >= gap })
  }

  /// Where an element that stays is among those that stay or arrived.
  ///
  /// - Parameter rank: How many of those that stay are in front of it.
  /// - Returns: Its index once all that leaves has left.
  func settledIndex(ofStaying rank: Int) -> Int {
    rank &+ arrivedGaps.partitioningIndex { $0 > rank }
  }
}

/// How many elements of a range of positions were not removed: a Fenwick tree.
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
