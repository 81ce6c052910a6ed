/// The questions that resolving, replaying and undoing changes ask of a list, in memory or in a
/// store.
///
/// Indexes and paths are those of the current list.
package protocol ListLookup {
  /// The error of reading the list; `Never` for a list in memory.
  associatedtype Failure: Error

  /// The app's own data about the list.
  func listMeta() throws(Failure) -> JSON?
  func sectionCount() throws(Failure) -> Int
  func sectionID(at index: Int) throws(Failure) -> SectionID
  func sectionIndex(of id: SectionID) throws(Failure) -> Int?
  func attributes(ofSection id: SectionID, at index: Int) throws(Failure) -> SectionAttributes
  /// The section with its items.
  func section(_ id: SectionID, at index: Int) throws(Failure) -> ListTree.Section
  func itemCount(inSection id: SectionID, at index: Int) throws(Failure) -> Int
  func itemID(at path: ItemPath) throws(Failure) -> ItemID
  func location(of id: ItemID) throws(Failure) -> ItemLocation?
  func state(of id: ItemID, at path: ItemPath) throws(Failure) -> ItemState
  /// How many items are gaps.
  func gapCount() throws(Failure) -> Int
  /// Which ones, in no order.
  func gapIDs() throws(Failure) -> [ItemID]
  /// Whether the item at a path is one.
  func isGap(at path: ItemPath) throws(Failure) -> Bool
}

extension ListLookup {
  /// The gaps and where they stand, in their order.
  package func gaps() throws(Failure) -> [(id: ItemID, location: ItemLocation)] {
    var gaps: [(id: ItemID, location: ItemLocation)] = []
    for id in try gapIDs() {
      if let location = try location(of: id) { gaps.append((id, location)) }
    }
    return gaps.sorted { $0.location.path < $1.location.path }
  }
}

/// The path of an item and the id of its section.
package struct ItemLocation: Sendable {
  package var section: SectionID
  package var path: ItemPath

  package init(section: SectionID, path: ItemPath) {
    self.section = section
    self.path = path
  }
}

extension ListLookup {
  /// The effect of a change on this list: the one definition that tree, store and Provider share.
  ///
  /// - Returns: The change with its paths and the state before, or the error of a change that does
  ///   not fit the list.
  /// - Throws: The error of reading the list.
  package func resolve(_ change: Change) throws(Failure) -> Result<LogEntry, ChangeError> {
    switch change {
    case .updateList(let meta):
      return .success(
        .updateList(before: try listMeta(), after: meta == .null ? nil : meta))

    case .insertSection(let id, let attributes, let place):
      if let error = attributes.error(of: id) { return .failure(error) }
      if let index = try sectionIndex(of: id) {
        return .failure(.duplicateSection(id, index: index))
      }
      return try resolve(place, of: id, leaving: nil).map {
        .insertSection(id, attributes, at: $0)
      }

    case .deleteSection(let id):
      guard let index = try sectionIndex(of: id) else { return .failure(.unknownSection(id)) }
      return .success(.deleteSection(try section(id, at: index), at: index))

    case .moveSection(let id, let place):
      guard let from = try sectionIndex(of: id) else { return .failure(.unknownSection(id)) }
      return try resolve(place, of: id, leaving: from).map { .moveSection(id, from: from, to: $0) }

    case .updateSection(let id, let update):
      guard let index = try sectionIndex(of: id) else { return .failure(.unknownSection(id)) }
      let before = try attributes(ofSection: id, at: index)
      let after = update.applied(to: before)
      if let error = after.error(of: id) { return .failure(error) }
      return .success(.updateSection(id, at: index, before: before, after: after))

    case .insertItem(let item, let section, let place):
      guard let index = try sectionIndex(of: section) else {
        return .failure(.unknownSection(section))
      }
      if let holder = try location(of: item.id) {
        return .failure(.duplicateItem(item.id, path: holder.path))
      }
      // The count starts at 0, also for an item that was read from a list.
      var new = item
      new.state.contentRevision = 0
      if let error = new.state.gapError(of: item.id) { return .failure(error) }
      return try resolve(place, of: item.id, in: section, at: index, leaving: nil).map {
        .insertItem(new, at: $0)
      }

    case .deleteItem(let id):
      guard let path = try location(of: id)?.path else { return .failure(.unknownItem(id)) }
      return .success(.deleteItem(Item(id: id, state: try state(of: id, at: path)), at: path))

    case .moveItem(let id, let section, let place):
      guard let from = try location(of: id) else { return .failure(.unknownItem(id)) }
      let target = section ?? from.section
      guard let index = try sectionIndex(of: target) else {
        return .failure(.unknownSection(target))
      }
      let leaving = index == from.path.section ? from.path.item : nil
      return try resolve(place, of: id, in: target, at: index, leaving: leaving).map {
        .moveItem(id, from: from.path, to: $0)
      }

    case .updateItem(let id, let update):
      guard let path = try location(of: id)?.path else { return .failure(.unknownItem(id)) }
      let before = try state(of: id, at: path)
      let after = update.applied(to: before)
      if let error = after.gapError(of: id) { return .failure(error) }
      return .success(.updateItem(id, at: path, before: before, after: after))

    case .touchItem(let id):
      guard let path = try location(of: id)?.path else { return .failure(.unknownItem(id)) }
      return .success(.touchItem(id, at: path))
    }
  }

  /// The index that a section gets.
  ///
  /// `leaving`: The index of the moved section, which is not counted.
  private func resolve(
    _ place: Place<SectionID>, of id: SectionID, leaving: Int?
  ) throws(Failure) -> Result<Int, ChangeError> {
    let count = try sectionCount() - (leaving == nil ? 0 : 1)
    switch place {
    case .start: return .success(0)
    case .end: return .success(count)
    case .index(let index):
      guard index >= 0, index <= count else {
        return .failure(.sectionIndexOutOfBounds(id, index: index, count: count))
      }
      return .success(index)
    case .after(let anchor), .before(let anchor):
      guard anchor != id, let index = try sectionIndex(of: anchor) else {
        return .failure(.sectionAnchorNotFound(id, anchor: anchor))
      }
      return .success(place.index(nextTo: index, leaving: leaving))
    }
  }

  /// The path that an item gets in a section.
  ///
  /// `leaving`: Its index in that section, if it moves inside it.
  private func resolve(
    _ place: Place<ItemID>, of id: ItemID, in section: SectionID, at sectionIndex: Int,
    leaving: Int?
  ) throws(Failure) -> Result<ItemPath, ChangeError> {
    let index: Int
    switch place {
    case .start: index = 0
    case .end, .index:
      let count =
        try itemCount(inSection: section, at: sectionIndex) - (leaving == nil ? 0 : 1)
      guard case .index(let wanted) = place else {
        index = count
        break
      }
      guard wanted >= 0, wanted <= count else {
        return .failure(
          .itemIndexOutOfBounds(id, index: wanted, section: section, count: count))
      }
      index = wanted
    case .after(let anchor), .before(let anchor):
      guard anchor != id, let path = try location(of: anchor)?.path,
        path.section == sectionIndex
      else {
        return .failure(.itemAnchorNotFound(id, anchor: anchor, section: section))
      }
      index = place.index(nextTo: path.item, leaving: leaving)
    }
    return .success(ItemPath(section: sectionIndex, item: index))
  }
}

extension Place {
  /// The index next to an anchor after the element at `leaving` was removed.
  fileprivate func index(nextTo anchor: Int, leaving: Int?) -> Int {
    let settled = if let leaving, leaving < anchor { anchor - 1 } else { anchor }
    if case .after = self { return settled + 1 }
    return settled
  }
}
