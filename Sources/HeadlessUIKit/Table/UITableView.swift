public import Foundation

/// A table view without a screen: it keeps the cells that a visible rectangle shows, as UIKit does, and
/// refuses what UIKit refuses.
///
/// Nothing happens by itself but the completions of updates: layout is done in `layoutIfNeeded()`. What a
/// user does, and what a test counts, is in ``headless``. Headers and footers scroll with their
/// sections; they don't stay at the edge.
open class UITableView: UIScrollView {
  /// How a table looks; only kept here.
  public enum Style: Int, Sendable {
    /// Rows without gaps.
    case plain
    /// Sections with gaps.
    case grouped
    /// Sections with gaps and round corners.
    case insetGrouped
  }

  /// How rows come and go; nothing here.
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
    /// They come and go at once.
    case none
    /// They stay in the middle.
    case middle
    /// As the table likes.
    case automatic = 100
  }

  /// Where a row is put when the view scrolls to it.
  public enum ScrollPosition: Int, Sendable {
    /// As little as makes it visible.
    case none
    /// At the top.
    case top
    /// In the middle.
    case middle
    /// At the bottom.
    case bottom
  }

  /// The height that a table chooses; 44 points for rows, 28 for headers and footers here.
  public class var automaticDimension: CGFloat { -1 }

  struct EdgeKey: Hashable {
    var section: Int
    var isHeader: Bool
  }

  /// How it looks.
  public let style: Style

  // What it knows of the list.
  let session = ListSession(.table)
  var isReloadPending = true
  var countQuestions = 0
  var placed: TableArithmetic?
  /// Rows whose height was asked for although there are estimates: those that were seen.
  var knownRows: Set<IndexPath> = []

  // What it shows.
  var cells: [IndexPath: UITableViewCell] = [:]
  var edges: [EdgeKey: UIView] = [:]
  var leavingCells: [(cell: UITableViewCell, path: IndexPath)] = []
  var leavingEdges: [(view: UIView, key: EdgeKey)] = []
  let cellQueues = ReuseQueues<UITableViewCell>()
  let edgeQueues = ReuseQueues<UITableViewHeaderFooterView>()
  var request: TableDequeueRequest?
  var edgeDisplays = HeadlessCounts()

  // What the user did.
  var selection: Set<IndexPath> = []
  var highlighted: IndexPath?
  var expectedContent: (@MainActor (IndexPath) -> HeadlessContent?)?

  /// Says what there is.
  open weak var dataSource: (any UITableViewDataSource)? {
    didSet { if dataSource !== oldValue { reloadData() } }
  }
  /// Is asked and told what the user does.
  open weak var delegate: (any UITableViewDelegate)? {
    didSet { if delegate !== oldValue { placed = nil } }
  }
  /// The height of rows, where the delegate gives none.
  open var rowHeight = UITableView.automaticDimension { didSet { heightsChanged() } }
  /// The height of headers, where the delegate gives none.
  open var sectionHeaderHeight = UITableView.automaticDimension { didSet { heightsChanged() } }
  /// The height of footers, where the delegate gives none.
  open var sectionFooterHeight = UITableView.automaticDimension { didSet { heightsChanged() } }
  /// Whether the user may select rows.
  open var allowsSelection = true
  /// Whether the user may select several rows.
  open var allowsMultipleSelection = false
  /// Whether the user drags something that comes from here.
  open internal(set) var hasActiveDrag = false
  /// Whether the user drags something over it, or drops it.
  open internal(set) var hasActiveDrop = false
  /// Whether it is in editing mode.
  open var isEditing = false {
    didSet { for cell in cells.values { cell.isEditing = isEditing } }
  }

  override var scrollDelegate: (any UIScrollViewDelegate)? { delegate }

  /// A view of a style.
  ///
  /// - Parameters:
  ///   - frame: Its frame.
  ///   - style: How it looks.
  public init(frame: CGRect, style: Style) {
    self.style = style
    super.init(frame: frame)
  }

  /// Nothing: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  private func heightsChanged() {
    placed = nil
    setNeedsLayout()
  }

  /// Goes into editing mode or out of it.
  open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }

  // MARK: Counts

  /// How many sections there are.
  open var numberOfSections: Int { loadedCounts().count }

  /// How many rows a section holds.
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

  /// Forgets everything, and asks again when it is laid out.
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

  /// Where everything is.
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

  /// That of a row, or an estimate of one that was not seen.
  private func height(ofRowAt path: IndexPath) -> CGFloat {
    guard let delegate else { return height(rowHeight, automatic: 44) }
    if !knownRows.contains(path) {
      let estimate = delegate.tableView(self, estimatedHeightForRowAt: path)
      if estimate != UITableView.automaticDimension { return max(0, estimate) }
      knownRows.insert(path)
    }
    return height(delegate.tableView(self, heightForRowAt: path), automatic: 44)
  }

  /// Asks for the heights of rows that come into sight; those that are on display stay where they are.
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

  /// That of the table, if it says one or the section has a title.
  func defaultHeaderHeight(_ section: Int) -> CGFloat {
    sectionHeaderHeight != UITableView.automaticDimension
      || dataSource?.tableView(self, titleForHeaderInSection: section) != nil
      ? sectionHeaderHeight : 0
  }

  /// That of the table, if it says one or the section has a text.
  func defaultFooterHeight(_ section: Int) -> CGFloat {
    sectionFooterHeight != UITableView.automaticDimension
      || dataSource?.tableView(self, titleForFooterInSection: section) != nil
      ? sectionFooterHeight : 0
  }

  // MARK: What a test does

  /// What a user does, and what a test counts.
  ///
  /// Not in UIKit.
  public var headless: HeadlessTableView { HeadlessTableView(view: self) }
}
