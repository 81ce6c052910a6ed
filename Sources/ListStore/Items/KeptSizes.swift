import ListTables

/// The items for whose sizes the sums of a snapshot may be wrong, because a Provider has kept a
/// size since; for one key.
///
/// Each size is compared once with each read transaction of the snapshot.
struct KeptSizes: Sendable {
  /// The handles of items that were not compared with the snapshot yet.
  private var uncounted: Set<Int32> = []
  /// The read transaction that the others were compared with.
  private var generation = 0
  /// The sizes that differ from those of the snapshot, by the rows of their items.
  private var counted: [Int: (handle: Int32, sum: SizeSums.Sum)] = [:]
  /// How much must be added to the snapshot's sums, by block.
  private var differences: [Int: SizeSums.Sum] = [:]

  /// Notes that a size was kept.
  mutating func insert(_ handle: Int32) { uncounted.insert(handle) }

  /// Has all sizes compared again, with another snapshot.
  mutating func recount() {
    for (handle, _) in counted.values { uncounted.insert(handle) }
    counted = [:]
    differences = [:]
  }

  /// The size that was counted for an item, if it differs from the snapshot's.
  func sum(ofItem row: Int) -> SizeSums.Sum? { counted[row]?.sum }

  func difference(ofBlock block: Int) -> SizeSums.Sum { differences[block] ?? .init() }

  /// Counts a size instead of another one.
  ///
  /// `row`: The item's row.
  /// `blocks`: The blocks that hold the item, from the root to level 0.
  mutating func count(
    _ new: SizeSums.Sum, insteadOf old: SizeSums.Sum, ofItem row: Int, _ handle: Int32,
    in blocks: [Int]
  ) {
    guard new != old else { return }
    counted[row] = (handle, new)
    for block in blocks {
      differences[block, default: .init()] += new
      differences[block, default: .init()] += -old
    }
  }

  /// The items to compare with a read transaction, which then count as compared.
  mutating func takeUncounted(in generation: Int) -> Set<Int32> {
    if generation != self.generation { recount() }
    self.generation = generation
    defer { uncounted = [] }
    return uncounted
  }

  /// Takes over what was counted of ``takeUncounted(in:)``.
  mutating func finishCounting(_ counted: KeptSizes) {
    self.counted = counted.counted
    differences = counted.differences
  }
}
