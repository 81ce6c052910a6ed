import Foundation
import ListItems
import ListModel
import ListSync
import ListViews
import Providers

// Items keep their places on the screen, whatever comes and goes around them.
extension ListScreen {
  /// What keeps its place on the screen.
  enum Place: Equatable {
    /// An item, at a distance from the beginning of the visible part.
    case item(ListViewState.Anchor)
    /// An item that is not loaded.
    case missing(MissingItem)
    /// The end of the content.
    case end

    /// The place as it is saved; `nil` for the end.
    var anchor: ListViewState.Anchor? {
      switch self {
      case .item(let anchor): anchor
      case .missing(let missing): missing.anchor
      case .end: nil
      }
    }
  }

  /// The first item in sight that a list shows too, and its distance from the beginning of the
  /// visible part; `nil` if there is none.
  ///
  /// `countsBeginning`: Whether there is one at the very beginning of the content, too.
  func firstInSight(
    among list: ShownList, countsBeginning: Bool = false
  ) -> ListViewState.Anchor? {
    guard let view = host.view else { return nil }
    let isVertical = host.axis == .vertical
    let insets = view.adjustedContentInset
    let (offset, inset) =
      isVertical ? (view.contentOffset.y, insets.top) : (view.contentOffset.x, insets.left)
    // What is loaded moves nothing, at the beginning too.
    guard countsBeginning || self.list.pages != nil || offset + inset > 0.5 else { return nil }
    for path in host.visiblePaths.sorted() {
      guard let item = itemID(at: path), list.shows(item), !isGap(at: path),
        let frame = host.frame(at: path)
      else { continue }
      let (first, last) = isVertical ? (frame.minY, frame.maxY) : (frame.minX, frame.maxX)
      if last > offset { return ListViewState.Anchor(item: item, offset: Double(first - offset)) }
    }
    return nil
  }

  /// Whether the end of the content is in sight.
  var isAtEnd: Bool { distanceBeyondEnd >= -1 }

  /// Whether the view is scrolled farther than its content goes.
  var isBeyondEnd: Bool { distanceBeyondEnd > 1 }

  /// How far beyond the end of its content the view is scrolled, in points; below 0 before that.
  private var distanceBeyondEnd: CGFloat {
    guard let view = host.view else { return -.infinity }
    // The layout may have grown, or shrunk, since the view asked it how far one can scroll.
    let (seen, known) = (view.contentSize, host.contentSize)
    let end = endOffset(
      of: CGSize(width: min(seen.width, known.width), height: min(seen.height, known.height)))
    return host.axis == .vertical ? view.contentOffset.y - end.y : view.contentOffset.x - end.x
  }

  /// Shows a place in a view that may not have shown anything yet.
  ///
  /// The first layout is there already, about: what is above is neither shown nor measured.
  func open(at place: Place) {
    guard let view = host.view else { return }
    switch place {
    case .item(let anchor):
      guard let path = indexPath(of: anchor.item) else { return }
      if let frame = host.assumedFrame(at: path) {
        view.contentOffset = contentOffset(
          showing: frame, in: host.assumedContentSize, at: anchor.offset)
      }
    case .missing(let missing):
      if let (path, gap) = gapPlaces.first(where: { $1.id == missing.gap }),
        let frame = host.assumedFrame(at: path)
      {
        let distance = missing.lines * Double(lineLength(of: gap, in: frame))
        view.contentOffset = contentOffset(
          showing: frame, in: host.assumedContentSize, at: -distance)
      }
    case .end: view.contentOffset = endOffset(of: host.assumedContentSize)
    }
    view.layoutIfNeeded()
    scroll(to: place)
  }

  /// The content offset that shows a place, as far as the content goes.
  ///
  /// - Returns: `nil` if the view does not have the item.
  func contentOffset(showing place: Place) -> CGPoint? {
    switch place {
    case .item(let anchor):
      indexPath(of: anchor.item).flatMap { host.frame(at: $0) }
        .map { contentOffset(showing: $0, in: host.contentSize, at: anchor.offset) }
    case .missing(let missing):
      gapPlaces.first { $1.id == missing.gap }.flatMap { path, gap in
        host.frame(at: path).map { frame in
          let distance = missing.lines * Double(lineLength(of: gap, in: frame))
          return contentOffset(showing: frame, in: host.contentSize, at: -distance)
        }
      }
    case .end: endOffset(of: host.contentSize)
    }
  }

