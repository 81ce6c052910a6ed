/// A change as it happened: with the paths that it had at that moment and the state before it, so
/// that it can be replayed without looking anything up, and undone.
///
/// Paths and indexes named `from` or `at` of a delete or an update count in the list before this
/// entry; `to` and `at` of an insert count in the list after it.
public indirect enum LogEntry: Hashable, Sendable {
  /// An empty section came, at an index.
  case insertSection(SectionID, SectionAttributes, at: Int)
  /// The section as it was, its items included.
  case deleteSection(ListTree.Section, at: Int)
  /// A section moved with all its items.
  case moveSection(SectionID, from: Int, to: Int)
  /// The attributes of a section changed.
  case updateSection(SectionID, at: Int, before: SectionAttributes, after: SectionAttributes)
  /// An item came.
  case insertItem(Item, at: ItemPath)
  /// The item as it was when it was deleted.
  case deleteItem(Item, at: ItemPath)
  /// An item moved, within its section or to another one.
  case moveItem(ItemID, from: ItemPath, to: ItemPath)
  /// The state of an item changed.
  case updateItem(ItemID, at: ItemPath, before: ItemState, after: ItemState)
  /// An item is drawn again, its content unchanged.
  case touchItem(ItemID, at: ItemPath)
}

extension LogEntry {
  /// The entries that lead back to the list before this one, in the order in which they apply.
  ///
  /// One entry, but for a deleted section: first the section, then its items.
  package var inverse: [LogEntry] {
    switch self {
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
}
