import DerivedLists
import GRDB
import ListModel

extension DerivedUpdate {
  mutating func makeOnlySection() throws {
    guard case .one = rule.sections, source.revision > 0,
      try target.sectionRow(DerivedDefinition.onlySection) == nil
    else { return }
    try apply(.insertSection(DerivedDefinition.onlySection, SectionAttributes(), at: 0))
  }

  /// The row of a section; a new section stands at the end until ``arrangeSections(_:)``.
  mutating func sectionRow(_ id: SectionID, for item: Subject) throws -> SectionRow {
    if let row = try target.sectionRow(id) { return row }
    let attributes: SectionAttributes =
      if let value = value(of: item) {
        rule.attributes(ofSectionWith: value)
      } else {
        try attributes(ofSource: id)
      }
    try apply(.insertSection(id, attributes, at: target.sectionTotal))
    touched.insert(id)
    return try target.knownSectionRow(id)
  }

  private func attributes(ofSource id: SectionID) throws -> SectionAttributes {
    guard case .ofSource = rule.sections, let row = try source.sectionRow(id) else {
      return SectionAttributes()
    }
    return try source.attributes(of: row.id)
  }

  /// Deletes sections that are no more, adds empty ones that stay, and puts all in their order.
  mutating func arrangeSections(_ changed: ChangedItems, keepingEmpty: Bool = false) throws {
    if case .one = rule.sections { return }
    firstPlaces = [:]
    if case .ofSource(keepsEmpty: true) = rule.sections {
      for id in changed.sections
      where try source.sectionRow(id) != nil && target.sectionRow(id) == nil {
        try apply(
          .insertSection(id, try attributes(ofSource: id), at: target.sectionTotal))
        touched.insert(id)
      }
    }
    for id in changed.sections { touched.insert(id) }
    var left: [SectionID] = []
    for id in touched.ids {
      guard let row = try target.sectionRow(id) else { continue }
      if try isGone(row, keepingEmpty) {
        let section = ListTree.Section(id: id, attributes: try target.attributes(of: row.id))
        try apply(.deleteSection(section, at: try index(of: row)))
      } else {
        left.append(id)
      }
    }
    for id in left {
      let row = try target.knownSectionRow(id)
      let before = try target.attributes(of: row.id)
      let after = try wantedAttributes(of: row)
      guard before != after else { continue }
      // Contents that are written otherwise mean the same.
      if SectionUpdate(from: before, to: after) == SectionUpdate() { continue }
      try apply(.updateSection(id, at: try index(of: row), before: before, after: after))
    }
    var unsettled = Set(left)
    for id in left {
      unsettled.remove(id)
      try settle(id, besides: unsettled)
    }
  }

  private func isGone(_ row: SectionRow, _ keepingEmpty: Bool) throws -> Bool {
    let isEmpty = row.itemCount == 0 && !keepingEmpty
    guard case .ofSource(let keepsEmpty) = rule.sections else { return isEmpty }
    return try source.sectionRow(row.section) == nil || isEmpty && !keepsEmpty
  }

  private func wantedAttributes(of row: SectionRow) throws -> SectionAttributes {
    guard case .byValue = rule.sections else { return try attributes(ofSource: row.section) }
    return rule.attributes(ofSectionWith: try target.statements.values(ofSection: row.id).least)
  }

  private mutating func settle(_ id: SectionID, besides unsettled: Set<SectionID>) throws {
    let rank = try rank(of: id)
    let from = try index(of: target.knownSectionRow(id))
    if try isSettled(id, rank, at: from, besides: unsettled) { return }
    let place = try SettledOrder.placement(among: target.sectionTotal) { index in
      let other = try target.sectionRow(at: index).section
      return other == id || unsettled.contains(other) ? nil : try rank < self.rank(of: other)
    }
    let to = try SettledOrder.move(from: from, to: place) { index in
      try !unsettled.contains(target.sectionRow(at: index).section)
    }
    if let to { try apply(.moveSection(id, from: from, to: to)) }
  }

  /// Whether a section stands between two that are in their places and belong around it.
  private mutating func isSettled(
    _ id: SectionID, _ rank: SectionRank, at index: Int, besides unsettled: Set<SectionID>
  ) throws -> Bool {
    for neighbour in [index - 1, index + 1] where 0..<target.sectionTotal ~= neighbour {
      let other = try target.sectionRow(at: neighbour).section
      if unsettled.contains(other) { return false }
      let isBefore = try rank < self.rank(of: other)
      if isBefore != (index < neighbour) { return false }
    }
    return true
  }

