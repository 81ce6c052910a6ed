public import Foundation
import ListModel
import Providers

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

// The calls that the adapter handles. It passes them on to the app's delegate.
extension CollectionAdapter: UICollectionViewDelegate {
  /// Binds a cell to its item.
  public func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {
    collectionHost.latestCell = nil
    willDisplay(cell, at: indexPath)
    #if canImport(UIKit) && !os(watchOS)
      delegate?.collectionView?(collectionView, willDisplay: cell, forItemAt: indexPath)
    #else
      delegate?.collectionView(collectionView, willDisplay: cell, forItemAt: indexPath)
    #endif
  }

  /// Unbinds a cell from its item, which may have another path by now.
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

  /// Binds a header, a footer or another supplementary view to its value.
  public func collectionView(
    _ collectionView: UICollectionView,
    willDisplaySupplementaryView view: UICollectionReusableView, forElementKind elementKind: String,
    at indexPath: IndexPath
  ) {
    if let kind = Supplementary.Kind(elementKind: elementKind) {
      willDisplay(view, kind: kind, inSection: indexPath.section)
    }
    #if canImport(UIKit) && !os(watchOS)
      delegate?.collectionView?(
        collectionView, willDisplaySupplementaryView: view, forElementKind: elementKind,
        at: indexPath)
    #else
      delegate?.collectionView(
        collectionView, willDisplaySupplementaryView: view, forElementKind: elementKind,
        at: indexPath)
    #endif
  }

  /// Unbinds a header, a footer or another supplementary view.
  public func collectionView(
    _ collectionView: UICollectionView,
    didEndDisplayingSupplementaryView view: UICollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath
  ) {
    didEndDisplayingSupplementary(view)
    #if canImport(UIKit) && !os(watchOS)
      delegate?.collectionView?(
        collectionView, didEndDisplayingSupplementaryView: view, forElementOfKind: elementKind,
        at: indexPath)
    #else
      delegate?.collectionView(
        collectionView, didEndDisplayingSupplementaryView: view, forElementOfKind: elementKind,
        at: indexPath)
    #endif
  }

  /// Adds an item to the selection, and calls its handlers.
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

  /// Removes an item from the selection, and calls its handlers.
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

  /// The menu that the handlers have for an item; without one, and for several items, the menu of
  /// ``delegate``.
  @available(tvOS 17.0, *)
  public func collectionView(
    _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath],
    point: CGPoint
  ) -> UIContextMenuConfiguration? {
    if indexPaths.count == 1, let menu = menu(forItemAt: indexPaths[0]) { return menu }
    #if canImport(UIKit) && !os(watchOS)
      let several = #selector(
        (any UICollectionViewDelegate).collectionView(_:contextMenuConfigurationForItemsAt:point:))
      if delegate?.responds(to: several) == true {
        return delegate?.collectionView?(
          collectionView, contextMenuConfigurationForItemsAt: indexPaths, point: point) ?? nil
      }
      guard indexPaths.count == 1 else { return nil }
      return (delegate as AnyObject?)?.menu?(
        in: collectionView, ofItemAt: indexPaths[0], point: point) ?? nil
    #else
      return delegate?.collectionView(
        collectionView, contextMenuConfigurationForItemsAt: indexPaths, point: point)
    #endif
  }

  /// The offset that keeps the visible items in their places during an update.
  public func collectionView(
    _ collectionView: UICollectionView,
    targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
  ) -> CGPoint {
    if let anchor, let offset = contentOffset(showing: anchor, in: collectionView) {
      return offset
    }
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

#if canImport(UIKit) && !os(watchOS)
  /// The delegate's method of iOS 13 to 15 for the menu of one item.
  ///
  /// UIKit's own declaration is deprecated, but calls it for delegates that have only this one.
  @MainActor @objc private protocol MenuOfOneItem {
    @available(tvOS 17.0, *)
    @objc(collectionView:contextMenuConfigurationForItemAtIndexPath:point:) optional func menu(
      in collectionView: UICollectionView, ofItemAt indexPath: IndexPath, point: CGPoint
    ) -> UIContextMenuConfiguration?
  }
#endif
