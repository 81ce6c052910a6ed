import ListModel
import ListStore
import ListSync
import Pages
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

  @Test func whoRefusesBothEdgesIsToldSo() async throws {
    let server = Page.ScriptedLoader(items: Self.items(0..<100), pageSize: 10)
    let list = repository.liveList("l", pages: OneWay(server: server, refused: [.before, .after]))
    try await list.refresh()
    let gap = try gap()
    await #expect(throws: Page.Failure.otherEdge) { try await list.loadPage(of: gap) }
    #expect(try shown() == names(0..<10) + ["gap"])
  }
}
