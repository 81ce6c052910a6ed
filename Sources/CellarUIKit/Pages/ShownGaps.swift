import BatchUpdates
import Foundation
import ListItems
import ListModel
import ListViews
import Providers

/// The gaps of the list that a view shows, and how many lines of items each stands for.
struct ShownGaps {
  /// A gap in the view.
  struct Entry {
    let id: ItemID
    let gap: Gap
    /// How many lines the missing items have; 1 if nobody knows, and for a cell of the app's.
    let lines: Int
    /// The space between two lines, in points.
    let spacing: Double
    /// How many missing items are in a line.
    let columns: Int
  }

  private var ids: Set<ItemID>
  private var entries: (places: [IndexPath: Entry], count: Int)?

  init(_ provider: Provider) { ids = Set(provider.gaps) }

  /// Follows an update that leads to another revision.
  ///
  /// `stage`: One of its stages, which `display` shows.
  mutating func follow(_ stage: Stage, in display: DisplayedList) {
    if !stage.insertSections.isEmpty { ids.formUnion(display.provider.gaps) }
    for path in stage.insertItems + stage.reloadItems {
      guard let place = display.listPath(of: path),
        display.provider.cell(at: place)?.cell == Gap.cell,
        let id = display.provider.itemID(at: place)
      else { continue }
      ids.insert(id)
    }
    ids = ids.filter { display.provider.path(of: $0) != nil }
  }

  /// The gaps by the view's paths.
  ///
  /// `count`: ``ListScreen/displayCount``, for which they are worked out once.
  mutating func places(
    in display: DisplayedList, _ count: Int, isOfApp: Bool,
    _ metrics: (Int) -> (columns: Int, spacing: Double)
  ) -> [IndexPath: Entry] {
    if let entries, entries.count == count { return entries.places }
    var places: [IndexPath: Entry] = [:]
    for id in ids {
      guard let path = display.path(of: id), let place = display.provider.path(of: id),
        let item = display.provider.item(at: place), item.state.isGap
      else { continue }
      let gap = Gap(readable: item.state.content)
      let (columns, spacing) = metrics(path.section)
      let lines = isOfApp ? 1 : (max(1, gap.count ?? 1) - 1) / columns + 1
      places[path.indexPath] = Entry(
        id: id, gap: gap, lines: lines, spacing: spacing, columns: columns)
    }
    entries = (places, count)
    return places
  }
}

extension ListScreen {
  /// The gaps of the list, by the view's paths.
  var gapPlaces: [IndexPath: ShownGaps.Entry] {
    gaps.places(in: display, displayCount, isOfApp: views.hasGapCell, lineMetrics)
  }

  /// The gap at a path of the view; `nil` if an item stands there.
  func gap(at path: IndexPath) -> ShownGaps.Entry? { gapPlaces[path] }

  /// Whether what the list has not loaded is at a path of the view.
  func isGap(at path: IndexPath) -> Bool { gap(at: path) != nil }

  /// The length that each line of a gap has, with the space to the next one, in points.
  func lineLength(of gap: ShownGaps.Entry, in frame: CGRect) -> CGFloat {
    let length = host.axis == .vertical ? frame.height : frame.width
    return (length + CGFloat(gap.spacing)) / CGFloat(gap.lines)
  }
}

// MARK: - Places in gaps

extension ListScreen {
  /// An item that the list does not have, at the beginning of the visible part.
  struct MissingItem: Equatable {
    /// The gap that it is in.
    var gap: ItemID
    /// How many lines of the gap are before the beginning of the visible part.
    var lines: Double

    /// As it is saved: the distance is counted in lines, which may be longer or shorter at the next launch.
    var anchor: ListViewState.Anchor { ListViewState.Anchor(item: gap, offset: -lines) }
  }

  /// The missing item at the beginning of the visible part; `nil` if none is there.
  var missingInSight: MissingItem? {
    guard let view = host.view else { return nil }
    let places = gapPlaces
    for path in host.visiblePaths.sorted() {
      guard let gap = places[path], let frame = host.frame(at: path) else { continue }
      let isVertical = host.axis == .vertical
      let start = isVertical ? frame.minY : frame.minX
      let offset = isVertical ? view.contentOffset.y : view.contentOffset.x
      return MissingItem(
        gap: gap.id, lines: Double((offset - start) / lineLength(of: gap, in: frame)))
    }
    return nil
  }

