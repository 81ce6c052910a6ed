import GRDB
import ListModel
import ListOrder

/// A list as it was at the beginning of its log, by the rows of its items.
///
/// The log is taken back from the list of now, entry by entry, at the paths that it carries. No
/// content is read for that. Items are numbers: those of now in their order, then those that came
/// back. So memory is needed for what changed since, however long the list is.
struct LogRewind {
  private let rows: ListRows
  /// Reads entries without contents.
  private let log: LogReader
  /// Reads states with their contents.
  private let contents: LogReader
  /// The sections of now, each with the number of its first item.
  private var head: [(first: Int, section: SectionRow)] = []
  /// How many items the list has now.
  private var count = 0
  /// Items that were deleted since.
  private var revived: [(name: String, state: StoredState)] = []
  /// States of items that were changed since.
  private var states: [Int: StoredState] = [:]
  private var order = OrderReader()
  private var leaf: (first: Int, members: [(name: String, state: StoredState)]) = (0, [])
  /// The list's own data.
  private(set) var meta: JSON?
  /// The sections in their order.
  private(set) var sections: [Section]

  struct Section {
    var id: SectionID
    var attributes: SectionAttributes
    /// The numbers of its items.
    fileprivate var items: IntegerSequence
  }

  /// Takes back the whole log of a list.
  ///
  /// - Throws: `SQLITE_CORRUPT` or ``/ListModel/FormatError`` if the log does not lead back.
  /// - Complexity: O(*s* + *k* log *k*), *s* sections, *k* changes.
  init(_ rows: ListRows) throws {
    self.rows = rows
    log = try LogReader(rows, hasContents: false)
    contents = try LogReader(rows)
    meta = try rows.listMeta()
    sections = []
    try rows.forEachSection { section in
      let items = IntegerSequence(count..<count + section.itemCount)
      sections.append(
        Section(
          id: section.section, attributes: try rows.attributes(of: section.id), items: items))
      head.append((count, section))
      count += section.itemCount
    }
    var revision = rows.revision
    try rows.forEachCommitBackwards(downTo: rows.logFloor) { commit in
      guard commit.revision == revision else { throw Self.missing(revision) }
      try revert(commit)
      revision -= 1
    }
    guard revision == rows.logFloor else { throw Self.missing(revision) }
  }

  private static func missing(_ revision: Int) -> DatabaseError {
    .corrupt("revision \(revision) is not in the log")
  }

  // MARK: Back

  private mutating func revert(_ commit: LoggedCommit) throws {
    var ids: [Int] = []
    try log.forEachRow(of: commit) { ids.append($0.id) }
    for id in ids.reversed() {
      let row = try rows.statements.changeRow(id, list: rows.id, revision: commit.revision)
      guard let row else { throw Self.missing(commit.revision) }
      try row.entries.withUnsafeBytes { bytes in
        var decoder = LogDecoder(bytes, ofRow: id)
        var entries: [StoredEntry] = []
        while let entry = try decoder.next() { entries.append(entry) }
        for entry in entries.reversed() { try revert(entry, decoder) }
      }
    }
  }

  private mutating func revert(_ stored: StoredEntry, _ decoder: LogDecoder) throws {
    switch stored.operation {
    case .insertItem: _ = try removeItem(at: stored.places.to)
    case .deleteItem:
      guard let state = stored.before else { break }
      try insert(revive(decoder.name(of: stored), state), at: stored.places.from)
    case .moveItem:
      try insert(removeItem(at: stored.places.to), at: stored.places.from)
    case .updateItem:
      let path = try path(stored.places.from)
      states[sections[path.section].items[path.item]] = stored.before
    case .touchItem: break
    case .insertSection, .deleteSection, .moveSection, .updateSection, .updateList:
      try revert(log.entry(stored, decoder), stored)
    }
  }

  private mutating func revert(_ entry: LogEntry, _ stored: StoredEntry) throws {
    switch entry {
    case .updateList(let before, _): meta = before
    case .insertSection(_, _, let index): _ = try removeSection(at: index)
    case .deleteSection(let section, let index):
      var items = IntegerSequence()
      for (item, (_, state)) in zip(section.items, try stored.items()) {
        items.insert(revive(item.id.rawValue, state), at: items.count)
      }
      try insert(
        Section(id: section.id, attributes: section.attributes, items: items), at: index)
    case .moveSection(_, let from, let to): try insert(removeSection(at: to), at: from)
    case .updateSection(_, let index, let before, _):
      try expect(index, in: sections.indices)
      sections[index].attributes = before
    case .insertItem, .deleteItem, .moveItem, .updateItem, .touchItem: break
    }
  }

  private mutating func revive(_ name: String, _ state: StoredState) -> Int {
    revived.append((name, state))
    return count + revived.count - 1
  }

  private mutating func removeItem(at place: Place) throws -> Int {
    let path = try path(place)
    return sections[path.section].items.remove(at: path.item)
  }

  private mutating func insert(_ item: Int, at place: Place) throws {
    let path = try path(place, room: 1)
    sections[path.section].items.insert(item, at: path.item)
  }

  private typealias Place = (section: Int, item: Int?)?

  /// A place of an item, which must be there; for an item that is inserted there is `room`.
  private func path(_ place: Place, room: Int = 0) throws -> ItemPath {
    let path = ItemPath(section: place?.section ?? -1, item: place?.item ?? -1)
    try expect(path.section, in: sections.indices)
    try expect(path.item, in: 0..<sections[path.section].items.count + room)
    return path
  }

  private mutating func removeSection(at index: Int) throws -> Section {
    try expect(index, in: sections.indices)
    return sections.remove(at: index)
  }

  private mutating func insert(_ section: Section, at index: Int) throws {
    try expect(index, in: 0..<sections.count + 1)
    sections.insert(section, at: index)
  }

  private func expect(_ index: Int, in range: Range<Int>) throws {
    guard range.contains(index) else {
      throw DatabaseError.corrupt("an entry of the log does not fit at \(index)")
    }
  }

  // MARK: Items

  /// Calls a closure with the items of a section, in order; one content at a time is in memory.
  mutating func forEachItem(of section: Section, _ body: (Item) throws -> Void) throws {
    for run in section.items.runs {
      for number in run.first..<run.first + run.count {
        let (name, state) = try number < count ? member(number) : revived[number - count]
        try body(
          Item(id: try ItemID(name), state: try contents.state(states[number] ?? state)))
      }
    }
  }

  /// An item of now; reads a block when another one is asked for.
  private mutating func member(_ number: Int) throws -> (name: String, state: StoredState) {
    if !(leaf.first..<leaf.first + leaf.members.count).contains(number) {
      let (first, section) = head[head.partitioningIndex { $0.first > number } - 1]
      let placed = try order.placedBlock(
        holding: number - first, root: section.root, count: section.itemCount, rows.statements)
      leaf = (first + placed.start, [])
      try order.forEachItem(in: placed, rows.statements) { _, name, state in
        leaf.members.append((String(decoding: name, as: UTF8.self), state))
      }
      try expect(number - leaf.first, in: leaf.members.indices)
    }
    return leaf.members[number - leaf.first]
  }
}
