package import DerivedLists
import GRDB
package import ListModel

extension ListRows {
  /// Refuses changes of a derived list that do not come from its source.
  package func requireOwnChanges() throws {
    guard lender == nil, let derived = try statements.derivedList(list) else { return }
    throw StoreError(
      .invalidValue,
      "list \"\(list)\" is derived from \"\(derived.definition.source)\": change that one")
  }

  /// Brings the lists that are derived from this one, and those that are derived from them, to where
  /// it is.
  ///
  /// - Returns: Their commits, each after that of its source.
  func updateDerivedLists(
    after entries: [LogEntry], by author: Author, time: Int?
  ) throws -> [DerivedCommit] {
    defer { borrowedAnew = [] }
    let isNothing = entries.isEmpty && borrowedAnew.isEmpty && revision > 1
    var commits: [DerivedCommit] = []
    let items = LentItems(of: self)
    for derived in try statements.derivedLists() where derived.source == list {
      let canDerive = statements.canDerive(derived)
      if canDerive, derived.followedRevision != nil {
        commits += try catchUp(derived, by: author, time: time)
        continue
      }
      if isNothing { continue }
      if !canDerive {
        commits += try leaveBehind(derived, after: entries, by: author, time: time)
        continue
      }
      if try items.areNothing(entries, for: derived) { continue }
      guard let target = try statements.rows(derived.list) else { continue }
      commits += try follow(derived, entries, items, in: target, by: author, time: time)
    }
    return commits
  }

  /// Brings a derived list to where this one is.
  ///
  /// `entries`: What has changed since.
  /// `isInOrder`: Whether items whose keys have not changed are in their places.
  func follow(
    _ derived: DerivedListRow, _ entries: [LogEntry], _ items: LentItems, in target: ListRows,
    isInOrder: Bool = true, by author: Author, time: Int?
  ) throws -> [DerivedCommit] {
    let revision = try sourceRevision(for: derived)
    target.lender = self
    defer { target.lender = nil }
    var update = DerivedUpdate(derived.rule, of: items, in: target) {
      PendingCommit(target, by: author, time: time, sourceRevision: revision)
    }
    try update.follow(entries, isInOrder: isInOrder)
    return try target.finish(update.commit, of: derived, at: revision, by: author, time: time)
  }

  /// Ends the commit of a derived list; without one, what was borrowed anew may still concern others.
  func finish(
    _ commit: PendingCommit?, of derived: DerivedListRow, at sourceRevision: Int,
    by author: Author, time: Int?
  ) throws -> [DerivedCommit] {
    if var commit { return try finish(&commit, of: derived, at: sourceRevision) }
    if borrowedAnew.isEmpty { return [] }
    try save()
    return try updateDerivedLists(after: [], by: author, time: time)
  }

  /// Makes a derived list what its definition says.
  ///
  /// - Returns: Its commit and those of lists that are derived from it; none if nothing changed.
  package func derive(
    _ derived: DerivedListRow, in target: ListRows, by author: Author, time: Int?, isNew: Bool
  ) throws -> [DerivedCommit] {
    let revision = try sourceRevision(for: derived)
    target.lender = self
    defer { target.lender = nil }
    var update = DerivedUpdate(derived.rule, of: LentItems(of: self), in: target) {
      PendingCommit(target, by: author, time: time, sourceRevision: revision)
    }
    try update.deriveAnew(isDefined: true)
    try statements.setFollowedRevision(of: target, nil)
    if isNew { update.commit = update.forcedCommit() }
    let isLogged = update.commit?.isLogged ?? true
    let commits = try target.finish(
      update.commit, of: derived, at: revision, by: author, time: time)
    if !isLogged { try target.beginLogAfterHead() }
    return commits
  }

  /// The sections that a definition makes of this list, and where their items stand in it, counted
  /// through its sections.
  package func sections(
    _ definition: DerivedDefinition
  ) throws -> [(id: SectionID, attributes: SectionAttributes, places: [Int])] {
    var rule = definition
    rule.limit = nil
    let derived = try DerivedTree(rule, of: self) { $0.index }
    var room = definition.limit ?? .max
    return derived.sections.compactMap { section in
      let places = section.items.prefix(room)
      room -= places.count
      if places.isEmpty, !section.items.isEmpty, definition.dropsEmptySections { return nil }
      return (section.id, section.attributes, Array(places))
    }
  }

