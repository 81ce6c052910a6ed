public import Foundation

extension UICollectionView {
  /// The direction of scrolling.
  public enum ScrollDirection: Int, Sendable {
    /// Lines are rows.
    case vertical = 0
    /// Lines are columns.
    case horizontal = 1
  }
}

/// Places items in lines, section after section, with headers and footers.
open class UICollectionViewFlowLayout: UICollectionViewLayout {
  /// The minimum space between lines.
  open var minimumLineSpacing: CGFloat = 10 { didSet { invalidateLayout() } }
  /// The minimum space between the items of a line.
  open var minimumInteritemSpacing: CGFloat = 10 { didSet { invalidateLayout() } }
  /// The size of items, if the delegate gives none.
  open var itemSize = CGSize(width: 50, height: 50) { didSet { invalidateLayout() } }
  /// The assumed size of items whose cells size themselves; zero, the default, turns that off.
  ///
  /// With another value, a cell on display has the size that it prefers, whatever the delegate
  /// says.
  open var estimatedItemSize: CGSize = .zero { didSet { invalidateLayout() } }
  /// The value of ``estimatedItemSize`` for cells that size themselves without an assumption.
  public class var automaticSize: CGSize {
    CGSize(width: CGFloat.greatestFiniteMagnitude, height: CGFloat.greatestFiniteMagnitude)
  }
  /// The direction of scrolling.
  open var scrollDirection = UICollectionView.ScrollDirection.vertical {
    didSet { invalidateLayout() }
  }
  /// The size of headers, if the delegate gives none.
  ///
  /// Only the length in the direction of scrolling counts.
  open var headerReferenceSize: CGSize = .zero { didSet { invalidateLayout() } }
  /// The size of footers, if the delegate gives none.
  ///
  /// Only the length in the direction of scrolling counts.
  open var footerReferenceSize: CGSize = .zero { didSet { invalidateLayout() } }
  /// The insets around the items of a section, if the delegate gives none.
  open var sectionInset: UIEdgeInsets = .zero { didSet { invalidateLayout() } }

  private struct Metrics {
    var insets: UIEdgeInsets
    var lineSpacing: CGFloat
    var itemSpacing: CGFloat
    var header: CGSize
    var footer: CGSize
    var items: [CGSize]
  }

  private struct PlacedSection {
    var frame: CGRect
    var header: UICollectionViewLayoutAttributes?
    var footer: UICollectionViewLayoutAttributes?
    var items: [UICollectionViewLayoutAttributes]
  }

  private var metrics: [Metrics]?
  private var placed: [PlacedSection] = []
  private var contentSize: CGSize = .zero
  private var isVertical: Bool { scrollDirection == .vertical }

  /// A layout of rows.
  public override nonisolated init() { super.init() }

  /// Always `nil`: there are no archives of layouts here.
  public required init?(coder: NSCoder) { nil }

  // MARK: Invalidation

