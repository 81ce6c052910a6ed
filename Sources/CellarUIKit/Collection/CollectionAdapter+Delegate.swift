public import Foundation
import ListModel
public import ListViews
import Providers

// The calls that the adapter handles. It passes them on to the app's delegate.
extension CollectionAdapter: UICollectionViewDelegate {
  /// Binds a cell to its item.
  public func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {
    collectionHost.latestCell = nil
    views.willDisplay(cell, at: indexPath)
    (delegate?.collectionView(_:willDisplay:forItemAt:))?(collectionView, cell, indexPath)
  }

  /// Unbinds a cell from its item, which may have another path by now.
  public func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {
    views.didEndDisplaying(cell)
    (delegate?.collectionView(_:didEndDisplaying:forItemAt:))?(collectionView, cell, indexPath)
  }

  /// Binds a header, a footer or another supplementary view to its value.
  public func collectionView(
    _ collectionView: UICollectionView,
    willDisplaySupplementaryView view: UICollectionReusableView, forElementKind elementKind: String,
    at indexPath: IndexPath
  ) {
    if let kind = Supplementary.Kind(elementKind: elementKind) {
      views.willDisplay(view, kind: kind, inSection: indexPath.section)
    }
    (delegate?.collectionView(_:willDisplaySupplementaryView:forElementKind:at:))?(
      collectionView, view, elementKind, indexPath)
  }

  /// Unbinds a header, a footer or another supplementary view.
  public func collectionView(
    _ collectionView: UICollectionView,
    didEndDisplayingSupplementaryView view: UICollectionReusableView,
    forElementOfKind elementKind: String, at indexPath: IndexPath
  ) {
    views.didEndDisplayingSupplementary(view)
    (delegate?.collectionView(_:didEndDisplayingSupplementaryView:forElementOfKind:at:))?(
      collectionView, view, elementKind, indexPath)
  }

  /// Adds an item to the selection, and calls its handlers.
  public func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) {
    screenSelection.didSelect(at: indexPath)
    (delegate?.collectionView(_:didSelectItemAt:))?(collectionView, indexPath)
    // Handlers and delegates may have deselected it.
    screenSelection.saveSoon()
  }

  /// Removes an item from the selection, and calls its handlers.
  public func collectionView(
    _ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath
  ) {
    screenSelection.didDeselect(at: indexPath)
    (delegate?.collectionView(_:didDeselectItemAt:))?(collectionView, indexPath)
    screenSelection.saveSoon()
  }

  /// The menu that the handlers have for an item; without one, and for several items, the menu of
  /// ``delegate``.
  @available(tvOS 17.0, *)
  public func collectionView(
    _ collectionView: UICollectionView, contextMenuConfigurationForItemsAt indexPaths: [IndexPath],
    point: CGPoint
  ) -> UIContextMenuConfiguration? {
    if indexPaths.count == 1, let menu = screen.menu(forItemAt: indexPaths[0]) { return menu }
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
    if let place = updates.place, let offset = screen.contentOffset(showing: place) {
      return offset
    }
    return (delegate?.collectionView(_:targetContentOffsetForProposedContentOffset:))?(
      collectionView, proposedContentOffset)
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
