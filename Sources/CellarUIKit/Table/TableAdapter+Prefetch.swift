public import Foundation

#if canImport(UIKit) && !os(watchOS)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

// Both calls go to the app's prefetch data source, too.
extension TableAdapter: UITableViewDataSourcePrefetching {
  /// Reads the items on another thread.
  public func tableView(
    _ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]
  ) {
    prefetch(indexPaths)
    prefetchDataSource?.tableView(tableView, prefetchRowsAt: indexPaths)
  }

  /// Leaves out the items that were not read yet.
  public func tableView(
    _ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]
  ) {
    cancelPrefetching(indexPaths)
    #if canImport(UIKit) && !os(watchOS)
      prefetchDataSource?.tableView?(tableView, cancelPrefetchingForRowsAt: indexPaths)
    #else
      prefetchDataSource?.tableView(tableView, cancelPrefetchingForRowsAt: indexPaths)
    #endif
  }
}
