public import Foundation

/// Decides the places of cells, supplementary views and decorations in a collection view.
@MainActor open class UICollectionViewLayout: NSObject {
  /// The view that uses it.
  open internal(set) weak var collectionView: UICollectionView?
  var isValid = false
  private var decorations: [String: () -> UICollectionReusableView?] = [:]

  /// A layout.
  public override nonisolated init() { super.init() }

  /// Always `nil`: there are no archives of layouts here.
  public required init?(coder: NSCoder) { nil }

  // MARK: For subclasses

  /// Called after an invalidation, before the view asks for attributes.
  open func prepare() {}

  /// The size of the content, in points.
  open var collectionViewContentSize: CGSize { .zero }

  /// The attributes of all elements in a rectangle of the content.
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

  /// Whether new bounds of the view invalidate the layout.
  open func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool { false }

  /// The parts of the layout that new bounds of the view invalidate.
  open func invalidationContext(
    forBoundsChange newBounds: CGRect
  ) -> UICollectionViewLayoutInvalidationContext { UICollectionViewLayoutInvalidationContext() }

  /// The content offset after a batch update or a change of the layout.
  open func targetContentOffset(forProposedContentOffset proposedContentOffset: CGPoint) -> CGPoint
  {
    proposedContentOffset
  }

  // MARK: Invalidation

  /// Invalidates the whole layout.
  open func invalidateLayout() {
    let context = UICollectionViewFlowLayoutInvalidationContext()
    context.invalidateEverything = true
    invalidateLayout(with: context)
  }

  /// Invalidates parts of the layout.
  ///
  /// - Parameter context: The parts, and the change of the content offset.
  open func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    isValid = false
    guard let collectionView else { return }
    collectionView.setNeedsLayout()
    if context.contentOffsetAdjustment != .zero {
      collectionView.contentOffset.x += context.contentOffsetAdjustment.x
      collectionView.contentOffset.y += context.contentOffsetAdjustment.y
    }
  }

  /// Registers the class of a kind of decorations; `nil` removes the registration.
  open func register(_ viewClass: AnyClass?, forDecorationViewOfKind elementKind: String) {
    decorations[elementKind] = (viewClass as? UICollectionReusableView.Type).map { type in
      { type.init(headlessFrame: .zero) }
    }
  }

  /// Registers the nib of a kind of decorations; `nil` removes the registration.
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
