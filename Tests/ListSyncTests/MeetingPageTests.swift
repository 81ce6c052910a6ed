import Foundation
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import TestSupport
import Testing

/// Servers that are asked for all that is newer than an item, or that stands between two, and say whether a
/// page has all of it.
@Suite struct MeetingPageTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let server = Server()

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  /// Numbers, the greatest first; at most five a page.
  private actor Server: PageLoader {
    var newest = 10
    var isAtEnd = false
    private(set) var known: [ItemID?] = []
    /// Done while an answer is on its way.
    private var meanwhile: (@Sendable () throws -> Void)?

    func setNewest(_ newest: Int) { self.newest = newest }
    func setIsAtEnd(_ isAtEnd: Bool) { self.isAtEnd = isAtEnd }
    func setMeanwhile(_ work: @escaping @Sendable () throws -> Void) { meanwhile = work }

    func page(_ request: PageRequest) throws -> Page {
      let (newer, older) = isAtEnd ? (request.below, request.above) : (request.above, request.below)
      if request.part == .newest { known.append(older) }
      let first = request.part == .newest ? newest : number(newer).map { $0 - 1 } ?? newest
      let last = number(older).map { $0 + 1 } ?? 1
      let numbers = stride(from: first, through: max(last, first - 4), by: -1).map { $0 }
      let meets = older != nil && first - 4 <= last
      var items = numbers.map { Item(id: .init(stringLiteral: "i\($0)"), cell: "C", content: "{}") }
      if isAtEnd { items.reverse() }
      let cursor = (numbers.last ?? last) == 1 ? nil : "more"
      try meanwhile?()
      meanwhile = nil
      return Page(
        items: items, before: isAtEnd ? meets ? nil : cursor : nil,
        after: isAtEnd ? nil : meets ? nil : cursor, meetsOtherSide: meets)
    }

    private func number(_ item: ItemID?) -> Int? { item.flatMap { Int($0.rawValue.dropFirst()) } }
  }

  private func shown() throws -> [String] {
    try repository.tree(of: "l").sections.flatMap(\.items)
      .map { $0.state.isGap ? "gap" : $0.id.rawValue }
  }
  private func names(_ first: Int, _ last: Int) -> [String] {
    stride(from: first, through: last, by: first < last ? 1 : -1).map { "i\($0)" }
  }

  /// It has no item of the list, and no cursor.
  @Test func aRefreshThatMeetsTheListLeavesNoGap() async throws {
    let list = repository.liveList("l", pages: server)
    try await list.refresh()
    #expect(try shown() == names(10, 6) + ["gap"])
    await server.setNewest(13)
    try await list.refresh()
    #expect(try shown() == names(13, 6) + ["gap"])
    // Nothing is newer.
    try await list.refresh()
    #expect(try shown() == names(13, 6) + ["gap"])
    #expect(await server.known == [nil, "i10", "i13"])
    #expect(try repository.checkInvariants() == [])
  }

  @Test func theSameAtTheEndOfAChat() async throws {
    await server.setIsAtEnd(true)
    let list = repository.liveList("l", pages: server, paging: LiveList.Paging(newest: .end))
    try await list.refresh()
    await server.setNewest(13)
    try await list.refresh()
    #expect(try shown() == ["gap"] + names(6, 13))
    #expect(await server.known == [nil, "i10"])
  }

  /// More is new than a page holds; the pages of the gap say when they meet what is below.
  @Test func aPageOfAGapMeetsItsOtherEdge() async throws {
    let list = repository.liveList("l", pages: server)
    try await list.refresh()
    await server.setNewest(22)
    try await list.refresh()
    #expect(try shown() == names(22, 18) + ["gap"] + names(10, 6) + ["gap"])
    let gap = try #require(try list.gaps().first)
    try await list.loadPage(of: gap)
    #expect(try shown() == names(22, 13) + ["gap"] + names(10, 6) + ["gap"])
    try await list.loadPage(of: gap)
    #expect(try shown() == names(22, 6) + ["gap"])
    #expect(try repository.checkInvariants() == [])
  }

  /// The server does not know an item that waits for it.
  @Test func theServerIsAskedByWhatItMayKnow() async throws {
    var list = repository.liveList("l", pages: server)
    try await list.refresh()
    list.sendsEdits = true
    try await list.edit {
      try $0.insert(Item(id: "own", cell: "C", content: "{}"), in: "items", at: .start)
    }
    await server.setNewest(12)
    try await list.refresh()
    #expect(await server.known == [nil, "i10"])
    #expect(try shown() == ["own"] + names(12, 6) + ["gap"])
  }

  /// Then something may be missing between the page and what came: the list does not end there either.
  @Test func whatCameMeanwhileIsNotMet() async throws {
    let repository = repository
    let list = repository.liveList("l", pages: server)
    try await list.refresh()
    await server.setNewest(12)
    await server.setMeanwhile {
      try repository.commit(
        [.insertItem(Item(id: "other", cell: "C", content: "{}"), in: "items", at: .start)], to: "l"
      )
    }
    try await list.refresh()
    #expect(try shown() == names(12, 11) + ["gap", "other"] + names(10, 6) + ["gap"])
    #expect(try repository.checkInvariants() == [])
  }
}
