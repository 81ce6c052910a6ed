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
