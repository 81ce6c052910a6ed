package import DerivedLists
import GRDB
package import ListModel

/// A long derived list that is made in slices, each a transaction of its own that keeps nobody out for
/// long.
///
/// The order of its items is found in a read transaction. The slices then fill a hidden list, the draft:
/// a row of `derivedList` with the part `draft`, which follows no commit of the source. When all items are in
/// their order, further slices add the rows of `borrowedItem`, which tell where each item is: in the order of
/// the items' rows, because in that of the list each slice would write all pages of that table. Items that
/// the source has changed since are left to the log, from which the draft catches up when it takes the list's
/// place. A draft that another process has left is gone on with.
package struct DerivedDraft {
  /// The definition of the list.
  package let definition: DerivedDefinition
  /// What it is made of: the definition's source, or the draft of that.
  private let source: ListID
  /// The revision of the source at which the order was found.
  private let revision: Int
  /// The items as the source had them, and the sections of the list, which name them by their numbers.
  private let items: Items
  private let sections: [DerivedGroups<Int>.Section]
  private let count: Int
  /// The next item, and how many there are before it.
  private var place = ItemPath(section: 0, item: 0)
  private var doneCount = 0
  /// The index in the draft's section at which it goes in; `nil`: to be found.
  private var next: Int?
  /// What the store has of the draft; `nil`: to be read.
  private var known: DraftPlaces?
  /// How often others were faster since a slice was made.
  private var missCount = 0
  /// How many of the known places have rows by now, in their order.
  private var placedCount = 0
  /// Items that got their rows before it was their turn.
  private var placedEarly: Set<Int> = []
  /// Items that the source has changed since the draft followed it, up to a revision.
  private var changed: (items: Set<ItemID>, upTo: Int?) = ([], nil)
  /// The revision of the source up to which the draft has lost what the source has.
  private var lostUpTo: Int?
  /// How long slices have taken.
  package var pace = SlicePace()

  private struct Items {
    var members: [Block.Member] = []
    /// What the state of each contributes to a ``StateDigest``.
    var terms: [UInt64] = []
    /// The number of the value that gives each its section; empty if none does.
    var values: [Int] = []
    /// The values, by their numbers.
    var keys: [ValueKey] = []
  }

  /// What a slice leads to.
  package enum Outcome {
    /// How much of the list there is, from 0 to 1.
    case more(Double)
    /// It must be read what the draft has: see ``look(_:)``.
    case unknown
    case done
    /// The log says no longer what has changed since: the order must be found again.
    case outdated
  }

  /// Finds the order of a list's items.
  ///
  /// - Parameters:
  ///   - definition: The definition.
  ///   - source: Its source, or the draft that is to take the source's place.
  /// - Throws: `DatabaseError` or `FormatError` if the source can't be read.
  package init(_ definition: DerivedDefinition, of source: ListRows) throws {
    self.definition = definition
    self.source = source.list
    revision = source.revision
    var rule = definition
    rule.limit = nil
    (items, sections) = try Self.sections(rule, of: source)
    count = sections.reduce(0) { $0 + $1.items.count }
  }

  private static func sections(
    _ rule: DerivedDefinition, of source: ListRows
  ) throws -> (Items, [DerivedGroups<Int>.Section]) {
    let isGrouped = rule.sectionPath != nil
    var items = Items()
    guard rule.paths.allSatisfy(\.isStored) else {
      var numbers = ValueNumbers()
      let tree = try DerivedTree<Int>(rule, of: source) { found in
        items.members.append(found.member)
        items.terms.append(term(of: found.state, found.member))
        if let value = found.value { items.values.append(numbers.number(of: value)) }
        return items.members.count - 1
      }
      items.keys = numbers.keys
      return (items, tree.sections)
    }
    var order = try ItemOrder(of: source)
    // Their names are not in the order. Each term begins with what does not depend on the content.
    items.members.reserveCapacity(order.items.count)
    var terms: [UInt64] = []
    terms.reserveCapacity(order.items.count)
    var cell: (row: Int, name: CellName)?
    try source.forEachSection { section in
      try source.forEachMember(of: section) { member in
        let known = cell?.row == member.cell ? cell : nil
        let name = try known?.name ?? source.statements.cellName(member.cell)
        if known == nil { cell = (member.cell, name) }
        terms.append(
          StateDigest.seed(member.hash, cell: name, contentRevision: member.contentRevision))
        items.members.append(member)
      }
    }
    guard items.members.count == order.items.count else {
      throw DatabaseError.corrupt("list \"\(source.list)\" counts wrongly")
    }
    // The contents are read here, where they are stored one after another, and not in the list's order.
    items.values = [Int](repeating: 0, count: isGrouped ? terms.count : 0)
    let sections: [DerivedGroups<Int>.Section]
    (sections, items.keys) = try source.selection(rule, &order) { index, value, row in
      if let value { items.values[index] = value }
      terms[index] = try row.withBytes(1) { content in
        try row.withBytesIfPresent(2) { type in
          try row.withBytesIfPresent(3) { action in
            StateDigest.term(terms[index], type: type, action: action, content: content)
          }
        }
      }
    }
    items.terms = terms
    return (items, sections)
  }

  private static func term(of state: ItemState, _ member: Block.Member) -> UInt64 {
    var digest = StateDigest(value: 0)
    digest.add(state, ofItem: member.hash)
    return digest.value
  }

  /// Adds items to the draft, or rows that tell their places, until a closure says that it is time to end.
  package mutating func fill(
    _ statements: Statements, ordinal: Int, by author: Author, time: Int?,
    isTime: () -> Bool
  ) throws -> Outcome {
    // A list that was deleted and made anew meanwhile, or a store that went back, has had fewer revisions.
    guard let source = try statements.rows(self.source),
      source.logFloor <= revision, source.revision >= revision
    else { return .outdated }
    guard let (derived, target) = try draft(statements, ordinal),
      let followed = derived.followedRevision, followed >= source.logFloor, 0...revision ~= followed
    else { return .outdated }
    try noteChanges(of: source, since: followed, derived.rule)
    let isFilled = place.section == sections.count
    if !knows(target, isFilled) {
      missCount += 1
      if missCount < Self.mostMisses { return .unknown }
      try look(statements)
    }
    missCount = 0
    target.lender = source
    defer { target.lender = nil }
    var commit = PendingCommit(target, by: author, time: time, sourceRevision: followed)
    commit.isLogged = false
    var canFollowLater = true
    if isFilled {
      canFollowLater = try lose(derived, source, target, since: followed, &commit)
      if commit.count == 0 { try placeItems(target, isTime) }
    } else {
      try fillSections(&commit, source, target, isTime)
    }
    if try target.forgetMovesWithoutRows() || isFilled && commit.count > 0 { known = nil }
    _ = try target.finish(&commit, of: derived, at: followed)
    try target.beginLogAfterHead()
    guard canFollowLater else { return .outdated }
    known?.revision = target.revision
    if !isFilled { known?.isWhole = false }
    let outcome = outcome(wasFilled: isFilled)
    if case .done = outcome { try statements.setPart(of: target, .made) }
    return outcome
  }

  /// Notes which items the source has changed since the draft followed it.
  private mutating func noteChanges(
    of source: ListRows, since followed: Int, _ rule: DerivedDefinition
  ) throws {
    let upTo = changed.upTo ?? followed
    if upTo >= source.revision { return }
    let entries = try source.commits(in: upTo + 1...source.revision).flatMap(\.entries)
    changed.items.formUnion(try ChangedItems(entries, in: source, rule).items.keys)
    changed.upTo = source.revision
  }

  /// Whether it is known what the store has of the draft, as far as a slice needs it.
  private func knows(_ target: ListRows, _ isFilled: Bool) -> Bool {
    guard let known, known.list == target.id, known.revision == target.revision else {
      return false
    }
    return (known.isWhole || !isFilled) && (known.names != nil || !needsNames)
  }

  /// What a slice led to.
  ///
  /// `wasFilled`: Whether all items were there before it.
  private func outcome(wasFilled: Bool) -> Outcome {
    guard wasFilled else {
      if place.section == sections.count { return .unknown }
      return .more(Double(doneCount) / Double(max(1, count)) / 2)
    }
    guard let known else { return .unknown }
    if placedCount == known.places.count { return .done }
    return .more(0.5 + Double(placedCount) / Double(known.places.count) / 2)
  }

  private static let mostMisses = 3

  /// Reads what the draft has, after ``Outcome/unknown``.
  package mutating func look(_ statements: Statements) throws {
    guard let target = try statements.rows(DerivedListRow.draft(of: definition.list)) else {
      // It has taken the list's place, or was given up, which the next slice finds out.
      known = nil
      return
    }
    known = try DraftPlaces(of: target, withNames: needsNames)
    (next, placedCount, placedEarly) = (nil, 0, [])
  }

  /// Whether items must be found by their ids: those that the source has changed, and those that are there
  /// of a draft that is gone on with.
  private var needsNames: Bool { !changed.items.isEmpty || place.section < sections.count }

  /// - Returns: `nil` if it is there no longer: it has taken the list's place, or was given up.
  private mutating func draft(
    _ statements: Statements, _ ordinal: Int
  ) throws -> (DerivedListRow, ListRows)? {
    let id = DerivedListRow.draft(of: definition.list)
    if let known = try statements.derivedList(id), let rows = try statements.rows(id) {
      return (known, rows)
    }
    guard place == ItemPath(section: 0, item: 0) else { return nil }
    let rows = try ListRows.create(statements, id)
    statements.lists?[id] = rows
    known = DraftPlaces(ofNew: rows)
    let derived = DerivedListRow(
      list: id, source: source, ordinal: ordinal, part: .draft, definition: definition)
    try statements.insert(derived, row: rows.id)
    try statements.setFollowedRevision(of: rows, revision)
    return (try statements.derivedList(id) ?? derived, rows)
  }

  /// Adds items to one section after another.
  private mutating func fillSections(
    _ commit: inout PendingCommit, _ source: ListRows, _ target: ListRows, _ isTime: () -> Bool
  ) throws {
    // Others must find what is in a list that another row is made for without an entry.
    let placesAtOnce = try source.statements.derivedList(source.list) != nil
    // At least a little, however slow the device is.
    repeat {
      try fillSection(&commit, source, target, placesAtOnce: placesAtOnce, isTime)
    } while place.section < sections.count && !isTime()
  }

  /// Adds items to a section.
  ///
  /// `placesAtOnce`: Whether they get the rows that tell their places.
  private mutating func fillSection(
    _ commit: inout PendingCommit, _ source: ListRows, _ target: ListRows, placesAtOnce: Bool,
    _ isTime: () -> Bool
  ) throws {
    let section = sections[place.section]
    let index = try sectionIndex(section, &commit, target)
    let row = try target.knownSectionRow(section.id)
    var next = try self.next ?? nextIndex(in: row, target)
    var counts: [Int: Int] = [:]
    // Items that go in one after the other.
    var run: [(member: Block.Member, term: UInt64)] = []
    func insertRun() throws {
      if run.isEmpty { return }
      try target.borrow(
        run, at: ItemPath(section: index, item: next), placesAtOnce: placesAtOnce)
      next += run.count
      run.removeAll(keepingCapacity: true)
    }
    let isAlone = known?.names?.isEmpty != false && !placesAtOnce && changed.items.isEmpty
    let start = place.item
    while place.item < section.items.count {
      if place.item > start, (place.item - start) % 32 == 0 {
        try insertRun()
        if isTime() { break }
      }
      let number = section.items[place.item]
      place.item += 1
      doneCount += 1
      var (lent, term) = (items.members[number], items.terms[number])
      if !isAlone {
        let id = try ItemID(lent.name)
        if changed.items.contains(id) { continue }
        if known?.place(of: id) != nil {
          try insertRun()
          if let found = try known?.index(of: id, in: row, target) { next = found + 1 }
          continue
        }
        // In a derived list, what is written otherwise is another row, of which no entry tells.
        if placesAtOnce {
          guard let member = try source.member(of: id) else { continue }
          (lent, term) = (member, Self.term(of: try source.state(of: member), member))
        }
      }
      run.append((lent, term))
      if !items.values.isEmpty { counts[items.values[number], default: 0] += 1 }
    }
    try insertRun()
    for (value, count) in counts {
      try target.statements.count(items.keys[value], count, inSection: row.id)
    }
    self.next = next
    if place.item == section.items.count {
      place = ItemPath(section: place.section + 1, item: 0)
      self.next = nil
    }
  }

  /// Takes out of the draft what the source has lost since its order was found, as commits of the source do
  /// where items have rows that tell their places.
  ///
  /// - Returns: Whether the rest can be found out from the log later.
  private mutating func lose(
    _ derived: DerivedListRow, _ source: ListRows, _ target: ListRows, since followed: Int,
    _ commit: inout PendingCommit
  ) throws -> Bool {
    let upTo = lostUpTo ?? followed
    lostUpTo = source.revision
    if upTo >= source.revision { return true }
    let entries = try source.commits(in: upTo + 1...source.revision).flatMap(\.entries)
    for id in try ChangedItems(entries, in: source, derived.rule).order {
      guard let number = known?.names?[id], let place = known?.places[number] else { continue }
      target.items.note(formerRow: place.row, of: id)
      guard number >= placedCount, !place.hasRow, placedEarly.insert(place.row).inserted else {
        continue
      }
      try target.place(place.row, in: place.block)
    }
    var update = DerivedUpdate(derived.rule, of: LentItems(of: source), in: target) { [commit] in
      commit
    }
    update.commit = commit
    let canFollowLater = try update.followDeletions(entries)
    commit = update.commit ?? commit
    return canFollowLater
  }

  /// Adds rows that tell the places of items.
  private mutating func placeItems(_ target: ListRows, _ isTime: () -> Bool) throws {
    guard let places = known?.places else { return }
    while placedCount < places.count {
      let end = min(placedCount + Self.placedAtOnce, places.count)
      let new = places[placedCount..<end].filter {
        !$0.hasRow && !placedEarly.contains($0.row)
      }
      try target.items.write(new.lazy.map { ($0.row, $0.block) })
      for place in new { try target.sums.addItem(place.row, toBlock: place.block) }
      placedCount = end
      if isTime() { break }
    }
  }

  private static let placedAtOnce = 256

  /// The index of a section, which is inserted, or moved, behind the one before it.
  private func sectionIndex(
    _ section: DerivedGroups<Int>.Section, _ commit: inout PendingCommit, _ target: ListRows
  ) throws -> Int {
    var after = 0
    for before in sections[..<place.section].reversed() {
      guard let index = try target.sectionIndex(of: before.id) else { continue }
      after = index + 1
      break
    }
    guard let known = try target.sectionIndex(of: section.id) else {
      try commit.apply(.insertSection(section.id, section.attributes, at: after))
      return after
    }
    if known >= after { return known }
    try commit.apply(.moveSection(section.id, from: known, to: after - 1))
    return after - 1
  }

  /// The index behind the last item of the section that is in its place.
  private func nextIndex(in row: SectionRow, _ target: ListRows) throws -> Int {
    // Nobody else has put something into it.
    guard let known, known.names?.isEmpty == false else { return row.itemCount }
    for number in sections[place.section].items[..<place.item].reversed() {
      let id = try ItemID(items.members[number].name)
      if changed.items.contains(id) { continue }
      if let index = try known.index(of: id, in: row, target) { return index + 1 }
    }
    return 0
  }
}
