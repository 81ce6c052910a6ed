import Foundation
import ListItems
import ListModel
import ListViews

extension CollectionAdapter {
  /// Keeps the size that a cell prefers.
  ///
  /// UIKit's cells prefer the least size in both directions, so that a text is on one line. Such a
  /// cell is asked for the length that it needs in the breadth of the layout.
  ///
  /// `preferred` and `original`: The sizes that the cell prefers, and that the layout gave it.
  ///
  /// - Returns: `nil` if a cell without constraints has no length.
  func keepSize(
    preferring preferred: CGSize, over original: CGSize, at indexPath: IndexPath
  ) -> Size? {
    let axis = collectionHost.axis
    var size = Size(width: Double(preferred.width), height: Double(preferred.height))
    let breadth = Double(axis == .vertical ? original.width : original.height)
    let isOther = abs((axis == .vertical ? size.width : size.height) - breadth) > 0.01
    if isOther, let cell = cellThatSizesItself(at: indexPath) {
      size = cell.size(fitting: breadth, axis: axis, by: .constraints)
    }
    return sizes.keep(lengthOnDisplay: axis.length(of: size), at: indexPath)
  }

  private func cellThatSizesItself(at indexPath: IndexPath) -> UICollectionViewCell? {
    if let cell = view?.cellForItem(at: indexPath) { return cell }
    guard let latest = collectionHost.latestCell, latest.path == indexPath else { return nil }
    return latest.cell
  }
}
