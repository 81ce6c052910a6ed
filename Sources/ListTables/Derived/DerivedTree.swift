import DerivedLists
import Foundation
import GRDB
import ListModel
import StoreFiles

/// A derived list as its definition makes it of a whole source.
///
/// `Element`: What is kept of an item.
struct DerivedTree<Element> {
  private(set) var sections: [Section] = []
  /// How many items of each section have a value.
  private(set) var values: [SectionID: [ValueKey: Int]] = [:]

  struct Section {
    var id: SectionID
    var attributes: SectionAttributes
    var items: [Element]
  }

  /// An item of the list, as the source has it.
  struct Found {
    var member: Block.Member
    var state: ItemState
    /// Among the items of all sections of the source.
    var index: Int
    /// The value that has given it its section; `nil` if none has.
    var value: ValueKey?
  }

  private struct Entry {
    var item: Element
    var keys: [ValueKey]
    var index: Int
  }

  private struct Group {
    var first: Int
    var entries: [Entry] = []
    var values: [ValueKey: Int] = [:]
  }

  /// Derives a whole list.
  ///
  /// `asksIndexes`: Whether full-text indexes may tell what matches a search; a check asks the items.
  /// `element`: What is kept of an item.
  ///
  /// - Throws: `SQLITE_CORRUPT` if the source has an item twice, or counts wrongly.
  init(
    _ rule: DerivedDefinition, of source: ListRows, asksIndexes: Bool = true,
    _ element: (Found) throws -> Element
  ) throws {
    var groups: [SectionID: Group] = [:]
    var order: [SectionID] = []
    var index = 0
    // What no index knows is read.
    let matching =
      try asksIndexes ? rule.requiredSearches.compactMap { try source.rowsMatching($0) } : []
    try source.forEachUncheckedSection { row, known in
      if case .ofSource(keepsEmpty: true) = rule.sections {
        groups[row.section] = Group(first: index)
        order.append(row.section)
      }
      try source.forEachItem(of: row, &known) { member in
        defer { index += 1 }
        if let limit = rule.limit, index >= limit { return }
        guard matching.allSatisfy({ $0.contains(member.id) }) else { return }
        let item = try source.subject(member, row.section)
        guard rule.includes(item) else { return }
        var value: ValueKey?
        var section = DerivedDefinition.onlySection
        switch rule.sections {
        case .one: break
        case .ofSource: section = row.section
        case .byValue(let term):
          let key = item.key(at: term.path)
          value = key
          section = key.sectionID(hash: sha256)
        }
        if groups[section] == nil { order.append(section) }
        var group = groups.removeValue(forKey: section) ?? Group(first: index)
        group.entries.append(
          Entry(
            item: try element(
              Found(member: member, state: item.state, index: index, value: value)),
            keys: rule.sortKeys(of: item), index: index))
        if let value { group.values[value, default: 0] += 1 }
        groups[section] = group
      }
    }
    if case .one = rule.sections, source.revision > 0, groups.isEmpty {
      let only = DerivedDefinition.onlySection
      (groups[only], order) = (Group(first: 0), [only])
    }
    for id in Self.sorted(order, groups, rule) {
      guard var group = groups[id] else { throw DatabaseError.corrupt("no section \"\(id)\"") }
      if !rule.sort.isEmpty {
        group.entries.sort { lhs, rhs in
          let order = rule.order(lhs.keys, rhs.keys)
          return order == 0 ? lhs.index < rhs.index : order < 0
        }
      }
      sections.append(
        Section(
          id: id, attributes: try Self.attributes(of: id, group.values.keys.min(), rule, source),
          items: group.entries.map(\.item)))
    }
    values = groups.mapValues(\.values)
  }

  private static func attributes(
    of id: SectionID, _ least: ValueKey?, _ rule: DerivedDefinition, _ source: ListRows
  ) throws -> SectionAttributes {
    if let least { return rule.attributes(ofSectionWith: least) }
    guard case .ofSource = rule.sections, let row = try source.sectionRow(id) else {
      return SectionAttributes()
    }
    return try source.attributes(of: row.id)
  }

  private static func sorted(
    _ order: [SectionID], _ groups: [SectionID: Group], _ rule: DerivedDefinition
  ) -> [SectionID] {
    guard case .byValue(let term) = rule.sections else { return order }
    let ranked = order.compactMap { id in groups[id].map { (id: id, group: $0) } }
    let sorted =
      switch term.order {
      case .source: ranked
      case .ascending:
        ranked.sorted { lhs, rhs in
          (lhs.group.values.keys.min() ?? .null) < (rhs.group.values.keys.min() ?? .null)
        }
      case .descending:
        ranked.sorted { lhs, rhs in
          (lhs.group.values.keys.max() ?? .null) > (rhs.group.values.keys.max() ?? .null)
        }
      }
    return sorted.map(\.id)
  }
}

/// The SHA-256 of bytes, in hexadecimal.
func sha256(_ bytes: [UInt8]) -> String { Digest.sha256Hexadecimal(bytes) }

extension DerivedDefinition {
  /// Less than 0 if keys stand before others, 0 if nothing tells them apart.
  func order(_ lhs: [ValueKey], _ rhs: [ValueKey]) -> Int {
    for (term, pair) in zip(sort, zip(lhs, rhs)) {
      let order = term.collation.order(pair.0, pair.1)
      if order != 0 { return term.isDescending ? -order : order }
    }
    return 0
  }
}

extension DerivedDefinition.Collation {
  fileprivate func order(_ lhs: ValueKey, _ rhs: ValueKey) -> Int {
    if case .localized(let locale) = self, let lhs = lhs.string, let rhs = rhs.string {
      return lhs.compare(rhs, locale: Locale(identifier: locale)).rawValue
    }
    return lhs < rhs ? -1 : rhs < lhs ? 1 : 0
  }
}
