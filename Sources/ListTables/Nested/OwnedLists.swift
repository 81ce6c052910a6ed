package import ListModel

/// The lists that items of a list own: rows of `listOwner`.
package final class OwnedLists {
  private let statements: Statements
  /// The row of the list whose items own them.
  private let ownerList: Int
  /// Whether there are any; `nil` before it was asked for.
  ///
  /// It stays `true` when there are none any more.
  private var knownToExist: Bool?

  init(_ statements: Statements, ownerList: Int) {
    self.statements = statements
    self.ownerList = ownerList
  }

  /// Notes that an item owns a list, which was just made.
  package func add(_ list: Int, ownedBy owner: ListOwner) throws {
    try statements(
      "INSERT INTO listOwner (list, ownerList, ownerItem, name) VALUES (?, ?, ?, ?)"
    ).run(list, ownerList, owner.item.rawValue, owner.name.rawValue)
    knownToExist = true
  }

  /// Notes at which revision an entry has deleted items that own lists.
  func noteOwnersDeleted(by entry: LogEntry, at revision: Int) throws {
    switch entry {
    case .deleteItem(let item, _): if try exist() { try noteDeleted(item.id, at: revision) }
    case .deleteSection(let section, _):
      guard !section.items.isEmpty, try exist() else { return }
      for item in section.items { try noteDeleted(item.id, at: revision) }
    default: break
    }
  }

  private func noteDeleted(_ item: ItemID, at revision: Int) throws {
    try statements("UPDATE listOwner SET goneAt = ? WHERE ownerList = ? AND ownerItem = ?")
      .run(revision, ownerList, item.rawValue)
  }

  /// The lists that some items own, by item; items without any are left out.
  package func lists(
    ownedBy items: some Collection<ItemID>
  ) throws -> [ItemID: [ListID]] {
    guard try exist() else { return [:] }
    var lists: [ItemID: [ListID]] = [:]
    for item in items {
      try statements(
        """
        SELECT list.name FROM listOwner JOIN list ON list.id = listOwner.list
        WHERE ownerList = ? AND ownerItem = ?
        """
      ).forEach(ownerList, item.rawValue) {
        lists[item, default: []].append(try ListID(stored: $0.text(0)))
      }
    }
    return lists
  }

  private func exist() throws -> Bool {
    if let knownToExist { return knownToExist }
    let found = try statements("SELECT EXISTS (SELECT 1 FROM listOwner WHERE ownerList = ?)")
      .first(ownerList) { try $0.integer(0) != 0 }
    knownToExist = found
    return found ?? false
  }

  /// Lists whose owner can't come back: it was deleted at a revision from before the log.
  ///
  /// `floor`: The first revision from which the log leads on.
  package func orphans(beforeLogAt floor: Int, atMost most: Int) throws -> [ListID] {
    guard try exist() else { return [] }
    var orphans: [ListID] = []
    try statements(
      """
      SELECT list.name FROM listOwner JOIN list ON list.id = listOwner.list
      WHERE ownerList = ?1 AND coalesce(goneAt, 0) <= ?2
        AND NOT EXISTS (SELECT 1 FROM item WHERE item.list = ?1 AND item.name = ownerItem)
      LIMIT ?3
      """
    ).forEach(ownerList, floor, most) { orphans.append(try ListID(stored: $0.text(0))) }
    return orphans
  }
}
