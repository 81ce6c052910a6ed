import GRDB
import ListModel

/// The size of an item whose row may be known.
struct KnownSize: Sendable {
  var item: ItemID
  /// The item's row; `nil` for the item that has the id now.
  var row: Int?
  /// The row of the cell that was measured.
  var cell: Int
  var size: Size
  var contentRevision: Int
  /// The hash of the section's layout when it was measured; `nil` for the layout that it has now.
  var layout: UInt64?
  var measurerVersion: Int
}

/// The stored sizes of one list, inside a transaction.
struct SizeRows {
  let rows: ListRows
  private var statements: Statements { rows.statements }

  init(_ rows: ListRows) { self.rows = rows }

  // MARK: Keys

  /// A key as stored.
  struct Key {
    var id: Int
    var axis: SizeKey.Axis
    var fittingPixels: Int
    var variant: String
    var environment: Int

    init(id: Int, axis: SizeKey.Axis, fittingPixels: Int, variant: String, environment: Int) {
      self.id = id
      self.axis = axis
      self.fittingPixels = fittingPixels
      self.variant = variant
      self.environment = environment
    }

    /// How well sizes for another key estimate sizes for this one: the smaller the number, the
    /// better.
    func distance(to other: Key) -> Int? {
      guard axis == other.axis else { return nil }
      let difference = abs(fittingPixels - other.fittingPixels)
      // A size for another width is a worse estimate than one for another environment, and one for
      // another variant is the worst.
      return min(difference, 1 << 30) + (environment == other.environment ? 0 : 1 << 31)
        + (variant == other.variant ? 0 : 1 << 32)
    }
  }

  /// All keys of the store, by row.
  func keys() throws -> [Int: Key] {
    var keys: [Int: Key] = [:]
    try statements(
      "SELECT id, axis, fittingPixels, variant, environment FROM sizeKey WHERE usedAt >= 0"
    ).forEach { row in
      let key = Key(
        id: try row.integer(0), axis: SizeKey.Axis(rawValue: try row.text(1)) ?? .vertical,
        fittingPixels: try row.integer(2), variant: try row.text(3),
        environment: try row.integer(4))
      keys[key.id] = key
    }
    return keys
  }

  /// The stored key.
  ///
  /// `usedAt`: The time in milliseconds since 1970; a missing key is made. With `nil`, the key is
  /// only looked up.
  func key(_ key: SizeKey, usedAt: Int?) throws -> Key? {
    if let usedAt {
      let environment = key.environment
      try statements(
        """
        INSERT OR IGNORE INTO layoutEnvironment (contentSizeCategory, legibilityWeight,
          layoutDirection, locale, displayScale, system) VALUES (?, ?, ?, ?, ?, ?)
        """
      ).run(
        environment.contentSizeCategory, environment.legibilityWeight,
        environment.layoutDirection, environment.locale, environment.displayScale,
        environment.system)
      try statements(
        """
        INSERT INTO sizeKey (axis, fittingPixels, variant, environment, usedAt)
        VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET usedAt = excluded.usedAt
        """
      ).run(
        key.axis.rawValue, key.fittingPixels, key.variant,
        try Self.row(of: environment, statements), usedAt)
      statements.memory.sizeKeys = nil
    }
    return try Self.find(key, statements)
  }

  /// The stored key; `nil` if nothing was measured for it.
  static func find(_ key: SizeKey, _ statements: Statements) throws -> Key? {
    guard let environment = try row(of: key.environment, statements) else { return nil }
    return try statements(
      """
      SELECT id FROM sizeKey
      WHERE axis = ? AND fittingPixels = ? AND variant = ? AND environment = ?
      """
    ).first(key.axis.rawValue, key.fittingPixels, key.variant, environment) { row in
      Key(
        id: try row.integer(0), axis: key.axis, fittingPixels: key.fittingPixels,
        variant: key.variant, environment: environment)
    }
  }

  /// A key as it is stored or would be stored, to compare other keys with.
  func wanted(_ key: SizeKey) throws -> Key {
    try Self.find(key, statements)
      ?? Key(
        id: 0, axis: key.axis, fittingPixels: key.fittingPixels, variant: key.variant,
        environment: Self.row(of: key.environment, statements) ?? 0)
  }

