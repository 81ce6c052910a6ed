import GRDB
import ListModel
import ListTables

/// Writes the measured sizes of a store into a redacted one: as exact as they were.
struct RedactedSizes {
  private let values: RedactedValues
  private let source: Statements
  private let target: Statements
  /// The new store's keys, by the rows of the keys that they stand for.
  private var keys: [Int: SizeRows.Key] = [:]

  /// How many sizes are written together.
  private static let sizesInSlice = 20_000

  init(_ values: RedactedValues, from source: Statements, to target: Statements) {
    self.values = values
    self.source = source
    self.target = target
  }

  /// Writes the sizes of a list.
  mutating func copy(_ old: ListRows, to new: ListRows) throws {
    if keys.isEmpty { try copyKeys(SizeRows(new)) }
    if keys.isEmpty { return }
    let sizes = SizeRows(new)
    var slices: [Int: SizedItems] = [:]
    var count = 0
    func write() throws {
      for (key, slice) in slices {
        if let key = keys[key] { try sizes.save(slice, at: new.chain, key: key) }
      }
      (slices, count) = ([:], 0)
    }
    var index = 0
    try old.forEachSection { section in
      let place = try new.sectionRow(at: index)
      try copyViews(of: section, in: old, to: place.section, sizes)
      var rows: [Int] = []
      try new.forEachMember(of: place) { rows.append($0.id) }
      var path = ItemPath(section: index, item: 0)
      try old.forEachMember(of: section) { member in
        guard path.item < rows.count else {
          throw DatabaseError.corrupt("section \"\(section.section)\" has more items than its log")
        }
        try forEachSize(of: member.id) { key, record in
          slices[key, default: SizedItems()].append(
            SizedItem(
              record: record, known: SizeRecord(.missing), row: rows[path.item], path: path),
            name: UnsafeRawBufferPointer(start: nil, count: 0))
          count += 1
        }
        path.item += 1
        if count >= Self.sizesInSlice { try write() }
      }
      index += 1
    }
    try write()
    try new.save()
    _ = new.endTransaction()
  }

  /// Reads the sizes of an item or a view, by its row; those without a key are left out.
  private func forEachSize(
    of owner: Int, _ body: (_ key: Int, _ record: SizeRecord) throws -> Void
  ) throws {
    try source(
      """
      SELECT sizeKey, width, height, content, layout, measurerVersion, measuredSize.cell, cell.name
      FROM measuredSize LEFT JOIN cell ON cell.id = measuredSize.cell WHERE owner = ?
      """
    ).forEach(owner) { row in
      let key = try row.integer(0)
      guard keys[key] != nil else { return }
      var record = try SizeRecord(row)
      let cell = try row.textIfPresent(7).map { try values.name(CellName($0)) }
      record.cell = UInt32(clamping: try cell.map(target.cellRow) ?? 0)
      try body(key, record)
    }
  }

  private func copyViews(
    of section: SectionRow, in old: ListRows, to id: SectionID, _ sizes: SizeRows
  ) throws {
    let attributes = try old.attributes(of: section.id)
    for kind in attributes.supplementaryKinds {
      guard let view = attributes[kind],
        let owner = try old.supplementaryRow(kind, inSection: section.id)
      else { continue }
      let place = SupplementaryPlace(section: id, kind: try values.kind(kind))
      let shown = try values.view(view).stableHash
      try forEachSize(of: owner) { key, record in
        var record = record
        // A hash that no view has where another one was measured.
        record.content = record.content == view.stableHash ? shown : .max
        if let key = keys[key] { try sizes.save(record, of: place, key: key) }
      }
    }
  }

  // MARK: Keys

  private mutating func copyKeys(_ sizes: SizeRows) throws {
    var found: [(row: Int, key: SizeKey, usedAt: Int)] = []
    try source(
      """
      SELECT sizeKey.id, axis, fittingPixels, variant, contentSizeCategory, legibilityWeight,
        layoutDirection, locale, displayScale, system, usedAt
      FROM sizeKey JOIN layoutEnvironment ON layoutEnvironment.id = environment WHERE usedAt >= 0
      """
    ).forEach { row in
      guard let axis = SizeKey.Axis(rawValue: try row.text(1)) else { return }
      let key = SizeKey(
        axis: axis, fittingPixels: try row.integer(2), variant: values.name(try row.text(3)),
        environment: values.environment(try LayoutEnvironment(row, from: 4)))
      found.append((try row.integer(0), key, try row.integer(10)))
    }
    for (row, key, usedAt) in found {
      keys[row] = try sizes.key(key, usedAt: values.time(usedAt))
    }
  }
}

extension RedactedValues {
  /// An environment: what UIKit and the library have as values stays, and nothing else.
  ///
  /// Of locales a language with a script and a region is such a value, where names stay.
  fileprivate func environment(_ old: LayoutEnvironment) -> LayoutEnvironment {
    func value<Form>(_ text: String, _ form: Regex<Form>) -> String {
      text.isEmpty || text.wholeMatch(of: form) != nil ? text : pseudonym(text)
    }
    let size =
      #/large|_?UICTContentSizeCategory(Accessibility)?(X{0,3}[SL]|M|Unspecified)/#
    return LayoutEnvironment(
      contentSizeCategory: value(old.contentSizeCategory, size),
      legibilityWeight: value(old.legibilityWeight, #/regular|bold/#),
      layoutDirection: value(old.layoutDirection, #/leftToRight|rightToLeft/#),
      locale: name(value(old.locale, #/[a-z]{2,3}([_-][A-Za-z]{4})?([_-]([A-Z]{2}|[0-9]{3}))?/#)),
      displayScale: old.displayScale,
      system: value(old.system, #/(iOS|tvOS|visionOS|macOS|watchOS|Linux) [0-9]{1,3}/#))
  }
}
