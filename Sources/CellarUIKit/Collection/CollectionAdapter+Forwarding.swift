#if !canImport(UIKit) || os(watchOS)
  public import Foundation
  public import HeadlessUIKit

  // Without Objective-C's forwarding, method by method: see ListAdapter+Forwarding.swift.
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
  }
#endif
