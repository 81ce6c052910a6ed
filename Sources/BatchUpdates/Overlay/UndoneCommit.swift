import ListModel

/// What the entries of a commit say of the list before and after it.
struct UndoneCommit {
  private(set) var sections = Parts<SectionID, SectionAttributes>()
  private(set) var items = Parts<ItemID, ItemState>()
  private(set) var meta: (before: JSON?, after: JSON?)?
  /// The sections that hold what it moved or inserted, after it.
  private(set) var holders: [ItemID: SectionID] = [:]

  /// The sections or the items that a commit names.
  struct Parts<ID: Hashable, Value> {
    /// In order, without duplicates.
    private(set) var ids: [ID] = []
    /// Those that it moved, inserted or deleted.
    private(set) var moved: Set<ID> = []
    private var changes: [ID: Values<Value>] = [:]

    subscript(id: ID) -> Values<Value>? { changes[id] }

    fileprivate mutating func note(
      _ id: ID, from old: Value?, to new: Value?, isMoved: Bool = false
    ) {
      noteMove(of: id, isMoved: isMoved)
      changes[id]?.note(from: old, to: new)
    }

    fileprivate mutating func noteMove(of id: ID, isMoved: Bool) {
      if isMoved { moved.insert(id) }
      if changes[id] == nil {
        ids.append(id)
        changes[id] = Values()
      }
    }
  }

  /// Whether something was there before and after the commit, and with what value, where an entry
  /// says it.
  struct Values<Value> {
    private(set) var isInserted = false
    private(set) var isThereAfter = true
    private(set) var before: Value?
    private(set) var after: Value?

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

  mutating func note(_ entry: LogEntry) {
    switch entry {
    case .insertSection(let id, let attributes, _):
      sections.note(id, from: nil, to: attributes, isMoved: true)
    case .deleteSection(let section, _):
      sections.note(section.id, from: section.attributes, to: nil, isMoved: true)
      for item in section.items { items.note(item.id, from: item.state, to: nil, isMoved: true) }
    case .updateSection(let id, _, let old, let new): sections.note(id, from: old, to: new)
    case .moveSection(let id, let from, let to): sections.noteMove(of: id, isMoved: from != to)
    case .insertItem(let item, _): items.note(item.id, from: nil, to: item.state, isMoved: true)
    case .deleteItem(let item, _): items.note(item.id, from: item.state, to: nil, isMoved: true)
    case .updateItem(let id, _, let old, let new): items.note(id, from: old, to: new)
    case .moveItem(let id, let from, let to): items.noteMove(of: id, isMoved: from != to)
    case .updateList(let old, let new): meta = (meta.map(\.before) ?? old, new)
    case .touchItem: break
    }
  }

  /// Notes the section that holds an item after an entry; entries come from the last to the first.
  mutating func noteHolder(of id: ItemID, _ section: SectionID) {
    if holders[id] == nil { holders[id] = section }
  }
}
