public import Foundation

#if canImport(UIKit)
  public import UIKit

  // What the adapter does not answer itself, its delegate is asked: the view sees both as one.
  extension CollectionAdapter {
    public nonisolated override func responds(to selector: Selector!) -> Bool {
      super.responds(to: selector) || isDelegates(selector)
    }

    public nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
      guard isDelegates(selector) else { return super.forwardingTarget(for: selector) }
      nonisolated(unsafe) var target: Any?
      MainActor.assumeIsolated { target = delegate }
      return target
    }

    /// The view asks on the main thread; who asks elsewhere means the adapter itself.
    private nonisolated func isDelegates(_ selector: Selector?) -> Bool {
      guard Thread.isMainThread, let selector else { return false }
      return MainActor.assumeIsolated { delegate?.responds(to: selector) == true }
    }
  }
#else
  public import HeadlessUIKit

  // Without Objective-C's forwarding, method by method.
  extension CollectionAdapter {
    /// As the delegate says.
    public func collectionView(
      _ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath
    ) -> Bool {
      delegate?.collectionView(collectionView, shouldHighlightItemAt: indexPath) ?? true
    }

    /// Tells the delegate.
    public func collectionView(
      _ collectionView: UICollectionView, didHighlightItemAt indexPath: IndexPath
    ) {
      delegate?.collectionView(collectionView, didHighlightItemAt: indexPath)
    }

    /// Tells the delegate.
    public func collectionView(
      _ collectionView: UICollectionView, didUnhighlightItemAt indexPath: IndexPath
    ) {
      delegate?.collectionView(collectionView, didUnhighlightItemAt: indexPath)
    }

    /// As the delegate says.
    public func collectionView(
      _ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath
    ) -> Bool {
      delegate?.collectionView(collectionView, shouldSelectItemAt: indexPath) ?? true
    }

    /// As the delegate says.
    public func collectionView(
      _ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath
    ) -> Bool {
      delegate?.collectionView(collectionView, shouldDeselectItemAt: indexPath) ?? true
    }

    /// Tells the delegate.
    public func collectionView(
      _ collectionView: UICollectionView,
      willDisplaySupplementaryView view: UICollectionReusableView,
      forElementKind elementKind: String, at indexPath: IndexPath
    ) {
      delegate?.collectionView(
        collectionView, willDisplaySupplementaryView: view, forElementKind: elementKind,
        at: indexPath)
    }

    /// Tells the delegate.
    public func collectionView(
      _ collectionView: UICollectionView,
      didEndDisplayingSupplementaryView view: UICollectionReusableView,
      forElementOfKind elementKind: String, at indexPath: IndexPath
    ) {
      delegate?.collectionView(
        collectionView, didEndDisplayingSupplementaryView: view, forElementOfKind: elementKind,
        at: indexPath)
    }

    /// As the delegate says.
    public func collectionView(
      _ collectionView: UICollectionView,
      targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
      atCurrentIndexPath currentIndexPath: IndexPath,
      toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath {
      delegate?.collectionView(
        collectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath: originalIndexPath,
        atCurrentIndexPath: currentIndexPath, toProposedIndexPath: proposedIndexPath)
        ?? proposedIndexPath
    }

    /// Tells the delegate.
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {
      delegate?.scrollViewDidScroll(scrollView)
    }

    /// Tells the delegate.
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {
      delegate?.scrollViewWillBeginDragging(scrollView)
    }

    /// Tells the delegate.
    public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {
      delegate?.scrollViewDidEndScrollingAnimation(scrollView)
    }
  }
#endif
