package import DerivedLists
import GRDB
package import ListModel

/// A long derived list that is made in slices, each a transaction of its own that keeps nobody out for
/// long.
///
/// The order of its items is found in a read transaction. The slices then fill a hidden list, the draft:
/// a row of `derivedList` with the part `draft`, which follows no commit of the source but for what that
/// takes out of it. Items that the source has changed since are left to the log, from which the draft
/// catches up when it takes the list's place. A draft that another process has left is gone on with.
package struct DerivedDraft {
  /// The definition of the list.
  package let definition: DerivedDefinition
  /// The revision of the source at which the order was found.
  private let revision: Int
  /// The items as the source had them, and the sections of the list, which name them by their numbers.
  private let items: Items
  private let sections: [DerivedGroups<Int>.Section]
  private let count: Int
  /// The next item.
  private var place = ItemPath(section: 0, item: 0)
  private var doneCount = 0
  /// Items that the source has changed since the draft followed it, up to a revision.
  private var changed: (items: Set<ItemID>, upTo: Int?) = ([], nil)
  /// The revision of a draft that was made here as the last slice has left it; `nil`: of another one.
  private var ownRevision: Int?
  /// How long slices have taken.
  package var pace = SlicePace()

  private struct Items {
    var members: [Block.Member] = []
    /// What the state of each contributes to a ``StateDigest``.
    var terms: [UInt64] = []
    /// The value that gives each its section; empty if none does.
    var values: [ValueKey?] = []
  }

  /// What a slice leads to.
  package enum Outcome {
    /// How much of the list there is, from 0 to 1.
    case more(Double)
    case done
    /// The log says no longer what has changed since: the order must be found again.
    case outdated
  }

  /// Finds the order of a list's items.
  package init(_ definition: DerivedDefinition, of source: ListRows) throws {
    self.definition = definition
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
      let tree = try DerivedTree<Int>(rule, of: source) { found in
        items.members.append(found.member)
        items.terms.append(term(of: found.state, found.member))
        if isGrouped { items.values.append(found.value) }
        return items.members.count - 1
      }
      return (items, tree.sections)
    }
    var order = try ItemOrder(of: source)
    // Their names are not in the order.
    items.members.reserveCapacity(order.items.count)
    try source.forEachSection { section in
      try source.forEachMember(of: section) { items.members.append($0) }
    }
    guard items.members.count == order.items.count else {
      throw DatabaseError.corrupt("list \"\(source.list)\" counts wrongly")
    }
    // The contents are read here, where they are stored one after another, and not in the list's order.
    let members = items.members
    var terms = [UInt64](repeating: 0, count: members.count)
    var values = [ValueKey?](repeating: nil, count: isGrouped ? members.count : 0)
    var cell: (row: Int, name: CellName)?
    let sections = try source.selection(
      rule, &order,
      note: { index, row in
        let member = members[index]
        let known = cell?.row == member.cell ? cell : nil
        let name = try known?.name ?? source.statements.cellName(member.cell)
        cell = (member.cell, name)
        let seed = StateDigest.seed(
          member.hash, cell: name, contentRevision: member.contentRevision)
        terms[index] = try row.withBytes(1) { content in
          try row.withBytesIfPresent(2) { type in
            try row.withBytesIfPresent(3) { action in
              StateDigest.term(seed, type: type, action: action, content: content)
            }
          }
        }
      },
      { index, value in
        if isGrouped { values[index] = value }
        return index
      })
    (items.terms, items.values) = (terms, values)
    return (items, sections)
  }

  private static func term(of state: ItemState, _ member: Block.Member) -> UInt64 {
    var digest = StateDigest(value: 0)
    digest.add(state, ofItem: member.hash)
    return digest.value
  }

  /// Adds items to the draft, until a closure says that it is time to end.
  package mutating func fill(
    _ statements: Statements, ordinal: Int, by author: Author, time: Int?,
    isTime: () -> Bool
  ) throws -> Outcome {
    guard let source = try statements.rows(definition.source), source.logFloor <= revision else {
      return .outdated
    }
    guard let (derived, target) = try draft(statements, ordinal),
      let followed = derived.followedRevision, followed >= source.logFloor, 0...revision ~= followed
    else { return .outdated }
    let known = changed.upTo ?? followed
    if known < source.revision {
      let entries = try source.commits(in: known + 1...source.revision).flatMap(\.entries)
      changed.items.formUnion(try ChangedItems(entries, in: source, derived.rule).items.keys)
      changed.upTo = source.revision
    }
    // What nobody has changed since the last slice is not looked up.
    let isOwn = ownRevision == target.revision
    let isSame = try statements.derivedList(definition.source) == nil
    target.lender = source
    defer { target.lender = nil }
    var commit = PendingCommit(target, by: author, time: time, sourceRevision: followed)
    commit.isLogged = false
    // At least a little, however slow the device is.
    repeat {
      guard place.section < sections.count else { break }
      try fillSection(&commit, source, target, isOwn: isOwn, isSame: isSame, isTime)
    } while !isTime()
    _ = try target.finish(&commit, of: derived, at: followed)
    try target.beginLogAfterHead()
    if isOwn { ownRevision = target.revision }
    if place.section < sections.count { return .more(Double(doneCount) / Double(max(1, count))) }
    try statements.setPart(of: target, .made)
    return .done
  }

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
    ownRevision = rows.revision
    let derived = DerivedListRow(
      list: id, source: definition.source, ordinal: ordinal, part: .draft, definition: definition)
    try statements.insert(derived, row: rows.id)
    try statements.setFollowedRevision(of: rows, revision)
    return (try statements.derivedList(id) ?? derived, rows)
  }

  /// Adds items to a section.
  ///
  /// `isOwn`: Whether nobody else has filled the draft.
  /// `isSame`: Whether items that no entry names have the rows that they had.
  private mutating func fillSection(
    _ commit: inout PendingCommit, _ source: ListRows, _ target: ListRows, isOwn: Bool,
    isSame: Bool, _ isTime: () -> Bool
  ) throws {
    let section = sections[place.section]
    let index = try sectionIndex(section, &commit, target)
    var next = try nextIndex(target)
    var values: [ValueKey: Int] = [:]
    // Items that go in one after the other.
    var run: [(member: Block.Member, term: UInt64)] = []
    func insertRun() throws {
      if run.isEmpty { return }
      try target.borrow(run, at: ItemPath(section: index, item: next))
      next += run.count
      run.removeAll(keepingCapacity: true)
    }
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
      if !(isOwn && isSame && changed.items.isEmpty) {
        let id = try ItemID(lent.name)
        if changed.items.contains(id) { continue }
        if !isOwn, try target.location(of: id) != nil {
          try insertRun()
          if let location = try target.location(of: id), location.section == section.id {
            next = location.path.item + 1
          }
          continue
        }
        // In a derived list, what is written otherwise is another row, of which no entry tells.
        if !isSame {
          guard let member = try source.member(of: id) else { continue }
          (lent, term) = (member, Self.term(of: try source.state(of: member), member))
        }
      }
      run.append((lent, term))
      if !items.values.isEmpty, let value = items.values[number] { values[value, default: 0] += 1 }
    }
    try insertRun()
    if !values.isEmpty {
      let row = try target.knownSectionRow(section.id).id
      for (value, count) in values {
        try target.statements.count(value, count, inSection: row)
      }
    }
    if place.item == section.items.count {
      place = ItemPath(section: place.section + 1, item: 0)
    }
  }

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
  private func nextIndex(_ target: ListRows) throws -> Int {
    let section = sections[place.section]
    for number in section.items[..<place.item].reversed() {
      let id = try ItemID(items.members[number].name)
      if changed.items.contains(id) { continue }
      if let location = try target.location(of: id), location.section == section.id {
        return location.path.item + 1
      }
    }
    return 0
  }
}

