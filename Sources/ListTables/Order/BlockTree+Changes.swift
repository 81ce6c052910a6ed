import GRDB

extension BlockTree {
  // MARK: Inserting

  /// Puts a member into an order.
  ///
  /// `leavesRoom`: Whether blocks are not filled at the order's end, because members come in anywhere later.
  /// To split a full block takes the rows of half of its items, each on another page.
  ///
  /// - Returns: The block that holds it, and the order's root, which is another one when the order
  ///   became higher.
  func insert(
    _ member: Block.Member, at place: Place, leavesRoom: Bool = false
  ) throws -> (block: Int, root: Int) {
    changeOfPlaces += 1
    let target = try blockWithRoom(for: member, at: place, leavesRoom)
    target.leaf.insert(member, at: target.offset)
    touch(target.leaf)
    try count(1, from: target.leaf)
    return (target.leaf.id, try self.root(above: target.leaf))
  }

  /// Puts members into an order, one after the other; the blocks above are counted once for each block.
  ///
  /// `inserted`: Is told which block holds each.
  /// - Returns: The order's root.
  func insert(
    _ members: some Collection<Block.Member>, at place: Place, leavesRoom: Bool,
    _ inserted: (Block.Member, Int) throws -> Void
  ) throws -> Int {
    changeOfPlaces += 1
    var place = place
    var next = members.startIndex
    while next < members.endIndex {
      let (leaf, first) = try blockWithRoom(for: members[next], at: place, leavesRoom)
      var end = first
      repeat {
        leaf.insert(members[next], at: end)
        try inserted(members[next], leaf.id)
        end += 1
        members.formIndex(after: &next)
      } while next < members.endIndex && leaf.hasRoom(for: members[next])
        && !(leavesRoom && end == leaf.members.count && leaf.load >= Self.fill)
      touch(leaf)
      try count(end - first, from: leaf)
      (place.leaf, place.offset) = (leaf, end)
    }
    return try root(above: place.leaf)
  }

  private func blockWithRoom(
    for member: Block.Member, at place: Place, _ leavesRoom: Bool
  ) throws -> (leaf: Block, offset: Int) {
    if leavesRoom, place.offset == place.leaf.members.count, place.leaf.load >= Self.fill,
      try sibling(of: place.leaf, 1) == nil
    {
      return (try newSibling(of: place.leaf, 1), 0)
    }
    return try roomFor(member, at: place.offset, in: place.leaf)
  }

  private static let fill = 0.875

  /// A block with room where a place is: the block itself, a neighbour that the place is next to,
  /// or one half of the block.
  private func roomFor(
    _ member: Block.Member, at offset: Int, in leaf: Block
  ) throws -> (leaf: Block, offset: Int) {
    if leaf.members.isEmpty || leaf.hasRoom(for: member) { return (leaf, offset) }
    // At an edge no member has to move. So an order that grows at one end has full blocks, and
    // inserts at one place fill a neighbour before a block is made.
    if offset == leaf.members.count {
      if let right = try sibling(of: leaf, 1), right.hasRoom(for: member) {
        return (right, 0)
      }
      return (try newSibling(of: leaf, 1), 0)
    }
    if offset == 0 {
      if let left = try sibling(of: leaf, -1), left.hasRoom(for: member) {
        return (left, left.members.count)
      }
      return (try newSibling(of: leaf, 0), 0)
    }
    let right = try newSibling(of: leaf, 1)
    let half = leaf.members.count / 2
    let moving = leaf.removeMembers(from: half)
    right.insert(moving, at: 0)
    moved(moving, from: leaf, to: right)
    touch(leaf)
    try count(right.members.count, from: right)
    try count(-right.members.count, from: leaf)
    return offset <= half ? (leaf, offset) : (right, offset - half)
  }

  /// The block before (-1) or after (1) one under the same parent.
  private func sibling(of block: Block, _ side: Int) throws -> Block? {
    guard let above = block.parent else { return nil }
    let parent = try self.block(above)
    let position = try position(of: block.id, in: parent) + side
    return parent.children.indices.contains(position)
      ? try self.block(parent.children[position].block) : nil
  }

