package import ListModel

/// The content of a derived list: its definition carried out on a whole tree.
///
/// It has a JSON parser of its own and shares no code with the library. It is slow on purpose: all
/// values are read again for each tree. It follows the format of derived lists, without
/// `localized`.
package struct DerivedOracle {
  /// The id of the list that is made.
  package let derived: ListID
  /// The id of the source.
  package let source: ListID
  private let conditions: [Condition]
  private let keys: [Key]
  private let sectioning: Sectioning
  private let limit: Int

  /// Reads a definition.
  ///
  /// - Throws: ``DerivedOracle/Problem`` if it is not valid, or if it uses something that may
  ///   differ between systems.
  package init(_ definitionLine: String) throws {
    let definition = try Members(
      Value(parsing: definitionLine), ["derived", "of", "where", "sort", "section", "limit"])
    guard let derived = try definition.string("derived"), let source = try definition.string("of")
    else { throw Problem("derived or of is missing") }
    self.derived = try ListID(derived)
    self.source = try ListID(source)
    conditions = try definition.array("where").map { try Condition($0) }
    let searches = conditions.flatMap(\.searches)
    keys = try definition.array("sort").map { try Key($0, searches) }
    sectioning = try Sectioning(definition["section"])
    switch definition["limit"] {
    case nil: limit = .max
    case .integer(let limit) where limit >= 0: self.limit = limit
    default: throw Problem("limit is no whole number from 0")
    }
  }

  /// The derived tree of a source's tree, at revision 0.
  ///
  /// - Parameters:
  ///   - source: The source's tree.
  ///   - exists: Whether the source has had a commit; by default, whether its revision is not 0. A
  ///     tree that an oracle made has revision 0, whether it exists or not.
  /// - Returns: The tree. Its items are the source's, with their content revisions.
  package func tree(of source: ListTree, exists: Bool? = nil) -> ListTree {
    var tree = ListTree(list: derived)
    guard exists ?? (source.revision > 0) else { return tree }
    var entries: [Entry] = []
    for section in source.sections {
      for item in section.items where item.state.cell != "#gap" {
        entries.append(Entry(item: item, section: section.id))
      }
    }
    entries.removeAll { entry in !conditions.allSatisfy { $0.holds(for: entry) } }
    var left = limit
    for var group in groups(of: entries, in: source) {
      group.entries = sorted(group.entries) { lhs, rhs in
        keys.lazy.map { $0.order(lhs, rhs) }.first { $0 != 0 } ?? 0
      }
      let items = group.entries.prefix(left).map(\.item)
      left -= items.count
      if items.isEmpty, !group.keepsEmpty { continue }
      tree.sections.append(
        ListTree.Section(id: group.id, attributes: group.attributes, items: items))
    }
    return tree
  }

  private func groups(of entries: [Entry], in source: ListTree) -> [Group] {
    switch sectioning {
    case .none: return [Group(id: "items", keepsEmpty: true, entries: entries)]
    case .mirrored(let keepsEmpty):
      return source.sections.map { section in
        Group(
          id: section.id, attributes: section.attributes, keepsEmpty: keepsEmpty,
          entries: entries.filter { $0.section == section.id })
      }
    case .byValue(let path, let order, let view, let layout):
      var groups: [Group] = []
      for entry in entries {
        let value = path.value(in: entry)
        let id = value.sectionID
        if let place = groups.firstIndex(where: { $0.id == id }) {
          groups[place].entries.append(entry)
          groups[place].values.append(value)
        } else {
          groups.append(Group(id: id, entries: [entry], values: [value]))
        }
      }
      for place in groups.indices {
        groups[place].values = sorted(groups[place].values) { $0.order($1) }
        groups[place].attributes.layout = layout
        groups[place].attributes.header = view.map {
          Supplementary(
            view: $0, content: JSON(minified: "{\"value\":\(groups[place].values[0].json)}"))
        }
      }
      // An integer and a rounded number that are equal may have two ids.
      let named = groups.sorted { $0.id < $1.id }
      switch order {
      case .source: return groups
      case .ascending: return sorted(named) { $0.values[0].order($1.values[0]) }
      case .descending:
        return sorted(named) { lhs, rhs in
          rhs.values[rhs.values.count - 1].order(lhs.values[lhs.values.count - 1])
        }
      }
    }
  }

  /// A definition that is not valid or not supported.
  package struct Problem: Error, CustomStringConvertible {
    /// What is wrong.
    package let description: String

    init(_ description: String) { self.description = description }
  }
}

