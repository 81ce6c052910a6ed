package import ListModel

extension ListRows {
  /// The items with which pages ended, and that have stood where they are since.
  package func pageEnds() throws -> [ItemID: PageCursors] {
    var ends: [ItemID: PageCursors] = [:]
    try statements("SELECT item, before, after FROM pageEnd WHERE list = ?").forEach(id) { row in
      ends[try ItemID(row.text(0))] = PageCursors(
        before: try row.textIfPresent(1), after: try row.textIfPresent(2))
    }
    return ends
  }

  /// The cursors of an item with which a page ended; it may have moved since.
  package func pageEnd(of item: ItemID) throws -> PageCursors? {
    try statements("SELECT before, after FROM pageEnd WHERE list = ? AND item = ?")
      .first(id, item.rawValue) { row in
        PageCursors(before: try row.textIfPresent(0), after: try row.textIfPresent(1))
      }
  }

  /// Notes where a page ended, and forgets those of items that have moved or gone.
  ///
  /// - Complexity: O(*k*), *k* changes of the list since the last time.
  package func updatePageEnds(with ends: [ItemID: PageCursors] = [:]) throws {
    let hasEnds = try statements("SELECT EXISTS (SELECT 1 FROM pageEnd WHERE list = ?)")
      .first(id) { try $0.integer(0) == 1 }
    if hasEnds == true, pageRevision < revision {
      if pageRevision < logFloor {
        try statements("DELETE FROM pageEnd WHERE list = ?").run(id)
      } else {
        for commit in try commits(in: pageRevision + 1...revision) {
          for item in commit.entries.flatMap(\.displaced) { try forgetPageEnd(at: item) }
        }
      }
    }
    for (item, cursors) in ends where try items.find(item) != nil {
      try statements(
        "INSERT OR REPLACE INTO pageEnd (list, item, before, after) VALUES (?, ?, ?, ?)"
      ).run(id, item.rawValue, cursors.before, cursors.after)
    }
    try note(pageRevision: max(revision, 1))
  }

  /// Whether pages of the server are in the list.
  package var hasPage: Bool { pageRevision > 0 }

  private func note(pageRevision revision: Int) throws {
    try statements("UPDATE list SET pageRevision = ? WHERE id = ?").run(revision, id)
    pageRevision = revision
  }

  /// Forgets all pages: what the server had before a reset of its feed says nothing of what it has.
  func forgetPages() throws {
    pageSequence = 0
    try pagesAhead.forget()
    try statements("DELETE FROM pageEnd WHERE list = ?").run(id)
    try note(pageRevision: 0)
  }

  func forgetPageEnd(at item: ItemID) throws {
    try statements("DELETE FROM pageEnd WHERE list = ? AND item = ?").run(id, item.rawValue)
  }

  /// Items that are where a screen will be opened again, also one that shows a list that is derived from
  /// this one.
  package func savedPlaces() throws -> Set<ItemID> {
    var places: Set<ItemID> = []
    try statements(
      """
      WITH RECURSIVE derived (id, name) AS (
        SELECT id, name FROM list WHERE id = ?
        UNION SELECT list.id, list.name
        FROM derived JOIN derivedList ON source = derived.name JOIN list ON list.id = derivedList.list
      )
      SELECT DISTINCT anchorItem FROM viewState
      WHERE list IN (SELECT id FROM derived) AND anchorItem IS NOT NULL
      """
    ).forEach(id) { places.insert(try ItemID($0.text(0))) }
    return places
  }

  /// Items that a trim leaves: those that an edit in the outbox names, and those that are selected.
  package func itemsInUse() throws -> Set<ItemID> {
    var items = Set(try outbox.edits().flatMap { $0.changes.flatMap(\.change.items) })
    try statements("SELECT DISTINCT item FROM selectedItem WHERE list = ?")
      .forEach(id) { items.insert(try ItemID($0.text(0))) }
    return items
  }
}

extension LogEntry {
  /// Items that are not where they were.
  fileprivate var displaced: [ItemID] {
    switch self {
    case .moveItem(let id, _, _): [id]
    case .deleteItem(let item, _): [item.id]
    case .deleteSection(let section, _): section.items.map(\.id)
    case .updateList, .insertSection, .moveSection, .updateSection, .insertItem, .updateItem,
      .touchItem:
      []
    }
  }
}

extension Change {
  /// The items that it names, those beside its place included.
  fileprivate var items: [ItemID] {
    switch self {
    case .insertItem(let item, _, let place): [item.id] + place.neighbours
    case .moveItem(let id, _, let place): [id] + place.neighbours
    case .deleteItem(let id), .updateItem(let id, _), .touchItem(let id): [id]
    case .updateList, .insertSection, .deleteSection, .moveSection, .updateSection: []
    }
  }
}

extension Place {
  fileprivate var neighbours: [ID] {
    switch self {
    case .after(let id), .before(let id): [id]
    case .start, .end, .index: []
    }
  }
}
