import GRDB
import ListModel

/// Reads the orders of a list at one moment, a block at a time.
///
/// Blocks above level 0 are kept, because there is one for 50 to 200 blocks below. Blocks of level
/// 0 are passed on and not kept.
package struct OrderReader {
  private var inner: [Int: Inner] = [:]

  /// A reader that has read nothing yet.
  package init() {}

  private struct Inner {
    var level: Int
    var children: [Block.Child]
  }

  /// The part of an order that a block of level 0 holds.
  package struct PlacedBlock {
    /// The index of its first member.
    package var start: Int
    /// The block of level 0.
    package var block: Int
    /// How many members it has, as the block above counts them.
    package var count: Int
  }

  /// The block of level 0 that holds the member at an index.
  ///
  /// `count`: How many members the order has.
  package mutating func placedBlock(
    holding index: Int, root: Int, count: Int, _ statements: Statements
  ) throws -> PlacedBlock {
    try descend(from: root, count: count, statements) { placed, _ in
      placed.start + placed.count > index
    }
  }

  /// The blocks that hold the member at an index, from the root to level 0.
  ///
  /// `count`: How many members the order has.
  package mutating func blocks(
    holding index: Int, root: Int, count: Int, _ statements: Statements
  ) throws -> [Int] {
    var blocks = [root]
    _ = try descend(from: root, count: count, statements) { placed, _ in
      guard placed.start + placed.count > index else { return false }
      blocks.append(placed.block)
      return true
    }
    return blocks
  }

  /// The member at a distance from the first one.
  ///
  /// `length`: The total length of the items below a block.
  /// `itemLength`: The length of an item, by its row.
  /// Returns: The item's index and the offset at which it begins; `nil` if there is no item.
  package mutating func item(
    atOffset wanted: Double, root: Int, count: Int, _ statements: Statements,
    length: (Block.Child) throws -> Double, itemLength: (Int) throws -> Double
  ) throws -> (index: Int, offset: Double)? {
    var offset = 0.0
    let placed = try descend(from: root, count: count, statements) { placed, isLast in
      // The last block takes every offset beyond its end, also if rounding makes the sums differ.
      if isLast { return true }
      let end = offset + (try length(.init(block: placed.block, count: placed.count)))
      if end > wanted { return true }
      offset = end
      return false
    }
    var found: (index: Int, offset: Double)?
    var index = placed.start
    try forEachItem(in: placed, statements) { row, _, _ in
      defer { index += 1 }
      if found == nil || offset <= wanted { found = (index, offset) }
      offset += try itemLength(row)
    }
    return found
  }

  /// Goes down from a block to level 0, and chooses a child on each level.
  ///
  /// `isChosen`: Whether a child is the one to go to, called for each child in order until it
  /// returns `true`. It takes the part of the order that the child holds, and whether the child is
  /// the last one.
  private mutating func descend(
    from root: Int, count: Int, _ statements: Statements,
    isChosen: (_ placed: PlacedBlock, _ isLast: Bool) throws -> Bool
  ) throws -> PlacedBlock {
    var placed = PlacedBlock(start: 0, block: root, count: count)
    var level = Block.levels.upperBound + 1
    while level > 1 {
      let above = try inner(placed.block, statements)
      guard above.level < level else {
        throw DatabaseError.corrupt("block \(placed.block) is on a wrong level")
      }
      level = above.level
      if level <= 0 { break }
      var next = PlacedBlock(start: placed.start, block: 0, count: 0)
      let place = try above.children.indices.first { place in
        let child = above.children[place]
        next = PlacedBlock(start: next.start + next.count, block: child.block, count: child.count)
        return try isChosen(next, place == above.children.count - 1)
      }
      guard place != nil else {
        throw DatabaseError.corrupt("block \(placed.block) counts wrongly")
      }
      placed = next
    }
    // This count comes from the block above, and memory is allocated for as many members next.
    guard placed.count <= Block.maximumMembers else {
      throw DatabaseError.corrupt("block \(placed.block) counts too much")
    }
    return placed
  }

  private mutating func inner(_ block: Int, _ statements: Statements) throws -> Inner {
    if let known = inner[block] { return known }
    let found = try statements("SELECT level, members FROM block WHERE id = ?")
      .first(block) { row -> Inner in
        let level = try row.integer(0)
        if level == 0 { return Inner(level: 0, children: []) }
        return try row.withBytes(1) { bytes in
          var reader = EntryReader(bytes, of: .block(block))
          var children: [Block.Child] = []
          var total = 0
          while let child = try reader.nextEntry() {
            let count = try reader.number()
            // A damaged file can hold any number, so check before adding.
            guard count <= Block.greatestCount - total else {
              throw DatabaseError.corrupt("block \(block) counts too much")
            }
            total += count
            children.append(.init(block: child, count: count))
            try reader.endEntry()
          }
          guard children.areDistinct else {
            throw DatabaseError.corrupt("block \(block) has a block below it twice")
          }
          return Inner(level: level, children: children)
        }
      }
    guard let found else { throw DatabaseError.corrupt("block \(block) is missing") }
    inner[block] = found
    return found
  }

  /// Calls a closure with the items of a block of level 0, in order.
  package func forEachItem(
    in placed: PlacedBlock, _ statements: Statements,
    _ body: (_ row: Int, _ name: UnsafeRawBufferPointer, _ state: StoredState) throws -> Void
  ) throws {
    var count = 0
    let found: Void? = try statements("SELECT members FROM block WHERE id = ? AND level = 0")
      .first(placed.block) { row in
        try row.withBytes(0) { bytes in
          var reader = EntryReader(bytes, of: .block(placed.block))
          while let id = try reader.nextEntry() {
            let name = try reader.name()
            let state = try reader.state(ofItem: id)
            try reader.endEntry()
            count += 1
            try reader.withBytes(of: name) { try body(id, $0, state) }
          }
        }
      }
    guard found != nil, count == placed.count else {
      throw DatabaseError.corrupt("block \(placed.block) does not hold \(placed.count) items")
    }
  }
}
