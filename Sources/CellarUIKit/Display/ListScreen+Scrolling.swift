import Foundation
import ListItems
import ListModel
import ListViews
import Providers

// Items keep their places on the screen, whatever comes and goes around them.
extension ListScreen {
  /// The first item in sight that a list shows too, and its distance from the beginning of the
  /// visible part; `nil` at the very beginning of the content.
  func firstInSight(among list: ShownList) -> ListViewState.Anchor? {
    guard let view = host.view else { return nil }
    let isVertical = host.axis == .vertical
    let insets = view.adjustedContentInset
    let (offset, inset) =
      isVertical ? (view.contentOffset.y, insets.top) : (view.contentOffset.x, insets.left)
    guard offset + inset > 0.5 else { return nil }
    for path in host.visiblePaths.sorted() {
      guard let item = itemID(at: path), list.shows(item), let frame = host.frame(at: path) else {
        continue
      }
      let (first, last) = isVertical ? (frame.minY, frame.maxY) : (frame.minX, frame.maxX)
      if last > offset { return ListViewState.Anchor(item: item, offset: Double(first - offset)) }
    }
    return nil
  }

  /// The content offset that shows an item at its place on the screen, as far as the content goes.
  ///
  /// - Returns: `nil` if the view does not have the item.
  func contentOffset(showing anchor: ListViewState.Anchor, in view: UIScrollView) -> CGPoint? {
    guard let path = indexPath(of: anchor.item), let frame = host.frame(at: path) else {
      return nil
    }
    let distance = CGFloat(anchor.offset)
    let insets = view.adjustedContentInset
    let content = host.contentSize
    var offset = view.contentOffset
    if host.axis == .vertical {
      let end = content.height + insets.bottom - view.bounds.height
      offset.y = max(-insets.top, min(frame.minY - distance, end))
    } else {
      let end = content.width + insets.right - view.bounds.width
      offset.x = max(-insets.left, min(frame.minX - distance, end))
    }
    return offset
  }

  /// Scrolls until an item has its place on the screen.
  func scroll(to anchor: ListViewState.Anchor) {
    // What comes into sight is measured, which can move the item again.
    for _ in 0..<4 {
      guard let view = host.view, let offset = contentOffset(showing: anchor, in: view) else {
        return
      }
      view.contentOffset = offset
      view.layoutIfNeeded()
      if isInPlace(anchor) { return }
    }
  }

  /// Whether an item has its place on the screen, as far as the content goes.
  func isInPlace(_ anchor: ListViewState.Anchor) -> Bool {
    guard let view = host.view, let offset = contentOffset(showing: anchor, in: view) else {
      return true
    }
    return abs(offset.x - view.contentOffset.x) < 0.5 && abs(offset.y - view.contentOffset.y) < 0.5
  }
}
