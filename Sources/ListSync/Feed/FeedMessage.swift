import BatchUpdates
package import ListModel

/// A line of a feed that is about a list, parsed; <doc:FeedFormat> has the shapes.
package struct FeedMessage {
  /// The feed's name for the list.
  package let list: ListID
  package let author: Author
  /// In milliseconds since 1970.
  package let time: Int?
  /// From 1; 0 for a reset, and for a rejection, which has none.
  package let sequence: Int
  /// The id of the app's own edit that the line answers; `nil` if it answers none.
  package let edit: String?
  package let content: Content
  /// Whether the line has no white space between the parts of its JSON.
  package let isMinified: Bool

  /// The operation that the line describes.
  package enum Content {
    /// One commit.
    case commit([Change])
    /// The whole list at the sequence number.
    case snapshot([ListTree.Section], meta: FieldUpdate<JSON?>)
    /// The list becomes empty, and its sequence numbers start over.
    case reset
    /// The server has refused an edit of the app's own.
    case rejection(why: String?)
  }

  /// The most operations in a commit.
  package static let maximumOperationCount = 100_000
  /// The most sections in a snapshot, because its commit may insert each of them.
  ///
  /// Only the length of the line limits the items: about 450,000 of them make 16 MiB.
  static let maximumSectionCount = 100_000

  /// Reads a line.
  ///
  /// - Returns: `nil` for a line that is about no list, such as a greeting.
  package init?(parsing line: [UInt8]) throws(FormatError) {
    let document = try JSONNode(parsing: line)
    let object = try document.object()
    isMinified = document.isMinified
    let kind = try object.required("t", as: String.self)
    guard ["commit", "snapshot", "reset", "reject"].contains(kind) else { return nil }
    list = try object.required("list")
    author = try object.optional("by") ?? .feed
    time = try object.optional("at")
    edit = kind == "reject" ? try object.required("edit") : try object.optional("edit")
    switch kind {
    case "reject":
      sequence = 0
      content = .rejection(why: try object.nullable("why"))
    case "commit":
      sequence = try object.required("seq", Self.sequence)
      content = .commit(try object.required("ops", Self.changes))
    case "snapshot":
      sequence = try object.required("seq", Self.sequence)
      content = .snapshot(
        try object.required("sections", Self.sections),
        meta: try object.update("meta"))
    default:
      sequence = 0
      content = .reset
    }
  }

  /// Whether the line holds the whole list.
  package var isSnapshot: Bool { if case .snapshot = content { true } else { false } }

  /// The changes that apply the line to a list.
  ///
  /// `current`: Reads the list as it is. A commit does not need it.
  func changes(_ current: () throws -> ListTree) throws -> [Change] {
    switch content {
    case .commit(let changes): changes
    case .snapshot(let sections, let meta): try current().changes(to: sections, meta: meta)
    case .reset: try current().changes(to: [], meta: .set(nil))
    case .rejection: []
    }
  }

  private static func sequence(_ node: JSONNode) throws(FormatError) -> Int {
    try node.sequenceNumber(from: 1)
  }

  private static func sections(_ node: JSONNode) throws(FormatError) -> [ListTree.Section] {
    let count = try node.elements().count()
    guard count <= maximumSectionCount else {
      throw FormatError(
        "\(count) sections; a snapshot has at most \(maximumSectionCount)", isBeyondLimit: true)
    }
    return try ListTree.sections(node)
  }

  private static func changes(_ node: JSONNode) throws(FormatError) -> [Change] {
    let operations = try node.elements()
    var changes: [Change] = []
    for (index, operation) in operations.enumerated() {
      if index == maximumOperationCount { try requireCount(of: operations) }
      do throws(FormatError) { changes.append(try Change(operation)) } catch {
        // Too many operations are refused as that, whatever else is wrong.
        try requireCount(of: operations)
        throw error.inside("[\(index)]")
      }
    }
    return changes
  }

  /// Counts the operations: not before something is wrong, because it takes time.
  private static func requireCount(of operations: JSONNode.Elements) throws(FormatError) {
    let count = operations.count()
    guard count <= maximumOperationCount else {
      throw FormatError(
        "\(count) operations; a commit has at most \(maximumOperationCount)",
        isBeyondLimit: true)
    }
  }
}
