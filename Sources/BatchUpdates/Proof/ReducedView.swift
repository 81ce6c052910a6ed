import ListModel

/// `UICollectionView` reduced to what it counts: what becomes of the operations of one stage.
///
/// Each reload becomes a delete and an insert, a deleted section swallows the deletes in it and an
/// inserted one the inserts, and the sections that stay are matched. No item is looked at, and no
/// section that the counts before and after share: the cost depends on how many operations there
/// are, never on how many items or sections.
/// - Complexity: O(*b* log *b*), *b* operations.
struct LegalityHost {
  let operations: LegalityOperations
  /// Where the insert of each section reload goes, in the order of the reloaded sections.
  ///
  /// May be out of bounds.
  let reloadSectionTargets: [Int]
  /// Where the insert of each item reload goes, in the order of the reloaded items.
  ///
  /// May be out of bounds.
  let reloadItemTargets: [ItemPath]
  /// Sections that are deleted or reloaded.
  let goneSections: LegalityPlaces<Int>
  /// Sections that are inserted, be it by a reload.
  let arrivedSections: LegalityPlaces<Int>
  /// Items that are deleted or reloaded, without those that go with their section.
  let removedItems: LegalityPlaces<ItemPath>
  /// Items that are inserted, be it by a reload, without those that come with their section.
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

extension LegalityHost {
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
