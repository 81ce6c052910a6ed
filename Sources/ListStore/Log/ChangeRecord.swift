import GRDB
import ListModel

/// A log entry as a row of `change`.
struct ChangeRecord {
  var operation = ""
  var section: String?
  var item: String?
  var from: (section: Int?, item: Int?) = (nil, nil)
  var to: (section: Int?, item: Int?) = (nil, nil)
  /// JSON, in UTF-8.
  var before: [UInt8]?
  var after: [UInt8]?
  /// The neighbours of the places that it changed.
  var seams: [Seam] = []
}

// MARK: Writing

extension ChangeRecord {
  init(_ entry: LogEntry, seams: [Seam]) {
    self.init(entry)
    self.seams = seams
  }

  private init(_ entry: LogEntry) {
    switch entry {
    case .updateList(let old, let new):
      self.init(operation: "updateList")
      before = old.map { Array($0.text.utf8) }
      after = new.map { Array($0.text.utf8) }
    case .insertSection(let id, let attributes, let index):
      self.init(operation: "insertSection", section: id.rawValue)
      to = (index, nil)
      after = attributes.json
    case .deleteSection(let deleted, let index):
      self.init(operation: "deleteSection", section: deleted.id.rawValue)
      from = (index, nil)
      before = deleted.logJSON
    case .moveSection(let id, let source, let target):
      self.init(operation: "moveSection", section: id.rawValue)
      from = (source, nil)
      to = (target, nil)
    case .updateSection(let id, let index, let old, let new):
      self.init(operation: "updateSection", section: id.rawValue)
      from = (index, nil)
      before = old.json
      after = new.json
    case .insertItem(let inserted, let path):
      self.init(operation: "insertItem", item: inserted.id.rawValue)
      to = (path.section, path.item)
      after = inserted.state.json
    case .deleteItem(let deleted, let path):
      self.init(operation: "deleteItem", item: deleted.id.rawValue)
      from = (path.section, path.item)
      before = deleted.state.json
    case .moveItem(let id, let source, let target):
      self.init(operation: "moveItem", item: id.rawValue)
      from = (source.section, source.item)
      to = (target.section, target.item)
    case .updateItem(let id, let path, let old, let new):
      self.init(operation: "updateItem", item: id.rawValue)
      from = (path.section, path.item)
      before = old.json
      after = new.json
    case .touchItem(let id, let path):
      self.init(operation: "touchItem", item: id.rawValue)
      from = (path.section, path.item)
    }
  }

