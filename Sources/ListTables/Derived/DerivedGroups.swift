import DerivedLists
import GRDB
import ListModel

/// The sections of a derived list in the making, which get its items in any order.
///
/// `Element`: What is kept of an item.
struct DerivedGroups<Element> {
  private let rule: DerivedDefinition
  private var groups: [Group] = []
  private var places: [SectionID: Int] = [:]
  private var numbers = ValueNumbers()
  /// The values that items are grouped by, by their numbers.
  private(set) var values: [Value] = []
  private var keys: SortKeys
  /// The section of the last item: mostly the next one's, too.
  private var last: (id: SectionID, place: Int)?

  struct Section {
    var id: SectionID
    var attributes: SectionAttributes
    var items: [Element]
  }

  /// A value that items are grouped by.
  struct Value {
    var key: ValueKey
    /// How many items have it.
    var count: Int
    /// The place of their section.
    fileprivate var place: Int
  }

  private struct Group {
    var id: SectionID
    var items: [Item] = []
    /// Those that nothing orders, in their order.
    var elements: [Element] = []
    /// The first of the items, as the source has them.
    var first = Int.max
    /// The values of the items, each once.
    var values: [ValueKey] = []
  }

  private struct Item {
    /// Where the source has it.
    var index: Int
    /// The number of its keys.
    var keys: Int
    var element: Element
  }

  init(_ rule: DerivedDefinition) {
    self.rule = rule
    keys = SortKeys(rule.sort)
  }

  /// How many items of each section have a value.
  var counts: [SectionID: [ValueKey: Int]] {
    var counts = Dictionary(groups.map { ($0.id, [ValueKey: Int]()) }) { first, _ in first }
    for value in values { counts[groups[value.place].id]?[value.key, default: 0] += value.count }
    return counts
  }

  /// Begins with a section of the source, which stays if it gets no items and the definition says so.
  ///
  /// The sections of the source begin in their order, each before it gets items.
  mutating func begin(_ section: SectionID) {
    if case .ofSource = rule.sections { _ = place(of: section) }
  }

  /// Adds an item.
  ///
  /// `index`: Where the source has it among the items of all its sections.
  /// `keys`: Those that it is ordered by.
  /// `value`: The one that it is grouped by; `nil` without one.
  /// `section`: The section of the source that it stands in.
  ///
  /// - Returns: The number of the value; `nil` without one.
  @discardableResult
  mutating func add(
    _ element: Element, at index: Int, keys: [ValueKey], value: ValueKey?,
    from section: @autoclosure () -> SectionID
  ) -> Int? {
    let place: Int
    var number: Int?
    switch rule.sections {
    case .one: place = self.place(of: DerivedDefinition.onlySection)
    case .ofSource: place = self.place(of: section())
    case .byValue:
      let known = self.number(of: value ?? .null)
      values[known].count += 1
      place = values[known].place
      number = known
    }
    groups[place].first = min(groups[place].first, index)
    groups[place].items.append(
      Item(index: index, keys: self.keys.append(keys), element: element))
    return number
  }

  /// Adds items that nothing orders or groups, in the order of the source.
  mutating func add(_ items: [Element], from section: SectionID) {
    if items.isEmpty { return }
    let place =
      if case .one = rule.sections {
        self.place(of: DerivedDefinition.onlySection)
      } else {
        self.place(of: section)
      }
    groups[place].elements += items
  }

  private mutating func number(of value: ValueKey) -> Int {
    let number = numbers.number(of: value)
    if number == values.count {
      let place = self.place(of: value.sectionID(hash: sha256))
      groups[place].values.append(value)
      values.append(Value(key: value, count: 0, place: place))
    }
    return number
  }

  private mutating func place(of id: SectionID) -> Int {
    if let last, last.id == id { return last.place }
    let place = places[id] ?? groups.count
    if place == groups.count {
      places[id] = place
      groups.append(Group(id: id))
    }
    last = (id, place)
    return place
  }

  /// The sections with their items, in their order.
  mutating func sections(of source: ListRows) throws -> [Section] {
    if case .one = rule.sections, source.revision > 0 {
      _ = place(of: DerivedDefinition.onlySection)
    }
    return try sortedGroups().map { group in
      Section(
        id: group.id, attributes: try attributes(of: group, source), items: sortedItems(of: group))
    }
  }

  private func attributes(of group: Group, _ source: ListRows) throws -> SectionAttributes {
    if let least = group.values.min() { return rule.attributes(ofSectionWith: least) }
    guard case .ofSource = rule.sections, let row = try source.sectionRow(group.id) else {
      return SectionAttributes()
    }
    return try source.attributes(of: row.id)
  }

  private func sortedGroups() -> [Group] {
    switch rule.sections {
    case .one, .ofSource(keepsEmpty: true): groups
    case .ofSource(keepsEmpty: false): groups.filter { !$0.items.isEmpty || !$0.elements.isEmpty }
    case .byValue(let term):
      switch term.order {
      case .source: groups.sorted { $0.first < $1.first }
      case .ascending:
        sorted { .key($0.values.min() ?? .null, of: $0.id) }
      case .descending:
        sorted { .descending($0.values.max() ?? .null, of: $0.id) }
      }
    }
  }

  private func sorted(_ rank: (Group) -> SectionRank) -> [Group] {
    groups.map { (rank: rank($0), group: $0) }.sorted { $0.rank < $1.rank }.map(\.group)
  }

  private func sortedItems(of group: Group) -> [Element] {
    if group.items.isEmpty { return group.elements }
    return keys.sorted(group.items, keys: \.keys, index: \.index).map(\.element)
  }
}

/// Values, each with a number.
///
/// A rounded number is another value than the integer that it is equal to: their sections may have two ids.
struct ValueNumbers {
  private(set) var keys: [ValueKey] = []
  private var exact: [ValueKey: Int] = [:]
  private var rounded: [ValueKey: Int] = [:]

  /// The number of a value, which gets the next one if it has none.
  mutating func number(of value: ValueKey) -> Int {
    if let known = value.isRounded ? rounded[value] : exact[value] { return known }
    if value.isRounded { rounded[value] = keys.count } else { exact[value] = keys.count }
    keys.append(value)
    return keys.count - 1
  }
}