/// The elements in order; equal ones stay in the order that they have.
private func sorted<Element>(
  _ elements: [Element], _ order: (Element, Element) -> Int
) -> [Element] {
  elements.enumerated().sorted { lhs, rhs in
    let order = order(lhs.element, rhs.element)
    return order == 0 ? lhs.offset < rhs.offset : order < 0
  }.map(\.element)
}

// MARK: - Parts of a definition

private typealias Problem = DerivedOracle.Problem
private typealias Value = OracleValue
private typealias Text = OracleValue.Text

/// An item of the source that is no gap.
private struct Entry {
  let item: Item
  let section: SectionID
}

private struct Group {
  let id: SectionID
  var attributes = SectionAttributes()
  var keepsEmpty = false
  var entries: [Entry]
  /// The values of the entries; afterwards from the least to the greatest.
  var values: [Value] = []
}

private enum Path {
  case pointer([Text])
  case field(String)

  init(_ text: String) throws {
    if text.hasPrefix("#") {
      guard ["#id", "#cell", "#type", "#section"].contains(text) else {
        throw Problem("\(text) is no field, or not supported")
      }
      self = .field(text)
      return
    }
    let tokens = Text(text.unicodeScalars).split(separator: "/", omittingEmptySubsequences: false)
    guard tokens[0].isEmpty else { throw Problem("\(text) is no pointer") }
    self = .pointer(
      try tokens.dropFirst().map { token in
        var name: Text = []
        var rest = token[...]
        while let scalar = rest.popFirst() {
          guard scalar == "~" else {
            name.append(scalar)
            continue
          }
          guard let digit = rest.popFirst(), digit == "0" || digit == "1" else {
            throw Problem("\(text) is no pointer")
          }
          name.append(digit == "0" ? "~" : "/")
        }
        return name
      })
  }

  /// What is there; `null` if nothing is.
  func value(in entry: Entry) -> Value {
    switch self {
    case .field("#id"): return .string(Text(entry.item.id.rawValue.unicodeScalars))
    case .field("#cell"): return .string(Text(entry.item.state.cell.rawValue.unicodeScalars))
    case .field("#section"): return .string(Text(entry.section.rawValue.unicodeScalars))
    case .field:
      return entry.item.state.type.map { .string(Text($0.rawValue.unicodeScalars)) } ?? .null
    case .pointer(let names):
      guard var value = try? Value(parsing: entry.item.state.content.text) else { return .null }
      for name in names {
        switch value {
        case .object(let members): value = members[name] ?? .null
        case .array(let elements):
          // Without leading zeros and signs, as RFC 6901 writes it.
          let digits = String(String.UnicodeScalarView(name))
          guard let index = Int(digits), String(index) == digits, elements.indices.contains(index)
          else { return .null }
          value = elements[index]
        default: return .null
        }
      }
      return value
    }
  }
}

