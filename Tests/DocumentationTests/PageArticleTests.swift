import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import SuiteSupport
import TestSupport
import Testing

/// The examples of the pages on loading pages do what the pages say.
@Suite(.timeLimit) @MainActor struct PageArticleTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func items(_ list: ListID) throws -> [Item] {
    try repository.tree(of: list).sections.flatMap(\.items)
  }
  private func shown(_ list: ListID) throws -> [String] {
    try items(list).map { $0.state.isGap ? "gap" : $0.id.rawValue }
  }
  private func gaps(_ list: ListID) throws -> [ItemID] {
    try items(list).filter(\.state.isGap).map(\.id)
  }

  // MARK: A loader for each kind of server

  /// A server that can be asked in each of the ways, over one array.
  private actor MailServer {
    typealias Answer = LoadersExample.Answer
    private(set) var ids: [Int]
    private(set) var queries: [[String: String]] = []
    /// Cursors carry it; others are outdated.
    private var epoch = 1
    private var isLoggedOut = false

    init(_ count: Int) { ids = Array((0..<count).reversed()) }

    func receive(_ count: Int) {
      let next = ids.count
      ids = (next..<next + count).reversed() + ids
    }
    func delete(at index: Int) { ids.remove(at: index) }
    func outdate() { epoch += 1 }
    func set(isLoggedOut: Bool) { self.isLoggedOut = isLoggedOut }

    func answer(_ query: [String: String]) -> Answer {
      queries.append(query)
      if isLoggedOut { return Answer(status: 401) }
      if let number = query["page"].flatMap({ Int($0) }) { return page((number - 1) * 20) }
      if let offset = query["offset"].flatMap({ Int($0) }) { return page(offset) }
      if let cursor = query["after"] {
        guard let place = place(of: cursor) else { return Answer(status: 410) }
        return page(place + 1)
      }
      if let cursor = query["before"] {
        guard let place = place(of: cursor) else { return Answer(status: 410) }
        return page(max(0, place - 20), min(20, place))
      }
      if query["limit"] == "20" {
        let start = query["max_id"].flatMap { place(of: "id:\($0)") }.map { $0 + 1 } ?? 0
        let end = query["since_id"].flatMap { place(of: "id:\($0)") } ?? ids.count
        return page(start, min(20, end - start))
      }
      if let cursor = query["around"] { return page(max(0, (place(of: cursor) ?? 0) - 10)) }
      return page(0)
    }

    private func place(of cursor: String) -> Int? {
      let parts = cursor.split(separator: ":")
      guard parts.count == 2, parts[0] == "id" || parts[0] == "\(epoch)" else { return nil }
      return ids.firstIndex { "m\($0)" == parts[1] }
    }

    private func page(_ start: Int, _ count: Int = 20) -> Answer {
      let range = min(start, ids.count)..<min(start + count, ids.count)
      return Answer(
        status: 200,
        messages: ids[range].map { LoadersExample.Message(id: "m\($0)", subject: "\($0)") },
        start: range.lowerBound > 0 ? "\(epoch):m\(ids[range.lowerBound])" : nil,
        end: range.upperBound < ids.count ? "\(epoch):m\(ids[range.upperBound - 1])" : nil,
        total: ids.count)
    }

    var names: [String] { ids.map { "m\($0)" } }
  }

  private static let kinds: [@Sendable (LoadersExample.MailAPI) -> any PageLoader] = [
    { LoadersExample.CursorLoader(api: $0) }, { LoadersExample.NumberLoader(api: $0) },
    { LoadersExample.OffsetLoader(api: $0) }, { LoadersExample.SinceLoader(api: $0) },
  ]

  private func inbox(_ kind: Int, _ server: MailServer) -> LiveList {
    let api = LoadersExample.MailAPI { await server.answer($0) }
    return repository.liveList(
      "inbox", items: [LoadersExample.Message.self], pages: Self.kinds[kind](api),
      paging: LiveList.Paging(retrying: 0.01...0.02))
  }

  @Test(arguments: 0..<4) func eachLoadsTheServersList(_ kind: Int) async throws {
    let server = MailServer(130)
    let inbox = inbox(kind, server)
    #expect(try await inbox.refresh() == 20)
    #expect(try shown("inbox").count == 21)
    if kind == 2 {
      #expect(try Gap(items("inbox")[20].state.content) == Gap(after: "20", count: 110, offset: 20))
    }
    try await inbox.loadPage(of: gaps("inbox")[0])
    // New items, in a page that meets what is there, and in one that does not.
    await server.receive(7)
    #expect(try await inbox.refresh() == 7)
    await server.receive(70)
    #expect(try await inbox.refresh() == 20)
    #expect(try gaps("inbox").count == 2)
    // From either edge, the last gap first and then the first one; at the end there is one edge.
    var isFromAbove = false
    for step in 0..<40 {
      let gaps = try gaps("inbox")
      guard let gap = step < 2 ? gaps.last : gaps.first else { break }
      try await inbox.loadPage(of: gap, fromAbove: isFromAbove || gap == gaps.last)
      isFromAbove.toggle()
      let ids = try shown("inbox").filter { $0 != "gap" }
      #expect(Set(ids).count == ids.count)
    }
    #expect(try shown("inbox") == (await server.names))
    #expect(try repository.checkInvariants() == [])
  }

  /// A server that can't be asked so says it, and nothing stands in the wrong place.
  @Test(arguments: 1..<4) func aLinkFailsWhereTheServerKnowsNone(_ kind: Int) async throws {
    let inbox = inbox(kind, MailServer(60))
    try await inbox.refresh()
    let before = try shown("inbox")
    await #expect(throws: Page.Failure.unsupported) { try await inbox.loadPage(around: "m3") }
    #expect(try shown("inbox") == before)
  }

  @Test func cursorsMissNothingThatIsDeletedMeanwhile() async throws {
    let server = MailServer(60)
    let inbox = inbox(0, server)
    try await inbox.refresh()
    await server.delete(at: 3)
    while let gap = try gaps("inbox").first { try await inbox.loadPage(of: gap) }
    try await inbox.refresh()
    #expect(try shown("inbox") == (await server.names))
  }

  @Test func anOutdatedCursorIsAskedByTheNeighbour() async throws {
    let server = MailServer(60)
    let inbox = inbox(0, server)
    try await inbox.refresh()
    await server.outdate()
    try await inbox.loadPage(of: gaps("inbox")[0])
    #expect(try shown("inbox") == (await server.names.prefix(40)) + ["gap"])
    #expect(await server.queries.suffix(2).map { $0["after"] } == ["1:m40", "id:m40"])
  }

  @Test func whoIsLoggedOutIsAskedToLogIn() async throws {
    let server = MailServer(60)
    let inbox = inbox(0, server)
    let (control, banner) = (UIRefreshControl(), UILabel())
    await server.set(isLoggedOut: true)
    await LoadersExample.pulled(inbox, control, banner)
    #expect(banner.text == "Log in again." && !control.isRefreshing)
    await server.set(isLoggedOut: false)
    await LoadersExample.pulled(inbox, control, banner)
    #expect(banner.text == "20 new")
    await LoadersExample.pulled(inbox, control, banner)
    #expect(banner.text == nil)
    // On a screen, the gap waits until somebody has logged in.
    await server.set(isLoggedOut: true)
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: ListCollectionLayout())
    window.addSubview(view)
    let adapter = try CollectionAdapter(inbox, in: view)
    view.layoutIfNeeded()
    view.headlessDrag(to: CGPoint(x: 0, y: 400))
    let gap = try gaps("inbox")[0]
    try await wait(view) { if case .failed = inbox.pageState(of: gap) { true } else { false } }
    let asked = await server.queries.count
    try await Task.sleep(for: .milliseconds(100))
    #expect(await server.queries.count == asked)
    await server.set(isLoggedOut: false)
    LoadersExample.loggedIn(inbox)
    try await wait(view) { adapter.provider.numberOfItems >= 41 }
  }

  private struct TooLong: Error {}

  private func wait(_ view: UIView, until isDone: () throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while try !isDone() {
      if ContinuousClock.now > end { throw TooLong() }
      try await Task.sleep(for: .milliseconds(2))
      view.layoutIfNeeded()
      (view as? UICollectionView)?.headless.finishAnimations()
    }
  }

  // MARK: Loading as one scrolls

  private actor Messages: LoadingAsOneScrollsExample.MailServer {
    typealias Example = LoadingAsOneScrollsExample
    private let all = (0..<60).map { Example.Message(id: "m\($0)", subject: "\($0)") }
    private var isBroken = false

    func setBroken(_ isBroken: Bool) { self.isBroken = isBroken }

    private func answer(_ start: Int, _ end: Int) throws -> Example.Answer {
      if isBroken { throw URLError(.timedOut) }
      let range = max(0, start)..<min(end, all.count)
      return Example.Answer(
        messages: Array(all[range]), previous: range.lowerBound > 0 ? "p" : nil,
        next: range.upperBound < all.count ? "n" : nil)
    }
    private func place(of item: ItemID?) -> Int {
      all.firstIndex { $0.id == item?.rawValue } ?? 0
    }

    func newest() async throws -> Example.Answer { try answer(0, 20) }
    func messages(below: ItemID?) async throws -> Example.Answer {
      try answer(place(of: below) + 1, place(of: below) + 21)
    }
    func messages(above: ItemID?) async throws -> Example.Answer {
      try answer(place(of: above) - 20, place(of: above))
    }
    func messages(around: ItemID) async throws -> Example.Answer {
      try answer(place(of: around) - 2, place(of: around) + 3)
    }
  }

  @Test func loadingAsOneScrolls() async throws {
    typealias Example = LoadingAsOneScrollsExample
    let server = Messages()
    let inbox = Example.inbox(repository, server)
    #expect(await Example.refresh(inbox) == "20 new")
    try await inbox.loadPage(around: "m40")
    let names = (0..<60).map { "m\($0)" }
    let parts = [names[..<20], ["gap"], names[38..<43], ["gap"]]
    #expect(try shown("inbox") == Array(parts.joined()))
    try await inbox.loadPage(of: gaps("inbox")[0], fromAbove: false)
    #expect(try shown("inbox") == names[..<43] + ["gap"])
    await server.setBroken(true)
    #expect(await Example.refresh(inbox) != "0 new")
    let (isOnline, continuation) = AsyncStream.makeStream(of: Bool.self)
    continuation.yield(false)
    continuation.finish()
    await Example.follow(isOnline, inbox)
    #expect(inbox.isOffline)
    #expect(await Example.refresh(inbox) == "the device is offline")
    let scripted = try Page.ScriptedLoader(
      (0..<3).map { Example.Message(id: "m\($0)", subject: "") }, pageSize: 2)
    let other = repository.liveList("other", items: [Example.Message.self], pages: scripted)
    #expect(try await Example.aPageThatHasFailedIsLoadedAgain(other, scripted) == 3)
    #expect(await scripted.requests.count == 3)
    try await firstPageIsShown()
    // What a gap shows.
    let cell = Example.LoadingCell(frame: .zero)
    let row = Example.LoadingRow(id: "gap", count: 3)
    row.configure(cell)
    #expect(cell.text.text == "3 more")
    row.configure(cell, with: LiveList.PageState.offline)
    #expect(cell.text.text == "Offline")
  }

  /// The label of a list that has nothing yet says what becomes of its first page.
  private func firstPageIsShown() async throws {
    typealias Example = LoadingAsOneScrollsExample
    let server = try Page.ScriptedLoader([Example.Message(id: "a", subject: "")])
    let first = repository.liveList("first", items: [Example.Message.self], pages: server)
    let label = UILabel(frame: .zero)
    let following = Task { await Example.showFirstPage(of: first, in: label) }
    defer { following.cancel() }
    // Until it follows.
    while label.text != "Offline" {
      first.isOffline = false
      first.isOffline = true
      _ = try? await first.refresh()
      await Task.yield()
    }
    first.isOffline = false
    await server.failNext(with: Page.Failure.needsUser("Log in again"))
    _ = try? await first.refresh()
    while label.text != "Log in again. Tap to try again." { await Task.yield() }
    try await first.refresh()
    while label.text != nil { await Task.yield() }
  }

  /// What a derived list says of a source with gaps.
  @Test func aDerivedListMayLackItems() async throws {
    typealias Example = LoadersExample
    let server = MailServer(40)
    let inbox = inbox(0, server)
    let unread = try inbox.derived("unread", of: Example.Message.self) { $0.sorted(by: \.subject) }
    try await inbox.refresh()
    #expect(try unread.provider().numberOfItems == 20)
    #expect(try FilterSortGroupSearchExample.note(unread)?.hasPrefix("There may be more") == true)
    #expect(try inbox.gaps() == gaps("inbox"))
    #expect(try unread.source.gaps() == gaps("inbox"))
    try await FilterSortGroupSearchExample.loadMore(unread)
    #expect(try unread.provider().numberOfItems == 40)
    #expect(try FilterSortGroupSearchExample.note(unread) == nil)
    // Whoever has the derived list alone refreshes its source.
    await server.receive(3)
    #expect(try await unread.shown.refresh() == 3)
    #expect(try unread.provider().numberOfItems == 43)
  }

  // MARK: Coming from others

  private struct Repos: ComingFromAndroidPagingExample.GitHub {
    func search(
      _ query: String, page: Int
    ) async throws -> [ComingFromAndroidPagingExample.Repo] {
      (page - 1) * 20 >= 50
        ? [] : ((page - 1) * 20..<min(50, page * 20)).map { .init(id: "r\($0)", name: query) }
    }
  }

  @Test func androidPaging() async throws {
    typealias Example = ComingFromAndroidPagingExample
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: ListCollectionLayout())
    window.addSubview(view)
    let adapter = try Example.show("cellar", Repos(), repository, in: view)
    try await wait(view) { adapter.provider.numberOfItems >= 41 }
    for _ in 0..<200 where try !gaps("search cellar").isEmpty {
      view.headlessDrag(to: CGPoint(x: 0, y: 100_000))
      view.layoutIfNeeded()
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try shown("search cellar") == (0..<50).map { "r\($0)" })
    let banner = UILabel()
    await Example.refresh(adapter.list, banner)
    #expect(banner.text == "0 new")
    let cell = Example.LoadingCell(frame: .zero)
    Example.MoreRepos(id: "gap").configure(cell, with: LiveList.PageState.loading)
    #expect(cell.text.text == "Loading…")
  }

  private actor GraphQL: ComingFromApolloConnectionsExample.Client {
    typealias Example = ComingFromApolloConnectionsExample
    private var all = (0..<50).map { Example.Message(id: "m\($0)", text: "\($0)") }

    func receive(_ count: Int) {
      let next = all.count
      all = (next..<next + count).reversed().map { .init(id: "m\($0)", text: "\($0)") } + all
    }
    var names: [String] { all.map(\.id) }

    func fetch(
      first: Int?, after: String?, last: Int?, before: String?
    ) async throws -> Example.Connection {
      func place(_ cursor: String?) -> Int? { all.firstIndex { $0.id == cursor } }
      let range: Range<Int>
      if let last {
        let end = place(before) ?? 0
        range = max(0, end - last)..<end
      } else {
        let start = place(after).map { $0 + 1 } ?? 0
        range = start..<min(all.count, start + (first ?? 0))
      }
      return Example.Connection(
        edges: all[range].map { .init(node: $0) },
        // As the specification allows: not known for `first`.
        pageInfo: .init(
          startCursor: all[range].first?.id, endCursor: all[range].last?.id,
          hasPreviousPage: last != nil && range.lowerBound > 0,
          hasNextPage: range.upperBound < all.count),
        totalCount: all.count)
    }

    func perform(_ edit: Repository.PendingEdit) async throws {
      for case .updateItem(let id, _) in edit.changes {
        for index in all.indices where all[index].id == id.rawValue { all[index].isStarred = true }
      }
    }
    func isStarred(_ id: String) -> Bool { all.contains { $0.id == id && $0.isStarred } }
  }

  @Test func apolloConnections() async throws {
    typealias Example = ComingFromApolloConnectionsExample
    let client = GraphQL()
    let messages = Example.list(repository, client)
    try await messages.refresh()
    await client.receive(60)
    #expect(try await messages.refresh() == 20)
    var isFromAbove = false
    while let gap = try gaps("messages").first {
      try await messages.loadPage(of: gap, fromAbove: isFromAbove)
      isFromAbove.toggle()
    }
    #expect(try shown("messages") == (await client.names))
    try Example.star(messages, "m3")
    let sending = Task { try await Example.send(messages, client) }
    while await !client.isStarred("m3") { try await Task.sleep(for: .milliseconds(2)) }
    while try messages.pendingEdits().map(\.state) != [.accepted] {
      try await Task.sleep(for: .milliseconds(2))
    }
    sending.cancel()
    try await messages.refresh()
    #expect(try messages.pendingEdits().isEmpty)
    let starred = try #require(try items("messages").first { $0.id == "m3" })
    #expect(try starred.value(as: Example.Message.self).isStarred)
  }
}
