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

/// Gaps on a screen: as long as what is missing, with placeholders where one looks.
@MainActor @Suite(.timeLimit) struct GapScreenTests {
  private let bookcase: Bookcase
  private let server: Page.ScriptedLoader
  private static let total = 100_000
  private static let books = Result {
    try (0..<total).map { try Item(Book(id: "b\($0)", likes: $0 * $0 % 7)) }
  }

  init() throws {
    bookcase = try Bookcase()
    server = Page.ScriptedLoader(items: try Self.books.get(), pageSize: 40)
  }

  private func list(
    _ repository: Repository? = nil, _ server: Page.ScriptedLoader? = nil,
    newest: LiveList.Paging.End = .start
  ) -> LiveList {
    (repository ?? bookcase.repository).liveList(
      "shelf", items: [Book.self], pages: server ?? self.server,
      paging: LiveList.Paging(newest: newest, section: "a", retrying: 0.01...0.05))
  }

  private func opened(
    _ kind: ScreenKind, named name: String? = nil
  ) async throws -> (LiveList, Screen) {
    let list = list()
    let screen = try Screen(kind, showing: list, named: name)
    screen.layOut()
    try await screen.wait { screen.shown.first == "b0" && self.isIdle(screen) }
    return (list, screen)
  }

  private func isIdle(_ screen: Screen) -> Bool {
    func isLoading() -> Bool {
      screen.adapter.update()
      return gaps(of: screen).contains {
        if case .loading = screen.adapter.list.pageState(of: $0.id) { true } else { false }
      }
    }
    if isLoading() { return false }
    // A page may have come after the view was updated, and before it was no longer loading.
    let revision = screen.adapter.provider.revision
    return !isLoading() && screen.adapter.provider.revision == revision
  }

  private func gaps(of screen: Screen) -> [Item] {
    screen.adapter.provider.tree.sections.flatMap(\.items).filter(\.state.isGap)
  }

  private func views<View: UIView>(_ type: View.Type, in view: UIView) -> [View] {
    (view as? View).map { [$0] } ?? [] + view.subviews.flatMap { views(type, in: $0) }
  }

  private func number(_ book: String?) -> Int? { book.flatMap { Int($0.dropFirst()) } }

  private func place(_ book: String, on screen: Screen) throws -> CGFloat {
    try #require(screen.frame(of: ItemID(stringLiteral: book))).minY - screen.view.contentOffset.y
  }

  /// The first book in sight, and its place.
  private func eye(_ screen: Screen) -> (book: String, place: CGFloat)? {
    for book in screen.shown {
      if let frame = screen.frame(of: ItemID(stringLiteral: book)),
        frame.maxY > screen.view.contentOffset.y
      {
        return (book, frame.minY - screen.view.contentOffset.y)
      }
    }
    return nil
  }

