package import ListModel

extension ListLookup {
  /// The changes that undo commits in this list, which may have changed since.
  ///
  /// They delete the sections and items that a commit inserted, insert those that it deleted,
  /// move back those that it moved, and reset the values that it changed. A section or an item
  /// returns behind the nearest of its former predecessors that the list still has. The newest
  /// commit is undone first.
  ///
  /// Commits that stay have priority: what they deleted stays deleted, what they moved to another
  /// section stays there, and a value that they changed keeps their change. An item whose section
  /// was deleted does not return.
  ///
  /// If all of the log is undone, the result is the list before it, except for content revisions,
  /// which never decrease.
  ///
  /// `log`: The first commit to undo and all commits since, in their order, and whether each is
  /// undone.
  /// - Throws: ``ChangeError/logMismatch(_:)`` if the log does not lead to this list, or the error of
  ///   reading the list.
  /// - Complexity: O(*k* log *n*), *k* entries of the log, *n* items; more if what returns stood
  ///   behind much that is gone.
  package func undo(_ log: [(entries: [LogEntry], isUndone: Bool)]) throws -> UndoPlan {
    var undo = try Undo(self)
    for commit in log.reversed() {
      if commit.isUndone {
        try undo.takeBack(commit.entries)
      } else {
        try undo.pass(commit.entries)
      }
    }
    return undo.plan
  }
}

/// How commits are undone.
package struct UndoPlan: Sendable {
  /// In order.
  package fileprivate(set) var changes: [Change] = []
  /// Items of the commits of which at least a part stays as another commit has made it.
  package fileprivate(set) var keptItems: Set<ItemID> = []
  /// The same of sections.
  package fileprivate(set) var keptSections: Set<SectionID> = []
}

/// Goes back through a list's log, and takes commits back on the way.
///
/// Only the order goes back: an entry has the values before it.
private struct Undo<List: ListLookup> {
  /// The list before the commits so far.
  private var past: ListOverlay<List>
  /// The list with the changes so far.
  private var list: ListOverlay<List>
  private(set) var plan = UndoPlan()

  init(_ list: List) throws {
    past = try ListOverlay(list)
    self.list = try ListOverlay(list)
  }

  /// Goes back over a commit that stays.
  mutating func pass(_ entries: [LogEntry]) throws {
    for entry in entries.reversed() where entry.placeCount > 0 { try past.revert(entry) }
  }

  mutating func takeBack(_ entries: [LogEntry]) throws {
    var commit = UndoneCommit()
    for entry in entries { commit.note(entry) }
    for entry in entries.reversed() where entry.placeCount > 0 {
      try past.revert(entry)
      switch entry {
      case .insertItem(let item, let path):
        commit.noteHolder(of: item.id, try past.sectionID(at: path.section))
      case .moveItem(let id, _, let path):
        commit.noteHolder(of: id, try past.sectionID(at: path.section))
      default: break
      }
    }
    try restoreSections(of: commit)
    try restoreItems(of: commit)
    try deleteWhatCame(with: commit)
    for item in commit.items.ids { try setBack(item, commit) }
    for section in commit.sections.ids { try setBack(section, commit) }
    for item in commit.items.ids where try keeps(item, commit) { plan.keptItems.insert(item) }
    for section in commit.sections.ids where try keeps(section, commit) {
      plan.keptSections.insert(section)
    }
    if let meta = commit.meta, meta.before != meta.after, try list.listMeta() == meta.after {
      try apply(.updateList(meta: meta.before))
    }
  }

  private mutating func apply(_ change: Change) throws {
    _ = try list.apply(change).get()
    plan.changes.append(change)
  }

  /// Restores sections in their former order, so that each finds its predecessor in place.
  private mutating func restoreSections(of commit: UndoneCommit) throws {
    let former = try commit.sections.moved.compactMap { id in
      try past.sectionIndex(of: id).map { (id: id, index: $0) }
    }
    for (id, index) in former.sorted(by: { $0.index < $1.index }) {
      if try list.sectionIndex(of: id) != nil {
        try apply(.moveSection(id, to: try place(ofFormerSection: index)))
      } else if let change = commit.sections[id], !change.isThereAfter,
        let attributes = change.before
      {
        // Otherwise a later commit deleted it.
        try apply(.insertSection(id, attributes, at: try place(ofFormerSection: index)))
      }
    }
  }

