// Reads and writes the values that feed lines, trees and the log share. TreeFormat.md describes
// them. Unknown members are ignored; any other error is a ``FormatError`` with its place.

extension Identifier {
  package init(_ node: JSONNode) throws(FormatError) { try self.init(node.string()) }
}

extension JSONNode {
  /// `nil` for `null`, else the result of `read`.
  package func unlessNull<Value>(
    _ read: (JSONNode) throws(FormatError) -> Value
  ) throws(FormatError) -> Value? {
    kind == .null ? nil : try read(self)
  }

  /// Reads one of the names of an enum.
  func choice<Value: RawRepresentable<String> & CaseIterable>() throws(FormatError) -> Value {
    let name = try string()
    guard let value = Value(rawValue: name) else {
      let known = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw FormatError("expected one of \(known), found \(ShownText.quoted(name))")
    }
    return value
  }
}

extension JSONObject {
  /// Reads a member that may be absent or `null`; both are `nil`.
  package func nullable<Value>(
    _ name: String, _ read: (JSONNode) throws(FormatError) -> Value
  ) throws(FormatError) -> Value? {
    try optional(name) { node throws(FormatError) in try node.unlessNull(read) } ?? nil
  }

  /// Reads a member of an update: an absent one leaves the value, and `null` removes it.
  package func update<Value>(
    _ name: String, _ read: (JSONNode) throws(FormatError) -> Value
  ) throws(FormatError) -> FieldUpdate<Value?> {
    let value = try optional(name) { node throws(FormatError) in try node.unlessNull(read) }
    return if let value { .set(value) } else { .unchanged }
  }

  /// Reads a member of an update whose value cannot be removed: `null` sets the default, `without`.
  func update<Value>(
    _ name: String, without: Value, _ read: (JSONNode) throws(FormatError) -> Value
  ) throws(FormatError) -> FieldUpdate<Value> {
    switch try update(name, read) {
    case .set(let value): .set(value ?? without)
    case .unchanged: .unchanged
    }
  }
}

extension SectionLayout {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    self.init(
      kind: try object.nullable("kind") { node throws(FormatError) in try node.choice() },
      columns: try object.nullable("columns") { node throws(FormatError) in try node.integer() },
      lineSpacing: try object.nullable("lineSpacing") { node throws(FormatError) in
        try node.double()
      },
      interitemSpacing: try object.nullable("interitemSpacing") { node throws(FormatError) in
        try node.double()
      },
      insets: try object.nullable("insets") { node throws(FormatError) in try Insets(node) })
    if let problem { throw FormatError(problem) }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      if let kind { writer.member("kind", kind.rawValue) }
      if let columns { writer.member("columns", columns) }
      if let lineSpacing { writer.member("lineSpacing", lineSpacing) }
      if let interitemSpacing { writer.member("interitemSpacing", interitemSpacing) }
      insets?.writeMember(to: &writer)
    }
  }
}

extension Insets {
  init(_ node: JSONNode) throws(FormatError) {
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

extension Supplementary {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    self.init(
      view: try object.required("view") { node throws(FormatError) in try ViewName(node) },
      content: try object.required("content").value())
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("view", view.rawValue)
      writer.member("content", content)
    }
  }
}

extension Action {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    self.init(
      url: try object.nullable("url") { node throws(FormatError) in try node.string() },
      event: try object.nullable("event") { node throws(FormatError) in try node.string() },
      attrs: try object.optional("attrs")?.value())
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
      cell: try object.required("cell") { node throws(FormatError) in try CellName(node) },
      content: try object.required("content").value(),
      type: try object.nullable("type") { node throws(FormatError) in try TypeName(node) },
      action: try object.nullable("action") { node throws(FormatError) in try Action(node) })
  }

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("cell", cell.rawValue)
    writer.member("content", content)
    if let type { writer.member("type", type.rawValue) }
    if let action { writer.member("action") { action.write(to: &$0) } }
  }
}

extension Action {
  /// Reads an action from its JSON.
  package init(_ json: JSON) throws(FormatError) {
    try self.init(JSONNode(parsing: Array(json.text.utf8)))
  }

  /// The action as JSON.
  package var json: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }
}
