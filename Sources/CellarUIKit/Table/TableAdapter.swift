import Foundation
public import ListModel
public import ListSync
import Providers
public import ListItems

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

/// Shows a list in a table view: answers its questions from one revision, and brings it from each revision
/// to the next by what changed.
///
/// ```swift
/// let inbox = repository.liveList("inbox", items: [Message.self])
/// let adapter = try TableAdapter(inbox, in: tableView)
/// ```
///
/// It is the table's data source and delegate as long as it lives; the table does not keep it. What it does
/// not use of the delegate's methods goes to ``delegate``.
///
/// Heights are those that the store has; of rows that are not seen the table is told the mean of their
/// section, which the store keeps, so that a long list is not read for its first screen. A section's insets,
/// spacing and columns mean nothing in a table.
@MainActor public final class TableAdapter: ListAdapter {
  /// Is told and asked what the adapter does not need to know, and told of what it does.
  ///
  /// Heights, headers, footers, menus of items that have one, and reordering stay the adapter's.
  public weak var delegate: (any UITableViewDelegate)? {
    didSet {
      // The view has noted what its delegate answers to.
      view?.delegate = nil
      view?.delegate = self
    }
  }
  /// Whether the user may delete an item by a swipe or in editing mode; `nil`: nobody may delete any.
  public var canDelete: ((ItemID) -> Bool)?
  /// How rows come and go.
  public var animation: UITableView.RowAnimation {
    get { tableHost.animation }
    set { tableHost.animation = newValue }
  }

  var view: UITableView? { tableHost.tableView }
  private let tableHost: TableHost
  /// The item that is to stay where it is while an update is performed, and its place on the screen.
  private var anchor: (item: ItemID, distance: CGFloat)?

  /// Shows a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - view: The table; it gets this as its data source and delegate.
  ///   - views: What names of cells, headers and footers stand for; `nil`: those of the list's types.
  ///   - handlers: What to do when users do something; `nil`: ones of its own.
  ///   - screen: Under which name the store keeps what is selected and where the list is scrolled to, for
  ///     a list that several screens show; `nil`: it does not.
  /// - Throws: ``/ListModel/StoreError`` if the list can't be read.
  public init(
    _ list: LiveList, in view: UITableView, views: ViewRegistry? = nil,
    handlers: ItemHandlers? = nil, screen: String? = ""
  ) throws(StoreError) {
    tableHost = TableHost(view)
    try super.init(
      list, in: tableHost,
      views: views
        ?? ViewRegistry(
          list, fallback: .type(UITableViewCell.self),
          supplementaryFallback: .type(UITableViewHeaderFooterView.self)),
      templates: TemplateViews(make: Self.make), handlers: handlers, screen: screen)
    view.dataSource = self
    view.delegate = self
    restoreViewState()
  }

  /// Makes a view as a table does.
  static func make(_ type: AnyObject.Type, for registration: ViewRegistration) -> UIView? {
    let identifier = registration.reuseIdentifier
    switch type {
    case let type as UITableViewCell.Type:
      #if canImport(UIKit) && !os(watchOS)
        return type.init(style: .default, reuseIdentifier: identifier)
      #else
        return type.init(headlessIdentifier: identifier)
      #endif
    case let type as UITableViewHeaderFooterView.Type:
      #if canImport(UIKit) && !os(watchOS)
        return type.init(reuseIdentifier: identifier)
      #else
        return type.init(headlessIdentifier: identifier)
      #endif
    default: return nil
    }
  }

  /// The cell that shows an item; `nil` if none does.
  public func cell(of item: ItemID) -> UITableViewCell? {
    bound.cell(of: item) as? UITableViewCell
  }

  override var appDelegate: (any UIScrollViewDelegate)? { delegate }

  override func relayout() {
    if host.isOnScreen {
      view?.performBatchUpdates(nil)
    } else {
      reload(to: provider)
    }
  }

  // MARK: What is seen stays

  override func willPerform(_ next: Provider) {
    anchor = keepsScrollPosition ? firstInSight(among: next.shown) : nil
  }

  override func didPerform() {
    guard let view, let anchor else { return }
    self.anchor = nil
    guard let path = indexPath(of: anchor.item), let frame = host.frame(at: path) else { return }
    scroll(view, to: frame, distance: anchor.distance)
    view.layoutIfNeeded()
  }
}
