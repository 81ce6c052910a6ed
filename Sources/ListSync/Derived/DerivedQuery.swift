import DerivedLists
public import Foundation
public import ListItems
public import ListModel

/// What a derived list shows of its source: which items, in what order, in which sections.
///
/// ```swift
/// try inbox.derived("unread", of: Message.self) {
///   $0.where(\.isUnread).sorted(by: \.date, .reverse).sections(by: \.day, header: DayHeader.self)
/// }
/// ```
///
/// Properties are found in what the type encodes, so that the definition is data: every process keeps
/// the list up to date, the app's type or not. What is not encoded takes a closure, and a version of the
/// list: see ``ItemFields/computed(_:)``.
public struct DerivedQuery<Item: ListItem> {
  private let paths: FieldPaths<Item>
  private var conditions: [() throws -> String] = []
  private var keys: [() throws -> String] = []
  private var section: (() throws -> String)?
  private var count: Int?
  private(set) var supplementaryTypes: [any ListSupplementary.Type] = []

  init() { paths = FieldPaths() }

  // MARK: Which items

  /// Takes the items that meet a condition.
  ///
  /// ```swift
  /// $0.where { $0.isUnread && ($0.size < 100 || $0.labels.contains("work")) }
  /// ```
  ///
  /// - Parameter condition: Makes the condition of the properties of the type.
  /// - Returns: The query; of several conditions all must hold.
  public func `where`(_ condition: (ItemFields<Item>) -> some ItemTest) -> DerivedQuery {
    var query = self
    query.conditions.append(condition(ItemFields(paths: paths)).condition.json)
    return query
  }

  /// Takes the items of which something is true.
  ///
  /// - Parameter property: A property of the type.
  /// - Returns: The query; of several conditions all must hold.
  public func `where`(_ property: KeyPath<Item, Bool>) -> DerivedQuery {
    self.where { _ in ItemField(property, paths) }
  }

  /// Takes the first items alone, counted through the sections in their order.
  ///
  /// - Parameter count: How many, at least 0.
  /// - Returns: The query.
  public func limit(_ count: Int) -> DerivedQuery {
    var query = self
    query.count = count
    return query
  }

  // MARK: Order

  /// Orders the items by a property, and those that are equal in it by the next call's; in the end by
  /// the order of the source.
  ///
  /// What is not there comes first, then `false`, `true`, numbers and dates, texts.
  ///
  /// - Parameters:
  ///   - property: A property of the type.
  ///   - order: `.reverse` puts the greatest first.
  ///   - comparison: How texts are compared.
  /// - Returns: The query, with one key more.
  public func sorted<Value: Encodable>(
    by property: KeyPath<Item, Value>, _ order: SortOrder = .forward,
    comparing comparison: TextComparison = .scalars
  ) -> DerivedQuery {
    ordered(by: ItemField(property, paths), order, comparison)
  }

  /// Orders the items by what is at a path of their contents.
  ///
  /// - Parameters:
  ///   - field: As `.path("/title")`.
  ///   - order: `.reverse` puts the greatest first.
  ///   - comparison: How texts are compared.
  /// - Returns: The query, with one key more.
  public func sorted(
    by field: ItemField<Item, JSON>, _ order: SortOrder = .forward,
    comparing comparison: TextComparison = .scalars
  ) -> DerivedQuery {
    ordered(by: field, order, comparison)
  }

  /// Orders the items by what a closure computes: see ``ItemFields/computed(_:)``.
  ///
  /// - Parameters:
  ///   - value: Computes a value of an item.
  ///   - order: `.reverse` puts the greatest first.
  ///   - comparison: How texts are compared.
  /// - Returns: The query, with one key more.
  public func sorted<Value: Encodable>(
    by value: @escaping @Sendable (Item) -> Value, _ order: SortOrder = .forward,
    comparing comparison: TextComparison = .scalars
  ) -> DerivedQuery {
    ordered(by: ItemField(computing: value, paths), order, comparison)
  }

