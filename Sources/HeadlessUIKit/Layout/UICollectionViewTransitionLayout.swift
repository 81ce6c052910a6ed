public import Foundation

/// The layout of a view that is between two others, as far as the user has come.
///
/// Both layouts have the view as theirs during the transition: each is prepared, and asks the
/// delegate for its own sizes. Elements are between their places in the two.
open class UICollectionViewTransitionLayout: UICollectionViewLayout {
  /// The share of the transition, from 0 for ``currentLayout`` to 1 for ``nextLayout``.
  ///
  /// Invalidate the layout after a change.
  open var transitionProgress: CGFloat = 0
  private var animatedValues: [String: CGFloat] = [:]
  /// The layout that the view had.
  public let currentLayout: UICollectionViewLayout
  /// The layout that the view gets.
  public let nextLayout: UICollectionViewLayout

  /// A transition from a layout to another.
  public init(
    currentLayout: UICollectionViewLayout, nextLayout newLayout: UICollectionViewLayout
  ) {
    self.currentLayout = currentLayout
    nextLayout = newLayout
    super.init()
  }

  /// Always `nil`: there are no archives of layouts here.
  public required init?(coder: NSCoder) { nil }

  /// Keeps a value of the app's transition, such as how far a finger went.
  ///
  /// UIKit also goes on with its speed when the transition ends. Here it ends at once.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: Its name.
  open func updateValue(_ value: CGFloat, forAnimatedKey key: String) {
    animatedValues[key] = value
  }

  /// The value that was kept last under a name; 0 if there is none.
  open func value(forAnimatedKey key: String) -> CGFloat { animatedValues[key] ?? 0 }

  override func join(_ view: UICollectionView?) {
    super.join(view)
    currentLayout.join(view)
    nextLayout.join(view)
  }

  open override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    if context.invalidateEverything || context.invalidateDataSourceCounts {
      currentLayout.invalidateLayout(with: context)
      nextLayout.invalidateLayout(with: context)
    }
    super.invalidateLayout(with: context)
  }

  open override func prepare() {
    super.prepare()
    currentLayout.prepareIfNeeded()
    nextLayout.prepareIfNeeded()
  }

  open override var collectionViewContentSize: CGSize {
    let (old, new) = (
      currentLayout.collectionViewContentSize, nextLayout.collectionViewContentSize
    )
    return CGSize(
      width: between(old.width, new.width), height: between(old.height, new.height))
  }

  open override func layoutAttributesForElements(
    in rect: CGRect
  ) -> [UICollectionViewLayoutAttributes]? {
    var keys: Set<UICollectionView.ElementKey> = []
    return [currentLayout, nextLayout].flatMap { layout in
      let content = CGRect(origin: .zero, size: layout.collectionViewContentSize)
      return layout.layoutAttributesForElements(in: content) ?? []
    }
    .filter { keys.insert(UICollectionView.ElementKey($0)).inserted }
    .compactMap { attributes in
      switch attributes.representedElementCategory {
      case .cell: layoutAttributesForItem(at: attributes.indexPath)
      case .supplementaryView:
        layoutAttributesForSupplementaryView(
          ofKind: attributes.representedElementKind ?? "", at: attributes.indexPath)
      case .decorationView: attributes
      }
    }
    .filter { $0.frame.overlaps(rect) }
  }

  open override func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    between(
      currentLayout.layoutAttributesForItem(at: indexPath),
      nextLayout.layoutAttributesForItem(at: indexPath))
  }

  open override func layoutAttributesForSupplementaryView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    between(
      currentLayout.layoutAttributesForSupplementaryView(ofKind: elementKind, at: indexPath),
      nextLayout.layoutAttributesForSupplementaryView(ofKind: elementKind, at: indexPath))
  }

  /// The attributes between two; those of one layout, if the other has no such element.
  private func between(
    _ old: UICollectionViewLayoutAttributes?, _ new: UICollectionViewLayoutAttributes?
  ) -> UICollectionViewLayoutAttributes? {
    guard let old, let new else { return old ?? new }
    let attributes = old.copied()
    attributes.isEstimated = false
    attributes.alpha = between(old.alpha, new.alpha)
    attributes.frame = CGRect(
      x: between(old.frame.minX, new.frame.minX), y: between(old.frame.minY, new.frame.minY),
      width: between(old.frame.width, new.frame.width),
      height: between(old.frame.height, new.frame.height))
    return attributes
  }

  private func between(_ old: CGFloat, _ new: CGFloat) -> CGFloat {
    old + (new - old) * transitionProgress
  }
}
