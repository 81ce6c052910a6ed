public import Foundation

/// Where a collection view puts a cell, a supplementary view or a decoration.
@MainActor open class UICollectionViewLayoutAttributes: NSObject {
  /// What it is for.
  open private(set) var representedElementCategory = UICollectionView.ElementCategory.cell
  /// The kind of supplementary view or decoration; `nil` for a cell.
  open private(set) var representedElementKind: String?
  /// The place.
  open var indexPath = IndexPath()
  /// The rectangle, in the coordinates of the content.
  open var frame: CGRect = .zero
  /// What is in front of what.
  open var zIndex = 0
  /// How opaque it is, from 0 to 1.
  open var alpha: CGFloat = 1
  /// Whether it is not shown; then there is no view for it.
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

  /// Attributes of nothing yet.
  public override nonisolated init() { super.init() }

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
  ///   - elementKind: Its kind.
  ///   - indexPath: Its place.
  public convenience init(
    forSupplementaryViewOfKind elementKind: String, with indexPath: IndexPath
  ) {
    self.init(.supplementaryView, elementKind, indexPath)
  }

  /// Attributes of a decoration.
  ///
  /// - Parameters:
  ///   - decorationViewKind: Its kind.
  ///   - indexPath: Its place.
  public convenience init(
    forDecorationViewOfKind decorationViewKind: String, with indexPath: IndexPath
  ) {
    self.init(.decorationView, decorationViewKind, indexPath)
  }
}

/// What of a layout is out of date.
@MainActor open class UICollectionViewLayoutInvalidationContext: NSObject {
  /// Whether all of it is.
  open internal(set) var invalidateEverything = false
  /// Whether the counts of the data source are.
  open internal(set) var invalidateDataSourceCounts = false
  /// Items that are.
  open private(set) var invalidatedItemIndexPaths: [IndexPath]?
  /// Supplementary views that are, by kind.
  open private(set) var invalidatedSupplementaryIndexPaths: [String: [IndexPath]]?
  /// What is added to the content offset.
  open var contentOffsetAdjustment: CGPoint = .zero

  /// A context in which nothing is out of date.
  public override nonisolated init() { super.init() }

  /// Says that items are.
  open func invalidateItems(at indexPaths: [IndexPath]) {
    invalidatedItemIndexPaths = (invalidatedItemIndexPaths ?? []) + indexPaths
  }

  /// Says that supplementary views are.
  open func invalidateSupplementaryElements(
    ofKind elementKind: String, at indexPaths: [IndexPath]
  ) {
    invalidatedSupplementaryIndexPaths = (invalidatedSupplementaryIndexPaths ?? [:])
      .merging([elementKind: indexPaths]) { $0 + $1 }
  }
}

/// What of a flow layout is out of date.
open class UICollectionViewFlowLayoutInvalidationContext:
  UICollectionViewLayoutInvalidationContext
{
  /// Whether the delegate is asked for sizes and spacings again.
  open var invalidateFlowLayoutDelegateMetrics = true

  /// A context in which sizes and places are out of date.
  public override nonisolated init() { super.init() }
}
