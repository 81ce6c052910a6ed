public import Foundation

/// Acts for the user of a table view, and counts what the view does.
@MainActor public struct HeadlessTableView {
  let view: UITableView

  // MARK: Counting

  /// Counts of what happened to cells.
  public var cells: HeadlessCounts { view.cellQueues.counts }
  /// Counts of what happened to headers and footers.
  ///
  /// The table neither makes nor dequeues views that are no `UITableViewHeaderFooterView`: they
  /// count only as bound, displayed and ended.
  public var headersAndFooters: HeadlessCounts {
    var counts = view.edgeQueues.counts
    counts.bound = view.edgeDisplays.bound
    counts.displayed = view.edgeDisplays.displayed
    counts.ended = view.edgeDisplays.ended
    return counts
  }
  /// The number of cells that the view made and that are not released.
  public var aliveCells: Int { view.cellQueues.alive }
  /// The number of cells in the reuse queues.
  public var waitingCells: Int { view.cellQueues.waitingCount }
  /// The number of registrations of the identifier that was registered most often; 1 if each was
  /// registered once.
  public var mostRegistrations: Int {
    max(view.cellQueues.mostRegistrations, view.edgeQueues.mostRegistrations)
  }
  /// How often the data source was asked for the number of sections, and with it for all counts.
  public var countQuestions: Int { view.countQuestions }
  /// Whether the view refused an update and waits for `reloadData()`.
  public var isFrozen: Bool { view.session.isFrozen }
  /// Whether animations of updates are running.
  public var isAnimating: Bool {
    view.session.isAnimating || !view.leavingCells.isEmpty || !view.leavingEdges.isEmpty
  }

  /// How often the app changed the content offset during the animation of an update without an
  /// animation of its own: the rows then jump on a device, and slide to their places from
  /// elsewhere.
  public var offsetJumps: Int { view.offsetJumps }

  /// Returns the content that the cell at a path should show: see
  /// ``HeadlessCollectionView/expectedContent``.
  public var expectedContent: (@MainActor (IndexPath) -> HeadlessContent?)? {
    get { view.expectedContent }
    nonmutating set { view.expectedContent = newValue }
  }

  /// Compares the visible cells with ``expectedContent`` now.
  public func checkContent() { view.checkContent() }

  // MARK: What a storyboard has

  /// Adds a prototype cell, as a storyboard does before anything else happens to its table.
  ///
  /// - Parameters:
  ///   - identifier: Its reuse identifier.
  ///   - make: Makes a cell as the prototype is.
  public func addPrototype(_ identifier: String, _ make: @escaping () -> UITableViewCell) {
    view.cellQueues.addPrototype(.init(identifier: identifier), make)
  }

  // MARK: What a user does

  /// Touches a row.
  public func touchDown(rowAt path: IndexPath) { view.touchDown(at: path) }

  /// Lifts the finger where it is.
  public func touchUp() { view.touchUp(inside: true) }

  /// Lifts the finger elsewhere, or begins to scroll.
  public func touchCancel() { view.touchUp(inside: false) }

  /// Taps a row.
  public func tap(rowAt path: IndexPath) {
    touchDown(rowAt: path)
    touchUp()
  }

  /// Presses a row long, for its menu.
  ///
  /// - Returns: The menu; `nil` if none opens.
  public func press(rowAt path: IndexPath) -> UIMenu? {
    let rect = view.rectForRow(at: path)
    return view.delegate?.tableView(
      view, contextMenuConfigurationForRowAt: path, point: CGPoint(x: rect.midX, y: rect.midY))?
      .headlessMenu()
  }

  /// Presses a row long, and leaves its menu open.
  ///
  /// - Returns: What closes the menu; `nil` if none opens.
  public func openMenu(rowAt path: IndexPath) -> (() -> Void)? {
    let configuration = view.delegate?.tableView(
      view, contextMenuConfigurationForRowAt: path, point: .zero)
    guard let configuration else { return nil }
    view.delegate?.tableView(view, willDisplayContextMenu: configuration, animator: nil)
    return { [view] in
      view.delegate?.tableView(view, willEndContextMenuInteraction: configuration, animator: nil)
    }
  }

  /// Swipes over a row, from the trailing edge or from the leading one.
  ///
  /// - Returns: The actions of the swipe; none if the row can't be edited.
  public func swipe(rowAt path: IndexPath, fromTrailingEdge: Bool = true) -> [UIContextualAction] {
    guard view.dataSource?.tableView(view, canEditRowAt: path) ?? false else { return [] }
    let configuration =
      fromTrailingEdge
      ? view.delegate?.tableView(view, trailingSwipeActionsConfigurationForRowAt: path)
      : view.delegate?.tableView(view, leadingSwipeActionsConfigurationForRowAt: path)
    return configuration?.actions ?? []
  }

  /// Begins to swipe over a row, and leaves its actions open.
  ///
  /// - Returns: Whether the row can be edited.
  @discardableResult public func beginSwipe(rowAt path: IndexPath) -> Bool {
    guard view.dataSource?.tableView(view, canEditRowAt: path) ?? false else { return false }
    view.delegate?.tableView(view, willBeginEditingRowAt: path)
    view.swipedRow = path
    return true
  }

  /// Closes the actions of the row over which the user swiped.
  public func endSwipe() {
    guard let path = view.swipedRow else { return }
    view.swipedRow = nil
    view.delegate?.tableView(view, didEndEditingRowAt: path)
  }

  /// Chooses an action of a swipe over a row.
  ///
  /// - Returns: Whether the action reports that it was done; `nil` if it has not reported yet.
  public func choose(_ action: UIContextualAction, rowAt path: IndexPath) -> Bool? {
    var result: Bool?
    action.handler(action, view.cellForRow(at: path) ?? view) { result = $0 }
    return result
  }

  /// Taps the control of editing mode, or the button of a swipe, that deletes a row.
  ///
  /// - Returns: Whether the row shows that control.
  @discardableResult public func deleteRow(at path: IndexPath) -> Bool { commit(.delete, path) }

  /// Taps the control of editing mode that inserts a row.
  ///
  /// - Returns: Whether the row shows that control.
  @discardableResult public func insertRow(at path: IndexPath) -> Bool { commit(.insert, path) }

  private func commit(_ style: UITableViewCell.EditingStyle, _ path: IndexPath) -> Bool {
    guard let dataSource = view.dataSource, dataSource.tableView(view, canEditRowAt: path),
      (view.delegate?.tableView(view, editingStyleForRowAt: path) ?? .delete) == style
    else { return false }
    dataSource.tableView(view, commit: style, forRowAt: path)
    return true
  }

  /// Drags a row by its reorder control to the place of another one and drops it there.
  ///
  /// The table has to be in editing mode.
  ///
  /// - Returns: Whether the row can be moved.
  @discardableResult public func dragRow(at source: IndexPath, to proposed: IndexPath) -> Bool {
    guard view.isEditing, let dataSource = view.dataSource,
      dataSource.tableView(view, canMoveRowAt: source)
    else { return false }
    let target =
      view.delegate?.tableView(
        view, targetIndexPathForMoveFromRowAt: source, toProposedIndexPath: proposed) ?? proposed
    guard target != source else { return true }
    let view = view
    view.performBatchUpdates {
      dataSource.tableView(view, moveRowAt: source, to: target)
      view.moveRow(at: source, to: target)
    }
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
