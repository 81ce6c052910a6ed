import BatchUpdates
import Foundation
import ListItems
import ListModel
import Providers

// Sections can have cells of their own: see `ViewRegistry.map(section:to:)`.
extension ListAdapter {
  /// Replaces each move of an item to a section that has another cell for it by a deletion and an
  /// insertion: a view keeps the cell of an item that moves.
  ///
  /// `before`: What the view displays before the stage.
  func exchangingCells(of stage: Stage, from before: DisplayedList) -> Stage {
    let exchanges = stage.moveItems.filter { move in
      needsOtherCell(
        itemAt: move.to.indexPath, from: before.sectionID(at: move.from.section),
        to: display.sectionID(at: move.to.section))
    }
    if exchanges.isEmpty { return stage }
    var stage = stage
    stage.moveItems.removeAll { exchanges.contains($0) }
    stage.deleteItems = (stage.deleteItems + exchanges.map(\.from)).sorted()
    stage.insertItems = (stage.insertItems + exchanges.map(\.to)).sorted()
    return stage
  }

  /// Whether an item needs another cell in one section than in another.
  func needsOtherCell(
    itemAt indexPath: IndexPath, from old: SectionID?, to new: SectionID?
  ) -> Bool {
    if old == new || views.registry.cellsOfSections.isEmpty { return false }
    guard let item = item(at: indexPath) else { return false }
    return views.registration(for: item, in: old) != views.registration(for: item, in: new)
  }
}