  /// Takes everything out of a derived list whose source is not there, or can't be read.
  ///
  /// `sourceRevision`: The source's.
  package func empty(
    _ derived: DerivedListRow, by author: Author, time: Int?, at sourceRevision: Int = 0
  ) throws -> [DerivedCommit] {
    if sectionTotal == 0 { return [] }
    // What the list has, it has of itself until it is gone.
    lender = self
    defer { lender = nil }
    var commit = PendingCommit(self, by: author, time: time, sourceRevision: sourceRevision)
    while sectionTotal > 0 {
      let id = try sectionRow(at: 0).section
      try commit.apply(.deleteSection(section(id, at: 0), at: 0))
    }
    return try finish(&commit, of: derived, at: sourceRevision)
  }

  /// Notes the revision of its source that the last commit of a derived list follows, where that is
  /// another source's.
  package func follow(_ sourceRevision: Int) throws {
    try statements("UPDATE listCommit SET sourceRevision = ? WHERE list = ? AND revision = ?")
      .run(sourceRevision, id, revision)
  }

  func finish(
    _ commit: inout PendingCommit, of derived: DerivedListRow, at sourceRevision: Int
  ) throws -> [DerivedCommit] {
    let finished = try commit.finish()
    if derived.part == .whole || derived.part.isDraft { return finished.derived }
    return [DerivedCommit(finished.followed(by: []), sourceRevision: sourceRevision)]
      + finished.derived
  }

  /// The revision that commits of a derived list name: that of the list that was given as its source.
  func sourceRevision(for derived: DerivedListRow) throws -> Int {
    guard derived.part == .first else { return revision }
    // The list of all items is where its source is, also if that has made no commit of it.
    if let whole = try statements.derivedList(list), whole.followedRevision == nil {
      return try statements.rows(whole.source)?.revision ?? 0
    }
    return try max(
      statements.sourceRevision(of: list), statements.sourceRevision(of: derived.list))
  }
}

extension Statements {
  /// Makes all derived lists what their definitions say, after their sources were changed by others
  /// than commits.
  package func deriveListsAnew(by author: Author, time: Int?) throws {
    for derived in try derivedLists() {
      guard let source = try rows(derived.source), let target = try rows(derived.list),
        source.revision > 0
      else { continue }
      guard canDerive(derived) else {
        try setFollowedRevision(of: target, 0)
        continue
      }
      _ = try source.derive(derived, in: target, by: author, time: time, isNew: false)
    }
  }
}

// MARK: Truncation

extension ListRows {
  /// Has the logs of derived lists begin where what they name is in the log of this one.
  ///
  /// - Returns: The lists whose logs are shorter now, each before its source.
  package func raiseFloorsOfDerivedLists() throws -> [ListID] {
    try raiseFloors(of: statements.derivedLists(), below: logFloor)
  }

  private func raiseFloors(of all: [DerivedListRow], below floor: Int) throws -> [ListID] {
    var raised: [ListID] = []
    for derived in all where derived.source == list {
      guard let target = try statements.rows(derived.list) else { continue }
      let last = try statements(
        "SELECT max(revision) FROM listCommit WHERE list = ? AND sourceRevision <= ?"
      ).first(target.id, floor) { try $0.integerIfPresent(0) }
      if let last = last ?? nil, last > target.logFloor {
        target.floorChain = try target.chain(at: last)
        target.logFloor = last
        try target.save()
      }
      let own = derived.part == .whole ? floor : target.logFloor
      raised += try target.raiseFloors(of: all, below: own)
      raised.append(derived.list)
    }
    return raised
  }
}

// MARK: Logs that begin anew

extension ListRows {
  /// Has the log of a derived list begin after its last commit, and those of the lists that are derived
  /// from it: what is before follows another source, whose log says nothing of this one's any more.
  package func beginLogAfterHead() throws {
    try deleteChanges()
    (logFloor, floorChain) = (revision, chain)
    try save()
    try statements.releaseContents(ofList: id, before: logFloor)
    for derived in try statements.derivedLists() where derived.source == list {
      try statements.rows(derived.list)?.beginLogAfterHead()
    }
  }

  /// Deletes the logs of derived lists, which name what is erased from this one: also as sections and
  /// headers, so no entry is kept.
  package func deleteLogsOfDerivedLists(naming names: ErasedNames) throws {
    for derived in try statements.derivedLists() where derived.source == list {
      guard let target = try statements.rows(derived.list) else { continue }
      try target.beginLogAfterHead()
      for item in names.items.keys { _ = try target.forgetOnScreens(item) }
      try target.deleteLogsOfDerivedLists(naming: names)
    }
  }
}
