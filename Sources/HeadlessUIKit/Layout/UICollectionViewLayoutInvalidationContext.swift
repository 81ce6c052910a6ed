public import Foundation

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
  /// The decorations that are invalid, by kind.
  open private(set) var invalidatedDecorationIndexPaths: [String: [IndexPath]]?
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

  /// Adds decorations that are invalid.
  open func invalidateDecorationElements(
    ofKind elementKind: String, at indexPaths: [IndexPath]
  ) {
    invalidatedDecorationIndexPaths = (invalidatedDecorationIndexPaths ?? [:])
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