  /// What is missing at the beginning of the visible part: its number in the server's list, and where its
  /// placeholder stands.
  private func missing(_ screen: Screen) throws -> (number: Int, place: CGFloat) {
    let offset = screen.view.contentOffset.y
    for item in gaps(of: screen) {
      guard let frame = screen.frame(of: item.id), frame.minY <= offset, frame.maxY > offset else {
        continue
      }
      let gap = try Gap(item.state.content)
      let line = frame.height / CGFloat(try #require(gap.count))
      let number = Int((offset - frame.minY) / line)
      return (
        try #require(gap.offset) + number, frame.minY + CGFloat(number) * line - offset
      )
    }
    throw Unexpected()
  }
  private struct Unexpected: Error {}

  /// Lets the user fling the list, and stop somewhere.
  private func fling(_ screen: Screen, to share: Double) {
    screen.view.headlessBeginDragging()
    let end = share * (screen.view.contentSize.height - screen.view.bounds.height)
    let start = screen.view.contentOffset.y
    for step in 1...10 {
      if step == 3 { screen.view.headlessEndDragging(decelerating: true) }
      screen.view.headlessDrag(
        to: CGPoint(x: 0, y: start + (end - start) * CGFloat(step) / 10))
    }
    screen.view.headlessEndDecelerating()
    screen.layOut()
  }

  @Test(arguments: ScreenKind.allCases)
  func aGapIsAsLongAsWhatIsMissing(_ kind: ScreenKind) async throws {
    let (list, screen) = try await opened(kind)
    let count = try list.provider().numberOfItems
    #expect(count < 200)
    let gap = try #require(gaps(of: screen).first)
    let frame = try #require(screen.frame(of: gap.id))
    // Books are 40 to 94 points high, as many of each height.
    let missing = CGFloat(Self.total - count + 1)
    let mean = frame.height / missing
    #expect(mean > 40 && mean < 94)
    #expect(abs(screen.view.contentSize.height - frame.maxY) < 1)
  }

  /// The list is fetched where scrolling stops, and not before; what is loaded stands where its placeholder
  /// stood.
  @Test(arguments: ScreenKind.allCases)
  func aLongListIsFetchedWhereScrollingStops(_ kind: ScreenKind) async throws {
    let (list, screen) = try await opened(kind)
    for share in [0.5, 0.9, 0.2, 1, 0] {
      let asked = await server.requests.count
      screen.view.headlessBeginDragging()
      screen.scroll(to: (share + 0.3).truncatingRemainder(dividingBy: 1))
      for _ in 0..<20 { await Task.yield() }
      screen.adapter.update()
      #expect(await server.requests[asked...].allSatisfy { !$0.isFromPosition })
      await server.hold()
      screen.view.headlessEndDragging(decelerating: true)
      fling(screen, to: share)
      screen.adapter.update()
      screen.layOut()
      let expected = eye(screen) == nil ? try missing(screen) : nil
      await server.release()
      try await screen.wait { self.eye(screen) != nil && self.isIdle(screen) }
      let seen = try #require(eye(screen))
      if let expected {
        // Of a flow nobody knows how many items a line has.
        #expect(kind == .flow || number(seen.book) == expected.number, "\(share)")
        // At the end, the items may be shorter than what stood for them.
        let end = screen.view.contentSize.height - screen.view.bounds.height
        let isAtEnd = share == 1 && abs(screen.view.contentOffset.y - end) < 0.01
        #expect(
          kind == .flow || abs(seen.place - expected.place) < 0.01 || isAtEnd,
          "\(share): \(seen), \(expected)")
      }
      let found = try #require(number(seen.book))
      if kind != .flow { #expect(abs(Double(found) / Double(Self.total) - share) < 0.03) }
    }
    let requests = await server.requests
    #expect(Set(requests).count == requests.count && requests.count < 40)
    #expect(try list.provider().numberOfItems < 40 * 40)
    #expect(try bookcase.repository.checkInvariants() == [])
    screen.expectBalance()
  }

  /// A chat is as long as its history, too.
  @Test func aHistoryIsFetchedWhereScrollingStops() async throws {
    let books = (0..<2_000).map { Book(id: "b\($0)", likes: $0 % 7) }
    let server = try Page.ScriptedLoader(books, pageSize: 40, isNewestLast: true)
    let list = bookcase.repository.liveList(
      "shelf", items: [Book.self], pages: server,
      paging: LiveList.Paging(newest: .end, section: "a"))
    let screen = try Screen(.table, showing: list)
    screen.adapter.sticksToEnd = true
    screen.layOut()
    try await screen.wait { screen.shown.last == "b1999" && self.isIdle(screen) }
    #expect(screen.view.contentSize.height > 2_000 * 40)
    fling(screen, to: 0.5)
    try await screen.wait { self.eye(screen) != nil && self.isIdle(screen) }
    #expect(abs((number(eye(screen)?.book) ?? 0) - 1_000) < 60)
    #expect(await server.requests.contains { $0.isFromPosition })
  }

  private final class Placeholder: UIView {}

  @Test(arguments: ScreenKind.allCases)
  func placeholdersStandWhereOneLooks(_ kind: ScreenKind) async throws {
    let list = list()
    let screen = try Screen(kind, showing: list)
    var made = 0
    screen.adapter.gapPlaceholder = {
      made += 1
      return Placeholder(frame: .zero)
    }
    screen.layOut()
    try await screen.wait { screen.shown.first == "b0" && self.isIdle(screen) }
    await server.hold()
    screen.view.headlessBeginDragging()
    for share in [0.3, 0.31, 0.7, 0.7001, 1] {
      screen.scroll(to: share)
      let shown = views(Placeholder.self, in: screen.view)
      let visible = screen.view.bounds
      let frames = shown.map { screen.view.convert($0.bounds, from: $0) }
        .sorted { $0.minY < $1.minY }
      #expect(!frames.isEmpty && frames.count < 16)
      #expect(frames.allSatisfy { $0.intersects(visible.insetBy(dx: 0, dy: -11)) })
      // They fill what is in sight.
      #expect(frames.first.map { $0.minY <= visible.minY } == true)
      #expect(frames.last.map { $0.maxY >= visible.maxY - 11 } == true)
      for (one, next) in zip(frames, frames.dropFirst()) { #expect(abs(one.maxY - next.minY) < 11) }
    }
    #expect(made < 40)
    await server.release()
  }

  /// The plain cell says that a page is loaded, why it has failed, and has it loaded again.
  @Test(arguments: ScreenKind.allCases)
  func theUserHasAFailedPageLoadedAgain(_ kind: ScreenKind) async throws {
    await server.setTellsCounts(false)
    let list = bookcase.repository.liveList(
      "shelf", items: [Book.self], pages: server,
      paging: LiveList.Paging(section: "a", retrying: 100...100))
    let screen = try Screen(kind, showing: list)
    screen.layOut()
    try await screen.wait { screen.shown.first == "b0" }
    try await screen.wait { self.isIdle(screen) }
    await server.hold()
    await server.failNext(with: Page.Failure.needsUser("Log in again."))
    screen.scroll(to: 1)
    screen.scroll(to: 1)
    try await screen.wait {
      self.views(UIActivityIndicatorView.self, in: screen.view).contains { $0.isAnimating }
    }
    #expect(views(UIButton.self, in: screen.view).allSatisfy { $0.isHidden })
    await server.release()
    try await screen.wait {
      self.views(UILabel.self, in: screen.view)
        .contains { $0.text == "Log in again." && !$0.isHidden }
    }
    #expect(views(UIActivityIndicatorView.self, in: screen.view).allSatisfy { !$0.isAnimating })
    let button = try #require(views(UIButton.self, in: screen.view).first { !$0.isHidden })
    #expect(
      !button.frame.isEmpty
        && screen.view.convert(button.bounds, from: button).intersects(screen.view.bounds))
    let count = try list.provider().numberOfItems
    button.headlessTap()
    try await screen.wait { try list.provider().numberOfItems > count }
    screen.expectBalance()
  }

  /// Nobody can try again then.
  @Test(arguments: ScreenKind.allCases)
  func theGapSaysThatTheDeviceIsOffline(_ kind: ScreenKind) async throws {
    let (list, screen) = try await opened(kind)
    list.isOffline = true
    screen.scroll(to: 0.5)
    screen.layOut()
    try await screen.wait {
      self.views(UILabel.self, in: screen.view)
        .contains { $0.text == "the device is offline" && !$0.isHidden }
    }
    #expect(views(UIButton.self, in: screen.view).allSatisfy { $0.isHidden })
    list.isOffline = false
    try await screen.wait { self.eye(screen) != nil && self.isIdle(screen) }
    screen.expectBalance()
  }

  /// An app that has a cell for gaps shows them by that, in its size.
  @Test func aGapIsShownByTheCellOfTheApp() async throws {
    struct More: ListItem {
      var id: String
      var count: Int?
      static var cells: [CellName: ViewSource] { [Gap.cell: .type(BookRow.self)] }
      var cellName: CellName { Gap.cell }
      func configure(_ cell: BookRow) { cell.tag = count ?? 0 }
      func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 30) }
    }
    let list = bookcase.repository.liveList(
      "shelf", items: [Book.self, More.self], pages: server,
      paging: LiveList.Paging(section: "a"))
    let screen = try Screen(
      .table, showing: list, tableViews: ViewRegistry(of: list, for: .tableView).addingRows)
    screen.layOut()
    try await screen.wait { screen.shown.first == "b0" && self.isIdle(screen) }
    await server.hold()
    screen.scroll(to: 1)
    screen.scroll(to: 1)
    let gap = try #require(gaps(of: screen).first)
    #expect(screen.frame(of: gap.id)?.height == 30)
    await server.release()
  }

  // MARK: Places

  @Test(arguments: ScreenKind.allCases)
  func aRelaunchShowsTheSamePlaceAcrossGaps(_ kind: ScreenKind) async throws {
    let (_, screen) = try await opened(kind, named: "main")
    fling(screen, to: 0.5)
    try await screen.wait { self.eye(screen) != nil && self.isIdle(screen) }
    let seen = try #require(eye(screen))
    try screen.adapter.saveViewState()
    try bookcase.repository.close()
    let repository = try Repository(existing: bookcase.folder.file("store.sqlite"))
    let again = list(repository)
    again.isOffline = true
    let next = try Screen(kind, showing: again, named: "main")
    next.layOut()
    #expect(eye(next)?.book == seen.book)
    #expect(abs(try place(seen.book, on: next) - seen.place) < 0.01)
  }

  /// In the midst of what is missing as well.
  @Test(arguments: [ScreenKind.placed, .table])
  func aRelaunchShowsTheSamePlaceInAGap(_ kind: ScreenKind) async throws {
    let (list, screen) = try await opened(kind, named: "main")
    list.isOffline = true
    fling(screen, to: 0.5)
    let before = try missing(screen)
    try screen.adapter.saveViewState()
    try bookcase.repository.close()
    let repository = try Repository(existing: bookcase.folder.file("store.sqlite"))
    let again = self.list(repository)
    again.isOffline = true
    let next = try Screen(kind, showing: again, named: "main")
    next.layOut()
    let after = try missing(next)
    // Lines may have another length by now: more items were measured.
    #expect(after.number == before.number && abs(after.place - before.place) < 12)
  }

  /// What has come at the place of the last launch is what stays there.
  @Test(arguments: [ScreenKind.placed, .table])
  func whatComesAtAPlaceInAGapStaysThere(_ kind: ScreenKind) async throws {
    let chat = try Page.ScriptedLoader(
      (0..<200).map { Book(id: "b\($0)", likes: $0 * $0 % 7) }, pageSize: 40, isNewestLast: true)
    let list = list(nil, chat, newest: .end)
    let screen = try Screen(kind, showing: list, named: "main")
    screen.adapter.sticksToEnd = true
    screen.layOut()
    try await screen.wait { screen.shown.last == "b199" && self.isIdle(screen) }
    list.isOffline = true
    fling(screen, to: 0)
    #expect(screen.view.contentOffset.y == 0 && eye(screen) == nil)
    try screen.adapter.saveViewState()
    try bookcase.repository.close()
    let repository = try Repository(existing: bookcase.folder.file("store.sqlite"))
    let again = self.list(repository, chat, newest: .end)
    let next = try Screen(kind, showing: again, named: "main")
    next.adapter.sticksToEnd = true
    next.layOut()
    try await next.wait { self.eye(next) != nil && self.isIdle(next) }
    #expect(eye(next)?.book == "b0" && next.view.contentOffset.y == 0)
    again.isOffline = true
    next.view.frame.size = CGSize(width: 480, height: 320)
    next.layOut()
    next.layOut()
    #expect(eye(next)?.book == "b0" && next.view.contentOffset.y == 0)
  }

  @Test(arguments: ScreenKind.allCases, [0, 0.002, 0.4])
  func aRotationMovesNothing(_ kind: ScreenKind, _ share: Double) async throws {
    let (list, screen) = try await opened(kind)
    fling(screen, to: share)
    try await screen.wait { self.eye(screen) != nil && self.isIdle(screen) }
    list.isOffline = true
    for size in [CGSize(width: 480, height: 320), CGSize(width: 320, height: 480)] {
      let seen = try #require(eye(screen))
      screen.window.frame.size = size
      screen.view.frame = screen.window.bounds
      screen.layOut()
      screen.layOut()
      #expect(abs(try place(seen.book, on: screen) - seen.place) < 0.01, "\(size)")
    }
  }

  @Test(arguments: ScreenKind.allCases)
  func anotherTextSizeMovesNothing(_ kind: ScreenKind) async throws {
    let (list, screen) = try await opened(kind)
    fling(screen, to: 0.4)
    try await screen.wait { self.eye(screen) != nil && self.isIdle(screen) }
    list.isOffline = true
    let seen = try #require(eye(screen))
    screen.window.headlessChangeTraits(
      UITraitCollection(preferredContentSizeCategory: .extraLarge))
    screen.layOut()
    screen.layOut()
    #expect(abs(try place(seen.book, on: screen) - seen.place) < 0.01)
    // One book gets longer, above what is in sight.
    let longer = Book(id: "b0", likes: 6, isWide: true)
    try await list.edit { list throws in try list.update(longer) }
    try screen.settle()
    #expect(abs(try place(seen.book, on: screen) - seen.place) < 0.01)
  }
}

extension PageRequest {
  fileprivate var isFromPosition: Bool { if case .from = part { true } else { false } }
}

extension ViewRegistry {
  /// With rows of books.
  @MainActor fileprivate var addingRows: ViewRegistry {
    var views = self
    views.register("BookCell", .type(BookRow.self))
    views.register("WideCell", .type(WideRow.self))
    return views
  }
}
