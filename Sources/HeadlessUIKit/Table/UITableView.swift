public import Foundation

/// A table view without a screen.
///
/// It has cells for the visible rectangle and refuses illegal batch updates, as UIKit does. It lays
/// out in `layoutIfNeeded()` only; nothing but the completions of updates happens by itself. With
/// ``headless`` a test acts for the user, and counts what the view does. Headers and footers scroll
/// with their sections; they don't stay at the edge.
open class UITableView: UIScrollView {
  /// The style of a table.
  ///
  /// It has no effect here.
  public enum Style: Int, Sendable {
    /// Rows without gaps.
    case plain
    /// Sections with gaps.
    case grouped
    /// Sections with gaps and round corners.
    case insetGrouped
  }

  /// The animation of rows.
  ///
  /// It has no effect here.
  public enum RowAnimation: Int, Sendable {
    /// They fade.
    case fade
    /// They slide to the right.
    case right
    /// They slide to the left.
    case left
    /// They slide to the top.
    case top
    /// They slide to the bottom.
    case bottom
    /// No animation.
    case none
    /// They stay in the middle.
    case middle
    /// The table chooses.
    case automatic = 100
  }

  /// The position to which the view scrolls a row.
  public enum ScrollPosition: Int, Sendable {
    /// The nearest position that makes it visible.
    case none
    /// At the top.
    case top
    /// In the middle.
    case middle
    /// At the bottom.
    case bottom
  }

  /// The table chooses the height: here 44 points for rows, 28 for headers and footers.
  public class var automaticDimension: CGFloat { -1 }

  struct EdgeKey: Hashable {
    var section: Int
    var isHeader: Bool
  }

  /// The style.
  public let style: Style

  // What the view knows of the list.
  let session = ListSession(.table)
  var isReloadPending = true
  var countQuestions = 0
  var placed: TableArithmetic?
  /// The rows that were visible, whose height was asked for although there are estimates.
  var knownRows: Set<IndexPath> = []

  // What the view shows.
  var cells: [IndexPath: UITableViewCell] = [:]
  var edges: [EdgeKey: UIView] = [:]
  var leavingCells: [(cell: UITableViewCell, path: IndexPath)] = []
  var leavingEdges: [(view: UIView, key: EdgeKey)] = []
  let cellQueues = ReuseQueues<UITableViewCell>()
  let edgeQueues = ReuseQueues<UITableViewHeaderFooterView>()
  var request: TableDequeueRequest?
  var edgeDisplays = HeadlessCounts()

  // The state that the user can change.
  var selection: Set<IndexPath> = []
  var highlighted: IndexPath?
  var expectedContent: (@MainActor (IndexPath) -> HeadlessContent?)?

  /// The object that knows the sections and items, and makes their cells.
  open weak var dataSource: (any UITableViewDataSource)? {
    didSet { if dataSource !== oldValue { reloadData() } }
  }
  /// The object that is called for what the user does.
  open weak var delegate: (any UITableViewDelegate)? {
    didSet { if delegate !== oldValue { placed = nil } }
  }
  /// The height of rows, if the delegate gives none.
  open var rowHeight = UITableView.automaticDimension { didSet { heightsChanged() } }
  /// The height of headers, if the delegate gives none.
  open var sectionHeaderHeight = UITableView.automaticDimension { didSet { heightsChanged() } }
  /// The height of footers, if the delegate gives none.
  open var sectionFooterHeight = UITableView.automaticDimension { didSet { heightsChanged() } }
  /// Whether the user may select rows.
  open var allowsSelection = true
  /// Whether the user may select several rows.
  open var allowsMultipleSelection = false
  /// Whether the user drags something out of the view.
  open internal(set) var hasActiveDrag = false
  /// Whether the user drags something over the view, or drops it there.
  open internal(set) var hasActiveDrop = false
  /// Whether the table is in editing mode.
  open var isEditing = false {
    didSet { for cell in cells.values { cell.isEditing = isEditing } }
  }

  override var scrollDelegate: (any UIScrollViewDelegate)? { delegate }

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - style: The style.
  public init(frame: CGRect, style: Style) {
    self.style = style
    super.init(frame: frame)
  }

