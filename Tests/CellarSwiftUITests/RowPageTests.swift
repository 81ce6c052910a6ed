import CellarSwiftUI
import Foundation
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import SuiteSupport
import TestSupport
import Testing

/// Pages of a list whose rows SwiftUI shows.
@Suite(.timeLimit) @MainActor struct RowPageTests {
  private struct Book: ListItem {
    typealias Cell = Never
    var id: String
  }

  private let folder: TemporaryFolder
  private let server: Page.ScriptedLoader
  private let follower: ListFollower

  init() throws {
    folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    server = try Page.ScriptedLoader((0..<200).map { Book(id: "b\($0)") }, pageSize: 30)
    follower = ListFollower(
      repository.liveList(
        "list", items: [Book.self], pages: server,
        paging: LiveList.Paging(retrying: 100...100)),
      updateInterval: .milliseconds(1))
  }

  private func wait(until isDone: () async -> Bool) async throws {
    while await !isDone() { try await Task.sleep(for: .milliseconds(1)) }
  }

  private var rows: ListContent.Rows { follower.content.rows }

  @Test func theFirstPageComesByItselfAndTheNextOnesAsRowsAppear() async throws {
    try await wait { rows.count == 31 }
    #expect(rows[30].gap?.count == 170)
    #expect(rows[0].gap == nil && rows[0].value(as: Book.self)?.id == "b0")
    for place in 0..<4 { rows[place].didAppear() }
    #expect(await server.requests.count == 1)
    for place in 4..<7 { rows[place].didAppear() }
    try await wait { rows.count == 61 }
    // Rows that were there stay the same ones.
    #expect(await server.requests.map(\.part) == [.newest, .after])
    while let gap = rows.last, gap.gap != nil {
      let count = rows.count
      rows[count - 2].didAppear()
      try await wait { rows.count > count || rows.last?.gap == nil }
    }
    #expect(rows.map(\.id.rawValue) == (0..<200).map { "b\($0)" })
    let requests = await server.requests
    #expect(Set(requests).count == requests.count)
  }

  @Test func aGapIsAskedForFromWhereTheUserComes() async throws {
    try await wait { rows.count == 31 }
    try await follower.list.loadPage(around: "b150")
    try await wait { rows.count == 62 }
    // The user is below the gap, and goes up.
    rows[45].didAppear()
    rows[44].didAppear()
    rows[45].didDisappear()
    // What is below may be near, too, before it is known where the user goes.
    try await wait { await server.requests.contains { $0.part == .before } }
  }

  @Test func aRowSaysWhatBecomesOfItsPage() async throws {
    try await wait { rows.count == 31 }
    var drawn = 0
    follower.onPages = { _ in drawn += 1 }
    await server.hold()
    await server.failNext(with: URLError(.timedOut))
    rows[29].didAppear()
    try await wait { if case .loading = rows[30].pageState { true } else { false } }
    await server.release()
    try await wait { if case .failed = rows[30].pageState { true } else { false } }
    try await wait { drawn > 1 }
    // Nothing else has changed, and yet the row is drawn anew.
    #expect(rows[30] != rows[30] && rows[29] == rows[29])
    follower.list.retryPages()
    try await wait { rows.count == 61 }
  }

  @Test func whatIsNotInSightAnyMoreIsNotLoaded() async throws {
    try await wait { rows.count == 31 }
    await server.failNext(with: URLError(.timedOut))
    let row = rows[29]
    row.didAppear()
    try await wait { if case .failed = rows[30].pageState { true } else { false } }
    row.didDisappear()
    follower.list.retryPages()
    #expect(rows.count == 31 && follower.list.pages?.counts.loading == 0)
  }

  // MARK: A limit

  /// A follower of its own list, which `isOffline` says is offline.
  private func follow(
    _ server: Page.ScriptedLoader, limit: Page.Limit? = nil, isOffline: Bool = false
  ) throws -> ListFollower {
    let list = try Repository(at: folder.file("another.sqlite")).liveList(
      "list", items: [Book.self], pages: server,
      paging: LiveList.Paging(retrying: 0.01...0.01, limit: limit))
    list.isOffline = isOffline
    return ListFollower(list, updateInterval: .milliseconds(1))
  }

  /// As `wait(until:)`, for a row; but not without an end.
  private func row(_ id: String, of follower: ListFollower) async throws -> ListContent.Row {
    for _ in 0..<5_000 {
      if let row = follower.content.rows.first(where: { $0.id.rawValue == id }) { return row }
      try await Task.sleep(for: .milliseconds(1))
    }
    return try #require(follower.content.rows.first { $0.id.rawValue == id })
  }

  @Test func whatIsInSightStaysInAListWithALimit() async throws {
    let server = try Page.ScriptedLoader((0..<2_000).map { Book(id: "b\($0)") }, pageSize: 100)
    let follower = try follow(server, limit: .items(600))
    for end in stride(from: 99, to: 1_200, by: 100) {
      let row = try await row("b\(end)", of: follower)
      row.didAppear()
      for other in follower.content.rows where other.id != row.id { other.didDisappear() }
    }
    let requests = await server.requests
    #expect(Set(requests).count == requests.count)
    #expect(follower.content.rows.first?.gap?.offset == 0)
    #expect(follower.content.rows.count <= 702)
  }

  // MARK: The newest page

  @Test(arguments: ["items", "drafts"])
  func anItemThatComesFirstDoesNotEndTheNewestPage(_ section: SectionID) async throws {
    let server = try Page.ScriptedLoader((0..<100).map { Book(id: "b\($0)") })
    await server.hold()
    let follower = try follow(server)
    try await wait { await server.requests.count == 1 }
    try await follower.list.edit {
      try $0.insertSectionIfMissing(section)
      try $0.insert(Book(id: "own"), in: section)
    }
    _ = try await row("own", of: follower)
    await server.release()
    _ = try await row("b19", of: follower)
    #expect(await server.requests.count == 1)
  }

  @Test func theNewestPageComesAfterAnItemThatWasWrittenOffline() async throws {
    let server = try Page.ScriptedLoader((0..<100).map { Book(id: "b\($0)") })
    let follower = try follow(server, isOffline: true)
    try await follower.list.edit {
      try $0.insertSection("items")
      try $0.insert(Book(id: "own"), in: "items")
    }
    _ = try await row("own", of: follower)
    follower.list.isOffline = false
    _ = try await row("b19", of: follower)
    #expect(await server.requests.count == 1)
  }
}
