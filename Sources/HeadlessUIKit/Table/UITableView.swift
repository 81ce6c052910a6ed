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
  public nonisolated static let automaticDimension: CGFloat = -1

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
  open var rowHeight = automaticDimension { didSet { heightsChanged() } }
  /// The height of headers, where the delegate gives none.
  open var sectionHeaderHeight = automaticDimension { didSet { heightsChanged() } }
  /// The height of footers, where the delegate gives none.
  open var sectionFooterHeight = automaticDimension { didSet { heightsChanged() } }
  /// Whether the user may select rows.
  open var allowsSelection = true
  /// Whether the user may select several rows.
  open var allowsMultipleSelection = false
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
    let placed = placement()
    contentSize = CGSize(width: bounds.width, height: placed.height)
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
        rowHeights: (0..<count).map {
          height(
            delegate?.tableView(self, heightForRowAt: IndexPath(row: $0, section: section))
              ?? rowHeight, automatic: 44)
        },
        footerHeight: height(
          delegate?.tableView(self, heightForFooterInSection: section)
            ?? defaultFooterHeight(section), automatic: 28))
    }
    let placed = TableArithmetic(sections)
    self.placed = placed
    return placed
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
