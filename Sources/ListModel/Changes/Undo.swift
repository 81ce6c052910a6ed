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
    return undo.changes
  }
}

/// What the entries of a commit say of the list before and after it.
private struct UndoneCommit {
  /// The sections and items that it names, in order, without duplicates.
  private(set) var sections: [SectionID] = []
  private(set) var items: [ItemID] = []
  private(set) var movedSections: Set<SectionID> = []
  private(set) var movedItems: Set<ItemID> = []
  private(set) var sectionChanges: [SectionID: Values<SectionAttributes>] = [:]
  private(set) var itemChanges: [ItemID: Values<ItemState>] = [:]
  private(set) var meta: (before: JSON?, after: JSON?)?
  /// The sections that hold what it moved or inserted, after it.
  private(set) var holders: [ItemID: SectionID] = [:]

  /// Whether something was there before and after the commit, and with what value, where an entry
  /// says it.
  struct Values<Value> {
    var isInserted: Bool
    var isThereAfter = true
    var before: Value?
    var after: Value?
  }

  mutating func note(_ entry: LogEntry) {
    switch entry {
    case .insertSection(let id, let attributes, _):
      note(id, from: nil, to: attributes, isMoved: true)
    case .deleteSection(let section, _):
      note(section.id, from: section.attributes, to: nil, isMoved: true)
      for item in section.items { note(item.id, from: item.state, to: nil, isMoved: true) }
    case .updateSection(let id, _, let old, let new):
      note(id, from: old, to: new, isMoved: false)
    case .moveSection(let id, let from, let to): noteMove(of: id, isMoved: from != to)
    case .insertItem(let item, _): note(item.id, from: nil, to: item.state, isMoved: true)
    case .deleteItem(let item, _): note(item.id, from: item.state, to: nil, isMoved: true)
    case .updateItem(let id, _, let old, let new): note(id, from: old, to: new, isMoved: false)
    case .moveItem(let id, let from, let to): noteMove(of: id, isMoved: from != to)
    case .updateList(let old, let new): meta = (meta.map(\.before) ?? old, new)
    case .touchItem: break
    }
  }

  private mutating func note(
    _ id: SectionID, from old: SectionAttributes?, to new: SectionAttributes?, isMoved: Bool
  ) {
    noteMove(of: id, isMoved: isMoved)
    sectionChanges[id]?.note(from: old, to: new)
  }

  private mutating func noteMove(of id: SectionID, isMoved: Bool) {
    if isMoved { movedSections.insert(id) }
    if sectionChanges[id] == nil {
      sections.append(id)
      sectionChanges[id] = Values(isInserted: false)
    }
  }

  private mutating func note(
    _ id: ItemID, from old: ItemState?, to new: ItemState?, isMoved: Bool
  ) {
    noteMove(of: id, isMoved: isMoved)
    itemChanges[id]?.note(from: old, to: new)
  }

  private mutating func noteMove(of id: ItemID, isMoved: Bool) {
    if isMoved { movedItems.insert(id) }
    if itemChanges[id] == nil {
      items.append(id)
      itemChanges[id] = Values(isInserted: false)
    }
  }

  /// Notes the section that holds an entry's item after it; entries come from the last to the first.
  mutating func noteHolder(in entry: LogEntry, _ holder: SectionID?) {
    switch entry {
    case .insertItem(let item, _): if holders[item.id] == nil { holders[item.id] = holder }
    case .moveItem(let id, _, _): if holders[id] == nil { holders[id] = holder }
    default: break
    }
  }
}

extension UndoneCommit.Values {
  fileprivate mutating func note(from old: Value?, to new: Value?) {
    if before == nil, after == nil, !isInserted, isThereAfter {
      // The first entry that has a value.
      before = old
      isInserted = old == nil
    }
    after = new
    isThereAfter = new != nil
  }
}

// MARK: - The list before the commit

/// The order of a list at an earlier revision.
private struct EarlierList<List: UndoLookup> {
  private let list: List
  private(set) var sections: EarlierOrder<SectionID>
  /// The orders of the sections in which items were inserted, deleted or moved since.
  private(set) var items: [SectionID: EarlierOrder<ItemID>] = [:]

  init(_ list: List) throws {
    self.list = list
    sections = EarlierOrder(count: try list.sectionCount())
  }

  /// The section in which an entry has put its item; `nil` for other entries.
  func holder(after entry: LogEntry) throws -> SectionID? {
    switch entry {
    case .insertItem(_, let path), .moveItem(_, _, let path): try section(at: path.section)
    default: nil
    }
  }

  /// Takes back the last change of the order.
  mutating func takeBack(_ entry: LogEntry) throws {
    switch entry {
    case .insertSection(let id, _, let index):
      try remove(id, at: index)
      items[id] = nil
    case .deleteSection(let section, let index):
      try insert(section.id, at: index)
      items[section.id] = EarlierOrder(section.items.map(\.id))
    case .moveSection(let id, let from, let to):
      if from == to { return }
      try remove(id, at: to)
      try insert(id, at: from)
    case .insertItem(let item, let path): try remove(item.id, at: path)
    case .deleteItem(let item, let path): try insert(item.id, at: path)
    case .moveItem(let id, let from, let to):
      if from == to { return }
      try remove(id, at: to)
      try insert(id, at: from)
    case .updateList, .updateSection, .updateItem, .touchItem: break
    }
  }

