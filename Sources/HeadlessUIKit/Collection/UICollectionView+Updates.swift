public import Foundation

/// Batch updates. An operation outside of one is a batch update of its own.
extension UICollectionView {
  /// Performs several operations as one batch update.
  ///
  /// The counts before are those that the view knows at entry. It asks for the counts after when
  /// the outermost closure has run. A batch update inside another one is a part of it. One that
  /// UIKit refuses raises a ``HeadlessException``; the view then keeps its cells until
  /// `reloadData()`.
  ///
  /// In a window, removed cells end their display and the completion is called when the animations
  /// are over: in a later job of the main actor, or in
  /// ``HeadlessCollectionView/finishAnimations()``. Without a window the view checks the batch
  /// update and reloads its data.
  ///
  /// - Parameters:
  ///   - updates: Changes the data and calls the methods for the operations.
  ///   - completion: Called when the animations are over.
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    if hasActiveDrag { session.raiseUpdateDuringDrag() }
    if hasUncommittedUpdates {
      session.raiseUpdateDuringMovement()
      cancelInteractiveMovement()
    }
    session.begin(counting: askCounts)
    updates?()
    guard let map = session.end(completion: completion, counting: askCounts) else { return }
    if window == nil { showReloaded() } else { show(map) }
    animationsBegan(animated: window != nil)
  }

  /// Reloads the data, since a view without a window animates nothing.
  private func showReloaded() {
    isReloadPending = true
    selection = []
    highlighted = nil
    collectionViewLayout.invalidateLayout()
    setNeedsLayout()
  }

  private func show(_ map: UpdateMap) {
    let leaving = follow(map)
    let context = UICollectionViewFlowLayoutInvalidationContext()
    context.invalidateDataSourceCounts = true
    collectionViewLayout.invalidateLayout(with: context)
    guard !isReloadPending else { return setNeedsLayout() }
    collectionViewLayout.prepareIfNeeded()
    collectionViewLayout.prepare(forCollectionViewUpdates: map.updateItems)
    isShowingUpdate = true
    for path in leaving {
      _ = collectionViewLayout.finalLayoutAttributesForDisappearingItem(at: path)
    }
    followElements(map)
    contentSize = collectionViewLayout.collectionViewContentSize
    contentOffset = clamped(targetContentOffset)
    // A new offset may have invalidated it again.
    collectionViewLayout.prepareIfNeeded()
    showWhatIsVisible()
    checkContent()
    isShowingUpdate = false
    collectionViewLayout.finalizeCollectionViewUpdates()
  }

  /// Moves cells and selection to the new places of their items.
  ///
  /// - Returns: The paths, before the update, of the cells on display that it removes or replaces.
  private func follow(_ map: UpdateMap) -> [IndexPath] {
    func newPath(_ path: IndexPath) -> IndexPath? {
      map.isReloaded(UpdatePlace(path)) ? nil : map.newPlace(of: UpdatePlace(path))?.path
    }
    // The cells on display are those of the items before the reload, until the next layout.
    let leaving = isReloadPending ? [] : followCells(newPath)
    selection = Set(selection.compactMap(newPath))
    highlighted = highlighted.flatMap(newPath)
    prefetched = []
    return leaving
  }

  /// Moves cells to the new places of their items.
  ///
  /// - Returns: The paths, before the update, of the cells on display that it removes or replaces.
  private func followCells(_ newPath: (IndexPath) -> IndexPath?) -> [IndexPath] {
    var leaving: [IndexPath] = []
    let shown = cells
    cells = [:]
    for (path, cell) in shown.sorted(by: { $0.key < $1.key }) {
      if let target = newPath(path) {
        cells[target] = cell
      } else {
        leavingCells.append((cell, path))
        leaving.append(path)
      }
    }
    cellsToFit = Set(cellsToFit.filter { shown[$0] != nil }.compactMap(newPath))
    keptCells = keptCells.compactMap { cell, path in
      if let target = newPath(path) { return (cell, target) }
      enqueue(cell)
      return nil
    }
    return leaving
  }

  private func tell(_ change: @escaping (inout UpdateOperations) -> Void) {
    if session.isUpdating { return session.record(change) }
    performBatchUpdates { self.session.record(change) }
  }

  // MARK: Sections

  /// Inserts sections, at their indexes after the update.
  public func insertSections(_ sections: IndexSet) {
    tell { $0.inserts += sections.map { UpdatePlace(section: $0) } }
  }

  /// Deletes sections, by their indexes before the update.
  public func deleteSections(_ sections: IndexSet) {
    tell { $0.deletes += sections.map { UpdatePlace(section: $0) } }
  }

  /// Reloads sections, by their indexes before the update.
  public func reloadSections(_ sections: IndexSet) {
    tell { $0.reloads += sections.map { UpdatePlace(section: $0) } }
  }

  /// Moves a section from its index before the update to its index after it.
  public func moveSection(_ section: Int, toSection newSection: Int) {
    tell {
      $0.moves.append(
        UpdateMove(from: UpdatePlace(section: section), to: UpdatePlace(section: newSection)))
    }
  }

  // MARK: Items

  /// Inserts items, at their paths after the update.
  public func insertItems(at indexPaths: [IndexPath]) {
    tell { $0.inserts += indexPaths.map(UpdatePlace.init) }
  }

  /// Deletes items, by their paths before the update.
  public func deleteItems(at indexPaths: [IndexPath]) {
    tell { $0.deletes += indexPaths.map(UpdatePlace.init) }
  }

  /// Gives items new cells, by their paths before the update.
  public func reloadItems(at indexPaths: [IndexPath]) {
    tell { $0.reloads += indexPaths.map(UpdatePlace.init) }
  }

  /// Makes the data source configure the cells of items again, at once, by their paths before the
  /// update.
  public func reconfigureItems(at indexPaths: [IndexPath]) {
    guard session.isUpdating else {
      return performBatchUpdates { self.reconfigureItems(at: indexPaths) }
    }
    session.record { $0.reconfigures += indexPaths.map(UpdatePlace.init) }
    guard !session.isFrozen, !isReloadPending else { return }
    for path in indexPaths { reconfigureCell(at: path) }
  }

  /// Moves an item from its path before the update to its path after it.
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    tell {
      $0.moves.append(UpdateMove(from: UpdatePlace(indexPath), to: UpdatePlace(newIndexPath)))
    }
  }

  // MARK: Animations

  /// Ends the animations: at once if there are none, otherwise in a later job of the main actor.
  func animationsBegan(animated: Bool) {
    guard animated, UIView.areAnimationsEnabled else { return finishAnimations() }
    Task { @MainActor [weak self] in self?.finishAnimations() }
  }

  func finishAnimations() {
    endDisplayingWhatLeaves()
    for completion in session.finish() { completion(true) }
  }
}
