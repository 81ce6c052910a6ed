public import Foundation

/// Decides the places of cells, supplementary views and decorations in a collection view.
@MainActor open class UICollectionViewLayout: NSObject {
  /// The view that uses it.
  open internal(set) weak var collectionView: UICollectionView?
  var isValid = false
  private var decorations: [String: () -> UICollectionReusableView?] = [:]

  /// A layout.
  public override nonisolated init() { super.init() }

  /// Takes another view, or none.
  func join(_ view: UICollectionView?) { collectionView = view }

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

  // MARK: Classes and directions

  /// The class of the attributes that the layout makes.
  open class var layoutAttributesClass: AnyClass { UICollectionViewLayoutAttributes.self }

  /// The direction of text for which the layout was written.
  open var developmentLayoutDirection: UIUserInterfaceLayoutDirection { .leftToRight }

  /// Whether the view exchanges left and right where text runs in the opposite direction.
  ///
  /// Then the origin of all coordinates is the leading edge, which is at the right for
  /// right-to-left text. ``HeadlessCollectionView/frameOnScreen(ofItemAt:)`` takes this into
  /// account.
  open var flipsHorizontallyInOppositeLayoutDirection: Bool { false }

  // MARK: Batch updates

  /// Called in a batch update, before the view asks for attributes of what comes and goes.
  open func prepare(forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]) {}

  /// Called in a batch update when the view has all attributes for its animations.
  open func finalizeCollectionViewUpdates() {}

  /// The supplementary views of a kind that a batch update removes from sections that stay, by
  /// their paths before it.
  ///
  /// A view that is on display, is not named here and has no attributes after the update raises an
  /// exception.
  open func indexPathsToDeleteForSupplementaryView(ofKind elementKind: String) -> [IndexPath] { [] }

  /// The supplementary views of a kind that a batch update adds to sections that stay, by their
  /// paths after it.
  open func indexPathsToInsertForSupplementaryView(ofKind elementKind: String) -> [IndexPath] { [] }

  /// The decorations of a kind that a batch update removes from sections that stay, by their paths
  /// before it.
  open func indexPathsToDeleteForDecorationView(ofKind elementKind: String) -> [IndexPath] { [] }

  /// The decorations of a kind that a batch update adds to sections that stay, by their paths after
  /// it.
  open func indexPathsToInsertForDecorationView(ofKind elementKind: String) -> [IndexPath] { [] }

  /// The attributes from which an item's cell appears; `nil` for those that it ends with.
  open func initialLayoutAttributesForAppearingItem(
    at itemIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }

  /// The attributes with which an item's cell disappears, by its path before the update.
  open func finalLayoutAttributesForDisappearingItem(
    at itemIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }

  /// The attributes from which a supplementary view appears; `nil` for those that it ends with.
  open func initialLayoutAttributesForAppearingSupplementaryElement(
    ofKind elementKind: String, at elementIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }

  /// The attributes with which a supplementary view disappears, by its path before the update.
  open func finalLayoutAttributesForDisappearingSupplementaryElement(
    ofKind elementKind: String, at elementIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }

  /// The attributes from which a decoration appears; `nil` for those that it ends with.
  open func initialLayoutAttributesForAppearingDecorationElement(
    ofKind elementKind: String, at decorationIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }

  /// The attributes with which a decoration disappears, by its path before the update.
  open func finalLayoutAttributesForDisappearingDecorationElement(
    ofKind elementKind: String, at decorationIndexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }

  // MARK: Self-sizing

  /// Whether the size that a cell prefers changes the layout.
  ///
  /// The view asks before a cell comes on display. It asks again for a cell on display that was
  /// reconfigured, or whose item or everything was invalidated.
  open func shouldInvalidateLayout(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> Bool { false }

  /// The parts of the layout that the size that a cell prefers invalidates.
  open func invalidationContext(
    forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
    withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutInvalidationContext { UICollectionViewLayoutInvalidationContext() }

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
    if context.invalidateEverything {
      collectionView.cellsToFit.formUnion(collectionView.cells.keys)
    } else {
      collectionView.cellsToFit.formUnion(context.invalidatedItemIndexPaths ?? [])
    }
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
