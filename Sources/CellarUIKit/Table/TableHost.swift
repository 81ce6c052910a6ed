import BatchUpdates
import Foundation
import ListItems
import ListLayout
import ListModel
import ListViews

@MainActor final class TableHost: ListHost {
  weak var tableView: UITableView?
  /// What the view shows once it is connected.
  weak var dataSource: (any UITableViewDataSource)?
  var animation = UITableView.RowAnimation.automatic

  /// Whether the user swipes over a row: the table then says that it is in editing mode.
  var isSwiping = false
  /// Returns the controls of a row in editing mode.
  var controls: ((IndexPath) -> RowControls)?
  /// Configures a row anew whose cell a factory made; `false` for all other rows.
  var reconfigure: ((IndexPath) -> Bool)?
  /// What the rows on display say about widths that only the table knows.
  private var learned = LearnedRowWidths()

  init(_ view: UITableView) { tableView = view }

  var view: UIScrollView? { tableView }

  var isConnected: Bool { dataSource != nil && tableView?.dataSource === dataSource }
  func connect() { tableView?.dataSource = dataSource }
  func disconnect() { tableView?.dataSource = nil }

  var hasActiveDrag: Bool {
    #if os(tvOS)
      // tvOS has no drag and drop.
      return false
    #else
      guard let tableView else { return false }
      return tableView.hasActiveDrag || tableView.hasActiveDrop
    #endif
  }

  var axis: SizeKey.Axis { .vertical }
  var defaultMetrics: SectionMetrics { SectionMetrics() }
  var contentSize: CGSize { tableView?.contentSize ?? .zero }
  var visiblePaths: [IndexPath] { tableView?.indexPathsForVisibleRows ?? [] }
  var asksForContentOffset: Bool { false }
  var letsCellsSizeThemselves: Bool { true }
  var placesSections: Bool { false }
  // A table's row has another cell than a collection view's item, and often the same name for it.
  var sizeVariant: String { "row" }

  var lengthsOnDisplay: [(path: IndexPath, length: Double)] {
    visiblePaths.compactMap { path in
      tableView?.cellForRow(at: path).map { (path, Double($0.frame.height)) }
    }
  }

  func frame(at path: IndexPath) -> CGRect? { tableView?.rectForRow(at: path) }

  // The table has no content size before its first layout.
  var assumedContentSize: CGSize {
    guard let tableView, tableView.numberOfSections > 0 else { return .zero }
    let last = tableView.rect(forSection: tableView.numberOfSections - 1)
    return CGSize(width: tableView.bounds.width, height: last.maxY)
  }
  func assumedFrame(at path: IndexPath) -> CGRect? { frame(at: path) }

  func relayout() {
    // An empty batch update makes a table ask for all heights. Without a window it would lose the
    // selection.
    if isOnScreen { tableView?.performBatchUpdates(nil) } else { reloadKeepingSelection() }
  }

  // MARK: Widths

  // A table asks for the estimates of all its rows: only a table with inset rows asks for margins.
  var contentInsets: UIEdgeInsets {
    guard let tableView else { return .zero }
    var row = UIEdgeInsets.zero
    if tableView.style == .insetGrouped {
      row = learned.rowInsets(of: tableView) ?? tableView.layoutMargins
    }
    guard tableView.insetsContentViewsToSafeArea else { return row }
    let safe = tableView.safeAreaInsets
    return UIEdgeInsets(
      top: 0, left: max(row.left, safe.left), bottom: 0, right: max(row.right, safe.right))
  }

  func indentation(at path: IndexPath) -> Double {
    guard isEditing, let controls = controls?(path), controls != [] else { return 0 }
    return learned.indentation(for: controls)
  }

  var separatorLength: Double {
    guard let tableView, tableView.hasSeparators else { return 0 }
    return 1 / max(1, Double(tableView.traitCollection.displayScale))
  }

  /// Notes where the table puts a row; whether rows have another width than assumed.
  func learnWidth(of cell: UIView) -> Bool {
    guard let tableView, tableView.style == .insetGrouped else { return false }
    let assumed = contentInsets
    learned.learnRow(cell.frame, in: tableView)
    return contentInsets != assumed
  }

  /// Notes how wide the controls of editing mode are, from the rows on display.
  func learnIndentations() {
    guard isEditing, let tableView, let controls else { return }
    for case let path in tableView.indexPathsForVisibleRows ?? [] {
      guard let cell = tableView.cellForRow(at: path) else { continue }
      learned.learn(cell, with: controls(path))
    }
  }

  private func reloadKeepingSelection() {
    let selected = selectedPaths
    reloadData()
    for path in selected { select(path) }
  }

