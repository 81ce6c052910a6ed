import ListModel

/// Goes through the values that rows store, and gives them with their texts replaced.
struct StoredValues {
  /// What takes the place of the id of a list, a section or an item.
  var id: (String) throws -> String
  /// What takes the place of a content, a meta or the attributes of an action.
  var content: ([UInt8]) throws -> [UInt8]
  /// What takes the place of a name of the app's code: of a view or an event.
  var appName: (String) throws -> String

  /// An action of an item.
  func action(_ text: String) throws -> String {
    let members = try JSONNode(parsing: Array(text.utf8)).object().members
    let parts = try members.map { name, value in
      let name = try name.string()
      let part =
        name == "event" && value.kind == .string
        ? JSONWriter.quoted(try appName(value.string())) : try content(value)
      return JSONWriter.quoted(name) + ":" + part
    }
    return "{" + parts.joined(separator: ",") + "}"
  }

  /// The members of a block on level 0.
  func members(_ text: String) throws -> String {
    try array(JSONNode(parsing: Array(text.utf8))) { member in
      try array(member, replacing: 1) { try quotedID($0) }
    }
  }

  /// The entries of a row of the log.
  func entries(_ text: String) throws -> String {
    try array(Self.node(ofEntries: text), entry)
  }

  /// The entries of a row of the log, unread; sections in them may nest deeper than contents.
  static func node(ofEntries text: String) throws -> JSONNode {
    try JSONNode(parsing: Array(text.utf8), maximumDepth: 46)
  }

  private func entry(_ node: JSONNode) throws -> String {
    let parts = try node.array()
    let operation = try parts.first?.integer() ?? 0
    return try joined(
      parts.enumerated().map { index, part in
        switch (operation, index) {
        case (1...9, 1): try quotedID(part)
        case (10, 1...2): try content(part)
        case (6, 3), (7, 3), (9, 3...4): try attributes(part)
        case (7, 4): try array(part) { try array($0, replacing: 0) { try quotedID($0) } }
        default: part.value().text
        }
      })
  }

  private func attributes(_ node: JSONNode) throws -> String {
    var attributes = try SectionAttributes(membersOf: node.object())
    for kind in attributes.supplementaryKinds {
      guard let view = attributes[kind] else { continue }
      attributes[kind] = Supplementary(
        view: try ViewName(appName(view.view.rawValue)), content: try content(view.content))
    }
    attributes.decorations = try attributes.decorations.map { decoration in
      var decoration = decoration
      decoration.view = try ViewName(appName(decoration.view.rawValue))
      decoration.content = try content(decoration.content)
      return decoration
    }
    attributes.meta = try attributes.meta.map(content)
    return JSONWriter.object { attributes.writeMembers(to: &$0) }
  }

  // MARK: Parts

  private func quotedID(_ node: JSONNode) throws -> String {
    JSONWriter.quoted(try id(node.string()))
  }

  private func content(_ node: JSONNode) throws -> String { try content(node.value()).text }

  private func content(_ json: JSON) throws -> JSON {
    // Rows have no content where there is none; filler leaves it alone, too.
    try JSON(parsing: content(json.text))
  }

  /// A content as text.
  func content(_ text: String) throws -> String {
    String(decoding: try content(Array(text.utf8)), as: UTF8.self)
  }

  private func array(
    _ node: JSONNode, _ element: (JSONNode) throws -> String
  ) throws -> String {
    try joined(node.elements().map(element))
  }

  private func array(
    _ node: JSONNode, replacing place: Int, _ element: (JSONNode) throws -> String
  ) throws -> String {
    try joined(
      node.array().enumerated().map { try $0 == place ? element($1) : $1.value().text })
  }

  private func joined(_ parts: [String]) -> String { "[" + parts.joined(separator: ",") + "]" }
}
