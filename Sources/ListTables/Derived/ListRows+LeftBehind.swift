import BatchUpdates
package import DerivedLists
import GRDB
package import ListModel

// Derived lists whose definitions have closures that this process does not have, or that another system has
// ordered as people of a region expect it. What it takes out of
// their sources goes from them at once, because they have the source's rows; everything else waits for a
// process that has the closures: `derivedList.followedRevision`.

extension Statements {
  /// Whether a list follows its source: it is no draft, and this process has the closures of its
  /// definition, and its order.
  package func canDerive(_ derived: DerivedListRow) -> Bool {
    // The first items of a list are in its order, whatever that is.
    !derived.part.isDraft && (derived.part == .first || derived.isInOrderHere)
      && derived.computedFields.allSatisfy { closures[$0] != nil }
  }

  /// Whether this process has the closures of a definition.
  package func hasClosures(of definition: DerivedDefinition) -> Bool {
    definition.computedFields.allSatisfy { closures[$0] != nil }
  }

  /// `revision`: `nil`: it is up to date; 0: it is to be derived anew.
  func setFollowedRevision(of target: ListRows, _ revision: Int?) throws {
    if try derivedList(target.list)?.followedRevision == revision { return }
    try self("UPDATE derivedList SET followedRevision = ? WHERE list = ?")
      .run(revision, target.id)
    memory.derivedLists = nil
  }

  /// How many commits of its source each derived list has not followed that is behind; all of them, if it is
  /// to be derived anew.
  package func lagsOfDerivedLists() throws -> [String: Int] {
    var lags: [String: Int] = [:]
    try self(
      """
      SELECT coalesce((SELECT shown.name FROM derivedList AS first
          JOIN list AS shown ON shown.id = first.list
          WHERE first.source = list.name AND first.part = 'first'), list.name),
        max(0, coalesce(source.revision, 0) - followedRevision)
      FROM derivedList JOIN list ON list.id = derivedList.list
      LEFT JOIN list AS source ON source.name = derivedList.source
      WHERE followedRevision IS NOT NULL AND derivedList.part NOT IN ('draft', 'made')
      """
    ).forEach { lags[try $0.text(0)] = try $0.integer(1) }
    return lags
  }

  /// Brings the derived lists up to date that processes without their closures have left behind.
  ///
  /// - Returns: Their commits.
  package func catchUpDerivedLists(by author: Author, time: Int?) throws -> [DerivedCommit] {
    var commits: [DerivedCommit] = []
    for derived in try derivedLists() where derived.followedRevision != nil && canDerive(derived) {
      commits += try rows(derived.source)?.catchUp(derived, by: author, time: time) ?? []
    }
    return commits
  }

  /// Whether ``catchUpDerivedLists(by:time:)`` has something to do.
  package func canCatchUp() throws -> Bool {
    try derivedLists().contains { $0.followedRevision != nil && canDerive($0) }
  }
}

extension ListRows {
  /// Takes out of a derived list what this list has no longer, and notes that it is behind.
  ///
  /// `entries`: Those of the commit that was made.
  func leaveBehind(
    _ derived: DerivedListRow, after entries: [LogEntry], by author: Author, time: Int?
  ) throws -> [DerivedCommit] {
    guard let target = try statements.rows(derived.list) else { return [] }
    var followed = derived.followedRevision ?? revision - 1
    let last = try sourceRevision(for: derived)
    target.lender = self
    defer { target.lender = nil }
    var update = DerivedUpdate(derived.rule, of: LentItems(of: self), in: target) {
      PendingCommit(target, by: author, time: time, sourceRevision: last)
    }
    if try !update.followDeletions(entries) { followed = 0 }
    try statements.setFollowedRevision(of: target, followed)
    return try target.finish(update.commit, of: derived, at: last, by: author, time: time)
  }

  /// Defines a derived list that a process with its closures will fill: until then it is empty.
  package func await(
    _ derived: DerivedListRow, in target: ListRows, by author: Author, time: Int?
  ) throws -> [DerivedCommit] {
    let commits = try target.empty(
      derived, by: author, time: time, at: sourceRevision(for: derived))
    try statements.setFollowedRevision(of: target, 0)
    return commits
  }

  /// Brings a derived list to where this one is, by what the log says of the commits since.
  ///
  /// - Complexity: As that of the commits together; O(*n* log *n*), *n* items of this list, if the log
  ///   has them no longer, or if they have changed more than a quarter of the derived list.
  func catchUp(
    _ derived: DerivedListRow, by author: Author, time: Int?
  ) throws -> [DerivedCommit] {
    guard let target = try statements.rows(derived.list), let followed = derived.followedRevision
    else { return [] }
    guard followed > 0, followed >= logFloor, followed < revision else {
      return try derive(derived, in: target, by: author, time: time, isNew: false)
    }
    try statements.setFollowedRevision(of: target, nil)
    let entries = try commits(in: followed + 1...revision).flatMap(\.entries)
    return try follow(derived, entries, LentItems(of: self), in: target, by: author, time: time)
  }
}

extension DerivedUpdate {
  /// Takes out the items that the source has no longer.
  ///
  /// What stays goes on naming the contents that the closures have read, also where the source has new
  /// ones: so a process with the closures finds out what they have changed.
  ///
  /// - Returns: Whether the rest can be found out from the log later.
  mutating func followDeletions(_ entries: [LogEntry]) throws -> Bool {
    let changed = try ChangedItems(entries, in: source, rule)
    var canFollowLater = true
    for id in changed.order {
      guard let location = try target.location(of: id) else { continue }
      let old = try target.tree.member(
        at: location.path.item, root: target.sectionRow(at: location.path.section).root)
      if let lent = try source.member(of: id) {
        if lent.id != old.id || lent.content != old.content {
          try target.borrowAnew(id, at: location.path, lent, isSame: true)
        }
        continue
      }
      let item = Item(id: id, state: try target.state(of: old))
      if try !uncount(item, old, in: location.section) { canFollowLater = false }
      touched.insert(location.section)
      try apply(.deleteItem(item, at: location.path))
    }
    if touched.ids.isEmpty { return canFollowLater }
    switch rule.sections {
    case .one, .ofSource(keepsEmpty: true): break
    case .ofSource(keepsEmpty: false): try deleteEmptySections()
    case .byValue(let term):
      // Where items stand in the source, the others are not known to stand in the order of that.
      if term.order == .source {
        try deleteEmptySections()
        return false
      }
      try arrangeSections(ChangedItems())
    }
    return canFollowLater
  }

  private mutating func deleteEmptySections() throws {
    for id in touched.ids {
      guard let row = try target.sectionRow(id), row.itemCount == 0 else { continue }
      let section = ListTree.Section(id: id, attributes: try target.attributes(of: row.id))
      try apply(.deleteSection(section, at: try index(of: row)))
    }
  }

  /// Counts an item less in a section of values.
  ///
  /// - Returns: Whether it is known which value it had.
  private func uncount(
    _ item: Item, _ member: Block.Member, in section: SectionID
  ) throws -> Bool {
    guard case .byValue(let term) = rule.sections else { return true }
    let row = try target.knownSectionRow(section).id
    if case .computed = term.path {
      var values: [ValueKey] = []
      try target.statements.forEachValue(ofSection: row) { value, _ in values.append(value) }
      guard values.count == 1 else { return false }
      try target.statements.count(values[0], -1, inSection: row)
    } else {
      // Without its place in the source, which it may not have any more.
      let value = try target.subject(member, section).key(at: term.path)
      try target.statements.count(value, -1, inSection: row)
    }
    return true
  }
}
