import ListModel

/// Stages that the view accepts and then shows wrong; for stages that do not make it raise.
extension ReducedView {
  /// The verdict on the first hazard.
  func hazard() -> LegalityVerdict? {
    duplicate() ?? moveAcrossStructure() ?? changeInMovedSection()
      ?? reloadOnWrongSection() ?? reloadOnWrongItem() ?? reloadBeyondNewCount()
      ?? reconfigureBesideStructure() ?? moveBetweenShiftedSections()
  }

  private func duplicate() -> LegalityVerdict? {
    let counted = "and counts twice, which leaves wrong cells or crashes later"
    let tableView = "which puts cells on wrong items, and UITableView counts one and raises"
    if let section = goneSections.firstRepeated {
      return operations.reloadSections.contains(section)
        ? .unsafe(.duplicateReload, "section \(section) is reloaded twice \(counted)")
        : .unsafe(.duplicateDelete, "section \(section) is deleted twice \(counted)")
    }
    if let section = operations.insertSections.firstRepeated {
      return .unsafe(
        .duplicateInsert, "two sections are inserted at \(section) and both count, \(tableView)")
    }
    if let path = removedItems.firstRepeated {
      return operations.reloadItems.contains(path)
        ? .unsafe(.duplicateReload, "item \(path) is reloaded twice \(counted)")
        : .unsafe(.duplicateDelete, "item \(path) is deleted twice \(counted)")
    }
    return addedItems.firstRepeated.map {
      .unsafe(.duplicateInsert, "two items are inserted at \($0) and both count, \(tableView)")
    }
  }

  private func moveAcrossStructure() -> LegalityVerdict? {
    if goneSections.isEmpty, arrivedSections.isEmpty { return nil }
    let versions = "so that some versions raise and others reload everything without animation"
    for move in operations.moveItems {
      var text: String { "item \(move.from) moves to \(move.to) after the update," }
      if goneSections.contains(move.from.section) {
        return operations.reloadSections.contains(move.from.section)
          ? .unsafe(
            .moveTouchesReloadedSection,
            "\(text) and section \(move.from.section) is reloaded, which deletes and inserts it, "
              + versions)
          : .unsafe(
            .moveOutOfDeletedSection,
            "\(text) out of section \(move.from.section), which is deleted, \(versions)")
      }
      if arrivedSections.contains(move.to.section) {
        return operations.insertSections.contains(move.to.section)
          ? .unsafe(
            .moveIntoInsertedSection,
            "\(text) into section \(move.to.section), which is inserted, \(versions)")
          : .unsafe(
            .moveTouchesReloadedSection,
            "\(text) and \(reload(insertingSectionAt: move.to.section)) deletes it and inserts it "
              + "at \(move.to.section), \(versions)")
      }
    }
    return nil
  }

  private func changeInMovedSection() -> LegalityVerdict? {
    if operations.moveSections.isEmpty { return nil }
    if let path = removedItems.firstPath(in: operations.movedSections) {
      let target = target(ofMovedSection: path.section)
      let place = "in section \(path.section), which moves to \(target)"
      return operations.reloadItems.contains(path)
        ? .unsafe(
          .reloadInMovedSection,
          "item \(path) is reloaded \(place), so that the new cell goes to another item")
        : .unsafe(
          .deleteInMovedSection,
          "item \(path) is deleted \(place), so that its cell is animated twice and stays")
    }
    if let path = addedItems.firstPath(in: operations.sectionTargets) {
      let section = sectionMoving(to: path.section)
      let place = "\(path), in section \(path.section), where \(section) moves to"
      return operations.insertItems.contains(path)
        ? .unsafe(
          .insertInMovedSection,
          "an item is inserted at \(place), and the cells that move are laid out over it, "
            + "which leaves wrong cells or crashes")
        : .unsafe(
          .reloadWithSectionMove,
          "\(reload(insertingItemAt: path)), made without the moves, puts the new cell at "
            + "\(place), so that another item gets it")
    }
    return operations.moveItems.first {
      operations.movedSections.contains($0.from.section)
        || operations.sectionTargets.contains($0.to.section)
    }.map {
      let source = $0.from.section
      let section =
        operations.movedSections.contains(source)
        ? "section \(source) moves to \(target(ofMovedSection: source))"
        : "\(sectionMoving(to: $0.to.section)) moves to \($0.to.section)"
      return .unsafe(
        .moveInMovedSection,
        "item \($0.from) moves to \($0.to) after the update while \(section), "
          + "which leaves wrong cells or crashes")
    }
  }

