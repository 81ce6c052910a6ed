import Foundation
import ListModel
import Providers
import ListViews

// Items are read before the view asks for their cells.
extension ListAdapter {
  /// Reads items that will be visible soon, on another thread.
  func prefetch(_ indexPaths: [IndexPath]) {
    var keys: [Int: SizeKey] = [:]
    let paths = indexPaths.compactMap { indexPath -> ItemPath? in
      guard let path = display.listPath(of: ItemPath(indexPath)) else { return nil }
      if keys[path.section] == nil {
        keys[path.section] = measurer.key(
          fitting: fittingLength(
            inSection: indexPath.section, indentedBy: host.indentation(at: indexPath)))
      }
      return path
    }
    if !paths.isEmpty { prefetching.add(paths, of: provider, sizedFor: keys) }
  }

  /// Leaves out items that will not be visible soon after all.
  func cancelPrefetching(_ indexPaths: [IndexPath]) {
    prefetching.remove(indexPaths.compactMap { display.listPath(of: ItemPath($0)) })
  }

  /// Waits until the items that the view announced are read.
  package func finishPrefetching() { prefetching.finish() }
}
