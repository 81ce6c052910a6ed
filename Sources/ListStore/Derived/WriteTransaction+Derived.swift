import DerivedLists
import ListModel
import ListTables
import StoreFiles

extension WriteTransaction {
  /// Defines one list, and makes it what it is to be; of a draft, if there is one.
  ///
  /// `replaced`: Gets the lists of which something is left to be deleted, mostly because a draft has taken
  /// their place.
  func define(
    _ definition: DerivedDefinition, in plan: DerivedPlan, by author: Author,
    _ replaced: inout [ListID]
  ) throws -> [DerivedCommit] {
    let list = definition.list
    let known = try statements.derivedList(list)
    if known?.has(definition) == true {
      // Another process was faster, or it has gone with its source.
      if let draft = try statements.draft(of: definition) { _ = try delete([draft.list]) }
      return []
    }
    if let known, known.definition.source != definition.source {
      try statements.noteRows(ofListsDerivedFrom: list)
    }
    var commits: [DerivedCommit] = []
    var source = definition.source
    let wholeID = DerivedListRow.whole(of: list)
    let whole = try known?.part == .first ? rows(wholeID) : nil
    let keepsContents = try whole.map(statements.keepsContents) ?? false
    if definition.limit != nil {
      // It does not follow the whole one before it is made anew itself: that would be a commit of its own.
      if known?.part == .first, let rows = try rows(list) { try statements.forgetDerived(rows.id) }
      commits += try make(
        definition, .whole, wholeID, of: source, in: plan, by: author,
        isNew: statements.derivedList(wholeID) == nil, &replaced)
      source = wholeID
    }
    let part: DerivedListRow.Part = definition.limit == nil ? .all : .first
    commits += try make(
      definition, part, list, of: source, in: plan, by: author, isNew: known == nil, &replaced)
    if definition.limit == nil, whole != nil { _ = try delete([wholeID]) }
    // What was kept for the list of all items goes with it, and the log of the first ones names it.
    if keepsContents, try rows(wholeID)?.id != whole?.id { try rows(list)?.beginLogAfterHead() }
    // Commits before this one name contents and revisions of another source.
    if let known, known.definition.source != definition.source {
      try (rows(wholeID) ?? rows(list))?.beginLogAfterHead()
      let revision = try rows(definition.source)?.revision ?? 0
      for list in [wholeID, list] { try rows(list)?.follow(revision) }
    }
    return commits
  }

  private func make(
    _ definition: DerivedDefinition, _ part: DerivedListRow.Part, _ list: ListID,
    of source: ListID, in plan: DerivedPlan, by author: Author, isNew: Bool,
    _ replaced: inout [ListID]
  ) throws -> [DerivedCommit] {
    if part != .first, let draft = try statements.draft(of: definition), draft.part == .made {
      if try draft.source == source
        && statements.catchUp(draft: draft, by: author, time: WallClock.now)
      {
        var place = DraftPlace(
          plan: plan, author: author, owner: try statements.owner(of: list), replaced: replaced)
        try catchUpDrafts(of: draft.list, &place)
        try put(draft, as: list, part, &place)
        replaced = place.replaced
        return place.commits
      }
      _ = try delete([draft.list])
    }
    let target = try rowsOfKnownOrNewList(list)
    // Not followed while its source is made what it is to be.
    try statements.forgetDerived(target.id)
    return try derive(
      definition, part, of: source, in: target, plan.ordinals[definition.list] ?? 0, by: author,
      isNew: isNew)
  }

  private func derive(
    _ definition: DerivedDefinition, _ part: DerivedListRow.Part, of source: ListID,
    in target: ListRows, _ ordinal: Int, by author: Author, isNew: Bool
  ) throws -> [DerivedCommit] {
    let derived = DerivedListRow(
      list: target.list, source: source, ordinal: ordinal, part: part, definition: definition)
    try statements.insert(derived, row: target.id)
    guard let rows = try rows(source), rows.revision > 0 else {
      // A list without its source is empty.
      return try target.empty(derived, by: author, time: WallClock.now)
    }
    guard statements.hasClosures(of: definition) else {
      return try rows.await(derived, in: target, by: author, time: WallClock.now)
    }
    return try rows.derive(derived, in: target, by: author, time: WallClock.now, isNew: isNew)
  }
}

// MARK: Drafts that take the places of lists

/// What it takes to put a draft in a list's place, and what comes of it.
private struct DraftPlace {
  let plan: DerivedPlan
  let author: Author
  /// The list that owns the items which the lists have had.
  let owner: ListID
  /// Lists of which something is left to be deleted.
  var replaced: [ListID]
  var commits: [DerivedCommit] = []
  /// The drafts that were made of the draft, and of those, by their ids.
  var drafts: [ListID: DerivedListRow] = [:]
}

extension WriteTransaction {
  /// Brings the drafts that are made of another one to where that is; those that can't be are deleted.
  private func catchUpDrafts(of draft: ListID, _ place: inout DraftPlace) throws {
    for next in try statements.derivedLists() where next.source == draft {
      guard next.part == .made,
        try statements.catchUp(draft: next, by: place.author, time: WallClock.now)
      else {
        _ = try delete([next.list])
        continue
      }
      place.drafts[next.list] = next
      try catchUpDrafts(of: next.list, &place)
    }
  }

  /// Puts a draft in a list's place, and what was made of it in the places of the lists that are derived from
  /// the list.
  private func put(
    _ draft: DerivedListRow, as list: ListID, _ part: DerivedListRow.Part,
    _ place: inout DraftPlace
  ) throws {
    let ordinal = place.plan.ordinals[draft.definition.list] ?? draft.ordinal
    let isSame = try statements.keep(
      list, insteadOf: draft, part, ordinal: ordinal, owner: place.owner)
    if !isSame {
      let former = try statements.adopt(
        draft: draft, as: list, part, ordinal: ordinal, owner: place.owner)
      // A short one is deleted at once.
      if let former, try rows(former)?.isLong != true { _ = try delete([former]) }
    }
    if !list.isHidden { place.replaced.append(list) }
    for next in place.drafts.values where next.source == draft.list {
      place.drafts[next.list] = try statements.move(draft: next, to: list)
    }
    guard let rows = try rows(list) else { return }
    for derived in try statements.derivedLists() where derived.source == list {
      if place.drafts[derived.list] != nil { continue }
      if derived.part != .first,
        let next = place.drafts[DerivedListRow.draft(of: derived.definition.list)],
        next.definition.json == derived.definition.json
      {
        try put(next, as: derived.list, derived.part, &place)
        continue
      }
      // It gets its new definition after this.
      if let next = place.plan.given[derived.definition.list], next.json != derived.definition.json
      {
        continue
      }
      if isSame { continue }
      guard let target = try self.rows(derived.list) else { continue }
      if statements.canDerive(derived) {
        place.commits += try rows.derive(
          derived, in: target, by: place.author, time: WallClock.now, isNew: false)
      } else {
        place.commits += try rows.await(derived, in: target, by: place.author, time: WallClock.now)
      }
    }
  }
}