  private func reconfigureBesideStructure() -> LegalityVerdict? {
    guard let path = operations.stage.reconfigureItems.first else { return nil }
    let resizesSection = zip(operations.reloadSections.elements, reloadSectionTargets)
      .contains { operations.before[$0] != operations.after[$1] }
    guard operations.stage.isStructural || resizesSection else { return nil }
    return .unsafe(
      .reconfigureWithStructure,
      "item \(path) is reconfigured at once, at its path before the update, so that its cell shows "
        + "whatever the new list has there, and an app that finds nothing there may crash")
  }

  private func moveBetweenShiftedSections() -> LegalityVerdict? {
    guard operations.hasSectionOperations, !operations.moveItems.isEmpty,
      let section = firstSectionUnbalancedByBareIndexes()
    else { return nil }
    return .unsafe(
      .moveBetweenShiftedSections,
      "\(moveBetweenEqualIndexes(unbalancing: section)) after the update, in another section of the "
        + "same index, and a version that compares only the indexes raises because section "
        + "\(section) does not add up")
  }
}

// MARK: - Reloads

extension ReducedView {
  /// The verdict on the first section reload whose insert does not go where the section goes.
  private func reloadOnWrongSection() -> LegalityVerdict? {
    if operations.reloadSections.isEmpty || !operations.hasSectionOperations { return nil }
    let really = sectionsWithoutReloads()
    for (section, target) in zip(operations.reloadSections.elements, reloadSectionTargets) {
      guard let right = really.newIndex(ofOld: section), right != target else { continue }
      return .unsafe(
        .reloadOfDisplacedSection,
        "the reload of section \(section), made without the moves, draws section \(target) anew "
          + "instead of section \(right), which keeps its old cells, indexes after the update")
    }
    return nil
  }

  /// The verdict on the first item reload whose insert does not go where the item goes.
  ///
  /// The other items fill the remaining places in order. So if all reloads are right, they are too.
  private func reloadOnWrongItem() -> LegalityVerdict? {
    if operations.reloadItems.isEmpty || !operations.stage.isStructural { return nil }
    let really = sectionsWithoutReloads()
    let leaving = operations.deleteItems.merged(with: operations.movedItems)
    let arriving = operations.insertItems.merged(with: operations.itemTargets)
    for (path, target) in zip(operations.reloadItems.elements, reloadItemTargets) {
      guard !goneSections.contains(path.section),
        let section = really.newIndex(ofOld: path.section)
      else { continue }
      // An item that is neither deleted nor moved keeps its rank among those that are not.
      let rank = path.item - leaving.countBeforeInSection(path)
      let right = ItemPath(
        section: section, item: arriving.place(leftWithRank: rank, inSection: section))
      guard right != target else { continue }
      if operations.moveSections.isEmpty,
        let redundant = operations.redundantDelete ?? operations.redundantInsert
      {
        let kind = operations.redundantDelete == nil ? "insert" : "delete"
        return .unsafe(
          .redundantOperationWithReload,
          "the \(kind) at \(redundant), which its section swallows, shifts the reload of \(path), "
            + "which draws item \(target) anew instead of item \(right), paths after the update")
      }
      return .unsafe(
        operations.moveSections.isEmpty ? .reloadWithMove : .reloadWithSectionMove,
        "the reload of \(path), made without the moves, draws item \(target) anew "
          + "instead of item \(right), which keeps its old cell, paths after the update")
    }
    return nil
  }

  private func sectionsWithoutReloads() -> LegalitySectionMap {
    if operations.reloadSections.isEmpty { return sections }
    return LegalitySectionMap(
      before: operations.before.count, after: operations.after.count,
      gone: operations.deleteSections, arrived: operations.insertSections,
      moves: operations.moveSections)
  }

  private func reloadBeyondNewCount() -> LegalityVerdict? {
    var counts = LegalityCountReader(operations.after)
    return operations.reloadItems.elements.first { path in
      sections.newIndex(ofOld: path.section).map { path.item >= counts[$0] } ?? false
    }.map {
      .unsafe(
        .reloadBeyondNewCount,
        "from iOS 15 on it ignores the reload of \($0), because the shrunk section has no such "
          + "index any more, and keeps the old cell")
    }
  }
}
