public import Foundation

/// Decides where a collection view puts what.
@MainActor open class UICollectionViewLayout: NSObject {
  /// The view that uses it.
  open internal(set) weak var collectionView: UICollectionView?
  var isValid = false
  private var decorations: [String: () -> UICollectionReusableView?] = [:]

  /// A layout.
  public override nonisolated init() { super.init() }

  /// Nothing: there are no archives of layouts here.
  public required init?(coder: NSCoder) { nil }

  // MARK: For subclasses

  /// Called before the layout is asked, after it became out of date.
  open func prepare() {}

  /// The size of the content, in points.
  open var collectionViewContentSize: CGSize { .zero }

  /// The attributes of what is in a rectangle of the content.
  open func layoutAttributesForElements(
    in rect: CGRect
  ) -> [UICollectionViewLayoutAttributes]? { nil }

  /// The attributes of an item.
  open func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }

  /// The attributes of a supplementary view.
  open func layoutAttributesForSupplementaryView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }

  /// The attributes of a decoration.
  open func layoutAttributesForDecorationView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }

  /// Whether other bounds of the view make it out of date.
  open func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool { false }

  /// What other bounds of the view make out of date.
  open func invalidationContext(
    forBoundsChange newBounds: CGRect
  ) -> UICollectionViewLayoutInvalidationContext { UICollectionViewLayoutInvalidationContext() }

  /// Where the visible part begins after a batch or a change of layout.
  open func targetContentOffset(forProposedContentOffset proposedContentOffset: CGPoint) -> CGPoint
  {
    proposedContentOffset
  }

  // MARK: Invalidation

  /// Says that all of it is out of date.
  open func invalidateLayout() {
    let context = UICollectionViewFlowLayoutInvalidationContext()
    context.invalidateEverything = true
    invalidateLayout(with: context)
  }

  /// Says what of it is out of date.
  ///
  /// - Parameter context: What, and by how much the content offset changes.
  open func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    isValid = false
    guard let collectionView else { return }
    collectionView.setNeedsLayout()
    if context.contentOffsetAdjustment != .zero {
      collectionView.contentOffset.x += context.contentOffsetAdjustment.x
      collectionView.contentOffset.y += context.contentOffsetAdjustment.y
    }
  }

  /// Registers the class of decorations of a kind; `nil` takes that back.
  open func register(_ viewClass: AnyClass?, forDecorationViewOfKind elementKind: String) {
    decorations[elementKind] = (viewClass as? UICollectionReusableView.Type).map { type in
      { type.init(headlessFrame: .zero) }
    }
  }

  /// Registers the nib of decorations of a kind; `nil` takes that back.
  open func register(_ nib: UINib?, forDecorationViewOfKind elementKind: String) {
    decorations[elementKind] = nib.map { nib in
      { nib.instantiate(withOwner: nil).first as? UICollectionReusableView }
    }
  }

  func makeDecoration(ofKind kind: String) -> UICollectionReusableView? { decorations[kind]?() }

  func prepareIfNeeded() {
    guard !isValid else { return }
    isValid = true
    prepare()
  }
}
