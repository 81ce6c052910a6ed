/// A change in the log, with its paths and the state before it.
///
/// So it can be replayed without looking anything up, and it can be undone. `from`, and `at` of a
/// delete or an update, are places in the list before this entry. `to`, and `at` of an insert, are
/// places in the list after it.
public indirect enum LogEntry: Hashable, Sendable {
  /// The app's own data about the list changed.
  case updateList(before: JSON?, after: JSON?)
  /// An empty section was inserted.
  case insertSection(SectionID, SectionAttributes, at: Int)
  /// A section was deleted; the value has all its items.
  case deleteSection(ListTree.Section, at: Int)
  /// A section moved with all its items.
  case moveSection(SectionID, from: Int, to: Int)
  /// The attributes of a section changed.
  case updateSection(SectionID, at: Int, before: SectionAttributes, after: SectionAttributes)
  /// An item was inserted.
  case insertItem(Item, at: ItemPath)
  /// An item was deleted; the value is its last state.
  case deleteItem(Item, at: ItemPath)
  /// An item moved, inside its section or to another one.
  case moveItem(ItemID, from: ItemPath, to: ItemPath)
  /// The state of an item changed.
  case updateItem(ItemID, at: ItemPath, before: ItemState, after: ItemState)
  /// Views draw an item again, although its content is the same.
  case touchItem(ItemID, at: ItemPath)
}

extension LogEntry {
  /// The entries that undo this one, in order.
  ///
  /// It is one entry, except for a deleted section: the section, then its items.
  package var inverse: [LogEntry] {
    switch self {
    case .updateList(let before, let after): return [.updateList(before: after, after: before)]
    case .insertSection(let id, let attributes, let index):
      return [.deleteSection(ListTree.Section(id: id, attributes: attributes), at: index)]
    case .deleteSection(let section, let index):
      let items = section.items.enumerated().map { offset, item in
        LogEntry.insertItem(item, at: ItemPath(section: index, item: offset))
      }
      return [.insertSection(section.id, section.attributes, at: index)] + items
    case .moveSection(let id, let from, let to): return [.moveSection(id, from: to, to: from)]
    case .updateSection(let id, let index, let before, let after):
      return [.updateSection(id, at: index, before: after, after: before)]
    case .insertItem(let item, let path): return [.deleteItem(item, at: path)]
    case .deleteItem(let item, let path): return [.insertItem(item, at: path)]
    case .moveItem(let id, let from, let to): return [.moveItem(id, from: to, to: from)]
    case .updateItem(let id, let path, let before, let after):
      return [.updateItem(id, at: path, before: after, after: before)]
    case .touchItem: return [self]
    }
  }

  /// How many places the entry inserts into or removes from: two for a move, one for an insert or a
  /// delete, else none.
  package var placeCount: Int {
    switch self {
    case .insertSection, .deleteSection, .insertItem, .deleteItem: 1
    case .moveSection(_, let from, let to): from == to ? 0 : 2
    case .moveItem(_, let from, let to): from == to ? 0 : 2
    case .updateList, .updateSection, .updateItem, .touchItem: 0
    }
  }
}