private indirect enum Condition {
  case test(Path, String, Value)
  case search(Search)
  case any([Condition])
  case all([Condition])
  case not([Condition])

  init(_ value: Value) throws {
    let members = try Members(
      value,
      [
        "path", "eq", "ne", "lt", "le", "gt", "ge", "in", "has", "prefix", "contains", "exists",
        "any", "all", "not", "paths", "matches",
      ])
    let operators = members.names.filter { $0 != "path" && $0 != "paths" }
    guard operators.count == 1, let operand = members[operators[0]] else {
      throw Problem("a condition needs one operator")
    }
    if operators == ["matches"] {
      self = .search(try Search(members))
      return
    }
    guard members["paths"] == nil else { throw Problem("paths is out of place") }
    guard let path = try members.string("path") else {
      let conditions = try members.array(operators[0]).map { try Condition($0) }
      switch operators[0] {
      case "any": self = .any(conditions)
      case "all": self = .all(conditions)
      case "not": self = .not(conditions)
      default: throw Problem("path is missing")
      }
      return
    }
    let isRight =
      switch (operators[0], operand) {
      case ("any", _), ("all", _), ("not", _): false
      case ("in", .array(let elements)): elements.allSatisfy(\.isScalar)
      case ("prefix", .string), ("contains", .string), ("exists", .bool): true
      case ("in", _), ("prefix", _), ("contains", _), ("exists", _): false
      default: operand.isScalar
      }
    guard isRight else { throw Problem("the operand of \(operators[0]) is wrong") }
    self = .test(try Path(path), operators[0], operand)
  }

  func holds(for entry: Entry) -> Bool {
    switch self {
    case .any(let conditions): return conditions.contains { $0.holds(for: entry) }
    case .all(let conditions): return conditions.allSatisfy { $0.holds(for: entry) }
    case .not(let conditions): return !conditions.allSatisfy { $0.holds(for: entry) }
    case .search(let search): return search.points(of: entry) != nil
    case .test(let path, let name, let operand):
      let found = path.value(in: entry)
      switch (name, found, operand) {
      case ("eq", _, _): return found.equals(operand)
      case ("ne", _, _): return !found.equals(operand)
      case ("lt", _, _): return found.isComparable(to: operand) && found.order(operand) < 0
      case ("le", _, _): return found.isComparable(to: operand) && found.order(operand) <= 0
      case ("gt", _, _): return found.isComparable(to: operand) && found.order(operand) > 0
      case ("ge", _, _): return found.isComparable(to: operand) && found.order(operand) >= 0
      case ("in", _, .array(let elements)): return elements.contains { found.equals($0) }
      case ("has", .array(let elements), _): return elements.contains { $0.equals(operand) }
      case ("prefix", .string(let text), .string(let part)): return text.starts(with: part)
      case ("contains", .string(let text), .string(let part)):
        return (0...text.count).contains { text[$0...].starts(with: part) }
      case ("exists", .null, .bool(let exists)): return !exists
      case ("exists", _, .bool(let exists)): return exists
      default: return false
      }
    }
  }
}

extension Condition {
  /// All searches in it.
  var searches: [Search] {
    switch self {
    case .any(let conditions), .all(let conditions), .not(let conditions):
      conditions.flatMap(\.searches)
    case .test: []
    case .search(let search): [search]
    }
  }
}

private struct Search {
  private let paths: [Path]
  private let search: OracleSearch

  init(_ members: Members) throws {
    guard members["path"] == nil, case .string(let text) = members["matches"] else {
      throw Problem("matches is no string, or has a path")
    }
    paths = try members.array("paths").map { value in
      guard case .string(let text) = value else { throw Problem("a path is no string") }
      return try Path(String(String.UnicodeScalarView(text)))
    }
    guard !paths.isEmpty else { throw Problem("matches has no paths") }
    search = OracleSearch(text)
  }

  func points(of entry: Entry) -> Int? { search.points(of: paths.map { $0.value(in: entry) }) }
}

private struct Key {
  /// `nil` for `#rank`.
  let path: Path?
  let isDescending: Bool
  let isCaseless: Bool
  private let searches: [Search]

  init(_ value: Value, _ searches: [Search]) throws {
    let members = try Members(value, ["path", "descending", "collation"])
    guard let path = try members.string("path") else { throw Problem("path is missing") }
    self.path = path == "#rank" ? nil : try Path(path)
    self.searches = searches
    if self.path == nil, searches.count != 1 { throw Problem("#rank has not one matches") }
    isDescending = try members.flag("descending") ?? false
    let collation = try members.string("collation") ?? "scalars"
    guard ["scalars", "caseless"].contains(collation) else {
      throw Problem("the collation \(collation) is not supported")
    }
    isCaseless = collation == "caseless"
  }

