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
import SuiteSupport
import TestSupport
import Testing

/// What users of other libraries and apps have reported of lists that load pages.
@MainActor @Suite(.timeLimit) struct ReportedPageTests {
  private let bookcase: Bookcase
  private let server: Page.ScriptedLoader

  init() throws {
    bookcase = try Bookcase()
    server = try Page.ScriptedLoader(Self.books(0..<300), pageSize: 20)
  }

  private nonisolated static func books(_ range: Range<Int>) -> [Book] {
    range.map { Book(id: "b\($0)", likes: $0 * $0 % 7) }
  }

  private func list(
    _ repository: Repository? = nil, _ loader: (any PageLoader)? = nil,
    newest: LiveList.Paging.End = .start, limit: Page.Limit? = nil
  ) -> LiveList {
    (repository ?? bookcase.repository).liveList(
      "shelf", items: [Book.self], pages: loader ?? server,
      paging: LiveList.Paging(
        newest: newest, section: "a", retrying: 0.01...0.05, limit: limit))
  }

  /// A screen at rest that has loaded what is near.
  private func opened(
    _ kind: ScreenKind, _ list: LiveList, named name: String? = nil
  ) async throws -> Screen {
    let screen = try Screen(kind, showing: list, named: name)
    screen.layOut()
    try await rest(screen)
    return screen
  }

  /// Waits until nothing is loaded any more.
  private func rest(_ screen: Screen) async throws {
    try await screen.wait {
      screen.adapter.update()
      screen.layOut()
      screen.adapter.checkPagesNow()
      return screen.adapter.list.pages?.counts.loading == 0
        && screen.adapter.provider.revision >= screen.adapter.list.pages?.revision ?? 0
    }
  }

  private func eye(_ screen: Screen) throws -> (book: ItemID, place: CGFloat) {
    let offset = screen.view.contentOffset.y
    for book in screen.shown.map({ ItemID(stringLiteral: $0) }) {
      if let frame = screen.frame(of: book), frame.maxY > offset {
        return (book, frame.minY - offset)
      }
    }
    throw Unexpected()
  }
  private struct Unexpected: Error {}

