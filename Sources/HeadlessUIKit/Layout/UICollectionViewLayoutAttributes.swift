public import Foundation

/// The place of a cell, a supplementary view or a decoration in a collection view.
@MainActor open class UICollectionViewLayoutAttributes: NSObject, NSCopying {
  /// The kind of element: a cell, a supplementary view or a decoration.
  open private(set) var representedElementCategory = UICollectionView.ElementCategory.cell
  /// The kind of supplementary view or decoration; `nil` for a cell.
  open private(set) var representedElementKind: String?
  /// The path of the element.
  open var indexPath = IndexPath()
  /// The rectangle, in the coordinates of the content.
  open var frame: CGRect = .zero
  /// The order from back to front.
  open var zIndex = 0
  /// The opacity, from 0 to 1.
  open var alpha: CGFloat = 1
  /// Whether the element is hidden.
  ///
  /// A hidden element has no view.
  open var isHidden = false

  /// The size of the frame.
  open var size: CGSize {
    get { frame.size }
    set {
      let center = center
      frame.size = newValue
      self.center = center
    }
  }

  /// The centre of the frame.
  open var center: CGPoint {
    get { CGPoint(x: frame.midX, y: frame.midY) }
    set {
      frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2)
    }
  }

  /// Makes attributes without an element.
  public override nonisolated required init() { super.init() }

  /// Copies the attributes, as a collection view does with those that its layout returns.
  ///
  /// A subclass with properties of its own copies these, too.
  ///
  /// - Parameter zone: Has no effect.
  /// - Returns: Attributes of the same class.
  open nonisolated func copy(with zone: NSZone? = nil) -> Any {
    let copy = type(of: self).init()
    // Only the main actor uses attributes.
    MainActor.assumeIsolated {
      copy.representedElementCategory = representedElementCategory
      copy.representedElementKind = representedElementKind
      copy.indexPath = indexPath
      copy.frame = frame
      copy.zIndex = zIndex
      copy.alpha = alpha
      copy.isHidden = isHidden
    }
    return copy
  }

  private convenience init(
    _ category: UICollectionView.ElementCategory, _ kind: String?, _ path: IndexPath
  ) {
    self.init()
    representedElementCategory = category
    representedElementKind = kind
    indexPath = path
  }

  /// Attributes of a cell.
  public convenience init(forCellWith indexPath: IndexPath) { self.init(.cell, nil, indexPath) }

  /// Attributes of a supplementary view.
  ///
  /// - Parameters:
  ///   - elementKind: The kind.
  ///   - indexPath: The path.
  public convenience init(
    forSupplementaryViewOfKind elementKind: String, with indexPath: IndexPath
  ) {
    self.init(.supplementaryView, elementKind, indexPath)
  }

  /// Attributes of a decoration.
  ///
  /// - Parameters:
  ///   - decorationViewKind: The kind.
  ///   - indexPath: The path.
  public convenience init(
    forDecorationViewOfKind decorationViewKind: String, with indexPath: IndexPath
  ) {
    self.init(.decorationView, decorationViewKind, indexPath)
  }
}

/// The parts of a layout that an invalidation concerns.
@MainActor open class UICollectionViewLayoutInvalidationContext: NSObject {
  /// Whether everything is invalid.
  open internal(set) var invalidateEverything = false
  /// Whether the counts of the data source are invalid.
  open internal(set) var invalidateDataSourceCounts = false
  /// The items that are invalid.
  open private(set) var invalidatedItemIndexPaths: [IndexPath]?
  /// The supplementary views that are invalid, by kind.
  open private(set) var invalidatedSupplementaryIndexPaths: [String: [IndexPath]]?
  /// The amount to add to the content offset.
  open var contentOffsetAdjustment: CGPoint = .zero

  /// Makes a context that invalidates nothing.
  public override nonisolated init() { super.init() }

  /// Adds items that are invalid.
  open func invalidateItems(at indexPaths: [IndexPath]) {
    invalidatedItemIndexPaths = (invalidatedItemIndexPaths ?? []) + indexPaths
  }

  /// Adds supplementary views that are invalid.
  open func invalidateSupplementaryElements(
    ofKind elementKind: String, at indexPaths: [IndexPath]
  ) {
    invalidatedSupplementaryIndexPaths = (invalidatedSupplementaryIndexPaths ?? [:])
      .merging([elementKind: indexPaths]) { $0 + $1 }
  }
}

/// The parts of a flow layout that an invalidation concerns.
open class UICollectionViewFlowLayoutInvalidationContext:
  UICollectionViewLayoutInvalidationContext
{
  /// Whether the delegate is asked for sizes and spacings again.
  open var invalidateFlowLayoutDelegateMetrics = true

  /// Makes a context that invalidates sizes and places.
  public override nonisolated init() { super.init() }
}
