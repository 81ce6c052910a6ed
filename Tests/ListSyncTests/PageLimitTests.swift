import Foundation
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import TestSupport
import Testing

/// Lists with a limit.
@Suite struct PageLimitTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let server: Page.ScriptedLoader
  private let list: LiveList
  private let screen = NSObject()

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    server = Page.ScriptedLoader(
      items: (0..<2_000).map {
        Item(id: .init(stringLiteral: "i\($0)"), cell: "C", content: JSON(stringLiteral: "\($0)"))
      }, pageSize: 100)
    list = repository.liveList("l", pages: server, paging: LiveList.Paging(limit: .items(600)))
  }

  private var items: [Item] {
    get throws { try repository.tree(of: "l").sections.flatMap(\.items) }
  }
  private func has(_ items: ItemID...) throws -> [Bool] {
    try items.map { item in try self.items.contains { $0.id == item } }
  }
  private func scroll(to item: ItemID) {
    list.pages?.show([item], by: ObjectIdentifier(screen))
  }

  /// Loads the gap at the end, with the last item of what is there in sight.
  private func loadMore() async throws {
    let gap = try #require(items.last { $0.state.isGap }?.id)
    scroll(to: try #require(items.last { !$0.state.isGap }?.id))
    try await list.loadPage(of: gap)
  }

  @Test func whatIsFarAwayBecomesAGapAgainInOneCommit() async throws {
    try await list.refresh()
    for _ in 0..<5 { try await loadMore() }
    #expect(try items.count == 601)
    let revision = try list.revision()
    try await loadMore()
    // 700 are more than 600: down to 525, in whole pages.
    #expect(try items.filter { !$0.state.isGap }.map(\.id.rawValue) == (200..<700).map { "i\($0)" })
    #expect(try list.revision() == revision + 1)
    #expect(try list.canUndo() == false)
    let gap = try #require(items.first)
    #expect(try Gap(gap.state.content) == Gap(before: "i200", count: 200, offset: 0))
    // And back up.
    scroll(to: "i200")
    for _ in 0..<2 { try await list.loadPage(of: gap.id, fromAbove: false) }
    #expect(try items.first?.id == "i0")
    #expect(try items.count { !$0.state.isGap } <= 600)
    #expect(try repository.checkInvariants() == [])
  }

  @Test func savedPlacesSelectionsAndWaitingEditsStay() async throws {
    try await list.refresh()
    for _ in 0..<3 { try await loadMore() }
    try repository.save(
      ListViewState(anchor: .init(item: "i150", offset: 0)), of: "l", view: "another screen")
    for _ in 0..<5 { try await loadMore() }
    try repository.save(
      ListViewState(selection: ItemSelection(.single, ["i650"])), of: "l", view: "a third one")
    _ = try await list.editPending { try $0.apply(.deleteItem("i750")) }
    for _ in 0..<7 { try await loadMore() }
    #expect(try has("i150", "i650", "i751", "i550", "i850") == [true, true, true, false, false])
    #expect(try list.pendingEdits().map(\.state) == [.waiting])
    #expect(try repository.checkInvariants() == [])
  }

  /// A cursor says what follows the place where its item stood.
  @Test(arguments: [false, true])
  func anItemThatHasMovedIsNoEndOfAPageAnyMore(_ moves: Bool) async throws {
    try await list.refresh()
    for _ in 0..<4 { try await loadMore() }
    try repository.save(
      ListViewState(anchor: .init(item: "i50", offset: 0)), of: "l", view: "another screen")
    try repository.commit([moves ? .moveItem("i299", to: .start) : .touchItem("i299")], to: "l")
    for _ in 0..<5 { try await loadMore() }
    let gap = try #require(items.first { $0.state.isGap })
    let content = try Gap(gap.state.content)
    #expect(content.after == (moves ? nil : "i299"))
    #expect(content.before != nil)
  }

  /// No gap is left that tells a position, and the app has a section of its own above.
  @Test func whatGoesIsWhereThePagesSay() async throws {
    await server.set(Array(server.items.prefix(700)))
    try await list.edit { try $0.insertSection("own") }
    try await list.edit {
      try $0.apply(.insertItem(Item(id: "own", cell: "C", content: "{}"), in: "own"))
    }
    try await list.refresh()
    for _ in 0..<6 { try await loadMore() }
    let gaps = try items.filter(\.state.isGap).map { try Gap($0.state.content) }
    #expect(gaps == [Gap(before: "i200", count: 200, offset: 0)])
    #expect(try repository.checkInvariants() == [])
  }

  /// An item of the app's alone has no position.
  @Test func nobodyKnowsWhereItemsBelowOnesOfTheAppsStand() async throws {
    try await list.refresh()
    try await list.edit {
      try $0.apply(.insertItem(Item(id: "own", cell: "C", content: "{}"), in: "items", at: .start))
    }
    for _ in 0..<6 { try await loadMore() }
    let gap = try Gap(#require(items.first { $0.state.isGap }).state.content)
    #expect(gap.before != nil && gap.offset == nil)
  }

  /// Undo of an edit whose item has gone says so, and changes nothing.
  @Test func whatWentIsNotUndone() async throws {
    try await list.refresh()
    try await list.edit { try $0.apply(.touchItem("i3")) }
    for _ in 0..<8 { try await loadMore() }
    #expect(try has("i3") == [false])
    let before = try items
    _ = try? await list.undo()
    #expect(try items == before)
    #expect(try repository.checkInvariants() == [])
  }
}
