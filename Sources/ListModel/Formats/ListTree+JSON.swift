extension ListTree {
  /// Reads a tree as <doc:TreeFormat> describes it.
  ///
  /// A missing `revision` counts as 0 and a missing `list` as `defaultList`, so that a tree written
  /// by hand needs neither. Measured sizes are ignored: they are a cache, not part of the list.
  ///
  /// - Throws: ``FormatError`` with the place of the error; also for an id that occurs twice.
  public init(parsing text: [UInt8], defaultList: ListID = "list") throws(FormatError) {
    try self.init(JSONNode(parsing: text, maximumDepth: 40), defaultList: defaultList)
  }

  package init(_ node: JSONNode, defaultList: ListID) throws(FormatError) {
    let object = try node.object()
    self.init(
      list: try object.optional("list") ?? defaultList,
      revision: try object.optional("revision", Self.revision) ?? 0,
      meta: try object.nullable("meta"),
      sections: try object.required("sections", Self.sections))
  }

  private static func revision(_ node: JSONNode) throws(FormatError) -> Int {
    try node.sequenceNumber(from: 0)
  }

  /// Reads the sections of a tree or of a snapshot.
  package static func sections(_ node: JSONNode) throws(FormatError) -> [ListTree.Section] {
    var sections: [ListTree.Section] = []
    var places: [SectionID: Int] = [:]
    var paths: [ItemID: ItemPath] = [:]
    for (index, element) in try node.elements().enumerated() {
      do throws(FormatError) {
        let section = try ListTree.Section(element)
        if let other = places.updateValue(index, forKey: section.id) {
          throw FormatError("section \"\(section.id)\" is there already, at index \(other)")
        }
        for (offset, item) in section.items.enumerated() {
          let path = ItemPath(section: index, item: offset)
          if let other = paths.updateValue(path, forKey: item.id) {
            throw FormatError(
              "item \"\(item.id)\" is there already, at \(other)", at: "items[\(offset)].id")
          }
        }
        sections.append(section)
      } catch {
        throw error.inside("[\(index)]")
      }
    }
    return sections
  }

  /// The tree as JSON, as <doc:TreeFormat> describes it.
  ///
  /// - Parameter sizes: Measured sizes to write with their items.
  /// - Returns: One line, without a line feed.
  public func json(sizes: [ItemID: Size] = [:]) -> String {
    JSONWriter.object { writer in
      writer.member("list", list.rawValue)
      writer.member("revision", String(revision))
      if let meta { writer.member("meta", meta) }
      writer.member("sections", array: sections) { $1.write(to: &$0, sizes: sizes) }
    }
  }
}

extension ListTree.Section: JSONReadable {
  /// Reads a section with its items.
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    self.init(
      id: try object.required("id"),
      attributes: try SectionAttributes(membersOf: object),
      items: try object.required("items"))
  }

  /// Writes a section with its items.
  package func write(to writer: inout JSONWriter, sizes: [ItemID: Size] = [:]) {
    writer.object { writer in
      writer.member("id", id.rawValue)
      attributes.writeMembers(to: &writer)
      writer.member("items", array: items) { $1.write(to: &$0, size: sizes[$1.id]) }
    }
  }
}

extension Item: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    self.init(
      id: try object.required("id"),
      state: try ItemState(membersOf: object))
  }

  /// Writes an item, with its measured size if it is given.
  package func write(to writer: inout JSONWriter, size: Size? = nil) {
    writer.object { writer in
      writer.member("id", id.rawValue)
      state.writeMembers(to: &writer)
      if let size { writer.member("size", array: [size.width, size.height]) { $0.value($1) } }
    }
  }
}

extension JSONNode {
  /// Reads a 64-bit number as a feed writes it: a decimal string without sign or leading zeros.
  package func sequenceNumber(from minimum: Int) throws(FormatError) -> Int {
    let text = try string()
    guard let number = Int(text), String(number) == text, number >= minimum else {
      throw FormatError(
        "expected a decimal string such as \"\(max(minimum, 1))\", found \(ShownText.quoted(text))"
      )
    }
    return number
  }
}
