import ListModel

extension LogPacking {
  /// A row of `change` of version 6, as long as the statement that reads it is there.
  struct OldChange {
    let operation: String
    let section: ColumnBytes?
    let item: ColumnBytes?
    let fromSection: Int?
    let fromItem: Int?
    let toSection: Int?
    let toItem: Int?
    let before: ColumnBytes?
    let after: ColumnBytes?
    /// `nil` if they are missing, as in a log of version 1.
    private(set) var seams: [Seam]?

    init(_ row: PackingStatement) {
      operation = row.bytes(2).map { String(decoding: $0, as: UTF8.self) } ?? ""
      (section, item) = (row.bytes(3), row.bytes(4))
      (fromSection, fromItem) = (row.integer(5), row.integer(6))
      (toSection, toItem) = (row.integer(7), row.integer(8))
      (before, after) = (row.bytes(9), row.bytes(10))
      let count = seamCount
      if count == 0 {
        seams = []
      } else if let bytes = row.bytes(11), bytes.count / 24 == count {
        seams = (0..<count).map { Seam(bytes, at: $0 * 24) }
      }
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
    func object(_ json: ColumnBytes?) throws(FormatError) -> String {
      let node = try JSONNode(loggedIn: Array(known(json)))
      _ = try node.object()
      return node.value().text
    }
  }

  /// The state of an item in the log of version 6.
  struct OldState {
    private(set) var cell: [UInt8] = []
    private(set) var content: [UInt8] = []
    private(set) var type: [UInt8]?
    private(set) var action: [UInt8]?
    private(set) var contentRevision = 0

    init(_ json: ColumnBytes) throws(FormatError) {
      if let state = OldState(asWritten: json) {
        self = state
      } else {
        try self.init(JSONNode(loggedIn: Array(json)).object())
      }
    }

    init(_ object: JSONObject) throws(FormatError) {
      cell = Array(try object.required("cell").string().utf8)
      content = Array(try object.required("content").value().text.utf8)
      type = try object.nullable("type", as: String.self).map { Array($0.utf8) }
      action = try object.nullable("action", as: JSON.self).map { Array($0.text.utf8) }
      contentRevision = try object.required("contentRevision")
    }

    /// Reads a state as Cellar wrote it; `nil` for another one that means the same.
    private init?(asWritten json: ColumnBytes) {
      let state = json.withMemoryRebound(to: UInt8.self) { bytes -> OldState? in
        var reader = JSONLayoutReader(bytes)
        var state = OldState()
        guard reader.take("{\"cell\":"), let cell = reader.string(),
          reader.take(",\"content\":"), let content = reader.value(maximumDepth: Self.maximumDepth)
        else { return nil }
        (state.cell, state.content) = (cell, content)
        if reader.take(",\"type\":") {
          guard let type = reader.string() else { return nil }
          state.type = type
        }
        if reader.take(",\"action\":") {
          guard let action = reader.value(maximumDepth: Self.maximumDepth), action != Self.null
          else { return nil }
          state.action = action
        }
        guard reader.take(",\"contentRevision\":"), let contentRevision = reader.integer(),
          reader.take("}"), reader.isAtEnd
        else { return nil }
        state.contentRevision = contentRevision
        return state
      }
      guard let state else { return nil }
      self = state
    }

    private init() {}

    /// One level less than of the object around it.
    private static let maximumDepth = JSONNode.loggedDepth - 1
    private static let null = Array("null".utf8)

    func holdsSame(as other: OldState) -> Bool {
      content == other.content && (type ?? []) == (other.type ?? [])
        && (action ?? []) == (other.action ?? [])
    }
  }
}

extension JSONNode {
  /// Content of the greatest depth, a few levels down.
  static let loggedDepth = 40

  /// Reads a state in the log.
  init(loggedIn json: [UInt8]) throws(FormatError) {
    try self.init(parsing: json, maximumDepth: Self.loggedDepth)
  }
}

extension Seam {
  /// Three numbers, the highest bytes first.
  fileprivate init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    func hash(_ part: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + part * 8, as: UInt64.self))
    }
    self.init(parent: hash(0), previous: hash(1), next: hash(2))
  }
}
