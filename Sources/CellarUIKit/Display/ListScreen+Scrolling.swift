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

  /// Shows an item at its place on the screen, in a view that may not have shown anything yet.
  ///
  /// The first layout is in the right place, about: what is above it is neither shown nor measured.
  func open(at anchor: ListViewState.Anchor) {
    guard let view = host.view, let path = indexPath(of: anchor.item) else { return }
    if let (frame, contentSize) = host.assumedFrame(at: path) {
      view.contentOffset = contentOffset(showing: frame, in: contentSize, at: anchor.offset)
    }
    view.layoutIfNeeded()
    scroll(to: anchor)
  }

  /// The content offset that shows an item at its place on the screen, as far as the content goes.
  ///
  /// - Returns: `nil` if the view does not have the item.
  func contentOffset(showing anchor: ListViewState.Anchor) -> CGPoint? {
    indexPath(of: anchor.item).flatMap { host.frame(at: $0) }
      .map { contentOffset(showing: $0, in: host.contentSize, at: anchor.offset) }
  }

  /// The content offset that shows a frame at a distance from the beginning of the visible part, as
  /// far as the content goes.
  private func contentOffset(
    showing frame: CGRect, in content: CGSize, at distance: Double
  ) -> CGPoint {
    guard let view = host.view else { return .zero }
    let insets = view.adjustedContentInset
    var offset = view.contentOffset
    if host.axis == .vertical {
      let end = content.height + insets.bottom - view.bounds.height
      offset.y = max(-insets.top, min(frame.minY - CGFloat(distance), end))
    } else {
      let end = content.width + insets.right - view.bounds.width
      offset.x = max(-insets.left, min(frame.minX - CGFloat(distance), end))
    }
    return offset
  }

  /// Scrolls until an item has its place on the screen.
  func scroll(to anchor: ListViewState.Anchor) {
    // What comes into sight is measured, which can move the item again.
    for _ in 0..<4 {
      guard let view = host.view, let offset = contentOffset(showing: anchor) else {
        return
      }
      view.contentOffset = offset
      view.layoutIfNeeded()
      if isInPlace(anchor) { return }
    }
  }

  /// Whether an item has its place on the screen, as far as the content goes.
  func isInPlace(_ anchor: ListViewState.Anchor) -> Bool {
    guard let view = host.view, let offset = contentOffset(showing: anchor) else {
      return true
    }
    return abs(offset.x - view.contentOffset.x) < 0.5 && abs(offset.y - view.contentOffset.y) < 0.5
  }
}
