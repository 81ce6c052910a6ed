// Reads and writes the values that feed lines, trees and the log share. TreeFormat.md describes
// them. Unknown members are ignored; any other error is a ``FormatError`` with its place.

extension Identifier: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) { try self.init(node.string()) }
}

extension Author: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) { try self.init(node.string()) }
}

extension ItemPath: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    let (section, item) = try node.pair(of: Int.self)
    self.init(section: section, item: item)
  }
}

extension SectionLayout.Kind: JSONReadable {}

extension SectionLayout: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    self.init(
      kind: try object.nullable("kind"),
      columns: try object.nullable("columns"),
      lineSpacing: try object.nullable("lineSpacing"),
      interitemSpacing: try object.nullable("interitemSpacing"),
      insets: try object.nullable("insets"))
    if let problem { throw FormatError(problem) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      if let kind { writer.member("kind", kind.rawValue) }
      if let columns { writer.member("columns", columns) }
      if let lineSpacing { writer.member("lineSpacing", lineSpacing) }
      if let interitemSpacing { writer.member("interitemSpacing", interitemSpacing) }
      insets?.writeMember(to: &writer)
    }
  }
}

extension Insets: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    // An error is about the insets as a whole.
    var lengths: [Double] = []
    for element in try node.array() { lengths.append(try element.double()) }
    guard lengths.count == 4 else {
      throw FormatError("expected [top, left, bottom, right], found \(lengths.count) numbers")
    }
    self.init(top: lengths[0], left: lengths[1], bottom: lengths[2], right: lengths[3])
  }

  func writeMember(to writer: inout JSONWriter) {
    writer.member("insets", array: [top, left, bottom, right]) { $0.value($1) }
  }
}

extension Supplementary: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    self.init(
      view: try object.required("view"),
      content: try object.required("content"))
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("view", view.rawValue)
      writer.member("content", content)
    }
  }
}

extension Action: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    self.init(
      url: try object.nullable("url"),
      event: try object.nullable("event"),
      attrs: try object.optional("attrs", as: JSON.self))
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      if let url { writer.member("url", url) }
      if let event { writer.member("event", event) }
      if let attrs { writer.member("attrs", attrs) }
    }
  }
}

extension ItemState {
  /// Reads a state from the members of an object.
  package init(membersOf object: JSONObject) throws(FormatError) {
    self.init(
      cell: try object.required("cell"),
      content: try object.required("content"),
      type: try object.nullable("type"),
      action: try object.nullable("action"))
    // Also where the item's place is not loaded, and nothing is made of it.
    if isGap { _ = try object.required("content", as: Gap.self) }
  }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("cell", cell.rawValue)
    writer.member("content", content)
    if let type { writer.member("type", type.rawValue) }
    if let action { writer.member("action") { action.write(to: &$0) } }
  }
}

extension Action {
  /// Reads an action as a store has it: UTF-8, with data of the app that may have all levels.
  ///
  /// - Throws: ``FormatError`` for another text.
  package init(stored utf8: some Sequence<UInt8>) throws(FormatError) {
    try self.init(JSONNode(parsing: Array(utf8), maximumDepth: JSONNode.maximumDepth + 1))
  }

  /// The action as JSON.
  package var json: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }
}