  /// What sections are ordered by.
  private mutating func rank(of id: SectionID) throws -> SectionRank {
    let row = try target.knownSectionRow(id)
    switch rule.sections {
    case .one: return .index(0)
    case .ofSource:
      guard let index = try source.sectionIndex(of: id) else {
        throw DatabaseError.corrupt("section \"\(id)\" is not in the source")
      }
      return .index(index)
    case .byValue(let term):
      switch term.order {
      case .ascending: return .key(try target.statements.values(ofSection: row.id).least, of: id)
      case .descending:
        return .descending(try target.statements.values(ofSection: row.id).greatest, of: id)
      case .source: return .path(try firstPlace(in: row))
      }
    }
  }

  /// The place in the source of the item of a section that is met first there.
  private mutating func firstPlace(in row: SectionRow) throws -> ItemPath {
    if let known = firstPlaces[row.section] { return known }
    let found = try findFirstPlace(in: row)
    firstPlaces[row.section] = found
    return found
  }

  /// Looks at the items of the section; if it is long beside the number of sections, also at those of the
  /// source from its start, in turn.
  ///
  /// Whichever ends first tells the place: such a section mostly has an item near the start.
  private func findFirstPlace(in row: SectionRow) throws -> ItemPath {
    var first: ItemPath?
    let looksAtSource = row.itemCount > 4 * target.sectionTotal
    var next = ItemPath(section: looksAtSource ? 0 : .max, item: 0)
    for index in 0..<(rule.sort.isEmpty ? min(1, row.itemCount) : row.itemCount) {
      let id = try ItemID(target.tree.member(at: index, root: row.root).name)
      if let path = try place(of: id)?.path { first = min(first ?? path, path) }
      guard let other = try itemOfSource(at: &next) else { continue }
      if try target.location(of: other)?.section == row.section { return next }
      next.item += 1
    }
    return first ?? ItemPath(section: .max, item: 0)
  }

  /// The item of the source at a path, or at the next one that there is; `nil` at its end.
  private func itemOfSource(at path: inout ItemPath) throws -> ItemID? {
    while path.section < source.sectionTotal {
      let row = try source.sectionRow(at: path.section)
      if path.item < row.itemCount {
        return try ItemID(source.tree.member(at: path.item, root: row.root).name)
      }
      path = ItemPath(section: path.section + 1, item: 0)
    }
    return nil
  }

  /// Counts an item more or less in a section, and notes whether the section may have another header or
  /// place.
  mutating func count(_ item: Subject, _ difference: Int, in section: SectionID) throws {
    guard case .byValue(let term) = rule.sections else { return touched.insert(section) }
    let value = term.path == .section ? ValueKey(section.rawValue) : item.key(at: term.path)
    let hasOtherValues = try target.statements.count(
      value, difference, inSection: try target.knownSectionRow(section).id)
    if hasOtherValues || ordersSectionsByItems { touched.insert(section) }
  }

  /// Whether sections stand in the order of their items in the source.
  var ordersSectionsByItems: Bool {
    if case .byValue(let term) = rule.sections { term.order == .source } else { false }
  }
}

/// What a section is ordered by; those of one list have the same kind.
enum SectionRank: Comparable {
  case index(Int)
  /// Integers and rounded numbers that are equal have sections of their own, in the order of the ids.
  case key(ValueKey, of: SectionID)
  case descending(ValueKey, of: SectionID)
  case path(ItemPath)

  static func < (lhs: SectionRank, rhs: SectionRank) -> Bool {
    switch (lhs, rhs) {
    case (.index(let lhs), .index(let rhs)): lhs < rhs
    case (.key(let key, let id), .key(let other, let otherID)):
      key == other ? id < otherID : key < other
    case (.descending(let key, let id), .descending(let other, let otherID)):
      key == other ? id < otherID : other < key
    case (.path(let lhs), .path(let rhs)): lhs < rhs
    default: false
    }
  }
}

/// Sections in the order in which they were met.
struct OrderedSections {
  private(set) var ids: [SectionID] = []
  private var known: Set<SectionID> = []

  mutating func insert(_ id: SectionID) { if known.insert(id).inserted { ids.append(id) } }
}
