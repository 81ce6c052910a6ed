package import ListModel

extension DerivedDefinition {
  /// Reads a definition.
  ///
  /// - Throws: ``FormatError`` with the place in the document; also for a member that is not known.
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    try object.requireKnown(["derived", "of", "where", "sort", "section", "limit"])
    list = try object.required("derived")
    source = try object.required("of")
    json = node.value()
    conditions = try object.optional("where") ?? []
    sort = try object.optional("sort") ?? []
    sections = try object.optional("section", Self.sections) ?? .one
    limit = try object.optional("limit") { node throws(FormatError) in
      let limit = try node.integer()
      guard limit >= 0 else { throw FormatError("expected 0 or more, found \(limit)") }
      return limit
    }
    let ranked = sort.firstIndex { $0.path == .rank }
    if let ranked, searches.count != 1 {
      throw FormatError(
        "#rank needs exactly one \"matches\" in \"where\" to rank by, found \(searches.count)",
        at: "sort[\(ranked)].path")
    }
  }

  /// Reads a definition that stands alone.
  package init(parsing utf8: [UInt8]) throws(FormatError) {
    try self.init(JSONNode(parsing: utf8))
  }

  private static func sections(_ node: JSONNode) throws(FormatError) -> Sections {
    let object = try node.object()
    try object.requireKnown(["path", "descending", "order", "view", "layout", "keepsEmpty"])
    let path: ValuePath = try object.required("path")
    let keepsEmpty: Bool? = try object.optional("keepsEmpty")
    let names = object.members.count
    if path == .section, names == (keepsEmpty == nil ? 1 : 2) {
      return .ofSource(keepsEmpty: keepsEmpty ?? false)
    }
    if keepsEmpty != nil {
      throw FormatError(
        "stands beside the path #section alone: other sections are made of their items",
        at: "keepsEmpty")
    }
    guard path != .rank else {
      throw FormatError("#rank is a key to sort by, no value", at: "path")
    }
    let isDescending = try object.optional("descending") ?? false
    let isInSourceOrder =
      try object.optional("order") { node throws(FormatError) in
        let order = try node.string()
        guard order == "source" else {
          throw FormatError("expected \"source\", found \(ShownText.quoted(order))")
        }
        return true
      } ?? false
    if isDescending, isInSourceOrder {
      throw FormatError("descending sections can't stand in the order of the source", at: "order")
    }
    return .byValue(
      SectionTerm(
        path: path, order: isInSourceOrder ? .source : isDescending ? .descending : .ascending,
        view: try object.optional("view"), layout: try object.optional("layout", layout)))
  }

  private static func layout(_ node: JSONNode) throws(FormatError) -> SectionLayout {
    // In a feed, unknown members are for later versions; a definition is written for this one.
    try node.object()
      .requireKnown(["kind", "columns", "lineSpacing", "interitemSpacing", "insets"])
    return try SectionLayout(node)
  }
}

extension DerivedDefinition.SortTerm: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    try object.requireKnown(["path", "descending", "collation", "locale"])
    path = try object.required("path")
    isDescending = try object.optional("descending") ?? false
    let locale: String? = try object.optional("locale")
    let name: String = try object.optional("collation") ?? "scalars"
    switch name {
    case "scalars": collation = .scalars
    case "caseless": collation = .caseless
    case "localized": collation = .localized(locale: locale ?? "")
    default:
      throw FormatError(
        "expected \"scalars\", \"caseless\" or \"localized\", found \(ShownText.quoted(name))",
        at: "collation")
    }
    if locale != nil, name != "localized" {
      throw FormatError("stands beside \"collation\":\"localized\" alone", at: "locale")
    }
    if path == .rank, collation != .scalars {
      throw FormatError("compares strings, and #rank is none", at: "collation")
    }
  }
}

extension Condition: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    let operators = [
      "eq", "ne", "lt", "le", "gt", "ge", "in", "has", "prefix", "contains", "exists", "matches",
    ]
    let groups = ["any", "all", "not"]
    try object.requireKnown(["path", "paths"] + operators + groups)
    var found: [String] = []
    for name in operators + groups where try object.optional(name) != nil { found.append(name) }
    guard let name = found.first, found.count == 1 else {
      throw FormatError(
        found.isEmpty
          ? "a condition has one operator: \(operators.joined(separator: ", ")), any, all or not"
          : "a condition has one operator, not \(found.joined(separator: " and "))")
    }
    if groups.contains(name) {
      guard object.members.count == 1 else {
        throw FormatError("\"\(name)\" stands alone", at: name)
      }
      let inner: [Condition] = try object.required(name)
      self = name == "any" ? .any(inner) : name == "all" ? .all(inner) : .not(inner)
      return
    }
    if name == "matches" {
      self = .matches(try Search(object))
      return
    }
    if try object.optional("paths") != nil {
      throw FormatError("stands beside \"matches\" alone", at: "paths")
    }
    let path: ValuePath = try object.required("path")
    guard path != .rank else {
      throw FormatError("#rank is a key to sort by, no value", at: "path")
    }
    self = .test(
      path, try object.required(name) { node throws(FormatError) in try Test(name, node) })
  }
}

extension Search {
  fileprivate init(_ object: JSONObject) throws(FormatError) {
    if try object.optional("path") != nil {
      throw FormatError("\"matches\" reads \"paths\", an array", at: "path")
    }
    let paths: [ValuePath] = try object.required("paths")
    if paths.isEmpty { throw FormatError("expected at least one path", at: "paths") }
    if let index = paths.firstIndex(of: .rank) {
      throw FormatError("#rank is a key to sort by, no text", at: "paths[\(index)]")
    }
    self.init(try object.required("matches"), at: paths)
  }
}

extension Condition.Test {
  fileprivate init(_ name: String, _ node: JSONNode) throws(FormatError) {
    switch name {
    case "in":
      var keys: [ValueKey] = []
      for (index, element) in try node.elements().enumerated() {
        do throws(FormatError) { keys.append(try element.scalar) } catch {
          throw error.inside("[\(index)]")
        }
      }
      self = .among(keys)
    case "prefix": self = .prefix(Array(try node.string().utf8))
    case "contains": self = .contains(Array(try node.string().utf8))
    case "exists": self = .exists(try Bool(node))
    default:
      let key = try node.scalar
      self =
        switch name {
        case "eq": .equal(key)
        case "ne": .notEqual(key)
        case "lt": .less(key)
        case "le": .lessOrEqual(key)
        case "gt": .greater(key)
        case "ge": .greaterOrEqual(key)
        default: .has(key)
        }
    }
  }
}

extension JSONNode {
  fileprivate var scalar: ValueKey {
    get throws(FormatError) {
      guard kind != .array, kind != .object else {
        throw FormatError("expected a string, a number, a boolean or null, found \(kind.rawValue)")
      }
      return ValueKey(self)
    }
  }
}

extension JSONObject {
  fileprivate func requireKnown(_ names: [String]) throws(FormatError) {
    for member in members {
      let name = try member.name.string()
      guard names.contains(name) else {
        throw FormatError(
          "no such member; known are \(names.joined(separator: ", "))", at: ShownText.token(name))
      }
    }
  }
}
