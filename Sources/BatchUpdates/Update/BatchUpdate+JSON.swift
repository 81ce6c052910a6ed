package import ListModel

extension BatchUpdate {
  /// The batch update as one line of JSON, as <doc:BatchFormat> describes it.
  public var json: String {
    JSONWriter.object { writer in
      writer.member("list", list.rawValue)
      writer.member("from", String(from))
      writer.member("to", String(to))
      writer.member("mode", mode.name)
      switch mode {
      case .none: break
      case .batch(let stages): writer.member("stages", array: stages) { $1.write(to: &$0) }
      case .reload(let why): writer.member("why", why.description)
      }
    }
  }
}

extension BatchUpdate.Mode {
  /// The name of the mode in the format.
  package var name: String {
    switch self {
    case .none: "none"
    case .batch: "batch"
    case .reload: "reload"
    }
  }
}

extension Stage {
  /// Writes the stage as a JSON object.
  ///
  /// Empty lists of operations are left out; `counts` is always written.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("deleteSections", unlessEmpty: deleteSections) { $0.value($1) }
      writer.member("insertSections", unlessEmpty: insertSections) { $0.value($1) }
      writer.member("moveSections", unlessEmpty: moveSections) { writer, move in
        writer.array([move.from, move.to]) { $0.value($1) }
      }
      writer.member("deleteItems", unlessEmpty: deleteItems) { $0.path($1) }
      writer.member("insertItems", unlessEmpty: insertItems) { $0.path($1) }
      writer.member("moveItems", unlessEmpty: moveItems) { writer, move in
        writer.array([move.from, move.to]) { $0.path($1) }
      }
      writer.member("reloadItems", unlessEmpty: reloadItems) { $0.path($1) }
      writer.member("reconfigureItems", unlessEmpty: reconfigureItems) { $0.path($1) }
      writer.member("updateSections", unlessEmpty: updateSections) { $0.value($1) }
      writer.member("counts", array: Array(counts)) { $0.value($1) }
    }
  }

  /// The names of the lists of operations in the format.
  package static let operationNames = [
    "deleteSections", "insertSections", "moveSections", "deleteItems", "insertItems", "moveItems",
    "reloadItems", "reconfigureItems", "updateSections",
  ]

  /// Reads a stage.
  ///
  /// Unknown members are ignored.
  /// - Throws: ``FormatError`` with its place.
  package init(_ object: JSONObject) throws(FormatError) {
    self.init()
    deleteSections = try object.list("deleteSections", Self.index)
    insertSections = try object.list("insertSections", Self.index)
    moveSections = try object.list("moveSections") { node throws(FormatError) in
      let (from, to) = try Self.pair(node, Self.index)
      return Move(from: from, to: to)
    }
    deleteItems = try object.list("deleteItems", Self.path)
    insertItems = try object.list("insertItems", Self.path)
    moveItems = try object.list("moveItems") { node throws(FormatError) in
      let (from, to) = try Self.pair(node, Self.path)
      return Move(from: from, to: to)
    }
    reloadItems = try object.list("reloadItems", Self.path)
    reconfigureItems = try object.list("reconfigureItems", Self.path)
    updateSections = try object.list("updateSections", Self.index)
    counts = SectionCounts(try object.list("counts", Self.index))
  }

  private static func index(_ node: JSONNode) throws(FormatError) -> Int { try node.integer() }

  private static func path(_ node: JSONNode) throws(FormatError) -> ItemPath {
    let (section, item) = try pair(node, index)
    return ItemPath(section: section, item: item)
  }

  private static func pair<Value>(
    _ node: JSONNode, _ read: (JSONNode) throws(FormatError) -> Value
  ) throws(FormatError) -> (Value, Value) {
    let elements = try node.array()
    guard elements.count == 2 else {
      throw FormatError("expected two elements, found \(elements.count)")
    }
    return (try read(elements[0]), try read(elements[1]))
  }
}

extension JSONObject {
  /// Reads a member that is an array; an absent one is empty.
  package func list<Value>(
    _ name: String, _ read: (JSONNode) throws(FormatError) -> Value
  ) throws(FormatError) -> [Value] {
    try optional(name) { node throws(FormatError) in
      var values: [Value] = []
      for (index, element) in try node.array().enumerated() {
        do throws(FormatError) { values.append(try read(element)) } catch {
          throw error.inside("[\(index)]")
        }
      }
      return values
    } ?? []
  }
}

extension JSONWriter {
  fileprivate mutating func path(_ path: ItemPath) {
    array([path.section, path.item]) { $0.value($1) }
  }

  fileprivate mutating func member<Element>(
    _ name: String, unlessEmpty elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    if !elements.isEmpty { member(name, array: elements, body) }
  }
}