  /// The content offset that shows a frame at a distance from the beginning of the visible part, as
  /// far as the content goes.
  private func contentOffset(
    showing frame: CGRect, in content: CGSize, at distance: Double
  ) -> CGPoint {
    guard let view = host.view else { return .zero }
    let insets = view.adjustedContentInset
    var offset = view.contentOffset
    let end = endOffset(of: content)
    if host.axis == .vertical {
      offset.y = max(-insets.top, min(frame.minY - CGFloat(distance), end.y))
    } else {
      offset.x = max(-insets.left, min(frame.minX - CGFloat(distance), end.x))
    }
    return offset
  }

  /// The content offset that shows the end of the content; the beginning if it is shorter than the
  /// view.
  private func endOffset(of content: CGSize) -> CGPoint {
    guard let view = host.view else { return .zero }
    let insets = view.adjustedContentInset
    var offset = view.contentOffset
    if host.axis == .vertical {
      offset.y = max(-insets.top, content.height + insets.bottom - view.bounds.height)
    } else {
      offset.x = max(-insets.left, content.width + insets.right - view.bounds.width)
    }
    return offset
  }

  /// Scrolls until a place is shown.
  func scroll(to place: Place) { scroll { contentOffset(showing: place) } }

  /// Scrolls to an offset that depends on what is measured there.
  ///
  /// `target`: The offset as far as it is known; `nil` to stay.
  func scroll(to target: () -> CGPoint?) {
    // What comes into sight is measured, which can move the rest.
    for _ in 0..<8 {
      guard let view = host.view, let offset = target() else { return }
      view.contentOffset = offset
      view.layoutIfNeeded()
      // Content that became shorter has moved, and shows what is not measured yet.
      if view.contentOffset != offset { view.layoutIfNeeded() }
      if target().map(isNear) ?? true { return }
    }
  }

  /// Whether a place is shown, as far as the content goes.
  func isInPlace(_ place: Place) -> Bool { contentOffset(showing: place).map(isNear) ?? true }

  /// Whether the item of a place that was scrolled to, or the gap, is above what is in sight: it was longer
  /// when the place was saved.
  func isAbove(_ place: Place) -> Bool {
    guard let id = place.anchor?.item, let view = host.view,
      let frame = indexPath(of: id).flatMap(host.frame(at:))
    else { return false }
    return host.axis == .vertical
      ? frame.maxY <= view.contentOffset.y : frame.maxX <= view.contentOffset.x
  }

  private func isNear(_ offset: CGPoint) -> Bool {
    guard let current = host.view?.contentOffset else { return true }
    return abs(offset.x - current.x) < 0.01 && abs(offset.y - current.y) < 0.01
  }

  /// The content offset that shows an item at a position of the visible part, as far as the content
  /// goes; `nil` if the view does not have the item.
  func contentOffset(
    showing item: ItemID, at position: ListAdapter.ScrollPosition
  ) -> CGPoint? {
    guard let view = host.view, let frame = indexPath(of: item).flatMap({ host.frame(at: $0) })
    else { return nil }
    let visible = view.bounds.inset(by: view.adjustedContentInset)
    let isVertical = host.axis == .vertical
    let (length, room) =
      isVertical ? (frame.height, visible.height) : (frame.width, visible.width)
    let inset = isVertical ? view.adjustedContentInset.top : view.adjustedContentInset.left
    let (first, last) =
      isVertical
      ? (frame.minY - visible.minY, visible.maxY - frame.maxY)
      : (frame.minX - visible.minX, visible.maxX - frame.maxX)
    let distance =
      switch position {
      case .start: CGFloat(0)
      case .center: (room - length) / 2
      case .end: room - length
      // An item that is longer than the view is shown from its beginning.
      case .nearest: first < 0 || length > room ? 0 : last < 0 ? room - length : first
      }
    return contentOffset(showing: frame, in: host.contentSize, at: Double(inset + distance))
  }
}
