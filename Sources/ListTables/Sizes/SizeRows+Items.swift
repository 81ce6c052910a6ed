import GRDB
package import ListModel

// Writing the sizes of items, and the sums that they are part of. Items that the list no longer has
// are left out. If there are two sizes for an item, the later one counts.
extension SizeRows {
  /// Keeps sizes of the items that have the ids now.
  package func save(_ sizes: [MeasuredSize], key: Key) throws {
    let places = try places(of: sizes.map(\.item))
    // For many items, going down to their blocks is faster than going up from each item.
    if rows.sectionTotal <= sizes.count / 16 {
      try rows.forEachSection { section in
        // Of 2,000 items and more there is a block above those of level 0, for about as many each.
        let above = section.itemCount / 2_000
        if above > 0, above < sizes.count / 4 { try rows.tree.readHeads(root: section.root) }
      }
    }
    let writer = try SizeWriter(rows, key)
    for place in places {
      let size = sizes[place.index]
      let record = SizeRecord(
        size.size, cell: UInt32(clamping: try rows.statements.cellRow(size.cell)),
        content: UInt64(bitPattern: Int64(size.contentRevision)),
        layout: try layoutHash(ofItemIn: place.block), measurerVersion: size.measurerVersion)
      try writer.write(record, ofItem: place.row, in: place.block) { size.item }
    }
    try writer.saveSumsOfOthers()
  }

  /// Keeps sizes of items of a Provider.
  ///
  /// `chain`: The chain hash of the revision that the Provider has.
  package func save(_ sizes: SizedItems, at chain: UInt64?, key: Key) throws {
    let writer = try SizeWriter(rows, key)
    for place in try places(of: sizes, at: chain) {
      let item = sizes.items[place.index]
      try writer.write(
        item.record, ofItem: place.row, in: place.block, expecting: item.known
      ) { try sizes.ids()[place.index] }
    }
    try writer.saveSumsOfOthers()
  }

  /// An item in the store.
  private struct Place {
    var row: Int
    /// Its index among the sizes.
    var index: Int
    /// The block that holds it.
    var block: Int
  }

  /// Where items are that may have moved or gone since, in the order of their rows.
  private func places(of sizes: SizedItems, at chain: UInt64?) throws -> [Place] {
    let items = sizes.items
    // Another program may have changed the order and left the chain.
    guard let chain, chain == rows.chain, try !rows.isBypassed() else {
      return try places(of: sizes.ids()).filter { items[$0.index].row == $0.row }
    }
    var places: [Place] = []
    places.reserveCapacity(items.count)
    let byPath = zip(items.map(\.path), 0...).sorted { $0.0 < $1.0 }
    var rest = byPath[...]
    while let section = rest.first?.0.section {
      let group = rest.prefix { $0.0.section == section }
      rest = rest.dropFirst(group.count)
      let leaves = try rows.tree.leaves(
        holding: group.map(\.0.item), root: rows.sectionRow(at: section).root)
      for ((_, index), block) in zip(group, leaves) {
        places.append(Place(row: items[index].row, index: index, block: block))
      }
    }
    return places.sorted { ($0.row, $0.index) < ($1.row, $1.index) }
  }

  /// Where the items with some ids are, in the order of their rows.
  private func places(of items: [ItemID]) throws -> [Place] {
    var places: [Place] = []
    places.reserveCapacity(items.count)
    // Sorted by name, so that the pages of the table are read once.
    let byName = items.indices.map { (key: items[$0].leadingBytes, index: $0) }.sorted(by: <)
    for (_, index) in byName {
      if let place = try rows.items.find(items[index]) {
        places.append(Place(row: place.id, index: index, block: place.block))
      }
    }
    return places.sorted { ($0.row, $0.index) < ($1.row, $1.index) }
  }

  /// The hash of the layout of the section that a block belongs to.
  private func layoutHash(ofItemIn block: Int) throws -> UInt64 {
    guard let section = try rows.tree.head(of: block).section else {
      throw DatabaseError.corrupt("block \(block) is in no section")
    }
    return try rows.layoutHash(ofSection: section)
  }
}

/// Writes sizes of items for one key, and notes what they change in the sums.
private struct SizeWriter {
  private let rows: ListRows
  private let key: SizeRows.Key
  private let find: StoreStatement
  private let insert: StoreStatement
  private let update: StoreStatement
  /// The lists that have the same items.
  private let others: [ListRows]