  /// Makes an empty block before (0) or after (1) one, under a parent with room for it.
  private func newSibling(of block: Block, _ side: Int) throws -> Block {
    let parent = try parentWithRoom(of: block)
    let position = try position(of: block.id, in: parent) + side
    let new = try makeBlock(section: block.section, level: block.level, parent: parent.id)
    parent.children.insert(.init(block: new.id, count: 0), at: position)
    childrenChanged(parent)
    return new
  }

  private func parentWithRoom(of block: Block) throws -> Block {
    guard let above = block.parent else {
      let root = try makeBlock(section: block.section, level: block.level + 1)
      root.children = [.init(block: block.id, count: block.count)]
      root.count = block.count
      adopt(block.id, by: root)
      return root
    }
    let parent = try self.block(above)
    if parent.children.count < Block.maximumChildren { return parent }
    let right = try newSibling(of: parent, 1)
    let half = parent.children.count / 2
    right.children = Array(parent.children[half...])
    parent.children.removeSubrange(half...)
    for child in right.children { adopt(child.block, by: right) }
    childrenChanged(parent)
    childrenChanged(right)
    let moved = right.children.reduce(0) { $0 + $1.count }
    right.count = 0
    try count(moved, from: right)
    try count(-moved, from: parent)
    return try self.block(block.parent ?? above)
  }

  /// Adds to the counts of a block and of all above it.
  private func count(_ difference: Int, from block: Block) throws {
    var block = block
    block.count += difference
    touch(block)
    while let parent = try parent(of: block) {
      let position = try position(of: block.id, in: parent)
      parent.children[position].count += difference
      parent.count += difference
      touch(parent)
      block = parent
    }
  }

  private func root(above block: Block) throws -> Int {
    var block = block
    while let parent = try parent(of: block) { block = parent }
    return block.id
  }

  // MARK: Removing

  /// Takes the member at an index out of an order.
  ///
  /// - Returns: The member, the block that held it, and the order's root, which is another one when
  ///   the order became lower.
  func remove(
    at index: Int, root: Int
  ) throws -> (member: Block.Member, block: Int, root: Int) {
    changeOfPlaces += 1
    let place = try place(index, root: root)
    let leaf = place.leaf
    guard leaf.members.indices.contains(place.offset) else {
      throw DatabaseError.corrupt("no member at index \(index)")
    }
    let member = leaf.remove(at: place.offset)
    try count(-1, from: leaf)
    return (member, leaf.id, try shrink(leaf, root: root))
  }

  /// Joins a block that is less than a quarter full to a neighbour, if both together fill at most
  /// three quarters of a block, and removes an empty block; then does the same with its parent.
  private func shrink(_ block: Block, root: Int) throws -> Int {
    guard let above = block.parent else {
      guard block.level > 0, block.children.count == 1, let only = block.children.first else {
        return root
      }
      let child = try self.block(only.block)
      child.parent = nil
      touch(child)
      discard(block)
      return try shrink(child, root: child.id)
    }
    guard block.load < 0.25 else { return root }
    let parent = try self.block(above)
    if block.entryCount > 0 {
      guard let other = try roomySibling(of: block) else { return root }
      try join(block, to: other, under: parent)
    } else {
      parent.children.remove(at: try position(of: block.id, in: parent))
      childrenChanged(parent)
      discard(block)
    }
    return try shrink(parent, root: root)
  }

  /// A neighbour that is at most three quarters full with all of a block in it.
  private func roomySibling(of block: Block) throws -> Block? {
    for side in [-1, 1] {
      if let other = try sibling(of: block, side),
        other.load + block.load <= 0.75
      {
        return other
      }
    }
    return nil
  }

  /// Moves the contents of a block to its neighbour, and removes the block.
  private func join(_ block: Block, to other: Block, under parent: Block) throws {
    let position = try position(of: block.id, in: parent)
    let isBefore = try self.position(of: other.id, in: parent) < position
    other.insert(block.members, at: isBefore ? other.members.count : 0)
    other.children.insert(contentsOf: block.children, at: isBefore ? other.children.count : 0)
    moved(block.members, from: block, to: other)
    for child in block.children { adopt(child.block, by: other) }
    if other.level > 0 { childrenChanged(other) }
    let count = block.count
    try self.count(-count, from: block)
    try self.count(count, from: other)
    parent.children.remove(at: position)
    childrenChanged(parent)
    discard(block)
  }
}