  private static func row(
    of environment: LayoutEnvironment, _ statements: Statements
  ) throws -> Int? {
    try statements(
      """
      SELECT id FROM layoutEnvironment WHERE contentSizeCategory = ? AND legibilityWeight = ?
        AND layoutDirection = ? AND locale = ? AND displayScale = ? AND system = ?
      """
    ).first(
      environment.contentSizeCategory, environment.legibilityWeight, environment.layoutDirection,
      environment.locale, environment.displayScale, environment.system
    ) { try $0.integer(0) }
  }

  // MARK: Sizes of items

  /// The size of an item for a key: its own, or the nearest of another key as an estimate.
  ///
  /// `item`: The item's row.
  /// `cell`: The row of the item's cell.
  /// `contentRevision`: The item's content revision.
  /// `key`: The key that the size must hold for.
  /// `keys`: All keys of the store.
  func entry(
    ofItem item: Int, cell: Int, contentRevision: Int, key: Key, keys: [Int: Key]
  ) throws -> SizeCache.Entry {
    var nearest = NearestKey(to: key, of: keys)
    var best = SizeCache.Entry(status: .missing)
    try statements(
      """
      SELECT sizeKey, width, height, cell, contentRevision, layout, measurerVersion
      FROM measuredSize WHERE item = ?
      """
    ).forEach(item) { row in
      guard var status = nearest.take(try row.integer(0)) else { return }
      if status == .measured, try row.integer(3) != cell { status = .otherCell }
      if status == .measured, try row.integer(4) != contentRevision { status = .otherContent }
      best = SizeCache.Entry(
        width: try row.real(1), height: try row.real(2), layout: try row.hashIfPresent(5),
        measurerVersion: try row.integer(6), status: status)
    }
    return best
  }

  /// Chooses one of the sizes of an item or a view: the one for a key, or else the one for the
  /// nearest key.
  struct NearestKey {
    private let wanted: Key
    private let keys: [Int: Key]
    private var leastDistance = Int.max

    init(to wanted: Key, of keys: [Int: Key]) {
      self.wanted = wanted
      self.keys = keys
    }

    /// - Returns: How far a size for the key of a row can be trusted, as far as its key decides;
    ///   `nil` if a size for a key as near was taken before.
    mutating func take(_ row: Int) -> SizeCache.Entry.Status? {
      guard let key = keys[row],
        let distance = key.id == wanted.id ? -1 : key.distance(to: wanted),
        distance < leastDistance
      else { return nil }
      leastDistance = distance
      if key.variant != wanted.variant { return .otherVariant }
      if key.environment != wanted.environment { return .otherEnvironment }
      return key.fittingPixels == wanted.fittingPixels ? .measured : .otherWidth
    }
  }

  /// Keeps sizes, and updates the sums that they are part of.
  ///
  /// Sizes of items that the list no longer has are ignored. If there are two for an item, the
  /// later one counts.
  func save(_ sizes: [MeasuredSize], key: Key) throws {
    let known = try sizes.map { size in
      KnownSize(
        item: size.item, row: nil, cell: try rows.cellRow(size.cell), size: size.size,
        contentRevision: size.contentRevision, layout: nil, measurerVersion: size.measurerVersion)
    }
    try save(known, key: key)
  }

  /// Keeps sizes of items whose rows may be known: see the other `save`.
  func save(_ sizes: [KnownSize], key: Key) throws {
    var places: [(row: Int, index: Int, block: Int)] = []
    places.reserveCapacity(sizes.count)
    // Sorted by name, so that the pages of the table are read once; below, by row.
    let byName = sizes.indices.map { (key: sizes[$0].item.leadingBytes, index: $0) }.sorted(by: <)
    let find = try statements("SELECT id, block FROM item WHERE list = ? AND name = ?")
    for (_, index) in byName {
      find.bind(rows.id, at: 1)
      find.bind(sizes[index].item.rawValue, at: 2)
      let found = try find.first { (try $0.integer(0), try $0.integer(1)) }
      guard let (row, block) = found, sizes[index].row ?? row == row else { continue }
      places.append((row, index, block))
    }
    // For many items, going down to their blocks is faster than going up from each item.
    if rows.sectionTotal <= sizes.count / 16 {
      try rows.forEachSection { section in
        // Of 2,000 items and more there is a block above those of level 0, for about as many each.
        let above = section.itemCount / 2_000
        if above > 0, above < sizes.count / 4 { try rows.tree.readHeads(root: section.root) }
      }
    }
    for place in places.sorted(by: <) {
      try save(sizes[place.index], ofItem: place.row, in: place.block, key: key)
    }
  }

