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
    guard let section = try rows.sectionRow(place.section)?.id,
      let view = try rows.supplementaryRow(place.kind, inSection: section)
    else { return }
    try rows.statements(
      """
      INSERT INTO measuredSize (owner, sizeKey, width, height, cell, content, layout,
        measurerVersion)
      VALUES (?, ?, ?, ?, 0, ?, ?, ?)
      ON CONFLICT DO UPDATE SET width = excluded.width, height = excluded.height,
        content = excluded.content, layout = excluded.layout,
        measurerVersion = excluded.measurerVersion
      """
    ).run(
      view, key.id, record.width, record.height, record.content, record.layout,
      record.measurerVersion)
  }
}
