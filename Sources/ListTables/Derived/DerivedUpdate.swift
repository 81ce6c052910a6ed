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
  var source: ListRows { items.source }
  private let items: LentItems
  let target: ListRows
  private let begin: () -> PendingCommit
  var commit: PendingCommit?
  /// Sections of the list whose header or place may be other ones, or that are new.
  var touched = OrderedSections()
  /// Where the source has the first item of a section, while sections are put in their order.
  var firstPlaces: [SectionID: ItemPath] = [:]
  /// Items that views are to draw again.
  var redrawn: Set<ItemID> = []
  /// Items whose places are not known to be right, by their rows.
  private var unsettled: Set<Int> = []
  private var keys: [Int: [ValueKey]] = [:]
  private let readsSourceSection: Bool
  /// Whether keys can be read where contents are stored.
  private let readsStoredKeys: Bool
  /// At which item of the source each section begins, of those that a limit reaches.
  private var starts: [Int]?

  /// `begin`: Begins the commit of the list.
  init(
    _ rule: DerivedDefinition, of items: LentItems, in target: ListRows,
    begin: @escaping () -> PendingCommit
  ) {
    self.rule = rule
    let paths = rule.paths
    readsSourceSection = paths.contains(.section)
    readsStoredKeys = !paths.contains { $0 == .section || !$0.isStored }
    self.items = items
    self.target = target
    self.begin = begin
  }

  /// Makes the commit that follows the source; none if the list stays as it is.
  ///
  /// `isInOrder`: Whether items whose keys have not changed are in their places.
  mutating func follow(_ entries: [LogEntry], isInOrder: Bool = true) throws {
    var changed = try ChangedItems(entries, in: source, rule)
    if !isInOrder { changed.mayHaveMoved() }
    redrawn = Set(changed.items.lazy.filter(\.value.isTouched).map(\.key))
    if try changed.items.count > Self.fewest && changed.items.count > target.itemTotal() / 4 {
      return try deriveAnew()
    }
    try makeOnlySection()
    var entering: [Subject] = []
    var moving: [Subject] = []
    for id in changed.order {
      guard let change = changed.items[id] else { continue }
      let wanted = try wanted(id)
      guard let location = try target.location(of: id) else {
        if let wanted { entering.append(wanted) }
        continue
      }
      guard let wanted else {
        try remove(id)
        continue
      }
      if try update(wanted, at: location, change) { moving.append(wanted) }
    }
    if unsettled.count > Self.fewest {
      return try deriveAnew()
    }
    for item in moving { try settle(item) }
    for item in entering { try insert(item) }
    if rule.limit != nil {
      // In their order, so that what goes out stands at the end; what comes in may come into an empty one.
      try arrangeSections(changed, keepingEmpty: true)
      try fillUp()
    }
    try arrangeSections(changed)
  }

  /// Above so many changed items, and a quarter of the list, it is derived as a whole.
  private static let fewest = 512

  /// Makes a change of the list, whose commit begins with the first one.
  mutating func apply(_ entry: LogEntry) throws {
    var commit = self.commit ?? begin()
    self.commit = nil
    try commit.apply(entry)
    self.commit = commit
  }

  // MARK: The source

  func place(of id: ItemID) throws -> ItemLocation? { try items.place(of: id) }

  /// The item as the list is to have it; `nil` if the list is not to have it.
  mutating func wanted(_ id: ItemID) throws -> Subject? {
    guard let place = try place(of: id), try isWithinLimit(place.path) else { return nil }
    guard let item = try items.subject(id) else { return nil }
    return rule.includes(item) ? item : nil
  }

  mutating func isWithinLimit(_ path: ItemPath) throws -> Bool {
    guard let limit = rule.limit else { return true }
    let starts = try sectionStarts(limit)
    return starts.indices.contains(path.section) && starts[path.section] + path.item < limit
  }

  mutating func sectionStarts(_ limit: Int) throws -> [Int] {
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

  func value(of item: Subject) -> ValueKey? {
    guard case .byValue(let term) = rule.sections else { return nil }
    return item.key(at: term.path)
  }

  /// An item of the list as the list has it, with the section of the source that it stands in now.
  private mutating func subject(_ member: Block.Member) throws -> Subject {
    let id = try ItemID(member.name)
    let section = try readsSourceSection ? place(of: id)?.section : nil
    return try target.subject(member, section ?? DerivedDefinition.onlySection)
  }

  mutating func remove(_ id: ItemID) throws {
    guard let location = try target.location(of: id) else { return }
    let member = try target.tree.member(
      at: location.path.item, root: target.sectionRow(at: location.path.section).root)
    var item = try subject(member)
    item.section = location.section
    try count(item, -1, in: location.section)
    try redraw(id, at: location.path)
    try apply(.deleteItem(Item(id: id, state: item.state), at: location.path))
  }

  /// Has views draw an item again, if they are to: also one that goes or comes, since a later commit may
  /// bring it back, or an earlier one have taken it, in the same batch update.
  mutating func redraw(_ id: ItemID, at path: ItemPath) throws {
    if redrawn.remove(id) != nil { try apply(.touchItem(id, at: path)) }
  }

  /// Brings the state of an item to that of the source.
  ///
  /// - Returns: Whether its place may be wrong; it is not settled then.
  private mutating func update(
    _ item: Subject, at location: ItemLocation, _ change: ChangedItems.Change
  ) throws -> Bool {
    guard let lent = try items.member(of: item.id) else {
      throw DatabaseError.corrupt("item \"\(item.id)\" has no place")
    }
    let path = location.path
    let old = try target.tree.member(at: path.item, root: target.sectionRow(at: path.section).root)
    var was = try target.subject(old, item.section)
    let before = was.state
    let isSame = before.isEquivalent(to: item.state)
    if old.id != lent.id || old.content != lent.content {
      try target.borrowAnew(item.id, at: path, lent, isSame: isSame)
    }
    if !isSame { try apply(.updateItem(item.id, at: path, before: before, after: item.state)) }
    try redraw(item.id, at: path)
    keys[lent.id] = nil
    let section = section(of: item)
    was.section = location.section
    if section != location.section || value(of: was) != value(of: item) {
      try count(was, -1, in: location.section)
      if section == location.section { try count(item, 1, in: section) }
      unsettled.insert(lent.id)
      return true
    }
    was.section = item.section
    if change.hasMoved, ordersSectionsByItems { touched.insert(section) }
    guard change.hasMoved || rule.sortKeys(of: was) != rule.sortKeys(of: item) else { return false }
    unsettled.insert(lent.id)
    return true
  }

  /// Moves an item to where it belongs.
  private mutating func settle(_ item: Subject) throws {
    guard let location = try target.location(of: item.id),
      let lent = try items.member(of: item.id)
    else { return }
    let section = section(of: item)
    let row = try sectionRow(section, for: item)
    let from = location.path
    unsettled.remove(lent.id)
    let index = try index(of: row)
    let place = try placement(of: item, in: row, except: lent.id)
    if section == location.section {
      let to = try SettledOrder.move(from: from.item, to: place) { index in
        try !unsettled.contains(target.tree.member(at: index, root: row.root).id)
      }
      guard let to else { return }
      try apply(.moveItem(item.id, from: from, to: ItemPath(section: index, item: to)))
    } else {
      try count(item, 1, in: section)
      try apply(.moveItem(item.id, from: from, to: ItemPath(section: index, item: place)))
    }
  }

  mutating func insert(_ item: Subject) throws {
    let section = section(of: item)
    let row = try sectionRow(section, for: item)
    let path = ItemPath(
      section: try index(of: row), item: try placement(of: item, in: row, except: nil))
    try count(item, 1, in: section)
    try apply(.insertItem(Item(id: item.id, state: item.state), at: path))
    try redraw(item.id, at: path)
  }

  func index(of row: SectionRow) throws -> Int {
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
    let wanted = rule.sortKeys(of: item)
    func stands(_ member: Block.Member) throws -> Bool? {
      if member.id == own || unsettled.contains(member.id) { return nil }
      return try precedes(item, wanted, member)
    }
    if let found = try target.tree.placement(root: row.root, stands) { return found }
    return try SettledOrder.placement(among: row.itemCount) { index in
      try stands(target.tree.member(at: index, root: row.root))
    }
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
    if readsStoredKeys { return try target.knownKeys.keys(of: member, rule, in: target) }
    if let known = keys[member.id] { return known }
    let found = rule.sortKeys(of: try subject(member))
    keys[member.id] = found
    return found
  }

  /// The commit, which is begun if nothing was changed.
  mutating func forcedCommit() -> PendingCommit { commit ?? begin() }
}
