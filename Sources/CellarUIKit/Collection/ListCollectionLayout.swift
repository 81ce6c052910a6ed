import BatchUpdates
public import Foundation
import ListItems
import ListLayout
import ListModel
import ListSync
public import ListViews
import Providers

/// Places each section in the layout that is stored with it: as a list, in lines or as a waterfall,
/// with header and footer.
///
/// It reads or measures the sizes of visible items only. For the rest, the sum of each section's
/// sizes is enough, which the store keeps. When an item above turns out longer than assumed, the
/// visible items stay where they are.
///
/// The view's data source has to be a ``CollectionAdapter``. A subclass may have attributes of a
/// class of its own, with `layoutAttributesClass`.
///
/// For right-to-left text the view flips the layout: "left" in a section's insets is then the edge
/// where text begins.
@MainActor open class ListCollectionLayout: UICollectionViewLayout {
  /// The direction in which the content scrolls.
  public var scrollDirection = UICollectionView.ScrollDirection.vertical {
    didSet { invalidateLayout() }
  }
  /// The space between two sections, in points.
  public var sectionSpacing = 0.0 { didSet { invalidateLayout() } }
  /// Whether a header stays visible as long as its section is visible.
  public var pinsHeaders = false { didSet { invalidateLayout() } }

  private(set) var learned: LearningPlacement?
  /// The environment of the sizes in the placement.
  private var environment: LayoutEnvironment?
  /// The stage whose batch update is running, until the view invalidates the layout for it.
  private var pendingStage: Stage?
  /// Whether the placement has got the stage of the running batch update.
  private var hasAppliedStage = false
  /// The headers, footers and decorations that the running batch update removes and adds.
  private var elementChanges = ElementChanges()

  /// The kinds of decorations that are registered.
  var decorationKinds: Set<String> = []
  /// Those of them that are decorations of items.
  var itemDecorationKinds: Set<String> = []
  /// How far decorations of items were seen to reach beyond their items, in points.
  var decorationReach = 0.0

  var placement: ListPlacement? { learned?.placement }
  var adapter: CollectionAdapter? { collectionView?.dataSource as? CollectionAdapter }

  // MARK: Placing

  open override func prepare() {
    super.prepare()
    guard let adapter, let collectionView else {
      learned = nil
      return
    }
    applyPendingStage()
    hasAppliedStage = false
    place(adapter)
    learned?.learn(in: Frame(collectionView.bounds)) { size(at: $0, of: adapter) }
  }

  /// Places everything if nothing is placed yet, or was placed in other room.
  private func place(_ adapter: CollectionAdapter) {
    // The view flips the coordinates for right-to-left text, all of them at once.
    var container = adapter.collectionHost.answering(self) { adapter.sizes.measurer.container }
    container.isMirrored = false
    if learned == nil || placement?.container != container
      || environment != adapter.sizes.measurer.environment
    {
      environment = adapter.sizes.measurer.environment
      learned = LearningPlacement(
        (0..<adapter.screen.display.numberOfSections).map { section(at: $0, of: adapter) },
        in: container, sectionSpacing: sectionSpacing)
      placeGaps(adapter)
    }
  }

  /// Gives the gaps their sizes, wherever they are: a gap can be longer than all the rest.
  private func placeGaps(_ adapter: CollectionAdapter) {
    for path in adapter.screen.gapPlaces.keys {
      let size = adapter.collectionHost.answering(self) { adapter.sizes.size(ofGapAt: path) }
      if let size { learned?.learn(size, at: ItemPath(path)) }
    }
  }

  /// The size of the content as far as it is known without measuring.
  var assumedContentSize: CGSize {
    if let adapter { place(adapter) }
    return collectionViewContentSize
  }

  /// The frame of an item as far as it is known without measuring; `nil` if there is no such item.
  func assumedFrame(ofItemAt indexPath: IndexPath) -> CGRect? {
    if let adapter { place(adapter) }
    return placement?.frame(ofItemAt: ItemPath(indexPath)).map { CGRect($0) }
  }

  private func section(at index: Int, of adapter: CollectionAdapter) -> DecoratedSection {
    DecoratedSection(
      measured: adapter.collectionHost.answering(self) { adapter.sizes.measuredSection(at: index) },
      decorations: adapter.screen.display.attributes(ofSection: index)?.decorations ?? [])
  }

