import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

// What users change in the view itself is written back.
extension ListAdapter {
  /// The user dropped an item at another place; the view shows it there already.
  ///
  /// The place is stored by the item before it: what others committed meanwhile does not change which two
  /// items it goes between.
  func userMoved(from source: IndexPath, to target: IndexPath) {
    let place = ItemPath(section: target.section, item: target.item)
    guard let id = itemID(at: source),
      let index = section(target.section), let section = provider.sectionID(at: index),
      let moved = provider.interim(
        moving: ItemPath(section: source.section, item: source.item), to: place,
        hidesSections: true)
    else { return }
    let neighbour =
      target.item == 0
      ? nil
      : moved.pathAfterUpdate(of: ItemPath(section: target.section, item: target.item - 1))
        .flatMap { provider.itemID(at: $0) }
    do {
      let commit = try list.repository.edit(list.id) { list in
        if let neighbour, try list.path(of: neighbour) == nil {
          // The one before has gone: the next best place is the index.
          let count = try list.numberOfItems(in: section)
          try list.move(id, in: section, to: .index(min(target.item, count)))
        } else {
          try list.move(id, in: section, to: neighbour.map { .after($0) } ?? .start)
        }
      }.commit
      var next = provider
      let batch = try list.advance(&next)
      if let commit, commit.revision == provider.revision + 1, next.revision == commit.revision,
        batch.isMoveAlone, next.shown.hiddenSections == shown.hiddenSections
      {
        provider = next
        return
      }
    } catch {
      report(error)
    }
    // More changed than what the view shows, or less: others committed, a section hides itself now that it
    // is empty, neighbours are drawn again. The view shows the move, and then everything.
    interim = moved
    isReordering = true
    Task { [weak self] in
      guard let self else { return }
      isReordering = false
      var next = provider
      do throws(StoreError) { try list.advance(&next) } catch { report(error) }
      reload(to: next)
    }
  }

  /// Whether the user may move the item that is shown at a path.
  func mayMove(at indexPath: IndexPath) -> Bool {
    itemID(at: indexPath).flatMap { canMove?($0) } ?? false
  }

  /// The user deleted an item.
  func userDeleted(_ item: ItemID) {
    do {
      try list.edit { try $0.delete(item) }
      update()
    } catch {
      report(error)
    }
  }
}

extension BatchUpdate {
  /// Whether a view has nothing to do but to move items.
  fileprivate var isMoveAlone: Bool {
    guard case .batch(let stages) = mode else { return false }
    return stages.allSatisfy { $0.operationCount == $0.moveItems.count }
  }
}
