import BatchUpdates
import DerivedLists
import GRDB
import ListModel

/// Brings a derived list to where its source is, in the transaction that changed the source.
///
/// It looks at the items that the source's commit names, as they are now: which of them the list has,
/// which it is to have, and where. So it costs what changed, in whatever order it changed. Of the
/// other items neither keys nor order are different.
struct DerivedUpdate {
  let rule: DerivedDefinition
  let source: ListRows
  let target: ListRows
  private let begin: () -> PendingCommit
  private var commit: PendingCommit?
  /// Sections of the list that got or lost items, or that are new.
  private var touched = OrderedSections()
  /// Items whose places are not known to be right, by their rows.
  private var unsettled: Set<Int> = []
  private var keys: [Int: [ValueKey]] = [:]
  private var places: [ItemID: ItemLocation?] = [:]
  /// At which item of the source each section begins, of those that a limit reaches.
  private var starts: [Int]?

  /// `begin`: Begins the commit of the list.
  init(
    _ rule: DerivedDefinition, of source: ListRows, in target: ListRows,
    begin: @escaping () -> PendingCommit
  ) {
    self.rule = rule
    self.source = source
    self.target = target
    self.begin = begin
  }

  /// The commit that follows one of the source; `nil` if the list stays as it is.
  mutating func follow(_ entries: [LogEntry]) throws -> PendingCommit? {
    let changed = try ChangedItems(entries, in: source, rule)
    if try changed.items.count > Self.fewest && changed.items.count > target.itemTotal() / 4 {
      try deriveAnew(redrawing: changed)
      return commit
    }
    try makeOnlySection()
    var entering: [Subject] = []
    var moving: [(Subject, SectionID)] = []
    for id in changed.order {
      guard let change = changed.items[id] else { continue }
      let wanted = try wanted(id)
      guard let row = try target.items.find(id) else {
        if let wanted { entering.append(wanted) }
        continue
      }
      guard let wanted else {
        try remove(id)
        continue
      }
      if let section = try update(wanted, row, change) {
        moving.append((wanted, section))
        unsettled.insert(try target.items.find(id)?.id ?? row.id)
      }
    }
    if unsettled.count > Self.fewest {
      try deriveAnew()
      return commit
    }
    for (item, section) in moving { try settle(item, from: section) }
    for item in entering { try insert(item) }
    try arrangeSections(changed)
    if rule.limit != nil {
      try fillUp()
      try arrangeSections(changed)
    }
    return commit
  }

  /// Above so many changed items, and a quarter of the list, it is derived as a whole.
  private static let fewest = 512

  /// Makes a change of the list, whose commit begins with the first one.
  private mutating func apply(_ entry: LogEntry) throws {
    var commit = self.commit ?? begin()
    self.commit = nil
    try commit.apply(entry)
    self.commit = commit
  }

  // MARK: The source

  private mutating func place(of id: ItemID) throws -> ItemLocation? {
    if let known = places[id] { return known }
    let found = try source.location(of: id)
    places[id] = .some(found)
    return found
  }

  /// The item as the list is to have it; `nil` if the list is not to have it.
  private mutating func wanted(_ id: ItemID) throws -> Subject? {
    guard let place = try place(of: id), try isWithinLimit(place.path) else { return nil }
    let item = Subject(
      id: id, state: try source.state(of: id, at: place.path), section: place.section)
    return rule.includes(item) ? item : nil
  }

  private mutating func isWithinLimit(_ path: ItemPath) throws -> Bool {
    guard let limit = rule.limit else { return true }
    let starts = try sectionStarts(limit)
    return starts.indices.contains(path.section) && starts[path.section] + path.item < limit
  }

  private mutating func sectionStarts(_ limit: Int) throws -> [Int] {
    if let starts { return starts }
    var found: [Int] = []
    var start = 0
    while found.count < source.sectionTotal, start <= limit {
      found.append(start)
      start += try source.sectionRow(at: found.count - 1).itemCount
    }
    starts = found
    return found
  }

  // MARK: Items

  private func section(of item: Subject) -> SectionID {
    switch rule.sections {
    case .one: DerivedDefinition.onlySection
    case .ofSource: item.section
    case .byValue(let term): item.key(at: term.path).sectionID(hash: sha256)
    }
  }

