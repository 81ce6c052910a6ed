import Foundation
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import TestSupport
import Testing

/// Where a page belongs while the server's list grows.
@Suite struct PagePositionTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let server = Page.ScriptedLoader(items: items(100..<200), pageSize: 10)
  private let list: LiveList

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    list = repository.liveList("l", pages: server)
  }

  private static func items(_ range: Range<Int>) -> [Item] {
    range.map { Item(id: .init(stringLiteral: "i\($0)"), cell: "C", content: "{}") }
  }
  private func names(_ range: Range<Int>) -> [String] { range.map { "i\($0)" } }
  private func shownItems() throws -> [Item] {
    try repository.tree(of: "l").sections.flatMap(\.items)
  }
  private func shown() throws -> [String] {
    try shownItems().map { $0.state.isGap ? "gap" : $0.id.rawValue }
  }
  private func gaps() throws -> [Gap] {
    try shownItems().filter(\.state.isGap).map { try Gap($0.state.content) }
  }

  /// A scrubber leads there.
  @Test func thePageAtAPositionPartsTheGap() async throws {
    try await list.refresh()
    try await list.loadPage(at: 50)
    #expect(try shown() == names(100..<110) + ["gap"] + names(150..<160) + ["gap"])
    #expect(try gaps().map(\.offset) == [10, 60])
    // It is there, or before the beginning.
    try await list.loadPage(at: 50)
    try await list.loadPage(at: -3)
    #expect(try shown() == names(100..<110) + ["gap"] + names(150..<160) + ["gap"])
    #expect(await server.requests.map(\.part) == [.newest, .from(50), .from(50), .from(0)])
    #expect(try repository.checkInvariants() == [])
  }

  /// With one gap only, a page around an item would go into it, below what is older.
  @Test func aLinkToAnItemThatIsNewerThanTheListIsAboveIt() async throws {
    try await list.refresh()
    await server.set(Self.items(0..<200))
    try await list.loadPage(around: "i50")
    #expect(
      try shown() == names(0..<10) + ["gap"] + names(45..<55) + ["gap"] + names(100..<110) + ["gap"]
    )
    #expect(
      await server.requests.map(\.part) == [.newest, .around("i50"), .newest, .around("i50")])
    #expect(try repository.checkInvariants() == [])
  }

  /// The newest page is from before it: the only gap is not where it belongs.
  @Test func aLinkToAnItemThatIsNewerThanTheNewestPageIsInNoGap() async throws {
    await server.setTellsCounts(false)
    try await list.refresh()
    let old = Page.ScriptedLoader(items: Self.items(100..<200), pageSize: 10)
    await server.set(Self.items(98..<200))
    let other = try Repository(existing: folder.file("store.sqlite"))
      .liveList("l", pages: OldNewestPage(old: old, new: server))
    try await other.loadPage(around: "i99")
    #expect(try shown() == names(98..<110) + ["gap"])
  }

  /// The gap has no count, so nothing tells how old its position is; but the page ends above it.
  @Test func aLinkThatEndsAboveTheOnlyGapIsNotInIt() async throws {
    await server.set(Self.items(100..<110))
    try await list.refresh()
    await server.set(Self.items(85..<110))
    try await list.refresh()
    try #require(try shown() == names(85..<95) + ["gap"] + names(100..<110))
    try #require(try gaps().map(\.count) == [nil])
    let old = Page.ScriptedLoader(items: Self.items(85..<110), pageSize: 10)
    await server.set(Self.items(60..<110))
    let other = try Repository(existing: folder.file("store.sqlite"))
      .liveList("l", pages: OldNewestPage(old: old, new: server))
    try await other.loadPage(around: "i83")
    #expect(
      try shown() == names(60..<70) + ["gap"] + names(78..<95) + ["gap"] + names(100..<110))
    #expect(try repository.checkInvariants() == [])
  }

  /// Answers with the newest items of long ago, once.
  private actor OldNewestPage: PageLoader {
    let old: Page.ScriptedLoader
    let new: Page.ScriptedLoader
    private var isOld = true

    init(old: Page.ScriptedLoader, new: Page.ScriptedLoader) { (self.old, self.new) = (old, new) }

    func page(_ request: PageRequest) async throws -> Page {
      guard request.part == .newest, isOld else { return try await new.page(request) }
      isOld = false
      return try await old.page(request)
    }
  }

  /// A server that is asked by position alone.
  private actor OffsetServer: PageLoader {
    var items: [Item]

    init(_ items: [Item]) { self.items = items }

    func set(_ items: [Item]) { self.items = items }

    func page(_ request: PageRequest) async throws -> Page {
      let offset: Int
      switch request.part {
      case .newest, .around: offset = 0
      case .after: offset = try position(request.gap?.offset)
      case .from(let position): offset = position
      case .before:
        let first = try position(request.gap?.offset)
        offset = first + max(0, try position(request.gap?.count) - 20)
      }
      let end = min(offset + 20, items.count)
      return Page(
        items: Array(items[offset..<end]), before: offset == 0 ? nil : "\(offset)",
        after: end < items.count ? "\(end)" : nil, offset: offset, total: items.count)
    }

    private func position(_ number: Int?) throws -> Int {
      guard let number else { throw Page.Failure.outdatedCursor }
      return number
    }
  }

  /// What the server puts above the gap moves what the page was asked for by.
  @Test(arguments: [7, 30]) func aPageByPositionDoesNotLoseWhatItMisses(
    _ growth: Int
  ) async throws {
    let server = OffsetServer(Self.items(100..<1_100))
    let list = try Repository(existing: folder.file("store.sqlite"))
      .liveList("l", pages: server)
    func gap(_ index: Int) throws -> ItemID {
      try #require(shownItems().filter(\.state.isGap).dropFirst(index).first?.id)
    }
    try await list.refresh()
    let pages = try #require(list.pages)
    _ = try await pages.load(.init(gap: gap(0), part: .from(500)))
    try #require(
      try shown() == names(100..<120) + ["gap"] + names(600..<620) + ["gap"])
    let all = Self.items(100 - growth..<1_100)
    await server.set(all)
    try await list.loadPage(of: gap(0), fromAbove: false)
    for _ in 0..<60 where try list.gapCount() > 0 && shownItems().last?.state.isGap == true {
      if try list.gapCount() == 1 { break }
      try await list.loadPage(of: gap(0), fromAbove: false)
    }
    try await list.refresh()
    for _ in 0..<60 where try list.gapCount() > 0 { try await list.loadPage(of: gap(0)) }
    #expect(try shown() == all.map(\.id.rawValue))
    #expect(try repository.checkInvariants() == [])
  }

  /// From a server that tells no positions, it may be in either gap.
  @Test func aLinkThatMayBeInSeveralGapsIsRefused() async throws {
    await server.setTellsCounts(false)
    try await list.refresh()
    await server.set(Self.items(0..<200))
    await #expect(throws: Page.Failure.unknownPlace) { try await list.loadPage(around: "i50") }
    #expect(try shown() == names(0..<10) + ["gap"] + names(100..<110) + ["gap"])
  }

  @Test func aLinkIsInTheOnlyGapThatTheNewestPageLeaves() async throws {
    await server.setTellsCounts(false)
    try await list.refresh()
    try await list.loadPage(around: "i150")
    #expect(try shown() == names(100..<110) + ["gap"] + names(145..<155) + ["gap"])
    #expect(
      await server.requests.map(\.part) == [.newest, .around("i150"), .newest, .around("i150")])
  }

  /// The gap above does not say how much it lacks: what the position is may be below the next one, too.
  @Test func aPositionIsInNoGapWithoutACountAboveOneWithoutAPosition() async throws {
    let server = Page.ScriptedLoader(
      items: Self.items(100..<200), pageSize: 10, isNewestLast: true)
    let list = try Repository(existing: folder.file("store.sqlite")).liveList(
      "l", pages: server, paging: LiveList.Paging(newest: .end, section: "main"))
    let gaps = [Gap(offset: 10), Gap()].enumerated().map { number, gap in
      Item(id: .init(stringLiteral: "g\(number)"), cell: Gap.cell, content: gap.content)
    }
    let items = [gaps[0]] + Self.items(120..<130) + [gaps[1]] + Self.items(190..<200)
    try repository.commit(
      [.insertSection("main", SectionAttributes(), at: .end)]
        + items.map { .insertItem($0, in: "main", at: .end) },
      to: "l")
    await #expect(throws: Page.Failure.unknownPlace) { try await list.loadPage(around: "i150") }
    #expect(try shown() == ["gap"] + names(120..<130) + ["gap"] + names(190..<200))
  }

  @Test func aLinkWhosePositionTheListHasNeedsNothingElse() async throws {
    try await list.refresh()
    try await list.loadPage(around: "i150")
    #expect(try shown() == names(100..<110) + ["gap"] + names(145..<155) + ["gap"])
    #expect(await server.requests.map(\.part) == [.newest, .around("i150")])
  }

  /// The lower part is another gap then: the page belongs there; and that has the edge that is being asked
  /// for.
  @Test(arguments: [false, true])
  func aPageForTheLowerEdgeOfAGapThatWasSplitMeanwhile(isAskedTwice: Bool) async throws {
    try await list.refresh()
    try await list.loadPage(around: "i150")
    let gap = try #require(try shownItems().first { $0.state.isGap }?.id)
    let slow = Page.ScriptedLoader(items: Self.items(100..<200), pageSize: 10)
    await slow.hold()
    let other = try Repository(existing: folder.file("store.sqlite")).liveList("l", pages: slow)
    async let late: Void = other.loadPage(of: gap, fromAbove: false)
    while await slow.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    try await list.loadPage(around: "i125")
    let lower = try #require(try shownItems().filter(\.state.isGap).dropFirst().first?.id)
    async let same: Void = isAskedTwice ? other.loadPage(of: lower, fromAbove: false) : ()
    // Time to ask, if it did.
    if isAskedTwice { try await Task.sleep(for: .milliseconds(50)) }
    await slow.release()
    _ = try await (late, same)
    #expect(await slow.requests.count == 1)
    #expect(
      try shown() == names(100..<110) + ["gap"] + names(120..<130) + ["gap"] + names(135..<155)
        + ["gap"])
    #expect(try repository.checkInvariants() == [])
  }

  /// They come from files and servers, and are taken as not said.
  @Test(arguments: [Int.min, -1, .max])
  func numbersThatNoListCanHaveTrapNothing(number: Int) async throws {
    let gap = Gap(
      after: "i109", count: number < 0 ? nil : number, offset: number < 0 ? nil : number)
    try repository.commit(
      [
        .insertSection("items", SectionAttributes(), at: .end),
        .insertItem(Item(id: "g", cell: Gap.cell, content: gap.content), in: "items", at: .end),
      ], to: "l")
    let loader = Numbers(number: number)
    let list = try Repository(existing: folder.file("store.sqlite"))
      .liveList("l", pages: loader, paging: LiveList.Paging(section: "items"))
    let pages = try #require(list.pages)
    for part in [PageRequest.Part.from(50), .after] {
      _ = try? await pages.load(.init(gap: "g", part: part))
    }
    try await list.refresh()
    #expect(try repository.checkInvariants() == [])
  }

  private struct Numbers: PageLoader {
    let number: Int

    func page(_ request: PageRequest) async throws -> Page {
      Page(items: items(100..<110), after: "i109", offset: number, total: number)
    }
  }

  /// It comes after a page that has what is newer.
  @Test func aNewestPageFromBeforeWhatTheListHasIsAskedForAgain() async throws {
    let store = folder.file("store.sqlite")
    let paging = LiveList.Paging(newest: .end, section: "main")
    func server(_ range: Range<Int>) -> Page.ScriptedLoader {
      Page.ScriptedLoader(items: Self.items(range), pageSize: 10, isNewestLast: true)
    }
    let loader = OldAnswer(old: server(100..<150), new: server(100..<200))
    let other = try Repository(existing: store).liveList("l", pages: loader, paging: paging)
    async let late = other.refresh()
    while await loader.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let list = try Repository(existing: store)
      .liveList("l", pages: server(100..<200), paging: paging)
    try await list.loadPage(around: "i195")
    await loader.release()
    _ = try await late
    #expect(try shown() == ["gap"] + names(190..<200))
    #expect(await loader.requestCount == 2)
  }

  /// Answers first as the server's list was long ago.
  private actor OldAnswer: PageLoader {
    let old: Page.ScriptedLoader
    let new: Page.ScriptedLoader
    private(set) var requestCount = 0

    init(old: Page.ScriptedLoader, new: Page.ScriptedLoader) { (self.old, self.new) = (old, new) }

    private var waiting: CheckedContinuation<Void, Never>?

    func release() { waiting?.resume() }

    func page(_ request: PageRequest) async throws -> Page {
      requestCount += 1
      if requestCount > 1 { return try await new.page(request) }
      await withCheckedContinuation { waiting = $0 }
      return try await old.page(request)
    }
  }

  @Test func nothingIsAroundAnItemThatTheServerDoesNotHave() async throws {
    try await list.refresh()
    try await list.loadPage(around: "i7")
    #expect(try shown() == names(100..<110) + ["gap"])
  }

  @Test func aRefreshPutsThePositionsOfOlderGapsRight() async throws {
    try await list.refresh()
    try await list.loadPage(around: "i150")
    #expect(try gaps().map(\.offset) == [10, 55])
    await server.set(Self.items(70..<200))
    try await list.refresh()
    #expect(
      try shown() == names(70..<80) + ["gap"] + names(100..<110) + ["gap"] + names(145..<155)
        + ["gap"])
    #expect(try gaps().map(\.offset) == [10, 40, 85])
    #expect(try gaps().last?.count == 45)
    #expect(try repository.checkInvariants() == [])
  }

  /// Gaps that had stayed behind would be behind for ever: what tells of growth is the last one.
  @Test(arguments: [true, false])
  func aPageThatTellsOfGrowthPutsThePositionsOfAllGapsRight(_ isAtEdge: Bool) async throws {
    try await list.refresh()
    try await list.loadPage(around: "i150")
    let last = try #require(try shownItems().last?.id)
    await server.set(Self.items(70..<200))
    if isAtEdge {
      try await list.loadPage(of: last, fromAbove: true)
    } else {
      let pages = try #require(list.pages)
      #expect(try await pages.load(.init(gap: last, part: .from(90))).insertedCount > 0)
    }
    #expect(try gaps().first?.offset == 40)
    await server.set(Self.items(50..<200))
    try await list.refresh()
    #expect(try gaps().prefix(2).map(\.offset) == [10, 60])
    #expect(try repository.checkInvariants() == [])
  }

  /// Below the last gap everything is known, so what the server's list has more stands above.
  @Test func aRefreshPutsPositionsRightWhereTheEndIsLoaded() async throws {
    try await list.refresh()
    try await list.loadPage(around: "i199")
    await server.set(Self.items(40..<200))
    try await list.refresh()
    #expect(
      try shown() == names(40..<50) + ["gap"] + names(100..<110) + ["gap"] + names(194..<200))
    #expect(try gaps().map(\.offset) == [10, 70])
    try await list.loadPage(around: "i150")
    #expect(
      try shown() == names(40..<50) + ["gap"] + names(100..<110) + ["gap"] + names(145..<155)
        + ["gap"] + names(194..<200))
    #expect(try repository.checkInvariants() == [])
  }

  /// It is put where it stands by now, and not asked for once more.
  @Test func aPageAtAPositionOfAListThatHasGrownMeanwhile() async throws {
    try await list.refresh()
    let gap = try #require(try shownItems().last?.id)
    await server.set(Self.items(94..<200))
    let pages = try #require(list.pages)
    let outcome = try await pages.load(.init(gap: gap, part: .from(50)))
    #expect(outcome.insertedCount == 10)
    #expect(try shown() == names(100..<110) + ["gap"] + names(144..<154) + ["gap"])
    #expect(try gaps().map(\.offset) == [16, 60])
    #expect(try gaps().map(\.count) == [34, 46])
    #expect(await server.requests.map(\.part) == [.newest, .from(50)])
    #expect(try repository.checkInvariants() == [])
  }

  /// It comes after a page that has put the positions right.
  @Test func aPageFromBeforeTheListHasGrownSetsNoPositionBack() async throws {
    try await list.refresh()
    let gap = try #require(try shownItems().last?.id)
    let loader = OldAnswer(
      old: Page.ScriptedLoader(items: Self.items(100..<200), pageSize: 10), new: server)
    let other = try Repository(existing: folder.file("store.sqlite"))
      .liveList("l", pages: loader)
    let pages = try #require(other.pages)
    async let late = pages.load(.init(gap: gap, part: .from(50)))
    while await loader.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    await server.set(Self.items(94..<200))
    try await list.refresh()
    let lower = try #require(try gaps().last)
    #expect(lower.offset == 16)
    await loader.release()
    #expect(try await late.insertedCount == 10)
    #expect(
      try shown() == names(94..<110) + ["gap"] + names(150..<160) + ["gap"])
    #expect(try gaps().map(\.offset) == [16, 66])
    #expect(try gaps().map(\.count) == [40, 40])
    #expect(await loader.requestCount == 1)
  }

  /// What stands at the position by now is above the gap: only the positions are put right.
  @Test func aPageAtAPositionThatIsAboveItsGapByNow() async throws {
    try await list.refresh()
    let gap = try #require(try shownItems().last?.id)
    await server.set(Self.items(80..<200))
    let pages = try #require(list.pages)
    #expect(try await pages.load(.init(gap: gap, part: .from(15))).insertedCount == 0)
    #expect(try shown() == names(100..<110) + ["gap"])
    #expect(try gaps().map(\.offset) == [30])
    #expect(try repository.checkInvariants() == [])
  }

  /// What the user has added may stand at the edge, and the server does not know it.
  @Test func anEdgeThatTheServerDoesNotKnowIsAskedFromTheOtherSide() async throws {
    try await list.refresh()
    await server.set(Self.items(80..<200))
    try await list.refresh()
    let gap = try #require(try shownItems().first(where: \.state.isGap))
    let other = try Repository(existing: folder.file("store.sqlite"))
      .liveList("l", pages: NothingFromAbove(server: server))
    try await other.loadPage(of: gap.id, fromAbove: true)
    #expect(try shown() == names(80..<90) + ["gap"] + names(90..<110) + ["gap"])
  }

  /// Knows nothing that stands above a gap.
  private struct NothingFromAbove: PageLoader {
    let server: Page.ScriptedLoader

    func page(_ request: PageRequest) async throws -> Page {
      if request.part == .after { throw Page.Failure.outdatedCursor }
      return try await server.page(request)
    }
  }

  /// Its cursor is no more, and next to it stands what the server never had.
  @Test(arguments: [1, 7, 8])
  func anEdgeIsAskedByAnItemThatTheServerKnows(_ ownCount: Int) async throws {
    try await list.refresh()
    let gap = try #require(try shownItems().first(where: \.state.isGap))
    let own = Self.items(900..<900 + ownCount)
    try list.commit(own.map { .insertItem($0, in: "items", at: .before(gap.id)) })
    let other = try Repository(existing: folder.file("store.sqlite"))
      .liveList("l", pages: WithoutCursors(server: server))
    let names = names(100..<110) + own.map(\.id.rawValue)
    // Not without an end.
    if ownCount == 8 {
      await #expect(throws: Page.Failure.self) {
        try await other.loadPage(of: gap.id, fromAbove: true)
      }
      #expect(try shown() == names + ["gap"])
    } else {
      try await other.loadPage(of: gap.id, fromAbove: true)
      #expect(try shown() == names + self.names(110..<120) + ["gap"])
    }
    #expect(try repository.checkInvariants() == [])
  }

  /// Takes no cursor any more.
  private struct WithoutCursors: PageLoader {
    let server: Page.ScriptedLoader

    func page(_ request: PageRequest) async throws -> Page {
      if request.cursor != nil { throw Page.Failure.outdatedCursor }
      return try await server.page(request)
    }
  }
}
