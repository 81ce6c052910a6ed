import ListModel

/// What the entries of a commit say of the list before and after it.
struct UndoneCommit {
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

  /// Notes the section that holds an item after an entry; entries come from the last to the first.
  mutating func noteHolder(of id: ItemID, _ section: SectionID) {
    if holders[id] == nil { holders[id] = section }
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
