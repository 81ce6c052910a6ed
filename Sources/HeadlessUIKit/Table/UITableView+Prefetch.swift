import Foundation

/// Announcing rows before they are visible.
extension UITableView {
  /// Calls the prefetch data source for the rows within one height of the view in the direction of
  /// scrolling.
  func prefetch() {
    let step = contentOffset.y - lastPrefetchOffset
    lastPrefetchOffset = contentOffset.y
    guard isPrefetchingEnabled, let prefetchDataSource, bounds.height > 0 else { return }
    let start = step < 0 ? bounds.minY - bounds.height : bounds.maxY
    let soon = Set(
      placement().rows(in: start..<(start + bounds.height)).filter { cells[$0] == nil })
    let dropped = prefetched.filter { !soon.contains($0) && cells[$0] == nil }
    let new = soon.subtracting(prefetched)
    prefetched = soon
    if !dropped.isEmpty {
      prefetchDataSource.tableView(self, cancelPrefetchingForRowsAt: dropped.sorted())
    }
    if !new.isEmpty { prefetchDataSource.tableView(self, prefetchRowsAt: new.sorted()) }
  }
}
