package import ListModel

extension ListRows {
  /// Whether the list has no gaps.
  package var hasNoGaps: Bool { gapTotal == 0 }

  /// The gaps of the list, in no order.
  ///
  /// - Complexity: O(*g* log *n*), *g* gaps that pages have made. Gaps with ids of others have all blocks of
  ///   the store looked through.
  package func gapIDs() throws -> [ItemID] {
    if gapTotal == 0 { return [] }
    var ids: [ItemID] = []
    try statements("SELECT name FROM item WHERE list = ? AND name >= '#gap ' AND name < '#gap!'")
      .forEach(id) { ids.append(try ItemID($0.text(0))) }
    ids = try ids.filter { try location(of: $0).map { try isGap(at: $0.path) } ?? false }
    if ids.count == gapTotal { return ids }
    guard
      let cell = try statements("SELECT id FROM cell WHERE name = ?")
        .first(Gap.cell.rawValue, read: { try $0.integer(0) })
    else { return ids }
    ids = []
    try statements(
      """
      SELECT json_extract(value, '$[1]') FROM block JOIN json_each(members)
      WHERE list = ? AND level = 0 AND section IS NOT NULL
        AND (instr(members, ?) > 0 OR instr(members, ?) > 0) AND json_extract(value, '$[2]') = ?
      """
    ).forEach(id, "\",\(cell)]", "\",\(cell),", cell) { ids.append(try ItemID($0.text(0))) }
    return ids
  }
}
