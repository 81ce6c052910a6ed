public import Foundation
import ListModel
import Providers

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

// What the adapter uses itself; it tells its delegate too.
extension CollectionAdapter: UICollectionViewDelegate {
  /// Binds the cell to its item.
  public func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {
    willDisplay(cell, at: indexPath)
    #if canImport(UIKit) && !os(watchOS)
      delegate?.collectionView?(collectionView, willDisplay: cell, forItemAt: indexPath)
    #else
      delegate?.collectionView(collectionView, willDisplay: cell, forItemAt: indexPath)
    #endif
  }

  /// Unbinds the cell from the item that it was bound to, wherever that is now.
  public func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {
    didEndDisplaying(cell)
    #if canImport(UIKit) && !os(watchOS)
      delegate?.collectionView?(collectionView, didEndDisplaying: cell, forItemAt: indexPath)
    #else
      delegate?.collectionView(collectionView, didEndDisplaying: cell, forItemAt: indexPath)
    #endif
  }

  /// Selects the item, and calls its handlers.
  public func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) {
    didSelect(at: indexPath)
    #if canImport(UIKit) && !os(watchOS)
      delegate?.collectionView?(collectionView, didSelectItemAt: indexPath)
    #else
      delegate?.collectionView(collectionView, didSelectItemAt: indexPath)
    #endif
  }

  /// Deselects the item, and calls its handlers.
  public func collectionView(
    _ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath
  ) {
    didDeselect(at: indexPath)
    #if canImport(UIKit) && !os(watchOS)
      delegate?.collectionView?(collectionView, didDeselectItemAt: indexPath)
    #else
      delegate?.collectionView(collectionView, didDeselectItemAt: indexPath)
    #endif
  }

  /// The menu that the handlers have for an item; for one without, and for several, the delegate's.
  @available(tvOS 17.0, *)
  public func collectionView(
    _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath],
    point: CGPoint
  ) -> UIContextMenuConfiguration? {
    if indexPaths.count == 1, let menu = menu(forItemAt: indexPaths[0]) { return menu }
    #if canImport(UIKit) && !os(watchOS)
      return delegate?.collectionView?(
        collectionView, contextMenuConfigurationForItemsAt: indexPaths, point: point) ?? nil
    #else
      return delegate?.collectionView(
        collectionView, contextMenuConfigurationForItemsAt: indexPaths, point: point)
    #endif
  }

  /// Keeps what is seen where it is, while an update is performed.
  public func collectionView(
    _ collectionView: UICollectionView,
    targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
  ) -> CGPoint {
    if let offset = anchoredOffset(in: collectionView) { return offset }
    #if canImport(UIKit) && !os(watchOS)
      let wanted = delegate?.collectionView?(
        collectionView, targetContentOffsetForProposedContentOffset: proposedContentOffset)
    #else
      let wanted = delegate?.collectionView(
        collectionView, targetContentOffsetForProposedContentOffset: proposedContentOffset)
    #endif
    return wanted
      ?? collectionView.collectionViewLayout.targetContentOffset(
        forProposedContentOffset: proposedContentOffset)
  }
}
