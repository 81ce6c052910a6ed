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
    newest: LiveList.Paging.End = .start
  ) -> LiveList {
    (repository ?? bookcase.repository).liveList(
      "shelf", items: [Book.self], pages: loader ?? server,
      paging: LiveList.Paging(newest: newest, section: "a", retrying: 0.01...0.05))
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

  private func expect(_ seen: (book: ItemID, place: CGFloat), on screen: Screen) throws {
    let frame = try #require(screen.frame(of: seen.book))
    #expect(abs(frame.minY - screen.view.contentOffset.y - seen.place) < 0.01)
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
    for _ in 0..<3 {
      let gap = try #require(
        try list.provider().tree.sections.flatMap(\.items).first(where: \.state.isGap))
      try await list.loadPage(of: gap.id)
    }
    #expect(try list.provider().numberOfItems == 81)
    #expect(await server.requests.count == 4)
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
      try await list.edit { list throws in try list.update(changed) }
      screen.adapter.scroll(to: ItemID(stringLiteral: book))
      try screen.settle()
      #expect(screen.cell(of: ItemID(stringLiteral: book))?.book?.likes == 70 + number)
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
    try await rest(next)
    try expect(read, on: next)
    // Upwards, to what is newer: each page stands above.
    for _ in 0..<30 where try again.gapCount() > 1 {
      next.view.headlessDrag(to: CGPoint(x: 0, y: next.view.contentOffset.y - 300))
      let seen = try? eye(next)
      try await rest(next)
      if let seen { try expect(seen, on: next) }
    }
    let parts = await server.requests.filter { $0.below == "b0" }.map(\.part)
    #expect(!parts.isEmpty && parts.allSatisfy { $0 == .before })
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
