import ListModel

/// Clauses of messages about two operations, which name the other one. That operation exists.
extension ReducedView {
  /// A clause for a reload in a stage with moves, which the reload ignores.
  var withoutMoves: String {
    operations.moveSections.isEmpty && operations.moveItems.isEmpty
      ? "" : ", made without the moves,"
  }

  /// The target of a section that moves.
  func target(ofMovedSection section: Int) -> String {
    operations.moveSections.first { $0.from == section }.map { "\($0.to)" } ?? "another place"
  }

  /// The target of an item that moves.
  func target(ofMovedItem path: ItemPath) -> String {
    operations.moveItems.first { $0.from == path }.map { "\($0.to)" } ?? "another place"
  }

  /// The section that moves to an index after.
  func sectionMoving(to target: Int) -> String {
    operations.moveSections.first { $0.to == target }.map { "section \($0.from)" } ?? "another"
  }

  /// The item that moves to a path after.
  func itemMoving(to target: ItemPath) -> String {
    operations.moveItems.first { $0.to == target }.map { "item \($0.from)" } ?? "another"
  }

  /// The section reload that inserts at an index after.
  func reload(insertingSectionAt target: Int) -> String {
    zip(operations.reloadSections.elements, reloadSectionTargets).first { $0.1 == target }
      .map { "the reload of section \($0.0)" } ?? "the reload of a section"
  }

  /// The item reload that inserts at a path after.
  func reload(insertingItemAt target: ItemPath) -> String {
    zip(operations.reloadItems.elements, reloadItemTargets).first { $0.1 == target }
      .map { "the reload of \($0.0)" } ?? "the reload of an item"
  }

  /// A move from one section to another of the same index, which counting by bare indexes misses.
  func moveBetweenEqualIndexes(unbalancing section: Int) -> String {
    operations.moveItems.first {
      let came = sections.newIndex(ofOld: $0.from.section)
      return $0.from.section == $0.to.section && came != $0.to.section
        && (came == section || $0.to.section == section)
    }.map { "item \($0.from) moves to \($0.to)" } ?? "an item moves"
  }
}
