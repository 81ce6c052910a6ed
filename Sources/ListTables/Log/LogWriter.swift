import GRDB
import ListModel

/// Packs the changes of a commit into rows of `change`.
///
/// A row has as many changes as fill a page of the file. The entries are JSON, so that any program
/// with SQLite can look into them; a binary form measured the same in time and in bytes.
struct LogWriter {
  private let statements: Statements
  private let list: Int
  private let revision: Int
  private var entries = EntryWriter()
  private var neighbours = NeighboursWriter()
  /// Full rows that are written at the end; `nil` to write each when it is full.
  private var held: [(entries: [UInt8], neighbours: [UInt8])]?
  /// The first row; `nil` before it was written.
  private(set) var firstChange: Int?
  /// The bytes of all rows so far.
  private(set) var byteCount = 0

  /// With its numbers and SQLite's header, a row of so many bytes fills a page of 4,096 bytes.
  private static let maximumByteCount = 4_000
  /// The most bytes that the neighbours of an entry take, packed.
  private static let maximumNeighboursByteCount = 50

  /// Rows of a commit that is made.
  ///
  /// `isHeld`: Whether they are kept until ``finish()``, because the commit of another list writes
  /// rows meanwhile: a commit's rows have ids one after the other.
  init(_ rows: ListRows, isHeld: Bool) {
    held = isHeld ? [] : nil
    statements = rows.statements
    list = rows.id
    revision = rows.revision
  }

  mutating func append(
    _ entry: LogEntry, _ rows: WrittenRows, neighbours new: ArraySlice<Neighbours>, member: UInt64
  ) throws {
    let start = entries.count
    entries.append(entry, rows)
    let count = entries.count + neighbours.bytes.count + Self.maximumNeighboursByteCount
    if start > 0, count > Self.maximumByteCount {
      let last = entries.removeLast(from: start)
      try flush()
      entries.append(last)
    }
    neighbours.append(new, member: member)
  }

  /// Writes the rest.
  mutating func finish() throws {
    for row in held ?? [] { try write(row.entries, row.neighbours) }
    held = nil
    if entries.count > 0 { try flush() }
  }

  private mutating func flush() throws {
    entries.end()
    if held != nil {
      held?.append((entries.bytes, neighbours.bytes))
    } else {
      try write(entries.bytes, neighbours.bytes)
    }
    entries.removeAll()
    neighbours.removeAll()
  }

  private mutating func write(_ entries: [UInt8], _ neighbours: [UInt8]) throws {
    let insert = try statements(
      "INSERT INTO change (list, revision, entries, neighbours) VALUES (?, ?, ?, ?)")
    insert.bind(list, at: 1)
    insert.bind(revision, at: 2)
    insert.bind(StoreStatementText(utf8: entries), at: 3)
    insert.bind(neighbours, at: 4)
    try insert.run()
    if firstChange == nil { firstChange = Int(statements.db.lastInsertedRowID) }
    byteCount += entries.count + neighbours.count
  }
}

/// Writes entries as JSON: see <doc:/ListStore/LookingWithSQLite>.
struct EntryWriter {
  /// An array, which ``end()`` closes; empty without entries.
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ entry: LogEntry, _ rows: WrittenRows) {
    bytes.append(UInt8(ascii: bytes.isEmpty ? "[" : ","))
    bytes.append(UInt8(ascii: "["))
    append(digitsOf: entry.operation.rawValue)
    switch entry {
    case .insertItem(let item, let path):
      append(name: item.id.rawValue)
      append(path)
      append(rows.after)
    case .deleteItem(let item, let path):
      append(name: item.id.rawValue)
      append(path)
      append(rows.before)
    case .moveItem(let id, let from, let to):
      append(name: id.rawValue)
      append(from)
      append(to)
    case .updateItem(let id, let path, _, _):
      append(name: id.rawValue)
      append(path)
      append(rows.before)
      append(rows.after)
    case .touchItem(let id, let path):
      append(name: id.rawValue)
      append(path)
    case .insertSection(let id, let attributes, let index):
      append(name: id.rawValue)
      append(index)
      append(attributes)
    case .deleteSection(let section, let index):
      append(name: section.id.rawValue)
      append(index)
      append(section.attributes)
      append(rows.items)
    case .moveSection(let id, let from, let to):
      append(name: id.rawValue)
      append(from)
      append(to)
    case .updateSection(let id, let index, let before, let after):
      append(name: id.rawValue)
      append(index)
      append(before)
      append(after)
    case .updateList(let before, let after):
      append(json: Array((before ?? .null).text.utf8))
      append(json: Array((after ?? .null).text.utf8))
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Takes the last entry out again.
  ///
  /// `start`: How many bytes there were before it.
  mutating func removeLast(from start: Int) -> [UInt8] {
    defer { bytes.removeSubrange(start...) }
    return Array(bytes[(start + 1)...])
  }

  /// Appends an entry that was taken out.
  mutating func append(_ entry: [UInt8]) {
    bytes.append(UInt8(ascii: bytes.isEmpty ? "[" : ","))
    bytes += entry
  }

  mutating func end() { bytes.append(UInt8(ascii: "]")) }

  // MARK: Parts, each after a comma

  private mutating func append(name: String) {
    bytes.append(UInt8(ascii: ","))
    JSONWriter.append(quoted: name, to: &bytes)
  }

  private mutating func append(_ number: Int) {
    bytes.append(UInt8(ascii: ","))
    append(digitsOf: number)
  }

  private mutating func append(_ path: ItemPath) {
    append(path.section)
    append(path.item)
  }

  private mutating func append(_ state: StoredState?) {
    guard let state else { return }
    append(state.cell)
    append(state.contentRevision)
    append(state.content)
  }

  private mutating func append(_ attributes: SectionAttributes) {
    append(json: JSONWriter.utf8(ofObject: attributes.writeMembers))
  }

  private mutating func append(json: [UInt8]) {
    bytes.append(UInt8(ascii: ","))
    bytes += json
  }

  private mutating func append(
    _ items: [(quotedName: ArraySlice<UInt8>, state: StoredState)]
  ) {
    bytes.append(UInt8(ascii: ","))
    bytes.append(UInt8(ascii: "["))
    for (index, item) in items.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "["))
      bytes += item.quotedName
      append(item.state)
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func append(digitsOf number: Int) {
    if number < 10 {
      return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: max(0, number)))
    }
    let start = bytes.count
    var rest = number
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }
}
