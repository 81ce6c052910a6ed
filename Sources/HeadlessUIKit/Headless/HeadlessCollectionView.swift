public import Foundation

/// Acts for the user of a collection view, and counts what the view does.
@MainActor public struct HeadlessCollectionView {
  let view: UICollectionView

  // MARK: Counting

  /// Counts of what happened to cells.
  public var cells: HeadlessCounts { view.cellQueues.counts }
  /// Counts of what happened to supplementary views, without decorations.
  public var supplementaryViews: HeadlessCounts { view.elementQueues.counts }
  /// The number of cells that the view made and that are not released.
  public var aliveCells: Int { view.cellQueues.alive }
  /// The number of cells in the reuse queues.
  public var waitingCells: Int { view.cellQueues.waitingCount }
  /// The number of cells that left the display and wait for their items.
  public var keptCells: Int { view.keptCells.count }
  /// The number of registrations of the identifier that was registered most often; 1 if each was
  /// registered once.
  public var mostRegistrations: Int {
    max(view.cellQueues.mostRegistrations, view.elementQueues.mostRegistrations)
  }
  /// How often the data source was asked for the number of sections, and with it for all counts.
  public var countQuestions: Int { view.countQuestions }
  /// Whether the view refused an update and waits for `reloadData()`.
  public var isFrozen: Bool { view.session.isFrozen }
  /// Whether animations of updates are running.
  public var isAnimating: Bool {
    view.session.isAnimating || !view.leavingCells.isEmpty || !view.leavingElements.isEmpty
  }

  /// Returns the content that the cell at a path should show; `nil` is not compared.
  ///
  /// The view compares it with each cell that is a ``HeadlessProbe``, after every batch update and
  /// every layout. A difference raises ``HeadlessException/Name/wrongContent``. Between the stages
  /// of one update a cell may still show old content: leave the version out there.
  public var expectedContent: (@MainActor (IndexPath) -> HeadlessContent?)? {
    get { view.expectedContent }
    nonmutating set { view.expectedContent = newValue }
  }

  /// Compares the visible cells with ``expectedContent`` now.
  public func checkContent() { view.checkContent() }

  // MARK: What a storyboard has

  /// Adds a prototype cell, as a storyboard does before anything else happens to its view.
  ///
  /// - Parameters:
  ///   - identifier: Its reuse identifier.
  ///   - make: Makes a cell as the prototype is.
  public func addPrototype(_ identifier: String, _ make: @escaping () -> UICollectionViewCell) {
    view.cellQueues.addPrototype(.init(identifier: identifier), make)
  }

  /// Adds a prototype of a section header or footer.
  ///
  /// - Parameters:
  ///   - identifier: Its reuse identifier.
  ///   - kind: The kind, such as `UICollectionView.elementKindSectionHeader`.
  ///   - make: Makes a view as the prototype is.
  public func addPrototype(
    _ identifier: String, ofKind kind: String, _ make: @escaping () -> UICollectionReusableView
  ) {
    view.elementQueues.addPrototype(.init(kind: kind, identifier: identifier), make)
  }

  /// The frame of an item in the view as the user sees it; `nil` if there is no such item.
  ///
  /// It differs from the frame in the content where the layout is flipped: see
  /// ``UICollectionViewLayout/flipsHorizontallyInOppositeLayoutDirection``.
  public func frameOnScreen(ofItemAt path: IndexPath) -> CGRect? {
    guard var frame = view.layoutAttributesForItem(at: path)?.frame else { return nil }
    frame.origin.x -= view.contentOffset.x
    frame.origin.y -= view.contentOffset.y
    let layout = view.collectionViewLayout
    if layout.flipsHorizontallyInOppositeLayoutDirection,
      layout.developmentLayoutDirection != view.effectiveUserInterfaceLayoutDirection
    {
      frame.origin.x = view.bounds.width - frame.maxX
    }
    return frame
  }

  // MARK: What a user does

  /// Touches an item.
  public func touchDown(itemAt path: IndexPath) { view.touchDown(at: path) }

  /// Lifts the finger where it is.
  public func touchUp() { view.touchUp(inside: true) }

  /// Lifts the finger elsewhere, or begins to scroll.
  public func touchCancel() { view.touchUp(inside: false) }

  /// Taps an item.
  public func tap(itemAt path: IndexPath) {
    touchDown(itemAt: path)
    touchUp()
  }

  /// Presses items long, for their menu.
  ///
  /// - Returns: The menu; `nil` if none opens.
  public func press(itemsAt paths: [IndexPath]) -> UIMenu? {
    let point = paths.first.flatMap { view.layoutAttributesForItem(at: $0)?.center } ?? .zero
    return view.delegate?.collectionView(
      view, contextMenuConfigurationForItemsAt: paths, point: point)?.headlessMenu()
  }

  /// Presses items long, and leaves their menu open.
  ///
  /// - Returns: What closes the menu; `nil` if none opens.
  public func openMenu(itemsAt paths: [IndexPath]) -> (() -> Void)? {
    let configuration = view.delegate?.collectionView(
      view, contextMenuConfigurationForItemsAt: paths, point: .zero)
    guard let configuration else { return nil }
    view.delegate?.collectionView(view, willDisplayContextMenu: configuration, animator: nil)
    return { [view] in
      view.delegate?.collectionView(
        view, willEndContextMenuInteraction: configuration, animator: nil)
    }
  }

  /// Drags an item to the place of another one and drops it there.
  ///
  /// - Returns: Whether the data source allows it.
  @discardableResult public func dragItem(at source: IndexPath, to target: IndexPath) -> Bool {
    guard view.beginInteractiveMovementForItem(at: source) else { return false }
    if let center = view.layoutAttributesForItem(at: target)?.center {
      view.updateInteractiveMovementTargetPosition(center)
    }
    view.endInteractiveMovement()
    return true
  }

  /// Scrolls to an offset, as far as the content goes, and lays the view out.
  public func scroll(to offset: CGPoint) { view.headlessDrag(to: offset) }

  /// Begins to drag something out of the view.
  ///
  /// A batch update during the drag raises ``HeadlessException/Name/hazard``: in UIKit the paths of
  /// the dragged items would be wrong after it.
  public func beginDragSession() { view.hasActiveDrag = true }

  /// Ends the drag with a drop outside of the view.
  public func endDragSession() { view.hasActiveDrag = false }

  /// Ends the animations: removed cells end their display, and completions are called.
  public func finishAnimations() { view.finishAnimations() }
}
