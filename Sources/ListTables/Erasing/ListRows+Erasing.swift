import GRDB
package import ListModel

extension ListRows {
  /// The items that were last in some sections: that are in them, or were deleted from them.
  ///
  /// - Throws: `SQLITE_CORRUPT` or ``/ListModel/FormatError`` if the log can't be read.
  /// - Complexity: O(*n* + *k*), *n* items of the sections, *k* changes of the log.
  package func itemsLast(in wanted: Set<SectionID>) throws -> Set<ItemID> {
    if wanted.isEmpty { return [] }
    var found: Set<ItemID> = []
    var order: [SectionID] = []
    try forEachSection { section in
      order.append(section.section)
      guard wanted.contains(section.section) else { return }
      try forEachMember(of: section) { found.insert(try ItemID($0.name)) }
    }
    /// Items whose last section is known, because they were met at a later revision.
    var known: Set<ItemID> = []
    func note(_ item: ItemID, deletedFrom section: SectionID) throws {
      guard known.insert(item).inserted, wanted.contains(section), try items.find(item) == nil
      else { return }
      found.insert(item)
    }
    let log = try LogReader(self, hasContents: false)
    try forEachCommitBackwards(downTo: logFloor) { commit in
      var entries: [LogEntry] = []
      try log.forEachEntry(of: commit) { entries.append($0.entry) }
      for entry in entries.reversed() {
        let places = [entry.places.from?.section, entry.places.to?.section].compactMap(\.self)
        guard places.allSatisfy({ 0...order.count ~= $0 }) else {
          throw DatabaseError.corrupt("the log of list \"\(list)\" does not lead to its sections")
        }
        switch entry {
        case .insertSection(_, _, let index): order.remove(at: index)
        case .deleteSection(let section, let index):
          order.insert(section.id, at: index)
          for item in section.items { try note(item.id, deletedFrom: section.id) }
        case .moveSection(_, let from, let to): order.insert(order.remove(at: to), at: from)
        case .deleteItem(let item, let path):
          try note(item.id, deletedFrom: order[path.section])
        default: break
        }
      }
    }
    return found
  }

  /// Erases sections and items that the list does not have any more from its log, and what screens
  /// keep of them.
  ///
  /// Each entry stays, with another id and without contents. The chain begins anew with a number at
  /// random, and digests are those of lists that had the other ids, so the log is whole and no reader
  /// of earlier commits takes it for the one that it knows.
  ///
  /// - Returns: The ids that were found, and how many commits had any of them.
  /// - Throws: `SQLITE_CORRUPT` or ``/ListModel/FormatError`` if the log can't be read.
  /// - Complexity: O(*b*), *b* bytes of the log and of its contents.
  package func eraseFromLog(_ names: ErasedNames) throws -> ErasedMentions {
    // What is before its beginning can be there still.
    while try dropCommits(atMost: .max) {}
    var mentions = ErasedMentions()
    var isChanged = false
    let log = try LogReader(self)
    let before = floorChain
    floorChain = UInt64.random(in: .min ... .max)
    let hashes = try commitHashes { row in
      let old = try log.entries(in: row)
      let new = old.map { logged in
        let entry = names.erased(logged.entry)
        return LogReader.LoggedEntry(
          entry: entry, hashes: entry == logged.entry ? logged.hashes : EntryHashes(entry),
          neighbours: names.erased(logged.neighbours, ofItem: entry.operation.isOfItem))
      }
      for (old, new) in zip(old, new) where old.entry != new.entry {
        for found in old.entry.names { mentions.note(found, names) }
      }
      guard
        zip(old, new).contains(where: { $0.entry != $1.entry || $0.neighbours != $1.neighbours })
      else { return (old, row.entries.count + row.neighbours.count) }
      isChanged = true
      return (new, try write(new, of: row))
    }
    if isChanged {
      try setHashes(hashes, leadingTo: digest)
    } else {
      floorChain = before
    }
    for item in names.items.keys where try forgetOnScreens(item) {
      mentions.note((item, nil), names)
    }
    return mentions
  }

