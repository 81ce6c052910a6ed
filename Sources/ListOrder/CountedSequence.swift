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
  var leaves = PagedArray<Leaf>()
  var branches = PagedArray<Branch>()
  /// The number of a leaf while `height` is 0, else of a branch.
  var root: Int32 = 0
  /// How many levels of branches there are.
  var height = 0
  /// How many elements the runs stand for.
  var count = 0
  var freeLeaves: ContiguousArray<Int32> = []
  var freeBranches: ContiguousArray<Int32> = []

  struct Leaf: Sendable {
    var runs: ContiguousArray<Run>
    var parent: Int32 = -1
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

  mutating func setParent(of node: Int32, to branch: Int32, atLevel level: Int) {
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