  private func value(of item: Subject) -> ValueKey? {
    guard case .byValue(let term) = rule.sections else { return nil }
    return item.key(at: term.path)
  }

  private func sortKeys(of item: Subject) -> [ValueKey] { rule.sort.map { item.key(for: $0) } }

  /// An item of the list as the list has it, with the section of the source that it stands in now.
  private mutating func subject(_ member: Block.Member) throws -> Subject {
    let id = try ItemID(member.name)
    let section = try rule.readsSourceSection ? place(of: id)?.section : nil
    return Subject(
      id: id, state: try target.state(of: member),
      section: section ?? DerivedDefinition.onlySection)
  }

  private mutating func remove(_ id: ItemID) throws {
    guard let location = try target.location(of: id) else { return }
    let member = try target.tree.member(
      at: location.path.item, root: target.sectionRow(at: location.path.section).root)
    var item = try subject(member)
    item.section = location.section
    try count(item, -1, in: location.section)
    touched.insert(location.section)
    try apply(.deleteItem(Item(id: id, state: item.state), at: location.path))
  }

  /// Brings the state of an item to that of the source.
  ///
  /// - Returns: The section that it stands in, if its place may be wrong.
  private mutating func update(
    _ item: Subject, _ row: (id: Int, block: Int), _ change: ChangedItems.Change
  ) throws -> SectionID? {
    guard let location = try target.location(of: item.id), let lent = try source.member(of: item.id)
    else { throw DatabaseError.corrupt("item \"\(item.id)\" has no place") }
    let path = location.path
    let old = try target.tree.member(at: path.item, root: target.sectionRow(at: path.section).root)
    let before = try target.state(of: old)
    let isSame = before.isEquivalent(to: item.state)
    var was = Subject(id: item.id, state: before, section: item.section)
    if old.id != lent.id || old.content != lent.content {
      try target.borrowAnew(item.id, at: path, lent, isSame: isSame)
    }
    if !isSame { try apply(.updateItem(item.id, at: path, before: before, after: item.state)) }
    if change.isTouched { try apply(.touchItem(item.id, at: path)) }
    keys[lent.id] = nil
    let section = section(of: item)
    was.section = location.section
    if section != location.section || value(of: was) != value(of: item) {
      try count(was, -1, in: location.section)
      touched.insert(location.section)
      if section == location.section { try count(item, 1, in: section) }
      return location.section
    }
    was.section = item.section
    let hasMoved = change.hasMoved || sortKeys(of: was) != sortKeys(of: item)
    if hasMoved { touched.insert(section) }
    return hasMoved ? location.section : nil
  }

  /// Moves an item to where it belongs.
  private mutating func settle(_ item: Subject, from old: SectionID) throws {
    guard let location = try target.location(of: item.id), let lent = try source.member(of: item.id)
    else { return }
    let section = section(of: item)
    let row = try sectionRow(section, for: item)
    let from = location.path
    unsettled.remove(lent.id)
    let index = try index(of: row)
    let place = try placement(of: item, in: row, except: lent.id)
    if section == location.section {
      let lies = from.item
      if lies >= place {
        var isInPlace = true
        for other in place..<lies
        where try !unsettled.contains(target.tree.member(at: other, root: row.root).id) {
          isInPlace = false
          break
        }
        if isInPlace { return }
      }
      let to = lies < place ? place - 1 : place
      if to == lies { return }
      try apply(.moveItem(item.id, from: from, to: ItemPath(section: index, item: to)))
    } else {
      try count(item, 1, in: section)
      touched.insert(section)
      try apply(.moveItem(item.id, from: from, to: ItemPath(section: index, item: place)))
    }
  }

  private mutating func insert(_ item: Subject) throws {
    let section = section(of: item)
    let row = try sectionRow(section, for: item)
    let path = ItemPath(
      section: try index(of: row), item: try placement(of: item, in: row, except: nil))
    try count(item, 1, in: section)
    touched.insert(section)
    try apply(.insertItem(Item(id: item.id, state: item.state), at: path))
  }

  private func index(of row: SectionRow) throws -> Int {
    guard let index = try target.sectionIndex(of: row.section) else {
      throw DatabaseError.corrupt("section \"\(row.section)\" has no place")
    }
    return index
  }

  // MARK: Order

