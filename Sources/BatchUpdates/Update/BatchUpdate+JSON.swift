package import ListModel

extension BatchUpdate {
  /// The batch update as one line of JSON, as <doc:BatchFormat> describes it.
  public var json: String {
    JSONWriter.object { writer in
      writer.member("list", list.rawValue)
      writer.member("from", String(from))
      writer.member("to", String(to))
      if let sourceRevision { writer.member("of", String(sourceRevision)) }
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
    deleteSections = try object.optional("deleteSections") ?? []
    insertSections = try object.optional("insertSections") ?? []
    moveSections = try object.optional("moveSections") ?? []
    deleteItems = try object.optional("deleteItems") ?? []
    insertItems = try object.optional("insertItems") ?? []
    moveItems = try object.optional("moveItems") ?? []
    reloadItems = try object.optional("reloadItems") ?? []
    reconfigureItems = try object.optional("reconfigureItems") ?? []
    updateSections = try object.optional("updateSections") ?? []
    counts = SectionCounts(try object.optional("counts") ?? [])
  }
}

extension Stage.Move: JSONReadable where Place: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    let (from, to) = try node.pair(of: Place.self)
    self.init(from: from, to: to)
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
