import GRDB
import ListModel

/// A size of an item that is known by its row.
struct KnownSize: Sendable {
  var item: Int
  /// The row of the cell that was measured.
  var cell: Int
  var size: Size
  var contentRevision: Int
  /// The hash of the layout that the section had.
  var layout: UInt64
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

    /// How near another key's sizes are: the smaller, the better they estimate.
    func distance(to other: Key) -> Int? {
      guard axis == other.axis else { return nil }
      let difference = abs(fittingPixels - other.fittingPixels)
      // Another width tells less than another environment, and another variant least of all.
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
  /// `usedAt`: In milliseconds since 1970; makes the key if there is none. `nil` only
  /// looks.
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

  /// A key as stored, or as it would be: for finding what is nearest to it.
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
  /// `cell`: The row of the cell that it has.
  /// `contentRevision`: The one that it has.
  /// `key`: What the size must hold for.
  /// `keys`: All there are.
  func entry(
    ofItem item: Int, cell: Int, contentRevision: Int, key: Key, keys: [Int: Key]
  ) throws -> SizeCache.Entry {
    var best: (distance: Int, entry: SizeCache.Entry)?
    try statements(
      """
      SELECT sizeKey, width, height, cell, contentRevision, layout, measurerVersion
      FROM measuredSize WHERE item = ?
      """
    ).forEach(item) { row in
      guard let rowKey = keys[try row.integer(0)],
        let distance = rowKey.id == key.id ? -1 : rowKey.distance(to: key),
        distance < best?.distance ?? .max
      else { return }
      let status: SizeCache.Entry.Status =
        if rowKey.variant != key.variant {
          .otherVariant
        } else if rowKey.environment != key.environment {
          .otherEnvironment
        } else if rowKey.fittingPixels != key.fittingPixels {
          .otherWidth
        } else if try row.integer(3) != cell {
          .otherCell
        } else if try row.integer(4) != contentRevision {
          .otherContent
        } else {
          .measured
        }
      best = (
        distance,
        SizeCache.Entry(
          width: try row.real(1), height: try row.real(2), layout: try row.hashIfPresent(5),
          measurerVersion: try row.integer(6), status: status)
      )
    }
    return best?.entry ?? SizeCache.Entry(status: .missing)
  }

  /// Keeps a size, and the sums that it is part of, unless the list does not have the item any more.
  func save(_ size: MeasuredSize, key: Key) throws {
    guard let row = try rows.itemRow(size.item) else { return }
    try save(
      .init(
        item: row.id, cell: try rows.cellRow(size.cell), size: size.size,
        contentRevision: size.contentRevision, layout: layoutHash(ofItemIn: row.block),
        measurerVersion: size.measurerVersion),
      in: row.block, key: key)
  }

  /// Keeps a size of an item that is known by its row.
  func save(_ size: KnownSize, key: Key) throws {
    let block = try statements("SELECT block FROM item WHERE id = ? AND list = ?")
      .first(size.item, rows.id) { try $0.integer(0) }
    if let block { try save(size, in: block, key: key) }
  }

  private func save(_ size: KnownSize, in block: Int, key: Key) throws {
    let isVertical = key.axis == .vertical
    let old = try statements(
      "SELECT width, height FROM measuredSize WHERE item = ? AND sizeKey = ?"
    ).first(size.item, key.id) { row in
      SizeSums.length(try row.real(0), try row.real(1), isVertical: isVertical)
    }
    try statements(
      """
      INSERT INTO measuredSize (item, sizeKey, width, height, cell, contentRevision, layout,
        measurerVersion)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET width = excluded.width, height = excluded.height,
        cell = excluded.cell, contentRevision = excluded.contentRevision,
        layout = excluded.layout, measurerVersion = excluded.measurerVersion
      """
    ).run(
      size.item, key.id, size.size.width, size.size.height, size.cell, size.contentRevision,
      size.layout, size.measurerVersion)
    let length = SizeSums.length(size.size.width, size.size.height, isVertical: isVertical)
    rows.sums.add(
      .init(measured: old == nil ? 1 : 0, length: length - (old ?? 0)), toBlock: block,
      key: key.id)
  }

  /// The hash of the layout of the section that a block is of.
  private func layoutHash(ofItemIn block: Int) throws -> UInt64 {
    guard let section = try rows.tree.block(block).section else {
      throw DatabaseError.corrupt("block \(block) is in no section")
    }
    return try rows.layoutHash(ofSection: section)
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
