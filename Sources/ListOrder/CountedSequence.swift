/// Consecutive elements of a sequence, stored as one value.
protocol CountedRun: Sendable {
  /// How many elements the run stands for, at least 1.
  var count: Int { get }
  /// The run in two parts: the elements before an offset, and the elements from that offset on.
  ///
  /// The offset is greater than 0 and less than the count.
  func split(at offset: Int) -> (Self, Self)
}

/// Records which leaf holds each run, so that an element can be found by its identity.
protocol RunLocator<Run> {
  associatedtype Run: CountedRun
  /// Records that a leaf holds a run, perhaps the same leaf as before.
  mutating func place(_ run: Run, inLeaf leaf: Int32)
}

/// Records nothing: for sequences whose elements are found by offset alone.
struct NoLocator<Run: CountedRun>: RunLocator {
  func place(_ run: Run, inLeaf leaf: Int32) {}
}

/// A sequence of runs with random access by offset.
///
/// Inserting, removing and finding the element at an offset cost O(log *r*), *r* runs, however many
/// elements the runs stand for.
///
/// The structure is a B+ tree. A node has a number and knows its parent, so the offset of an
/// element is found from its leaf upwards. The nodes are stored in pages, so a copy shares the
/// nodes that neither side changes.
///
/// `Rope` of swift-collections, measured in `tools/benchmarks`, inserts in 0.5 to 0.9 times the
/// time and finds by offset as fast, but takes several times as long to load. It can't serve: it
/// has no way from an element to its offset, and its module, `_RopeModule`, is no public API.
struct CountedSequence<Run: CountedRun>: Sendable {
  private(set) var leaves = PagedArray<Leaf>()
  private(set) var branches = PagedArray<Branch>()
  /// The number of a leaf while `height` is 0, else of a branch.
  private(set) var root: Int32 = 0
  /// How many levels of branches there are.
  private(set) var height = 0
  /// How many elements the runs stand for.
  private(set) var count = 0
  private var freeLeaves: ContiguousArray<Int32> = []
  private var freeBranches: ContiguousArray<Int32> = []

  struct Leaf: Sendable {
    var runs: ContiguousArray<Run>
    var parent: Int32 = -1

    mutating func insert(_ run: Run, at slot: Int) {
      // An array doubles its capacity by itself, which would leave half of the leaf unused.
      if runs.count == runs.capacity { runs.reserveCapacity(runs.count + 8) }
      runs.insert(run, at: slot)
    }
  }

  struct Branch: Sendable {
    var children: ContiguousArray<Child>
    var parent: Int32 = -1
  }

  struct Child: Sendable {
    var node: Int32
    /// How many elements are below it.
    var count: Int
  }

  /// The place of an element in the tree.
  struct Position {
    var leaf: Int32
    var slot: Int
    /// Inside the run.
    var offset: Int
  }

  /// The most runs of a leaf, and children of a branch.
  static var leafCapacity: Int { 64 }
  static var branchCapacity: Int { 32 }

  init() {
    var runs: ContiguousArray<Run> = []
    runs.reserveCapacity(8)
    leaves.append(Leaf(runs: runs))
  }

  /// Loads runs in order.
  ///
  /// - Complexity: O(*r*), *r* runs.
  init(_ runs: some Collection<Run>, locator: inout some RunLocator<Run>) {
    // Leaves are filled to three quarters, so that the first insert into a leaf does not split it.
    let fill = Self.leafCapacity * 3 / 4
    var level: [Child] = []
    var start = runs.startIndex
    while start < runs.endIndex {
      let end = runs.index(start, offsetBy: fill, limitedBy: runs.endIndex) ?? runs.endIndex
      let leaf = Int32(leaves.count)
      leaves.append(Leaf(runs: ContiguousArray(runs[start..<end])))
      var total = 0
      for run in runs[start..<end] {
        total += run.count
        locator.place(run, inLeaf: leaf)
      }
      level.append(Child(node: leaf, count: total))
      start = end
    }
    if level.isEmpty { leaves.append(Leaf(runs: [])) }
    count = level.reduce(0) { $0 + $1.count }
    while level.count > 1 { level = stack(level) }
    root = level.first?.node ?? 0
  }