  func insert(_ statements: Statements, list: Int, revision: Int, ordinal: Int) throws {
    let insert = try statements(
      """
      INSERT INTO change (list, revision, ordinal, operation, section, item, fromSection,
        fromItem, toSection, toItem, before, after, seams)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    insert.bind(list, at: 1)
    insert.bind(revision, at: 2)
    insert.bind(ordinal, at: 3)
    insert.bind(operation, at: 4)
    insert.bind(section, at: 5)
    insert.bind(item, at: 6)
    insert.bind(from.section, at: 7)
    insert.bind(from.item, at: 8)
    insert.bind(to.section, at: 9)
    insert.bind(to.item, at: 10)
    insert.bind(before.map(StoreStatementText.init), at: 11)
    insert.bind(after.map(StoreStatementText.init), at: 12)
    insert.bind(seams.isEmpty ? nil : seams.bytes, at: 13)
    try insert.run()
  }
}

// MARK: Reading

extension ChangeRecord {
  /// Reads operation, section, item, fromSection, fromItem, toSection, toItem, before, after,
  /// seams.
  init(_ row: StatementRow) throws {
    operation = try row.text(0)
    section = try row.textIfPresent(1)
    item = try row.textIfPresent(2)
    from = (try row.integerIfPresent(3), try row.integerIfPresent(4))
    to = (try row.integerIfPresent(5), try row.integerIfPresent(6))
    before = row.isNull(7) ? nil : try row.withBytes(7) { [UInt8]($0) }
    after = row.isNull(8) ? nil : try row.withBytes(8) { [UInt8]($0) }
    if !row.isNull(9) { seams = try row.withBytes(9) { [Seam]($0) } }
  }

  /// - Throws: ``/ListModel/FormatError`` if the row does not hold what its operation needs.
  func entry() throws(FormatError) -> LogEntry {
    switch operation {
    case "updateList": .updateList(before: try meta(before), after: try meta(after))
    case "insertSection":
      .insertSection(try sectionID(), try attributes(after), at: try number(to.section))
    case "deleteSection":
      .deleteSection(
        try ListTree.Section(id: sectionID(), logJSON: known(before)), at: try number(from.section))
    case "moveSection":
      .moveSection(try sectionID(), from: try number(from.section), to: try number(to.section))
    case "updateSection":
      .updateSection(
        try sectionID(), at: try number(from.section), before: try attributes(before),
        after: try attributes(after))
    case "insertItem": .insertItem(try itemWith(after), at: try path(to))
    case "deleteItem": .deleteItem(try itemWith(before), at: try path(from))
    case "moveItem": .moveItem(try itemID(), from: try path(from), to: try path(to))
    case "updateItem":
      .updateItem(
        try itemID(), at: try path(from), before: try state(before), after: try state(after))
    case "touchItem": .touchItem(try itemID(), at: try path(from))
    default: throw FormatError("unknown operation \"\(operation)\" in the log")
    }
  }

  private func known<Value>(_ value: Value?) throws(FormatError) -> Value {
    guard let value else { throw FormatError("\(operation) misses a column in the log") }
    return value
  }

  private func node(_ json: [UInt8]?) throws(FormatError) -> JSONNode {
    try JSONNode(loggedIn: known(json))
  }

  private func number(_ value: Int?) throws(FormatError) -> Int { try known(value) }
  private func sectionID() throws(FormatError) -> SectionID { try SectionID(known(section)) }
  private func itemID() throws(FormatError) -> ItemID { try ItemID(known(item)) }

  private func path(_ place: (section: Int?, item: Int?)) throws(FormatError) -> ItemPath {
    ItemPath(section: try known(place.section), item: try known(place.item))
  }

  private func meta(_ json: [UInt8]?) throws(FormatError) -> JSON? {
    try json.map { json throws(FormatError) in try JSONNode(loggedIn: json).value() }
  }

  private func attributes(_ json: [UInt8]?) throws(FormatError) -> SectionAttributes {
    try SectionAttributes(membersOf: node(json).object())
  }

  private func state(_ json: [UInt8]?) throws(FormatError) -> ItemState {
    try ItemState(loggedIn: node(json))
  }

  private func itemWith(_ json: [UInt8]?) throws(FormatError) -> Item {
    Item(id: try itemID(), state: try state(json))
  }
}

// MARK: States in the log: as in a tree, and with the content revision

extension SectionAttributes {
  fileprivate var json: [UInt8] { JSONWriter.utf8(ofObject: writeMembers) }
}

extension ItemState {
  fileprivate var json: [UInt8] { JSONWriter.utf8(ofObject: writeLogMembers) }

  fileprivate func writeLogMembers(to writer: inout JSONWriter) {
    writeMembers(to: &writer)
    writer.member("contentRevision", contentRevision)
  }

  fileprivate init(loggedIn node: JSONNode) throws(FormatError) {
    let object = try node.object()
    try self.init(membersOf: object)
    contentRevision = try object.required("contentRevision") { node throws(FormatError) in
      try node.integer()
    }
  }
}

extension ListTree.Section {
  fileprivate var logJSON: [UInt8] {
    JSONWriter.utf8 { writer in
      attributes.writeMembers(to: &writer)
      writer.member("items", array: items) { writer, item in
        writer.object { writer in
          writer.member("id", item.id.rawValue)
          item.state.writeLogMembers(to: &writer)
        }
      }
    }
  }

  fileprivate init(id: SectionID, logJSON: [UInt8]) throws(FormatError) {
    let object = try JSONNode(loggedIn: logJSON).object()
    var items: [Item] = []
    for element in try object.required("items").array() {
      let itemID = try element.object().required("id") { node throws(FormatError) in
        try ItemID(node)
      }
      items.append(Item(id: itemID, state: try ItemState(loggedIn: element)))
    }
    self.init(id: id, attributes: try SectionAttributes(membersOf: object), items: items)
  }
}

extension JSONNode {
  /// Reads a state in the log: content of the greatest depth, a few levels down.
  fileprivate init(loggedIn json: [UInt8]) throws(FormatError) {
    try self.init(parsing: json, maximumDepth: 40)
  }
}

// MARK: Seams: three numbers each, of 8 bytes, the highest first

extension [Seam] {
  var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count * 24) { bytes, byteCount in
      let bytes = UnsafeMutableRawBufferPointer(bytes)
      for seam in self {
        for number in [seam.parent, seam.previous, seam.next] {
          bytes.storeBytes(of: number.bigEndian, toByteOffset: byteCount, as: UInt64.self)
          byteCount += 8
        }
      }
    }
  }

  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    func number(at offset: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    self = stride(from: 0, to: bytes.count - 23, by: 24).map { offset in
      Seam(
        parent: number(at: offset), previous: number(at: offset + 8),
        next: number(at: offset + 16))
    }
  }
}