  init(_ rows: ListRows, _ key: SizeRows.Key) throws {
    self.rows = rows
    self.key = key
    others = try rows.relatives()
    find = try rows.statements(
      """
      SELECT sizeKey, width, height, content, layout, measurerVersion, cell
      FROM measuredSize WHERE owner = ? AND sizeKey = ?
      """)
    insert = try rows.statements(
      """
      INSERT INTO measuredSize (width, height, content, layout, measurerVersion, cell, owner,
        sizeKey)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    update = try rows.statements(
      """
      UPDATE measuredSize SET width = ?, height = ?, content = ?, layout = ?,
        measurerVersion = ?, cell = ?
      WHERE owner = ? AND sizeKey = ? AND width = ? AND height = ?
      """)
  }

  /// Writes a size, unless the row has the same.
  ///
  /// `item`: The item's row.
  /// `block`: The block that holds it.
  /// `known`: What the row has, if nobody else has written: then it is not read.
  /// `name`: The item's id; asked for if other lists have the item, too.
  func write(
    _ record: SizeRecord, ofItem item: Int, in block: Int, expecting known: SizeRecord? = nil,
    name: () throws -> ItemID
  ) throws {
    if let known, known.isOfOwnKey, !known.isSame(as: record),
      try replace(known, by: record, ofItem: item, in: block, name)
    {
      return
    }
    find.bind(item, at: 1)
    find.bind(key.id, at: 2)
    if let old = try find.first(read: { try SizeRecord($0) }) {
      if !old.isSame(as: record) {
        _ = try replace(old, by: record, ofItem: item, in: block, name)
      }
    } else {
      bind(record, ofItem: item, to: insert)
      try insert.run()
      try add(sum(record), ofItem: item, in: block, name)
    }
  }

  /// Adds to the sums of the list, and to those of others that have the item.
  private func add(
    _ sum: SizeSums.Sum, ofItem item: Int, in block: Int, _ name: () throws -> ItemID
  ) throws {
    rows.sums.add(sum, toBlock: block, key: key.id)
    for other in others {
      guard let found = try other.items.find(try name()), found.id == item else { continue }
      other.sums.add(sum, toBlock: found.block, key: key.id)
    }
  }

  /// Writes the sums of the other lists.
  func saveSumsOfOthers() throws { for other in others { try other.sums.save() } }

  /// - Returns: `false` if the row has another size than the old one.
  private func replace(
    _ old: SizeRecord, by new: SizeRecord, ofItem item: Int, in block: Int,
    _ name: () throws -> ItemID
  ) throws -> Bool {
    bind(new, ofItem: item, to: update)
    update.bind(old.width, at: 9)
    update.bind(old.height, at: 10)
    try update.run()
    if update.changeCount == 0 { return false }
    var difference = sum(new)
    difference += -sum(old)
    if difference.length != 0 { try add(difference, ofItem: item, in: block, name) }
    return true
  }

  private func sum(_ record: SizeRecord) -> SizeSums.Sum {
    SizeSums.Sum(record.size, isVertical: key.axis == .vertical)
  }

  private func bind(_ record: SizeRecord, ofItem item: Int, to statement: StoreStatement) {
    statement.bind(record.width, at: 1)
    statement.bind(record.height, at: 2)
    statement.bind(record.content, at: 3)
    statement.bind(record.layout, at: 4)
    statement.bind(record.measurerVersion, at: 5)
    statement.bind(Int(record.cell), at: 6)
    statement.bind(item, at: 7)
    statement.bind(key.id, at: 8)
  }
}

extension ItemID {
  /// The first eight bytes as a number, which sorts like the bytes.
  fileprivate var leadingBytes: UInt64 {
    var number: UInt64 = 0
    var count = 0
    for byte in rawValue.utf8.prefix(8) {
      number = number << 8 | UInt64(byte)
      count += 1
    }
    return number << (8 * UInt64(8 - count))
  }
}

extension ListRows {
  /// The hash of the layout of a section; 0 for none.
  package func layoutHash(ofSection section: Int) throws -> UInt64 {
    let row = try sectionRow(id: section)
    if let hash = row.layoutHash { return hash }
    let hash = try attributes(of: section).layout.stableHash
    row.layoutHash = hash
    return hash
  }
}
