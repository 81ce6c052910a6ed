import DerivedLists
import GRDB
import ListModel

/// The sections of a derived list in the making, which get its items in the order of the source.
///
/// `Element`: What is kept of an item.
struct DerivedGroups<Element> {
  private let rule: DerivedDefinition
  private var groups: [Group] = []
  private var places: [SectionID: Int] = [:]
  /// The place of each value's section, and how many items have the value.
  private var byValue: [ValueKey: (place: Int, count: Int)] = [:]
  /// The section of the last item: mostly the next one's, too.
  private var last: (id: SectionID, place: Int)?

  struct Section {
    var id: SectionID
    var attributes: SectionAttributes
    var items: [Element]
  }

  private struct Group {
    var id: SectionID
    var items: [Element] = []
    /// The keys of each item; empty if there is no order but the source's.
    var keys: [[ValueKey]] = []
    /// The values of the items, each once.
    var values: [ValueKey] = []
  }

  init(_ rule: DerivedDefinition) { self.rule = rule }

  /// How many items of each section have a value.
  var values: [SectionID: [ValueKey: Int]] {
    var values = Dictionary(groups.map { ($0.id, [ValueKey: Int]()) }) { first, _ in first }
    for (value, known) in byValue { values[groups[known.place].id]?[value] = known.count }
    return values
  }

  /// Begins with a section of the source, which stays if it gets no items and the definition says so.
  mutating func begin(_ section: SectionID) {
    if case .ofSource(keepsEmpty: true) = rule.sections { _ = place(of: section) }
  }

  /// Adds an item.
  ///
  /// `keys`: Those that it is ordered by.
  /// `value`: The one that it is grouped by; `nil` without one.
  /// `section`: The section of the source that it stands in.
  mutating func add(
    _ item: Element, keys: [ValueKey], value: ValueKey?, from section: SectionID
  ) {
    let place: Int
    switch rule.sections {
    case .one: place = self.place(of: DerivedDefinition.onlySection)
    case .ofSource: place = self.place(of: section)
    case .byValue:
      let value = value ?? .null
      if let known = byValue.index(forKey: value) {
        place = byValue.values[known].place
        byValue.values[known].count += 1
      } else {
        place = self.place(of: value.sectionID(hash: sha256))
        byValue[value] = (place, 1)
        groups[place].values.append(value)
      }
    }
    groups[place].items.append(item)
    if !rule.sort.isEmpty { groups[place].keys.append(keys) }
  }

  /// Adds items that nothing orders or groups.
  mutating func add(_ items: [Element], from section: SectionID) {
    guard let first = items.first else { return }
    add(first, keys: [], value: nil, from: section)
    if let last { groups[last.place].items += items.dropFirst() }
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
    guard case .byValue(let term) = rule.sections else { return groups }
    return switch term.order {
    case .source: groups
    case .ascending:
      groups.sorted { ($0.values.min() ?? .null) < ($1.values.min() ?? .null) }
    case .descending:
      groups.sorted { ($0.values.max() ?? .null) > ($1.values.max() ?? .null) }
    }
  }

  private func sortedItems(of group: Group) -> [Element] {
    guard let term = rule.sort.first else { return group.items }
    // The first bytes of the first key decide most comparisons.
    var order = group.keys.enumerated().map { (first: term.first(of: $1[0]), index: $0) }
    order.sort { lhs, rhs in
      if lhs.first != rhs.first { return lhs.first < rhs.first }
      let order = rule.order(group.keys[lhs.index], group.keys[rhs.index])
      return order == 0 ? lhs.index < rhs.index : order < 0
    }
    return order.map { group.items[$0.index] }
  }
}

extension DerivedDefinition.SortTerm {
  /// A number that is less than another key's only if that stands behind it.
  fileprivate func first(of key: ValueKey) -> UInt64 {
    // Of its order the bytes say nothing.
    if case .localized = collation { return 0 }
    var first: UInt64 = 0
    for byte in key.bytes.prefix(8) { first = first << 8 | UInt64(byte) }
    first <<= UInt64(8 * max(0, 8 - key.bytes.count))
    return isDescending ? ~first : first
  }
}
