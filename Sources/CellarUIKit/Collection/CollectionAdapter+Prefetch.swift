public import Foundation

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

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
    #if canImport(UIKit) && !os(watchOS)
      prefetchDataSource?.collectionView?(collectionView, cancelPrefetchingForItemsAt: indexPaths)
    #else
      prefetchDataSource?.collectionView(collectionView, cancelPrefetchingForItemsAt: indexPaths)
    #endif
  }
}
