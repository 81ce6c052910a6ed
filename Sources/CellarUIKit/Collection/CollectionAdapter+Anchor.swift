import Foundation
import ListModel
import ListSync
import Providers

#if canImport(UIKit)
  import UIKit
#else
  import HeadlessUIKit
#endif

extension CollectionAdapter {
  /// Where the visible part has to begin for the anchor to stay where it is; `nil` without one.
  var anchoredOffset: CGPoint? {
    guard let view, let anchor, interim == nil, let path = indexPath(of: anchor.item),
      let frame = view.layoutAttributesForItem(at: path)?.frame
    else { return nil }
    var offset = view.contentOffset
    if host.axis == .vertical {
      offset.y = frame.minY - anchor.distance
    } else {
      offset.x = frame.minX - anchor.distance
    }
    return clamped(offset, in: view)
  }

  /// The first item in sight that is still there in the list to come; `nil` at the very beginning, where
  /// what is new is to be seen.
  func makeAnchor(for next: Provider) -> Anchor? {
    guard keepsScrollPosition, let view else { return nil }
    let isVertical = host.axis == .vertical
    let insets = view.adjustedContentInset
    let start = isVertical ? view.contentOffset.y + insets.top : view.contentOffset.x + insets.left
    guard start > 0.5 else { return nil }
    for path in view.indexPathsForVisibleItems.sorted() {
      guard let id = itemID(at: path), next.path(of: id) != nil,
        let frame = view.layoutAttributesForItem(at: path)?.frame
      else { continue }
      let (first, last) = isVertical ? (frame.minY, frame.maxY) : (frame.minX, frame.maxX)
      guard last > (isVertical ? view.contentOffset.y : view.contentOffset.x) else { continue }
      return Anchor(
        item: id, distance: first - (isVertical ? view.contentOffset.y : view.contentOffset.x))
    }
    return nil
  }

  private func clamped(_ offset: CGPoint, in view: UICollectionView) -> CGPoint {
    let insets = view.adjustedContentInset
    let content = view.collectionViewLayout.collectionViewContentSize
    func clamp(_ value: CGFloat, _ before: CGFloat, _ end: CGFloat) -> CGFloat {
      max(-before, min(value, end))
    }
    return CGPoint(
      x: clamp(offset.x, insets.left, content.width + insets.right - view.bounds.width),
      y: clamp(offset.y, insets.top, content.height + insets.bottom - view.bounds.height))
  }
}
