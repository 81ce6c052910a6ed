import CellarUIKit
import Foundation
import GRDB
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import Providers
import ScreenSupport
import TestSupport
import Testing

// Lists with a limit.
extension PageRun {
  /// Whether the list does not have all of some items: what it has dropped is asked for again.
  func lacks(_ ids: [ItemID]) -> Bool {
    guard let items = try? items() else { return true }
    return ids.isEmpty || !Set(items.map(\.id)).isSuperset(of: ids)
  }

  /// The user reads on, from gap to gap, and all pages come: the list gets beyond its limit.
  func readOn() async throws {
    let shown = second.flatMap { more.percent(30) ? $0 : nil } ?? main
    let goesDown = more.percent(50)
    for _ in 0..<more.number(3..<8) {
      step = "read on"
      guard try scrollToGap(on: shown, goesDown: goesDown) else { break }
      try await settle()
      // A page may let another one be needed.
      for _ in 0..<6 where !server.questions.isEmpty {
        try await staying("read on") { server.answer(0) }
      }
    }
  }

  /// - Returns: Whether there is a gap.
  private func scrollToGap(on shown: PageRunScreen, goesDown: Bool) throws -> Bool {
    let items = try items()
    let eye = shown.eye().flatMap { eye in items.firstIndex { $0.id == eye.item } } ?? 0
    let gaps = items.indices.filter { items[$0].state.isGap }
    let ahead = goesDown ? gaps.first(where: { $0 > eye }) : gaps.last(where: { $0 < eye })
    guard let gap = ahead ?? gaps.first, let frame = shown.screen.frame(of: items[gap].id) else {
      return false
    }
    let height = shown.view.bounds.height
    shown.drag(to: gap > eye ? frame.minY - height * 0.6 : frame.maxY - height * 0.4)
    return true
  }

  // MARK: What must hold

  /// So many rows from what is in sight are looked at no more: 200 stay, and what was in sight when the page came
  /// may have been some more away.
  private static var margin: Int { 200 + 100 }

  /// After a page, the list has no more than its limit, but for what is near a screen or a saved place, and what
  /// no page can be asked for again.
  ///
  /// Without edits in the outbox: what these name stays.
  ///
  /// `revision`: The revision before. `before`: What was in sight then.
  func expectBound(since revision: Int, seeing before: Set<ItemID>) throws {
    guard let limit, try list.revision() > revision, try list.pendingEdits().isEmpty,
      let last = try repository.commits(of: "shelf", after: revision).last, isPage(last)
    else { return }
    let rows = try items()
    // The limit counts what is the app's alone, too.
    let loaded = rows.filter { !$0.state.isGap && !$0.id.rawValue.hasPrefix("own") }
    let excess: Int =
      switch limit {
      case .items(let most): loaded.count - most
      case .bytes(let most): loaded.reduce(-most) { $0 + $1.state.content.text.utf8.count }
      }
    guard excess > 0 else { return }
    let stored = try storedPlaces()
    let seen = before.union(screens.flatMap(\.inSight)).union(stored.anchors)
    let eyes = rows.indices.filter { seen.contains(rows[$0].id) }
    guard !eyes.isEmpty else { return }
    let left = stored.stretches(of: rows).filter { stretch in
      let isFar = eyes.allSatisfy {
        max(stretch.lowerBound - $0, $0 - stretch.upperBound) > Self.margin
      }
      return isFar && stored.canGo(stretch, of: rows, except: server.recentItems)
    }
    #expect(
      left.isEmpty,
      """
      \(excess) beyond the limit, but rows \(left) of \(rows.count) are left, far from \(eyes); \
      \(context)
      """)
  }

  /// Whether a commit has brought items: one that only puts positions of gaps right looks at no limit.
  private func isPage(_ commit: Commit) -> Bool {
    commit.author == .pages
      && commit.entries.contains { entry in
        guard case .insertItem(let item, _) = entry else { return false }
        return server.recentItems.contains(item.id)
      }
  }

  private func storedPlaces() throws -> StoredPlaces {
    let queue = try database()
    let places = try queue.read { db in
      var places = StoredPlaces()
      for row in try GRDB.Row.fetchAll(db, sql: "SELECT item, before, after FROM pageEnd") {
        let (item, before, after): (String, String?, String?) = (row[0], row[1], row[2])
        places.ends[ItemID(stringLiteral: item)] = (before != nil, after != nil)
      }
      let anchors = try String.fetchAll(
        db, sql: "SELECT anchorItem FROM viewState WHERE anchorItem IS NOT NULL")
      places.anchors = Set(anchors.map { ItemID(stringLiteral: $0) })
      return places
    }
    try queue.close()
    return places
  }

  /// Opens the app without a limit: now all can be loaded that the list has dropped.
  func liftLimit() async throws {
    step = "no limit"
    try await settle()
    try await endApp()
    limit = nil
    try reopen()
    for shown in screens { shown.screen.layOut() }
    try await settle()
  }
}

/// What the store knows of pages and screens.
private struct StoredPlaces {
  /// The items with which pages ended, and whether something can be asked for before them, and after them.
  var ends: [ItemID: (before: Bool, after: Bool)] = [:]
  /// Where screens will be opened again.
  var anchors: Set<ItemID> = []

  /// The rows between two ends of pages, or gaps.
  func stretches(of rows: [Item]) -> [ClosedRange<Int>] {
    var stretches: [ClosedRange<Int>] = []
    var start = 0
    for index in rows.indices where isEnd(index, of: rows) {
      if !rows[index].state.isGap { stretches.append(start...index) }
      start = index + 1
    }
    return stretches
  }

  private func isEnd(_ index: Int, of rows: [Item]) -> Bool {
    let next = index + 1
    if next == rows.count || rows[index].state.isGap || rows[next].state.isGap { return true }
    return ends[rows[index].id]?.after == true || ends[rows[next].id]?.before == true
  }

  /// Whether the rows were sure to be taken away if there was too much: an end of a page beside them has a cursor
  /// for them.
  ///
  /// `recent`: The items of the page that came, whose earlier ends counted no more.
  func canGo(_ stretch: ClosedRange<Int>, of rows: [Item], except recent: Set<ItemID>) -> Bool {
    let (above, below) = (stretch.lowerBound - 1, stretch.upperBound + 1)
    let around = max(above, 0)...min(below, rows.count - 1)
    if around.contains(where: { recent.contains(rows[$0].id) }) { return false }
    let isAfterEnd = above >= 0 && ends[rows[above].id]?.after == true
    let isBeforeEnd = below < rows.count && ends[rows[below].id]?.before == true
    return isAfterEnd || isBeforeEnd
  }
}
