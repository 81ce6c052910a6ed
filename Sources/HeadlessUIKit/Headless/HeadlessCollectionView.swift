public import Foundation

/// What a user does with a collection view, and what a test counts.
@MainActor public struct HeadlessCollectionView {
  let view: UICollectionView

  // MARK: Counting

  /// What became of the cells.
  public var cells: HeadlessCounts { view.cellQueues.counts }
  /// What became of the supplementary views; decorations are not counted.
  public var supplementaryViews: HeadlessCounts { view.elementQueues.counts }
  /// How many cells live that the view made.
  public var aliveCells: Int { view.cellQueues.alive }
  /// How many cells wait for reuse.
  public var waitingCells: Int { view.cellQueues.waitingCount }
  /// How often the reuse identifier was registered that was so most often: 1, where each is once.
  public var mostRegistrations: Int {
    max(view.cellQueues.mostRegistrations, view.elementQueues.mostRegistrations)
  }
  /// How often the data source was asked how many sections there are, and with it for all counts.
  public var countQuestions: Int { view.countQuestions }
  /// Whether an update was refused and no `reloadData()` followed.
  public var isFrozen: Bool { view.session.isFrozen }
  /// Whether animations of updates are not over.
  public var isAnimating: Bool {
    view.session.isAnimating || !view.leavingCells.isEmpty || !view.leavingElements.isEmpty
  }

  /// What a cell should show, by its path now; cells that are a ``HeadlessProbe`` are compared with it
  /// after every batch and every layout, and a difference raises
  /// ``HeadlessException/Name/wrongContent``.
  ///
  /// `nil` for a path is not compared. Between the stages of one update content may still be old: leave
  /// the version out there.
  public var expectedContent: (@MainActor (IndexPath) -> HeadlessContent?)? {
    get { view.expectedContent }
    nonmutating set { view.expectedContent = newValue }
  }

  /// Compares the visible cells with ``expectedContent`` now.
  public func checkContent() { view.checkContent() }

  // MARK: What a user does

  /// Puts a finger on an item.
  public func touchDown(itemAt path: IndexPath) { view.touchDown(at: path) }

  /// Lifts the finger where it is.
  public func touchUp() { view.touchUp(inside: true) }

  /// Lifts the finger elsewhere, or begins to scroll.
  public func touchCancel() { view.touchUp(inside: false) }

  /// Puts a finger on an item and lifts it.
  public func tap(itemAt path: IndexPath) {
    touchDown(itemAt: path)
    touchUp()
  }

  /// Presses items for long.
  ///
  /// - Returns: The menu that opens; `nil` if none does.
  public func press(itemsAt paths: [IndexPath]) -> UIMenu? {
    let point = paths.first.flatMap { view.layoutAttributesForItem(at: $0)?.center } ?? .zero
    return view.delegate?.collectionView(
      view, contextMenuConfigurationForItemsAt: paths, point: point)?.headlessMenu()
  }

  /// Carries an item to where another one is and drops it there.
  ///
  /// - Returns: Whether the data source let it go.
  @discardableResult public func dragItem(at source: IndexPath, to target: IndexPath) -> Bool {
    guard view.beginInteractiveMovementForItem(at: source) else { return false }
    if let center = view.layoutAttributesForItem(at: target)?.center {
      view.updateInteractiveMovementTargetPosition(center)
    }
    view.endInteractiveMovement()
    return true
  }

  /// Scrolls to an offset, within the content, and lays the view out.
  public func scroll(to offset: CGPoint) { view.headlessDrag(to: offset) }

  /// Lifts something out of the view to drag it.
  ///
  /// A batch meanwhile raises ``HeadlessException/Name/hazard``: UIKit's paths of what is dragged are
  /// wrong then.
  public func beginDragSession() { view.hasActiveDrag = true }

  /// Drops what is dragged, outside of the view.
  public func endDragSession() { view.hasActiveDrag = false }

  /// Ends the animations: what left ends its display, completions are called.
  public func finishAnimations() { view.finishAnimations() }
}
