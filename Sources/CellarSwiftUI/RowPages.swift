import ListModel
import ListSync
import Pages
import Providers

/// Asks for the pages of gaps that rows in sight come near to, and says which rows are in sight.
///
/// A SwiftUI `List` says which rows appear and disappear, some of them before they are in sight, and nothing
/// of points. So what is near is counted in rows, and a gap is one row, however many items it stands for.
@MainActor final class RowPages {
  private let list: LiveList
  private var shown: Set<ItemID> = []
  private var isForward: Bool
  private var last: ClosedRange<Int>?
  /// How many rows there are from what is shown to a gap that is near, where the user goes; on the other
  /// side, half as many.
  private static let reach = 25
  private static let mostShown = 500

  init(_ list: LiveList) {
    self.list = list
    isForward = list.pages?.isNewestAtEnd != true
  }

  deinit { list.pages?.leave(ObjectIdentifier(self)) }

  /// What has become of the pages of a gap.
  func state(of gap: ItemID) -> LiveList.PageState { list.pageState(of: gap) }

  func appeared(_ row: ItemID, in content: ListContent) {
    // A row that is taken away need not tell that it disappears.
    if shown.count > Self.mostShown { shown = [] }
    shown.insert(row)
    check(content)
  }

  func disappeared(_ row: ItemID, in content: ListContent) {
    shown.remove(row)
    check(content)
  }

  /// Asks for the pages that are needed now.
  func check(_ content: ListContent) {
    guard let pages = list.pages, content.provider.revision >= pages.revision else { return }
    pages.want(needed(content, pages), by: ObjectIdentifier(self))
  }

  private func needed(_ content: ListContent, _ pages: PageLoading) -> Set<PageLoading.Key> {
    var keys: Set<PageLoading.Key> = pages.needsNewest(content.provider) ? [.newest] : []
    let rows = content.rows
    shown = shown.filter { content.provider.path(of: $0) != nil }
    let places = shown.compactMap { content.row(of: $0) }
    guard let first = places.min(), let end = places.max() else {
      pages.show([], by: ObjectIdentifier(self))
      return keys
    }
    pages.show([rows[first].id, rows[end].id], by: ObjectIdentifier(self))
    if let last, last.lowerBound != first || last.upperBound != end {
      isForward = first + end > last.lowerBound + last.upperBound
    }
    last = first...end
    let (ahead, behind) = (Self.reach, Self.reach / 2)
    let range =
      max(
        0, first - (isForward ? behind : ahead))...min(
        rows.count - 1, end + (isForward ? ahead : behind))
    for place in range {
      let row = rows[place]
      guard row.gap != nil else { continue }
      let count = content.provider.numberOfItems(inSection: row.path.section)
      let comesFromAbove = place > end || place >= first && isForward
      // At an end of the list, only one edge is next to something.
      let isFromAbove =
        row.path.item == 0
        ? count == 1 && isForward : row.path.item == count - 1 || comesFromAbove
      keys.insert(.init(gap: row.id, part: isFromAbove ? .after : .before))
    }
    return keys
  }
}