  /// Always `nil`: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  private func heightsChanged() {
    placed = nil
    setNeedsLayout()
  }

  /// Switches editing mode on or off.
  open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }

  // MARK: Counts

  /// The number of sections.
  open var numberOfSections: Int { loadedCounts().count }

  /// The number of rows in a section.
  open func numberOfRows(inSection section: Int) -> Int {
    let counts = loadedCounts()
    return counts.indices.contains(section) ? counts[section] : 0
  }

  func loadedCounts() -> [Int] {
    if let counts = session.counts { return counts }
    let counts = askCounts()
    session.counts = counts
    return counts
  }

  func askCounts() -> [Int] {
    countQuestions += 1
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.tableView(self, numberOfRowsInSection: $0)
    }
  }

  /// Drops all cells.
  ///
  /// The next layout asks the data source for everything again.
  ///
  /// The selection is lost.
  open func reloadData() {
    session.reload()
    guard !session.isUpdating else { return }
    isReloadPending = true
    selection = []
    highlighted = nil
    placed = nil
    knownRows = []
    setNeedsLayout()
  }

  // MARK: Layout

  open override func layoutSubviews() {
    super.layoutSubviews()
    guard !session.isFrozen, !session.isUpdating else { return }
    if isReloadPending {
      isReloadPending = false
      endDisplayingEverything()
      session.counts = askCounts()
      placed = nil
    }
    learnVisibleHeights()
    contentSize = CGSize(width: bounds.width, height: placement().height)
    showWhatIsVisible()
    checkContent()
  }

  /// The places of rows, headers and footers.
  func placement() -> TableArithmetic {
    if let placed { return placed }
    let sections = loadedCounts().enumerated().map { section, count in
      TableArithmetic.Section(
        headerHeight: height(
          delegate?.tableView(self, heightForHeaderInSection: section)
            ?? defaultHeaderHeight(section), automatic: 28),
        rowHeights: (0..<count).map { height(ofRowAt: IndexPath(row: $0, section: section)) },
        footerHeight: height(
          delegate?.tableView(self, heightForFooterInSection: section)
            ?? defaultFooterHeight(section), automatic: 28))
    }
    let placed = TableArithmetic(sections)
    self.placed = placed
    return placed
  }

  /// The height of a row, or the estimate of a row that was not visible yet.
  private func height(ofRowAt path: IndexPath) -> CGFloat {
    guard let delegate else { return height(rowHeight, automatic: 44) }
    if !knownRows.contains(path) {
      let estimate = delegate.tableView(self, estimatedHeightForRowAt: path)
      if estimate != UITableView.automaticDimension { return max(0, estimate) }
      knownRows.insert(path)
    }
    return height(delegate.tableView(self, heightForRowAt: path), automatic: 44)
  }

  /// Asks for the heights of rows that become visible.
  ///
  /// Rows on display keep their places on the screen.
  func learnVisibleHeights() {
    while true {
      let before = placement()
      let visible = before.rows(in: bounds.minY..<max(bounds.minY, bounds.maxY))
      guard visible.contains(where: { !knownRows.contains($0) }) else { return }
      let shown = visible.first { cells[$0] != nil }
      knownRows.formUnion(visible)
      placed = nil
      if let shown, let old = before.row(shown), let new = placement().row(shown) {
        bounds.origin.y += new.lowerBound - old.lowerBound
      }
    }
  }

  private func height(_ height: CGFloat, automatic: CGFloat) -> CGFloat {
    height == UITableView.automaticDimension ? automatic : max(0, height)
  }

  /// The table's height for headers, if it has one or the section has a title.
  func defaultHeaderHeight(_ section: Int) -> CGFloat {
    sectionHeaderHeight != UITableView.automaticDimension
      || dataSource?.tableView(self, titleForHeaderInSection: section) != nil
      ? sectionHeaderHeight : 0
  }

  /// The table's height for footers, if it has one or the section has a text.
  func defaultFooterHeight(_ section: Int) -> CGFloat {
    sectionFooterHeight != UITableView.automaticDimension
      || dataSource?.tableView(self, titleForFooterInSection: section) != nil
      ? sectionFooterHeight : 0
  }

  // MARK: For tests

  /// Acts for the user in a test, and counts what the view does.
  ///
  /// Not in UIKit.
  public var headless: HeadlessTableView { HeadlessTableView(view: self) }
}