// MARK: Drafts in the store

extension DerivedListRow {
  /// The id of the list in which another one is made, while that takes several transactions.
  package static func draft(of list: ListID) -> ListID {
    ListID(hidden: "draft \(String(list.stableHash, radix: 16))")
  }

  /// The id of what another list was, while it is deleted.
  package static func former(_ list: ListID, _ row: Int) -> ListID {
    ListID(hidden: "\(formerWord)\(String(list.stableHash, radix: 16)) \(row)")
  }

  /// Whether the list is what another one was.
  package var isFormer: Bool { list.rawValue.hasPrefix(ListID(hidden: Self.formerWord).rawValue) }

  private static let formerWord = "former "
}

extension Statements {
  /// The draft of a definition; `nil` if there is none, or one of another definition.
  package func draft(of definition: DerivedDefinition) throws -> DerivedListRow? {
    let draft = try derivedList(DerivedListRow.draft(of: definition.list))
    return draft?.has(definition) == true ? draft : nil
  }

  fileprivate func setPart(of list: ListRows, _ part: DerivedListRow.Part) throws {
    try self("UPDATE derivedList SET part = ? WHERE list = ?").run(part.rawValue, list.id)
    memory.derivedLists = nil
  }

  /// Brings a draft to where its source is.
  ///
  /// - Returns: Whether it could be: the log may no longer say what has changed since.
  package func catchUp(draft: DerivedListRow, by author: Author, time: Int?) throws -> Bool {
    guard let source = try rows(draft.source), let target = try rows(draft.list),
      let followed = draft.followedRevision, followed > 0, followed >= source.logFloor,
      followed <= source.revision
    else { return false }
    if followed == source.revision { return true }
    let entries = try source.commits(in: followed + 1...source.revision).flatMap(\.entries)
    _ = try source.follow(
      draft, entries, LentItems(of: source), in: target, isInOrder: false, by: author, time: time)
    try setFollowedRevision(of: target, source.revision)
    return true
  }

