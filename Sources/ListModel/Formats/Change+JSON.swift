// Reads and writes a change as one element of a commit's `ops` in a feed. FeedFormat.md describes
// them.

extension Change: JSONReadable {
  /// Reads an operation of a feed; unknown members are ignored.
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    let name = try object.required("op", as: String.self)
    switch name {
    case "updateList":
      self = .updateList(meta: try object.required("meta", as: JSON.self))
    case "insertSection":
      self = .insertSection(
        try object.required("section"), try SectionAttributes(membersOf: object),
        at: try object.place())
    case "deleteSection": self = .deleteSection(try object.required("section"))
    case "moveSection": self = .moveSection(try object.required("section"), to: try object.place())
    case "updateSection":
      self = .updateSection(
        try object.required("section"), try SectionUpdate(membersOf: object))
    case "insertItem":
      self = .insertItem(
        Item(id: try object.required("item"), state: try ItemState(membersOf: object)),
        in: try object.required("section"), at: try object.place())
    case "deleteItem": self = .deleteItem(try object.required("item"))
    case "touchItem": self = .touchItem(try object.required("item"))
    case "moveItem":
      self = .moveItem(
        try object.required("item"),
        in: try object.optional("section"),
        to: try object.place())
    case "updateItem":
      self = .updateItem(
        try object.required("item"),
        ItemUpdate(
          cell: try object.replacement("cell"),
          content: try object.replacement("content"),
          type: try object.update("type"),
          action: try object.update("action")))
    default:
      throw FormatError(
        "unknown operation \(ShownText.quoted(name)); expected insertSection, deleteSection, "
          + "moveSection, updateSection, insertItem, deleteItem, moveItem, updateItem, touchItem or "
          + "updateList",
        at: "op")
    }
  }

  /// Writes the members of an operation of a feed.
  package func writeOperation(to writer: inout JSONWriter) {
    writer.member("op", operation)
    switch self {
    case .updateList(let meta): writer.member("meta", meta ?? .null)
    case .insertSection(let section, let attributes, let place):
      writer.member("section", section.rawValue)
      place.writeMember(to: &writer)
      attributes.writeMembers(to: &writer)
    case .deleteSection(let section): writer.member("section", section.rawValue)
    case .moveSection(let section, let place):
      writer.member("section", section.rawValue)
      place.writeMember(to: &writer)
    case .updateSection(let section, let update):
      writer.member("section", section.rawValue)
      update.writeMembers(to: &writer)
    case .insertItem(let item, let section, let place):
      writer.member("item", item.id.rawValue)
      writer.member("section", section.rawValue)
      place.writeMember(to: &writer)
      item.state.writeMembers(to: &writer)
    case .deleteItem(let item), .touchItem(let item): writer.member("item", item.rawValue)
    case .moveItem(let item, let section, let place):
      writer.member("item", item.rawValue)
      if let section { writer.member("section", section.rawValue) }
      place.writeMember(to: &writer)
    case .updateItem(let item, let update):
      writer.member("item", item.rawValue)
      update.writeMembers(to: &writer)
    }
  }

  /// The name of the operation.
  private var operation: String {
    switch self {
    case .updateList: "updateList"
    case .insertSection: "insertSection"
    case .deleteSection: "deleteSection"
    case .moveSection: "moveSection"
    case .updateSection: "updateSection"
    case .insertItem: "insertItem"
    case .deleteItem: "deleteItem"
    case .moveItem: "moveItem"
    case .updateItem: "updateItem"
    case .touchItem: "touchItem"
    }
  }
}

extension JSONObject {
  /// Reads a member of an update: an absent one leaves the value, and `null` removes it.
  package func update<Value: JSONReadable>(
    _ name: String
  ) throws(FormatError) -> FieldUpdate<Value?> {
    try optional(name, as: Value?.self).map(FieldUpdate.set) ?? .unchanged
  }

  /// Reads a member of an update whose value cannot be removed: `null` sets the default, `without`.
  func update<Value: JSONReadable>(
    _ name: String, without: Value
  ) throws(FormatError) -> FieldUpdate<Value> {
    try optional(name, as: Value?.self).map { .set($0 ?? without) } ?? .unchanged
  }

  /// Reads a member that replaces a value which can't be removed.
  fileprivate func replacement<Value: JSONReadable>(
    _ name: String
  ) throws(FormatError) -> FieldUpdate<Value> {
    try optional(name).map(FieldUpdate.set) ?? .unchanged
  }

  /// Reads where something goes: at most one of `after`, `before` and `index`.
  fileprivate func place<Tag>() throws(FormatError) -> Place<Identifier<Tag>> {
    let names = ["after", "before", "index"]
    var given: [String] = []
    for name in names where try optional(name) != nil { given.append(name) }
    if given.isEmpty { return .end }
    guard given.count == 1 else {
      throw FormatError(
        "expected at most one of after, before and index, found \(given.joined(separator: " and "))"
      )
    }
    if let after = try optional("after", as: Identifier<Tag>?.self) {
      return if let after { .after(after) } else { .start }
    }
    if let before = try optional("before", as: Identifier<Tag>?.self) {
      return if let before { .before(before) } else { .end }
    }
    return .index(try required("index"))
  }
}

extension Place {
  fileprivate func writeMember<Tag>(to writer: inout JSONWriter) where ID == Identifier<Tag> {
    switch self {
    case .start: writer.member("after", .null)
    case .end: break
    case .after(let anchor): writer.member("after", anchor.rawValue)
    case .before(let anchor): writer.member("before", anchor.rawValue)
    case .index(let index): writer.member("index", index)
    }
  }
}

extension ItemUpdate {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    if case .set(let cell) = cell { writer.member("cell", cell.rawValue) }
    if case .set(let content) = content { writer.member("content", content) }
    if case .set(let type) = type {
      writer.member("type", type.map { JSON(string: $0.rawValue) } ?? .null)
    }
    if case .set(let action) = action {
      writer.member("action") { writer in
        if let action { action.write(to: &writer) } else { writer.value(JSON.null) }
      }
    }
  }
}

// MARK: - Edits

extension EditedChange: JSONReadable {
  /// Reads an operation as an edit keeps it: with the index that its place had, as `was`.
  package init(_ node: JSONNode) throws(FormatError) {
    self.init(try Change(node), index: try node.object().optional("was"))
  }

  /// Reads the operations of an edit.
  package static func changes(parsing text: String) throws(FormatError) -> [EditedChange] {
    // An item's content may be nested 32 deep.
    try [EditedChange](JSONNode(parsing: Array(text.utf8), maximumDepth: 40))
  }

  /// The operations of an edit, as a feed has them in `ops`.
  package static func json(_ changes: [EditedChange]) -> JSON {
    var writer = JSONWriter()
    writer.array(changes) { writer, edited in
      writer.object { writer in
        edited.change.writeOperation(to: &writer)
        if let index = edited.index { writer.member("was", index) }
      }
    }
    return JSON(minified: writer.text)
  }
}
