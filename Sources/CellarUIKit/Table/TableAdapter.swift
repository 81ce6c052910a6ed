import Foundation
public import ListItems
public import ListModel
public import ListSync
public import ListViews

/// Shows a list in a table view, and performs a batch update after each commit.
///
/// ```swift
/// let inbox = repository.liveList("inbox", items: [Message.self])
/// let adapter = try TableAdapter(inbox, in: tableView)
/// ```
///
/// The adapter is the table's data source and delegate. The table does not retain it: keep it as
/// long as the table shows the list. Calls that it does not handle go to ``delegate``.
///
/// Visible rows have their stored heights. For other rows the table gets the mean height of their
/// section, which the store keeps, so that the first screen of a long list reads a few rows only. A
/// table ignores the insets, spacing and columns of sections.
///
/// Rows are measured in the width of their content view. If the table gives them another width than
/// the adapter assumed, it measures them again once the first is on display.
@MainActor public final class TableAdapter: ListAdapter {
  /// Receives the delegate calls that the adapter does not handle, and copies of those it does.
  ///
  /// The adapter answers itself for heights, headers and footers, for reordering, and for the menus
  /// of items whose types have one.
  public weak var delegate: (any UITableViewDelegate)? {
    didSet {
      appDelegate = delegate
      // The view has noted which methods its delegate has. Setting it anew makes it look again.
      view?.delegate = nil
      view?.delegate = self
    }
  }
  /// Receives copies of the calls for items that will be visible soon.
  ///
  /// The adapter is the view's own prefetch data source: it reads these items from the store, on
  /// another thread.
  public weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)?
  /// Whether the user may delete an item by a swipe or in editing mode; `nil`: no item may be
  /// deleted.
  public var canDelete: ((ItemID) -> Bool)?
  /// Called instead of an edit of ``ListAdapter/list`` when the user deletes an item: to ask first,
  /// to archive it, or to edit another list.
  ///
  /// ``ListAdapter/onProblem`` gets what the closure throws. By default the adapter deletes the item
  /// from the list, which sends the edit if ``/ListSync/LiveList/sendsEdits`` says so.
  public var onDelete: ((ItemID) throws -> Void)? {
    get { updates.onDelete }
    set { updates.onDelete = newValue }
  }
  /// The animation of inserted, deleted and reloaded rows.
  public var animation: UITableView.RowAnimation {
    get { tableHost.animation }
    set { tableHost.animation = newValue }
  }

  var view: UITableView? { tableHost.tableView }
  let tableHost: TableHost
  /// The row that is configured anew, if its cell was made by a factory.
  var cellToReconfigure: UITableViewCell?
  /// The reuse identifiers of factories whose views have other ones.
  var unreusableIdentifiers: Set<String> = []

  /// Shows a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - view: The table. The adapter becomes its data source and delegate.
  ///   - views: The classes for the names of cells, headers and footers; `nil`: those of the list's
  ///     types. To add one to these, begin with `ViewRegistry(of:for:)`.
  ///   - handlers: What to do when users do something; `nil`: the adapter makes its own.
  ///   - screen: The name under which the store keeps the selection and the scroll position, if
  ///     several screens show the list; `nil`: it does not keep them.
  /// - Throws: ``/ListModel/StoreError`` if the list can't be read.
  public init(
    _ list: some ShowableList, in view: UITableView, views: ViewRegistry? = nil,
    handlers: ItemHandlers? = nil, screen: String? = ""
  ) throws(StoreError) {
    tableHost = TableHost(view)
    let list = list.shown
    let views = views ?? ViewRegistry(of: list, for: .tableView)
    try super.init(
      list, in: tableHost, views: views.sources(for: .tableView), handlers: handlers,
      screen: screen)
    screenSelection.onEditing = { [weak self] in
      self?.tableHost.learnIndentations()
      self?.updates.sizesChanged()
    }
    tableHost.controls = { [weak self] in self?.controls(at: $0) ?? [] }
    tableHost.reconfigure = { [weak self] in self?.reconfigureMadeCell(at: $0) ?? false }
    tableHost.dataSource = self
    view.delegate = self
    view.prefetchDataSource = self
    restore()
  }

  override func registry(of list: LiveList) -> ViewRegistry {
    ViewRegistry(of: list, for: .tableView)
  }

  override func sizeOfApp(at indexPath: IndexPath) -> CGSize? {
    guard let view else { return nil }
    let heights = [
      (delegate?.tableView(_:heightForRowAt:))?(view, indexPath) ?? UITableView.automaticDimension,
      view.rowHeight,
    ]
    return heights.first { $0 >= 0 }.map { CGSize(width: view.bounds.width, height: $0) }
  }

  /// The cell that shows an item; `nil` if none does.
  public func cell(of item: ItemID) -> UITableViewCell? {
    views.cells.view(of: item) as? UITableViewCell
  }
}