  private func ordered(
    by field: ItemField<Item, some Encodable>, _ order: SortOrder, _ comparison: TextComparison
  ) -> DerivedQuery {
    adding {
      let path = JSONWriter.quoted(try field.resolved().path)
      let descending = order == .reverse ? ",\"descending\":true" : ""
      return "{\"path\":\(path)\(descending)\(comparison.json)}"
    }
  }

  /// The query with one key more.
  func adding(_ key: @escaping () throws -> String) -> DerivedQuery {
    var query = self
    query.keys.append(key)
    return query
  }

  // MARK: Sections

  /// Puts the items of each value of a property into a section.
  ///
  /// The section's id is the value as text: a string itself, `20784` for a number, `none` for what is
  /// not there. An item stands in one section: a list that shows it in two needs two items.
  ///
  /// - Parameters:
  ///   - property: A property of the type.
  ///   - order: The order of the sections.
  ///   - header: The type of their headers, which is decoded of `{"value":…}`, the value of the
  ///     property; `nil` for none.
  ///   - layout: The layout of each section; `nil` for that of the view.
  /// - Returns: The query, with these sections.
  public func sections<Value: Encodable>(
    by property: KeyPath<Item, Value>, _ order: SectionOrder = .forward,
    header: (any ListSupplementary.Type)? = nil, layout: SectionLayout? = nil
  ) -> DerivedQuery {
    grouped(by: ItemField(property, paths), order, header, layout)
  }

  /// Puts the items of each value at a path of their contents into a section.
  ///
  /// - Parameters:
  ///   - field: As `.path("/day")`.
  ///   - order: The order of the sections.
  ///   - header: The type of their headers, which is decoded of `{"value":…}`; `nil` for none.
  ///   - layout: The layout of each section; `nil` for that of the view.
  /// - Returns: The query, with these sections.
  public func sections(
    by field: ItemField<Item, JSON>, _ order: SectionOrder = .forward,
    header: (any ListSupplementary.Type)? = nil, layout: SectionLayout? = nil
  ) -> DerivedQuery {
    grouped(by: field, order, header, layout)
  }

  /// Puts the items of each value that a closure computes into a section: see
  /// ``ItemFields/computed(_:)``.
  ///
  /// - Parameters:
  ///   - value: Computes a value of an item.
  ///   - order: The order of the sections.
  ///   - header: The type of their headers, which is decoded of `{"value":…}`; `nil` for none.
  ///   - layout: The layout of each section; `nil` for that of the view.
  /// - Returns: The query, with these sections.
  public func sections<Value: Encodable>(
    by value: @escaping @Sendable (Item) -> Value, _ order: SectionOrder = .forward,
    header: (any ListSupplementary.Type)? = nil, layout: SectionLayout? = nil
  ) -> DerivedQuery {
    grouped(by: ItemField(computing: value, paths), order, header, layout)
  }

  private func grouped(
    by field: ItemField<Item, some Encodable>, _ order: SectionOrder,
    _ header: (any ListSupplementary.Type)?, _ layout: SectionLayout?
  ) -> DerivedQuery {
    var query = self
    query.section = {
      var members = ["\"path\":\(JSONWriter.quoted(try field.resolved().path))"]
      switch order {
      case .forward: break
      case .reverse: members.append("\"descending\":true")
      case .source: members.append("\"order\":\"source\"")
      }
      if let header { members.append("\"view\":\(JSONWriter.quoted(header.viewName.rawValue))") }
      if let layout {
        var writer = JSONWriter()
        layout.write(to: &writer)
        members.append("\"layout\":\(writer.text)")
      }
      return "{\(members.joined(separator: ","))}"
    }
    query.supplementaryTypes = header.map { [$0] } ?? []
    return query
  }