  open override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    let flow = context as? UICollectionViewFlowLayoutInvalidationContext
    if flow?.invalidateFlowLayoutDelegateMetrics ?? true { metrics = nil }
    super.invalidateLayout(with: context)
  }

  open override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    guard let old = collectionView?.bounds.size else { return false }
    return isVertical ? newBounds.width != old.width : newBounds.height != old.height
  }

  open override func invalidationContext(
    forBoundsChange newBounds: CGRect
  ) -> UICollectionViewLayoutInvalidationContext {
    // The delegate is not asked again after a rotation, unless the app invalidates the layout.
    let context = UICollectionViewFlowLayoutInvalidationContext()
    context.invalidateFlowLayoutDelegateMetrics = false
    return context
  }

  open override func shouldInvalidateLayout(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> Bool {
    estimatedItemSize != .zero && originalAttributes.representedElementCategory == .cell
      && preferredAttributes.size != originalAttributes.size
  }

  open override func invalidationContext(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutInvalidationContext {
    let path = originalAttributes.indexPath
    metrics?[path.section].items[path.item] = preferredAttributes.size
    let context = UICollectionViewFlowLayoutInvalidationContext()
    context.invalidateFlowLayoutDelegateMetrics = false
    context.invalidateItems(at: [path])
    return context
  }

  // MARK: Placing

  open override func prepare() {
    super.prepare()
    guard let view = collectionView else { return }
    let counts = view.countsForLayout
    if metrics?.map(\.items.count) != counts { metrics = nil }
    let metrics = metrics ?? counts.enumerated().map { measure($0, count: $1, in: view) }
    self.metrics = metrics
    let length = isVertical ? view.bounds.width : view.bounds.height
    let insets = view.adjustedContentInset
    let container =
      length - (isVertical ? insets.left + insets.right : insets.top + insets.bottom)
    var offset: CGFloat = 0
    placed = []
    for (section, metrics) in metrics.enumerated() {
      placed.append(place(section, metrics, container: container, offset: &offset))
    }
    contentSize = rect(line: 0, scroll: 0, .init(line: container, scroll: offset)).size
  }

  private func measure(_ section: Int, count: Int, in view: UICollectionView) -> Metrics {
    guard let delegate = view.delegate as? any UICollectionViewDelegateFlowLayout else {
      return Metrics(
        insets: sectionInset, lineSpacing: minimumLineSpacing,
        itemSpacing: minimumInteritemSpacing, header: headerReferenceSize,
        footer: footerReferenceSize, items: Array(repeating: itemSize, count: count))
    }
    return Metrics(
      insets: delegate.collectionView(view, layout: self, insetForSectionAt: section),
      lineSpacing: delegate.collectionView(
        view, layout: self, minimumLineSpacingForSectionAt: section),
      itemSpacing: delegate.collectionView(
        view, layout: self, minimumInteritemSpacingForSectionAt: section),
      header: delegate.collectionView(view, layout: self, referenceSizeForHeaderInSection: section),
      footer: delegate.collectionView(view, layout: self, referenceSizeForFooterInSection: section),
      items: (0..<count).map {
        delegate.collectionView(
          view, layout: self, sizeForItemAt: IndexPath(item: $0, section: section))
      })
  }

  private func place(
    _ section: Int, _ metrics: Metrics, container: CGFloat, offset: inout CGFloat
  ) -> PlacedSection {
    let start = offset
    let header = supplementary(
      UICollectionView.elementKindSectionHeader, section, metrics.header, container, &offset)
    let insets = metrics.insets
    let (frames, end) = FlowArithmetic.place(
      metrics.items.map(length), in: container, from: offset,
      insets: isVertical
        ? .init(line: (insets.left, insets.right), scroll: (insets.top, insets.bottom))
        : .init(line: (insets.top, insets.bottom), scroll: (insets.left, insets.right)),
      itemSpacing: metrics.itemSpacing, lineSpacing: metrics.lineSpacing)
    offset = end
    let items = frames.enumerated().map { item, frame in
      let attributes = UICollectionViewLayoutAttributes(
        forCellWith: IndexPath(item: item, section: section))
      attributes.frame = rect(line: frame.line, scroll: frame.scroll, frame.size)
      attributes.isEstimated = estimatedItemSize != .zero
      return attributes
    }
    let footer = supplementary(
      UICollectionView.elementKindSectionFooter, section, metrics.footer, container, &offset)
    return PlacedSection(
      frame: rect(line: 0, scroll: start, .init(line: container, scroll: offset - start)),
      header: header, footer: footer, items: items)
  }

  private func supplementary(
    _ kind: String, _ section: Int, _ size: CGSize, _ container: CGFloat, _ offset: inout CGFloat
  ) -> UICollectionViewLayoutAttributes? {
    let height = length(size).scroll
    guard height > 0 else { return nil }
    let attributes = UICollectionViewLayoutAttributes(
      forSupplementaryViewOfKind: kind, with: IndexPath(item: 0, section: section))
    attributes.frame = rect(line: 0, scroll: offset, .init(line: container, scroll: height))
    offset += height
    return attributes
  }

  private func length(_ size: CGSize) -> FlowArithmetic.Length {
    isVertical
      ? .init(line: size.width, scroll: size.height) : .init(line: size.height, scroll: size.width)
  }

  private func rect(line: CGFloat, scroll: CGFloat, _ size: FlowArithmetic.Length) -> CGRect {
    isVertical
      ? CGRect(x: line, y: scroll, width: size.line, height: size.scroll)
      : CGRect(x: scroll, y: line, width: size.scroll, height: size.line)
  }

  // MARK: Answers

  open override var collectionViewContentSize: CGSize { contentSize }

  open override func layoutAttributesForElements(
    in rect: CGRect
  ) -> [UICollectionViewLayoutAttributes]? {
    var found: [UICollectionViewLayoutAttributes] = []
    for section in placed where section.frame.overlaps(rect) {
      if let header = section.header, header.frame.overlaps(rect) { found.append(header) }
      found += section.items.filter { $0.frame.overlaps(rect) }
      if let footer = section.footer, footer.frame.overlaps(rect) { found.append(footer) }
    }
    return found
  }

  open override func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    guard placed.indices.contains(indexPath.section),
      placed[indexPath.section].items.indices.contains(indexPath.item)
    else { return nil }
    return placed[indexPath.section].items[indexPath.item]
  }

  open override func layoutAttributesForSupplementaryView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    guard placed.indices.contains(indexPath.section), indexPath.item == 0 else { return nil }
    let section = placed[indexPath.section]
    switch elementKind {
    case UICollectionView.elementKindSectionHeader: return section.header
    case UICollectionView.elementKindSectionFooter: return section.footer
    default: return nil
    }
  }
}
