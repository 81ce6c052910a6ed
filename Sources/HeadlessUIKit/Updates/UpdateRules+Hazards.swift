extension UpdateRules {
  /// Throws for batch updates that every version of UIKit accepts and some version then shows
  /// wrongly.
  func checkHazards(
    _ parts: UpdateParts, _ sections: UpdateSectionMap, _ map: UpdateMap
  ) throws(HeadlessException) {
    try checkDuplicates(parts)
    try checkMovesAcrossStructure(parts)
    try checkMovedSections(parts)
    try checkReloads(sections, map)
    try checkReconfigures()
    let bare = parts.itemMoves.filter { $0.from.section != $0.to.section }
    if operations.hasSectionOperations || !reloads.isEmpty,
      let section = unbalanced(parts, sections, crossing: bare)
    {
      throw hazard(
        "an \(wording.item) moves between two sections, one with the index before the update that the "
          + "other has after it; versions that compare only indexes miscount section \(section)")
    }
  }

  private func hazard(_ text: String) -> HeadlessException { HeadlessException(.hazard, text) }

  private func checkDuplicates(_ parts: UpdateParts) throws(HeadlessException) {
    let sections = [parts.goneSections, parts.arrivedSections]
    let items = [parts.removedItems, parts.addedItems]
    for (places, verb) in zip(sections, ["deleted", "inserted"])
    where Set(places).count < places.count {
      throw hazard(
        "a section is \(verb) twice, and the \(wording.view) counts it twice: \(places)")
    }
    for (places, verb) in zip(items, ["deleted", "inserted"])
    where Set(places).count < places.count {
      throw hazard(
        "an \(wording.item) is \(verb) twice; the \(wording.view) counts it twice, which corrupts its "
          + "map of items: \(places.map(\.short))")
    }
  }

  private func checkMovesAcrossStructure(_ parts: UpdateParts) throws(HeadlessException) {
    for move in parts.itemMoves {
      if parts.goneSections.contains(move.from.section) {
        throw HeadlessException(
          "cannot move \(wording.item == "row" ? "a row" : "an item") from a deleted section "
            + "(\(move.from.section))")
      }
      if parts.arrivedSections.contains(move.to.section) {
        throw HeadlessException(
          "cannot move \(wording.item == "row" ? "a row" : "an item") into a newly inserted section "
            + "(\(move.to.section))")
      }
    }
  }

  private func checkMovedSections(_ parts: UpdateParts) throws(HeadlessException) {
    if parts.sectionMoves.isEmpty { return }
    let sources = Set(parts.sectionMoves.map(\.from.section))
    let targets = Set(parts.sectionMoves.map(\.to.section))
    let removed = parts.removedItems.first { sources.contains($0.section) }
    let added = parts.addedItems.first { targets.contains($0.section) }
    let moved = parts.itemMoves.first {
      sources.contains($0.from.section) || targets.contains($0.to.section)
    }
    guard let place = removed ?? added ?? moved?.from else { return }
    throw hazard(
      "section \(place.section) moves, and its \(wording.item) \(place.short) changes in the same batch "
        + "update: UIKit shows wrong cells, keeps old ones, or crashes")
  }

  private func checkReloads(
    _ sections: UpdateSectionMap, _ map: UpdateMap
  ) throws(HeadlessException) {
    for (reload, target) in zip(reloads, reloadTargets) {
      if reload.isSection {
        guard let right = map.sections.newOfOld[reload.section], right != target.section else {
          continue
        }
        throw hazard(
          "UIKit ignores the moves when it reloads section \(reload.section): it makes the cells of "
            + "section \(target.section) again instead of \(right)")
      }
      if map.isSectionReloaded(reload.section) { continue }
      if let right = map.newPlace(of: reload), right != target {
        throw hazard(
          "UIKit ignores the moves when it reloads \(reload.short): it makes the cell of "
            + "\(target.short) again instead of \(right.short)")
      }
      if let section = sections.newOfOld[reload.section], reload.item >= after[section] {
        throw hazard(
          "iOS 15 and newer ignore the reload of \(reload.short): section \(section) has only "
            + "\(after[section]) \(wording.item)s after the update")
      }
    }
  }

  private func checkReconfigures() throws(HeadlessException) {
    guard let place = operations.reconfigures.first else { return }
    let resizes = zip(reloads, reloadTargets).contains {
      $0.isSection && before[$0.section] != after[$1.section]
    }
    if operations.isStructural || resizes {
      throw hazard(
        "UIKit reconfigures \(place.short) at once, with its path before the update, but the data is "
          + "already that after it")
    }
  }
}