  // MARK: Selection

  var isEditing: Bool { (tableView?.isEditing ?? false) && !isSwiping }
  var allowsMultipleSelection: Bool {
    guard let tableView else { return false }
    return isEditing
      ? tableView.allowsMultipleSelectionDuringEditing : tableView.allowsMultipleSelection
  }
  var selectedPaths: [IndexPath] { tableView?.indexPathsForSelectedRows ?? [] }

  func select(_ path: IndexPath) {
    tableView?.selectRow(at: path, animated: false, scrollPosition: .none)
  }

  func deselect(_ path: IndexPath) { tableView?.deselectRow(at: path, animated: false) }

  // MARK: Cells, headers and footers

  func visibleView(of kind: Supplementary.Kind, inSection index: Int) -> UIView? {
    switch kind {
    case .header: tableView?.headerView(forSection: index)
    case .footer: tableView?.footerView(forSection: index)
    default: nil
    }
  }

  func reuseIdentifier(of view: UIView) -> String? {
    (view as? UITableViewHeaderFooterView)?.reuseIdentifier
  }

  // No name in a store contains U+0000.
  let gapCell = ViewRegistration(.cell, name: "\0gap", source: .type(GapRowCell.self))

  func register(_ registration: ViewRegistration) {
    guard let tableView else { return }
    switch registration.source {
    case .type, .nib: break
    // The adapter makes what the table can't dequeue.
    case .factory, .prototype: return
    }
    let identifier = identifier(of: registration)
    switch registration.role {
    case .cell:
      if let nib = registration.nib {
        tableView.register(nib, forCellReuseIdentifier: identifier)
      } else {
        tableView.register(registration.type, forCellReuseIdentifier: identifier)
      }
    case .supplementary(.header), .supplementary(.footer):
      if let nib = registration.nib {
        tableView.register(nib, forHeaderFooterViewReuseIdentifier: identifier)
      } else if registration.type is UITableViewHeaderFooterView.Type {
        tableView.register(registration.type, forHeaderFooterViewReuseIdentifier: identifier)
      }
    // A table has no other supplementary views.
    case .supplementary: break
    }
  }

  // A table does not register headers apart from footers, but one name may stand for a header and
  // for a footer.
  func identifier(of registration: ViewRegistration) -> String {
    switch registration.role {
    case .cell: registration.reuseIdentifier
    case .supplementary(let kind): kind.rawValue + "\0" + registration.reuseIdentifier
    }
  }

  func dequeueTemplate(for registration: ViewRegistration) -> UIView? {
    guard registration.role == .cell else { return nil }
    return tableView?.dequeueReusableCell(withIdentifier: registration.reuseIdentifier)
  }

  func makeView(of type: AnyObject.Type, for registration: ViewRegistration) -> UIView? {
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

  // MARK: Updates

  func reloadData() { tableView?.reloadData() }

  // Rows move from their old places to their new ones. Only an offset that changes in the same
  // animation keeps the rows in sight where they are.
  func animate(_ changes: @escaping () -> Void) {
    guard animation != .none, isOnScreen, UIView.areAnimationsEnabled else { return changes() }
    UIView.animate(
      withDuration: 0.3, delay: 0, options: [.allowUserInteraction], animations: changes)
  }

  func perform(_ updates: @escaping () -> Void, completion: @escaping () -> Void) {
    tableView?.performBatchUpdates(updates) { _ in completion() }
  }

  func apply(_ stage: Stage) {
    guard let view = tableView else { return }
    func paths(_ items: [ItemPath]) -> [IndexPath] { items.map(\.indexPath) }
    if !stage.deleteSections.isEmpty {
      view.deleteSections(IndexSet(stage.deleteSections), with: animation)
    }
    if !stage.insertSections.isEmpty {
      view.insertSections(IndexSet(stage.insertSections), with: animation)
    }
    for move in stage.moveSections { view.moveSection(move.from, toSection: move.to) }
    if !stage.deleteItems.isEmpty {
      view.deleteRows(at: paths(stage.deleteItems), with: animation)
    }
    if !stage.insertItems.isEmpty {
      view.insertRows(at: paths(stage.insertItems), with: animation)
    }
    for move in stage.moveItems {
      view.moveRow(at: move.from.indexPath, to: move.to.indexPath)
    }
    if !stage.reloadItems.isEmpty {
      view.reloadRows(at: paths(stage.reloadItems), with: animation)
    }
    if !stage.reconfigureItems.isEmpty {
      view.reconfigureRows(
        at: paths(stage.reconfigureItems).filter { reconfigure?($0) != true })
    }
  }
}
