import ListModel

/// Clauses of messages that name the other operation of two. The operation they look for is there.
extension LegalityHost {
  /// What to say of a reload where there are moves, which it leaves out.
  var withoutMoves: String {
    operations.moveSections.isEmpty && operations.moveItems.isEmpty
      ? "" : ", made without the moves,"
  }

  /// Where a section that moves goes to.
  func target(ofMovedSection section: Int) -> String {
    operations.moveSections.first { $0.from == section }.map { "\($0.to)" } ?? "another place"
  }

  /// Where an item that moves goes to.
  func target(ofMovedItem path: ItemPath) -> String {
    operations.moveItems.first { $0.from == path }.map { "\($0.to)" } ?? "another place"
  }

  /// Which section moves to an index after.
  func sectionMoving(to target: Int) -> String {
    operations.moveSections.first { $0.to == target }.map { "section \($0.from)" } ?? "another"
  }

  /// Which item moves to a path after.
  func itemMoving(to target: ItemPath) -> String {
    operations.moveItems.first { $0.to == target }.map { "item \($0.from)" } ?? "another"
  }

  /// Which section's reload inserts it at an index after.
  func reload(insertingSectionAt target: Int) -> String {
    zip(operations.reloadSections.elements, reloadSectionTargets).first { $0.1 == target }
      .map { "the reload of section \($0.0)" } ?? "the reload of a section"
  }

  /// Which item's reload inserts it at a path after.
  func reload(insertingItemAt target: ItemPath) -> String {
    zip(operations.reloadItems.elements, reloadItemTargets).first { $0.1 == target }
      .map { "the reload of \($0.0)" } ?? "the reload of an item"
  }

  /// A move from one section to another of the same index that a count by bare indexes lacks.
  func moveBetweenEqualIndexes(unbalancing section: Int) -> String {
    operations.moveItems.first {
      let came = sections.newIndex(ofOld: $0.from.section)
      return $0.from.section == $0.to.section && came != $0.to.section
        && (came == section || $0.to.section == section)
    }.map { "item \($0.from) moves to \($0.to)" } ?? "an item moves"
  }
}
