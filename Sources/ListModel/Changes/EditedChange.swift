/// A change as an edit made it, to make again in a list that has changed since.
///
/// Its place is next to a neighbour and not at an index, because indexes change with every other
/// edit. If the neighbour is gone, the index that the place had is the next best.
package struct EditedChange: Hashable, Sendable {
  /// The change; its place is no index.
  package let change: Change
  /// The index of its place when the edit was made; `nil` for a change without a place.
  package let index: Int?

  package init(_ change: Change, index: Int? = nil) {
    self.change = change
    self.index = index
  }
}

extension ListLookup {
  /// A change that was just made in this list, for making it again elsewhere.
  ///
  /// `entry`: What the change became.
  package func edited(_ change: Change, as entry: LogEntry) throws(Failure) -> EditedChange {
    switch (change, entry) {
    case (.insertSection(let id, let attributes, let place), .insertSection(_, _, let index)):
      let place = try anchored(place, at: index)
      return EditedChange(.insertSection(id, attributes, at: place), index: index)
    case (.moveSection(let id, let place), .moveSection(_, _, let index)):
      return EditedChange(.moveSection(id, to: try anchored(place, at: index)), index: index)
    case (.insertItem(let item, let section, let place), .insertItem(_, let path)):
      let place = try anchored(place, at: path)
      return EditedChange(.insertItem(item, in: section, at: place), index: path.item)
    case (.moveItem(let id, _, let place), .moveItem(_, _, let path)):
      let section = try sectionID(at: path.section)
      let place = try anchored(place, at: path)
      return EditedChange(.moveItem(id, in: section, to: place), index: path.item)
    // What the edit left as it was is not for it to set again.
    case (.updateSection(let id, _), .updateSection(_, _, let before, let after)):
      return EditedChange(.updateSection(id, SectionUpdate(from: before, to: after)))
    case (.updateItem(let id, _), .updateItem(_, _, let before, let after)):
      return EditedChange(.updateItem(id, ItemUpdate(from: before, to: after)))
    default: return EditedChange(change)
    }
  }

  private func anchored(
    _ place: Place<SectionID>, at index: Int
  ) throws(Failure) -> Place<SectionID> {
    guard case .index = place else { return place }
    return index == 0 ? .start : .after(try sectionID(at: index - 1))
  }

  private func anchored(_ place: Place<ItemID>, at path: ItemPath) throws(Failure) -> Place<ItemID>
  {
    guard case .index = place else { return place }
    return path.item == 0
      ? .start : .after(try itemID(at: ItemPath(section: path.section, item: path.item - 1)))
  }

  /// The changes that take back an entry that was just made in this list.
  ///
  /// The list is then as before, but for content revisions. A redraw is not taken back.
  package func changes(takingBack entry: LogEntry) throws(Failure) -> [Change] {
    switch entry {
    case .updateList(let before, _): return [.updateList(meta: before)]
    case .insertSection(let id, _, _): return [.deleteSection(id)]
    case .deleteSection(let section, let index):
      return [.insertSection(section.id, section.attributes, at: .index(index))]
        + section.items.map { .insertItem($0, in: section.id, at: .end) }
    case .moveSection(let id, let from, _): return [.moveSection(id, to: .index(from))]
    case .updateSection(let id, _, let before, let after):
      return [.updateSection(id, SectionUpdate(from: after, to: before))]
    case .insertItem(let item, _): return [.deleteItem(item.id)]
    case .deleteItem(let item, let path):
      return [.insertItem(item, in: try sectionID(at: path.section), at: .index(path.item))]
    case .moveItem(let id, let from, _):
      return [.moveItem(id, in: try sectionID(at: from.section), to: .index(from.item))]
    case .updateItem(let id, _, let before, let after):
      return [.updateItem(id, ItemUpdate(from: after, to: before))]
    case .touchItem: return []
    }
  }
}

extension ListLookup {
  /// The change that makes an edited change again in this list.
  ///
  /// A place whose neighbour is not there, or not in the section, becomes the index that it had, at
  /// most the end. What the change wants to delete may be gone already, and a redraw was seen:
  /// then there is nothing to do.
  ///
  /// - Returns: `nil` if there is nothing to do. The change may not fit.
  package func change(again edited: EditedChange) throws(Failure) -> Change? {
    switch edited.change {
    case .touchItem: return nil
    case .deleteItem(let id): return try location(of: id) == nil ? nil : edited.change
    case .deleteSection(let id): return try sectionIndex(of: id) == nil ? nil : edited.change
    case .insertSection(let id, let attributes, let place):
      return .insertSection(id, attributes, at: try settled(place, edited.index, moving: nil))
    case .moveSection(let id, let place):
      return .moveSection(id, to: try settled(place, edited.index, moving: id))
    case .insertItem(let item, let section, let place):
      return .insertItem(
        item, in: section, at: try settled(place, edited.index, in: section, moving: nil))
    case .moveItem(let id, let section?, let place):
      return .moveItem(
        id, in: section, to: try settled(place, edited.index, in: section, moving: id))
    case .moveItem, .updateItem, .updateSection, .updateList: return edited.change
    }
  }

  private func settled(
    _ place: Place<SectionID>, _ index: Int?, moving id: SectionID?
  ) throws(Failure) -> Place<SectionID> {
    switch place {
    case .start, .end: return place
    case .after(let anchor), .before(let anchor):
      if try sectionIndex(of: anchor) != nil { return place }
    case .index: break
    }
    var count = try sectionCount()
    if let id, try sectionIndex(of: id) != nil { count -= 1 }
    return .index(min(index ?? count, count))
  }

  private func settled(
    _ place: Place<ItemID>, _ index: Int?, in section: SectionID, moving id: ItemID?
  ) throws(Failure) -> Place<ItemID> {
    switch place {
    case .start, .end: return place
    case .after(let anchor), .before(let anchor):
      if try location(of: anchor)?.section == section { return place }
    case .index: break
    }
    guard let sectionIndex = try sectionIndex(of: section) else { return place }
    var count = try itemCount(inSection: section, at: sectionIndex)
    if let id, try location(of: id)?.section == section { count -= 1 }
    return .index(min(index ?? count, count))
  }
}
