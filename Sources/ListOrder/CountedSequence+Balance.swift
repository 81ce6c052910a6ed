extension CountedSequence {
  /// Splits a leaf in two.
  mutating func split(leaf: Int32, _ locator: inout some RunLocator<Run>) {
    let middle = leaves[Int(leaf)].runs.count / 2
    let moved = ContiguousArray(leaves[Int(leaf)].runs[middle...])
    // A new array, because removing elements would keep the capacity of the full leaf.
    leaves[Int(leaf)].runs = ContiguousArray(leaves[Int(leaf)].runs[..<middle])
    let new = newLeaf(moved)
    var total = 0
    for run in moved {
      total += run.count
      locator.place(run, inLeaf: new)
    }
    insert(Child(node: new, count: total), after: leaf, level: 0)
  }

  private mutating func newLeaf(_ runs: ContiguousArray<Run>) -> Int32 {
    if let leaf = freeLeaves.popLast() {
      leaves[Int(leaf)].runs = runs
      return leaf
    }
    leaves.append(Leaf(runs: runs))
    return Int32(leaves.count - 1)
  }

  private mutating func newBranch(_ children: ContiguousArray<Child>) -> Int32 {
    if let branch = freeBranches.popLast() {
      branches[Int(branch)].children = children
      return branch
    }
    branches.append(Branch(children: children))
    return Int32(branches.count - 1)
  }

  /// Inserts a node behind another one, some of whose elements it took over.
  private mutating func insert(_ new: Child, after node: Int32, level: Int) {
    let parent = level == 0 ? leaves[Int(node)].parent : branches[Int(node)].parent
    guard parent >= 0 else {
      let top = newBranch([Child(node: node, count: count - new.count), new])
      branches[Int(top)].parent = -1
      setParent(of: node, to: top, atLevel: level)
      setParent(of: new.node, to: top, atLevel: level)
      root = top
      height += 1
      return
    }
    setParent(of: new.node, to: parent, atLevel: level)
    let slot = self.slot(of: node, in: parent)
    branches[Int(parent)].children[slot].count -= new.count
    branches[Int(parent)].children.insert(new, at: slot + 1)
    let childCount = branches[Int(parent)].children.count
    guard childCount > Self.branchCapacity else { return }
    let moved = ContiguousArray(branches[Int(parent)].children[(childCount / 2)...])
    branches[Int(parent)].children.removeSubrange((childCount / 2)...)
    let sibling = newBranch(moved)
    for child in moved { setParent(of: child.node, to: sibling, atLevel: level) }
    insert(
      Child(node: sibling, count: moved.reduce(0) { $0 + $1.count }), after: parent,
      level: level + 1)
  }

  private func slot(of node: Int32, in parent: Int32) -> Int {
    var slot = 0
    while branches[Int(parent)].children[slot].node != node { slot += 1 }
    return slot
  }

  /// Joins a leaf that became small with a sibling, if both fit into one leaf.
  mutating func shrink(leaf: Int32, _ locator: inout some RunLocator<Run>) {
    let runCount = leaves[Int(leaf)].runs.count
    let parent = leaves[Int(leaf)].parent
    guard parent >= 0, runCount < Self.leafCapacity / 4 else { return }
    let slot = self.slot(of: leaf, in: parent)
    guard let left = Self.pair(around: slot, of: branches[Int(parent)].children.count) else {
      return
    }
    let first = branches[Int(parent)].children[left].node
    let second = branches[Int(parent)].children[left + 1].node
    // An empty leaf can always go; others leave room for later inserts.
    let limit = runCount == 0 ? Self.leafCapacity : Self.leafCapacity / 2
    guard leaves[Int(first)].runs.count + leaves[Int(second)].runs.count <= limit else { return }
    let moved = leaves[Int(second)].runs
    leaves[Int(second)] = Leaf(runs: [])
    freeLeaves.append(second)
    leaves[Int(first)].runs += moved
    for run in moved { locator.place(run, inLeaf: first) }
    removeChild(left + 1, joining: left, of: parent, level: 1)
  }

  /// The slot of the first of two neighbouring siblings, one of which is at `slot`: that one and
  /// the next, or at the end the one before and that one.
  private static func pair(around slot: Int, of count: Int) -> Int? {
    if slot + 1 < count { return slot }
    return slot > 0 ? slot - 1 : nil
  }

  /// Removes a child whose elements its sibling took over.
  private mutating func removeChild(
    _ slot: Int, joining kept: Int, of branch: Int32, level: Int
  ) {
    let gone = branches[Int(branch)].children.remove(at: slot)
    branches[Int(branch)].children[kept].count += gone.count
    let childCount = branches[Int(branch)].children.count
    let parent = branches[Int(branch)].parent
    if parent < 0 {
      guard childCount == 1 else { return }
      root = branches[Int(branch)].children[0].node
      free(branch: branch)
      height -= 1
      setParent(of: root, to: -1, atLevel: height)
      return
    }
    guard childCount < Self.branchCapacity / 4,
      let left = Self.pair(
        around: self.slot(of: branch, in: parent), of: branches[Int(parent)].children.count)
    else { return }
    let first = branches[Int(parent)].children[left].node
    let second = branches[Int(parent)].children[left + 1].node
    guard
      branches[Int(first)].children.count + branches[Int(second)].children.count
        <= Self.branchCapacity / 2
    else { return }
    let moved = branches[Int(second)].children
    for child in moved { setParent(of: child.node, to: first, atLevel: level - 1) }
    branches[Int(first)].children += moved
    free(branch: second)
    removeChild(left + 1, joining: left, of: parent, level: level + 1)
  }

  private mutating func free(branch: Int32) {
    branches[Int(branch)] = Branch(children: [])
    freeBranches.append(branch)
  }
}