  /// The size of an item; `nil` if its cell sizes itself on display.
  private func size(at path: ItemPath, of adapter: CollectionAdapter) -> Size? {
    adapter.collectionHost.answering(self) {
      adapter.sizes.isSizedOnDisplay(at: path.indexPath)
        ? nil : adapter.size(ofItemAt: path.indexPath)
    }
  }

  /// Prepares for a stage of an update, inside its batch update, after the adapter has the new
  /// data.
  ///
  /// The placement stays as it is until the view invalidates the layout: before that, the view may
  /// still ask for places of the old state.
  func apply(_ stage: Stage) {
    // The view did not ask for the stage before this one. Its data is gone.
    if pendingStage != nil { learned = nil }
    pendingStage = stage
    // Without items that come, go or move, a view may see no reason to invalidate its layout.
    if !stage.isStructural { invalidateLayout(with: SizesLearned()) }
  }

  private func applyPendingStage() {
    guard let stage = pendingStage else { return }
    pendingStage = nil
    hasAppliedStage = true
    guard let adapter, learned != nil else { return }
    let before = changingElements(in: stage)
    let inSight = collectionView.flatMap { layoutAttributesForElements(in: $0.bounds) } ?? []
    learned?.apply(
      stage, section: { self.section(at: $0, of: adapter) },
      estimate: { index in
        adapter.collectionHost.answering(self) { adapter.sizes.estimatedSize(inSection: index) }
      })
    // What is stored is read again without measuring.
    if adapter.list.types.hasSizesByPlace { learned?.forgetSizes() }
    if adapter.list.supplementaryTypes.hasSizesByPlace {
      let sections = Array(0..<adapter.screen.display.numberOfSections)
      learned?.update(sections) { section(at: $0, of: adapter) }
    }
    placeGaps(adapter)
    elementChanges = ElementChanges(
      from: before, to: changingElements(in: stage), inSight: inSight, in: stage,
      itemKinds: itemDecorationKinds)
  }

  /// Places the headers and footers of sections again.
  func updateSections(_ indexes: [Int]) {
    guard let adapter else { return }
    learned?.update(indexes) { section(at: $0, of: adapter) }
    placeGaps(adapter)
    invalidateLayout(with: SizesLearned())
  }

  /// Makes the layout ask for the size of an item again when the item is visible.
  func forgetSize(at indexPath: IndexPath) {
    learned?.forget(ItemPath(indexPath))
    invalidateLayout(with: SizesLearned(of: [indexPath]))
  }

  // MARK: Invalidation

  /// An invalidation that keeps the placement: only sizes or pinned headers change.
  final class SizesLearned: UICollectionViewLayoutInvalidationContext {
    /// `paths`: The items whose cells have to size themselves again.
    convenience init(of paths: [IndexPath]) {
      self.init()
      invalidateItems(at: paths)
    }
  }

