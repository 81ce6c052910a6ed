import ListModel

extension ReducedView {
  /// The verdict on the first count that does not agree with the operations.
  func countMismatch() -> LegalityVerdict? {
    sectionCountMismatch() ?? firstUnbalancedSection().map(itemCountMismatch(in:))
  }

  private func sectionCountMismatch() -> LegalityVerdict? {
    let before = operations.before.count
    let after = operations.after.count
    let expected = before &- goneSections.count &+ arrivedSections.count
    if expected == after { return nil }
    let account = Self.account(
      before, [("−", goneSections.count, "deleted"), ("+", arrivedSections.count, "inserted")])
    return .raise(
      .sectionCountMismatch,
      "\(operations.sections(operations.after, "after")), but \(account)")
  }

  /// The verdict on the first item that leaves a section which moves onto its own index.
  ///
  /// - SeeAlso: [openradar 48941906](https://openradar.appspot.com/48941906)
  func moveBeyondTheEnd() -> LegalityVerdict? {
    if operations.moveItems.isEmpty { return nil }
    let resting = LegalityPlaces(
      operations.moveSections.filter { $0.from == $0.to }.map(\.from))
    return operations.moveItems.first {
      $0.from.section != $0.to.section && resting.contains($0.from.section)
    }.map {
      .raise(
        .moveOutOfSectionMovedOntoItself,
        "section \($0.from.section) moves onto itself and is laid out with item \($0.from), which "
          + "moves to \($0.to) after the update, so that one index path too many is asked for")
    }
  }

  /// The first section after, of those that stay, whose counts do not add up; `nil` if all do.
  ///
  /// A move out of a deleted section, or into an inserted one, counts for its other section. A move
  /// changes the section if its source and its target are in different sections, wherever those
  /// move.
  private func firstUnbalancedSection() -> Int? {
    var changes = LegalitySectionChanges()
    removedItems.forEachSection { section, paths in
      if let new = sections.newIndex(ofOld: section) { changes.add(-paths.count, to: new) }
    }
    addedItems.forEachSection { section, paths in
      if sections.oldIndex(ofNew: section) != nil { changes.add(paths.count, to: section) }
    }
    for move in operations.moveItems {
      let new = sections.newIndex(ofOld: move.from.section)
      if new == move.to.section { continue }
      if let new { changes.add(-1, to: new) }
      if sections.oldIndex(ofNew: move.to.section) != nil { changes.add(1, to: move.to.section) }
    }
    var walk = LegalityCountWalk(
      sections: sections, before: operations.before, after: operations.after,
      changes: changes.nonzero)
    return walk.firstUnbalancedSection()
  }

  /// The first section after, of those that stay, whose counts do not add up by bare indexes.
  ///
  /// Some views take a move for one between sections if the section indexes of its source, before,
  /// and of its target, after, differ. Call this only if the counts add up otherwise. Then only the
  /// moves matter that the two ways of counting judge differently.
  func firstSectionUnbalancedByBareIndexes() -> Int? {
    var changes = LegalitySectionChanges()
    for move in operations.moveItems {
      let new = sections.newIndex(ofOld: move.from.section)
      let isCounted = new != move.to.section
      let isCountedByBareIndexes = move.from.section != move.to.section
      if isCounted == isCountedByBareIndexes { continue }
      let sign = isCounted ? 1 : -1
      if let new { changes.add(sign, to: new) }
      if sections.oldIndex(ofNew: move.to.section) != nil {
        changes.add(-sign, to: move.to.section)
      }
    }
    return changes.nonzero.first?.section
  }

  private func itemCountMismatch(in section: Int) -> LegalityVerdict {
    let old = sections.oldIndex(ofNew: section) ?? section
    let crossing = operations.moveItems.filter {
      sections.newIndex(ofOld: $0.from.section) != $0.to.section
    }
    let removed = removedItems.paths(inSection: old).count
    let added = addedItems.paths(inSection: section).count
    let movedOut = crossing.count { $0.from.section == old }
    let movedIn = crossing.count { $0.to.section == section }
    let account = Self.account(
      operations.before[old],
      [
        ("−", removed, "deleted"), ("−", movedOut, "moved out"), ("+", added, "inserted"),
        ("+", movedIn, "moved in"),
      ])
    let items = LegalityOperations.number(of: "item", operations.after[section])
    let origin = old == section ? "" : ", which was section \(old),"
    let reloads =
      operations.reloadItems.isEmpty
      ? "" : " (a reload is a delete and, where the item would be without moves, an insert)"
    return .raise(
      .itemCountMismatch,
      "section \(section)\(origin) has \(items) after the update, but \(account)\(reloads)")
  }

  /// A clause with a count before, its changes other than 0, and the result.
  private static func account(
    _ before: Int, _ terms: [(sign: String, count: Int, what: String)]
  ) -> String {
    let terms = terms.filter { $0.count > 0 }
    if terms.isEmpty { return "\(before) before, and no operation changes that" }
    let sum = terms.reduce("\(before) before") { "\($0) \($1.sign) \($1.count) \($1.what)" }
    let change = terms.reduce(0) { $1.sign == "−" ? $0 - $1.count : $0 + $1.count }
    let (result, overflows) = before.addingReportingOverflow(change)
    return "\(sum) gives \(overflows ? "more than there can be" : "\(result)")"
  }
}
