import GRDB
package import ListModel

/// The stored sizes of one list, inside a transaction.
package struct SizeRows {
  /// The list's other rows.
  package let rows: ListRows
  private var statements: Statements { rows.statements }

  /// The sizes of the list that rows are of.
  package init(_ rows: ListRows) { self.rows = rows }

  // MARK: Keys

  /// A key as stored.
  package struct Key {
    /// Its row.
    package var id: Int
    var axis: SizeKey.Axis
    /// The length that items had to fit, in device pixels.
    package var fittingPixels: Int
    var variant: String
    /// The row of its layout environment.
    package var environment: Int

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
      // A damaged file can hold any number.
      let (least, most) = (
        min(fittingPixels, other.fittingPixels), max(fittingPixels, other.fittingPixels)
      )
      let (difference, isTooGreat) = most.subtractingReportingOverflow(least)
      // A size for another width is a worse estimate than one for another environment, and one for
      // another variant is the worst.
      let pixels = isTooGreat ? 1 << 30 : min(difference, 1 << 30)
      return pixels + (environment == other.environment ? 0 : 1 << 31)
        + (variant == other.variant ? 0 : 1 << 32)
    }
  }

  /// All keys of the store, by row.
  package func keys() throws -> [Int: Key] {
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
  package func key(_ key: SizeKey, usedAt: Int?) throws -> Key? {
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
      statements.forgetSizeKeys()
    }
    return try Self.find(key, statements)
  }

  /// The stored key; `nil` if nothing was measured for it.
  package static func find(_ key: SizeKey, _ statements: Statements) throws -> Key? {
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
  package func wanted(_ key: SizeKey) throws -> Key {
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

  // MARK: Reading

  /// The size of an item for a key: its own, or the nearest of another key as an estimate.
  ///
  /// `item`: The item's row.
  /// `cell`: The row of the item's cell.
  /// `contentRevision`: The item's content revision.
  /// `key`: The key that the size must hold for.
  /// `keys`: All keys of the store.
  package func record(
    ofItem item: Int, cell: UInt32, contentRevision: Int, key: Key, keys: [Int: Key]
  ) throws -> SizeRecord {
    var record = try nearestRecord(ofOwner: item, key, keys)
    record.compare(cell: cell, content: UInt64(bitPattern: Int64(contentRevision)))
    return record
  }

  /// The size of a member of a block of items; parameters as in
  /// ``record(ofItem:cell:contentRevision:key:keys:)``.
  package func record(of item: Block.Member, key: Key, keys: [Int: Key]) throws -> SizeRecord {
    try record(
      ofItem: item.id, cell: UInt32(clamping: item.cell), contentRevision: item.contentRevision,
      key: key, keys: keys)
  }

  /// The size of a section's view for a key: its own, or the nearest of another key as an
  /// estimate; it is not compared with the view.
  package func record(
    of kind: Supplementary.Kind, inSection section: Int, key: Key, keys: [Int: Key]
  ) throws -> SizeRecord {
    guard let view = try rows.supplementaryRow(kind, inSection: section) else {
      return SizeRecord(.missing)
    }
    return try nearestRecord(ofOwner: view, key, keys)
  }

  private func nearestRecord(
    ofOwner owner: Int, _ key: Key, _ keys: [Int: Key]
  ) throws -> SizeRecord {
    var nearest = NearestRecord(to: key, of: keys)
    try statements(
      """
      SELECT sizeKey, width, height, content, layout, measurerVersion, cell
      FROM measuredSize WHERE owner = ?
      """
    ).forEach(owner) { try nearest.take($0) }
    return nearest.record
  }

  /// Chooses one of the sizes of an item or a view: the one for a key, or else the one for the
  /// nearest key.
  private struct NearestRecord {
    private let wanted: Key
    private let keys: [Int: Key]
    private var leastDistance = Int.max
    var record = SizeRecord(.missing)

    init(to wanted: Key, of keys: [Int: Key]) {
      self.wanted = wanted
      self.keys = keys
    }

    /// Takes the size of a row, unless one for a key as near was taken before.
    mutating func take(_ row: StatementRow) throws {
      guard let key = keys[try row.integer(0)],
        let distance = key.id == wanted.id ? -1 : key.distance(to: wanted),
        distance < leastDistance
      else { return }
      leastDistance = distance
      record = try SizeRecord(row)
      if key.variant != wanted.variant {
        record.status = .otherVariant
      } else if key.environment != wanted.environment {
        record.status = .otherEnvironment
      } else if key.fittingPixels != wanted.fittingPixels {
        record.status = .otherWidth
      }
    }
  }

  // MARK: Marking

  /// Turns the sizes of an owner into estimates, by a content that it never had.
  package func makeEstimates(of owner: SizeOwner) throws {
    switch owner {
    case .item(let item): try makeEstimate(ofOwner: item)
    case .supplementary(let place):
      guard let section = try rows.sectionRow(place.section)?.id,
        let view = try rows.supplementaryRow(place.kind, inSection: section)
      else { return }
      try makeEstimate(ofOwner: view)
    case .section(let section): try makeEstimates(inSection: section)
    }
  }

  private func makeEstimate(ofOwner owner: Int) throws {
    try statements("UPDATE measuredSize SET content = -1 WHERE owner = ?").run(owner)
  }

  private func makeEstimates(inSection id: SectionID) throws {
    guard let section = try rows.sectionRow(id)?.id else { return }
    try statements(
      """
      UPDATE measuredSize SET content = -1 WHERE owner IN (
        SELECT json_extract(member.value, '$[0]') FROM block, json_each(block.members) AS member
        WHERE block.list = ?1 AND block.section = ?2 AND block.level = 0
        UNION ALL SELECT id FROM supplementary WHERE section = ?2)
      """
    ).run(rows.id, section)
  }
}

extension SizeRecord {
  /// The record in a row with the columns sizeKey, width, height, what was shown, layout,
  /// measurerVersion and cell.
  package init(_ row: StatementRow) throws {
    self.init(
      Size(width: try row.real(1), height: try row.real(2)),
      cell: UInt32(clamping: try row.integer(6)), content: try row.hash(3),
      layout: try row.hash(4), measurerVersion: try row.integer(5))
  }
}

extension LayoutEnvironment {
  /// The environment in a row with the columns contentSizeCategory, legibilityWeight,
  /// layoutDirection, locale, displayScale and system, one after the other.
  package init(_ row: StatementRow, from column: Int32) throws {
    self.init(
      contentSizeCategory: try row.text(column), legibilityWeight: try row.text(column + 1),
      layoutDirection: try row.text(column + 2), locale: try row.text(column + 3),
      displayScale: try row.real(column + 4), system: try row.text(column + 5))
  }
}