  /// Whether something was erased from the log.
  ///
  /// - Complexity: O(*k*), *k* changes of the logs of all lists.
  package func hasErased() throws -> Bool {
    try statements("SELECT EXISTS (SELECT 1 FROM change WHERE list = ? AND instr(entries, ?))")
      .first(id, String(JSONWriter.quoted(ItemID.erasedPrefix).dropLast())) {
        try $0.integer(0) != 0
      } ?? false
  }

  /// Writes the entries of a row of the log anew, and blanks the contents of what is erased.
  ///
  /// - Returns: How many bytes the row has.
  private func write(_ logged: [LogReader.LoggedEntry], of row: LogReader.ChangeRow) throws -> Int {
    var writer = EntryWriter()
    var neighbours = NeighboursWriter()
    try row.entries.withUnsafeBytes { bytes in
      var decoder = LogDecoder(bytes, ofRow: row.id)
      for logged in logged {
        guard let stored = try decoder.next() else {
          throw DatabaseError.corrupt("row \(row.id) of the log has too few entries")
        }
        var rows = WrittenRows()
        (rows.before, rows.after) = (stored.before, stored.after)
        var erased = logged.entry.item?.isErased == true ? [rows.before, rows.after] : []
        if case .deleteSection(let section, _) = logged.entry {
          let states = try stored.items().map(\.state)
          for (item, state) in zip(section.items, states) {
            rows.items.append((JSONWriter.quotedUTF8(item.id.rawValue)[...], state))
            if item.id.isErased { erased.append(state) }
          }
        }
        for state in erased.compactMap(\.self) { try statements.blankContent(state.content) }
        writer.append(logged.entry, rows)
        neighbours.append(logged.neighbours, member: logged.hashes.id)
      }
    }
    writer.end()
    try statements("UPDATE change SET entries = ?, neighbours = ? WHERE id = ?")
      .run(StoreStatementText(utf8: writer.bytes), neighbours.bytes, row.id)
    return writer.bytes.count + neighbours.bytes.count
  }

  /// Deletes what screens keep of an item, and the cursors of a page that ended with it.
  ///
  /// - Returns: Whether a screen kept something.
  func forgetOnScreens(_ item: ItemID) throws -> Bool {
    try forgetPageEnd(at: item)
    let deselect = try statements("DELETE FROM selectedItem WHERE list = ? AND item = ?")
    try deselect.run(id, item.rawValue)
    let wasSelected = deselect.changeCount > 0
    let forget = try statements(
      """
      UPDATE viewState SET anchorItem = NULL, anchorOffset = NULL WHERE list = ? AND anchorItem = ?
      """)
    try forget.run(id, item.rawValue)
    return forget.changeCount > 0 || wasSelected
  }
}

extension LogEntry {
  /// The item that it is about; `nil` for an entry about a section or the list.
  fileprivate var item: ItemID? {
    switch self {
    case .insertItem(let item, _), .deleteItem(let item, _): item.id
    case .moveItem(let id, _, _), .updateItem(let id, _, _, _), .touchItem(let id, _): id
    default: nil
    }
  }

  /// The items and sections that it names.
  fileprivate var names: [(item: ItemID?, section: SectionID?)] {
    switch self {
    case .insertSection(let id, _, _), .moveSection(let id, _, _), .updateSection(let id, _, _, _):
      [(nil, id)]
    case .deleteSection(let section, _): [(nil, section.id)] + section.items.map { ($0.id, nil) }
    default: [(item, nil)]
    }
  }
}

extension Statements {
  /// Empties a content that the log still names.
  fileprivate func blankContent(_ id: Int) throws {
    try self("UPDATE content SET type = NULL, action = NULL, content = 'null' WHERE id = ?").run(id)
  }
}
