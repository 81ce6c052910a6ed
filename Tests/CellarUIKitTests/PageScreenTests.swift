import CellarUIKit
import Foundation
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

/// A list on a screen that loads as one scrolls.
@MainActor @Suite struct PageScreenTests {
  private let bookcase: Bookcase
  private let server: Page.ScriptedLoader

  init() throws {
    bookcase = try Bookcase()
    server = try Page.ScriptedLoader(Self.books(0..<300), pageSize: 20)
  }

  /// A server that says neither where its pages are nor how many items there are: its gaps are short.
  private func servesShortGaps() async { await server.setTellsCounts(false) }

  private nonisolated static func books(_ range: Range<Int>) -> [Book] {
    range.map { Book(id: "b\($0)", likes: $0 * $0 % 7) }
  }

  private func list(
    _ loader: (any PageLoader)? = nil, of repository: Repository? = nil,
    newest: LiveList.Paging.End = .start
  ) -> LiveList {
    (repository ?? bookcase.repository).liveList(
      "shelf", items: [Book.self], pages: loader ?? server,
      paging: LiveList.Paging(newest: newest, section: "a", retrying: 0.01...0.05))
  }

  private func place(_ item: String, on screen: Screen) throws -> CGFloat {
    try #require(screen.frame(of: ItemID(stringLiteral: item))).minY - screen.view.contentOffset.y
  }

  /// The first book in sight.
  private func eye(_ screen: Screen) -> String? {
    screen.shown.first { id in
      screen.frame(of: ItemID(stringLiteral: id)).map { $0.maxY > screen.view.contentOffset.y }
        == true
    }
  }

  /// As `Screen.wait(until:)`, but not without an end.
  ///
  /// `server`: Keeps its answers back, and gives them while this waits.
  private func wait(
    _ screen: Screen, for server: Page.ScriptedLoader? = nil, until isDone: () throws -> Bool
  ) async throws {
    for _ in 0..<5_000 {
      if try isDone() { return screen.layOut() }
      await server?.answerWhatIsHeld()
      try await Task.sleep(for: .milliseconds(1))
      screen.layOut()
      screen.finishAnimations()
    }
    let list = screen.adapter.list
    let states = try list.provider().tree.sections.flatMap(\.items).filter(\.state.isGap)
      .map { "\($0.id) \(list.pageState(of: $0.id))" }
    Issue.record(
      """
      it did not come: \(try count(list)) items, \(try list.revision()), shown \
      \(screen.adapter.provider.revision), \(states), \(list.pages?.revision ?? -1) \(screen.shown)
      """)
  }

  /// Brings it to what has come; more may be under way.
  private func settle(_ screen: Screen) {
    for _ in 0..<4 {
      screen.adapter.update()
      screen.layOut()
      screen.finishAnimations()
    }
  }

  /// Whether a page is under way, or will be once the screen knows what came.
  private func isLoading(_ screen: Screen) -> Bool {
    settle(screen)
    screen.adapter.checkPagesNow()
    guard let pages = screen.adapter.list.pages else { return false }
    return pages.counts.loading > 0 || screen.adapter.provider.revision < pages.revision
  }

  private func count(_ list: LiveList) throws -> Int { try list.provider().numberOfItems }

  /// Scrolls to an end until the list has all; what is first in sight never moves.
  ///
  /// One page comes at a time: with the next one, something else may be first in sight.
  private func loadAll(
    _ list: LiveList, from server: Page.ScriptedLoader, on screen: Screen,
    scrollingTo share: Double
  ) async throws {
    await server.hold()
    while try list.gapCount() > 0 {
      let loaded = try count(list)
      screen.scroll(to: share)
      let seen = try #require(eye(screen))
      let before = try place(seen, on: screen)
      try await wait(screen, for: server) { try count(list) > loaded || list.gapCount() == 0 }
      settle(screen)
      #expect(abs(try place(seen, on: screen) - before) < 0.01, "\(seen)")
    }
  }

  @Test(arguments: ScreenKind.allCases)
  func anItemThatComesFirstDoesNotEndTheNewestPage(_ kind: ScreenKind) async throws {
    await server.hold()
    let list = list()
    let screen = try Screen(kind, showing: list)
    screen.layOut()
    try await wait(screen) { isLoading(screen) }
    try await list.edit { list throws in
      try list.insertSectionIfMissing("a")
      try list.insert(Book(id: "own", likes: 1), in: "a")
    }
    try await wait(screen) { screen.shown.contains("own") }
    screen.adapter.checkPagesNow()
    try await wait(screen, for: server) { try count(list) > 20 }
    #expect(await server.requests.count { $0.part == .newest } == 1)
  }

