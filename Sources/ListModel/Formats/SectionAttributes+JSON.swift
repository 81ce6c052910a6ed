// The attributes of a section, as members of a section in a tree, of `insertSection` and
// `updateSection` in a feed, and of a state in the log. Attributes without a value are left out:
//
//     "layout":{…},"header":{…},"footer":{…},"meta":…,
//     "visibility":"hidden"|"hiddenWhenEmpty",
//     "supplementaries":{"badge":{"view":name,"content":…}},            by the bytes of the kinds
//     "decorations":[{"view":name,"of":"section"|"header"|"items"|"footer","zIndex":-1,
//                     "insets":[top,left,bottom,right],"content":…}]    in their order
//
// In `updateSection` each is set as a whole. `null` removes it, and sets `visibility` to shown.

extension SectionAttributes {
  /// Reads attributes from the members of an object; `null` is the same as absent.
  package init(membersOf object: JSONObject) throws(FormatError) {
    self.init(
      layout: try object.nullable("layout"),
      header: try object.nullable("header"),
      footer: try object.nullable("footer"),
      meta: try object.nullable("meta"),
      visibility: try object.nullable("visibility") ?? .shown,
      supplementaries: try object.nullable("supplementaries") ?? [:],
      decorations: try object.nullable("decorations") ?? [])
  }

  package func writeMembers(to writer: inout JSONWriter) {
    if let layout { writer.member("layout") { layout.write(to: &$0) } }
    if let header { writer.member("header") { header.write(to: &$0) } }
    if let footer { writer.member("footer") { footer.write(to: &$0) } }
    if let meta { writer.member("meta", meta) }
    if visibility != .shown { writer.member("visibility", visibility.rawValue) }
    if !supplementaries.isEmpty {
      writer.member("supplementaries") { writer in
        writer.object { writer in
          for (kind, view) in supplementaries.sorted(by: { $0.key < $1.key }) {
            writer.member(kind.rawValue) { view.write(to: &$0) }
          }
        }
      }
    }
    if !decorations.isEmpty {
      writer.member("decorations", array: decorations) { $1.write(to: &$0) }
    }
  }
}

extension SectionUpdate {
  /// Reads an update from the members of an object: absent leaves a value, `null` removes it.
  package init(membersOf object: JSONObject) throws(FormatError) {
    self.init(
      layout: try object.update("layout"),
      header: try object.update("header"),
      footer: try object.update("footer"),
      meta: try object.update("meta"),
      visibility: try object.update("visibility", without: .shown),
      supplementaries: try object.update("supplementaries", without: [:]),
      decorations: try object.update("decorations", without: []))
  }

  /// Writes the attributes that are set; `null` for one that is removed.
  func writeMembers(to writer: inout JSONWriter) {
    // Attributes with one value are written as that value's member.
    func write(_ name: String, _ isSet: Bool, _ set: (inout SectionAttributes) -> Void) {
      guard isSet else { return }
      var attributes = SectionAttributes()
      set(&attributes)
      if attributes == SectionAttributes() {
        writer.member(name, JSON.null)
      } else {
        attributes.writeMembers(to: &writer)
      }
    }
    write("layout", layout != .unchanged) { layout.apply(to: &$0.layout) }
    write("header", header != .unchanged) { header.apply(to: &$0.header) }
    write("footer", footer != .unchanged) { footer.apply(to: &$0.footer) }
    write("meta", meta != .unchanged) { meta.apply(to: &$0.meta) }
    write("visibility", visibility != .unchanged) { visibility.apply(to: &$0.visibility) }
    write("supplementaries", supplementaries != .unchanged) {
      supplementaries.apply(to: &$0.supplementaries)
    }
    write("decorations", decorations != .unchanged) { decorations.apply(to: &$0.decorations) }
  }
}

extension SectionAttributes.Visibility: JSONReadable {}

extension Dictionary: JSONReadable where Key == Supplementary.Kind, Value == Supplementary {
  /// Reads views by kind; a kind whose view is `null` has none.
  package init(_ node: JSONNode) throws(FormatError) {
    self = [:]
    var seen: Set<Supplementary.Kind> = []
    for member in try node.object().members {
      let kind = try Supplementary.Kind(member.name)
      do throws(FormatError) {
        guard seen.insert(kind).inserted else { throw FormatError("the name occurs twice") }
        // They have members of their own; with two places a reader would have to choose.
        if kind == .header || kind == .footer {
          throw FormatError("is a member of the section, not of its supplementaries")
        }
        self[kind] = try Supplementary?(member.value)
      } catch {
        throw error.inside(kind.rawValue)
      }
    }
  }
}

extension Decoration: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    self.init(
      view: try object.required("view"),
      element: try object.nullable("of") ?? .section,
      zIndex: try object.nullable("zIndex") ?? Self.defaultZIndex,
      insets: try object.nullable("insets"),
      content: try object.optional("content", as: JSON.self) ?? .null)
    if let problem { throw FormatError(problem) }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("view", view.rawValue)
      if element != .section { writer.member("of", element.rawValue) }
      if zIndex != Self.defaultZIndex { writer.member("zIndex", zIndex) }
      insets?.writeMember(to: &writer)
      if content != .null { writer.member("content", content) }
    }
  }
}

extension Decoration.Element: JSONReadable {}
