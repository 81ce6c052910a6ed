/// Consecutive elements of a sequence that are kept as one.
protocol CountedRun: Sendable {
  /// How many elements it stands for, at least 1.
  var count: Int { get }
  /// The elements before an offset and those from it on; the offset is inside.
  func split(at offset: Int) -> (Self, Self)
}

/// Told which leaf holds which run, so that an element can be found by identity.
protocol RunHomes<Run> {
  associatedtype Run: CountedRun
  /// A run is now in a leaf, where it may have been before.
  mutating func place(_ run: Run, inLeaf leaf: Int32)
}

/// For sequences whose elements are found by offset alone.
struct NoHomes<Run: CountedRun>: RunHomes {
  func place(_ run: Run, inLeaf leaf: Int32) {}
}

/// A sequence of runs that knows the offset of every element: insert, remove and find by offset
/// cost O(log *r*), *r* runs, however many elements the runs stand for.
///
/// A B+ tree. Nodes are told apart by number and know their parents, so that an offset can be found
/// from a leaf upwards; they lie in pages, so that a copy shares what neither side changes.
///
/// The rope of swift-collections inserts in half the time to nine tenths of it and finds as fast,
/// loads in several times as long, and has no way from an element to its offset.
struct CountedSequence<Run: CountedRun>: Sendable {
  private(set) var leaves = PagedArray<Leaf>()
  private(set) var branches = PagedArray<Branch>()
  /// A leaf while `height` is 0, else a branch.
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
      // Not doubled, as an array does by itself: a leaf would be half empty.
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

  /// Where an element is.
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
  init(_ runs: some Collection<Run>, homes: inout some RunHomes<Run>) {
    // Not full, so that the first insert into each leaf does not split it.
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
        homes.place(run, inLeaf: leaf)
      }
      level.append(Child(node: leaf, count: total))
      start = end
    }
    if level.isEmpty { leaves.append(Leaf(runs: [])) }
    count = level.reduce(0) { $0 + $1.count }
    while level.count > 1 { level = stack(level) }
    root = level.first?.node ?? 0
  }

  /// Puts a level of branches over nodes.
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
  /// Where the element at an offset is, which must be less than the count.
  func position(of offset: Int) -> Position {
    let (leaf, rest, _) = leaf(of: offset)
    return position(of: rest, inLeaf: leaf)
  }

  /// Where the element at an offset in a leaf is, which must be less than the leaf's count.
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

  /// The leaf that holds the element at an offset, which must be less than the count; the offset in
  /// the leaf, and how many elements the leaf has.
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

  /// How many elements are before a leaf.
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
  ///   - place: Where in a run the element is, `nil` if it is not in that run.
  /// - Returns: Its offset in the leaf; `nil` if it is not there.
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
  ///   - homes: Told where runs are.
  mutating func insert(_ run: Run, at offset: Int, homes: inout some RunHomes<Run>) {
    // Into the end of a run rather than before the next one: the earlier leaf is more often open.
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
    homes.place(run, inLeaf: found.leaf)
    splitIfFull(leaf: found.leaf, &homes)
  }

  /// Removes one element.
  ///
  /// - Parameters:
  ///   - offset: Less than the count.
  ///   - homes: Told where runs are.
  /// - Returns: The element, as a run of 1.
  mutating func remove(at offset: Int, homes: inout some RunHomes<Run>) -> Run {
    let found = descend(to: offset, adding: -1, stopsAtEnds: false)
    let index = Int(found.leaf)
    let run = leaves[index].runs[found.slot]
    if run.count == 1 {
      leaves[index].runs.remove(at: found.slot)
      shrink(leaf: found.leaf, &homes)
      return run
    }
    let (element, rest) = Self.isolate(found.offset, in: run)
    leaves[index].runs[found.slot] = rest.0
    if let tail = rest.1 {
      leaves[index].insert(tail, at: found.slot + 1)
      splitIfFull(leaf: found.leaf, &homes)
    }
    return element
  }

  /// Makes one element a run of its own, and replaces it.
  ///
  /// - Parameters:
  ///   - offset: Less than the count.
  ///   - homes: Told where the replacement is.
  ///   - replacement: Makes the run that takes its place, of 1 too, from the run that it was.
  mutating func replace(
    at offset: Int, homes: inout some RunHomes<Run>, with replacement: (Run) -> Run
  ) {
    let found = position(of: offset)
    let index = Int(found.leaf)
    let run = leaves[index].runs[found.slot]
    if run.count == 1 {
      let new = replacement(run)
      leaves[index].runs[found.slot] = new
      homes.place(new, inLeaf: found.leaf)
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
    homes.place(new, inLeaf: found.leaf)
    splitIfFull(leaf: found.leaf, &homes)
  }

  /// One element of a run of several, and what is before and after it: the latter is `nil` where
  /// there is one part only.
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

  /// Finds a place and corrects the counts on the way.
  ///
  /// - Parameters:
  ///   - offset: Less than the count, or equal to it where the place after an element will do.
  ///   - change: How many elements the leaf will have more.
  ///   - stopsAtEnds: Whether the place after an element will do for the place before the next.
  /// - Returns: The place.
  private mutating func descend(
    to offset: Int, adding change: Int, stopsAtEnds: Bool
  ) -> Position {
    // Past the end of a part if the place after its last element won't do.
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
  private mutating func splitIfFull(leaf: Int32, _ homes: inout some RunHomes<Run>) {
    let count = leaves[Int(leaf)].runs.count
    guard count > Self.leafCapacity else { return }
    let middle = count / 2
    let moved = ContiguousArray(leaves[Int(leaf)].runs[middle...])
    // An array of its own size: removing would keep the room for twice as many.
    leaves[Int(leaf)].runs = ContiguousArray(leaves[Int(leaf)].runs[..<middle])
    let new = newLeaf(moved)
    var total = 0
    for run in moved {
      total += run.count
      homes.place(run, inLeaf: new)
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

  /// Inserts a node after another whose elements it took over.
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

  /// Joins a leaf that became small with a neighbour, or takes an empty one out.
  private mutating func shrink(leaf: Int32, _ homes: inout some RunHomes<Run>) {
    let runCount = leaves[Int(leaf)].runs.count
    let parent = leaves[Int(leaf)].parent
    guard parent >= 0, runCount < Self.leafCapacity / 4 else { return }
    let slot = self.slot(of: leaf, in: parent)
    guard let left = Self.pair(around: slot, of: branches[Int(parent)].children.count) else {
      return
    }
    let first = branches[Int(parent)].children[left].node
    let second = branches[Int(parent)].children[left + 1].node
    // An empty leaf goes wherever there is room.
    let limit = runCount == 0 ? Self.leafCapacity : Self.leafCapacity / 2
    guard leaves[Int(first)].runs.count + leaves[Int(second)].runs.count <= limit else { return }
    let moved = leaves[Int(second)].runs
    leaves[Int(second)] = Leaf(runs: [])
    freeLeaves.append(second)
    leaves[Int(first)].runs += moved
    for run in moved { homes.place(run, inLeaf: first) }
    removeChild(left + 1, joining: left, of: parent, level: 1)
  }

  /// The slot of the first of two siblings, of which one is at `slot`; the right one where there is
  /// one.
  private static func pair(around slot: Int, of count: Int) -> Int? {
    if slot + 1 < count { return slot }
    return slot > 0 ? slot - 1 : nil
  }

  /// Takes a child out whose elements another one took over.
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