  /// Makes the level of branches above nodes.
  private mutating func stack(_ nodes: [Child]) -> [Child] {
    let fill = Self.branchCapacity * 3 / 4
    var level: [Child] = []
    for start in stride(from: 0, to: nodes.count, by: fill) {
      let children = nodes[start..<min(start + fill, nodes.count)]
      let branch = Int32(branches.count)
      branches.append(Branch(children: ContiguousArray(children)))
      for child in children { setParent(of: child.node, to: branch, atLevel: height) }
      level.append(Child(node: branch, count: children.reduce(0) { $0 + $1.count }))
    }
    height += 1
    return level
  }

  private mutating func setParent(of node: Int32, to branch: Int32, atLevel level: Int) {
    if level == 0 {
      leaves[Int(node)].parent = branch
    } else {
      branches[Int(node)].parent = branch
    }
  }
}

// MARK: - Finding

extension CountedSequence {
  /// The position of the element at an offset, which must be less than the count.
  func position(of offset: Int) -> Position {
    let (leaf, rest, _) = leaf(of: offset)
    return position(of: rest, inLeaf: leaf)
  }

  /// The position of the element at an offset in a leaf, which must be less than the leaf's count.
  func position(of offset: Int, inLeaf leaf: Int32) -> Position {
    var rest = offset
    var slot = 0
    leaves[Int(leaf)].runs.withUnsafeBufferPointer { runs in
      while rest >= runs[slot].count {
        rest -= runs[slot].count
        slot += 1
      }
    }
    return Position(leaf: leaf, slot: slot, offset: rest)
  }

  /// The leaf that holds the element at an offset, the offset inside that leaf, and the leaf's
  /// count.
  ///
  /// The offset must be less than the count of the sequence.
  func leaf(of offset: Int) -> (leaf: Int32, offset: Int, count: Int) {
    var rest = offset
    var node = root
    var count = count
    for _ in 0..<height {
      var slot = 0
      branches[Int(node)].children.withUnsafeBufferPointer { children in
        while rest >= children[slot].count {
          rest -= children[slot].count
          slot += 1
        }
        node = children[slot].node
        count = children[slot].count
      }
    }
    return (node, rest, count)
  }

  /// The run at a position.
  subscript(position: Position) -> Run { leaves[Int(position.leaf)].runs[position.slot] }

  /// The offset of a leaf's first element.
  func offset(ofLeaf leaf: Int32) -> Int {
    var offset = 0
    var node = leaf
    var parent = leaves[Int(leaf)].parent
    while parent >= 0 {
      branches[Int(parent)].children.withUnsafeBufferPointer { children in
        var slot = 0
        while children[slot].node != node {
          offset += children[slot].count
          slot += 1
        }
      }
      node = parent
      parent = branches[Int(parent)].parent
    }
    return offset
  }

  /// Finds an element in a leaf.
  ///
  /// - Parameters:
  ///   - leaf: The leaf.
  ///   - place: Returns the element's offset in a run, or `nil` if the run does not hold it.
  /// - Returns: The element's offset in the leaf, or `nil` if the leaf does not hold it.
  func offset(inLeaf leaf: Int32, of place: (Run) -> Int?) -> Int? {
    leaves[Int(leaf)].runs.withUnsafeBufferPointer { runs in
      var offset = 0
      for run in runs {
        if let place = place(run) { return offset + place }
        offset += run.count
      }
      return nil
    }
  }
}

// MARK: - Changing

extension CountedSequence {
  /// Inserts a run before the element at an offset, or at the end.
  ///
  /// - Parameters:
  ///   - run: The elements.
  ///   - offset: At most the count.
  ///   - locator: Told where runs are.
  mutating func insert(_ run: Run, at offset: Int, locator: inout some RunLocator<Run>) {
    // At the border of two leaves the run goes to the end of the earlier one: that one more often
    // has been changed before.
    let found = descend(to: offset, adding: run.count, stopsAtEnds: true)
    let index = Int(found.leaf)
    if found.slot == leaves[index].runs.count {
      leaves[index].insert(run, at: found.slot)
    } else if found.offset == 0 {
      leaves[index].insert(run, at: found.slot)
    } else if found.offset == leaves[index].runs[found.slot].count {
      leaves[index].insert(run, at: found.slot + 1)
    } else {
      let (head, tail) = leaves[index].runs[found.slot].split(at: found.offset)
      leaves[index].runs[found.slot] = head
      leaves[index].insert(tail, at: found.slot + 1)
      leaves[index].insert(run, at: found.slot + 1)
    }
    locator.place(run, inLeaf: found.leaf)
    splitIfFull(leaf: found.leaf, &locator)
  }

