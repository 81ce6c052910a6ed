package import DerivedLists
import GRDB
package import ListModel

// Drafts in the store: how they are named, take a list's place, and go.

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

  func setPart(of list: ListRows, _ part: DerivedListRow.Part) throws {
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
  /// - Parameters:
  ///   - draft: The draft.
  ///   - list: The list's id.
  ///   - part: What of its definition the list is.
  ///   - ordinal: Its place among the definitions.
  ///   - owner: The list that owns the items which the list has had.
  /// - Returns: What the list was, under another id; `nil` if it was not there.
  /// - Throws: `DatabaseError` if it can't be written.
  package func adopt(
    draft: DerivedListRow, as list: ListID, _ part: DerivedListRow.Part, ordinal: Int,
    owner: ListID
  ) throws -> ListID? {
    guard let target = try rows(draft.list) else {
      throw DatabaseError.corrupt("a draft has lost its list")
    }
    let (former, before) = (try rows(list), try derivedList(list))
    try target.renumber(to: (former?.revision ?? 0) + 1)
    // What it has caught up with last may have changed nothing.
    try target.follow(rows(draft.source)?.revision ?? 0)
    var formerID: ListID?
    if let former {
      try moveScreens(of: former.id, to: target.id)
      formerID = try retire(former, of: list, before ?? draft, owner: owner)
    }
    try self("UPDATE list SET name = ? WHERE id = ?").run(list.rawValue, target.id)
    try self(
      """
      UPDATE derivedList SET part = ?, source = ?, ordinal = ?, followedRevision = NULL WHERE list = ?
      """
    ).run(part.rawValue, draft.source.rawValue, ordinal, target.id)
    memory.derivedLists = nil
    for id in [list, draft.list] { lists?[id] = nil }
    return formerID
  }

  /// Gives a list another definition, if that has made the same list of the same source: then nobody sees a
  /// change, and there is no commit.
  ///
  /// Parameters as of ``adopt(draft:as:_:ordinal:owner:)``.
  ///
  /// - Returns: Whether it is the same. The draft is something that a list was then, and is deleted later.
  package func keep(
    _ list: ListID, insteadOf draft: DerivedListRow, _ part: DerivedListRow.Part, ordinal: Int,
    owner: ListID
  ) throws -> Bool {
    guard let known = try derivedList(list), known.part == part, known.source == draft.source,
      known.followedRevision == nil, known.rule.countsItems(as: draft.rule),
      let rows = try rows(list), let made = try self.rows(draft.list), rows.digest == made.digest
    else { return false }
    try self("UPDATE derivedList SET definition = ?, collation = ?, ordinal = ? WHERE list = ?")
      .run(draft.definition.json.text, draft.collation, ordinal, rows.id)
    _ = try retire(made, of: list, draft, owner: owner)
    return true
  }

  /// Has a list that nobody sees any more wait under another id until it is deleted in slices.
  ///
  /// It loses what the owner of its items loses, whatever it was derived from.
  ///
  /// - Returns: The id.
  private func retire(
    _ rows: ListRows, of list: ListID, _ known: DerivedListRow, owner: ListID
  ) throws -> ListID {
    let id = DerivedListRow.former(list, rows.id)
    try self("UPDATE list SET name = ? WHERE id = ?").run(id.rawValue, rows.id)
    try forgetDerived(rows.id)
    try insert(
      DerivedListRow(
        list: id, source: owner, ordinal: known.ordinal, part: .draft,
        definition: known.definition),
      row: rows.id)
    try self("UPDATE derivedList SET followedRevision = 0 WHERE list = ?").run(rows.id)
    memory.derivedLists = nil
    for id in [rows.list, id] { lists?[id] = nil }
    if known.source != owner, let rows = try self.rows(id) {
      try rows.beginLogAfterHead()
      try rows.follow(self.rows(owner)?.revision ?? 0)
    }
    return id
  }

  /// Has a draft that was made of another draft, and is where that is, go on with the list whose place that
  /// has taken.
  ///
  /// - Returns: The draft as it is now.
  package func move(draft: DerivedListRow, to source: ListID) throws -> DerivedListRow {
    guard let target = try rows(draft.list), let revision = try rows(source)?.revision else {
      throw DatabaseError.corrupt("a draft has lost its list, or its source")
    }
    try target.beginLogAfterHead()
    try target.follow(revision)
    try self("UPDATE derivedList SET source = ?, followedRevision = ? WHERE list = ?")
      .run(source.rawValue, revision, target.id)
    memory.derivedLists = nil
    var moved = draft
    (moved.source, moved.followedRevision) = (source, revision)
    return moved
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

extension DerivedDefinition {
  /// Whether it counts the items of its sections by the same values as another definition.
  fileprivate func countsItems(as other: DerivedDefinition) -> Bool {
    sectionPath == other.sectionPath
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
