public import Foundation

/// A table view without a screen.
///
/// It has cells for the visible rectangle and refuses illegal batch updates, as UIKit does. It lays
/// out in `layoutIfNeeded()` only; nothing but the completions of updates happens by itself. With
/// ``headless`` a test acts for the user, and counts what the view does. Headers and footers scroll
/// with their sections; they don't stay at the edge.
open class UITableView: UIScrollView {
  /// The style of a table.
  public enum Style: Int, Sendable {
    /// Rows without gaps.
    case plain
    /// Sections with gaps.
    case grouped
    /// Sections with gaps and round corners, within the table's margins.
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

  /// The table chooses the height: for rows the one that their cells' constraints need, otherwise 44
  /// points; 28 for headers and footers.
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
  /// The placed rows of ``automaticDimension``.
  var automaticRows: Set<IndexPath> = []
  /// The heights of those whose cells were on display.
  var fittedHeights: [IndexPath: CGFloat] = [:]

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
  /// The assumed height of rows that are out of sight, where the delegate says none.
  ///
  /// Without one, and with 0, all heights are asked for at once. In UIKit only 0 does that.
  open var estimatedRowHeight = UITableView.automaticDimension { didSet { heightsChanged() } }
  /// The assumed height of headers that are out of sight.
  ///
  /// It has no effect here: their heights are known.
  open var estimatedSectionHeaderHeight = UITableView.automaticDimension
  /// The assumed height of footers that are out of sight.
  ///
  /// It has no effect here: their heights are known.
  open var estimatedSectionFooterHeight = UITableView.automaticDimension
  /// The space above each header.
  ///
  /// It has no effect here; UIKit chooses one for plain tables if it is not set.
  open var sectionHeaderTopPadding = UITableView.automaticDimension
  /// The object that is called for rows that will be visible soon.
  open weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)?
  /// Whether ``prefetchDataSource`` is called.
  open var isPrefetchingEnabled = true
  var prefetched: Set<IndexPath> = []
  var lastPrefetchOffset: CGFloat = 0
  /// Whether the user may select rows.
  open var allowsSelection = true
  /// Whether the user may select several rows.
  open var allowsMultipleSelection = false
  /// Whether the user may select rows in editing mode.
  open var allowsSelectionDuringEditing = false
  /// Whether the user may select several rows in editing mode.
  open var allowsMultipleSelectionDuringEditing = false
  /// The line between two rows.
  open var separatorStyle = UITableViewCell.SeparatorStyle.singleLine { didSet { widthsChanged() } }
  /// Whether the contents of rows, headers and footers keep clear of the safe area.
  open var insetsContentViewsToSafeArea = true { didSet { widthsChanged() } }
  /// Whether margins leave no more than a width that is good to read: here 672 points.
  open var cellLayoutMarginsFollowReadableWidth = false { didSet { widthsChanged() } }
  /// Whether the user drags something out of the view.
  open internal(set) var hasActiveDrag = false
  /// Whether the user drags something over the view, or drops it there.
  open internal(set) var hasActiveDrop = false
  /// Whether the table is in editing mode.
  open var isEditing: Bool {
    get { editing || swipedRow != nil }
    set { setEditing(newValue, animated: false) }
  }
  private var editing = false
  /// The row over which the user swipes: meanwhile the table says that it is in editing mode.
  var swipedRow: IndexPath?

  override var scrollDelegate: (any UIScrollViewDelegate)? { delegate }
  override var isUpdateAnimating: Bool { session.isAnimating || !leavingCells.isEmpty }

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

  open override var bounds: CGRect {
    didSet { if bounds.width != oldValue.width { widthsChanged() } }
  }

  // A table has wider margins than other views.
  override var defaultMargins: UIEdgeInsets {
    let side: CGFloat = bounds.width < 414 ? 16 : 20
    return UIEdgeInsets(top: 8, left: side, bottom: 8, right: side)
  }

  open override func layoutMarginsDidChange() {
    super.layoutMarginsDidChange()
    widthsChanged()
  }

  /// The space beside the rows, headers and footers.
  var sectionInsets: UIEdgeInsets {
    guard style == .insetGrouped else { return UIEdgeInsets() }
    let margins = layoutMargins
    let readable = cellLayoutMarginsFollowReadableWidth ? max(0, (bounds.width - 672) / 2) : 0
    return UIEdgeInsets(
      top: 0, left: max(margins.left, readable), bottom: 0, right: max(margins.right, readable))
  }

  /// Other widths need other heights.
  private func widthsChanged() {
    knownRows = []
    fittedHeights = [:]
    heightsChanged()
  }

  private func heightsChanged() {
    placed = nil
    setNeedsLayout()
  }

  /// Switches editing mode on or off.
  ///
  /// The rows that are selected are deselected, without telling the delegate.
  open func setEditing(_ editing: Bool, animated: Bool) {
    guard editing != self.editing else { return }
    for path in selection { deselectRow(at: path, animated: animated) }
    self.editing = editing
    for (path, cell) in cells.sorted(by: { $0.key < $1.key }) {
      prepare(cell, at: path)
      cell.setEditing(editing, animated: animated)
    }
  }

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
    prefetched = []
    placed = nil
    knownRows = []
    fittedHeights = [:]
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
    prefetch()
  }

  /// The places of rows, headers and footers.
  func placement() -> TableArithmetic {
    if let placed { return placed }
    automaticRows = []
    let sections = loadedCounts().enumerated().map { section, count in
      TableArithmetic.Section(
        headerHeight: edgeHeight(
          delegate?.tableView(self, heightForHeaderInSection: section)
            ?? defaultHeaderHeight(section)),
        rowHeights: (0..<count).map { height(ofRowAt: IndexPath(row: $0, section: section)) },
        footerHeight: edgeHeight(
          delegate?.tableView(self, heightForFooterInSection: section)
            ?? defaultFooterHeight(section)))
    }
    let placed = TableArithmetic(sections)
    self.placed = placed
    return placed
  }

  /// The height of a row, or the estimate of a row that was not visible yet.
  private func height(ofRowAt path: IndexPath) -> CGFloat {
    let estimate = estimate(ofRowAt: path)
    if !knownRows.contains(path) {
      if let estimate { return estimate }
      knownRows.insert(path)
    }
    return height(
      delegate?.tableView(self, heightForRowAt: path) ?? rowHeight, ofRowAt: path,
      estimate: estimate ?? 44)
  }

  /// The assumed height of a row; `nil` if there is none.
  private func estimate(ofRowAt path: IndexPath) -> CGFloat? {
    let own = delegate?.tableView(self, estimatedHeightForRowAt: path)
    let estimate =
      own.map { $0 == UITableView.automaticDimension ? estimatedRowHeight : $0 }
      ?? estimatedRowHeight
    return estimate > 0 ? estimate : nil
  }

  private func height(
    _ height: CGFloat, ofRowAt path: IndexPath, estimate: CGFloat
  ) -> CGFloat {
    guard height == UITableView.automaticDimension else { return max(0, height) }
    automaticRows.insert(path)
    return fittedHeights[path] ?? estimate
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

  /// The height of a header or footer.
  ///
  /// A grouped table has a gap where the delegate wants no height at all.
  private func edgeHeight(_ height: CGFloat) -> CGFloat {
    height == 0 && style != .plain ? 18 : self.height(height, automatic: 28)
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
