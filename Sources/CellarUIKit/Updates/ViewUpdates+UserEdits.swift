import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import ListViews
import Providers

// What users change in the view is an edit of the list.
extension ViewUpdates {
  /// Whether the user may move the item at a path of the view.
  func mayMove(at indexPath: IndexPath) -> Bool {
    screen.itemID(at: indexPath).flatMap { canMove?($0) } ?? false
  }

  func userDeleted(_ item: ItemID) {
    do {
      if let onDelete {
        try onDelete(item)
      } else {
        // Another commit may have deleted what the view still shows.
        try list.edited.edit { if try $0.path(of: item) != nil { try $0.delete(item) } }
      }
      react(to: .commitArrived)
    } catch {
      screen.problems.report(error)
    }
  }

  /// Moves an item that the user dropped at another place.
  ///
  /// The view shows it there already.
  func userMoved(from source: IndexPath, to target: IndexPath) {
    let drop = Stage.Move(from: ItemPath(source), to: ItemPath(target))
    guard let id = screen.itemID(at: source),
      let index = screen.display.listIndex(ofSection: target.section),
      let section = provider.sectionID(at: index),
      let dropped = screen.display.moving(drop.from, to: drop.to)
    else { return }
    let needsOtherCell = views.needsOtherCell(
      itemAt: source, from: screen.display.sectionID(at: source.section), to: section)
    var next = provider
    var batch: BatchUpdate?
    do {
      try move(id, in: section, to: places(of: drop.to, in: dropped))
      batch = try list.advance(&next)
    } catch {
      screen.problems.report(error)
    }
    defer {
      var stage = Stage()
      stage.moveItems = [drop]
      host.willMove(stage)
    }
    // After an earlier drop the view may wait to be loaded: then this move is not all that differs.
    if screen.display.interim == nil, let batch, batch.isMove(drop), !needsOtherCell {
      return screen.display.show(next)
    }
    // More changed than the view shows, or less: another commit came, a section hid itself because
    // it is empty, or an item needs another cell. The view finishes its move, and loads the
    // list after that.
    screen.display.interim = dropped
    react(to: .reorderBegan)
    react(to: .viewOutdated)
    Task { [weak self] in self?.react(to: .reorderEnded) }
  }

  /// The places in the list for an item that was dropped in the view, the best one first.
  ///
  /// The best place is behind the item before it. Commits that the view does not show yet can't
  /// change which two items it goes between, unless they took that item away: then its index has to
  /// do.
  private func places(of path: ItemPath, in dropped: InterimList) -> [Place<ItemID>] {
    if path.item == 0 { return [.start] }
    let neighbour = dropped.pathAfterUpdate(
      of: ItemPath(section: path.section, item: path.item - 1)
    )
    .flatMap { provider.itemID(at: $0) }
    return (neighbour.map { [.after($0)] } ?? []) + [.index(path.item), .end]
  }

  private func move(_ item: ItemID, in section: SectionID, to places: [Place<ItemID>]) throws {
    if let onMove { return try onMove(item, section, places[0]) }
    if let onMove = list.onMove { return try onMove(item, section) }
    try list.edit { list in
      // Another commit may have taken away what the view still shows: then nothing is left to move.
      guard try list.path(of: item) != nil, try list.index(of: section) != nil else { return }
      for place in places {
        do throws(StoreError) {
          try list.move(item, in: section, to: place)
          return
        } catch {
          // Another place can help only if this one does not exist.
          guard error.cause is ChangeError, place != places.last else { throw error }
        }
      }
    }
  }
}

extension BatchUpdate {
  /// Whether the update moves one item, as a user did, and nothing else.
  fileprivate func isMove(_ move: Stage.Move<ItemPath>) -> Bool {
    guard case .batch(let stages) = mode, stages.count == 1, stages[0].operationCount == 1,
      let stored = stages[0].moveItems.first
    else { return false }
    // Of two neighbours that change places, either one can be the one that moves.
    let isSwap =
      move.from.section == move.to.section && abs(move.from.item - move.to.item) == 1
      && stored == Stage.Move(from: move.to, to: move.from)
    return stored == move || isSwap
  }
}
