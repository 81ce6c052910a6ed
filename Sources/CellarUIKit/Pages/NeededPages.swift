import Foundation
import ListModel
import ListSync
import ListViews
import Pages
import Providers

/// Which pages a screen needs: those of the gaps in sight and near it, and the newest one of a list that has
/// had none.
///
/// A gap is asked for from the edge that the user comes from.
@MainActor final class NeededPages {
  private let screen: ListScreen
  /// Whether the user went towards the end last; a list that stands at its end begins the other way.
  private var isForward: Bool?
  /// The item that was the first one in sight.
  ///
  /// What the adapter moves to keep items in their places says nothing of where the user goes; which items are
  /// in sight does.
  private var lastFirst: ItemID?
  /// What was found the last time, and of what.
  private var found: (place: Place, keys: Set<PageLoading.Key>)?
  private var following: Task<Void, Never>?
  private var isChecking = false
  /// What was asked for pages.
  private var asked: PageLoading?

  private struct Place: Equatable {
    var first: IndexPath?
    var last: IndexPath?
    var isForward: Bool
    var displayCount: Int
    /// Where it is, and whether it moves, if a gap is in sight.
    var offset: CGPoint?
    var isMoving = false
  }

  /// A gap that is so many items from what is in sight, or nearer, is near.
  private static let reach = 25
  /// So is one that is so many lengths of the view from it.
  private static let lengths: CGFloat = 1.5
  /// Not more items are looked at, however low they are.
  private static let farthest = 200

  /// Whether the list scrolls to where the app wants it.
  var isAnimating = false
  /// The positions that were asked for last, by their gaps.
  private var positions: [ItemID: Int] = [:]

  /// Called when other pages may be needed, or what is known of them is something else.
  var onChange: (() -> Void)?

  init(_ screen: ListScreen) { self.screen = screen }

  deinit {
    following?.cancel()
    asked?.leave(ObjectIdentifier(self))
  }

  /// Follows what becomes of the pages of the list that the screen shows now.
  func follow() {
    following?.cancel()
    following = nil
    if asked !== screen.list.pages { asked?.leave(ObjectIdentifier(self)) }
    asked = screen.list.pages
    found = nil
    guard let pages = screen.list.pages else { return }
    let changes = pages.changes()
    following = Task { [weak self] in
      for await _ in changes { self?.onChange?() }
    }
  }

  /// Calls ``onChange`` when the view has been laid out: until then it tells what was in sight before.
  func checkSoon() {
    if isChecking || screen.list.pages == nil { return }
    isChecking = true
    Task { [weak self] in
      self?.isChecking = false
      self?.onChange?()
    }
  }

  /// Asks for the pages that are needed now.
  func check() {
    guard let pages = screen.list.pages, !screen.isChanging else { return }
    // What came is on its way to the view.
    if screen.host.isOnScreen, screen.provider.revision < pages.revision { return }
    pages.want(screen.host.isOnScreen ? needed(pages) : [], by: ObjectIdentifier(self))
  }

  private func needed(_ pages: PageLoading) -> Set<PageLoading.Key> {
    let newest: Set<PageLoading.Key> = pages.needsNewest(screen.provider) ? [.newest] : []
    return screen.provider.numberOfItems > 0 ? newest.union(neededByGaps(pages)) : newest
  }

  private func neededByGaps(_ pages: PageLoading) -> Set<PageLoading.Key> {
    let visible = screen.host.visiblePaths.sorted()
    noteDirection(visible.first)
    pages.show(
      [visible.first, visible.last].compactMap { $0.flatMap { screen.itemID(at: $0) } },
      by: ObjectIdentifier(self))
    let isForward = self.isForward ?? !pages.isNewestAtEnd
    let gaps = screen.gapPlaces
    var place = Place(
      first: visible.first, last: visible.last, isForward: isForward,
      displayCount: screen.displayCount)
    if let view = screen.host.view, visible.contains(where: { gaps[$0] != nil }) {
      place.offset = view.contentOffset
      place.isMoving = isMoving(view)
    }
    if let found, found.place == place { return found.keys }
    var keys: Set<PageLoading.Key> = []
    if let first = visible.first, let last = visible.last {
      for path in visible {
        if let gap = gaps[path] { add(gap, at: path, isForward: isForward, to: &keys) }
      }
      addNear(last, isForward: true, isAhead: isForward, to: &keys)
      addNear(first, isForward: false, isAhead: !isForward, to: &keys)
    }
    found = (place, keys)
    return keys
  }

  private func noteDirection(_ first: IndexPath?) {
    guard let first, let item = screen.itemID(at: first), item != lastFirst else { return }
    if let before = lastFirst.flatMap({ screen.indexPath(of: $0) }) { isForward = first > before }
    lastFirst = item
  }

