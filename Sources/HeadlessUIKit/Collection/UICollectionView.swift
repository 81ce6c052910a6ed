public import Foundation

/// A collection view without a screen: it keeps the cells that a visible rectangle shows, as UIKit does,
/// and refuses what UIKit refuses.
///
/// Nothing happens by itself but the completions of updates: layout is done in `layoutIfNeeded()`. What a
/// user does, and what a test counts, is in ``headless``.
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

  /// Where an item is put when the view scrolls to it.
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

  // What it knows of the list.
  let session = ListSession(.collection)
  var isReloadPending = true
  /// How often the data source was asked how many sections there are.
  var countQuestions = 0

  // What it shows.
  var cells: [IndexPath: UICollectionViewCell] = [:]
  var elements: [ElementKey: UICollectionReusableView] = [:]
  /// What an animation still takes away, with the paths that it had.
  var leavingCells: [(cell: UICollectionViewCell, path: IndexPath)] = []
  var leavingElements: [(view: UICollectionReusableView, key: ElementKey)] = []
  let cellQueues = ReuseQueues<UICollectionViewCell>()
  let elementQueues = ReuseQueues<UICollectionReusableView>()
  var request: DequeueRequest?

  // What the user did.
  var selection: Set<IndexPath> = []
  var highlighted: IndexPath?
  var movement: InteractiveMovement?
  var prefetched: Set<IndexPath> = []
  var lastPrefetchOffset: CGPoint = .zero
  var expectedContent: (@MainActor (IndexPath) -> HeadlessContent?)?

  /// Says what there is.
  open weak var dataSource: (any UICollectionViewDataSource)? {
    didSet { if dataSource !== oldValue { reloadData() } }
  }
  /// Is asked and told what the user does.
  open weak var delegate: (any UICollectionViewDelegate)?
  /// Is told which items will be needed soon.
  open weak var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?
  /// Whether ``prefetchDataSource`` is told.
  open var isPrefetchingEnabled = true
  /// Whether the user may select items.
  open var allowsSelection = true
  /// Whether the user may select several items.
  open var allowsMultipleSelection = false
  /// Whether the user drags something that comes from here.
  open internal(set) var hasActiveDrag = false
  /// Whether the user drags something over it, or drops it.
  open internal(set) var hasActiveDrop = false
  /// Decides where what goes.
  open var collectionViewLayout: UICollectionViewLayout {
    didSet { if collectionViewLayout !== oldValue { layoutChanged(from: oldValue) } }
  }

  override var scrollDelegate: (any UIScrollViewDelegate)? { delegate }

  /// A view with a layout.
  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(frame: frame)
    layout.collectionView = self
    layout.isValid = false
  }

  /// Nothing: there are no archives of views here.
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
      // It may move the offset on from the new bounds.
      if let context { collectionViewLayout.invalidateLayout(with: context) }
    }
  }

  // MARK: Counts

  /// How many sections there are.
  open var numberOfSections: Int { loadedCounts().count }

  /// How many items a section holds.
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

  /// Forgets everything, and asks again when it is laid out.
  ///
  /// The selection is lost.
  open func reloadData() {
    session.reload()
    guard !session.isUpdating else { return }
    cancelInteractiveMovement()
    isReloadPending = true
    selection = []
    highlighted = nil
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
  ///   - animated: Nothing here.
  open func setCollectionViewLayout(_ layout: UICollectionViewLayout, animated: Bool) {
    collectionViewLayout = layout
  }

  /// Switches to another layout.
  ///
  /// - Parameters:
  ///   - layout: The layout.
  ///   - animated: Whether the completion comes later.
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
    old.collectionView = nil
    collectionViewLayout.collectionView = self
    collectionViewLayout.invalidateLayout()
    setNeedsLayout()
    guard !isReloadPending else { return }
    collectionViewLayout.prepareIfNeeded()
    contentSize = collectionViewLayout.collectionViewContentSize
    contentOffset = clamped(targetContentOffset)
  }

  /// Where the visible part is to begin: the delegate has the last word.
  var targetContentOffset: CGPoint {
    delegate?.collectionView(self, targetContentOffsetForProposedContentOffset: contentOffset)
      ?? collectionViewLayout.targetContentOffset(forProposedContentOffset: contentOffset)
  }

  // MARK: What a test does

  /// What a user does, and what a test counts.
  ///
  /// Not in UIKit.
  public var headless: HeadlessCollectionView { HeadlessCollectionView(view: self) }
}
