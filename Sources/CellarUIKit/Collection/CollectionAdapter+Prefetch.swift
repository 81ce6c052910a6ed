public import Foundation
public import ListViews

// Both calls go to the app's prefetch data source, too.
extension CollectionAdapter: UICollectionViewDataSourcePrefetching {
  /// Reads the items on another thread.
  public func collectionView(
    _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]
  ) {
    prefetch(indexPaths)
    prefetchDataSource?.collectionView(collectionView, prefetchItemsAt: indexPaths)
  }

  /// Leaves out the items that were not read yet.
  public func collectionView(
    _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  ) {
    cancelPrefetching(indexPaths)
    (prefetchDataSource?.collectionView(_:cancelPrefetchingForItemsAt:))?(
      collectionView, indexPaths)
  }
}
