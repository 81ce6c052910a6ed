extension ListTree {
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
  /// `before`: The list before the commit.
  /// `after`: The list after the commit.
  /// Returns: Changes for this list, in order.
  /// - Complexity: O(*n*), *n* items and sections of the three lists.
  package func changes(undoing entries: [LogEntry], from before: ListTree, to after: ListTree)
    -> [Change]
  {
    var undo = Undo(now: self, before: before, after: after)
    undo.run(entries)
    if before.meta != after.meta, meta == after.meta {
      undo.changes.append(.updateList(meta: before.meta))
    }
    return undo.changes
  }
}

private struct Undo {
  let before: ListTree
  var changes: [Change] = []
  /// The current list, with the changes so far.
  private var now: Places
  private let then: Places
  /// The list after the commit.
  private let after: Places

  /// The contents of a list without their order.
  private struct Places {
    var holders: [ItemID: SectionID] = [:]
    var states: [ItemID: ItemState] = [:]
    var attributes: [SectionID: SectionAttributes] = [:]

    init(_ tree: ListTree) {
      for section in tree.sections {
        attributes[section.id] = section.attributes
        for item in section.items {
          holders[item.id] = section.id
          states[item.id] = item.state
        }
      }
    }
  }

  init(now: ListTree, before: ListTree, after: ListTree) {
    self.before = before
    self.now = Places(now)
    then = Places(before)
    self.after = Places(after)
  }

  mutating func run(_ entries: [LogEntry]) {
    let touched = Touched(entries)
    restoreSections(moved: touched.movedSections)
    restoreItems(moved: touched.movedItems)
    for item in touched.items where then.holders[item] == nil && after.holders[item] != nil {
      if now.holders.removeValue(forKey: item) != nil { changes.append(.deleteItem(item)) }
    }
    for section in touched.sections
    where then.attributes[section] == nil && after.attributes[section] != nil
      // A section stays if a later commit has put an item into it.
      && !now.holders.values.contains(section)
    {
      if now.attributes.removeValue(forKey: section) != nil {
        changes.append(.deleteSection(section))
      }
    }
    for item in touched.items { setBack(item) }
    for section in touched.sections { setBack(section) }
  }

  /// The sections and items that a commit's entries name, without duplicates.
  private struct Touched {
    var sections: [SectionID] = []
    var items: [ItemID] = []
    var movedSections: Set<SectionID> = []
    var movedItems: Set<ItemID> = []

    init(_ entries: [LogEntry]) {
      var seenSections: Set<SectionID> = []
      var seenItems: Set<ItemID> = []
      func note(_ section: SectionID, isMoved: Bool, _ touched: inout Touched) {
        if seenSections.insert(section).inserted { touched.sections.append(section) }
        if isMoved { touched.movedSections.insert(section) }
      }
      func note(_ item: ItemID, isMoved: Bool, _ touched: inout Touched) {
        if seenItems.insert(item).inserted { touched.items.append(item) }
        if isMoved { touched.movedItems.insert(item) }
      }
      for entry in entries {
        switch entry {
        case .insertSection(let id, _, _): note(id, isMoved: true, &self)
        case .deleteSection(let section, _):
          note(section.id, isMoved: true, &self)
          for item in section.items { note(item.id, isMoved: true, &self) }
        case .moveSection(let id, let from, let to): note(id, isMoved: from != to, &self)
        case .updateSection(let id, _, _, _): note(id, isMoved: false, &self)
        case .insertItem(let item, _), .deleteItem(let item, _):
          note(item.id, isMoved: true, &self)
        case .moveItem(let id, let from, let to): note(id, isMoved: from != to, &self)
        case .updateItem(let id, _, _, _): note(id, isMoved: false, &self)
        case .updateList, .touchItem: break
        }
      }
    }
  }

  /// Restores sections in their former order, so that each finds its predecessor in place.
  private mutating func restoreSections(moved: Set<SectionID>) {
    var previous: SectionID?
    for section in before.sections {
      let place = previous.map { Place.after($0) } ?? .start
      if now.attributes[section.id] == nil {
        // A later commit deleted it.
        if after.attributes[section.id] != nil { continue }
        changes.append(.insertSection(section.id, section.attributes, at: place))
        now.attributes[section.id] = section.attributes
      } else if moved.contains(section.id) {
        changes.append(.moveSection(section.id, to: place))
      }
      previous = section.id
    }
  }

  private mutating func restoreItems(moved: Set<ItemID>) {
    for section in before.sections where now.attributes[section.id] != nil {
      var previous: ItemID?
      for item in section.items {
        let place = previous.map { Place.after($0) } ?? .start
        if let holder = now.holders[item.id] {
          if moved.contains(item.id), holder == after.holders[item.id] {
            changes.append(.moveItem(item.id, in: section.id, to: place))
            now.holders[item.id] = section.id
          }
        } else if after.holders[item.id] == nil {
          changes.append(.insertItem(item, in: section.id, at: place))
          now.holders[item.id] = section.id
          now.states[item.id] = item.state
        }
        if now.holders[item.id] == section.id { previous = item.id }
      }
    }
  }

  private mutating func setBack(_ item: ItemID) {
    guard let old = then.states[item], let new = after.states[item],
      let current = now.states[item], now.holders[item] != nil
    else { return }
    let update = current.update(from: new, backTo: old)
    if update != ItemUpdate() { changes.append(.updateItem(item, update)) }
  }

  private mutating func setBack(_ section: SectionID) {
    guard let old = then.attributes[section], let new = after.attributes[section],
      let current = now.attributes[section]
    else { return }
    let update = current.update(from: new, backTo: old)
    if update != SectionUpdate() { changes.append(.updateSection(section, update)) }
  }
}

extension ItemState {
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