  /// Keeps the sections of the source, with their headers: what a list that is only filtered does
  /// without being told.
  ///
  /// - Parameter keepsEmpty: Whether sections stay that have no items left.
  /// - Returns: The query, with these sections.
  public func sourceSections(keepingEmpty keepsEmpty: Bool = false) -> DerivedQuery {
    var query = self
    query.section = { "{\"path\":\"#section\"\(keepsEmpty ? ",\"keepsEmpty\":true" : "")}" }
    query.supplementaryTypes = []
    return query
  }

  /// Puts all items into one section: what a list that is sorted does without being told.
  public func oneSection() -> DerivedQuery {
    var query = self
    query.section = { "" }
    query.supplementaryTypes = []
    return query
  }

  // MARK: The definition

  /// Whether the source's sections are shown, whose headers are of its types.
  var showsSourceSections: Bool {
    section == nil ? keys.isEmpty : (try? section?().hasPrefix("{\"path\":\"#section\"")) ?? false
  }

  /// The definition, as stores have it.
  ///
  /// `version`: That of its closures.
  func definition(
    _ list: ListID, of source: ListID, types: ItemTypes, version: Int?
  ) throws -> PassingQuery.Definition {
    (paths.defined, paths.closures) = ((list, version), [:])
    var members = [
      "\"derived\":\(JSONWriter.quoted(list.rawValue))",
      "\"of\":\(JSONWriter.quoted(source.rawValue))",
    ]
    let tests = try conditionOfType(among: types) + conditions.map { try $0() }
    if !tests.isEmpty { members.append("\"where\":[\(tests.joined(separator: ","))]") }
    let keys = try self.keys.map { try $0() }
    if !keys.isEmpty { members.append("\"sort\":[\(keys.joined(separator: ","))]") }
    let section = try section?() ?? (keys.isEmpty ? "{\"path\":\"#section\"}" : "")
    if !section.isEmpty { members.append("\"section\":\(section)") }
    if let count { members.append("\"limit\":\(count)") }
    do throws(FormatError) {
      return (
        try DerivedDefinition(parsing: Array("{\(members.joined(separator: ","))}".utf8)),
        paths.closures
      )
    } catch {
      throw StoreError(.invalidValue, "derived list \"\(list)\": \(error)", cause: error)
    }
  }

  /// Leaves out items of other types, if the source has some.
  private func conditionOfType(among types: ItemTypes) throws -> [String] {
    if types.all.count < 2 { return [] }
    var names: [String] = []
    for name in [Item.typeName] + Item.aliases {
      for version in 1...max(1, Item.contentVersion) {
        names.append(JSONWriter.quoted(try name.stored(version: version).rawValue))
      }
    }
    let cells = types.cells(ofOnly: Item.self).map(\.rawValue).sorted()
      .map { JSONWriter.quoted($0) }
    let isNamed = "{\"path\":\"#type\",\"in\":[\(names.joined(separator: ","))]}"
    if cells.isEmpty { return [isNamed] }
    return [
      "{\"any\":[\(isNamed),{\"all\":[{\"path\":\"#type\",\"exists\":false},"
        + "{\"path\":\"#cell\",\"in\":[\(cells.joined(separator: ","))]}]}]}"
    ]
  }
}

extension DerivedQuery {
  /// The order of a derived list's sections.
  public enum SectionOrder: Hashable, Sendable {
    /// By their least value.
    case forward
    /// By their greatest value, the greatest first.
    case reverse
    /// As they are met first in the source.
    case source
  }

  /// How the texts of a derived list are compared.
  public enum TextComparison: Hashable, Sendable {
    /// By their Unicode scalars.
    case scalars
    /// By the scalars of their lower-case letters.
    case caseless
    /// As people of a region expect it; an empty identifier is the root locale's order.
    case localized(locale: String)

    fileprivate var json: String {
      switch self {
      case .scalars: ""
      case .caseless: ",\"collation\":\"caseless\""
      case .localized(let locale):
        ",\"collation\":\"localized\""
          + (locale.isEmpty ? "" : ",\"locale\":\(JSONWriter.quoted(locale))")
      }
    }
  }
}