  /// The place in a gap as it is saved.
  var gapInSight: ListViewState.Anchor? { missingInSight?.anchor }

  /// The place that was saved: that of an item, or that in a gap.
  func place(savedAs anchor: ListViewState.Anchor) -> Place {
    if gapPlaces.contains(where: { $1.id == anchor.item }) {
      return .missing(MissingItem(gap: anchor.item, lines: -anchor.offset))
    }
    return .item(anchor)
  }

  /// Where a missing item is in another revision of the list: still missing, or loaded by now.
  ///
  /// It is counted from the item above the gap, or from the one below if that is gone.
  ///
  /// `next`: The revision.
  func place(of missing: MissingItem, in next: Provider) -> Place? {
    guard let path = provider.path(of: missing.gap),
      let (shown, entry) = gapPlaces.first(where: { $1.id == missing.gap }),
      let frame = host.frame(at: shown)
    else { return nil }
    let unit = Double(lineLength(of: entry, in: frame))
    let line = missing.lines.rounded(.down)
    let rest = missing.lines - line
    func found(_ path: ItemPath, _ number: Int) -> Place? {
      guard let id = next.itemID(at: path) else { return nil }
      if next.cell(at: path)?.cell == Gap.cell {
        let lines = Double(number / entry.columns) + rest
        return .missing(MissingItem(gap: id, lines: lines))
      }
      return .item(.init(item: id, offset: -rest * unit))
    }
    // How many items are between, if the next ones follow from a neighbour.
    let number = max(0, Int(line)) * entry.columns
    if let section = provider.sectionID(at: path.section), let index = next.index(of: section) {
      if path.item == 0 {
        return next.path(after: number, from: ItemPath(section: index, item: 0)).flatMap(found)
      }
      let above = ItemPath(section: path.section, item: path.item - 1)
      if let id = provider.itemID(at: above), var start = next.path(of: id),
        start.section == index
      {
        start.item += 1
        if let place = next.path(after: number, from: start).flatMap(found) { return place }
      }
      let count = max(entry.gap.count ?? 1, number + 1)
      let below = ItemPath(section: path.section, item: path.item + 1)
      if let id = provider.itemID(at: below), let end = next.path(of: id), end.section == index {
        return next.path(before: count - 1 - number, from: end).flatMap(found)
      }
    }
    return next.path(of: missing.gap) == nil ? nil : .missing(missing)
  }
}

extension Provider {
  /// How far it is counted: who has loaded more meanwhile is elsewhere.
  private static var farthest: Int { 5_000 }

  private func missingCount(at path: ItemPath) -> Int? {
    guard let item = item(at: path), item.state.isGap else { return nil }
    return max(1, Gap(readable: item.state.content).count ?? 1)
  }

  /// Where the item is that follows a path after a number of others, missing ones included.
  ///
  /// Returns the path, and the number within a gap.
  fileprivate func path(after count: Int, from start: ItemPath) -> (ItemPath, Int)? {
    var (path, rest) = (start, count)
    let total = numberOfItems(inSection: start.section)
    for _ in 0..<Self.farthest where path.item < total {
      let isGap = cell(at: path)?.cell == Gap.cell
      let length = isGap ? missingCount(at: path) ?? 1 : 1
      // A gap of which nobody knows how long it is takes all.
      if rest < length || isGap && path.item == total - 1 { return (path, rest) }
      rest -= length
      path.item += 1
    }
    return nil
  }

  /// As ``path(after:from:)``, before a path.
  fileprivate func path(before count: Int, from end: ItemPath) -> (ItemPath, Int)? {
    var (path, rest) = (end, count)
    for _ in 0..<Self.farthest where path.item > 0 {
      path.item -= 1
      let length = cell(at: path)?.cell == Gap.cell ? missingCount(at: path) ?? 1 : 1
      if rest < length { return (path, length - 1 - rest) }
      rest -= length
    }
    return nil
  }
}
