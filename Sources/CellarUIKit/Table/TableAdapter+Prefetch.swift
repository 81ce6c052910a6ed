public import Foundation
public import ListViews

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
    (prefetchDataSource?.tableView(_:cancelPrefetchingForRowsAt:))?(tableView, indexPaths)
  }
}
