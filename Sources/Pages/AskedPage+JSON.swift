package import ListModel

extension AskedPage: JSONReadable {
  /// Reads what ``json`` has written.
  package init(parsing text: String) throws(FormatError) {
    try self.init(JSONNode(parsing: Array(text.utf8), maximumDepth: 40))
  }

  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    let part: PageRequest.Part
    switch try object.required("part", as: String.self) {
    case "newest": part = .newest
    case "after": part = .after
    case "before": part = .before
    case "around": part = .around(try object.required("item"))
    case "from": part = .from(try object.required("position"))
    case let name: throw FormatError("no part of a list is called \"\(name)\"", at: "part")
    }
    self.init(
      page: try object.required("page"), gap: try object.optional("gap"),
      part: part, asked: try object.optional("asked"), above: try object.optional("above"),
      below: try object.optional("below"), section: try object.required("section"),
      isNewestAtEnd: try object.required("isNewestAtEnd"),
      isCurrent: try object.required("isCurrent"),
      name: try object.required("name"))
  }

  /// The page as a value that it can be read from.
  package var json: JSON {
    JSON(
      minified: JSONWriter.object { writer in
        writer.member("name", name)
        switch part {
        case .newest: writer.member("part", "newest")
        case .after: writer.member("part", "after")
        case .before: writer.member("part", "before")
        case .around(let item):
          writer.member("part", "around")
          writer.member("item", item.rawValue)
        case .from(let position):
          writer.member("part", "from")
          writer.member("position", position)
        }
        if let gap { writer.member("gap", gap.rawValue) }
        if let asked { writer.member("asked", asked.content) }
        if let above { writer.member("above", above.rawValue) }
        if let below { writer.member("below", below.rawValue) }
        writer.member("section", section.rawValue)
        writer.member("isNewestAtEnd") { $0.value(isNewestAtEnd) }
        writer.member("isCurrent") { $0.value(isCurrent) }
        writer.member("page") { page.write(to: &$0) }
      })
  }
}

extension Page: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    self.init(
      items: try object.required("items"), before: try object.optional("before"),
      after: try object.optional("after"), offset: try object.optional("offset"),
      total: try object.optional("total"), sequence: try object.optional("sequence"),
      meetsOtherSide: try object.required("meetsOtherSide"))
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("items", array: items) { $1.write(to: &$0) }
      if let before { writer.member("before", before) }
      if let after { writer.member("after", after) }
      if let offset { writer.member("offset", offset) }
      if let total { writer.member("total", total) }
      if let sequence { writer.member("sequence", sequence) }
      writer.member("meetsOtherSide") { $0.value(meetsOtherSide) }
    }
  }
}
