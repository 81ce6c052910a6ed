import DerivedLists
import ListModel

/// The items and the sections of a source that a commit names.
struct ChangedItems {
  /// What became of an item.
  struct Change {
    /// Whether its place among the others may be another one.
    var hasMoved = false
    /// Whether views are to draw it again.
    var isTouched = false
  }

  private(set) var items: [ItemID: Change] = [:]
  /// In the order in which they were met.
  private(set) var order: [ItemID] = []
  private(set) var sections: [SectionID] = []

  /// Nothing.
  init() {}

  init(_ entries: [LogEntry], in source: ListRows, _ rule: DerivedDefinition) throws {
    var moved = OrderedSections()
    for entry in entries {
      switch entry {
      case .updateList: break
      case .insertSection(let id, _, _), .updateSection(let id, _, _, _): sections.append(id)
      case .deleteSection(let section, _):
        sections.append(section.id)
        for item in section.items { note(item.id) }
      case .moveSection(let id, let from, let to):
        sections.append(id)
        if from != to { moved.insert(id) }
      case .insertItem(let item, _): note(item.id) { $0.hasMoved = true }
      case .deleteItem(let item, _): note(item.id)
      case .moveItem(let id, let from, let to):
        if from != to { note(id) { $0.hasMoved = true } }
      case .updateItem(let id, _, _, _): note(id)
      case .touchItem(let id, _): note(id) { $0.isTouched = true }
      }
    }
    for id in source.borrowedAnew { note(id) }
    // Where the source's sections are the list's own, their items go with them.
    if case .ofSource = rule.sections { return }
    for id in moved.ids {
      guard let row = try source.sectionRow(id) else { continue }
      try source.forEachMember(of: row) { member in
        note(try ItemID(member.name)) { $0.hasMoved = true }
      }
    }
  }

  /// Has the place of each item looked at.
  mutating func mayHaveMoved() {
    for id in order { items[id]?.hasMoved = true }
  }

  private mutating func note(_ id: ItemID, _ change: (inout Change) -> Void = { _ in }) {
    if items[id] == nil { order.append(id) }
    change(&items[id, default: Change()])
  }
}
