import GRDB
import ListModel

/// Goes through the blocks of a list's items for a ``StoreProof``.
///
/// Blocks are read one by one and not kept.
struct ItemWalk {
  private let rows: ListRows
  /// Whether it is a derived list, whose items are found by their rows.
  private let isBorrowing: Bool
  private let terms: ContentTerms
  /// Where the terms of the items are added up.
  let slot: Int
  private(set) var blockCount = 0
  /// The sum over the items that the blocks hold.
  private(set) var itemSum: UInt64 = 0
  /// How many items are gaps.
  private(set) var gapCount = 0
  /// The items that were met.
  private(set) var items = RowSet()
  /// The item before, by its hash.
  private var previous = Neighbours.none

  init(_ rows: ListRows, isBorrowing: Bool, _ terms: ContentTerms, slot: Int) {
    self.rows = rows
    self.isBorrowing = isBorrowing
    self.terms = terms
    self.slot = slot
  }

  /// The hash of an item's row.
  ///
  /// `name`: The hash of its id; 0 in a derived list.
  static func hash(_ name: UInt64, row: Int, block: Int) -> UInt64 {
    XXHash64.hash(UInt64(bitPattern: Int64(block)), seed: name ^ UInt64(bitPattern: Int64(row)))
  }

  /// Goes through the items of a section, and adds their order to a digest.
  ///
  /// - Returns: Their number.
  /// - Throws: ``StoreProof/Unproven`` if the order is not sound.
  mutating func walk(_ section: SectionRow, _ digest: inout StateDigest) throws -> Int {
    previous = Neighbours.none
    let count = try walk(section.root, in: section, below: nil, &digest)
    digest.addPair(previous, Neighbours.none, in: section.hash)
    return count
  }

  private mutating func walk(
    _ id: Int, in section: SectionRow, below parent: Block?, _ digest: inout StateDigest
  ) throws -> Int {
    blockCount += 1
    let found = try rows.statements(
      "SELECT list, section, parent, level, memberCount, members FROM block WHERE id = ?"
    ).first(id) { row in
      let block = Block(
        id: id, list: try row.integer(0), section: try row.integerIfPresent(1),
        level: try row.integer(3), parent: try row.integerIfPresent(2),
        count: try row.integer(4), isStored: true)
      if block.level > 0 {
        try row.withBytes(5) { try block.read($0) }
      } else {
        let count = try row.withBytes(5) { try readItems(of: id, $0, in: section, &digest) }
        guard count == block.count else { throw StoreProof.Unproven() }
      }
      return block
    }
    guard let block = found, block.list == rows.id, block.section == section.id,
      block.parent == parent?.id, parent.map({ block.level == $0.level - 1 }) ?? true,
      isFull(block, isRoot: parent == nil)
    else { throw StoreProof.Unproven() }
    for child in block.children {
      guard try walk(child.block, in: section, below: block, &digest) == child.count else {
        throw StoreProof.Unproven()
      }
    }
    return block.count
  }

  /// Whether a block has no more entries than it may, and no fewer.
  private func isFull(_ block: Block, isRoot: Bool) -> Bool {
    let count = block.level == 0 ? block.count : block.children.count
    let fewest = isRoot ? (block.level == 0 ? 0 : 2) : 1
    return block.level >= 0 && fewest...block.maximumEntries ~= count
  }

  private mutating func readItems(
    of block: Int, _ members: UnsafeRawBufferPointer, in section: SectionRow,
    _ digest: inout StateDigest
  ) throws -> Int {
    var reader = EntryReader(members, of: .block(block))
    var count = 0
    while let id = try reader.nextEntry() {
      let name = try reader.name()
      let state = try reader.state(ofItem: id)
      try reader.endEntry()
      let hash = try reader.withBytes(of: name) { name in
        guard name.isIdentifier else { throw StoreProof.Unproven() }
        return XXHash64.hash(name)
      }
      guard items.insert(id) else { throw StoreProof.Unproven() }
      itemSum &+= Self.hash(isBorrowing ? 0 : hash, row: id, block: block)
      digest.addPair(previous, hash, in: section.hash)
      previous = hash
      let cell = try rows.statements.cellName(state.cell)
      if cell == Gap.cell { gapCount += 1 }
      let seed = StateDigest.seed(hash, cell: cell, contentRevision: state.contentRevision)
      terms.note(content: state.content, seed: seed, slot: slot)
      if terms.isFull { try terms.compute() }
      count += 1
    }
    return count
  }
}
