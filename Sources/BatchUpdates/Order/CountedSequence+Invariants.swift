import ListModel

/// Something that should hold in a structure and does not.
package struct BrokenInvariant: Error, CustomStringConvertible {
  /// What does not hold, and where.
  package let description: String

  init(_ description: String) { self.description = description }
}

extension CountedSequence {
  /// Checks the counts, the parents, the capacities and the depth of every node.
  ///
  /// - Throws: ``BrokenInvariant``.
  /// - Complexity: O(*r*), *r* runs.
  func checkInvariants() throws(BrokenInvariant) {
    let total = try check(root, parent: -1, level: height)
    guard total == count else { throw BrokenInvariant("holds \(total), counts \(count)") }
  }

  private func check(
    _ node: Int32, parent: Int32, level: Int
  ) throws(BrokenInvariant) -> Int {
    guard level > 0 else { return try check(leaf: leaves[Int(node)], node, parent) }
    let branch = branches[Int(node)]
    guard branch.parent == parent else {
      throw BrokenInvariant("branch \(node) is below \(parent), not \(branch.parent)")
    }
    guard (1...Self.branchCapacity).contains(branch.children.count) else {
      throw BrokenInvariant("branch \(node) has \(branch.children.count) children")
    }
    var total = 0
    for child in branch.children {
      let count = try check(child.node, parent: node, level: level - 1)
      guard count == child.count else {
        throw BrokenInvariant("node \(child.node) holds \(count), \(node) says \(child.count)")
      }
      total += count
    }
    return total
  }

  private func check(
    leaf: Leaf, _ number: Int32, _ parent: Int32
  ) throws(BrokenInvariant) -> Int {
    guard leaf.parent == parent else {
      throw BrokenInvariant("leaf \(number) is below \(parent), not \(leaf.parent)")
    }
    guard leaf.runs.count <= Self.leafCapacity, leaf.runs.allSatisfy({ $0.count > 0 }) else {
      throw BrokenInvariant("leaf \(number) has \(leaf.runs.count) runs, or an empty one")
    }
    return leaf.runs.reduce(0) { $0 + $1.count }
  }
}

extension ListOutline {
  /// Checks the sequences, and that every handle is found where it is.
  ///
  /// - Throws: ``BrokenInvariant``.
  /// - Complexity: O(*n* log *n*), *n* items.
  package func checkInvariants() throws(BrokenInvariant) {
    var total = 0
    var seen: Set<Int32> = []
    for index in 0..<sectionCount {
      let handle = section(at: index)
      guard self.index(ofSection: handle) == index else {
        throw BrokenInvariant("section \(handle) is at \(index), not found there")
      }
      var paths: [(Int32, ItemPath)] = []
      forEachRun(inSection: handle) { run in
        for item in run.first..<run.first + Int32(run.count) {
          paths.append((item, ItemPath(section: index, item: paths.count)))
        }
      }
      for (item, path) in paths {
        guard seen.insert(item).inserted, self.path(ofItem: item) == path,
          self.item(at: path) == item
        else { throw BrokenInvariant("item \(item) is at \(path), not found there") }
      }
      total += paths.count
    }
    guard total == itemCount else {
      throw BrokenInvariant("holds \(total) items, counts \(itemCount)")
    }
    try checkSequences()
  }
}