  /// Has a draft take the place of a list that is derived, or new.
  ///
  /// The list goes on with the revision after its last one, and its log begins there.
  ///
  /// - Returns: What the list was, under another id; `nil` if it was not there.
  package func adopt(
    draft: DerivedListRow, as list: ListID, _ part: DerivedListRow.Part, ordinal: Int
  ) throws -> ListID? {
    guard let target = try rows(draft.list) else {
      throw DatabaseError.corrupt("a draft has lost its list")
    }
    let (former, before) = (try rows(list), try derivedList(list))
    try target.renumber(to: (former?.revision ?? 0) + 1)
    var formerID: ListID?
    if let former {
      let id = DerivedListRow.former(list, former.id)
      try self("UPDATE list SET name = ? WHERE id = ?").run(id.rawValue, former.id)
      try moveScreens(of: former.id, to: target.id)
      try forgetDerived(former.id)
      try insert(
        DerivedListRow(
          list: id, source: before?.source ?? draft.source, ordinal: ordinal, part: .draft,
          definition: before?.definition ?? draft.definition),
        row: former.id)
      try self("UPDATE derivedList SET followedRevision = 0 WHERE list = ?").run(former.id)
      formerID = id
    }
    try self("UPDATE list SET name = ? WHERE id = ?").run(list.rawValue, target.id)
    try self(
      """
      UPDATE derivedList SET part = ?, source = ?, ordinal = ?, followedRevision = NULL WHERE list = ?
      """
    ).run(part.rawValue, draft.source.rawValue, ordinal, target.id)
    memory.derivedLists = nil
    for id in [list, draft.list, formerID].compactMap(\.self) { lists?[id] = nil }
    return formerID
  }

  private func moveScreens(of former: Int, to list: Int) throws {
    try self(
      """
      INSERT INTO viewState (list, view, selectionMode, anchorItem, anchorOffset)
      SELECT ?, view, selectionMode, anchorItem, anchorOffset FROM viewState WHERE list = ?
      """
    ).run(list, former)
    try self("UPDATE selectedItem SET list = ? WHERE list = ?").run(list, former)
    try self("DELETE FROM viewState WHERE list = ?").run(former)
  }
}

extension ListRows {
  /// Whether deriving it, or deleting it, would keep others out for long.
  package var isLong: Bool { (try? itemTotal()).map { $0 > Self.longest } ?? false }

  // 10,000 take 110 ms to make in a release build on a machine of two cores.
  private static let longest = 2_000

  /// Gives the list's head another revision, from which its log begins.
  fileprivate func renumber(to revision: Int) throws {
    try beginLogAfterHead()
    try statements("DELETE FROM listCommit WHERE list = ? AND revision < ?").run(id, self.revision)
    try statements("UPDATE listCommit SET revision = ? WHERE list = ?").run(revision, id)
    (self.revision, logFloor) = (revision, revision)
    try save()
  }

  /// Takes items out of a list that nobody sees, the last ones first, until a closure says that it is time
  /// to end.
  ///
  /// - Returns: Whether it is empty.
  package func takeApart(
    _ derived: DerivedListRow, by author: Author, time: Int?, isTime: () -> Bool
  ) throws -> Bool {
    if sectionTotal == 0 { return true }
    lender = self
    defer { lender = nil }
    let followed = try statements.sourceRevision(of: list)
    var commit = PendingCommit(self, by: author, time: time, sourceRevision: followed)
    commit.isLogged = false
    while sectionTotal > 0, !isTime() {
      let section = sectionTotal - 1
      let row = try sectionRow(at: section)
      if row.itemCount == 0 {
        let section = ListTree.Section(id: row.section, attributes: try attributes(of: row.id))
        try commit.apply(.deleteSection(section, at: sectionTotal - 1))
        continue
      }
      let member = try tree.member(at: row.itemCount - 1, root: row.root)
      let item = Item(id: try ItemID(member.name), state: try state(of: member))
      try commit.apply(
        .deleteItem(item, at: ItemPath(section: section, item: row.itemCount - 1)))
    }
    _ = try finish(&commit, of: derived, at: followed)
    try beginLogAfterHead()
    return sectionTotal == 0
  }
}
