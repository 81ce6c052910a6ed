import Foundation
import ListItems
import ListModel
import ListSync
import ListViews

// What the user looks at stays where it is in a rotation, and when texts get another size.
extension ListAdapter {
  /// Notes what the user looks at before everything is placed anew, to be brought back after that.
  func noteEye() {
    guard eye == nil, updates.keepsScrollPosition, !screen.isChanging, let view = screen.host.view
    else { return }
    eye = placeOnDisplay
    if eye != nil { ViewWatch.watch(of: view).setNeedsLayout() }
  }

  /// Brings what the user looked at back to its place.
  func restoreEye() {
    guard let place = eye else { return }
    eye = nil
    if screen.isChanging { return }
    // Where it was at the last launch comes first, and the end of a list that sticks to it.
    if screenSelection.holdsPlace { return screenSelection.restore() }
    let outer = screen.isChanging
    screen.isChanging = true
    screen.scroll(to: place)
    screen.isChanging = outer
  }

  /// What is first in sight, as the cells on display have it: the view may be about to place them anew.
  private var placeOnDisplay: ListScreen.Place? {
    guard let view = screen.host.view else { return nil }
    let isVertical = screen.host.axis == .vertical
    let insets = view.adjustedContentInset
    let (offset, inset) =
      isVertical ? (view.contentOffset.y, insets.top) : (view.contentOffset.x, insets.left)
    // At the very beginning, the beginning stays.
    guard list.pages != nil || offset + inset > 0.5 else { return nil }
    var first: (place: ListScreen.Place, path: IndexPath)?
    var gap: ListScreen.Place?
    for binding in views.cells.all {
      guard let cell = binding.view, let path = screen.indexPath(of: binding.id) else { continue }
      let (start, end) =
        isVertical ? (cell.frame.minY, cell.frame.maxY) : (cell.frame.minX, cell.frame.maxX)
      if end <= offset { continue }
      if let entry = screen.gap(at: path) {
        if start > offset { continue }
        let lines = (offset - start) / screen.lineLength(of: entry, in: cell.frame)
        gap = .missing(ListScreen.MissingItem(gap: binding.id, lines: Double(lines)))
      } else if first.map({ path < $0.path }) ?? true {
        first = (.item(.init(item: binding.id, offset: Double(start - offset))), path)
      }
    }
    return first?.place ?? gap
  }
}
