import BatchUpdates
public import Foundation
import ListLayout
import ListModel
import Providers

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

/// Places each section in the layout that is stored with it: as a list, in lines or as a waterfall,
/// with header and footer.
///
/// It reads or measures the sizes of visible items only. For the rest, the sum of each section's
/// sizes is enough, which the store keeps. When an item above turns out longer than assumed, the
/// visible items stay where they are.
///
/// The view's data source has to be a ``CollectionAdapter``.
@MainActor public final class ListCollectionLayout: UICollectionViewLayout {
  /// The direction in which the content scrolls.
  public var scrollDirection = UICollectionView.ScrollDirection.vertical {
    didSet { invalidateLayout() }
  }
  /// The space between two sections, in points.
  public var sectionSpacing = 0.0 { didSet { invalidateLayout() } }
  /// Whether a header stays visible as long as its section is visible.
  public var pinsHeaders = false { didSet { invalidateLayout() } }

  private var learned: LearningPlacement?
  /// The environment of the sizes in the placement.
  private var environment: LayoutEnvironment?
  /// Whether the placement has the running batch update already.
  private var hasAppliedStage = false

  /// The kinds of decorations that are registered.
  var decorationKinds: Set<String> = []

  var placement: ListPlacement? { learned?.placement }
  var adapter: CollectionAdapter? { collectionView?.dataSource as? CollectionAdapter }

  // MARK: Placing

  public override func prepare() {
    super.prepare()
    guard let adapter, let collectionView else {
      learned = nil
      return
    }
    if learned == nil || placement?.container != adapter.measurer.container
      || environment != adapter.measurer.environment
    {
      environment = adapter.measurer.environment
      learned = LearningPlacement(
        (0..<adapter.display.numberOfSections).map { adapter.measuredSection(at: $0) },
        in: adapter.measurer.container, sectionSpacing: sectionSpacing)
    }
    learned?.learn(in: Frame(collectionView.bounds)) { adapter.size(ofItemAt: $0.indexPath) }
  }

  /// Applies a stage of an update, inside its batch update, after the adapter has the new data.
  func apply(_ stage: Stage) {
    guard let adapter else { return }
    hasAppliedStage = true
    learned?.apply(
      stage, section: { adapter.measuredSection(at: $0) },
      estimate: { adapter.estimatedSize(inSection: $0) })
  }

  /// Places the headers and footers of sections again.
  func updateSections(_ indexes: [Int]) {
    guard let adapter else { return }
    learned?.update(indexes) { adapter.measuredSection(at: $0) }
    invalidateLayout(with: SizesLearned())
  }

  /// Makes the layout ask for the size of an item again when the item is visible.
  func forgetSize(at indexPath: IndexPath) {
    learned?.forget(ItemPath(section: indexPath.section, item: indexPath.item))
    invalidateLayout(with: SizesLearned())
  }

  // MARK: Invalidation

  /// An invalidation that keeps the placement: only sizes or pinned headers change.
  private final class SizesLearned: UICollectionViewLayoutInvalidationContext {}

  public override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    if context.invalidateEverything || (context.invalidateDataSourceCounts && !hasAppliedStage) {
      learned = nil
    }
    hasAppliedStage = false
    super.invalidateLayout(with: context)
  }

  public override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    guard let collectionView, let learned else { return true }
    return newBounds.size != collectionView.bounds.size || pinsHeaders
      || learned.hasUnknownItems(in: Frame(newBounds))
  }

  public override func invalidationContext(
    forBoundsChange newBounds: CGRect
  ) -> UICollectionViewLayoutInvalidationContext {
    guard let collectionView, let adapter, newBounds.size == collectionView.bounds.size,
      let before = placement
    else { return super.invalidationContext(forBoundsChange: newBounds) }
    let context = SizesLearned()
    let seen = learned?.firstKnownItem(in: Frame(newBounds.intersection(collectionView.bounds)))
    learned?.learn(in: Frame(newBounds)) { adapter.size(ofItemAt: $0.indexPath) }
    // An item that was visible before keeps its place on the screen, even if items above it turned
    // out longer than assumed.
    if let seen, let old = before.frame(ofItemAt: seen),
      let new = placement?.frame(ofItemAt: seen)
    {
      context.contentOffsetAdjustment =
        scrollDirection == .vertical
        ? CGPoint(x: 0, y: new.y - old.y) : CGPoint(x: new.x - old.x, y: 0)
    }
    return context
  }

  // MARK: Attributes

  public override var collectionViewContentSize: CGSize {
    placement.map { CGSize(width: $0.contentSize.width, height: $0.contentSize.height) } ?? .zero
  }

  public override func layoutAttributesForElements(
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
    if pinsHeaders {
      // A section whose beginning is not visible has its header pinned.
      for section in Set(attributes.map(\.indexPath.section)).subtracting(headers).sorted() {
        guard let frame = placement.frame(of: .header, inSection: section) else { continue }
        attributes.append(self.attributes(of: .header, inSection: section, frame))
      }
    }
    return attributes
  }

  public override func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    let path = ItemPath(section: indexPath.section, item: indexPath.item)
    return placement?.frame(ofItemAt: path).map { attributes(ofItemAt: path, $0) }
  }

  public override func layoutAttributesForSupplementaryView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    guard let kind = Supplementary.Kind(elementKind: elementKind),
      let frame = placement?.frame(of: kind, inSection: indexPath.section)
    else { return nil }
    return attributes(of: kind, inSection: indexPath.section, frame)
  }

  public override func layoutAttributesForDecorationView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    guard let decorations = adapter?.display.attributes(ofSection: indexPath.section)?.decorations,
      decorations.indices.contains(indexPath.item)
    else { return nil }
    return self.attributes(of: decorations[indexPath.item], at: indexPath)
  }

  private func attributes(
    ofItemAt path: ItemPath, _ frame: Frame
  ) -> UICollectionViewLayoutAttributes {
    let attributes = UICollectionViewLayoutAttributes(forCellWith: path.indexPath)
    attributes.frame = CGRect(frame)
    return attributes
  }

  private func attributes(
    of kind: Supplementary.Kind, inSection index: Int, _ frame: Frame
  ) -> UICollectionViewLayoutAttributes {
    let attributes = UICollectionViewLayoutAttributes(
      forSupplementaryViewOfKind: kind.elementKind, with: IndexPath(item: 0, section: index))
    attributes.frame = CGRect(frame)
    if pinsHeaders, kind == .header, let bounds = collectionView?.bounds,
      let pinned = placement?.pinnedFrameOfHeader(inSection: index, visible: Frame(bounds))
    {
      attributes.frame = CGRect(pinned)
      attributes.zIndex = 1
    }
    return attributes
  }
}

extension Frame {
  init(_ rect: CGRect) {
    self.init(
      x: Double(rect.minX), y: Double(rect.minY), width: Double(rect.width),
      height: Double(rect.height))
  }
}

extension CGRect {
  init(_ frame: Frame) {
    self.init(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
  }
}
