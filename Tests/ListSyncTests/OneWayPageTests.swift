import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import Pages
import StoreFiles
import TestSupport
import Testing

/// Servers whose cursors lead one way.
@Suite struct OneWayPageTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  /// Answers from some edges of gaps only.
  private struct OneWay: PageLoader {
    let server: Page.ScriptedLoader
    var refused: Set<PageRequest.Part>

    func page(_ request: PageRequest) async throws -> Page {
      if refused.contains(request.part) { throw Page.Failure.otherEdge }
      return try await server.page(request)
    }
  }

  private static func items(_ range: Range<Int>) -> [Item] {
    range.map { Item(id: .init(stringLiteral: "i\($0)"), cell: "C", content: "{}") }
  }
  private func names(_ range: Range<Int>) -> [String] { range.map { "i\($0)" } }
  private func shown() throws -> [String] {
    try repository.tree(of: "l").sections.flatMap(\.items)
      .map { $0.state.isGap ? "gap" : $0.id.rawValue }
  }
  private func gap() throws -> ItemID {
    try #require(
      repository.tree(of: "l").sections.flatMap(\.items).first { $0.state.isGap }?.id)
  }

  @Test func theyAreAskedFromTheOtherEdge() async throws {
    let server = Page.ScriptedLoader(items: Self.items(60..<100), pageSize: 10)
    let list = repository.liveList("l", pages: OneWay(server: server, refused: [.before]))
    try await list.refresh()
    await server.set(Self.items(0..<100))
    try await list.refresh()
    #expect(try shown() == names(0..<10) + ["gap"] + names(60..<70) + ["gap"])
    let gap = try gap()
    for end in [20, 30, 40, 50] {
      try await list.loadPage(of: gap, fromAbove: false)
      #expect(try shown() == names(0..<end) + ["gap"] + names(60..<70) + ["gap"])
    }
    try await list.loadPage(of: gap, fromAbove: false)
    try await list.loadPage(of: gap, fromAbove: false)
    #expect(try shown() == names(0..<70) + ["gap"])
    #expect(await server.requests.allSatisfy { $0.part == .newest || $0.part == .after })
    #expect(try repository.checkInvariants() == [])
  }

  /// One process asks from above, and another one from below, which leads to the upper edge as well.
  @Test func theOtherEdgeIsAskedForOnceByTwoRepositories() async throws {
    let server = Page.ScriptedLoader(items: Self.items(0..<100), pageSize: 10)
    let loader = OneWay(server: server, refused: [.before])
    var paging = LiveList.Paging()
    // This process may get no time for a while.
    paging.lease = 300
    let list = repository.liveList("l", pages: loader, paging: paging)
    try await list.refresh()
    let gap = try gap()
    let notes = Guarded(0)
    var options = Repository.Options()
    options.prepareConnection = { db in
      db.trace { event in
        if "\(event)".contains("INSERT INTO pageRequest") { notes.withValue { $0 += 1 } }
      }
    }
    let other = try Repository(existing: folder.file("store.sqlite"), options: options)
      .liveList("l", pages: loader, paging: paging)
    await server.hold()
    async let first: Void = list.loadPage(of: gap)
    while await server.requests.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
    async let second: Void = other.loadPage(of: gap, fromAbove: false)
    // Its own edge, and then the other one again and again, unless it asks the server.
    while notes.withValue({ $0 }) < 3 {
      if await server.requests.count > 2 { break }
      try await Task.sleep(for: .milliseconds(1))
    }
    await server.release()
    try await first
    try await second
    #expect(await server.requests.map(\.part) == [.newest, .after])
    #expect(try shown() == names(0..<20) + ["gap"])
  }

  /// Two loads of one process come to one edge: when the first one fails, the other one goes on with it, and
  /// other processes still know.
  @Test func anEdgeThatTwoLoadsHaveClaimedIsClaimedUntilBothHaveEnded() async throws {
    /// Answers one question after the other, as it is told to; the first one by an error.
    struct Stepwise: PageLoader {
      let server: Page.ScriptedLoader
      let asked = Guarded(0)
      let answered = Guarded(0)

      func page(_ request: PageRequest) async throws -> Page {
        if request.part == .before { throw Page.Failure.otherEdge }
        guard request.part == .after else { return try await server.page(request) }
        let number = asked.withValue { asked in
          asked += 1
          return asked
        }
        while answered.withValue({ $0 }) < number { try await Task.sleep(for: .milliseconds(1)) }
        if number == 1 { throw CocoaError(.fileReadUnknown) }
        return try await server.page(request)
      }
    }
    let loader = Stepwise(
      server: Page.ScriptedLoader(items: Self.items(0..<100), pageSize: 10))
    let notes = Guarded(0)
    var options = Repository.Options()
    options.prepareConnection = { db in
      db.trace { event in
        if "\(event)".contains("INSERT INTO pageRequest") { notes.withValue { $0 += 1 } }
      }
    }
    let repository = try Repository(existing: folder.file("store.sqlite"), options: options)
    var paging = LiveList.Paging()
    // This process may get no time for a while.
    paging.lease = 300
    let list = repository.liveList("l", pages: loader, paging: paging)
    try await list.refresh()
    let gap = try gap()
    let before = notes.withValue { $0 }
    let first = Task { try await list.loadPage(of: gap) }
    while loader.asked.withValue({ $0 }) < 1 { try await Task.sleep(for: .milliseconds(1)) }
    async let second: Void = list.loadPage(of: gap, fromAbove: false)
    // The edge of each, and that of the first once more.
    while notes.withValue({ $0 }) < before + 3 { try await Task.sleep(for: .milliseconds(1)) }
    loader.answered.withValue { $0 = 1 }
    await #expect(throws: CocoaError.self) { try await first.value }
    while loader.asked.withValue({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
    let queue = try DatabaseQueue(path: folder.file("store.sqlite").path)
    let claimed = try await queue.read {
      try String.fetchAll($0, sql: "SELECT edge FROM pageRequest")
    }
    #expect(claimed == ["upper"])
    loader.answered.withValue { $0 = 2 }
    try await second
    #expect(try shown() == names(0..<20) + ["gap"])
    #expect(
      try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM pageRequest") } == 0)
  }

  /// Nothing is asked once the device is offline, however many attempts are left.
  @Test func whatIsAskedAgainIsNotAskedOffline() async throws {
    struct GoesOffline: PageLoader {
      let server: Page.ScriptedLoader
      let goOffline: @Sendable () -> Void

      func page(_ request: PageRequest) async throws -> Page {
        let page = try await server.page(request)
        if request.part == .newest { return page }
        goOffline()
        throw Page.Failure.otherEdge
      }
    }
    let server = Page.ScriptedLoader(items: Self.items(0..<100), pageSize: 10)
    let shown = Guarded<LiveList?>(nil)
    let list = repository.liveList(
      "l",
      pages: GoesOffline(server: server) { shown.withValue { $0 }?.isOffline = true })
    shown.withValue { $0 = list }
    try await list.refresh()
    let gap = try gap()
    await #expect(throws: Page.Failure.offline) { try await list.loadPage(of: gap) }
    #expect(await server.requests.map(\.part) == [.newest, .after])
  }

  @Test func whoTakesNoPositionsIsToldSo() async throws {
    let server = Page.ScriptedLoader(items: Self.items(0..<100), pageSize: 10)
    let list = repository.liveList("l", pages: OneWay(server: server, refused: [.from(50)]))
    try await list.refresh()
    await #expect(throws: Page.Failure.unsupported) { try await list.loadPage(at: 50) }
    #expect(try shown() == names(0..<10) + ["gap"])
  }

  @Test func whoRefusesBothEdgesIsToldSo() async throws {
    let server = Page.ScriptedLoader(items: Self.items(0..<100), pageSize: 10)
    let list = repository.liveList("l", pages: OneWay(server: server, refused: [.before, .after]))
    try await list.refresh()
    let gap = try gap()
    await #expect(throws: Page.Failure.otherEdge) { try await list.loadPage(of: gap) }
    #expect(try shown() == names(0..<10) + ["gap"])
  }
}
