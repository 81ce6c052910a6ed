import ListModel

extension ReducedView {
  /// The indexes at which the view inserts reloaded sections.
  ///
  /// The view shifts the index before by the explicit deletes and inserts of sections. It ignores
  /// moves.
  ///
  /// - Parameters:
  ///   - reloaded: Indexes before, ascending.
  ///   - operations: Operations of which none is out of bounds.
  /// - Returns: Indexes after, one for each reloaded section, perhaps out of bounds.
  static func targets(ofSections reloaded: [Int], in operations: LegalityOperations) -> [Int] {
    if reloaded.isEmpty { return [] }
    var indexes = ShiftedIndexes(reloaded)
    for section in operations.deleteSections.elements.reversed() {
      indexes.shift(from: section, by: -1)
    }
    for section in operations.insertSections.elements { indexes.shift(from: section, by: 1) }
    return reloaded.indices.map { indexes.value(at: $0) }
  }

  /// The paths at which the view inserts reloaded items.
  ///
  /// The view shifts the path before by the explicit deletes and inserts. It ignores moves.
  ///
  /// It goes over the deletes from the last to the first, a section before its items, and then over
  /// the inserts from the first to the last, a section after its items. It compares each operation
  /// with the path as shifted so far. So when a section and items of it are deleted, the next
  /// section already has the index of the deleted one, and the deletes of these items shift its
  /// items too. The same holds for inserts.
  ///
  /// - Parameters:
  ///   - reloaded: Paths before, ascending.
  ///   - operations: Operations of which none is out of bounds.
  /// - Returns: Paths after, one for each reloaded item, perhaps out of bounds. An item in a
  ///   deleted section, where nothing may be reloaded, keeps its path.
  static func targets(
    ofItems reloaded: [ItemPath], in operations: LegalityOperations
  ) -> [ItemPath] {
    if reloaded.isEmpty
      || operations.deleteSections.isEmpty && operations.insertSections.isEmpty
        && operations.deleteItems.isEmpty && operations.insertItems.isEmpty
    {
      return reloaded
    }
    let runs = runsOfSections(reloaded)
    let sections = targets(
      ofSections: runs.map { reloaded[$0.lowerBound].section }, in: operations)
    var targets: [ItemPath] = []
    targets.reserveCapacity(reloaded.count)
    for (run, target) in zip(runs, sections) {
      let section = reloaded[run.lowerBound].section
      if operations.deleteSections.contains(section) {
        targets += reloaded[run]
        continue
      }
      var items = ShiftedIndexes(reloaded[run].map(\.item))
      shift(&items, byDeletesFrom: section, in: operations)
      shift(&items, byInsertsUpTo: target, in: operations)
      targets += run.indices.map {
        ItemPath(section: target, item: items.value(at: $0 - run.lowerBound))
      }
    }
    return targets
  }

  private static func shift(
    _ items: inout ShiftedIndexes, byDeletesFrom section: Int, in operations: LegalityOperations
  ) {
    var walked = section
    repeat {
      for path in operations.deleteItems.paths(inSection: walked).reversed() {
        items.shift(from: path.item, by: -1)
      }
      walked -= 1
    } while operations.deleteSections.contains(walked)
  }

  private static func shift(
    _ items: inout ShiftedIndexes, byInsertsUpTo section: Int, in operations: LegalityOperations
  ) {
    var walked = section
    while operations.insertSections.contains(walked - 1) { walked -= 1 }
    while walked <= section {
      for path in operations.insertItems.paths(inSection: walked) {
        items.shift(from: path.item, by: 1)
      }
      walked += 1
    }
  }

  /// The ranges of sorted paths that are in one section each.
  private static func runsOfSections(_ paths: [ItemPath]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for position in paths.indices
    where position + 1 == paths.count || paths[position + 1].section != paths[position].section {
      runs.append(start..<position + 1)
      start = position + 1
    }
    return runs
  }
}

/// Ascending indexes; one call shifts all from a threshold on.
///
/// They stay ascending. An index that would not fit into an `Int` wraps around and is then out of
/// bounds.
/// - Complexity: O(log *n*) a step.
private struct ShiftedIndexes {
  private let start: [Int]
  /// A Fenwick tree over the shifts from each position on.
  private var tree: [Int]
  /// The greatest power of 2 that is not above the count.
  private let longestStride: Int

  init(_ indexes: [Int]) {
    start = indexes
    longestStride =
      indexes.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - indexes.count.leadingZeroBitCount)
    tree = Array(repeating: 0, count: indexes.count + 1)
  }

  func value(at position: Int) -> Int {
    var value = start[position]
    var node = position + 1
    while node > 0 {
      value &+= tree[node]
      node &= node - 1
    }
    return value
  }

  /// Shifts each index that is now not less than `threshold`.
  mutating func shift(from threshold: Int, by step: Int) {
    var below = 0
    var shift = 0
    var stride = longestStride
    while stride > 0 {
      let next = below + stride
      if next < tree.count, start[next - 1] &+ shift &+ tree[next] < threshold {
        below = next
        shift &+= tree[next]
      }
      stride /= 2
    }
    var node = below + 1
    while node < tree.count {
      tree[node] += step
      node += node & -node
    }
  }
}
