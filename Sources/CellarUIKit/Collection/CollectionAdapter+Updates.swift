import BatchUpdates
import Foundation
import ListModel
import ListSync
import Providers
import StoreSchema

#if canImport(UIKit)
  import UIKit
#else
  import HeadlessUIKit
#endif

extension CollectionAdapter {
  /// Brings the view to the list as it is; once the running update has ended, if there is one.
  ///
  /// It comes by itself after each commit of the list's Repository; this is for what others committed.
  public func update() {
    guard let view else { return }
    guard !isUpdating else {
      isBehind = true
      return
    }
    isBehind = false
    var next = provider
    let batch: BatchUpdate
    do throws(StoreError) { batch = try list.advance(&next) } catch {
      onProblem?(error)
      return
    }
    switch batch.mode {
    case .none: provider = next
    case .reload: reload(view, to: next)
    case .batch(let stages):
      // A view that nobody sees has nothing to animate.
      if view.window == nil { reload(view, to: next) } else { perform(stages, of: batch, to: next) }
    }
  }

  private func reload(_ view: UICollectionView, to next: Provider) {
    provider = next
    view.reloadData()
    restoreSelection()
  }

  /// Performs the stages one right after another, each with the data swapped inside.
  private func perform(_ stages: [Stage], of batch: BatchUpdate, to next: Provider) {
    guard let view else { return }
    isUpdating = true
    // What waits to be laid out or loaded would be counted with the batch.
    view.layoutIfNeeded()
    for (number, stage) in stages.enumerated() {
      let isLast = number == stages.count - 1
      let between = isLast ? nil : next.interim(after: number, of: batch)
      view.performBatchUpdates { [self] in
        provider = next
        interim = between
        tell(view, stage)
      } completion: { [weak self] _ in
        if isLast { self?.didUpdate() }
      }
    }
    restoreSelection()
  }

  private func didUpdate() {
    isUpdating = false
    if isBehind { update() }
  }

  private func tell(_ view: UICollectionView, _ stage: Stage) {
    func paths(_ items: [ItemPath]) -> [IndexPath] { items.map(\.indexPath) }
    if !stage.deleteSections.isEmpty { view.deleteSections(IndexSet(stage.deleteSections)) }
    if !stage.insertSections.isEmpty { view.insertSections(IndexSet(stage.insertSections)) }
    for move in stage.moveSections { view.moveSection(move.from, toSection: move.to) }
    if !stage.deleteItems.isEmpty { view.deleteItems(at: paths(stage.deleteItems)) }
    if !stage.insertItems.isEmpty { view.insertItems(at: paths(stage.insertItems)) }
    for move in stage.moveItems {
      view.moveItem(at: move.from.indexPath, to: move.to.indexPath)
    }
    if !stage.reloadItems.isEmpty { view.reloadItems(at: paths(stage.reloadItems)) }
    if !stage.reconfigureItems.isEmpty {
      view.reconfigureItems(at: paths(stage.reconfigureItems))
    }
  }

  /// Selects again what is selected, wherever it is now.
  private func restoreSelection() {
    guard let view else { return }
    selection.keep(in: provider)
    let wanted = selection.items.compactMap { provider.path(of: $0)?.indexPath }
    let shown = view.indexPathsForSelectedItems ?? []
    for path in shown where !wanted.contains(path) {
      view.deselectItem(at: path, animated: false)
    }
    for path in wanted where !shown.contains(path) {
      view.selectItem(at: path, animated: false, scrollPosition: [])
    }
  }
}

extension ItemPath {
  /// The path as UIKit has it.
  var indexPath: IndexPath { IndexPath(item: item, section: section) }
}
