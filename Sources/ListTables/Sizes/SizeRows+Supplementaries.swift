import GRDB
package import ListModel

// Writing the sizes of headers, footers and other views. Those that the list no longer has are left
// out.
extension SizeRows {
  /// Keeps the size of a view that was measured in the layout that its section has now.
  package func save(_ size: MeasuredSupplementarySize, key: Key) throws {
    guard let section = try rows.sectionRow(size.section)?.id else { return }
    let record = SizeRecord(
      size.size, content: size.supplementary.stableHash,
      layout: try rows.layoutHash(ofSection: section), measurerVersion: size.measurerVersion)
    try save(record, of: SupplementaryPlace(section: size.section, kind: size.kind), key: key)
  }

  /// Keeps the size of a view.
  package func save(_ record: SizeRecord, of place: SupplementaryPlace, key: Key) throws {
    guard let section = try rows.sectionRow(place.section)?.id else { return }
    let isThere: Bool? = try rows.statements(
      "SELECT 1 FROM supplementary WHERE section = ? AND kind = ?"
    ).first(section, place.kind.rawValue) { _ in true }
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
      section, place.kind.rawValue, key.id, record.width, record.height, record.content,
      record.layout, record.measurerVersion)
  }

  /// Turns the sizes of a section's view into estimates, by a hash that no content has.
  func makeEstimate(of kind: Supplementary.Kind, inSection section: SectionID) throws {
    guard let section = try rows.sectionRow(section)?.id else { return }
    try rows.statements(
      "UPDATE supplementarySize SET content = 0 WHERE section = ? AND kind = ?"
    ).run(section, kind.rawValue)
  }
}
