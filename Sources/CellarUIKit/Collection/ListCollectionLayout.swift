public import Foundation
import ListLayout
import ListModel
import Providers

#if canImport(UIKit)
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

  private var placement: ListPlacement?
  /// The items of each section whose size is not only a mean.
  private var known: [IndexSet] = []

  private var adapter: CollectionAdapter? { collectionView?.dataSource as? CollectionAdapter }

  // MARK: Placing

  public override func prepare() {
    super.prepare()
    guard let adapter, let collectionView else {
      placement = nil
      return
    }
    if placement == nil || placement?.container != adapter.container {
      known = Array(repeating: IndexSet(), count: adapter.sectionCount)
      placement = ListPlacement(
        (0..<adapter.sectionCount).map { adapter.measuredSection(at: $0) },
        in: adapter.container, sectionSpacing: sectionSpacing)
    }
    learn(around: collectionView.bounds, adapter)
  }

  /// Finds the sizes of what is in a rectangle, until nothing unknown comes into it any more.
  private func learn(around bounds: CGRect, _ adapter: CollectionAdapter) {
    // Each turn brings in what shorter items make room for: it ends when there are no more.
    while let unknown = unknownItems(in: bounds) {
      placement?.update { edits in
        for (section, items) in unknown {
          for item in items {
            let size = adapter.size(ofItemAt: IndexPath(item: item, section: section))
            _ = edits.setSize(size, at: ItemPath(section: section, item: item))
          }
          known[section].insert(integersIn: items)
        }
      }
    }
  }

  private func unknownItems(in bounds: CGRect) -> [(section: Int, items: Range<Int>)]? {
    guard let ranges = placement?.itemRanges(in: Frame(bounds)) else { return nil }
    let unknown = ranges.filter { !known[$0.section].contains(integersIn: $0.items) }
    return unknown.isEmpty ? nil : unknown
  }

  // MARK: Invalidation

  public override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    if context.invalidateEverything || context.invalidateDataSourceCounts || !(context is Scrolling)
    {
      placement = nil
    }
    super.invalidateLayout(with: context)
  }

  /// The view was scrolled: what is placed is right, as far as it is known.
  private final class Scrolling: UICollectionViewLayoutInvalidationContext {}

  public override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    guard let collectionView, placement != nil else { return true }
    return newBounds.size != collectionView.bounds.size || pinsHeaders
      || unknownItems(in: newBounds) != nil
  }

  public override func invalidationContext(
    forBoundsChange newBounds: CGRect
  ) -> UICollectionViewLayoutInvalidationContext {
    guard let collectionView, let adapter, newBounds.size == collectionView.bounds.size,
      placement != nil
    else { return super.invalidationContext(forBoundsChange: newBounds) }
    let context = Scrolling()
    let shown = firstKnownItem(in: newBounds.intersection(collectionView.bounds))
    learn(around: newBounds, adapter)
    // What is seen already stays where it is, whatever is longer above it than thought.
    if let shown, let frame = placement?.frame(ofItemAt: shown.path) {
      let (x, y) = (frame.x - shown.frame.x, frame.y - shown.frame.y)
      context.contentOffsetAdjustment =
        scrollDirection == .vertical ? CGPoint(x: 0, y: y) : CGPoint(x: x, y: 0)
    }
    return context
  }

  private func firstKnownItem(in bounds: CGRect) -> (path: ItemPath, frame: Frame)? {
    for (section, items) in placement?.itemRanges(in: Frame(bounds)) ?? [] {
      for item in known[section].intersection(IndexSet(integersIn: items)) {
        let path = ItemPath(section: section, item: item)
        if let frame = placement?.frame(ofItemAt: path) { return (path, frame) }
      }
    }
    return nil
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

extension ListAdapter {
  /// A section to be placed, with means for the sizes of its items.
  func measuredSection(at index: Int) -> MeasuredSection {
    let metrics = metrics(ofSection: index)
    let length = metrics.fittingLength(in: container)
    let key = length.sizeKey(axis: host.axis, in: environment)
    let count = itemCount(inSection: index)
    var items = ItemSizes()
    if let section = section(index),
      provider.numberOfItems(inSection: section) == count
    {
      items = provider.itemSizes(ofSection: section, for: key, estimate: estimatedLength)
    } else {
      // Between two stages, a section that is not yet what it will be.
      items.append(
        count: count, totalLength: estimatedLength * Double(count), breadth: length.points,
        axis: host.axis)
    }
    return MeasuredSection(
      metrics: metrics,
      headerLength: size(of: .header, inSection: index).map(host.axis.length(of:)),
      footerLength: size(of: .footer, inSection: index).map(host.axis.length(of:)), items: items)
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
