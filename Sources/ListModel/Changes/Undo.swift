/// A list in which a commit can be undone.
package protocol UndoLookup: ListLookup {
  func sectionID(at index: Int) throws(Failure) -> SectionID
  func itemID(at path: ItemPath) throws(Failure) -> ItemID
}

extension UndoLookup {
  /// The changes that undo a commit in this list, which may have changed since.
  ///
  /// They delete the sections and items that the commit inserted, insert those that it deleted,
  /// move back those that it moved, and reset the values that it changed. A section or an item
  /// returns behind the nearest of its former predecessors that the list still has.
  ///
  /// Later commits have priority: what they deleted stays deleted, what they moved to another
  /// section stays there, and a value that they changed keeps their change. An item whose section
  /// was deleted does not return.
  ///
  /// If nothing has changed since the commit, the result is the list before it, except for content
  /// revisions, which never decrease.
  ///
  /// `entries`: The entries of the commit.
  /// `later`: The entries of all commits since, in their order.
  /// Returns: Changes for this list, in order.
  /// - Throws: ``ChangeError/logMismatch(_:)`` if the entries do not lead to this list, or the
  ///   error of reading the list.
  /// - Complexity: O(*k*² + *k* log *n*), *k* entries that change an order, *n* items.
  package func changes(undoing entries: [LogEntry], before later: [LogEntry]) throws -> [Change] {
    try undo(of: entries, before: later).changes
  }

  /// The same changes, and what they leave as it is.
  package func undo(of entries: [LogEntry], before later: [LogEntry]) throws -> UndoPlan {
    var history = try EarlierList(self)
    for entry in later.reversed() { try history.takeBack(entry) }
    var commit = UndoneCommit()
    for entry in entries { commit.note(entry) }
    for entry in entries.reversed() {
      commit.noteHolder(in: entry, try history.holder(after: entry))
      try history.takeBack(entry)
    }
    var undo = Undo(list: self, before: history, commit: commit)
    try undo.run()
    return undo.plan
  }
}

/// How a commit is undone.
package struct UndoPlan {
  /// In order.
  package var changes: [Change] = []
  /// Items of the commit of which at least a part stays as a later commit has made it.
  package var keptItems: [ItemID] = []
  /// The same of sections.
  package var keptSections: [SectionID] = []
}

private struct Undo<List: UndoLookup> {
  private let list: List
  private let before: EarlierList<List>
  private let commit: UndoneCommit
  private(set) var plan = UndoPlan()
  /// Where items are after the changes so far, if elsewhere than in the list; `nil` if deleted.
  private var movedTo: [ItemID: SectionID?] = [:]
  /// The sections of the commit's items before it, if they are there.
  private var former: [ItemID: SectionID] = [:]
  /// How many items the changes so far have put into a section.
  private var added: [SectionID: Int] = [:]
  private var restored: Set<SectionID> = []
  private var deleted: Set<SectionID> = []

  init(list: List, before: EarlierList<List>, commit: UndoneCommit) {
    self.list = list
    self.before = before
    self.commit = commit
  }

  mutating func run() throws {
    try restoreSections()
    try restoreItems()
    for item in commit.items {
      guard let change = commit.itemChanges[item], change.isInserted, change.isThereAfter,
        let holder = try holder(of: item)
      else { continue }
      plan.changes.append(.deleteItem(item))
      put(item, from: holder, in: nil)
    }
    for section in commit.sections {
      guard let change = commit.sectionChanges[section], change.isInserted, change.isThereAfter,
        let index = try list.sectionIndex(of: section)
      else { continue }
      // A section stays if a later commit has put an item into it.
      if try list.itemCount(inSection: section, at: index) + (added[section] ?? 0) == 0 {
        plan.changes.append(.deleteSection(section))
        deleted.insert(section)
      }
    }
    for item in commit.items { try setBack(item) }
    for section in commit.sections { try setBack(section) }
    for item in commit.items where try keeps(item) { plan.keptItems.append(item) }
    for section in commit.sections where try keeps(section) { plan.keptSections.append(section) }
    if let meta = commit.meta, meta.before != meta.after, try list.listMeta() == meta.after {
      plan.changes.append(.updateList(meta: meta.before))
    }
  }