  /// The index in a section before which an item belongs, among those that are in their places.
  private mutating func placement(
    of item: Subject, in row: SectionRow, except own: Int?
  ) throws -> Int {
    let wanted = sortKeys(of: item)
    var low = 0
    var high = row.itemCount
    while low < high {
      let middle = (low + high) / 2
      var probe = middle
      var member: Block.Member?
      while probe < high {
        let found = try target.tree.member(at: probe, root: row.root)
        if found.id != own, !unsettled.contains(found.id) {
          member = found
          break
        }
        probe += 1
      }
      guard let member else {
        high = middle
        continue
      }
      if try precedes(item, wanted, member) { high = middle } else { low = probe + 1 }
    }
    return low
  }

  private mutating func precedes(
    _ item: Subject, _ wanted: [ValueKey], _ member: Block.Member
  ) throws -> Bool {
    if !rule.sort.isEmpty {
      let order = rule.order(wanted, try keys(of: member))
      if order != 0 { return order < 0 }
    }
    guard let first = try place(of: item.id), let second = try place(of: ItemID(member.name)) else {
      throw DatabaseError.corrupt("item \"\(member.name)\" is not in the source")
    }
    return first.path < second.path
  }

  private mutating func keys(of member: Block.Member) throws -> [ValueKey] {
    if let known = keys[member.id] { return known }
    let found = sortKeys(of: try subject(member))
    keys[member.id] = found
    return found
  }

  // MARK: The limit

  /// Takes out what the limit reaches no more, and adds what it reaches now.
  private mutating func fillUp() throws {
    guard let limit = rule.limit else { return }
    let starts = try sectionStarts(limit)
    var present = 0
    for index in 0..<target.sectionTotal { present += try target.sectionRow(at: index).itemCount }
    // What goes out stands at the end.
    while present > 0 {
      var last = target.sectionTotal - 1
      while last >= 0, try target.sectionRow(at: last).itemCount == 0 { last -= 1 }
      guard last >= 0 else { break }
      let row = try target.sectionRow(at: last)
      let member = try target.tree.member(at: row.itemCount - 1, root: row.root)
      let id = try ItemID(member.name)
      if let place = try place(of: id), try isWithinLimit(place.path) { break }
      try remove(id)
      present -= 1
    }
    // What comes in stands behind all others that did not change.
    var missing = -present
    for (index, start) in starts.enumerated() {
      missing += min(try source.sectionRow(at: index).itemCount, max(0, limit - start))
    }
    var section = starts.count - 1
    while missing > 0, section >= 0 {
      let row = try source.sectionRow(at: section)
      var item = min(row.itemCount, max(0, limit - starts[section])) - 1
      while missing > 0, item >= 0 {
        let id = try ItemID(source.tree.member(at: item, root: row.root).name)
        if try target.items.find(id) == nil, let wanted = try wanted(id) {
          try insert(wanted)
          missing -= 1
        }
        item -= 1
      }
      section -= 1
    }
  }

  // MARK: Sections

  private mutating func makeOnlySection() throws {
    guard case .one = rule.sections, source.revision > 0,
      try target.sectionRow(DerivedDefinition.onlySection) == nil
    else { return }
    try apply(.insertSection(DerivedDefinition.onlySection, SectionAttributes(), at: 0))
  }