  func order(_ lhs: Entry, _ rhs: Entry) -> Int {
    guard let path else {
      let points = [lhs, rhs].map { searches[0].points(of: $0) ?? 0 }
      return (isDescending ? 1 : -1) * (points[0] - points[1])
    }
    let lhs = path.value(in: lhs)
    let rhs = path.value(in: rhs)
    let order = isCaseless ? lhs.lowercased.order(rhs.lowercased) : lhs.order(rhs)
    return isDescending ? -order : order
  }
}

private enum Sectioning {
  enum Order { case ascending, descending, source }

  case none
  case mirrored(keepsEmpty: Bool)
  case byValue(Path, Order, view: ViewName?, SectionLayout?)

  init(_ value: Value?) throws {
    self = .none
    guard let value else { return }
    let members = try Members(
      value, ["path", "descending", "order", "view", "layout", "keepsEmpty"])
    guard let path = try members.string("path") else { throw Problem("path is missing") }
    let keepsEmpty = try members.flag("keepsEmpty")
    if path == "#section", members.names.allSatisfy({ ["path", "keepsEmpty"].contains($0) }) {
      self = .mirrored(keepsEmpty: keepsEmpty ?? false)
      return
    }
    guard keepsEmpty == nil else { throw Problem("keepsEmpty is out of place") }
    var order = try members.flag("descending") == true ? Order.descending : .ascending
    if let name = try members.string("order") {
      guard name == "source", members["descending"] == nil else { throw Problem("order is wrong") }
      order = .source
    }
    self = .byValue(
      try Path(path), order, view: try members.string("view").map { try ViewName($0) },
      try members["layout"].map { try SectionLayout($0) })
  }
}

extension SectionLayout {
  fileprivate init(_ value: Value) throws {
    let members = try Members(
      value, ["kind", "columns", "lineSpacing", "interitemSpacing", "insets"])
    let insets = try members.array("insets").map { try $0.number() }
    guard members["insets"] == nil || insets.count == 4 else { throw Problem("insets are wrong") }
    self.init(
      kind: try members.string("kind").flatMap { Kind(rawValue: $0) },
      columns: try members["columns"].flatMap { Int(exactly: try $0.number()) },
      lineSpacing: try members["lineSpacing"]?.number(),
      interitemSpacing: try members["interitemSpacing"]?.number(),
      insets: insets.isEmpty
        ? nil : Insets(top: insets[0], left: insets[1], bottom: insets[2], right: insets[3]))
  }
}

extension OracleValue {
  fileprivate func number() throws -> Double {
    switch self {
    case .integer(let number): return Double(number)
    case .double(let number): return number
    default: throw Problem("expected a number")
    }
  }
}

/// The members of an object in a definition.
private struct Members {
  let names: [String]
  private let values: [Text: Value]

  init(_ value: Value, _ known: Set<String>) throws {
    guard case .object(let members) = value else { throw Problem("expected an object") }
    values = members
    names = members.keys.map { String(String.UnicodeScalarView($0)) }
    for name in names where !known.contains(name) { throw Problem("unknown member \(name)") }
  }

  subscript(name: String) -> Value? { values[Text(name.unicodeScalars)] }

  func string(_ name: String) throws -> String? {
    switch self[name] {
    case nil: return nil
    case .string(let text): return String(String.UnicodeScalarView(text))
    default: throw Problem("\(name) is no string")
    }
  }

  func flag(_ name: String) throws -> Bool? {
    switch self[name] {
    case nil: return nil
    case .bool(let flag): return flag
    default: throw Problem("\(name) is neither true nor false")
    }
  }

  func array(_ name: String) throws -> [Value] {
    switch self[name] {
    case nil: return []
    case .array(let elements): return elements
    default: throw Problem("\(name) is no array")
    }
  }
}
