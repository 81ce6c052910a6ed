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

/// Places each section of a list as the store says: as a list, in lines, or as a waterfall; with headers and
/// footers.
///
/// It needs no size of what is not seen: how long a section is, the sums say that the store keeps. Of what
/// comes into sight, sizes are read, or measured, and what is seen stays where it is.
///
/// The view's data source is a ``CollectionAdapter``.
@MainActor public final class ListCollectionLayout: UICollectionViewLayout {
  /// The direction in which the content is longer than the view.
  public var scrollDirection = UICollectionView.ScrollDirection.vertical {
    didSet { invalidateLayout() }
  }
  /// Between sections, in points.
  public var sectionSpacing = 0.0 { didSet { invalidateLayout() } }
  /// Whether headers stay in sight as long as their section is.
  public var pinsHeaders = false { didSet { invalidateLayout() } }

  private var learned: LearningPlacement?
  /// What the sizes depend on that it has.
  private var environment: LayoutEnvironment?
  /// Whether the batch that is on its way was gone along with.
  private var hasFollowed = false

  /// The kinds of decorations that are registered here.
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
    if learned == nil || placement?.container != adapter.container
      || environment != adapter.environment
    {
      environment = adapter.environment
      learned = LearningPlacement(
        (0..<adapter.sectionCount).map { adapter.measuredSection(at: $0) },
        in: adapter.container, sectionSpacing: sectionSpacing)
    }
    learned?.learn(in: Frame(collectionView.bounds)) { adapter.size(ofItemAt: $0.indexPath) }
  }

  /// Goes along with a stage that the view is told: inside of its batch, once the data is swapped.
  func follow(_ stage: Stage) {
    guard let adapter else { return }
    hasFollowed = true
    learned?.follow(
      stage, section: { adapter.measuredSection(at: $0) },
      estimate: { adapter.estimatedSize(inSection: $0) })
  }

  /// Places the headers and footers of sections again.
  func updateSections(_ indexes: [Int]) {
    guard let adapter else { return }
    learned?.update(indexes) { adapter.measuredSection(at: $0) }
    invalidateLayout(with: Learning())
  }

  /// Has the size of an item be found again when it is seen.
  func forgetSize(at indexPath: IndexPath) {
    learned?.forget(ItemPath(section: indexPath.section, item: indexPath.item))
    invalidateLayout(with: Learning())
  }

  // MARK: Invalidation

  /// Something more is known, or in sight: what is placed is right otherwise.
  private final class Learning: UICollectionViewLayoutInvalidationContext {}

  public override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    if context.invalidateEverything || (context.invalidateDataSourceCounts && !hasFollowed) {
      learned = nil
    }
    hasFollowed = false
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
    let context = Learning()
    let seen = learned?.firstKnownItem(in: Frame(newBounds.intersection(collectionView.bounds)))
    learned?.learn(in: Frame(newBounds)) { adapter.size(ofItemAt: $0.indexPath) }
    // What is seen already stays where it is, whatever is longer above it than thought.
    if let seen, let old = before.frame(ofItemAt: seen),
      let new = placement?.frame(ofItemAt: seen)
    {
      context.contentOffsetAdjustment =
        scrollDirection == .vertical
        ? CGPoint(x: 0, y: new.y - old.y) : CGPoint(x: new.x - old.x, y: 0)
    }
    return context
  }

  // MARK: Answers

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
      // Of a section that is seen without its beginning.
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
    guard let decorations = adapter?.attributes(ofSection: indexPath.section)?.decorations,
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
