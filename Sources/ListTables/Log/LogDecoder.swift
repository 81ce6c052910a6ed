import GRDB
import ListModel

/// Reads the entries of a row of `change`, whose form <doc:/ListStore/LookingWithSQLite> tells.
///
/// Nothing else knows which part of an entry is where, but ``LogWriter``.
struct LogDecoder {
  private var reader: EntryReader

  /// `row`: The row's id.
  init(_ bytes: UnsafeRawBufferPointer, ofRow row: Int) {
    reader = EntryReader(bytes, of: .change(row))
  }

  /// - Returns: The next entry; `nil` after the last one.
  /// - Throws: `SQLITE_CORRUPT` or ``/ListModel/FormatError`` if the row is damaged.
  mutating func next() throws -> StoredEntry? {
    guard let number = try reader.nextEntry() else { return nil }
    guard let operation = LogOperation(rawValue: number) else {
      throw FormatError("unknown operation \(number) in the log")
    }
    var entry = StoredEntry(operation: operation)
    switch operation {
    case .insertItem:
      entry.name = try reader.name()
      entry.places.to = try path()
      entry.after = try state()
    case .deleteItem:
      entry.name = try reader.name()
      entry.places.from = try path()
      entry.before = try state()
    case .moveItem:
      entry.name = try reader.name()
      entry.places = (try path(), try path())
    case .updateItem:
      entry.name = try reader.name()
      entry.places.from = try path()
      entry.before = try state()
      entry.after = try state()
    case .touchItem:
      entry.name = try reader.name()
      entry.places.from = try path()
    case .moveSection:
      entry.name = try reader.name()
      entry.places = ((try reader.number(), nil), (try reader.number(), nil))
    case .insertSection, .deleteSection, .updateSection, .updateList:
      // Rare, and with any JSON in them.
      entry.json = try reader.rest()
      return entry
    }
    try reader.endEntry()
    return entry
  }

  private mutating func path() throws -> (section: Int, item: Int?) {
    (try reader.number(), try reader.number())
  }

  private mutating func state() throws -> StoredState {
    StoredState(
      cell: try reader.number(), contentRevision: try reader.number(),
      content: try reader.number())
  }

  /// The bytes of the name in an entry.
  func withName<Result>(
    of entry: StoredEntry, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try reader.withBytes(of: entry.name, body)
  }

  /// The name in an entry.
  func name(of entry: StoredEntry) -> String {
    withName(of: entry) { String(decoding: $0, as: UTF8.self) }
  }
}

/// An entry as the log stores it: with the rows of states instead of the states.
struct StoredEntry {
  let operation: LogOperation
  /// The name of its item or section, if it has no ``json``.
  fileprivate(set) var name = EntryReader.Name.plain(0..<0)
  fileprivate(set) var places: LogEntry.Places = (nil, nil)
  /// Of an item.
  fileprivate(set) var before: StoredState?
  fileprivate(set) var after: StoredState?
  /// The whole entry if it has attributes of a section, or the list's own data.
  fileprivate(set) var json: [UInt8] = []

  /// Whether it is about one item.
  var isOfItem: Bool { operation.isOfItem }

  /// How many neighbours of places it has, if it is about an item: see ``LogEntry/placeCount``.
  var placeCount: Int {
    switch operation {
    case .insertItem, .deleteItem: 1
    case .moveItem:
      places.from?.section == places.to?.section && places.from?.item == places.to?.item ? 0 : 2
    default: 0
    }
  }

  /// The parts of ``json``; sections may nest deeper than contents.
  func parts() throws -> [JSONNode] { try JSONNode(parsing: json, maximumDepth: 44).array() }

  /// The items of a deleted section, with the rows of their states.
  func items() throws -> [(id: JSONNode, state: StoredState)] {
    guard operation == .deleteSection, let items = try parts().last else { return [] }
    return try items.elements().map { item in
      let parts = try item.array()
      guard parts.count == 4 else { throw FormatError("an item of the log is no item") }
      return (
        parts[0],
        StoredState(
          cell: try parts[1].integer(), contentRevision: try parts[2].integer(),
          content: try parts[3].integer())
      )
    }
  }
}

// MARK: - Which contents the log names

/// The contents that a row of the log names.
struct NamedContents {
  /// What was replaced or deleted by an entry, and is not there after it.
  private(set) var dropped: [Int] = []
  /// All others.
  private(set) var others: [Int] = []
  private(set) var entryCount = 0

  /// - Throws: `SQLITE_CORRUPT` or ``/ListModel/FormatError`` if the row is damaged.
  init(in row: LogReader.ChangeRow) throws {
    try row.entries.withUnsafeBytes { bytes in
      var decoder = LogDecoder(bytes, ofRow: row.id)
      while let entry = try decoder.next() {
        entryCount += 1
        if let before = entry.before?.content, before != entry.after?.content {
          dropped.append(before)
        }
        if let after = entry.after?.content { others.append(after) }
        if !entry.json.isEmpty { dropped += try entry.items().map(\.state.content) }
      }
    }
  }
}
