#if !canImport(UIKit) || os(watchOS)
  public import Foundation
  public import ListViews

  // There is no Objective-C to forward methods by their selectors, as ListAdapter+Forwarding.swift
  // does.
  extension CollectionAdapter {
    /// The answer of ``delegate``.
    public func collectionView(
      _ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath
    ) -> Bool {
      delegate?.collectionView(collectionView, shouldHighlightItemAt: indexPath) ?? true
    }

    /// Calls ``delegate``.
    public func collectionView(
      _ collectionView: UICollectionView, didHighlightItemAt indexPath: IndexPath
    ) {
      delegate?.collectionView(collectionView, didHighlightItemAt: indexPath)
    }

    /// Calls ``delegate``.
    public func collectionView(
      _ collectionView: UICollectionView, didUnhighlightItemAt indexPath: IndexPath
    ) {
      delegate?.collectionView(collectionView, didUnhighlightItemAt: indexPath)
    }

    /// The answer of ``delegate``.
    public func collectionView(
      _ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath
    ) -> Bool {
      delegate?.collectionView(collectionView, shouldSelectItemAt: indexPath) ?? true
    }

    /// The answer of ``delegate``.
    public func collectionView(
      _ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath
    ) -> Bool {
      delegate?.collectionView(collectionView, shouldDeselectItemAt: indexPath) ?? true
    }

    /// The answer of ``delegate``.
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

    /// The answer of ``delegate``.
    public func collectionView(
      _ collectionView: UICollectionView,
      transitionLayoutForOldLayout fromLayout: UICollectionViewLayout,
      newLayout toLayout: UICollectionViewLayout
    ) -> UICollectionViewTransitionLayout {
      delegate?.collectionView(
        collectionView, transitionLayoutForOldLayout: fromLayout, newLayout: toLayout)
        ?? UICollectionViewTransitionLayout(currentLayout: fromLayout, nextLayout: toLayout)
    }
  }
#endif
