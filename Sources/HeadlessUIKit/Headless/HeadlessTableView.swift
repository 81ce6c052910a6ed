public import Foundation

/// What a user does with a table view, and what a test counts.
@MainActor public struct HeadlessTableView {
  let view: UITableView

  // MARK: Counting

  /// What became of the cells.
  public var cells: HeadlessCounts { view.cellQueues.counts }
  /// What became of headers and footers.
  ///
  /// Those that are no `UITableViewHeaderFooterView` are neither made nor dequeued by the table: they
  /// count only as bound, displayed and ended.
  public var headersAndFooters: HeadlessCounts {
    var counts = view.edgeQueues.counts
    counts.bound = view.edgeDisplays.bound
    counts.displayed = view.edgeDisplays.displayed
    counts.ended = view.edgeDisplays.ended
    return counts
  }
  /// How many cells live that the view made.
  public var aliveCells: Int { view.cellQueues.alive }
  /// How many cells wait for reuse.
  public var waitingCells: Int { view.cellQueues.waitingCount }
  /// How often the reuse identifier was registered that was so most often: 1, where each is once.
  public var mostRegistrations: Int {
    max(view.cellQueues.mostRegistrations, view.edgeQueues.mostRegistrations)
  }
  /// How often the data source was asked how many sections there are, and with it for all counts.
  public var countQuestions: Int { view.countQuestions }
  /// Whether an update was refused and no `reloadData()` followed.
  public var isFrozen: Bool { view.session.isFrozen }
  /// Whether animations of updates are not over.
  public var isAnimating: Bool {
    view.session.isAnimating || !view.leavingCells.isEmpty || !view.leavingEdges.isEmpty
  }

  /// What a cell should show, by its path now: see ``HeadlessCollectionView/expectedContent``.
  public var expectedContent: (@MainActor (IndexPath) -> HeadlessContent?)? {
    get { view.expectedContent }
    nonmutating set { view.expectedContent = newValue }
  }

  /// Compares the visible cells with ``expectedContent`` now.
  public func checkContent() { view.checkContent() }

  // MARK: What a user does

  /// Puts a finger on a row.
  public func touchDown(rowAt path: IndexPath) { view.touchDown(at: path) }

  /// Lifts the finger where it is.
  public func touchUp() { view.touchUp(inside: true) }

  /// Lifts the finger elsewhere, or begins to scroll.
  public func touchCancel() { view.touchUp(inside: false) }

  /// Puts a finger on a row and lifts it.
  public func tap(rowAt path: IndexPath) {
    touchDown(rowAt: path)
    touchUp()
  }

  /// Presses a row for long.
  ///
  /// - Returns: The menu that opens; `nil` if none does.
  public func press(rowAt path: IndexPath) -> UIMenu? {
    let rect = view.rectForRow(at: path)
    return view.delegate?.tableView(
      view, contextMenuConfigurationForRowAt: path, point: CGPoint(x: rect.midX, y: rect.midY))?
      .headlessMenu()
  }

  /// Swipes over a row, from the trailing edge or from the leading one.
  ///
  /// - Returns: The actions that are offered; none if the row can't be edited.
  public func swipe(rowAt path: IndexPath, fromTrailingEdge: Bool = true) -> [UIContextualAction] {
    guard view.dataSource?.tableView(view, canEditRowAt: path) ?? false else { return [] }
    let configuration =
      fromTrailingEdge
      ? view.delegate?.tableView(view, trailingSwipeActionsConfigurationForRowAt: path)
      : view.delegate?.tableView(view, leadingSwipeActionsConfigurationForRowAt: path)
    return configuration?.actions ?? []
  }

  /// Chooses an action that a swipe over a row offered.
  ///
  /// - Returns: What the action said of itself: whether it was done. `nil` if it said nothing yet.
  public func choose(_ action: UIContextualAction, rowAt path: IndexPath) -> Bool? {
    var result: Bool?
    action.handler(action, view.cellForRow(at: path) ?? view) { result = $0 }
    return result
  }

  /// Taps what editing mode, or a swipe, offers to delete a row.
  ///
  /// - Returns: Whether that is offered.
  @discardableResult public func deleteRow(at path: IndexPath) -> Bool { commit(.delete, path) }

  /// Taps what editing mode offers to insert a row.
  ///
  /// - Returns: Whether that is offered.
  @discardableResult public func insertRow(at path: IndexPath) -> Bool { commit(.insert, path) }

  private func commit(_ style: UITableViewCell.EditingStyle, _ path: IndexPath) -> Bool {
    guard let dataSource = view.dataSource, dataSource.tableView(view, canEditRowAt: path),
      (view.delegate?.tableView(view, editingStyleForRowAt: path) ?? .delete) == style
    else { return false }
    dataSource.tableView(view, commit: style, forRowAt: path)
    return true
  }

  /// Drags a row by its reorder control to where another one is and drops it there.
  ///
  /// The table has to be
  /// in editing mode.
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