  /// Removes one element.
  ///
  /// - Parameters:
  ///   - offset: Less than the count.
  ///   - locator: Told where runs are.
  /// - Returns: The element, as a run of 1.
  mutating func remove(at offset: Int, locator: inout some RunLocator<Run>) -> Run {
    let found = descend(to: offset, adding: -1, stopsAtEnds: false)
    let index = Int(found.leaf)
    let run = leaves[index].runs[found.slot]
    if run.count == 1 {
      leaves[index].runs.remove(at: found.slot)
      shrink(leaf: found.leaf, &locator)
      return run
    }
    let (element, rest) = Self.isolate(found.offset, in: run)
    leaves[index].runs[found.slot] = rest.0
    if let tail = rest.1 {
      leaves[index].insert(tail, at: found.slot + 1)
      splitIfFull(leaf: found.leaf, &locator)
    }
    return element
  }

  /// Makes one element a run of its own and replaces that run.
  ///
  /// - Parameters:
  ///   - offset: Less than the count.
  ///   - locator: Told where the replacement is.
  ///   - replacement: Takes the element as a run of 1 and returns the run of 1 that replaces it.
  mutating func replace(
    at offset: Int, locator: inout some RunLocator<Run>, with replacement: (Run) -> Run
  ) {
    let found = position(of: offset)
    let index = Int(found.leaf)
    let run = leaves[index].runs[found.slot]
    if run.count == 1 {
      let new = replacement(run)
      leaves[index].runs[found.slot] = new
      locator.place(new, inLeaf: found.leaf)
      return
    }
    let (element, rest) = Self.isolate(found.offset, in: run)
    let new = replacement(element)
    if found.offset == 0 {
      leaves[index].runs[found.slot] = rest.0
      leaves[index].insert(new, at: found.slot)
    } else {
      leaves[index].runs[found.slot] = rest.0
      leaves[index].insert(new, at: found.slot + 1)
      if let tail = rest.1 { leaves[index].insert(tail, at: found.slot + 2) }
    }
    locator.place(new, inLeaf: found.leaf)
    splitIfFull(leaf: found.leaf, &locator)
  }

  /// Cuts one element out of a run of several.
  ///
  /// - Returns: The element, and the one or two runs that are left.
  private static func isolate(_ offset: Int, in run: Run) -> (element: Run, rest: (Run, Run?)) {
    if offset == 0 {
      let (element, tail) = run.split(at: 1)
      return (element, (tail, nil))
    }
    let (head, rest) = run.split(at: offset)
    if rest.count == 1 { return (rest, (head, nil)) }
    let (element, tail) = rest.split(at: 1)
    return (element, (head, tail))
  }

  /// Finds a place and updates the counts on the way down.
  ///
  /// - Parameters:
  ///   - offset: Less than the count; if `stopsAtEnds`, also equal to it.
  ///   - change: How many elements the caller adds to the leaf.
  ///   - stopsAtEnds: Whether the place after an element counts as the place before the next one.
  /// - Returns: The place.
  private mutating func descend(
    to offset: Int, adding change: Int, stopsAtEnds: Bool
  ) -> Position {
    // 1: goes on to the next part when the offset is at the end of one.
    let beyond = stopsAtEnds ? 0 : 1
    var rest = offset
    var node = root
    count += change
    for _ in 0..<height {
      branches[Int(node)].children.withUnsafeMutableBufferPointer { children in
        var slot = 0
        while rest + beyond > children[slot].count {
          rest -= children[slot].count
          slot += 1
        }
        children[slot].count += change
        node = children[slot].node
      }
    }
    var slot = 0
    leaves[Int(node)].runs.withUnsafeBufferPointer { runs in
      while slot < runs.count, rest + beyond > runs[slot].count {
        rest -= runs[slot].count
        slot += 1
      }
    }
    return Position(leaf: node, slot: slot, offset: rest)
  }
}

// MARK: - Balance

extension CountedSequence {
  private mutating func splitIfFull(leaf: Int32, _ locator: inout some RunLocator<Run>) {
    let count = leaves[Int(leaf)].runs.count
    guard count > Self.leafCapacity else { return }
    let middle = count / 2
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
  private mutating func shrink(leaf: Int32, _ locator: inout some RunLocator<Run>) {
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
