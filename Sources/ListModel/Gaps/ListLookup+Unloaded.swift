/// Why a list may lack what its server's feed names, although it has no gap.
package enum Lacking: Sendable {
  /// Pages have brought what the server has done after the change.
  case pagesAhead
  /// A gap has gone with its section, which need not be all that the gap stood for; or pages have come, and
  /// the list is as if they had not.
  case parts
}

extension ListLookup {
  /// What a server's change does to this list, which may not have loaded what it is about.
  ///
  /// While a list has a gap, what happens to something that is not there happens inside a gap. So it does
  /// nothing, and neither does an insert beside it; what moves there is removed. What is inserted and is
  /// there, because a page had it, becomes what the change says. In a list without gaps, all that is an
  /// error of the change.
  ///
  /// `lacking`: What the list may lack although it has no gap; that is as if it had one.
  ///
  /// - Returns: The changes to make instead.
  package func changes(
    forServers change: Change, lacking: Lacking?
  ) throws(Failure) -> [Change] {
    let count = try gapCount()
    guard lacking != nil || count > 0 else { return [change] }
    let isAhead = lacking == .pagesAhead
    switch change {
    case .updateList: return [change]
    case .deleteSection(let id), .updateSection(let id, _):
      return try sectionIndex(of: id) == nil ? [] : [change]
    case .insertSection(let id, let attributes, let place):
      guard let index = try sectionIndex(of: id) else { return try isLoaded(place) ? [change] : [] }
      let before = try self.attributes(ofSection: id, at: index)
      let update = SectionUpdate(from: before, to: attributes)
      return try (update == SectionUpdate() ? [] : [.updateSection(id, update)])
        + (isLoaded(place, moving: true) ? [.moveSection(id, to: place)] : [])
    case .moveSection(let id, let place):
      guard try sectionIndex(of: id) != nil else { return [] }
      return try isLoaded(place) ? [change] : [.deleteSection(id)]
    case .updateItem(let id, _), .touchItem(let id):
      return try location(of: id) == nil ? [] : [change]
    case .deleteItem(let id):
      return try deletion(of: id, isAhead: isAhead)
    case .insertItem(let item, let section, let place):
      guard let location = try location(of: item.id) else {
        return try isLoaded(place, in: section) ? [change] : []
      }
      let update = ItemUpdate(from: try state(of: item.id, at: location.path), to: item.state)
      return try (update == ItemUpdate() ? [] : [.updateItem(item.id, update)])
        + (isLoaded(place, in: section, moving: location)
          ? move(item.id, in: section, to: place, isAhead: isAhead) : [])
    case .moveItem(let id, let section, let place):
      guard let own = try location(of: id)?.section else { return [] }
      return try isLoaded(place, in: section ?? own)
        ? move(id, in: section, to: place, isAhead: isAhead) : deletion(of: id, isAhead: isAhead)
    }
  }

  /// Deletes an item, if it is there.
  private func deletion(of id: ItemID, isAhead: Bool) throws(Failure) -> [Change] {
    guard let location = try location(of: id) else { return [] }
    return try (isAhead ? forgottenCursors(beside: location) : []) + [.deleteItem(id)]
  }

  /// Moves an item that is there.
  private func move(
    _ id: ItemID, in section: SectionID?, to place: Place<ItemID>, isAhead: Bool
  ) throws(Failure) -> [Change] {
    let change = Change.moveItem(id, in: section, to: place)
    guard isAhead, let location = try location(of: id),
      case .success(.moveItem(_, let from, let to)) = try resolve(change), from != to
    else { return [change] }
    return try forgottenCursors(beside: location) + [change]
  }

  /// Takes from the gaps beside an item that goes away the cursors of the edges that it made.
  ///
  /// Where pages are ahead, such a cursor may be the item's own, and the server may have put the item into the
  /// gap since, or have it where it was: that edge is asked for by its neighbour from now on.
  private func forgottenCursors(beside location: ItemLocation) throws(Failure) -> [Change] {
    let path = location.path
    var changes: [Change] = []
    let count = try itemCount(inSection: location.section, at: path.section)
    for item in [path.item - 1, path.item + 1] where 0..<count ~= item {
      let neighbour = ItemPath(section: path.section, item: item)
      guard try isGap(at: neighbour) else { continue }
      let gapID = try itemID(at: neighbour)
      let state = try state(of: gapID, at: neighbour)
      guard var gap = try? Gap(state.content) else { continue }
      if item < path.item { gap.before = nil } else { gap.after = nil }
      changes += state.changes(ofGap: gapID, to: gap)
    }
    return changes
  }

  /// Whether a place is there.
  ///
  /// `isMoving`: Whether one of the sections moves there, instead of a new one: then an index beyond the others
  /// is no place.
  private func isLoaded(
    _ place: Place<SectionID>, moving isMoving: Bool = false
  ) throws(Failure) -> Bool {
    switch place {
    case .start, .end: true
    case .index(let index): if isMoving { try index < sectionCount() } else { true }
    case .after(let anchor), .before(let anchor): try sectionIndex(of: anchor) != nil
    }
  }

  /// Whether a place is there.
  ///
  /// `item`: The one that moves there; `nil` for a new one. An index beyond the others is no place for it.
  private func isLoaded(
    _ place: Place<ItemID>, in section: SectionID, moving item: ItemLocation? = nil
  ) throws(Failure) -> Bool {
    guard let sectionIndex = try sectionIndex(of: section) else { return false }
    switch place {
    case .start, .end: return true
    case .index(let index):
      guard let item else { return true }
      let count = try itemCount(inSection: section, at: sectionIndex)
      return index <= count - (item.section == section ? 1 : 0)
    // One that the store has in another section stands in a gap of this one by now.
    case .after(let anchor), .before(let anchor):
      return try location(of: anchor)?.section == section
    }
  }
}