  /// Adds the pages of the gaps on one side of what is in sight.
  ///
  /// `isAhead`: Whether the user goes there; on the other side, half as far is near.
  private func addNear(
    _ start: IndexPath, isForward: Bool, isAhead: Bool, to keys: inout Set<PageLoading.Key>
  ) {
    guard let view = screen.host.view else { return }
    let isVertical = screen.host.axis == .vertical
    let length = (isVertical ? view.bounds.height : view.bounds.width) * Self.lengths
    let (items, points) = isAhead ? (Self.reach, length) : (Self.reach / 2, length / 2)
    var path = start
    for distance in 1...Self.farthest {
      guard let next = isForward ? self.path(after: path) : self.path(before: path) else { return }
      path = next
      // To ask the view for a frame takes longer than to look for a gap.
      if distance > items {
        guard let frame = screen.host.frame(at: path) else { return }
        let away =
          isForward
          ? (isVertical ? frame.minY - view.bounds.maxY : frame.minX - view.bounds.maxX)
          : (isVertical ? view.bounds.minY - frame.maxY : view.bounds.minX - frame.maxX)
        if away > points { return }
      }
      add(path, isForward: isForward, to: &keys)
    }
  }

  private func isMoving(_ view: UIScrollView) -> Bool {
    isAnimating || view.isDragging || view.isDecelerating
  }

  /// Adds the page that a gap in sight needs: that of the edge in sight or near it; in the midst of a long
  /// one, that of the position at which the user stops.
  private func add(
    _ gap: ShownGaps.Entry, at path: IndexPath, isForward: Bool,
    to keys: inout Set<PageLoading.Key>
  ) {
    guard let view = screen.host.view, let frame = screen.host.frame(at: path),
      let place = screen.display.listPath(of: ItemPath(path))
    else { return }
    let isVertical = screen.host.axis == .vertical
    let (start, end) = isVertical ? (frame.minY, frame.maxY) : (frame.minX, frame.maxX)
    let (first, last) =
      isVertical
      ? (view.bounds.minY, view.bounds.maxY) : (view.bounds.minX, view.bounds.maxX)
    let reach = (last - first) * Self.lengths
    let count = screen.provider.numberOfItems(inSection: place.section)
    let isNearUpper = place.item > 0 && first - start <= reach
    let isNearLower = place.item < count - 1 && end - last <= reach
    if isNearUpper != isNearLower {
      keys.insert(.init(gap: gap.id, part: isNearUpper ? .after : .before))
    } else if !isNearUpper, end - start > last - first, let offset = gap.gap.offset {
      if isMoving(view) { return }
      let line = screen.lineLength(of: gap, in: frame)
      let missing = Int(max(0, first - start) / line) * gap.columns
      let shown = Int((last - first) / line + 1) * gap.columns
      let position = self.position(
        offset + min(missing, max(0, (gap.gap.count ?? 1) - 1)), in: gap, showing: shown)
      keys.insert(.init(gap: gap.id, part: .from(position)))
    } else {
      add(path, isForward: isForward, to: &keys)
    }
  }

  /// The position to ask for: the one that was asked for last, if it is in sight or near it.
  ///
  /// `count`: How many items are in sight.
  private func position(
    _ first: Int, in gap: ShownGaps.Entry, showing count: Int
  ) -> Int {
    if let last = positions[gap.id], last > first - count, last < first + count,
      let offset = gap.gap.offset, last >= offset
    {
      return last
    }
    if positions.count > 100 { positions = [:] }
    positions[gap.id] = first
    return first
  }

  /// Adds the page at the edge of a gap that is nearest to where the user comes from, if a gap is there.
  private func add(_ path: IndexPath, isForward: Bool, to keys: inout Set<PageLoading.Key>) {
    guard let gap = screen.gap(at: path), let place = screen.display.listPath(of: ItemPath(path))
    else { return }
    let count = screen.provider.numberOfItems(inSection: place.section)
    // At an end of the list, only one edge is next to something.
    let isFromAbove =
      place.item == 0 ? count == 1 && isForward : place.item == count - 1 || isForward
    keys.insert(.init(gap: gap.id, part: isFromAbove ? .after : .before))
  }

  private func path(after path: IndexPath) -> IndexPath? {
    if path.item + 1 < screen.display.numberOfItems(inSection: path.section) {
      return IndexPath(item: path.item + 1, section: path.section)
    }
    var section = path.section + 1
    while section < screen.display.numberOfSections {
      if screen.display.numberOfItems(inSection: section) > 0 {
        return IndexPath(item: 0, section: section)
      }
      section += 1
    }
    return nil
  }

  private func path(before path: IndexPath) -> IndexPath? {
    if path.item > 0 { return IndexPath(item: path.item - 1, section: path.section) }
    var section = path.section - 1
    while section >= 0 {
      let count = screen.display.numberOfItems(inSection: section)
      if count > 0 { return IndexPath(item: count - 1, section: section) }
      section -= 1
    }
    return nil
  }
}
