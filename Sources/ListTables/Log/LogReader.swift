import GRDB
import ListModel

/// Reads the changes of commits from rows of `change`.
struct LogReader {
  private let statements: Statements
  /// `nil` if states are read without contents.
  private let contents: ItemContents?
  private let list: Int
  private let cellName: (Int) throws -> CellName

  /// An entry and what it was read from.
  struct LoggedEntry {
    var entry: LogEntry
    var hashes: EntryHashes
    var seams: [Seam]
  }

  /// `hasContents`: Whether states have their contents, types and actions; else their contents are
  /// `null`, and their hashes are not those of the log.
  init(_ rows: ListRows, hasContents: Bool = true) throws {
    statements = rows.statements
    contents = hasContents ? try ItemContents(rows.statements) : nil
    list = rows.id
    cellName = rows.cellName
  }

  /// Calls a closure with each entry of a commit.
  ///
  /// `first`: The commit's `firstChange`.
  func forEachEntry(
    ofRevision revision: Int, from first: Int?, _ body: (LoggedEntry) throws -> Void
  ) throws {
    try forEachRow(ofRevision: revision, from: first) { row in
      for entry in try entries(in: row) { try body(entry) }
    }
  }

  /// A row of `change`.
  struct ChangeRow {
    var id: Int
    var entries: [UInt8]
    var seams: [UInt8]
  }

  /// Calls a closure with each row of a commit.
  func forEachRow(
    ofRevision revision: Int, from first: Int?, _ body: (ChangeRow) throws -> Void
  ) throws {
    guard var id = first else { return }
    while let row = try statements.changeRow(id, list: list, revision: revision) {
      try body(row)
      guard id < Int.max else { return }
      id += 1
    }
    guard id != first else {
      throw DatabaseError.corrupt("the changes of revision \(revision) are missing")
    }
  }

  // MARK: Entries

  func entries(in row: ChangeRow) throws -> [LoggedEntry] {
    try row.entries.withUnsafeBytes { bytes in
      var entries: [LoggedEntry] = []
      var reader = EntryReader(bytes, of: .change(row.id))
      var seams = SeamReader(row.seams)
      while let number = try reader.nextEntry() {
        guard let operation = LogOperation(rawValue: number) else {
          throw FormatError("unknown operation \(number) in the log")
        }
        let entry = try self.entry(operation, &reader)
        let hashes = EntryHashes(entry)
        guard let own = seams.next(entry.seamCount, member: hashes.id) else {
          throw DatabaseError.corrupt("row \(row.id) of the log has too few seams")
        }
        entries.append(LoggedEntry(entry: entry, hashes: hashes, seams: own))
      }
      guard seams.isAtEnd else {
        throw DatabaseError.corrupt("row \(row.id) of the log has too many seams")
      }
      return entries
    }
  }

  /// Reads an entry behind its operation.
  func entry(_ operation: LogOperation, _ reader: inout EntryReader) throws -> LogEntry {
    let entry: LogEntry
    switch operation {
    case .insertItem:
      let id = try itemID(&reader)
      let path = try path(&reader)
      entry = .insertItem(Item(id: id, state: try state(&reader)), at: path)
    case .deleteItem:
      let id = try itemID(&reader)
      let path = try path(&reader)
      entry = .deleteItem(Item(id: id, state: try state(&reader)), at: path)
    case .moveItem:
      entry = .moveItem(try itemID(&reader), from: try path(&reader), to: try path(&reader))
    case .updateItem:
      let id = try itemID(&reader)
      let path = try path(&reader)
      entry = .updateItem(id, at: path, before: try state(&reader), after: try state(&reader))
    case .touchItem: entry = .touchItem(try itemID(&reader), at: try path(&reader))
    case .moveSection:
      entry = .moveSection(
        try sectionID(&reader), from: try reader.number(), to: try reader.number())
    case .insertSection, .deleteSection, .updateSection, .updateList:
      // Rare, and with any JSON in them.
      return try self.entry(operation, JSONNode(parsing: reader.rest(), maximumDepth: 44).array())
    }
    try reader.endEntry()
    return entry
  }

