import ListModel

extension LogPacking {
  /// A row of `change` of version 6.
  struct OldChange {
    var operation: String
    var section: String?
    var item: String?
    var fromSection: Int?
    var fromItem: Int?
    var toSection: Int?
    var toItem: Int?
    var before: [UInt8]?
    var after: [UInt8]?
    /// `nil` if they are missing, as in a log of version 1.
    var seams: [Seam]?

    init(_ row: PackingStatement) {
      operation = row.text(2) ?? ""
      section = row.text(3)
      item = row.text(4)
      (fromSection, fromItem) = (row.integer(5), row.integer(6))
      (toSection, toItem) = (row.integer(7), row.integer(8))
      (before, after) = (row.bytes(9), row.bytes(10))
      seams = row.bytes(11).map { bytes in
        stride(from: 0, to: bytes.count - 23, by: 24).map { start in
          func hash(_ offset: Int) -> UInt64 {
            bytes[(start + offset)..<(start + offset + 8)].reduce(0) { $0 << 8 | UInt64($1) }
          }
          return Seam(parent: hash(0), previous: hash(8), next: hash(16))
        }
      }
      if seamCount == 0 { seams = [] } else if seams?.count != seamCount { seams = nil }
    }

    /// How many seams it should have.
    private var seamCount: Int {
      switch operation {
      case "insertItem", "deleteItem", "insertSection", "deleteSection": 1
      case "moveItem", "moveSection":
        fromSection == toSection && fromItem == toItem ? 0 : 2
      default: 0
      }
    }

    func known<Value>(_ value: Value?) throws(FormatError) -> Value {
      guard let value else { throw FormatError("\(operation) misses a column in the log") }
      return value
    }

    /// The text of an object.
    func object(_ json: [UInt8]?) throws(FormatError) -> String {
      let node = try JSONNode(loggedIn: known(json))
      _ = try node.object()
      return node.value().text
    }
  }

  /// The state of an item in the log of version 6.
  struct OldState {
    var cell: String
    var content: String
    var type: String?
    var action: String?
    var contentRevision: Int

    init(_ json: [UInt8]) throws(FormatError) {
      try self.init(JSONNode(loggedIn: json).object())
    }

    init(_ object: JSONObject) throws(FormatError) {
      cell = try object.required("cell").string()
      content = try object.required("content").value().text
      type = try object.nullable("type") { node throws(FormatError) in try node.string() }
      action = try object.nullable("action") { node throws(FormatError) in node.value().text }
      contentRevision = try object.required("contentRevision") { node throws(FormatError) in
        try node.integer()
      }
    }

    func holdsSame(as other: OldState) -> Bool {
      content.utf8.elementsEqual(other.content.utf8)
        && (type ?? "").utf8.elementsEqual((other.type ?? "").utf8)
        && (action ?? "").utf8.elementsEqual((other.action ?? "").utf8)
    }
  }

  /// An entry as it is in a row of `change`.
  struct Entry {
    var json: [UInt8]
    /// `nil` if some are not known.
    var seams: [Seam]? = []
    /// The hash of the section or item that it names.
    var member = Seam.none
  }

  /// The row of `change` that is being filled, from its end.
  struct Chunk {
    var list = 0
    var revision = 0
    private(set) var entries: [Entry] = []
    private var byteCount = 0

    /// With its list, its revision and SQLite's header, a row of so many bytes fills a page.
    private static let maximumByteCount = 3_900

    func hasRoom(for entry: Entry) -> Bool {
      entries.isEmpty || byteCount + Self.byteCount(of: entry) <= Self.maximumByteCount
    }

    /// Seams are counted as they are behind one another; what differs takes more.
    private static func byteCount(of entry: Entry) -> Int {
      entry.json.count + 1 + (entry.seams ?? []).count * 2
    }

    mutating func append(_ entry: Entry) {
      byteCount += Self.byteCount(of: entry)
      // Hashes that do not follow from the entry before, which is the next one to come.
      if let last = entries.last, let seam = last.seams?.first, seam.previous != entry.member {
        byteCount += 16
      }
      entries.append(entry)
    }

    mutating func removeEntries() {
      entries = []
      byteCount = 0
    }

    var json: [UInt8] {
      var json: [UInt8] = [UInt8(ascii: "[")]
      for entry in entries.reversed() {
        if json.count > 1 { json.append(UInt8(ascii: ",")) }
        json += entry.json
      }
      json.append(UInt8(ascii: "]"))
      return json
    }

    /// `nil` if those of an entry are missing.
    var seams: [UInt8]? {
      var writer = SeamWriter()
      for entry in entries.reversed() {
        guard let seams = entry.seams else { return nil }
        writer.append(seams, member: entry.member)
      }
      return writer.bytes
    }
  }

  /// The text of an entry.
  struct EntryText {
    private var bytes: [UInt8] = []

    mutating func begin(_ operation: Int, name: String? = nil) {
      bytes.append(UInt8(ascii: "["))
      bytes += Array(String(operation).utf8)
      if let name {
        bytes.append(UInt8(ascii: ","))
        bytes += JSONWriter.quotedUTF8(name)
      }
    }

    mutating func append(_ numbers: Int...) {
      for number in numbers { append(json: String(number)) }
    }

    mutating func append(json: String) {
      bytes.append(UInt8(ascii: ","))
      bytes += Array(json.utf8)
    }

    mutating func beginArray() { bytes += [UInt8(ascii: ","), UInt8(ascii: "[")] }

    mutating func beginItem(name: String) {
      if bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "["))
      bytes += JSONWriter.quotedUTF8(name)
    }

    mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    mutating func end() -> [UInt8] {
      endArray()
      return bytes
    }
  }
}

extension JSONNode {
  /// Reads a state in the log: content of the greatest depth, a few levels down.
  init(loggedIn json: [UInt8]) throws(FormatError) {
    try self.init(parsing: json, maximumDepth: 40)
  }
}
