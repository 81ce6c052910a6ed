import Cellar
import FeedClient
import Foundation
import Relay
import RelayClient
import RelayEngine
import RelaySupport
import Testing

/// The server of an app, by `RelayClient`.
@Suite(.timeLimit(.minutes(5)))
struct AppServerTests {
  private let folder: URL

  init() throws { folder = try TestFolder.make() }

  private static func insertion(_ id: ItemID, at place: Place<ItemID> = .end) -> Change {
    .insertItem(Item(id: id, cell: "Book", content: .null), in: "s", at: place)
  }

  @Test(arguments: TestEngine.available)
  func listsAreWrittenReadCopiedAndDeleted(_ kind: TestEngine) async throws {
    let relay = try await TestRelay(try await kind.address(), folder: folder)
    let client = RelayClient(relay.url(""))
    #expect(try await client.tree(of: "shelf") == nil)
    let first = try await client.append(
      [.insertSection("s"), Self.insertion("emma")], to: "shelf", ifAt: .new)
    #expect(first.sequence == 1)
    let end = try #require(first.end)
    let second = try await client.append(
      [Self.insertion("persuasion", at: .before("emma"))], to: "shelf", ifAt: .end(end))
    var found = try #require(try await client.tree(of: "shelf"))
    #expect(found.end == second.end)
    #expect(found.tree.sections[0].items.map(\.id) == ["persuasion", "emma"])

    let conflict = await #expect(throws: RelayClient.Conflict.self) {
      try await client.append([Self.insertion("ivanhoe")], to: "shelf", ifAt: .end(end))
    }
    #expect(conflict?.end == second.end)
    let refusal = await #expect(throws: RelayClient.Refusal.self) {
      try await client.append([.deleteItem("ivanhoe")], to: "shelf")
    }
    #expect(refusal?.why.contains("ivanhoe") == true)

    found.tree.sections[0].items.removeLast()
    let replaced = try await client.replace(with: found.tree, ifAt: .end(found.end))
    #expect(replaced.sequence == 3)
    #expect(try await client.replace(with: found.tree) == replaced)
    #expect(try await client.copy("shelf", to: "a list/of \"others\"").sequence == 1)
    let error = await #expect(throws: StoreError.self) { try await client.copy("no", to: "x") }
    #expect(error?.code == .listNotFound)

    var lists: [ListID] = []
    for try await list in client.lists() { lists.append(list.id) }
    #expect(lists == ["a list/of \"others\"", "shelf"])
    let stale = try await relay.send(
      "DELETE", "/list?list=shelf", headers: ["If-Match": "\"\(end)\""])
    #expect(stale.status == 412)
    let copy = "/copy?from=a%20list%2Fof%20%22others%22&to=shelf"
    let other = try await relay.send("POST", copy, "", headers: ["If-None-Match": "*"])
    #expect(other.status == 412)
    // An ETag that was made a weak one on its way.
    let now = try #require(stale.headers["etag"])
    let meta = try await relay.send(
      "POST", "/append", #"{"list":"shelf","ops":[{"op":"updateList","meta":1}]}"#,
      headers: ["If-Match": "W/\(now)"])
    #expect(meta.status == 200)
    #expect(try await client.delete("shelf"))
    #expect(try await client.delete("shelf") == false)
    #expect(try await client.tree(of: "a list/of \"others\"")?.tree.itemCounts == [1])
    try await relay.stop()
  }

  /// Sent again, it meets the line that it became itself.
  @Test(arguments: TestEngine.available)
  func aCommitForACertainEndIsMadeOnceHoweverOftenItIsSent(_ kind: TestEngine) async throws {
    let relay = try await TestRelay(try await kind.address(), folder: folder)
    let client = RelayClient(relay.url(""))
    let end = try #require(
      try await client.append([.insertSection("s")], to: "shelf", ifAt: .new).end)
    for _ in 0..<3 {
      let written = try await client.append(
        [Self.insertion("emma")], to: "shelf", id: "order-1", ifAt: .end(end))
      #expect(written.sequence == 2)
    }
    await #expect(throws: RelayClient.Conflict.self) {
      try await client.append([Self.insertion("x")], to: "shelf", id: "order-2", ifAt: .end(end))
    }
    // Under the same id, with where the list is now.
    let now = try #require(try await client.tree(of: "shelf")?.end)
    #expect(
      try await client.append([Self.insertion("x")], to: "shelf", id: "order-2", ifAt: .end(now))
        .sequence == 3)
    try await relay.stop()
  }

  /// A node that has not yet heard what another one has written must not call that a conflict.
  @Test(.enabled(if: TestPostgres.isInstalled, "PostgreSQL is not installed"))
  func theEndThatOneNodeSaysIsKnownAtAnother() async throws {
    let address = try await TestEngine.postgres.address()
    let one = try await TestRelay(address)
    let other = try await TestRelay(address)
    let clients = [RelayClient(one.url("")), RelayClient(other.url(""))]
    var end = try #require(
      try await clients[0].append([.insertSection("s")], to: "shelf", ifAt: .new).end)
    for round in 1...40 {
      end = try #require(
        try await clients[round % 2].append(
          [Self.insertion(try ItemID("b\(round)"))], to: "shelf", ifAt: .end(end)
        ).end)
    }
    #expect(try await clients[0].tree(of: "shelf")?.tree.itemCounts == [40])
    try await one.stop()
    try await other.stop()
  }

  @Test(arguments: TestEngine.available)
  func manyCommitsHaveAnAnswerEach(_ kind: TestEngine) async throws {
    let relay = try await TestRelay(try await kind.address(), folder: folder)
    let client = RelayClient(relay.url(""))
    let since = try await client.moved(since: nil).cursor
    var commits: [RelayClient.Commit] = []
    for list in ["a", "b"] as [ListID] { commits.append(.init(to: list, [.insertSection("s")])) }
    for number in 0..<500 {
      // Each tenth one is there already.
      let id = try ItemID("i\(number % 10 == 9 ? number - 2 : number)")
      commits.append(.init(to: number % 2 == 0 ? "a" : "b", [Self.insertion(id)]))
    }
    let outcomes = try await client.append(commits)
    #expect(outcomes.count == commits.count)
    let refused = outcomes.filter { if case .failure = $0 { true } else { false } }
    #expect(refused.count == 50)
    #expect(try await client.tree(of: "a")?.tree.itemCounts == [250])
    #expect(try await client.tree(of: "b")?.tree.itemCounts == [200])
    // All at once, once more: what was made has its line already.
    let again = try await client.append(commits)
    #expect(
      zip(outcomes, again).allSatisfy { (try? $0.get().sequence) == (try? $1.get().sequence) })
    let moved = try await client.moved(since: since, wait: .seconds(5))
    #expect(moved.lists == ["a", "b"])
    try await relay.stop()
  }

  /// A node that has not heard yet that a list was deleted and made anew.
  @Test(.enabled(if: TestPostgres.isInstalled, "PostgreSQL is not installed"))
  func aListThatIsMadeAnewIsTheNewOneAtEachNode() async throws {
    let address = try await TestEngine.postgres.address()
    let one = try await TestRelay(address)
    let late = try await TestRelay(address) { $0.lookEvery = 600_000 }
    let clients = [RelayClient(one.url("")), RelayClient(late.url(""))]
    for (number, name) in ["old", "new"].enumerated() {
      if number > 0 { #expect(try await clients[0].delete("shelf")) }
      try await clients[0].append(
        [.insertSection("s"), Self.insertion(try ItemID(name))], to: "shelf", ifAt: .new)
      let found = try #require(try await clients[1].tree(of: "shelf")).tree
      #expect(found.sections[0].items.map(\.id.rawValue) == [name])
    }
    let refusal = await #expect(throws: RelayClient.Refusal.self) {
      try await clients[1].append([.deleteItem("old")], to: "shelf")
    }
    #expect(refusal != nil)
    try await one.stop()
    try await late.stop()
    let engine = try await RelayConfiguration(engine: address).openEngine()
    let problems = Problems()
    _ = try await LogCheck(engine).run { problems.add($0) }
    #expect(problems.all == [])
    await engine.close()
  }

  @Test func aWorkerHearsWhatMovesAndADeviceShowsIt() async throws {
    let relay = try await TestRelay(try await TestEngine.sqlite.address(), folder: folder)
    let client = RelayClient(relay.url(""))
    let cursor = try await client.moved(since: nil).cursor
    let worker = Task {
      for try await moved in client.moves(since: cursor) { return moved.lists }
      return []
    }
    let device = try TestDevice(relay.feed, list: "shelf", in: folder)
    try await client.append([.insertSection("s"), Self.insertion("emma")], to: "shelf")
    #expect(try await worker.value == ["shelf"])
    #expect(try await device.waits { $0.itemCounts == [1] })
    await device.stop()
    try await relay.stop()
  }

  @Test func aTokenThatIsRevokedIsOut() async throws {
    let tokens = try TestTokens()
    let relay = try await tokens.relay()
    let token = try await tokens.token("shop", ["*": .own], id: "t1")
    let client = RelayClient(relay.url("")) { _ in ["Authorization": "Bearer \(token)"] }
    try await client.append([.insertSection("s")], to: "shelf")
    let other = try await tokens.token("admin", ["*": .own], id: "t2")
    try await RelayClient(relay.url("")) { _ in ["Authorization": "Bearer \(other)"] }
      .revoke("t1", until: Date(timeIntervalSinceNow: 3_600))
    try await Task.sleep(for: .seconds(1.5))
    let error = await #expect(throws: StoreError.self) {
      try await client.append([.insertSection("t")], to: "shelf")
    }
    #expect(error?.code == .feedRefused)
    try await relay.stop()
  }
}