  open override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    if context.invalidateEverything {
      learned = nil
      pendingStage = nil
      elementChanges = ElementChanges()
    } else if context.invalidateDataSourceCounts {
      applyPendingStage()
      // Something else changed the data, a drop for instance.
      if !hasAppliedStage { learned = nil }
    }
    super.invalidateLayout(with: context)
  }

  /// True: in a right-to-left environment the view flips the layout.
  open override var flipsHorizontallyInOppositeLayoutDirection: Bool { true }

  /// From left to right.
  open override var developmentLayoutDirection: UIUserInterfaceLayoutDirection { .leftToRight }

  open override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    guard let collectionView, let learned else { return true }
    return newBounds.size != collectionView.bounds.size || pinsHeaders
      || learned.hasUnknownItems(in: Frame(newBounds))
  }

  open override func invalidationContext(
    forBoundsChange newBounds: CGRect
  ) -> UICollectionViewLayoutInvalidationContext {
    guard let collectionView, let adapter, newBounds.size == collectionView.bounds.size,
      let before = placement
    else {
      let context = super.invalidationContext(forBoundsChange: newBounds)
      // In another width, cells have other lengths.
      context.invalidateItems(at: collectionView?.indexPathsForVisibleItems ?? [])
      return context
    }
    let context = SizesLearned()
    let seen = learned?.firstKnownItem(in: Frame(newBounds.intersection(collectionView.bounds)))
    learned?.learn(in: Frame(newBounds)) { size(at: $0, of: adapter) }
    let shift = shift(of: seen, since: before)
    let overshoot = overshoot(of: newBounds, shiftedBy: shift, since: before)
    context.contentOffsetAdjustment = CGPoint(x: shift.x - overshoot.x, y: shift.y - overshoot.y)
    return context
  }

  /// How far bounds that ended in the content end beyond it now, because what came into sight turned
  /// out shorter than assumed.
  private func overshoot(
    of bounds: CGRect, shiftedBy shift: CGPoint, since before: ListPlacement
  ) -> CGPoint {
    guard let insets = collectionView?.adjustedContentInset else { return .zero }
    let (old, new) = (before.contentSize, collectionViewContentSize)
    func length(
      _ end: CGFloat, _ shift: CGFloat, _ old: CGFloat, _ new: CGFloat, least: CGFloat
    ) -> CGFloat {
      // Who drags beyond the end has the view to bounce back.
      end > old + 0.5 ? 0 : max(0, min(end + shift - new, least))
    }
    return CGPoint(
      x: length(
        bounds.maxX, shift.x, CGFloat(old.width) + insets.right, new.width + insets.right,
        least: bounds.minX + shift.x + insets.left),
      y: length(
        bounds.maxY, shift.y, CGFloat(old.height) + insets.bottom, new.height + insets.bottom,
        least: bounds.minY + shift.y + insets.top))
  }

  /// How far an item moved, so that it keeps its place on the screen, even if items above it turned
  /// out longer than assumed.
  private func shift(of seen: ItemPath?, since before: ListPlacement) -> CGPoint {
    guard let seen, let old = before.frame(ofItemAt: seen),
      let new = placement?.frame(ofItemAt: seen)
    else { return .zero }
    return scrollDirection == .vertical
      ? CGPoint(x: 0, y: new.y - old.y) : CGPoint(x: new.x - old.x, y: 0)
  }

  // MARK: Cells that size themselves

  open override func shouldInvalidateLayout(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> Bool {
    guard originalAttributes.representedElementCategory == .cell, let adapter,
      learned?.isKnown(ItemPath(originalAttributes.indexPath)) == false
    else { return false }
    return size(at: ItemPath(originalAttributes.indexPath), of: adapter) == nil
  }

  open override func invalidationContext(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutInvalidationContext {
    let path = originalAttributes.indexPath
    let context = SizesLearned(of: [path])
    guard let adapter, let collectionView, let before = placement else { return context }
    // A cell that comes into sight pushes away what is before it, for instance above the screen.
    let isNew = adapter.itemID(at: path).flatMap { adapter.cell(of: $0) } == nil
    let seen = learned?.firstKnownItem(
      in: Frame(collectionView.bounds), after: isNew ? ItemPath(path) : nil)
    let size = adapter.collectionHost.answering(self) {
      adapter.keepSize(
        preferring: preferredAttributes.size, over: originalAttributes.size, at: path)
    }
    learned?.learn(size, at: ItemPath(path))
    // At the very beginning new items come into sight.
    if !isAtBeginning(collectionView) {
      context.contentOffsetAdjustment = shift(of: seen, since: before)
    }
    return context
  }

  private func isAtBeginning(_ view: UICollectionView) -> Bool {
    let (offset, insets) = (view.contentOffset, view.adjustedContentInset)
    return scrollDirection == .vertical
      ? offset.y + insets.top <= 0.5 : offset.x + insets.left <= 0.5
  }

  // MARK: Attributes

  open override var collectionViewContentSize: CGSize {
    placement.map { CGSize(width: $0.contentSize.width, height: $0.contentSize.height) } ?? .zero
  }

  open override func layoutAttributesForElements(
    in rect: CGRect
  ) -> [UICollectionViewLayoutAttributes]? {
    guard let placement else { return nil }
    var attributes: [UICollectionViewLayoutAttributes] = []
    var headers: Set<Int> = []
    for element in placement.elements(in: Frame(rect)) {
      switch element.element {
      case .item(let path): attributes.append(self.attributes(ofItemAt: path, element.frame))
      case .supplementary(let kind, let section):
        if kind == .header { headers.insert(section) }
        attributes.append(self.attributes(of: kind, inSection: section, element.frame))
      }
    }
    attributes += Set(attributes.map(\.indexPath.section)).sorted()
      .flatMap { decorations(ofSection: $0, in: rect) }
    attributes += decorationsOfItems(in: rect)
    if pinsHeaders {
      // A section whose beginning is not visible has its header pinned.
      for section in Set(attributes.map(\.indexPath.section)).subtracting(headers).sorted() {
        guard let frame = placement.frame(of: .header, inSection: section) else { continue }
        attributes.append(self.attributes(of: .header, inSection: section, frame))
      }
    }
    return attributes
  }

  open override func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    let path = ItemPath(section: indexPath.section, item: indexPath.item)
    return placement?.frame(ofItemAt: path).map { attributes(ofItemAt: path, $0) }
  }

  open override func layoutAttributesForSupplementaryView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    // During an update the view still asks for what was.
    supplementary(elementKind, at: indexPath)
      ?? elementChanges.attributesBefore(.supplementaryView, elementKind, at: indexPath)
  }

  open override func layoutAttributesForDecorationView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    itemDecorationKinds.contains(elementKind)
      ? itemDecoration(elementKind, at: indexPath)
      : decoration(elementKind, at: indexPath)
        ?? elementChanges.attributesBefore(.decorationView, elementKind, at: indexPath)
  }

  // MARK: What comes and goes in a batch update

  open override func indexPathsToDeleteForSupplementaryView(
    ofKind elementKind: String
  ) -> [IndexPath] {
    super.indexPathsToDeleteForSupplementaryView(ofKind: elementKind)
      + elementChanges.deletedPaths(.supplementaryView, elementKind)
  }

  open override func indexPathsToInsertForSupplementaryView(
    ofKind elementKind: String
  ) -> [IndexPath] {
    super.indexPathsToInsertForSupplementaryView(ofKind: elementKind)
      + elementChanges.insertedPaths(.supplementaryView, elementKind)
  }

  open override func indexPathsToDeleteForDecorationView(
    ofKind elementKind: String
  ) -> [IndexPath] {
    super.indexPathsToDeleteForDecorationView(ofKind: elementKind)
      + elementChanges.deletedPaths(.decorationView, elementKind)
  }

  open override func indexPathsToInsertForDecorationView(
    ofKind elementKind: String
  ) -> [IndexPath] {
    super.indexPathsToInsertForDecorationView(ofKind: elementKind)
      + elementChanges.insertedPaths(.decorationView, elementKind)
  }

  open override func initialLayoutAttributesForAppearingSupplementaryElement(
    ofKind elementKind: String, at elementIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    elementChanges.initialAttributes(supplementary(elementKind, at: elementIndexPath))
      ?? super.initialLayoutAttributesForAppearingSupplementaryElement(
        ofKind: elementKind, at: elementIndexPath)
  }

  open override func finalLayoutAttributesForDisappearingSupplementaryElement(
    ofKind elementKind: String, at elementIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    elementChanges.finalAttributes(.supplementaryView, elementKind, at: elementIndexPath)
      ?? super.finalLayoutAttributesForDisappearingSupplementaryElement(
        ofKind: elementKind, at: elementIndexPath)
  }

  open override func initialLayoutAttributesForAppearingDecorationElement(
    ofKind elementKind: String, at decorationIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    elementChanges.initialAttributes(
      layoutAttributesForDecorationView(ofKind: elementKind, at: decorationIndexPath))
      ?? super.initialLayoutAttributesForAppearingDecorationElement(
        ofKind: elementKind, at: decorationIndexPath)
  }

  open override func finalLayoutAttributesForDisappearingDecorationElement(
    ofKind elementKind: String, at decorationIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    elementChanges.finalAttributes(.decorationView, elementKind, at: decorationIndexPath)
      ?? super.finalLayoutAttributesForDisappearingDecorationElement(
        ofKind: elementKind, at: decorationIndexPath)
  }

  open override func finalizeCollectionViewUpdates() {
    super.finalizeCollectionViewUpdates()
    elementChanges = ElementChanges()
  }
}