  private func isThere(_ section: SectionID) throws -> Bool {
    if restored.contains(section) { return true }
    return try list.sectionIndex(of: section) != nil
  }

  /// The section that holds an item after the changes so far.
  private func holder(of item: ItemID) throws -> SectionID? {
    if let moved = movedTo[item] { return moved }
    return try list.location(of: item)?.section
  }

  private mutating func put(_ item: ItemID, from: SectionID?, in section: SectionID?) {
    movedTo[item] = .some(section)
    if let from { added[from, default: 0] -= 1 }
    if let section { added[section, default: 0] += 1 }
  }

  /// Restores sections in their former order, so that each finds its predecessor in place.
  private mutating func restoreSections() throws {
    var previous: SectionID?
    for piece in before.sections.pieces {
      switch piece {
      case .current(let places): previous = try list.sectionID(at: places.upperBound - 1)
      case .one(let section):
        let place = previous.map { Place.after($0) } ?? .start
        if try list.sectionIndex(of: section) == nil {
          // Otherwise a later commit deleted it.
          guard let change = commit.sectionChanges[section], !change.isThereAfter,
            let attributes = change.before
          else { continue }
          plan.changes.append(.insertSection(section, attributes, at: place))
          restored.insert(section)
        } else if commit.movedSections.contains(section) {
          plan.changes.append(.moveSection(section, to: place))
        }
        previous = section
      }
    }
  }

  private mutating func restoreItems() throws {
    for section in try before.changedSections() where try isThere(section) {
      var previous: ItemID?
      for piece in before.items[section]?.pieces ?? [] {
        switch piece {
        case .current(let places):
          previous = try before.item(at: places.upperBound - 1, in: section)
        case .one(let item):
          let place = previous.map { Place.after($0) } ?? .start
          let change = commit.itemChanges[item]
          former[item] = section
          if let holder = try holder(of: item) {
            if commit.movedItems.contains(item), change?.isThereAfter == true,
              holder == commit.holders[item]
            {
              plan.changes.append(.moveItem(item, in: section, to: place))
              put(item, from: holder, in: section)
            }
          } else if let change, !change.isThereAfter, let state = change.before {
            plan.changes.append(.insertItem(Item(id: item, state: state), in: section, at: place))
            put(item, from: nil, in: section)
          }
          if try holder(of: item) == section { previous = item }
        }
      }
    }
  }

  /// Whether a later commit has priority in an item of the commit.
  private func keeps(_ item: ItemID) throws -> Bool {
    guard let change = commit.itemChanges[item], !change.isInserted else { return false }
    guard let holder = try holder(of: item) else { return true }
    guard change.isThereAfter, let path = try list.location(of: item)?.path else { return false }
    if commit.movedItems.contains(item), holder != former[item] { return true }
    guard let old = change.before, let new = change.after else { return false }
    return try list.state(of: item, at: path).keepsPart(from: new, backTo: old)
  }

  private func keeps(_ section: SectionID) throws -> Bool {
    guard let change = commit.sectionChanges[section] else { return false }
    let isThere = try isThere(section) && !deleted.contains(section)
    if change.isInserted { return isThere && change.isThereAfter }
    if !isThere { return true }
    guard let old = change.before, let new = change.after,
      let index = try list.sectionIndex(of: section)
    else { return false }
    return try list.attributes(ofSection: section, at: index).keepsPart(from: new, backTo: old)
  }

  private mutating func setBack(_ item: ItemID) throws {
    guard let change = commit.itemChanges[item], let old = change.before, let new = change.after,
      try holder(of: item) != nil, let location = try list.location(of: item)
    else { return }
    let current = try list.state(of: item, at: location.path)
    let update = current.update(from: new, backTo: old)
    if update != ItemUpdate() { plan.changes.append(.updateItem(item, update)) }
  }