  private func save(
    _ size: KnownSize, ofItem item: Int, in block: Int, key: Key
  ) throws {
    let isVertical = key.axis == .vertical
    let (width, height) = (size.size.width, size.size.height)
    let layout = try size.layout ?? layoutHash(ofItemIn: block)
    var oldLength: Int?
    var isSame = false
    let find = try statements(
      """
      SELECT width, height, cell, contentRevision, layout, measurerVersion
      FROM measuredSize WHERE item = ? AND sizeKey = ?
      """)
    find.bind(item, at: 1)
    find.bind(key.id, at: 2)
    _ = try find.first { row in
      let (oldWidth, oldHeight) = (try row.real(0), try row.real(1))
      oldLength = SizeSums.length(oldWidth, oldHeight, isVertical: isVertical)
      isSame =
        try oldWidth == width && oldHeight == height && row.integer(2) == size.cell
        && row.integer(3) == size.contentRevision && row.hashIfPresent(4) == layout
        && row.integer(5) == size.measurerVersion
    }
    if isSame { return }
    if oldLength == nil {
      try statements(
        """
        INSERT INTO measuredSize (item, sizeKey, width, height, cell, contentRevision, layout,
          measurerVersion)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
      ).run(
        item, key.id, width, height, size.cell, size.contentRevision, layout,
        size.measurerVersion)
    } else {
      try statements(
        """
        UPDATE measuredSize SET width = ?, height = ?, cell = ?, contentRevision = ?, layout = ?,
          measurerVersion = ? WHERE item = ? AND sizeKey = ?
        """
      ).run(
        width, height, size.cell, size.contentRevision, layout, size.measurerVersion, item,
        key.id)
    }
    let length = SizeSums.length(width, height, isVertical: isVertical)
    if let oldLength, oldLength == length { return }
    rows.sums.add(
      .init(measured: oldLength == nil ? 1 : 0, length: length - (oldLength ?? 0)),
      toBlock: block, key: key.id)
  }

  /// Turns the sizes of an item into estimates, by a content revision that it never had.
  func makeEstimate(ofItem item: Int) throws {
    try statements("UPDATE measuredSize SET contentRevision = -1 WHERE item = ?").run(item)
  }

  /// Turns the sizes of a section's items and views into estimates, as
  /// ``makeEstimate(ofItem:)`` does.
  func makeEstimates(inSection id: SectionID) throws {
    guard let section = try rows.sectionRow(id)?.id else { return }
    try statements(
      """
      UPDATE measuredSize SET contentRevision = -1 WHERE item IN (
        SELECT json_extract(member.value, '$[0]') FROM block, json_each(block.members) AS member
        WHERE block.list = ? AND block.section = ? AND block.level = 0)
      """
    ).run(rows.id, section)
    for kind in try rows.attributes(of: section).supplementaryKinds {
      try makeEstimate(of: kind, inSection: id)
    }
  }

  /// The hash of the layout of the section that a block belongs to.
  private func layoutHash(ofItemIn block: Int) throws -> UInt64 {
    guard let section = try rows.tree.head(of: block).section else {
      throw DatabaseError.corrupt("block \(block) is in no section")
    }
    return try rows.layoutHash(ofSection: section)
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
  func layoutHash(ofSection section: Int) throws -> UInt64 {
    let row = try sectionRow(id: section)
    if let hash = row.layoutHash { return hash }
    let hash = try attributes(of: section).layout.stableHash
    row.layoutHash = hash
    return hash
  }
}
