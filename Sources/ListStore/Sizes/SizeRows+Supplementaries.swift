import GRDB
import ListModel

/// The size of a header, a footer or another view of a section.
///
/// It has the section's id and not its row: if the section is deleted before the size is written,
/// another section may have the row.
struct KnownSupplementarySize: Sendable {
  var section: SectionID
  var kind: Supplementary.Kind
  var size: Size
  /// The hash of the view's name and content that were measured.
  var content: UInt64
  /// The hash of the section's layout when it was measured; `nil` for the layout that it has now.
  var layout: UInt64?
  var measurerVersion: Int
}

extension SizeRows {
  /// Keeps a size, unless the list no longer has the view.
  func save(_ size: KnownSupplementarySize, key: Key) throws {
    guard let section = try rows.sectionRow(size.section)?.id else { return }
    let isThere: Bool? = try rows.statements(
      "SELECT 1 FROM supplementary WHERE section = ? AND kind = ?"
    ).first(section, size.kind.rawValue) { _ in true }
    guard isThere == true else { return }
    try rows.statements(
      """
      INSERT INTO supplementarySize (section, kind, sizeKey, width, height, content, layout,
        measurerVersion)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET width = excluded.width, height = excluded.height,
        content = excluded.content, layout = excluded.layout,
        measurerVersion = excluded.measurerVersion
      """
    ).run(
      section, size.kind.rawValue, key.id, size.size.width, size.size.height, size.content,
      try size.layout ?? rows.layoutHash(ofSection: section), size.measurerVersion)
  }

  /// Turns the sizes of a section's view into estimates, by a hash that no content has.
  func makeEstimate(of kind: Supplementary.Kind, inSection section: SectionID) throws {
    guard let section = try rows.sectionRow(section)?.id else { return }
    try rows.statements(
      "UPDATE supplementarySize SET content = 0 WHERE section = ? AND kind = ?"
    ).run(section, kind.rawValue)
  }

  /// The size of a section's view for a key: its own, or the nearest of another key as an
  /// estimate.
  func entry(
    of kind: Supplementary.Kind, ofSection section: Int, key: Key, keys: [Int: Key]
  ) throws -> SizeCache.SupplementaryEntry {
    var nearest = NearestKey(to: key, of: keys)
    var best = SizeCache.SupplementaryEntry(entry: SizeCache.Entry(status: .missing))
    try rows.statements(
      """
      SELECT sizeKey, width, height, content, layout, measurerVersion
      FROM supplementarySize WHERE section = ? AND kind = ?
      """
    ).forEach(section, kind.rawValue) { row in
      guard let status = nearest.take(try row.integer(0)) else { return }
      best = SizeCache.SupplementaryEntry(
        entry: SizeCache.Entry(
          width: try row.real(1), height: try row.real(2), layout: try row.hash(4),
          measurerVersion: try row.integer(5), status: status),
        content: try row.hash(3))
    }
    return best
  }
}
