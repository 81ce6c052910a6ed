import BatchUpdates
import Foundation
import GRDB
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import StoreFiles
import TestSupport
import Testing

/// Loading pages into a list of a store.
@Suite struct PageLoadingTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let server: Page.ScriptedLoader
  private var paging: LiveList.Paging
  private let list: LiveList
  private let screen = NSObject()

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    server = Page.ScriptedLoader(items: Self.items(0..<100), pageSize: 10)
    paging = LiveList.Paging(retrying: 0.01...0.05)
    // This process may get no time for a while.
    paging.lease = 300
    list = repository.liveList("l", pages: server, paging: paging)
  }

  private static func items(_ range: Range<Int>) -> [Item] {
    range.map {
      Item(id: .init(stringLiteral: "i\($0)"), cell: "C", content: JSON(stringLiteral: "\($0)"))
    }
  }

  private func shown() throws -> [String] {
    try repository.tree(of: "l").sections.flatMap(\.items)
      .map { $0.state.isGap ? "gap" : $0.id.rawValue }
  }
  private func gap() throws -> ItemID {
    try #require(
      repository.tree(of: "l").sections.flatMap(\.items).first { $0.state.isGap }?.id)
  }
  private func names(_ range: Range<Int>) -> [String] { range.map { "i\($0)" } }
  private func wait(_ condition: () async throws -> Bool) async throws {
    for _ in 0..<1_000 {
      if try await condition() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("it did not come")
  }
  private func want(_ keys: Set<PageLoading.Key>) {
    list.pages?.want(keys, by: ObjectIdentifier(screen))
  }

  @Test func theFirstPageAndTheNextOnes() async throws {
    #expect(try await list.refresh() == 10)
    #expect(try shown() == names(0..<10) + ["gap"])
    try await list.loadPage(of: gap())
    #expect(try shown() == names(0..<20) + ["gap"])
    try await list.loadPage(around: "i50")
    #expect(try shown() == names(0..<20) + ["gap"] + names(45..<55) + ["gap"])
    try await list.loadPage(of: gap(), fromAbove: false)
    #expect(try shown() == names(0..<20) + ["gap"] + names(35..<55) + ["gap"])
    for _ in 0..<100 where try list.gapCount() > 0 { try await list.loadPage(of: gap()) }
    #expect(try shown() == names(0..<100))
    #expect(try repository.checkInvariants() == [])
    #expect(try repository.commits(of: "l").allSatisfy { $0.author.name == "pages" })
    #expect(try list.canUndo() == false)
  }

  @Test func aPageIsAskedForOnceHoweverManyNeedIt() async throws {
    try await list.refresh()
    await server.hold()
    let gap = try gap()
    let other = NSObject()
    let key = PageLoading.Key(gap: gap, part: .after)
    for screen in [screen, other, screen] {
      list.pages?.want([key], by: ObjectIdentifier(screen))
    }
    // A second value of the list, as another screen has it.
    let again = repository.liveList("l", pages: server)
    async let byHand: Void = again.loadPage(of: gap)
    try await wait { await server.requests.count == 2 }
    guard case .loading = list.pageState(of: gap) else { throw Unexpected() }
    await server.release()
    try await byHand
    #expect(try shown() == names(0..<20) + ["gap"])
    #expect(await server.requests.count == 2)
    guard case .idle = list.pageState(of: gap) else { throw Unexpected() }
  }

  /// As another process does: what one loads, the other waits for.
  ///
  /// `isLate`: It looks whether the page is there, and then the page comes, before it tries again.
  @Test(arguments: [false, true]) func twoRepositoriesAskOnce(_ isLate: Bool) async throws {
    try await list.refresh()
    await server.hold()
    let (list, server, gap) = (list, server, try gap())
    let (attempts, isHeld, isDone) = (Guarded(0), Guarded(false), DispatchSemaphore(value: 0))
    var options = Repository.Options()
    options.prepareConnection = { db in
      db.trace { event in
        let sql = "\(event)"
        if sql.contains("INSERT INTO pageRequest") { attempts.withValue { $0 += 1 } }
        guard isLate, sql.hasPrefix("BEGIN IMMEDIATE"), attempts.withValue({ $0 }) == 1 else {
          return
        }
        isHeld.withValue { $0 = true }
        isDone.wait()
        isDone.signal()
      }
    }
    let other = try Repository(existing: folder.file("store.sqlite"), options: options)
      .liveList("l", pages: server, paging: paging)
    async let first: Void = list.loadPage(of: gap)
    try await wait { await server.requests.count == 2 }
    async let second: Void = other.loadPage(of: gap)
    // Whoever tries again was refused.
    try await wait {
      if isLate ? isHeld.withValue({ $0 }) : attempts.withValue({ $0 }) >= 2 { return true }
      return await server.requests.count > 2
    }
    await server.release()
    try await first
    isDone.signal()
    try await second
    #expect(await server.requests.count == 2)
    #expect(try shown() == names(0..<20) + ["gap"])
  }

  /// The store as another process has it, with a server of its own.
  private func otherProcess() throws -> (list: LiveList, server: Page.ScriptedLoader) {
    let server = Page.ScriptedLoader(items: Self.items(0..<100), pageSize: 10)
    let other = try Repository(existing: folder.file("store.sqlite"))
    return (other.liveList("l", pages: server, paging: paging), server)
  }

  @Test func pagesAroundTwoItemsAreTwoPages() async throws {
    try await list.refresh()
    await server.hold()
    let list = list
    async let first: Void = list.loadPage(around: "i50")
    try await wait { await server.requests.count == 2 }
    let other = try otherProcess()
    async let second: Void = other.list.loadPage(around: "i80")
    try await wait { await other.server.requests.count == 1 }
    try await second
    #expect(try repository.hasItem("i80", in: "l"))
    await server.release()
    try await first
    #expect(try repository.hasItem("i50", in: "l"))
  }

  /// What else becomes of the list meanwhile is not the page.
  @Test func aNewestPageThatAnotherProcessDoesNotGetIsAskedForAgain() async throws {
    try await list.refresh()
    await server.hold()
    await server.failNext(with: URLError(.timedOut))
    let list = list
    let first = Task { try await list.refresh() }
    try await wait { await server.requests.count == 2 }
    let other = try otherProcess()
    await other.server.set(Self.items(200..<202) + Self.items(0..<100))
    let second = Task { try await other.list.refresh() }
    try await Task.sleep(for: .milliseconds(100))
    try repository.commit([.touchItem("i3")], to: "l")
    await server.release()
    await #expect(throws: URLError.self) { try await first.value }
    #expect(try await second.value == 2)
    #expect(await other.server.requests.count == 1)
  }

  @Test func theFirstPageIsAskedForByOneProcess() async throws {
    // Without a row, nobody can note that it loads.
    try repository.commit([.insertSection("items")], to: "l")
    await server.hold()
    let list = list
    let first = Task { try await list.refresh() }
    try await wait { await server.requests.count == 1 }
    let other = try otherProcess()
    let second = Task { try await other.list.refresh() }
    try await Task.sleep(for: .milliseconds(100))
    await server.release()
    #expect(try await first.value == 10)
    #expect(try await second.value == 0)
    #expect(await other.server.requests.isEmpty)
  }

  @Test func onlyWhatIsNewAboveIsCounted() async throws {
    try await list.refresh()
    await server.set(Self.items(5..<100))
    #expect(try await list.refresh() == 0)
    #expect(try shown() == names(5..<15) + ["gap"])
    await server.set(Self.items(200..<203) + Self.items(8..<100))
    #expect(try await list.refresh() == 3)
  }

  @Test func onlyWhatIsNewBelowIsCountedInAChat() async throws {
    let server = Page.ScriptedLoader(items: Self.items(0..<50), pageSize: 10, isNewestLast: true)
    let chat = repository.liveList("chat", pages: server, paging: LiveList.Paging(newest: .end))
    #expect(try await chat.refresh() == 10)
    await server.set(Self.items(0..<45))
    #expect(try await chat.refresh() == 0)
    await server.set(Self.items(0..<43) + Self.items(200..<203))
    #expect(try await chat.refresh() == 3)
  }

  @Test func aPageAroundAnItemThatFailsIsNotTheNewestOne() async throws {
    try await list.refresh()
    await server.failNext(with: URLError(.timedOut))
    await #expect(throws: URLError.self) { try await list.loadPage(around: "i50") }
    guard case .idle = list.pageState(of: nil) else { throw Unexpected() }
  }

  private struct Unexpected: Error {}

  @Test func whatFailsIsAskedForAgainWhileItIsNeeded() async throws {
    try await list.refresh()
    for _ in 0..<3 { await server.failNext(with: URLError(.timedOut)) }
    want([.init(gap: try gap(), part: .after)])
    try await wait { try shown().count == 21 }
    #expect(await server.requests.count == 5)
  }

  @Test func whatFailsAndIsNotNeededIsLeft() async throws {
    try await list.refresh()
    await server.failNext(with: URLError(.timedOut))
    let gap = try gap()
    await #expect(throws: URLError.self) { try await list.loadPage(of: gap) }
    guard case .failed(let error) = list.pageState(of: gap) else { throw Unexpected() }
    #expect(error is URLError)
    #expect(try #require(list.pages).counts == (0, 0))
    #expect(await server.requests.count == 2)
    try await list.loadPage(of: gap)
    guard case .idle = list.pageState(of: gap) else { throw Unexpected() }
  }

  @Test func whatNeedsTheUserWaitsForTheUser() async throws {
    try await list.refresh()
    await server.failNext(with: Page.Failure.needsUser("Log in again."))
    let gap = try gap()
    want([.init(gap: gap, part: .after)])
    try await wait { if case .failed = list.pageState(of: gap) { true } else { false } }
    #expect(try #require(list.pages).counts == (0, 0))
    #expect(await server.requests.count == 2)
    list.retryPages()
    try await wait { try shown().count == 21 }
  }

  @Test func nothingIsAskedForOffline() async throws {
    try await list.refresh()
    list.isOffline = true
    let gap = try gap()
    want([.init(gap: gap, part: .after)])
    try await wait { if case .offline = list.pageState(of: gap) { true } else { false } }
    await #expect(throws: Page.Failure.offline) { try await list.refresh() }
    #expect(await server.requests.count == 1)
    list.isOffline = false
    try await wait { try shown().count == 21 }
  }

  @Test(arguments: [false, true]) func whatFailedAndCameBackIsAskedForAgain(_ isByHand: Bool)
    async throws
  {
    try await list.refresh()
    let gap = try gap()
    await server.failNext(with: URLError(.timedOut))
    if isByHand {
      await #expect(throws: URLError.self) { try await list.loadPage(of: gap) }
    } else {
      want([.init(gap: gap, part: .after)])
      try await wait { if case .failed = list.pageState(of: gap) { true } else { false } }
      want([])
    }
    want([.init(gap: gap, part: .after)])
    try await wait { try shown().count == 21 }
    #expect(await server.requests.count == 3)
  }

  /// As if the connection that it uses were closed.
  @Test func aLoaderThatCancelsByItselfHasFailed() async throws {
    try await list.refresh()
    let gap = try gap()
    let other = try Repository(existing: folder.file("store.sqlite")).liveList(
      "l", pages: server, paging: LiveList.Paging(retrying: 100...100))
    for _ in 0..<100 { await server.failNext(with: CancellationError()) }
    other.pages?.want([.init(gap: gap, part: .after)], by: ObjectIdentifier(screen))
    try await wait { if case .failed = other.pageState(of: gap) { true } else { false } }
    #expect(await server.requests.count == 2)
    other.pages?.want([], by: ObjectIdentifier(screen))
  }

  @Test(arguments: [nil, URLError(.cancelled)]) func whatLeavesIsCancelled(_ error: URLError?)
    async throws
  {
    try await list.refresh()
    let (loader, gap) = (SlowLoader(error: error), try gap())
    let slow = try Repository(existing: folder.file("store.sqlite"))
      .liveList("l", pages: loader)
    let key = PageLoading.Key(gap: gap, part: .after)
    slow.pages?.want([key], by: ObjectIdentifier(screen))
    try await wait { await loader.begun == 1 }
    slow.pages?.want([], by: ObjectIdentifier(screen))
    try await wait { await loader.cancelled == 1 }
    try await wait { if case .idle = slow.pageState(of: gap) { true } else { false } }
    slow.pages?.want([key], by: ObjectIdentifier(screen))
    try await wait { await loader.begun == 2 }
    slow.pages?.want([], by: ObjectIdentifier(screen))
  }

  private actor SlowLoader: PageLoader {
    private(set) var begun = 0
    private(set) var cancelled = 0
    /// What it throws when it is cancelled, if that is its own.
    private let error: URLError?

    init(error: URLError?) { self.error = error }

    func page(_ request: PageRequest) async throws -> Page {
      begun += 1
      do { try await Task.sleep(for: .seconds(60)) } catch {
        cancelled += 1
        throw self.error ?? error
      }
      return Page(items: [])
    }
  }

  @Test func aCursorThatTheServerNoLongerTakesIsForgotten() async throws {
    try await list.refresh()
    await server.failNext(with: Page.Failure.outdatedCursor)
    try await list.loadPage(of: gap())
    #expect(try shown() == names(0..<20) + ["gap"])
    let requests = await server.requests
    #expect(requests.map(\.cursor) == [nil, "i9", nil])
    #expect(requests.last?.above == "i9")
  }

  @Test func aPageWithoutAnythingNewIsNotAskedForWithoutAnEnd() async throws {
    try await list.refresh()
    let stuck = try Repository(existing: folder.file("store.sqlite")).liveList(
      "l", pages: StuckLoader(), paging: LiveList.Paging(retrying: 100...100))
    let gap = try gap()
    await #expect(throws: Page.Failure.nothingNew) { try await stuck.loadPage(of: gap) }
    #expect(try list.gapCount() == 1)
  }

  /// What else is tried between must not hide how often it was asked.
  @Test(.timeLimit(.minutes(1))) func aServerThatStaysBehindIsNotAskedWithoutAnEnd() async throws {
    try await list.refresh()
    let line = #"{"t":"commit","list":"l","seq":"1","ops":[]}"#
    try repository.apply(FeedReader(file: folder.write(line + "\n", to: "feed.ndjson")))
    let behind = BehindLoader()
    let other = try Repository(existing: folder.file("store.sqlite"))
      .liveList("l", pages: behind, paging: LiveList.Paging(retrying: 100...100))
    let gap = try gap()
    let loading = Task { try await other.loadPage(of: gap) }
    try await wait { await behind.count > 5 }
    try await Task.sleep(for: .seconds(7))
    #expect(await behind.count <= 10)
    loading.cancel()
    await #expect(throws: (any Error).self) { try await loading.value }
  }

  private actor BehindLoader: PageLoader {
    private(set) var count = 0

    func page(_ request: PageRequest) async throws -> Page {
      count += 1
      if count == 6 { throw Page.Failure.outdatedCursor }
      return Page(items: [], after: "x", sequence: 0)
    }
  }

  private struct StuckLoader: PageLoader {
    func page(_ request: PageRequest) async throws -> Page {
      Page(items: [], after: request.cursor, offset: 10)
    }
  }

  @Test func aRefreshKeepsWhatWasLoaded() async throws {
    try await list.refresh()
    await server.set(
      Self.items(1_000..<1_003) + Self.items(0..<100).filter { $0.id.rawValue != "i4" })
    #expect(try await list.refresh() == 3)
    #expect(
      try shown() == names(1_000..<1_003) + names(0..<10).filter { $0 != "i4" } + ["gap"])
    await server.set(Self.items(2_000..<2_050) + Self.items(0..<100))
    #expect(try await list.refresh() == 10)
    #expect(
      try shown() == names(2_000..<2_010) + ["gap"] + names(1_000..<1_003)
        + names(0..<10).filter { $0 != "i4" } + ["gap"])
  }

  @Test func aListWithoutALoaderSaysSo() async throws {
    let plain = repository.liveList("other")
    await #expect(throws: StoreError.self) { try await plain.refresh() }
  }

  /// The feed has deleted an item while the page that has it was on its way.
  @Test func aPageBringsBackNothing() async throws {
    try await list.refresh()
    await server.hold()
    let (list, gap) = (list, try gap())
    async let loaded: Void = list.loadPage(of: gap)
    try await wait { await server.requests.count == 2 }
    try repository.commit([.insertItem(Self.items(12..<13)[0], in: "items", at: .start)], to: "l")
    try repository.commit([.deleteItem("i12"), .deleteItem("i3")], to: "l")
    await server.release()
    try await loaded
    #expect(try shown() == (0..<20).filter { $0 != 3 && $0 != 12 }.map { "i\($0)" } + ["gap"])
  }

  @Test func editsThatWaitStayAboveAPage() async throws {
    try await list.refresh()
    _ = try await list.editPending { editor in
      try editor.apply(.deleteItem("i2"))
      try editor.apply(.insertItem(Self.items(500..<501)[0], in: "items", at: .start))
    }
    try await list.loadPage(of: gap())
    try await list.refresh()
    let left = names(0..<20).filter { $0 != "i2" }
    #expect(try shown() == ["i500"] + left + ["gap"])
    #expect(try list.pendingEdits().map(\.state) == [.waiting])
    #expect(try repository.checkInvariants() == [])
  }
}