  @Test(arguments: ScreenKind.allCases) func itLoadsAsOneScrolls(_ kind: ScreenKind) async throws {
    await servesShortGaps()
    let list = list()
    let screen = try Screen(kind, showing: list)
    screen.layOut()
    try await wait(screen) { screen.shown.first == "b0" }
    // Not more than what is near.
    try await wait(screen) { try count(list) >= 41 && !isLoading(screen) }
    #expect(try count(list) < 90)
    try await loadAll(list, from: server, on: screen, scrollingTo: 1)
    #expect(try count(list) == 300)
    let requests = await server.requests
    #expect(Set(requests).count == requests.count && requests.count == 15)
    screen.expectBalance()
  }

  @Test(arguments: ScreenKind.allCases) func aChatLoadsUpwards(_ kind: ScreenKind) async throws {
    let server = try Page.ScriptedLoader(Self.books(0..<200), pageSize: 20, isNewestLast: true)
    await server.setTellsCounts(false)
    await server.hold()
    let list = list(server, newest: .end)
    let screen = try Screen(kind, showing: list)
    screen.adapter.sticksToEnd = true
    screen.layOut()
    try await wait(screen, for: server) { screen.shown.last == "b199" }
    try await loadAll(list, from: server, on: screen, scrollingTo: 0)
    #expect(try count(list) == 200)
    let requests = await server.requests
    #expect(Set(requests).count == requests.count)
  }

  /// At the very beginning too: what is new is above, and is a number that the app can show.
  @Test(arguments: ScreenKind.allCases) func aRefreshMovesNothing(_ kind: ScreenKind) async throws {
    let list = list()
    let screen = try Screen(kind, showing: list)
    screen.layOut()
    try await wait(screen) { screen.shown.first == "b0" }
    settle(screen)
    let before = try place("b0", on: screen)
    await server.set(
      try Self.books(1_000..<1_012).map { try Item($0) } + Self.books(0..<300).map { try Item($0) })
    #expect(try await list.refresh() == 12)
    settle(screen)
    #expect(abs(try self.place("b0", on: screen) - before) < 0.01)
    await server.set(
      try Self.books(2_000..<2_050).map { try Item($0) } + Self.books(0..<300).map { try Item($0) })
    #expect(try await list.refresh() == 20)
    settle(screen)
    #expect(abs(try self.place("b0", on: screen) - before) < 0.01)
  }

  /// From below: what is above the gap does not move, and from above what is below.
  @Test(arguments: ScreenKind.allCases, [true, false])
  func aGapIsFilledFromWhereTheUserComes(_ kind: ScreenKind, _ isFromAbove: Bool) async throws {
    let list = list()
    list.isOffline = true
    try await list.repository.edit("shelf") { editor in
      try editor.insertSectionIfMissing("a")
      for change in try Self.changes() { try editor.apply(change) }
    }
    let screen = try Screen(kind, showing: list)
    screen.layOut()
    screen.scroll(to: isFromAbove ? 0.2 : 0.9)
    screen.scroll(to: isFromAbove ? 0.3 : 0.6)
    list.isOffline = false
    let seen = try #require(eye(screen))
    let before = try self.place(seen, on: screen)
    try await wait(screen) { try count(list) > 121 }
    settle(screen)
    #expect(abs(try self.place(seen, on: screen) - before) < 0.01)
    let request = try #require(await server.requests.first)
    #expect(request.part == (isFromAbove ? .after : .before))
    #expect(request.above == "b59" && request.below == "b200")
  }

  /// 60 books, a gap, and 60 others.
  private nonisolated static func changes() throws -> [Change] {
    let gap = Item(
      id: "gap", cell: Gap.cell, content: Gap(after: "b59", before: "b200").content)
    let items =
      try books(0..<60).map { try Item($0) } + [gap] + books(200..<260).map { try Item($0) }
    return items.map { .insertItem($0, in: "a") }
  }
}

extension Page.ScriptedLoader {
  /// Gives the answers that were kept back, and no others.
  fileprivate func answerWhatIsHeld() {
    release()
    hold()
  }
}