  /// The row of a section; a new section stands at the end until ``arrangeSections(_:)``.
  private mutating func sectionRow(_ id: SectionID, for item: Subject) throws -> SectionRow {
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
  private mutating func arrangeSections(_ changed: ChangedItems) throws {
    if case .one = rule.sections { return }
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
      if try isGone(row) {
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

  private func isGone(_ row: SectionRow) throws -> Bool {
    guard case .ofSource(let keepsEmpty) = rule.sections else { return row.itemCount == 0 }
    return try source.sectionRow(row.section) == nil || row.itemCount == 0 && !keepsEmpty
  }

  private func wantedAttributes(of row: SectionRow) throws -> SectionAttributes {
    guard case .byValue = rule.sections else { return try attributes(ofSource: row.section) }
    return rule.attributes(ofSectionWith: try target.statements.values(ofSection: row.id).least)
  }

  private mutating func settle(_ id: SectionID, besides unsettled: Set<SectionID>) throws {
    let rank = try rank(of: id)
    let from = try index(of: target.knownSectionRow(id))
    var low = 0
    var high = target.sectionTotal
    while low < high {
      let middle = (low + high) / 2
      var probe = middle
      var other: SectionID?
      while probe < high {
        let found = try target.sectionRow(at: probe).section
        if found != id, !unsettled.contains(found) {
          other = found
          break
        }
        probe += 1
      }
      guard let other else {
        high = middle
        continue
      }
      if try rank < self.rank(of: other) { high = middle } else { low = probe + 1 }
    }
    if from >= low {
      var isInPlace = true
      for index in low..<from where try !unsettled.contains(target.sectionRow(at: index).section) {
        isInPlace = false
        break
      }
      if isInPlace { return }
    }
    let to = from < low ? low - 1 : low
    if to != from { try apply(.moveSection(id, from: from, to: to)) }
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
      case .ascending: return .key(try target.statements.values(ofSection: row.id).least)
      case .descending: return .descending(try target.statements.values(ofSection: row.id).greatest)
      case .source: return .path(try firstPlace(in: row))
      }
    }
  }

  /// The place in the source of the item of a section that is met first there.
  private mutating func firstPlace(in row: SectionRow) throws -> ItemPath {
    var first: ItemPath?
    for index in 0..<(rule.sort.isEmpty ? min(1, row.itemCount) : row.itemCount) {
      let id = try ItemID(target.tree.member(at: index, root: row.root).name)
      guard let path = try place(of: id)?.path else { continue }
      first = min(first ?? path, path)
    }
    return first ?? ItemPath(section: .max, item: 0)
  }

  private func count(_ item: Subject, _ difference: Int, in section: SectionID) throws {
    guard case .byValue(let term) = rule.sections else { return }
    let value = term.path == .section ? ValueKey(section.rawValue) : item.key(at: term.path)
    try target.statements.count(
      value, difference, inSection: try target.knownSectionRow(section).id)
  }

  // MARK: As a whole

  /// Makes the list what its definition says, by the changes that lead there from what it is.
  mutating func deriveAnew(redrawing changed: ChangedItems? = nil) throws {
    let wanted = try DerivedTree(rule, of: source)
    var states: [ItemID: ItemState] = [:]
    for section in wanted.sections {
      for item in section.items { states[item.id] = item.state }
    }
    let now = try target.uncheckedTree()
    // Borrowed first, so that what stays names rows that the source has.
    for (index, section) in now.sections.enumerated() {
      for (offset, item) in section.items.enumerated() {
        guard let lent = try source.member(of: item.id), let state = states[item.id] else {
          continue
        }
        let path = ItemPath(section: index, item: offset)
        let old = try target.tree.member(at: offset, root: target.sectionRow(at: index).root)
        guard old.id != lent.id || old.content != lent.content else { continue }
        try target.borrowAnew(
          item.id, at: path, lent, isSame: item.state.isEquivalent(to: state))
      }
    }
    for change in now.changes(to: wanted.sections) {
      switch try target.resolve(change) {
      case .success(.insertItem(let item, let path)):
        try apply(
          .insertItem(Item(id: item.id, state: states[item.id] ?? item.state), at: path))
      case .success(.updateItem(let id, let path, let before, let after)):
        try apply(
          .updateItem(id, at: path, before: before, after: states[id] ?? after))
      case .success(let entry): try apply(entry)
      case .failure(let error): throw DatabaseError.corrupt("\(error)")
      }
    }
    for id in changed?.order ?? [] where changed?.items[id]?.isTouched == true {
      if let path = try target.location(of: id)?.path { try apply(.touchItem(id, at: path)) }
    }
    for (section, values) in wanted.values {
      guard let row = try target.sectionRow(section) else { continue }
      try target.statements.setValues(values, ofSection: row.id)
    }
  }

  /// Whether anything was changed.
  var hasCommit: Bool { commit != nil }

  /// The commit, which is begun if nothing was changed.
  mutating func forcedCommit() -> PendingCommit { commit ?? begin() }
}

/// What a section is ordered by; those of one list have the same kind.
enum SectionRank: Comparable {
  case index(Int)
  case key(ValueKey)
  case descending(ValueKey)
  case path(ItemPath)

  static func < (lhs: SectionRank, rhs: SectionRank) -> Bool {
    switch (lhs, rhs) {
    case (.index(let lhs), .index(let rhs)): lhs < rhs
    case (.key(let lhs), .key(let rhs)): lhs < rhs
    case (.descending(let lhs), .descending(let rhs)): rhs < lhs
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
