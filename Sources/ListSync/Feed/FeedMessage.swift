import BatchUpdates
import ListModel

/// A line of a feed that is about a list, parsed; <doc:FeedFormat> has the shapes.
struct FeedMessage {
  /// The feed's name for the list.
  let list: ListID
  let author: Author
  /// In milliseconds since 1970.
  let time: Int?
  /// From 1; 0 for a reset.
  let sequence: Int
  let content: Content

  /// The operation that the line describes.
  enum Content {
    /// One commit.
    case commit([Change])
    /// The whole list at the sequence number.
    case snapshot([ListTree.Section], meta: FieldUpdate<JSON?>)
    /// The list becomes empty, and its sequence numbers start over.
    case reset
  }

  /// The most operations in a commit.
  static let maximumOperationCount = 100_000
  /// The most sections in a snapshot, because its commit may insert each of them.
  ///
  /// Only the length of the line limits the items: about 450,000 of them make 16 MiB.
  static let maximumSectionCount = 100_000

  /// - Returns: `nil` for a line that is about no list, such as a greeting.
  init?(parsing line: [UInt8]) throws(FormatError) {
    let object = try JSONNode(parsing: line).object()
    let kind = try object.required("t") { node throws(FormatError) in try node.string() }
    guard ["commit", "snapshot", "reset"].contains(kind) else { return nil }
    list = try object.required("list") { node throws(FormatError) in try ListID(node) }
    author =
      try object.optional("by") { node throws(FormatError) in try Author(node.string()) } ?? .feed
    time = try object.optional("at") { node throws(FormatError) in try node.integer() }
    switch kind {
    case "commit":
      sequence = try Self.sequence(object)
      content = .commit(
        try object.required("ops") { node throws(FormatError) in
          try Self.changes(node.elements())
        })
    case "snapshot":
      sequence = try Self.sequence(object)
      content = .snapshot(
        try object.required("sections") { node throws(FormatError) in try Self.sections(node) },
        meta: try object.update("meta") { node throws(FormatError) in node.value() })
    default:
      sequence = 0
      content = .reset
    }
  }

  /// Whether the line holds the whole list.
  var isSnapshot: Bool { if case .snapshot = content { true } else { false } }

  /// The changes that apply the line to a list.
  ///
  /// `current`: Reads the list as it is. A commit does not need it.
  func changes(_ current: () throws -> ListTree) throws -> [Change] {
    switch content {
    case .commit(let changes): changes
    case .snapshot(let sections, let meta): try current().changes(to: sections, meta: meta)
    case .reset: try current().changes(to: [], meta: .set(nil))
    }
  }

  private static func sequence(_ object: JSONObject) throws(FormatError) -> Int {
    try object.required("seq") { node throws(FormatError) in try node.sequenceNumber(from: 1) }
  }

  private static func sections(_ node: JSONNode) throws(FormatError) -> [ListTree.Section] {
    let count = try node.elements().count()
    guard count <= maximumSectionCount else {
      throw FormatError(
        "\(count) sections; a snapshot has at most \(maximumSectionCount)", isBeyondLimit: true)
    }
    return try ListTree.sections(node)
  }

  private static func changes(_ operations: JSONNode.Elements) throws(FormatError) -> [Change] {
    let count = operations.count()
    guard count <= maximumOperationCount else {
      throw FormatError(
        "\(count) operations; a commit has at most \(maximumOperationCount)",
        isBeyondLimit: true)
    }
    var changes: [Change] = []
    changes.reserveCapacity(count)
    for (index, operation) in operations.enumerated() {
      do throws(FormatError) { changes.append(try Change(feedOperation: operation)) } catch {
        throw error.inside("[\(index)]")
      }
    }
    return changes
  }
}

// MARK: Operations

extension Change {
  /// Reads one element of a commit's `ops`.
  fileprivate init(feedOperation node: JSONNode) throws(FormatError) {
    let object = try node.object()
    let name = try object.required("op") { node throws(FormatError) in try node.string() }
    switch name {
    case "updateList":
      self = .updateList(meta: try object.required("meta").value())
    case "insertSection":
      self = .insertSection(
        try object.section(), try SectionAttributes(membersOf: object), at: try object.place())
    case "deleteSection": self = .deleteSection(try object.section())
    case "moveSection": self = .moveSection(try object.section(), to: try object.place())
    case "updateSection":
      self = .updateSection(
        try object.section(), try SectionUpdate(membersOf: object))
    case "insertItem":
      self = .insertItem(
        Item(id: try object.item(), state: try ItemState(membersOf: object)),
        in: try object.section(), at: try object.place())
    case "deleteItem": self = .deleteItem(try object.item())
    case "touchItem": self = .touchItem(try object.item())
    case "moveItem":
      self = .moveItem(
        try object.item(),
        in: try object.optional("section") { node throws(FormatError) in try SectionID(node) },
        to: try object.place())
    case "updateItem":
      self = .updateItem(
        try object.item(),
        ItemUpdate(
          cell: try object.replacement("cell") { node throws(FormatError) in try CellName(node) },
          content: try object.replacement("content") { node throws(FormatError) in node.value() },
          type: try object.update("type") { node throws(FormatError) in try TypeName(node) },
          action: try object.update("action") { node throws(FormatError) in try Action(node) }))
    default:
      throw FormatError(
        "unknown operation \(ShownText.quoted(name)); expected insertSection, deleteSection, "
          + "moveSection, updateSection, insertItem, deleteItem, moveItem, updateItem, touchItem or "
          + "updateList",
        at: "op")
    }
  }
}

extension JSONObject {
  fileprivate func section() throws(FormatError) -> SectionID {
    try required("section") { node throws(FormatError) in try SectionID(node) }
  }

  fileprivate func item() throws(FormatError) -> ItemID {
    try required("item") { node throws(FormatError) in try ItemID(node) }
  }

  /// Reads a member that replaces a value which can't be removed.
  fileprivate func replacement<Value>(
    _ name: String, _ read: (JSONNode) throws(FormatError) -> Value
  ) throws(FormatError) -> FieldUpdate<Value> {
    let value = try optional(name, read)
    return if let value { .set(value) } else { .unchanged }
  }

  /// Reads where something goes: at most one of `after`, `before` and `index`.
  fileprivate func place<Tag>() throws(FormatError) -> Place<Identifier<Tag>> {
    let names = ["after", "before", "index"]
    var given: [String] = []
    for name in names where try optional(name) != nil { given.append(name) }
    guard given.count <= 1 else {
      throw FormatError(
        "expected at most one of after, before and index, found \(given.joined(separator: " and "))"
      )
    }
    func anchor(_ node: JSONNode) throws(FormatError) -> Identifier<Tag>? {
      try node.unlessNull { node throws(FormatError) in try Identifier<Tag>(node) }
    }
    if let after = try optional("after", anchor) {
      return if let after { .after(after) } else { .start }
    }
    if let before = try optional("before", anchor) {
      return if let before { .before(before) } else { .end }
    }
    let index = try optional("index") { node throws(FormatError) in try node.integer() }
    return if let index { .index(index) } else { .end }
  }
}
