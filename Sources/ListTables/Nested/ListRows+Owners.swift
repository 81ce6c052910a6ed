package import ListModel

extension ListRows {
  /// Notes the revision at which a change deletes an item that owns lists.
  ///
  /// Once that commit has left the log, the item can't come back, and its lists can be deleted.
  func noteDeletedOwners(_ entry: LogEntry) throws {
    switch entry {
    case .deleteItem(let item, _): if try hasNestedLists() { try noteDeleted(item.id) }
    case .deleteSection(let section, _):
      guard !section.items.isEmpty, try hasNestedLists() else { return }
      for item in section.items { try noteDeleted(item.id) }
    default: break
    }
  }

  private func noteDeleted(_ item: ItemID) throws {
    try statements("UPDATE listOwner SET goneAt = ? WHERE ownerList = ? AND ownerItem = ?")
      .run(revision, id, item.rawValue)
  }

  private func hasNestedLists() throws -> Bool {
    if let ownsLists { return ownsLists }
    let found = try statements("SELECT EXISTS (SELECT 1 FROM listOwner WHERE ownerList = ?)")
      .first(id) { try $0.integer(0) != 0 }
    ownsLists = found
    return found ?? false
  }

  /// Nested lists whose owner is not in the list, nor in any revision that the log reaches.
  ///
  /// If no commit deleted the owner, another program did, and the log began anew after that.
  package func orphans(atMost most: Int) throws -> [ListID] {
    guard try hasNestedLists() else { return [] }
    var orphans: [ListID] = []
    try statements(
      """
      SELECT list.name FROM listOwner JOIN list ON list.id = listOwner.list
      WHERE ownerList = ?1 AND coalesce(goneAt, 0) <= ?2
        AND NOT EXISTS (SELECT 1 FROM item WHERE item.list = ?1 AND item.name = ownerItem)
      LIMIT ?3
      """
    ).forEach(id, logFloor, most) { orphans.append(try ListID($0.text(0))) }
    return orphans
  }
}
