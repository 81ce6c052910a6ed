import GRDB

/// The orders of one list, through its rows of `block`, inside a transaction.
///
/// Each order (of the list's sections, or of a section's items) is a B⁺-tree in which every block
/// has the count of the members below it. So the member at an index is found on the way down, and
/// the index of a member on the way up. Blocks are read when they are first needed, changed in
/// memory and written by ``flush()``, so a bulk insert writes each block once.
///
/// A change writes the blocks from the member's to the root: 2 in an order of up to 12,800 members,
/// 3 in one of up to 2.5 million. When a block splits, the rows of half of its members, or of half
/// of its children, are updated.
package final class BlockTree {
  let statements: Statements
  private let list: Int
  /// Blocks of level 0 that are in memory, and those above.
  private var leaves: [Int: Block] = [:]
  private var inner: [Int: Block] = [:]
  /// Those that are to be written, unless they were discarded since.
  private var changed: [Block] = []
  private var heads: [Int: Head] = [:]
  /// Blocks that the store has and that were discarded.
  private(set) var removedBlocks: Set<Int> = []
  /// Members that have moved to another block than their rows name: the row's block, and the new
  /// one.
  private(set) var displacedItems: [Int: Displacement] = [:]
  private(set) var displacedSections: [Int: Displacement] = [:]
  /// Blocks that were not read and have another parent than their rows name.
  private var reparented: [Int: Int] = [:]
  /// The first members of blocks of level 0 that were asked for: as the store has them.
  private var firstMembers: [Int: Block.Member] = [:]
  /// Blocks above level 0 whose children have changed.
  private(set) var restructured: Set<Int> = []
  /// How often a member was put in or taken out: as long as it stays, all stand where they stood.
  var changeOfPlaces = 0

  struct Displacement {
    var from: Int
    var to: Int
    var member: Block.Member
  }

  init(_ statements: Statements, list: Int) {
    self.statements = statements
    self.list = list
  }

  // MARK: Blocks

  private func known(_ id: Int) -> Block? { leaves[id] ?? inner[id] }

  private func keep(_ block: Block) {
    if block.level == 0 { leaves[block.id] = block } else { inner[block.id] = block }
  }

  private func forget(_ block: Block) {
    if block.level == 0 { leaves[block.id] = nil } else { inner[block.id] = nil }
  }

  func block(_ id: Int) throws -> Block {
    if let block = known(id) { return block }
    let found = try statements(
      "SELECT list, section, parent, level, memberCount, members FROM block WHERE id = ?"
    ).first(id) { row in
      let block = Block(
        id: id, list: try row.integer(0), section: try row.integerIfPresent(1),
        level: try row.integer(3), parent: try row.integerIfPresent(2),
        count: try row.integer(4), isStored: true)
      try row.withBytes(5) { try block.read($0) }
      return block
    }
    guard let block = found, block.list == list, !removedBlocks.contains(id) else {
      throw DatabaseError.corrupt("block \(id) is missing")
    }
    if let parent = reparented.removeValue(forKey: id) {
      block.parent = parent
      touch(block)
    }
    keep(block)
    return block
  }

  /// The first member of a block of level 0, of which no other one is read; `nil` if there is none.
  func firstMember(ofLeaf id: Int) throws -> Block.Member? {
    if let block = known(id) { return block.members.first }
    if let member = firstMembers[id] { return member }
    let found = try statements(
      "SELECT members FROM block WHERE id = ? AND list = ? AND level = 0"
    ).first(id, list) { row in try row.withBytes(0) { try Block.firstMember($0, of: id) } }
    guard let found, !removedBlocks.contains(id) else {
      throw DatabaseError.corrupt("block \(id) is missing")
    }
    if firstMembers.count >= Self.maximumFirstMembers { firstMembers = [:] }
    firstMembers[id] = found
    return found
  }

  private static let maximumFirstMembers = 4_096

  /// The level and the parent of a block, without its contents.
  struct Head {
    var section: Int?
    var parent: Int?
    var level: Int
  }

  /// The level and the parent of a block, whose contents need not be read.
  func head(of id: Int) throws -> Head {
    if let block = known(id) {
      return Head(section: block.section, parent: block.parent, level: block.level)
    }
    if var head = heads[id] {
      if let parent = reparented[id] { head.parent = parent }
      return head
    }
    let found = try statements("SELECT section, parent, level FROM block WHERE id = ? AND list = ?")
      .first(id, list) { row in
        Head(
          section: try row.integerIfPresent(0), parent: try row.integerIfPresent(1),
          level: try row.integer(2))
      }
    guard var head = found, !removedBlocks.contains(id) else {
      throw DatabaseError.corrupt("block \(id) is missing")
    }
    heads[id] = head
    if let parent = reparented[id] { head.parent = parent }
    return head
  }

  /// Reads the level and parent of all blocks of an order, from the blocks above them: one row for
  /// up to 200.
  func readHeads(root: Int) throws {
    let block = try block(root)
    for child in block.children where block.level > 1 {
      _ = try self.child(child.block, of: block)
      try readHeads(root: child.block)
    }
    if block.level == 1 {
      for child in block.children {
        heads[child.block] = Head(section: block.section, parent: block.id, level: 0)
      }
    }
  }

  /// Calls a closure with each block of an order; those of level 0 are not read.
  func forEachBlock(root: Int, _ body: (_ block: Int) throws -> Void) throws {
    try body(root)
    guard try head(of: root).level > 0 else { return }
    try forEachBlock(below: block(root), body)
  }

  private func forEachBlock(below block: Block, _ body: (_ block: Int) throws -> Void) throws {
    for child in block.children {
      try body(child.block)
      if block.level > 1 {
        try withChild(child.block, of: block) { try forEachBlock(below: $0, body) }
      }
    }
  }

  /// The blocks of level 0 that hold members, of which no block is read.
  ///
  /// `indexes`: The members' indexes in the order, ascending.
  /// Returns: A block for each member; fewer if the order has not all of them.
  func leaves(holding indexes: [Int], root: Int) throws -> [Int] {
    if try head(of: root).level == 0 { return indexes.map { _ in root } }
    var leaves: [Int] = []
    leaves.reserveCapacity(indexes.count)
    var rest = indexes[...]
    try findLeaves(holding: &rest, below: block(root), from: 0, &leaves)
    return leaves
  }

  /// `start`: The index of the first member below the block.
  private func findLeaves(
    holding indexes: inout ArraySlice<Int>, below block: Block, from start: Int,
    _ leaves: inout [Int]
  ) throws {
    var start = start
    for child in block.children {
      let end = start + child.count
      defer { start = end }
      guard let first = indexes.first else { return }
      if first >= end { continue }
      if block.level > 1 {
        try findLeaves(
          holding: &indexes, below: self.child(child.block, of: block), from: start, &leaves)
        continue
      }
      heads[child.block] = Head(section: block.section, parent: block.id, level: 0)
      while let index = indexes.first, index < end {
        leaves.append(child.block)
        indexes.removeFirst()
      }
    }
  }

  /// A child of a block.
  func child(_ id: Int, of parent: Block) throws -> Block {
    let block = try block(id)
    guard block.level == parent.level - 1, block.parent == parent.id else {
      throw DatabaseError.corrupt("block \(id) is not the child of \(parent.id)")
    }
    return block
  }

  /// Reads a child of a block, and forgets it afterwards unless it was in memory before.
  func withChild(_ id: Int, of parent: Block, _ body: (Block) throws -> Void) throws {
    let isKept = known(id) != nil
    let block = try child(id, of: parent)
    try body(block)
    if !isKept, !block.isChanged { forget(block) }
  }

  /// The parent of a block; `nil` for the root.
  func parent(of block: Block) throws -> Block? {
    guard let above = block.parent else { return nil }
    let parent = try self.block(above)
    guard parent.level == block.level + 1 else {
      throw DatabaseError.corrupt("block \(above) is not the parent of \(block.id)")
    }
    return parent
  }

  /// Makes an empty block.
  func makeBlock(section: Int?, level: Int = 0, parent: Int? = nil) throws -> Block {
    let block = Block(
      id: try statements.newBlockID(), list: list, section: section, level: level, parent: parent,
      isStored: false)
    touch(block)
    keep(block)
    return block
  }

  /// Discards a block that nothing refers to any more.
  func discard(_ block: Block) {
    forget(block)
    firstMembers[block.id] = nil
    reparented[block.id] = nil
    restructured.remove(block.id)
    if block.isStored { removedBlocks.insert(block.id) }
  }

  /// Removes a whole order, and calls a closure with each of its members.
  func removeOrder(
    root: Int, _ body: (_ member: Block.Member, _ block: Int) throws -> Void
  ) throws {
    changeOfPlaces += 1
    let block = try block(root)
    for member in block.members { try body(member, block.id) }
    for child in block.children {
      _ = try self.child(child.block, of: block)
      try removeOrder(root: child.block, body)
    }
    discard(block)
  }

  // MARK: Finding

  /// A place in an order: before a member, or after the last one.
  package struct Place {
    var index: Int
    var root: Int
    /// The block of level 0 that has the place.
    package var leaf: Block
    /// The index in that block.
    package var offset: Int
  }

  /// The place at an index; if the index is the count of members, the place after the last one.
  package func place(_ index: Int, root: Int) throws -> Place {
    var block = try block(root)
    guard index >= 0, index <= block.count else {
      throw DatabaseError.corrupt(
        "a stored count is wrong: no place \(index) of \(block.count)")
    }
    var offset = index
    while block.level > 0 {
      let children = block.children
      var position = 0
      // The place after the last member belongs to the last block.
      while position < children.count - 1, offset >= children[position].count {
        offset -= children[position].count
        position += 1
      }
      guard position < children.count else {
        throw DatabaseError.corrupt("block \(block.id) has no children")
      }
      block = try child(children[position].block, of: block)
    }
    guard offset <= block.count else {
      throw DatabaseError.corrupt("a stored count is wrong: no place \(offset) in \(block.id)")
    }
    return Place(index: index, root: root, leaf: block, offset: offset)
  }

  /// The member at an index.
  package func member(at index: Int, root: Int) throws -> Block.Member {
    let place = try place(index, root: root)
    guard place.leaf.members.indices.contains(place.offset) else {
      throw DatabaseError.corrupt("no member at index \(index)")
    }
    return place.leaf.members[place.offset]
  }

  /// The index of a member of a block of level 0.
  ///
  /// - Returns: Its index in the order, and the order's root.
  func index(of member: Int, in leaf: Int) throws -> (index: Int, root: Block) {
    var block = try block(leaf)
    // By indices, so that no member is copied.
    let members = block.members
    guard let offset = members.indices.first(where: { members[$0].id == member }) else {
      throw DatabaseError.corrupt("block \(leaf) does not hold member \(member)")
    }
    var index = offset
    while let parent = try parent(of: block) {
      index += try before(block.id, in: parent)
      block = parent
    }
    return (index, block)
  }

  /// How many members stand before a child.
  private func before(_ child: Int, in parent: Block) throws -> Int {
    var count = 0
    for other in parent.children {
      if other.block == child { return count }
      count += other.count
    }
    throw DatabaseError.corrupt("block \(parent.id) does not have the child \(child)")
  }

  func position(of child: Int, in parent: Block) throws -> Int {
    guard let position = parent.children.firstIndex(where: { $0.block == child }) else {
      throw DatabaseError.corrupt("block \(parent.id) does not have the child \(child)")
    }
    return position
  }

  /// The block of level 0 that holds a member; its row may still name another block.
  func currentBlock(ofItem item: Int, stored: Int) -> Int { displacedItems[item]?.to ?? stored }
  func currentBlock(ofSection section: Int, stored: Int) -> Int {
    displacedSections[section]?.to ?? stored
  }

  /// The members before and after a place.
  func neighbours(
    of place: Place
  ) throws -> (previous: Block.Member?, next: Block.Member?) {
    let (leaf, offset) = (place.leaf, place.offset)
    let previous =
      offset > 0
      ? leaf.members[offset - 1]
      : place.index > 0 ? try member(at: place.index - 1, root: place.root) : nil
    let next =
      offset < leaf.members.count
      ? leaf.members[offset]
      : place.index < (try block(place.root).count)
        ? try member(at: place.index, root: place.root) : nil
    return (previous, next)
  }

  // MARK: Transactions

  /// Keeps the blocks above level 0, which are few and used by most changes, and a few others,
  /// because an order often grows where it grew before.
  func endTransaction() {
    heads = [:]
    if leaves.count > Self.maximumLeaves { leaves = [:] }
    if inner.count > Self.maximumInner { inner = [:] }
  }

  /// A block takes up to 6 KB of memory.
  private static let maximumLeaves = 32
  private static let maximumInner = 256

  // MARK: Bookkeeping of changes

  func touch(_ block: Block) {
    if block.isChanged { return }
    block.isChanged = true
    changed.append(block)
  }

  func adopt(_ child: Int, by parent: Block) {
    if let block = known(child) {
      block.parent = parent.id
      touch(block)
    } else {
      reparented[child] = parent.id
    }
    restructured.insert(parent.id)
  }

  func childrenChanged(_ block: Block) {
    touch(block)
    restructured.insert(block.id)
  }

  /// Notes that members have moved from one block to another.
  func moved(_ members: some Sequence<Block.Member>, from: Block, to: Block) {
    for member in members {
      moved(member, from: from.id, to: to.id, isItem: from.section != nil)
    }
  }

  func moved(_ member: Block.Member, from: Int, to: Int, isItem: Bool) {
    func note(_ displaced: inout [Int: Displacement]) {
      let first = displaced[member.id]?.from ?? from
      displaced[member.id] =
        first == to ? nil : Displacement(from: first, to: to, member: member)
    }
    if isItem { note(&displacedItems) } else { note(&displacedSections) }
  }

  /// Forgets a member that was taken out for good.
  func forgetItem(_ item: Int) { displacedItems[item] = nil }
  func forgetSection(_ section: Int) { displacedSections[section] = nil }

  // MARK: Writing

  /// Writes what changed.
  func flush() throws {
    for block in changed.sorted(by: { $0.id < $1.id }) where known(block.id) === block {
      firstMembers[block.id] = nil
      if block.isStored {
        let update = try statements(
          "UPDATE block SET parent = ?, memberCount = ?, members = ? WHERE id = ?")
        update.bind(block.parent, at: 1)
        update.bind(block.count, at: 2)
        update.bind(StoreStatementText(utf8: block.json), at: 3)
        update.bind(block.id, at: 4)
        try update.run()
      } else {
        try statements(
          """
          INSERT INTO block (id, list, section, parent, level, memberCount, members)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """
        ).run(
          block.id, block.list, block.section, block.parent, block.level, block.count,
          StoreStatementText(utf8: block.json))
        block.isStored = true
      }
      block.isChanged = false
    }
    changed = []
    for (child, parent) in reparented.sorted(by: { $0.key < $1.key }) {
      try statements("UPDATE block SET parent = ? WHERE id = ?").run(parent, child)
    }
    for block in removedBlocks.sorted() {
      try statements("DELETE FROM block WHERE id = ?").run(block)
    }
    let isBorrowing = try !displacedItems.isEmpty && statements.owner(ofItemsIn: list) != nil
    for (item, place) in displacedItems.sorted(by: { $0.key < $1.key }) {
      if isBorrowing {
        try statements("UPDATE borrowedItem SET block = ? WHERE list = ? AND item = ?")
          .run(place.to, list, item)
        continue
      }
      statements.forgetItem()
      let update = try statements("UPDATE item SET block = ? WHERE list = ? AND name = ?")
      update.bind(place.to, at: 1)
      update.bind(list, at: 2)
      update.bind(StoreStatementText(utf8: place.member.utf8), at: 3)
      try update.run()
    }
    for (section, place) in displacedSections.sorted(by: { $0.key < $1.key }) {
      try statements("UPDATE section SET block = ? WHERE id = ?").run(place.to, section)
    }
    heads = [:]
    reparented = [:]
    removedBlocks = []
    restructured = []
    displacedItems = [:]
    displacedSections = [:]
  }
}
