import ListModel

/// `UICollectionView`, reduced to its counting: what it makes of the operations of one stage.
///
/// A reload becomes a delete and an insert. A deleted section swallows the deletes of its items,
/// and an inserted one the inserts. The other sections before are matched with those after. It
/// looks at no item, and at no section whose count is shared, so the cost depends on the number of
/// operations alone.
/// - Complexity: O(*b* log *b*), *b* operations.
struct ReducedView {
  let operations: LegalityOperations
  /// The index of each section reload's insert, in the order of the reloaded sections.
  ///
  /// May be out of bounds.
  let reloadSectionTargets: [Int]
  /// The path of each item reload's insert, in the order of the reloaded items.
  ///
  /// May be out of bounds.
  let reloadItemTargets: [ItemPath]
  /// Sections that are deleted or reloaded.
  let goneSections: LegalityPlaces<Int>
  /// Sections that are inserted, by an insert or by a reload.
  let arrivedSections: LegalityPlaces<Int>
  /// Items that are deleted or reloaded, without those of ``goneSections``.
  let removedItems: LegalityPlaces<ItemPath>
  /// Items that are inserted, by an insert or by a reload, without those of ``arrivedSections``.
  let addedItems: LegalityPlaces<ItemPath>
  let sections: LegalitySectionMap

  /// - Parameter operations: Operations of which none is out of bounds.
  init(_ operations: LegalityOperations) {
    self.operations = operations
    reloadSectionTargets = Self.targets(
      ofSections: operations.reloadSections.elements, in: operations)
    reloadItemTargets = Self.targets(ofItems: operations.reloadItems.elements, in: operations)

    goneSections = operations.deleteSections.merged(with: operations.reloadSections)
    arrivedSections = operations.insertSections.merged(with: LegalityPlaces(reloadSectionTargets))
    removedItems = operations.deleteItems.merged(with: operations.reloadItems)
      .outside(goneSections)
    addedItems = operations.insertItems.merged(with: LegalityPlaces(reloadItemTargets))
      .outside(arrivedSections)
    sections = LegalitySectionMap(
      before: operations.before.count, after: operations.after.count, gone: goneSections,
      arrived: arrivedSections, moves: operations.moveSections)
  }
}

// MARK: - Contradictions

extension ReducedView {
  /// The verdict on the first two operations that contradict each other, or on a reload whose
  /// insert has nowhere to go.
  func contradiction() -> LegalityVerdict? {
    deleteAndReload() ?? reloadNowhere() ?? sectionContradiction() ?? itemContradiction()
  }

  private func deleteAndReload() -> LegalityVerdict? {
    if let section = operations.deleteSections.firstCommon(with: operations.reloadSections) {
      return .raise(.deleteAndReload, "section \(section) is both deleted and reloaded")
    }
    return operations.deleteItems.firstCommon(with: operations.reloadItems).map {
      .raise(.deleteAndReload, "item \($0) is both deleted and reloaded")
    }
  }

  private func reloadNowhere() -> LegalityVerdict? {
    let after = operations.after
    for (section, target) in zip(operations.reloadSections.elements, reloadSectionTargets)
    where !after.indices.contains(target) {
      return .raise(
        .reloadSectionOutOfBounds,
        "reloading section \(section)\(withoutMoves) inserts it at \(target), "
          + "but \(operations.sections(after, "after"))")
    }
    var counts = LegalityCountReader(after)
    for (path, target) in zip(operations.reloadItems.elements, reloadItemTargets) {
      if operations.deleteSections.contains(path.section) {
        return .raise(
          .reloadInDeletedSection,
          "item \(path) is reloaded, but section \(path.section) is deleted")
      }
      if !counts.hasItem(at: target) {
        return .raise(
          .reloadItemOutOfBounds,
          "reloading \(path)\(withoutMoves) deletes it there and inserts it at \(target), "
            + "but \(operations.whyMissing(target, after, "after"))")
      }
    }
    return nil
  }

  private func sectionContradiction() -> LegalityVerdict? {
    if let section = goneSections.firstCommon(with: operations.movedSections) {
      return operations.reloadSections.contains(section)
        ? .raise(
          .reloadAndMove,
          "section \(section) is reloaded, which deletes it, and also moves to "
            + target(ofMovedSection: section))
        : .raise(
          .deleteAndMove,
          "section \(section) is deleted and also moves to \(target(ofMovedSection: section))")
    }
    for (move, next) in zip(operations.moveSections, operations.moveSections.dropFirst())
    where move.from == next.from {
      return .raise(
        .moveToTwoPlaces, "section \(move.from) moves to both \(move.to) and \(next.to)")
    }
    if let section = arrivedSections.firstCommon(with: operations.sectionTargets) {
      let inserted =
        operations.insertSections.contains(section)
        ? "a section is inserted"
        : "\(reload(insertingSectionAt: section)), made without the moves, inserts it"
      return .raise(
        .insertAndMove, "\(inserted) at \(section), where \(sectionMoving(to: section)) moves to")
    }
    return operations.sectionTargets.firstRepeated.map { target in
      let sources = operations.moveSections.filter { $0.to == target }.map { "\($0.from)" }
      return .raise(
        .moveFromTwoPlaces, "sections \(sources.joined(separator: " and ")) move to \(target)")
    }
  }

  private func itemContradiction() -> LegalityVerdict? {
    if let path = removedItems.firstCommon(with: operations.movedItems) {
      return operations.reloadItems.contains(path)
        ? .raise(
          .reloadAndMove,
          "item \(path) is reloaded, which deletes it, and also moves to "
            + target(ofMovedItem: path))
        : .raise(
          .deleteAndMove,
          "item \(path) is deleted and also moves to \(target(ofMovedItem: path))")
    }
    for (move, next) in zip(operations.moveItems, operations.moveItems.dropFirst())
    where move.from == next.from {
      return .raise(.moveToTwoPlaces, "item \(move.from) moves to both \(move.to) and \(next.to)")
    }
    if let path = addedItems.firstCommon(with: operations.itemTargets) {
      let inserted =
        operations.insertItems.contains(path)
        ? "an item is inserted"
        : "\(reload(insertingItemAt: path)), made without the moves, inserts it"
      return .raise(
        .insertAndMove, "\(inserted) at \(path), where \(itemMoving(to: path)) moves to")
    }
    return operations.itemTargets.firstRepeated.map { target in
      let sources = operations.moveItems.filter { $0.to == target }.map { "\($0.from)" }
      return .raise(
        .moveFromTwoPlaces, "items \(sources.joined(separator: " and ")) move to \(target)")
    }
  }
}