  func section(at index: Int) throws -> SectionID {
    switch sections.element(at: index) {
    case .one(let id): return id
    case .current(let place): return try list.sectionID(at: place)
    case nil: throw ChangeError.logMismatch("there is no section \(index)")
    }
  }

  private mutating func remove(_ id: SectionID, at index: Int) throws {
    guard try section(at: index) == id else {
      throw ChangeError.logMismatch("section \"\(id)\" is not at index \(index)")
    }
    sections.remove(at: index)
  }

  private mutating func insert(_ id: SectionID, at index: Int) throws {
    guard sections.insert(id, at: index) else {
      throw ChangeError.logMismatch("section \"\(id)\" does not fit at index \(index)")
    }
  }

  private mutating func remove(_ id: ItemID, at path: ItemPath) throws {
    let section = try openSection(at: path.section)
    let found: ItemID? =
      switch items[section]?.element(at: path.item) {
      case .one(let id): id
      case .current(let place): try item(at: place, in: section)
      case nil: nil
      }
    guard found == id else {
      throw ChangeError.logMismatch("item \"\(id)\" is not at \(path)")
    }
    items[section]?.remove(at: path.item)
  }

  private mutating func insert(_ id: ItemID, at path: ItemPath) throws {
    let section = try openSection(at: path.section)
    guard items[section]?.insert(id, at: path.item) == true else {
      throw ChangeError.logMismatch("item \"\(id)\" does not fit at \(path)")
    }
  }

  /// The section at an index, in whose order something is taken back.
  private mutating func openSection(at index: Int) throws -> SectionID {
    let section = try section(at: index)
    if items[section] == nil {
      guard let current = try list.sectionIndex(of: section) else {
        throw ChangeError.logMismatch("section \"\(section)\" is missing")
      }
      items[section] = EarlierOrder(
        count: try list.itemCount(inSection: section, at: current))
    }
    return section
  }

  /// What stands at a place of a section as it is now.
  func item(at place: Int, in section: SectionID) throws -> ItemID? {
    guard let index = try list.sectionIndex(of: section) else { return nil }
    return try list.itemID(at: ItemPath(section: index, item: place))
  }

  /// The sections whose orders were different, in their order.
  func changedSections() throws -> [SectionID] {
    var found: [(index: Int, id: SectionID)] = []
    for id in items.keys {
      if let index = sections.index(of: id) {
        found.append((index, id))
      } else if let place = try list.sectionIndex(of: id),
        let index = sections.index(ofCurrent: place)
      {
        found.append((index, id))
      }
    }
    return found.sorted { $0.index < $1.index }.map(\.id)
  }
}

// MARK: - The changes

private struct Undo<List: UndoLookup> {
  private let list: List
  private let before: EarlierList<List>
  private let commit: UndoneCommit
  private(set) var changes: [Change] = []
  /// Where items are after the changes so far, if elsewhere than in the list; `nil` if deleted.
  private var movedTo: [ItemID: SectionID?] = [:]
  /// How many items the changes so far have put into a section.
  private var added: [SectionID: Int] = [:]
  private var restored: Set<SectionID> = []

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
      changes.append(.deleteItem(item))
      put(item, from: holder, in: nil)
    }
    for section in commit.sections {
      guard let change = commit.sectionChanges[section], change.isInserted, change.isThereAfter,
        let index = try list.sectionIndex(of: section)
      else { continue }
      // A section stays if a later commit has put an item into it.
      if try list.itemCount(inSection: section, at: index) + (added[section] ?? 0) == 0 {
        changes.append(.deleteSection(section))
      }
    }
    for item in commit.items { try setBack(item) }
    for section in commit.sections { try setBack(section) }
    if let meta = commit.meta, meta.before != meta.after, try list.listMeta() == meta.after {
      changes.append(.updateList(meta: meta.before))
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
          changes.append(.insertSection(section, attributes, at: place))
          restored.insert(section)
        } else if commit.movedSections.contains(section) {
          changes.append(.moveSection(section, to: place))
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
          if let holder = try holder(of: item) {
            if commit.movedItems.contains(item), change?.isThereAfter == true,
              holder == commit.holders[item]
            {
              changes.append(.moveItem(item, in: section, to: place))
              put(item, from: holder, in: section)
            }
          } else if let change, !change.isThereAfter, let state = change.before {
            changes.append(.insertItem(Item(id: item, state: state), in: section, at: place))
            put(item, from: nil, in: section)
          }
          if try holder(of: item) == section { previous = item }
        }
      }
    }
  }

  private mutating func setBack(_ item: ItemID) throws {
    guard let change = commit.itemChanges[item], let old = change.before, let new = change.after,
      try holder(of: item) != nil, let location = try list.location(of: item)
    else { return }
    let current = try list.state(of: item, at: location.path)
    let update = current.update(from: new, backTo: old)
    if update != ItemUpdate() { changes.append(.updateItem(item, update)) }
  }

  private mutating func setBack(_ section: SectionID) throws {
    guard let change = commit.sectionChanges[section], let old = change.before,
      let new = change.after, let index = try list.sectionIndex(of: section)
    else { return }
    let current = try list.attributes(ofSection: section, at: index)
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
