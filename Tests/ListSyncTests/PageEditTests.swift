import Foundation
import ListModel
import ListStore
import ListSync
import Pages
import StoreFiles
import TestSupport
import Testing

/// Edits that wait for a server which answers by pages alone.
@Suite struct PageEditTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let server: Page.ScriptedLoader
  private let list: LiveList

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    server = Page.ScriptedLoader(items: Self.items(0..<30), pageSize: 10)
    list = repository.liveList("l", pages: server)
  }

  private static func item(_ id: String, _ content: String = "{}") -> Item {
    Item(id: .init(stringLiteral: id), cell: "C", content: JSON(stringLiteral: content))
  }
  private static func items(_ range: Range<Int>) -> [Item] { range.map { item("i\($0)") } }
  private func names(_ range: Range<Int>) -> [String] { range.map { "i\($0)" } }

  private func shown() throws -> [String] {
    try repository.tree(of: "l").sections.flatMap(\.items)
      .map { $0.state.isGap ? "gap" : $0.id.rawValue }
  }
  private func content(_ id: ItemID) throws -> String? {
    try repository.tree(of: "l").sections.flatMap(\.items).first { $0.id == id }?
      .state.content.text
  }

  private func edit(_ change: Change) async throws -> Repository.PendingEdit {
    try #require(try await list.editPending { try $0.apply(change) }.edit)
  }

  private func expectSound() throws { #expect(try repository.checkInvariants() == []) }

  @Test func aPageThatWasAskedForSinceHasTheEdit() async throws {
    try await list.refresh()
    let edit = try await edit(.insertItem(Self.item("new"), in: "items", at: .start))
    try repository.accept(edit.id, of: "l")
    #expect(try list.deliveries() == ["new": .sent])
    await server.set([Self.item("newest"), Self.item("new")] + Self.items(0..<30))
    #expect(try await list.refresh() == 1)
    #expect(try shown() == ["newest", "new"] + names(0..<10) + ["gap"])
    #expect(try list.deliveries() == [:])
    #expect(try list.pendingEdits().isEmpty)
    try expectSound()
  }

  /// It may be about items that the page does not have.
  @Test func whatThePageDoesNotHaveOfItStays() async throws {
    try await list.refresh()
    let edit = try await edit(.updateItem("i3", ItemUpdate(content: .set(#"{"isRead":true}"#))))
    try repository.accept(edit.id, of: "l")
    let gap = try #require(
      repository.tree(of: "l").sections.flatMap(\.items).first { $0.state.isGap }?.id)
    try await list.loadPage(of: gap)
    #expect(try content("i3") == #"{"isRead":true}"#)
    #expect(try list.pendingEdits().isEmpty)
    // From now on the server has the last word.
    try await list.refresh()
    #expect(try content("i3") == "{}")
    try expectSound()
  }

  @Test func anAnswerThatCameWhileThePageWasOnItsWayWaits() async throws {
    try await list.refresh()
    let first = try await edit(.insertItem(Self.item("new"), in: "items", at: .start))
    await server.hold()
    let list = list
    async let count = list.refresh()
    while await server.requests.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
    try repository.accept(first.id, of: "l")
    await server.release()
    _ = try await count
    #expect(try shown() == ["new"] + names(0..<10) + ["gap"])
    #expect(try list.deliveries() == ["new": .sent])
    try expectSound()
  }

  @Test func aPageWithAnEditThatHasNoAnswerYetIsNoConflict() async throws {
    try await list.refresh()
    let edit = try await edit(.insertItem(Self.item("new"), in: "items", at: .start))
    await server.set([Self.item("new", "1")] + Self.items(0..<30))
    #expect(try await list.refresh() == 1)
    #expect(try shown() == ["new"] + names(0..<10) + ["gap"])
    #expect(try list.deliveries() == ["new": .waiting])
    _ = try await self.edit(.deleteItem("i2"))
    try repository.accept(edit.id, of: "l")
    try await list.refresh()
    let left = names(0..<10).filter { $0 != "i2" }
    #expect(try shown() == ["new"] + left + ["gap"])
    #expect(try list.pendingEdits().map(\.state) == [.waiting])
    #expect(try list.deliveries() == [:])
    try expectSound()
  }

  /// A list without gaps that pages have brought, and the history of its feed.
  @Test func aFeedMayBeginBehindThePages() async throws {
    await server.set(Self.items(0..<5))
    try await list.refresh()
    let section = #"{"op":"insertSection","section":"items"}"#
    let operations = (0..<5).map {
      #"{"op":"insertItem","item":"i\#($0)","section":"items","cell":"C","content":{}}"#
    }
    let lines = [
      ([section] + operations).joined(separator: ","),
      #"{"op":"deleteItem","item":"gone"},{"op":"deleteItem","item":"i1"}"#,
    ].enumerated().map {
      #"{"t":"commit","list":"l","seq":"\#($0 + 1)","ops":[\#($1)]}"# + "\n"
    }
    let feed = try FeedReader(file: try folder.write(lines.joined(), to: "feed.ndjson"))
    try repository.apply(feed)
    #expect(try shown() == ["i0", "i2", "i3", "i4"])
    try expectSound()
  }

  /// The page knows of the line: what the line takes out and puts into the gap is where the page has it, at the
  /// edge whose cursor is the item's own.
  @Test func whatALineBehindThePagesTakesOutComesWithTheNextPage() async throws {
    try await list.refresh()
    try moveTheLastItemIntoTheGap()
    try await list.loadPage(of: gap())
    #expect(try shown() == names(0..<19) + ["gap"])
    try expectSound()
  }

  /// Nothing of the page is known to stand next to what is at the edge by now.
  @Test func aPageForAnEdgeWhoseItemHasLeftMeanwhileIsAskedForAgain() async throws {
    try await list.refresh()
    let gap = try gap()
    await server.hold()
    async let late: Void = list.loadPage(of: gap)
    while await server.requests.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
    try moveTheLastItemIntoTheGap()
    await server.release()
    try await late
    #expect(try shown() == names(0..<9) + ["gap"])
    try await list.loadPage(of: gap)
    #expect(try shown() == names(0..<19) + ["gap"])
    try expectSound()
  }

  private func gap() throws -> ItemID {
    try #require(repository.tree(of: "l").sections.flatMap(\.items).first { $0.state.isGap }?.id)
  }

  private func moveTheLastItemIntoTheGap() throws {
    let operations = [
      #"{"op":"insertSection","section":"items"}"#, #"{"op":"deleteItem","item":"i9"}"#,
      #"{"op":"insertItem","item":"i9","section":"items","after":"i20","cell":"C","content":{}}"#,
    ]
    let line = #"{"t":"commit","list":"l","seq":"1","ops":["# + operations.joined(separator: ",")
    try repository.apply(FeedReader(file: folder.write(line + "]}\n", to: "feed.ndjson")))
    #expect(try shown() == names(0..<9) + ["gap"])
  }

  /// The page knows of the line, and has the item where it is.
  @Test(arguments: [
    #"{"op":"moveItem","item":"i9","after":"i0"}"#,
    #"{"op":"insertItem","item":"i9","section":"items","after":"i0","cell":"C","content":{}}"#,
  ])
  func whatALineBehindThePagesMovesComesBackWithTheNextPage(_ operation: String) async throws {
    try await list.refresh()
    let line =
      #"{"t":"commit","list":"l","seq":"1","ops":["#
      + #"{"op":"insertSection","section":"items"},\#(operation)]}"#
    try repository.apply(FeedReader(file: folder.write(line + "\n", to: "feed.ndjson")))
    #expect(try shown() == ["i0", "i9"] + names(1..<9) + ["gap"])
    let gap = try #require(
      repository.tree(of: "l").sections.flatMap(\.items).first { $0.state.isGap }?.id)
    try await list.loadPage(of: gap)
    #expect(try shown() == names(0..<19) + ["gap"])
    try expectSound()
  }

  /// What stands where the line says has moved nowhere: the gap is asked for as before.
  @Test func whatALineBehindThePagesLeavesInItsPlaceKeepsTheCursor() async throws {
    try await list.refresh()
    let operation =
      #"{"op":"insertItem","item":"i9","section":"items","after":"i8","cell":"C","content":{}}"#
    let line =
      #"{"t":"commit","list":"l","seq":"1","ops":["#
      + #"{"op":"insertSection","section":"items"},\#(operation)]}"#
    try repository.apply(FeedReader(file: folder.write(line + "\n", to: "feed.ndjson")))
    let gap = try #require(
      repository.tree(of: "l").sections.flatMap(\.items).first { $0.state.isGap })
    #expect(try Gap(gap.state.content).after == "i9")
  }

  // MARK: What is deleted while a page is on its way

  private struct Waiting {
    let edit: Repository.PendingEdit
    let refresh: Task<Int, any Error>
  }

  /// A deletion of an item waits for its answer, and a page that has the item is on its way.
  private func deleteWhileAPageComes(_ item: ItemID) async throws -> Waiting {
    try await list.refresh()
    let edit = try await edit(.deleteItem(item))
    await server.hold()
    let list = list
    let refresh = Task { try await list.refresh() }
    while await server.requests.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
    return Waiting(edit: edit, refresh: refresh)
  }

  /// The server takes it, and a page that was asked for since ends it.
  @Test func whatAnotherPageHasSettledIsNotBroughtBack() async throws {
    let waiting = try await deleteWhileAPageComes("i3")
    try repository.accept(waiting.edit.id, of: "l")
    let quick = Page.ScriptedLoader(items: Self.items(0..<30), pageSize: 10)
    let other = try Repository(existing: folder.file("store.sqlite"))
      .liveList("l", pages: quick)
    try await other.loadPage(of: gap())
    try #require(try list.pendingEdits().isEmpty)
    await server.release()
    _ = try await waiting.refresh.value
    #expect(try shown() == names(0..<20).filter { $0 != "i3" } + ["gap"])
    try expectSound()
  }

  @Test func whatALineOfTheFeedHasSettledIsNotBroughtBack() async throws {
    let waiting = try await deleteWhileAPageComes("i3")
    let line =
      #"{"t":"commit","list":"l","seq":"1","edit":"\#(waiting.edit.id)","ops":["#
      + #"{"op":"insertSection","section":"items"},{"op":"deleteItem","item":"i3"}]}"#
    try repository.apply(FeedReader(file: folder.write(line + "\n", to: "feed.ndjson")))
    try #require(try list.pendingEdits().isEmpty)
    await server.release()
    _ = try await waiting.refresh.value
    #expect(try shown() == names(0..<10).filter { $0 != "i3" } + ["gap"])
    try expectSound()
  }

  /// The next page has the last word.
  @Test func whatTheServerHasAgainComesWithTheNextPage() async throws {
    let waiting = try await deleteWhileAPageComes("i3")
    try repository.accept(waiting.edit.id, of: "l")
    await server.release()
    _ = try await waiting.refresh.value
    try await list.refresh()
    try await list.refresh()
    #expect(try shown() == names(0..<10) + ["gap"])
    try expectSound()
  }

  // MARK: A reset of the feed

  /// A server that tells of which line of its feed it knew when it was asked.
  private struct NumberedLoader: PageLoader {
    let server: Page.ScriptedLoader
    let sequence: Guarded<Int?>

    func page(_ request: PageRequest) async throws -> Page {
      let sequence = sequence.withValue { $0 }
      var page = try await server.page(request)
      page.sequence = sequence
      return page
    }
  }

  @Test(arguments: [57, nil])
  func aPageFromBeforeAResetIsAskedForAgain(_ sequence: Int?) async throws {
    func apply(_ lines: String...) throws {
      try repository.apply(
        FeedReader(file: folder.write(lines.joined(separator: "\n") + "\n", to: "feed.ndjson")))
    }
    let known = Guarded(sequence)
    let list = try Repository(existing: folder.file("store.sqlite"))
      .liveList("l", pages: NumberedLoader(server: server, sequence: known))
    try apply(
      #"{"t":"snapshot","list":"l","seq":"57","sections":[{"id":"items","items":[]}]}"#)
    await server.hold()
    let refresh = Task { try await list.refresh() }
    while await server.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    try apply(
      #"{"t":"reset","list":"l"}"#,
      #"{"t":"commit","list":"l","seq":"1","ops":[{"op":"insertSection","section":"items"}]}"#,
      #"{"t":"commit","list":"l","seq":"2","ops":[{"op":"insertItem","item":"n","section":"items","#
        + #""cell":"C","content":{}}]}"#)
    await server.answerWhatIsHeld()
    while await server.requests.count < 2, !list.isIdle {
      try await Task.sleep(for: .milliseconds(1))
    }
    await server.set([Self.item("n")])
    known.withValue { $0 = sequence == nil ? nil : 2 }
    await server.release()
    _ = try await refresh.value
    #expect(try shown() == ["n"])
    try expectSound()
  }
}

extension LiveList {
  /// Whether the newest page is not under way.
  fileprivate var isIdle: Bool { if case .loading = pageState(of: nil) { false } else { true } }
}

extension Page.ScriptedLoader {
  fileprivate func answerWhatIsHeld() {
    release()
    hold()
  }
}
