public import Foundation

/// Batch updates. An operation outside of one is a batch update of its own.
extension UITableView {
  /// Performs several operations as one batch update: see
  /// ``UICollectionView/performBatchUpdates(_:completion:)``.
  ///
  /// As in UIKit, the counts are checked even without operations, and a path that is deleted or
  /// inserted twice counts once.
  ///
  /// - Parameters:
  ///   - updates: Changes the data and calls the methods for the operations.
  ///   - completion: Called when the animations are over.
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    if hasActiveDrag { session.raiseUpdateDuringDrag() }
    session.begin(counting: askCounts)
    updates?()
    endBatch(completion)
  }

  /// Begins a batch update, which ``endUpdates()`` ends.
  public func beginUpdates() { session.begin(counting: askCounts) }

  /// Ends a batch update.
  public func endUpdates() { endBatch(nil) }

  private func endBatch(_ completion: ((Bool) -> Void)?) {
    guard let map = session.end(completion: completion, counting: askCounts) else { return }
    placed = nil
    prefetched = []
    if window == nil {
      knownRows = []
      fittedHeights = [:]
      isReloadPending = true
      selection = []
      highlighted = nil
      setNeedsLayout()
    } else {
      follow(map)
      if isReloadPending {
        setNeedsLayout()
      } else {
        learnVisibleHeights()
        contentSize = CGSize(width: bounds.width, height: placement().height)
        bounds.origin = clamped(contentOffset)
        learnVisibleHeights()
        showWhatIsVisible()
        checkContent()
      }
    }
    guard window != nil, UIView.areAnimationsEnabled else { return finishAnimations() }
    Task { @MainActor [weak self] in self?.finishAnimations() }
  }

  /// Moves cells, headers and footers to the new places of their rows and sections.
  private func followViews(_ map: UpdateMap, _ newPath: (IndexPath) -> IndexPath?) {
    let shown = cells
    cells = [:]
    for (path, cell) in shown.sorted(by: { $0.key < $1.key }) {
      if let target = newPath(path) {
        cells[target] = cell
      } else {
        leavingCells.append((cell, path))
      }
    }
    let shownEdges = sortedEdges()
    edges = [:]
    for (key, view) in shownEdges {
      if let section = map.sections.newOfOld[key.section], !map.isSectionReloaded(key.section) {
        edges[EdgeKey(section: section, isHeader: key.isHeader)] = view
      } else {
        leavingEdges.append((view, key))
      }
    }
  }

  /// Moves cells and selection to the new places of their rows.
  private func follow(_ map: UpdateMap) {
    func newPath(_ path: IndexPath) -> IndexPath? {
      map.isReloaded(UpdatePlace(path)) ? nil : map.newPlace(of: UpdatePlace(path))?.path
    }
    // The cells on display are those of the rows before the reload, until the next layout.
    if !isReloadPending { followViews(map, newPath) }
    knownRows = Set(knownRows.compactMap(newPath))
    let fitted = fittedHeights
    fittedHeights = [:]
    // Cells on display are asked again.
    for (path, height) in fitted {
      if let path = newPath(path), cells[path] == nil { fittedHeights[path] = height }
    }
    selection = Set(selection.compactMap(newPath))
    highlighted = highlighted.flatMap(newPath)
  }

  func finishAnimations() {
    endDisplayingWhatLeaves()
    for completion in session.finish() { completion(true) }
  }

  private func tell(_ change: @escaping (inout UpdateOperations) -> Void) {
    if session.isUpdating { return session.record(change) }
    performBatchUpdates { self.session.record(change) }
  }

  // MARK: Sections

  /// Inserts sections, at their indexes after the update.
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    tell { $0.inserts += sections.map { UpdatePlace(section: $0) } }
  }

  /// Deletes sections, by their indexes before the update.
  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    tell { $0.deletes += sections.map { UpdatePlace(section: $0) } }
  }

  /// Reloads sections, by their indexes before the update.
  public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    tell { $0.reloads += sections.map { UpdatePlace(section: $0) } }
  }

  /// Moves a section from its index before the update to its index after it.
  public func moveSection(_ section: Int, toSection newSection: Int) {
    tell {
      $0.moves.append(
        UpdateMove(from: UpdatePlace(section: section), to: UpdatePlace(section: newSection)))
    }
  }

  // MARK: Rows

  /// Inserts rows, at their paths after the update.
  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    tell { $0.inserts += indexPaths.map(UpdatePlace.init) }
  }

  /// Deletes rows, by their paths before the update.
  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    tell { $0.deletes += indexPaths.map(UpdatePlace.init) }
  }

  /// Gives rows new cells, by their paths before the update.
  public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    tell { $0.reloads += indexPaths.map(UpdatePlace.init) }
  }

  /// Makes the data source configure the cells of rows again, at once, by their paths before the
  /// update.
  public func reconfigureRows(at indexPaths: [IndexPath]) {
    guard session.isUpdating else {
      return performBatchUpdates { self.reconfigureRows(at: indexPaths) }
    }
    session.record { $0.reconfigures += indexPaths.map(UpdatePlace.init) }
    guard !session.isFrozen, !isReloadPending else { return }
    for path in indexPaths { reconfigureCell(at: path) }
  }

  /// Moves a row from its path before the update to its path after it.
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    tell {
      $0.moves.append(UpdateMove(from: UpdatePlace(indexPath), to: UpdatePlace(newIndexPath)))
    }
  }
}