  private func itemID(_ reader: inout EntryReader) throws -> ItemID {
    let name = try reader.name()
    return try ItemID(reader.withBytes(of: name) { String(decoding: $0, as: UTF8.self) })
  }

  private func sectionID(_ reader: inout EntryReader) throws -> SectionID {
    let name = try reader.name()
    return try SectionID(reader.withBytes(of: name) { String(decoding: $0, as: UTF8.self) })
  }

  private func path(_ reader: inout EntryReader) throws -> ItemPath {
    ItemPath(section: try reader.number(), item: try reader.number())
  }

  private func state(_ reader: inout EntryReader) throws -> ItemState {
    try state(
      StoredState(
        cell: try reader.number(), contentRevision: try reader.number(),
        content: try reader.number()))
  }

  private func state(_ stored: StoredState) throws -> ItemState {
    let content = try contents?.content(stored.content)
    return ItemState(
      cell: try cellName(stored.cell), content: content?.content ?? .null, type: content?.type,
      action: content?.action, contentRevision: stored.contentRevision)
  }

  private func entry(_ operation: LogOperation, _ parts: [JSONNode]) throws -> LogEntry {
    func part(_ index: Int) throws(FormatError) -> JSONNode {
      guard parts.indices.contains(index) else {
        throw FormatError("an entry of the log is too short")
      }
      return parts[index]
    }
    func attributes(_ index: Int) throws(FormatError) -> SectionAttributes {
      try SectionAttributes(membersOf: part(index).object())
    }
    switch operation {
    case .insertSection:
      return .insertSection(
        try SectionID(part(1)), try attributes(3), at: try part(2).integer())
    case .deleteSection:
      return .deleteSection(
        ListTree.Section(
          id: try SectionID(part(1)), attributes: try attributes(3),
          items: try part(4).elements().map(item)), at: try part(2).integer())
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

  /// An item of a deleted section.
  private func item(_ node: JSONNode) throws -> Item {
    let parts = try node.array()
    guard parts.count == 4 else { throw FormatError("an item of the log is no item") }
    return Item(
      id: try ItemID(parts[0]),
      state: try state(
        StoredState(
          cell: try parts[1].integer(), contentRevision: try parts[2].integer(),
          content: try parts[3].integer())))
  }
}

// MARK: - Which contents the log names

/// The contents that an entry names, without the entry itself.
struct NamedContents {
  /// What was replaced or deleted by the entry, and is not there after it.
  var dropped: [Int] = []
  /// All others.
  var others: [Int] = []
  private(set) var entryCount = 0

  /// - Throws: `SQLITE_CORRUPT` if a row of the log can't be read.
  init(in row: LogReader.ChangeRow) throws {
    try row.entries.withUnsafeBytes { bytes in
      var reader = EntryReader(bytes, of: .change(row.id))
      while let operation = try reader.nextEntry() {
        entryCount += 1
        switch LogOperation(rawValue: operation) {
        case .insertItem: others.append(try Self.numbers(7, &reader)[4])
        case .deleteItem: dropped.append(try Self.numbers(7, &reader)[4])
        case .updateItem:
          let numbers = try Self.numbers(10, &reader)
          if numbers[4] != numbers[7] {
            dropped.append(numbers[4])
          }
          others.append(numbers[7])
        case .deleteSection:
          dropped += try Self.contents(ofDeletedSection: reader.rest())
        default: _ = try reader.rest()
        }
      }
    }
  }

  /// The contents that a deleted section had.
  static func contents(ofDeletedSection entry: [UInt8]) throws -> [Int] {
    let parts = try JSONNode(parsing: entry, maximumDepth: 44).array()
    return try (parts.last ?? JSONNode(parsing: [])).elements().compactMap {
      try $0.array().last?.integer()
    }
  }

  /// The numbers behind the name of an entry that has `count` parts.
  private static func numbers(_ count: Int, _ reader: inout EntryReader) throws -> [Int] {
    _ = try reader.name()
    let numbers = try (2..<count).map { _ in try reader.number() }
    try reader.endEntry()
    return numbers
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
        seams: try row.withBytes(3) { [UInt8]($0) })
    } ?? nil
  }
}
