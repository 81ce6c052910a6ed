import GRDB
import ListModel
import ListStore

/// The measured sizes in the tables of a damaged store that hold for what was recovered.
///
/// No digest covers sizes, but each block has the sums of the sizes of its items. A size is taken if
/// the sum of its block agrees, and if it was measured with the item's cell, content and layout.
struct SalvagedSizes {
  private let statements: Statements
  private let keys: [Int: SizeKey]

  init(_ db: Database) throws {
    let statements = Statements(db)
    self.statements = statements
    var keys: [Int: SizeKey] = [:]
    try statements(
      """
      SELECT sizeKey.id, axis, fittingPixels, variant, contentSizeCategory, legibilityWeight,
        layoutDirection, locale, displayScale, system
      FROM sizeKey JOIN layoutEnvironment ON layoutEnvironment.id = environment
      WHERE usedAt >= 0
      """
    ).forEach { row in
      let key = SizeKey(
        axis: SizeKey.Axis(rawValue: try row.text(1)) ?? .vertical,
        fittingPixels: try row.integer(2), variant: try row.text(3),
        environment: try LayoutEnvironment(row, from: 4))
      if key.isUsable { keys[try row.integer(0)] = key }
    }
    self.keys = keys
  }

  /// A row of `measuredSize`.
  private struct Measured {
    var member: SalvagedList.Member
    var size: Size
    var cell: Int
    var contentRevision: Int
    var layout: Int?
    var measurerVersion: Int
  }

  /// The sizes of items of a block that hold, by key.
  ///
  /// - Parameters:
  ///   - items: The items that were recovered of the block, and their members.
  ///   - leaf: The block.
  ///   - members: All members of the block.
  ///   - layout: The layout of their section.
  /// - Returns: The sizes; none for a key whose sum is another one.
  /// - Throws: SQLite's error.
  func sizes(
    of items: [Int: Item], inBlock leaf: Int, members: [SalvagedList.Member],
    layout: SectionLayout?
  ) throws -> [SizeKey: [MeasuredSize]] {
    if keys.isEmpty { return [:] }
    let hash = Int(Int64(bitPattern: layout.stableHash))
    var found: [SizeKey: [MeasuredSize]] = [:]
    for (id, measured) in try measured(members) {
      guard let key = keys[id], try agrees(measured, withBlock: leaf, key: id, key.axis) else {
        continue
      }
      found[key] = measured.compactMap { row in
        let member = row.member
        guard let item = items[member.id], row.size.isStorable, row.layout == hash,
          row.cell == member.cell, row.contentRevision == member.contentRevision
        else { return nil }
        return MeasuredSize(
          item: item.id, size: row.size, cell: item.state.cell,
          contentRevision: row.contentRevision, measurerVersion: row.measurerVersion)
      }
    }
    return found
  }

  private func measured(_ members: [SalvagedList.Member]) throws -> [Int: [Measured]] {
    var rows: [Int: [Measured]] = [:]
    for member in members {
      try statements(
        """
        SELECT sizeKey, width, height, cell, contentRevision, layout, measurerVersion
        FROM measuredSize WHERE item = ?
        """
      ).forEach(member.id) { row in
        rows[try row.integer(0), default: []].append(
          Measured(
            member: member, size: Size(width: try row.real(1), height: try row.real(2)),
            cell: try row.integer(3), contentRevision: try row.integer(4),
            layout: try row.integerIfPresent(5), measurerVersion: try row.integer(6)))
      }
    }
    return rows
  }

  private func agrees(
    _ rows: [Measured], withBlock leaf: Int, key: Int, _ axis: SizeKey.Axis
  ) throws -> Bool {
    let length = rows.reduce(0) { sum, row in
      let length = axis == .vertical ? row.size.height : row.size.width
      return sum + Int((min(max(length, 0), Size.maximumLength) * 1_024).rounded())
    }
    return try statements(
      "SELECT measured, length FROM blockExtent WHERE sizeKey = ? AND block = ?"
    ).first(key, leaf) { try ($0.integer(0), $0.integer(1)) == (rows.count, length) } ?? false
  }

  /// The sizes of headers, footers and other views of a section that hold, by key.
  func sizes(
    ofViewsIn section: SalvagedList.Section
  ) throws -> [SizeKey: [MeasuredSupplementarySize]] {
    guard let id = section.row else { return [:] }
    var found: [SizeKey: [MeasuredSupplementarySize]] = [:]
    let layout = Int(Int64(bitPattern: section.attributes.layout.stableHash))
    try statements(
      """
      SELECT kind, sizeKey, width, height, content, layout, measurerVersion
      FROM supplementarySize WHERE section = ?
      """
    ).forEach(id) { row in
      let size = Size(width: try row.real(2), height: try row.real(3))
      guard let key = keys[try row.integer(1)], let kind = try? Supplementary.Kind(row.text(0)),
        let view = section.attributes[kind], size.isStorable, try row.integer(5) == layout,
        try row.integer(4) == Int(Int64(bitPattern: view.stableHash))
      else { return }
      found[key, default: []].append(
        MeasuredSupplementarySize(
          section: section.name, kind: kind, size: size, supplementary: view,
          measurerVersion: try row.integer(6)))
    }
    return found
  }
}
