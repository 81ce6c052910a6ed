import GRDB
import ListModel

/// Reads the changes of commits from rows of `change`.
struct LogReader {
  private let statements: Statements
  /// `nil` if states are read without contents.
  private let contents: ItemContents?
  private let list: Int

  /// An entry and what it was read from.
  struct LoggedEntry {
    var entry: LogEntry
    var hashes: EntryHashes
    var neighbours: [Neighbours]
  }

  /// `hasContents`: Whether states have their contents, types and actions; else their contents are
  /// `null`, and their hashes are not those of the log.
  init(_ rows: ListRows, hasContents: Bool = true) throws {
    statements = rows.statements
    contents = hasContents ? try ItemContents(rows.statements) : nil
    list = rows.id
  }

  /// Calls a closure with each entry of a commit.
  func forEachEntry(of commit: LoggedCommit, _ body: (LoggedEntry) throws -> Void) throws {
    try forEachRow(of: commit) { row in
      for entry in try entries(in: row) { try body(entry) }
    }
  }

  /// A row of `change`.
  struct ChangeRow {
    var id: Int
    var entries: [UInt8]
    var neighbours: [UInt8]
  }

  /// Calls a closure with each row of a commit.
  func forEachRow(of commit: LoggedCommit, _ body: (ChangeRow) throws -> Void) throws {
    guard let first = commit.firstChange else { return }
    var id = first
    while let row = try statements.changeRow(id, list: list, revision: commit.revision) {
      try body(row)
      guard id < Int.max else { return }
      id += 1
    }
    guard id != first else {
      throw DatabaseError.corrupt("the changes of revision \(commit.revision) are missing")
    }
  }

  // MARK: Entries

  /// Calls a closure with the entry of each change of a commit, without hashes and neighbours.
  func forEachValue(of commit: LoggedCommit, _ body: (LogEntry) throws -> Void) throws {
    try forEachRow(of: commit) { row in
      try row.entries.withUnsafeBytes { bytes in
        var decoder = LogDecoder(bytes, ofRow: row.id)
        while let stored = try decoder.next() { try body(entry(stored, decoder)) }
      }
    }
  }

  func entries(in row: ChangeRow) throws -> [LoggedEntry] {
    try row.entries.withUnsafeBytes { bytes in
      var entries: [LoggedEntry] = []
      var decoder = LogDecoder(bytes, ofRow: row.id)
      var neighbours = NeighboursReader(row.neighbours)
      while let stored = try decoder.next() {
        let entry = try self.entry(stored, decoder)
        let hashes = EntryHashes(entry)
        guard let own = neighbours.next(entry.placeCount, member: hashes.id) else {
          throw DatabaseError.corrupt("row \(row.id) of the log has too few neighbours")
        }
        entries.append(LoggedEntry(entry: entry, hashes: hashes, neighbours: own))
      }
      guard neighbours.isAtEnd else {
        throw DatabaseError.corrupt("row \(row.id) of the log has too many neighbours")
      }
      return entries
    }
  }

  /// The values of an entry.
  func entry(_ stored: StoredEntry, _ decoder: LogDecoder) throws -> LogEntry {
    func item() throws -> ItemID { try ItemID(decoder.name(of: stored)) }
    switch (stored.operation, stored.before, stored.after) {
    case (.insertItem, _, let state?):
      return .insertItem(
        Item(id: try item(), state: try self.state(state)), at: try path(stored.places.to))
    case (.deleteItem, let state?, _):
      return .deleteItem(
        Item(id: try item(), state: try self.state(state)), at: try path(stored.places.from))
    case (.moveItem, _, _):
      return .moveItem(
        try item(), from: try path(stored.places.from), to: try path(stored.places.to))
    case (.updateItem, let before?, let after?):
      return .updateItem(
        try item(), at: try path(stored.places.from), before: try state(before),
        after: try state(after))
    case (.touchItem, _, _): return .touchItem(try item(), at: try path(stored.places.from))
    case (.moveSection, _, _):
      guard let from = stored.places.from, let to = stored.places.to else { break }
      return .moveSection(
        try SectionID(decoder.name(of: stored)), from: from.section, to: to.section)
    default: break
    }
    return try entry(stored, parts: stored.parts())
  }

  private func path(_ place: (section: Int, item: Int?)?) throws -> ItemPath {
    guard let place, let item = place.item else { throw FormatError("an entry has no place") }
    return ItemPath(section: place.section, item: item)
  }

  /// The values of a state.
  func state(_ stored: StoredState) throws -> ItemState {
    let content = try contents?.content(stored.content)
    return ItemState(
      cell: try statements.cellName(stored.cell), content: content?.content ?? .null,
      type: content?.type,
      action: content?.action, contentRevision: stored.contentRevision)
  }

  private func entry(_ stored: StoredEntry, parts: [JSONNode]) throws -> LogEntry {
    func part(_ index: Int) throws(FormatError) -> JSONNode {
      guard parts.indices.contains(index) else {
        throw FormatError("an entry of the log is too short")
      }
      return parts[index]
    }
    func attributes(_ index: Int) throws(FormatError) -> SectionAttributes {
      try SectionAttributes(membersOf: part(index).object())
    }
    switch stored.operation {
    case .insertSection:
      return .insertSection(
        try SectionID(part(1)), try attributes(3), at: try part(2).integer())
    case .deleteSection:
      return .deleteSection(
        ListTree.Section(
          id: try SectionID(part(1)), attributes: try attributes(3),
          items: try stored.items().map { item in
            Item(id: try ItemID(item.id), state: try state(item.state))
          }), at: try part(2).integer())
    case .updateSection:
      return .updateSection(
        try SectionID(part(1)), at: try part(2).integer(), before: try attributes(3),
        after: try attributes(4))
    default:
      let (before, after) = (try part(1).value(), try part(2).value())
      return .updateList(
        before: before == .null ? nil : before, after: after == .null ? nil : after)
    }
  }
}

extension Statements {
  /// A row of the log; `nil` if it is not one of the commit.
  func changeRow(_ id: Int, list: Int, revision: Int) throws -> LogReader.ChangeRow? {
    try self("SELECT list, revision, entries, neighbours FROM change WHERE id = ?").first(id) {
      row in
      guard try row.integer(0) == list, try row.integer(1) == revision else { return nil }
      return LogReader.ChangeRow(
        id: id, entries: try row.withBytes(2) { [UInt8]($0) },
        neighbours: try row.withBytes(3) { [UInt8]($0) })
    } ?? nil
  }
}
