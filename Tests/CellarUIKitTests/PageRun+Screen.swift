import CellarUIKit
import Foundation
import HeadlessUIKit
import ListModel
import ListSync
import ScreenSupport

/// A screen of a run, and where its user looks.
@MainActor final class PageRunScreen {
  /// What is looked at: the first item in sight.
  struct Eye {
    var item: ItemID
    /// The distance from the top of what is in sight, in points; of a gap, in missing items.
    var place: CGFloat
    var before = ""
  }

  let name: String
  let screen: Screen
  private let newest: LiveList.Paging.End
  /// What was looked at when the screen went, and when it was there again; nothing once somebody scrolls.
  var left: [Eye] = []

  init(
    _ kind: ScreenKind, showing list: LiveList, named name: String, newest: LiveList.Paging.End
  ) throws {
    (self.name, self.newest) = (name, newest)
    screen = try Screen(kind, showing: list, named: name)
    screen.adapter.sticksToEnd = newest == .end
  }

  var view: UIScrollView { screen.view }

  /// Whether the end is in sight; or was, until a fling brought an item into sight there that is longer than was
  /// assumed: the list goes there when it comes to rest, or is updated.
  var isAtEnd: Bool {
    let distance = view.contentSize.height - view.bounds.height - view.contentOffset.y
    return newest == .end && distance <= (screen.adapter.standsAtEnd ? 100 : 1)
  }

  /// All that is in sight, gaps included.
  var inSight: [ItemID] { screen.visiblePaths.compactMap { screen.adapter.item(at: $0)?.id } }

  /// `nil` if no item is in sight.
  func eye() -> Eye? {
    for path in screen.visiblePaths.sorted() {
      guard let item = screen.adapter.item(at: path), !item.state.isGap,
        let frame = screen.frame(of: item.id), frame.maxY > view.contentOffset.y
      else { continue }
      return Eye(
        item: item.id, place: frame.minY - view.contentOffset.y,
        before:
          "\(screen.adapter.standsAtEnd) \(view.contentOffset.y) of \(view.contentSize.height)")
    }
    return nil
  }

  /// How far an item is from where it was, or from where the content is long enough for it; `nil` if it is gone.
  ///
  /// A fling may have come beyond the content's beginning: nothing has to bring it back before it ends.
  func distance(of eye: Eye) -> CGFloat? {
    guard let frame = screen.frame(of: eye.item) else { return nil }
    let end = max(0, view.contentSize.height - view.bounds.height)
    // The place in a gap is counted in items that are missing, of whatever height, with the space after each.
    let item = screen.adapter.indexPath(of: eye.item).flatMap { screen.adapter.item(at: $0) }
    let gap = item.flatMap { $0.state.isGap ? try? Gap($0.state.content) : nil }
    let layout = screen.collection?.collectionViewLayout as? UICollectionViewFlowLayout
    let space = layout?.minimumLineSpacing ?? 0
    let unit = gap.map { (frame.height + space) / CGFloat($0.count ?? 1) } ?? 1
    let place = frame.minY - eye.place * unit
    let distances = [place, min(max(0, place), end)].map { view.contentOffset.y - $0 }
    return distances.min { abs($0) < abs($1) }
  }

  /// Whether what was looked at when the screen went is where it was.
  var isAtLeft: Bool {
    left.contains { eye in distance(of: eye).map { abs($0) < 0.01 } == true }
  }

  // MARK: What happens to it

  func rotate() {
    let isWide = screen.window.frame.width > 400
    screen.window.frame.size =
      isWide ? CGSize(width: 320, height: 480) : CGSize(width: 480, height: 320)
    screen.view.frame = screen.window.bounds
  }

  func changeTexts() {
    let isLarge =
      screen.window.traitCollection.preferredContentSizeCategory == .extraLarge
    screen.window.headlessChangeTraits(
      UITraitCollection(preferredContentSizeCategory: isLarge ? .large : .extraLarge))
  }

  /// A finger takes the content to an offset, and lifts.
  func drag(to offset: CGFloat) {
    left = []
    view.headlessBeginDragging()
    view.headlessDrag(to: CGPoint(x: 0, y: offset))
    view.headlessEndDragging()
    bounceBack()
  }

  /// A view that was left beyond its content bounces back.
  func bounceBack() {
    view.headlessDrag(to: view.contentOffset)
    view.headlessDrag(to: view.contentOffset)
  }

  /// Does what a view does between two frames.
  func update() {
    screen.adapter.update()
    screen.layOut()
    screen.finishAnimations()
    screen.adapter.checkPagesNow()
  }

  /// Leaves the display, and needs no page any more.
  func leave() {
    view.removeFromSuperview()
    screen.adapter.checkPagesNow()
  }
}