  /// Behind the nearest of the former predecessors.
  private func place(ofFormerSection index: Int) throws -> Place<SectionID> {
    for index in (0..<index).reversed() {
      let id = try past.sectionID(at: index)
      if try list.sectionIndex(of: id) != nil { return .after(id) }
    }
    return .start
  }

  private mutating func restoreItems(of commit: UndoneCommit) throws {
    let former = try commit.items.moved.compactMap { id in
      try past.location(of: id).map { (id: id, location: $0) }
    }
    for (id, location) in former.sorted(by: { $0.location.path < $1.location.path }) {
      let section = location.section
      guard try list.sectionIndex(of: section) != nil, let change = commit.items[id] else {
        continue
      }
      if let holder = try list.location(of: id)?.section {
        guard change.isThereAfter, holder == commit.holders[id] else { continue }
        try apply(.moveItem(id, in: section, to: try place(ofFormerItem: location)))
      } else if !change.isThereAfter, let state = change.before {
        let item = Item(id: id, state: state)
        try apply(.insertItem(item, in: section, at: try place(ofFormerItem: location)))
      }
    }
  }

  private func place(ofFormerItem location: ItemLocation) throws -> Place<ItemID> {
    var path = location.path
    while path.item > 0 {
      path.item -= 1
      let id = try past.itemID(at: path)
      if try list.location(of: id)?.section == location.section { return .after(id) }
    }
    return .start
  }

  private mutating func deleteWhatCame(with commit: UndoneCommit) throws {
    for id in commit.items.ids {
      guard let change = commit.items[id], change.isInserted, change.isThereAfter,
        try list.location(of: id) != nil
      else { continue }
      try apply(.deleteItem(id))
    }
    for id in commit.sections.ids {
      guard let change = commit.sections[id], change.isInserted, change.isThereAfter,
        let index = try list.sectionIndex(of: id)
      else { continue }
      // A section stays if a later commit has put an item into it.
      if try list.itemCount(inSection: id, at: index) == 0 { try apply(.deleteSection(id)) }
    }
  }

  private mutating func setBack(_ item: ItemID, _ commit: UndoneCommit) throws {
    guard let change = commit.items[item], let old = change.before, let new = change.after,
      let path = try list.location(of: item)?.path
    else { return }
    let update = try list.state(of: item, at: path).update(from: new, backTo: old)
    if update != ItemUpdate() { try apply(.updateItem(item, update)) }
  }

  private mutating func setBack(_ section: SectionID, _ commit: UndoneCommit) throws {
    guard let change = commit.sections[section], let old = change.before,
      let new = change.after, let index = try list.sectionIndex(of: section)
    else { return }
    let current = try list.attributes(ofSection: section, at: index)
    let update = current.update(from: new, backTo: old)
    if update != SectionUpdate() { try apply(.updateSection(section, update)) }
  }

  /// Whether another commit has priority in an item of the commit.
  private func keeps(_ item: ItemID, _ commit: UndoneCommit) throws -> Bool {
    guard let change = commit.items[item], !change.isInserted else { return false }
    guard let location = try list.location(of: item) else { return true }
    if !change.isThereAfter { return false }
    if commit.items.moved.contains(item),
      try past.location(of: item)?.section != location.section
    {
      return true
    }
    guard let old = change.before, let new = change.after else { return false }
    return try list.state(of: item, at: location.path).keepsPart(from: new, backTo: old)
  }

  private func keeps(_ section: SectionID, _ commit: UndoneCommit) throws -> Bool {
    guard let change = commit.sections[section] else { return false }
    let index = try list.sectionIndex(of: section)
    if change.isInserted { return index != nil && change.isThereAfter }
    guard let index else { return true }
    guard let old = change.before, let new = change.after else { return false }
    return try list.attributes(ofSection: section, at: index).keepsPart(from: new, backTo: old)
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
