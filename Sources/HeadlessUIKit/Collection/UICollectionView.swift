public import Foundation

/// A collection view without a screen.
///
/// It has cells for the visible rectangle and refuses illegal batch updates, as UIKit does. It lays
/// out in `layoutIfNeeded()` only; nothing but the completions of updates happens by itself. With
/// ``headless`` a test acts for the user, and counts what the view does.
open class UICollectionView: UIScrollView {
  /// The kind of section headers.
  public class var elementKindSectionHeader: String { "UICollectionElementKindSectionHeader" }
  /// The kind of section footers.
  public class var elementKindSectionFooter: String { "UICollectionElementKindSectionFooter" }

  /// What layout attributes are for.
  public enum ElementCategory: UInt, Sendable {
    /// A cell.
    case cell
    /// A supplementary view.
    case supplementaryView
    /// A decoration.
    case decorationView
  }

  /// The position to which the view scrolls an item.
  public struct ScrollPosition: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Positions of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// At the top.
    public static let top = ScrollPosition(rawValue: 1 << 0)
    /// In the middle, vertically.
    public static let centeredVertically = ScrollPosition(rawValue: 1 << 1)
    /// At the bottom.
    public static let bottom = ScrollPosition(rawValue: 1 << 2)
    /// At the left.
    public static let left = ScrollPosition(rawValue: 1 << 3)
    /// In the middle, horizontally.
    public static let centeredHorizontally = ScrollPosition(rawValue: 1 << 4)
    /// At the right.
    public static let right = ScrollPosition(rawValue: 1 << 5)
  }

  struct ElementKey: Hashable {
    var category: ElementCategory
    var kind: String
    var path: IndexPath
  }

  // What the view knows of the list.
  let session = ListSession(.collection)
  var isReloadPending = true
  /// How often the data source was asked for the number of sections.
  var countQuestions = 0

  // What the view shows.
  var cells: [IndexPath: UICollectionViewCell] = [:]
  var elements: [ElementKey: UICollectionReusableView] = [:]
  /// The cells that an animation still removes, with the paths that they had.
  var leavingCells: [(cell: UICollectionViewCell, path: IndexPath)] = []
  var leavingElements: [(view: UICollectionReusableView, key: ElementKey)] = []
  /// Cells that left the display and wait there for their items, the latest last.
  var keptCells: [(cell: UICollectionViewCell, path: IndexPath)] = []
  /// Whether the view is asking the layout for the animations of a batch update.
  var isShowingUpdate = false
  /// The cells on display that are asked again for the sizes that they prefer.
  var cellsToFit: Set<IndexPath> = []
  /// Whether a cell preferred another size since the last placement.
  var sizedItself = false
  let cellQueues = ReuseQueues<UICollectionViewCell>()
  let elementQueues = ReuseQueues<UICollectionReusableView>()
  var request: DequeueRequest?

  // The state that the user can change.
  var selection: Set<IndexPath> = []
  var highlighted: IndexPath?
  var movement: InteractiveMovement?
  var transitionCompletion: LayoutInteractiveTransitionCompletion?
  var prefetched: Set<IndexPath> = []
  var lastPrefetchOffset: CGPoint = .zero
  var expectedContent: (@MainActor (IndexPath) -> HeadlessContent?)?

  /// The object that knows the sections and items, and makes their cells.
  open weak var dataSource: (any UICollectionViewDataSource)? {
    didSet { if dataSource !== oldValue { reloadData() } }
  }
  /// The object that is called for what the user does.
  open weak var delegate: (any UICollectionViewDelegate)?
  /// The object that is called for items that will be visible soon.
  open weak var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?
  /// Whether ``prefetchDataSource`` is called, and whether cells that left the display are kept for
  /// a while: they come back with `willDisplay` alone.
  open var isPrefetchingEnabled = true {
    didSet { if !isPrefetchingEnabled { releaseKeptCells() } }
  }
  /// Whether the user may select items.
  open var allowsSelection = true
  /// Whether the user may select several items.
  open var allowsMultipleSelection = false
  /// Whether the user may select items in editing mode.
  open var allowsSelectionDuringEditing = false
  /// Whether the user may select several items in editing mode.
  open var allowsMultipleSelectionDuringEditing = false
  /// Whether the view is in editing mode.
  ///
  /// A change deselects the items that are selected, without telling the delegate.
  open var isEditing = false {
    willSet {
      guard newValue != isEditing else { return }
      for path in selection { deselectItem(at: path, animated: false) }
    }
  }
  /// Whether the user drags something out of the view.
  open internal(set) var hasActiveDrag = false
  /// Whether the user drags something over the view, or drops it there.
  open internal(set) var hasActiveDrop = false
  /// The layout of the content.
  open var collectionViewLayout: UICollectionViewLayout {
    didSet { if collectionViewLayout !== oldValue { layoutChanged(from: oldValue) } }
  }

  override var scrollDelegate: (any UIScrollViewDelegate)? { delegate }

  /// Makes a view with a layout.
  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(frame: frame)
    layout.join(self)
    layout.isValid = false
  }

  /// Always `nil`: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  open override var bounds: CGRect {
    get { super.bounds }
    set {
      var context: UICollectionViewLayoutInvalidationContext?
      if newValue != super.bounds,
        collectionViewLayout.shouldInvalidateLayout(forBoundsChange: newValue)
      {
        context = collectionViewLayout.invalidationContext(forBoundsChange: newValue)
      }
      super.bounds = newValue
      // The context may adjust the offset of the new bounds.
      if let context { collectionViewLayout.invalidateLayout(with: context) }
    }
  }

  // MARK: Counts

  /// The number of sections.
  open var numberOfSections: Int { loadedCounts().count }

  /// The number of items in a section.
  open func numberOfItems(inSection section: Int) -> Int {
    let counts = loadedCounts()
    guard counts.indices.contains(section) else {
      HeadlessException(
        "request for number of items in section \(section) when there are only \(counts.count) "
          + "sections in the collection view"
      ).raise()
      return 0
    }
    return counts[section]
  }

  var countsForLayout: [Int] { loadedCounts() }

  private func loadedCounts() -> [Int] {
    if let counts = session.counts { return counts }
    let counts = askCounts()
    session.counts = counts
    return counts
  }

  func askCounts() -> [Int] {
    countQuestions += 1
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.collectionView(self, numberOfItemsInSection: $0)
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
    cancelInteractiveMovement()
    isReloadPending = true
    selection = []
    highlighted = nil
    prefetched = []
    collectionViewLayout.invalidateLayout()
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
    }
    collectionViewLayout.prepareIfNeeded()
    contentSize = collectionViewLayout.collectionViewContentSize
    showWhatIsVisible()
    checkContent()
    prefetch()
  }

  /// Switches to another layout.
  ///
  /// - Parameters:
  ///   - layout: The layout.
  ///   - animated: Has no effect here.
  open func setCollectionViewLayout(_ layout: UICollectionViewLayout, animated: Bool) {
    collectionViewLayout = layout
  }

  /// Switches to another layout.
  ///
  /// - Parameters:
  ///   - layout: The layout.
  ///   - animated: Whether the completion is called later.
  ///   - completion: Called when the change is over.
  open func setCollectionViewLayout(
    _ layout: UICollectionViewLayout, animated: Bool, completion: ((Bool) -> Void)? = nil
  ) {
    collectionViewLayout = layout
    layoutIfNeeded()
    if let completion { session.wait(for: completion) }
    animationsBegan(animated: animated)
  }

  private func layoutChanged(from old: UICollectionViewLayout) {
    old.join(nil)
    collectionViewLayout.join(self)
    collectionViewLayout.invalidateLayout()
    setNeedsLayout()
    guard !isReloadPending else { return }
    collectionViewLayout.prepareIfNeeded()
    contentSize = collectionViewLayout.collectionViewContentSize
    contentOffset = clamped(targetContentOffset)
  }

  /// The content offset after a batch update: the delegate's, or else the layout's.
  var targetContentOffset: CGPoint {
    delegate?.collectionView(self, targetContentOffsetForProposedContentOffset: contentOffset)
      ?? collectionViewLayout.targetContentOffset(forProposedContentOffset: contentOffset)
  }

  // MARK: For tests

  /// Acts for the user in a test, and counts what the view does.
  ///
  /// Not in UIKit.
  public var headless: HeadlessCollectionView { HeadlessCollectionView(view: self) }
}