  private func expect(
    _ seen: (book: ItemID, place: CGFloat), on screen: Screen,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let frame = try #require(screen.frame(of: seen.book), sourceLocation: sourceLocation)
    #expect(
      abs(frame.minY - screen.view.contentOffset.y - seen.place) < 0.01, "\(seen.book)",
      sourceLocation: sourceLocation)
  }

  /// Pages were loaded above and below again and again although nobody scrolled.
  @Test("android/codelab-android-paging 251", arguments: ScreenKind.allCases)
  func nothingIsLoadedWhileNobodyScrolls(_ kind: ScreenKind) async throws {
    let screen = try await opened(kind, list())
    try await screen.adapter.list.loadPage(around: "b150")
    try await rest(screen)
    let count = await server.requests.count
    for _ in 0..<20 {
      screen.adapter.update()
      screen.adapter.checkPagesNow()
      await Task.yield()
    }
    #expect(await server.requests.count == count)
  }

  /// What was stored was not shown offline; a button to try again was there instead.
  @Test(
    "android/codelab-android-paging 169, 68, apollographql/apollo-ios 3418",
    arguments: ScreenKind.allCases)
  func whatWasLoadedIsShownOffline(_ kind: ScreenKind) async throws {
    _ = try await opened(kind, list())
    let asked = await server.requests.count
    try bookcase.repository.close()
    let repository = try Repository(existing: bookcase.folder.file("store.sqlite"))
    let again = list(repository)
    again.isOffline = true
    let screen = try Screen(kind, showing: again)
    screen.layOut()
    // In the first frame.
    #expect(screen.shown.first == "b0")
    try await rest(screen)
    #expect(await server.requests.count == asked)
    await #expect(throws: (any Error).self) { try await again.refresh() }
    #expect(screen.shown.first == "b0")
    // Nothing is asked for what is there, online neither.
    again.isOffline = false
    try await rest(screen)
    #expect(await server.requests.dropFirst(asked).allSatisfy { $0.part != .newest })
  }

  /// A query of a list that needs rows which are not there asks for the next page.
  @Test("TanStack/db 343") func whoeverNeedsMoreRowsAsksForThem() async throws {
    await server.setTellsCounts(false)
    let list = list()
    try await list.refresh()
    let query = try list.derived(
      by: #"{"derived":"some","of":"shelf","where":[{"path":"/likes","gt":2}],"limit":30}"#)
    func count() throws -> Int { try query.provider().numberOfItems }
    #expect(try count() < 30)
    while try count() < 30, let gap = try query.source.gaps().first {
      try await list.loadPage(of: gap)
    }
    let expected = Self.books(0..<300).filter { $0.likes > 2 }.prefix(30).map(\.id)
    #expect(try query.tree().sections.flatMap(\.items).map(\.id.rawValue) == expected)
    // No page more than it takes.
    let last = try #require(Self.books(0..<300).firstIndex { $0.id == expected.last })
    #expect(await server.requests.count == last / 20 + 1)
  }

  /// Changes of items of all pages are seen, not only of the page that was asked for first or last.
  @Test("apollographql/apollo-ios 1393", arguments: ScreenKind.allCases)
  func itemsOfAllPagesAreWatched(_ kind: ScreenKind) async throws {
    let list = list()
    try await list.refresh()
    let gap = try #require(
      try list.provider().tree.sections.flatMap(\.items).first(where: \.state.isGap))
    try await list.loadPage(of: gap.id)
    let screen = try await opened(kind, list)
    for (number, book) in ["b0", "b19", "b20", "b39"].enumerated() {
      let changed = Book(id: book, likes: 70 + number)
      // It is in sight when it changes.
      screen.adapter.scroll(to: ItemID(stringLiteral: book))
      try await rest(screen)
      let cell = try #require(screen.cell(of: ItemID(stringLiteral: book)))
      try #require(cell.book?.likes != 70 + number)
      try await list.edit { list throws in try list.update(changed) }
      try await rest(screen)
      #expect(screen.cell(of: ItemID(stringLiteral: book)) === cell)
      #expect(cell.book?.likes == 70 + number)
    }
  }

  /// The place where one had read was lost: at the next start, and when a gap was loaded.
  @Test("tuskyapp/Tusky 89, mastodon/mastodon-ios 333", arguments: ScreenKind.allCases)
  func whoReadsFromOldToNewKeepsTheirPlace(_ kind: ScreenKind) async throws {
    await server.setTellsCounts(false)
    let screen = try await opened(kind, list(), named: "home")
    screen.scroll(to: 0.2)
    try await rest(screen)
    let read = try eye(screen)
    try screen.adapter.saveViewState()
    try bookcase.repository.close()
    // Much has come in meanwhile: a gap is between.
    await server.set(
      try Self.books(1_000..<1_100).map { try Item($0) } + Self.books(0..<300).map { try Item($0) })
    let repository = try Repository(existing: bookcase.folder.file("store.sqlite"))
    let again = list(repository)
    let next = try Screen(kind, showing: again, named: "home")
    next.layOut()
    try expect(read, on: next)
    #expect(try await again.refresh() == 20)
    let asked = await server.requests.count
    try await rest(next)
    try expect(read, on: next)
    // Upwards, to what is newer: each page stands above.
    for _ in 0..<30 where try again.gapCount() > 1 {
      next.view.headlessDrag(to: CGPoint(x: 0, y: next.view.contentOffset.y - 300))
      let seen = try? eye(next)
      try await rest(next)
      if let seen { try expect(seen, on: next) }
    }
    #expect(try again.gapCount() == 1)
    let parts = await server.requests.dropFirst(asked).map(\.part)
    #expect(parts.count >= 4 && parts.allSatisfy { $0 == .before })
  }

  /// Each start began at the top, and nobody knew how many posts were unread above the last one read.
  @Test("tuskyapp/Tusky 749", arguments: ScreenKind.allCases)
  func aStartShowsTheLastPostReadAndHowManyAreAbove(_ kind: ScreenKind) async throws {
    let screen = try await opened(kind, list(), named: "home")
    screen.view.headlessBeginDragging()
    screen.view.headlessDrag(to: CGPoint(x: 0, y: 700))
    // What the user has read is saved as the finger is lifted; the app is ended then.
    screen.view.headlessEndDragging()
    try await rest(screen)
    let read = try eye(screen)
    let before = try screen.adapter.list.provider()
    let unread = try #require(number(of: read.book, in: before))
    #expect(unread > 0)
    try bookcase.repository.close()
    let old = try Self.books(0..<300).map { try Item($0) }
    let some = try Self.books(1_000..<1_012).map { try Item($0) } + old
    let many = try Self.books(2_000..<2_050).map { try Item($0) } + some
    await server.set(some)
    let again = list(try Repository(existing: bookcase.folder.file("store.sqlite")))
    let next = try Screen(kind, showing: again, named: "home")
    next.layOut()
    // In the first frame.
    try expect(read, on: next)
    #expect(try await again.refresh() == 12)
    try await rest(next)
    try expect(read, on: next)
    #expect(try number(of: read.book, in: again.provider()) == unread + 12)
    // More than a page: it is known that more is missing, and then how much.
    await server.set(many)
    #expect(try await again.refresh() == 20)
    try await rest(next)
    while let gap = try gap(above: read.book, in: again.provider()) {
      try await again.loadPage(of: gap, fromAbove: false)
    }
    try await rest(next)
    try expect(read, on: next)
    #expect(try number(of: read.book, in: again.provider()) == unread + 62)
  }

  private func number(of book: ItemID, in provider: Provider) -> Int? {
    provider.path(of: book)?.item
  }

  private func gap(above book: ItemID, in provider: Provider) -> ItemID? {
    provider.tree.sections.flatMap(\.items).prefix { $0.id != book }.first(where: \.state.isGap)?.id
  }

  /// Posts of an hour were missing, nothing said so, and a restart brought them; others came late, among
  /// those that were there, and never showed up.
  @Test("Dimillian/IceCubesApp 635", arguments: ScreenKind.allCases)
  func noPostIsMissingUnlessAGapIsThere(_ kind: ScreenKind) async throws {
    await server.setTellsCounts(false)
    let list = list()
    let screen = try await opened(kind, list)
    let late = Self.books(0..<5) + Self.books(500..<502) + Self.books(5..<300)
    await server.set(try late.map { try Item($0) })
    #expect(try await list.refresh() == 2)
    try await rest(screen)
    #expect(try await missing(in: list) == [])
    let seen = try eye(screen)
    await server.set(try (Self.books(1_000..<1_090) + late).map { try Item($0) })
    #expect(try await list.refresh() == 20)
    #expect(try await missing(in: list) == [])
    try await rest(screen)
    // A flow parts its lines anew with each page: after several, another item is the first in sight.
    if kind != .flow { try expect(seen, on: screen) }
    // Whoever reads on upwards comes to all of them.
    for _ in 0..<60 where screen.shown.first != "b1000" {
      screen.view.headlessDrag(to: CGPoint(x: 0, y: screen.view.contentOffset.y - 300))
      try await rest(screen)
      #expect(try await missing(in: list) == [])
    }
    let items = try list.provider().tree.sections.flatMap(\.items)
    #expect(items.firstIndex(where: \.state.isGap) == items.count - 1)
    #expect(screen.shown.first == "b1000" && items.count > 110)
  }

  /// What the server has between two items of the list that stand next to each other.
  private func missing(in list: LiveList) async throws -> [ItemID] {
    let all = await server.items.map(\.id)
    let items = try list.provider().tree.sections.flatMap(\.items)
    return zip([nil] + items, items).flatMap { before, item -> [ItemID] in
      if item.state.isGap || before?.state.isGap == true { return [] }
      let start = before.flatMap { all.firstIndex(of: $0.id) } ?? -1
      let end = all.firstIndex(of: item.id) ?? -1
      return start < end ? Array(all[start + 1..<end]) : [item.id]
    }
  }

  /// While the user scrolled down, the list was at items again that had been above.
  @Test(
    "android/codelab-android-paging 229", arguments: ScreenKind.allCases,
    [nil, Page.Limit.items(60)])
  func whoScrollsDownIsNotTakenBackUp(_ kind: ScreenKind, _ limit: Page.Limit?) async throws {
    await server.setTellsCounts(false)
    let screen = try await opened(kind, list(limit: limit))
    screen.view.headlessBeginDragging()
    while screen.shown.last != "b299" {
      let seen = try eye(screen)
      // Pages come while the finger moves.
      try await Task.sleep(for: .milliseconds(1))
      screen.adapter.update()
      screen.layOut()
      try expect(seen, on: screen)
      let offset = screen.view.contentOffset.y
      let step = min(90, screen.view.contentSize.height - screen.view.bounds.height - offset)
      screen.view.headlessDrag(to: CGPoint(x: 0, y: offset + step))
      try expect((seen.book, seen.place - step), on: screen)
    }
    let items = try screen.adapter.list.provider().tree.sections.flatMap(\.items)
    #expect(items.count { !$0.state.isGap } == 300 || limit != nil)
    #expect(items.first?.state.isGap == (limit != nil))
  }

  /// A notification leads into the midst of a list: it goes on from there both ways, and says how much is
  /// above.
  @Test("apollographql/apollo-ios 3265", arguments: ScreenKind.allCases, [true, false])
  func aListThatBeginsInTheMidstIsLoadedBothWays(
    _ kind: ScreenKind, _ tellsCounts: Bool
  ) async throws {
    await server.setTellsCounts(tellsCounts)
    let list = list()
    try await list.loadPage(around: "b150")
    let gaps = try list.provider().tree.sections.flatMap(\.items).filter(\.state.isGap)
      .map { try Gap($0.state.content) }
    #expect(gaps.map(\.count) == (tellsCounts ? [140, 140] : [nil, nil]))
    #expect(gaps.map(\.offset) == (tellsCounts ? [0, 160] : [nil, nil]))
    let screen = try Screen(kind, showing: list)
    screen.layOut()
    screen.adapter.scroll(to: "b150", at: .center)
    screen.layOut()
    let seen = try eye(screen)
    try await rest(screen)
    // A flow parts its lines anew with each page: after several, another item is the first in sight.
    if kind != .flow { try expect(seen, on: screen) }
    for (end, direction) in [("b299", 1.0), ("b0", -1.0)] {
      while !screen.shown.contains(end) {
        let offset = screen.view.contentOffset.y
        screen.view.headlessDrag(to: CGPoint(x: 0, y: offset + direction * 250))
        let seen = try eye(screen)
        try await rest(screen)
        if kind != .flow { try expect(seen, on: screen) }
      }
    }
    let items = try list.provider().tree.sections.flatMap(\.items)
    #expect(items.map(\.id.rawValue) == Self.books(0..<300).map(\.id))
    let requests = await server.requests
    #expect(Set(requests).count == requests.count && requests.count == 15)
    #expect(requests.dropFirst().allSatisfy { $0.part == .after || $0.part == .before })
  }

  /// Messages are loaded as the user scrolls up, not all at once; what is read stays.
  @Test("MessageKit/MessageKit 441", arguments: ScreenKind.allCases)
  func aConversationIsLoadedAsTheUserScrollsUp(_ kind: ScreenKind) async throws {
    let server = try Page.ScriptedLoader(Self.books(0..<300), pageSize: 20, isNewestLast: true)
    await server.setTellsCounts(false)
    let list = list(nil, server, newest: .end)
    let screen = try Screen(kind, showing: list)
    screen.adapter.sticksToEnd = true
    screen.layOut()
    try await rest(screen)
    #expect(screen.shown.last == "b299")
    #expect(try list.provider().numberOfItems < 120)
    while try list.gapCount() > 0 {
      screen.scroll(to: 0)
      let seen = try eye(screen)
      try await rest(screen)
      try expect(seen, on: screen)
    }
    #expect(try list.provider().numberOfItems == 300)
  }

  /// At the end, the device is rotated, and the user scrolls up through items of which nobody knows the
  /// size: each step goes as far as the finger.
  @Test("airbnb/MagazineLayout 9", arguments: ScreenKind.allCases)
  func scrollingUpAfterARotationDoesNotJump(_ kind: ScreenKind) async throws {
    let list = list()
    list.isOffline = true
    try await list.edit { list throws in
      try list.insertSection("a")
      try list.insert(Self.books(0..<1_000), in: "a")
    }
    let screen = try await opened(kind, list)
    screen.scroll(to: 1)
    screen.scroll(to: 1)
    screen.window.frame.size = CGSize(width: 480, height: 320)
    screen.view.frame = screen.window.bounds
    screen.layOut()
    screen.layOut()
    for _ in 0..<60 {
      let seen = try eye(screen)
      let offset = screen.view.contentOffset.y
      screen.view.headlessDrag(to: CGPoint(x: 0, y: offset - 90))
      let frame = try #require(screen.frame(of: seen.book))
      #expect(abs(frame.minY - screen.view.contentOffset.y - seen.place - 90) < 0.01)
    }
  }
}