  private mutating func setBack(_ section: SectionID) throws {
    guard let change = commit.sectionChanges[section], let old = change.before,
      let new = change.after, let index = try list.sectionIndex(of: section)
    else { return }
    let current = try list.attributes(ofSection: section, at: index)
    let update = current.update(from: new, backTo: old)
    if update != SectionUpdate() { plan.changes.append(.updateSection(section, update)) }
  }
}

/// Whether a later commit has changed a value that the undone one changed, to a third one.
private func keeps<Value: Equatable>(_ now: Value, from new: Value, backTo old: Value) -> Bool {
  new != old && now != new && now != old
}

extension ItemState {
  /// Whether a part stays as a later commit has made it.
  fileprivate func keepsPart(from new: ItemState, backTo old: ItemState) -> Bool {
    keeps(cell, from: new.cell, backTo: old.cell)
      || keeps(content, from: new.content, backTo: old.content)
      || keeps(type, from: new.type, backTo: old.type)
      || keeps(action, from: new.action, backTo: old.action)
  }

  /// An update that resets the parts that still have the values of the undone update.
  fileprivate func update(from new: ItemState, backTo old: ItemState) -> ItemUpdate {
    var update = ItemUpdate()
    if new.cell != old.cell, cell == new.cell { update.cell = .set(old.cell) }
    if new.content != old.content, content == new.content { update.content = .set(old.content) }
    if new.type != old.type, type == new.type { update.type = .set(old.type) }
    if new.action != old.action, action == new.action { update.action = .set(old.action) }
    return update
  }
}

extension SectionAttributes {
  /// Whether a part stays as a later commit has made it.
  fileprivate func keepsPart(from new: SectionAttributes, backTo old: SectionAttributes) -> Bool {
    keeps(layout, from: new.layout, backTo: old.layout)
      || keeps(header, from: new.header, backTo: old.header)
      || keeps(footer, from: new.footer, backTo: old.footer)
      || keeps(meta, from: new.meta, backTo: old.meta)
      || keeps(visibility, from: new.visibility, backTo: old.visibility)
      || keeps(decorations, from: new.decorations, backTo: old.decorations)
      || Set(new.supplementaries.keys).union(old.supplementaries.keys).contains { kind in
        keeps(
          supplementaries[kind], from: new.supplementaries[kind],
          backTo: old.supplementaries[kind])
      }
  }

  /// An update that resets the parts that still have the values of the undone update.
  fileprivate func update(
    from new: SectionAttributes, backTo old: SectionAttributes
  ) -> SectionUpdate {
    var update = SectionUpdate()
    if new.layout != old.layout, layout == new.layout { update.layout = .set(old.layout) }
    if new.header != old.header, header == new.header { update.header = .set(old.header) }
    if new.footer != old.footer, footer == new.footer { update.footer = .set(old.footer) }
    if new.meta != old.meta, meta == new.meta { update.meta = .set(old.meta) }
    if new.visibility != old.visibility, visibility == new.visibility {
      update.visibility = .set(old.visibility)
    }
    if let views = supplementaries(from: new.supplementaries, backTo: old.supplementaries) {
      update.supplementaries = .set(views)
    }
    if new.decorations != old.decorations, decorations == new.decorations {
      update.decorations = .set(old.decorations)
    }
    return update
  }

  /// The reset supplementary views, kind by kind; `nil` if none has to be reset.
  private func supplementaries(
    from new: [Supplementary.Kind: Supplementary], backTo old: [Supplementary.Kind: Supplementary]
  ) -> [Supplementary.Kind: Supplementary]? {
    if new == old { return nil }
    var views = supplementaries
    for kind in Set(new.keys).union(old.keys)
    where new[kind] != old[kind] && views[kind] == new[kind] {
      views[kind] = old[kind]
    }
    return views == supplementaries ? nil : views
  }
}
