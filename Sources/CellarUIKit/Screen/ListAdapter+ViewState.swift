import Foundation
public import ListModel
import ListSync
import Providers
import ListItems

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

// What is selected, and where the list is scrolled to, outlives the screen.
extension ListAdapter {
  /// Keeps what is selected and where the list is scrolled to, now.
  ///
  /// It comes by itself after each selection and each scroll by the user, on another thread; this is for an
  /// app that is about to be suspended.
  ///
  /// - Throws: ``/ListModel/StoreError`` if the store can't be written.
  public func saveViewState() throws(StoreError) {
    // What is on its way is older: it must not come after.
    saving.sync {}
    guard let screen, let state = changedViewState() else { return }
    try list.save(state, view: screen)
  }

  /// Keeps them soon.
  func saveViewStateSoon() {
    guard let screen, let state = changedViewState() else { return }
    saving.async { [list, weak self] in
      do { try list.save(state, view: screen) } catch {
        Task { @MainActor in self?.report(error) }
      }
    }
  }

  /// - Returns: `nil` where it is what was kept last.
  private func changedViewState() -> ListViewState? {
    // Where it was scrolled to last time, it was not yet scrolled to again.
    let anchor = pendingAnchor ?? currentAnchor
    let state = ListViewState(selection: selection, anchor: anchor)
    if state == savedState { return nil }
    savedState = state
    return state
  }

  /// The first item in sight; `nil` at the very beginning.
  private var currentAnchor: ScrollAnchor? {
    firstInSight(among: shown).map {
      ScrollAnchor(item: $0.item, offset: Double($0.distance))
    }
  }

  /// Selects what was selected, and scrolls to where the list was, once the view has a size.
  func restoreViewState() {
    selection.mode = host.allowsMultipleSelection ? .multiple : .single
    restoreSelection()
    guard let anchor = pendingAnchor, let view = host.view, view.bounds.width > 0,
      view.bounds.height > 0
    else { return }
    view.layoutIfNeeded()
    pendingAnchor = nil
    guard let path = indexPath(of: anchor.item), let frame = host.frame(at: path) else { return }
    scroll(view, to: frame, distance: CGFloat(anchor.offset))
    view.layoutIfNeeded()
  }

  // MARK: Places on the screen

  /// The first item in sight that a list has too, and how far its beginning is from that of what is seen;
  /// `nil` at the very beginning.
  func firstInSight(among list: ShownList) -> (item: ItemID, distance: CGFloat)? {
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
      if last > offset { return (item, first - offset) }
    }
    return nil
  }

  /// The offset at which something is at a distance from the beginning of what is seen, as far as the
  /// content goes.
  func offset(showing frame: CGRect, at distance: CGFloat, in view: UIScrollView) -> CGPoint {
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

  func scroll(_ view: UIScrollView, to frame: CGRect, distance: CGFloat) {
    view.contentOffset = offset(showing: frame, at: distance, in: view)
  }
}
