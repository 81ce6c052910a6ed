import FeedClient
import Foundation
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// A feed about several lists changes none that another feed fills.
@Suite struct ListOfAnotherFeedTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let clock = VirtualClock()

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func client(_ host: String, _ lines: FeedServer.Line...) throws -> (
    FeedClient, ScriptedTransport
  ) {
    let transport = ScriptedTransport { request, _ in
      let query = FeedServer.Query(request.url)
      return .lines(FeedServer(lines: lines).answer(to: query), after: query.feedAfter)
    }
    var client = FeedClient(
      try #require(URL(string: "https://\(host).example/feed?key=7")), transport: transport)
    client.pace = clock.pace()
    return (client, transport)
  }

  private func ids(_ list: ListID, in repository: Repository? = nil) throws -> [String] {
    try (repository ?? self.repository).tree(of: list).sections.flatMap {
      $0.items.map(\.id.rawValue)
    }
  }

  private func failure(_ body: () async throws -> Void) async -> StoreError? {
    await #expect(throws: StoreError.self) { try await body() }
  }

  private let mail = FeedServer.Line.commit(1, section(), item("letter"), list: "inbox")
  private let news = FeedServer.Line.commit(1, section(), item("story"), list: "news")

  @Test func aResetOfAListOfAnotherFeedIsRefused() async throws {
    let (own, _) = try client("mail", mail)
    try await own.catchUp(repository.liveList("inbox"))
    let (other, transport) = try client("news", news, .reset(list: "inbox"))
    let error = await failure { try await other.catchUp(repository) }
    #expect(error?.code == .listOfAnotherFeed)
    #expect(error?.message.contains("\"inbox\"") == true)
    #expect(error?.message.contains("https://mail.example/feed") == true)
    #expect(error?.message.contains("https://news.example/feed") == true)
    #expect(error?.description.contains("key") == false)
    #expect(transport.requests.count == 1, "asking again would not help")
    #expect(try ids("inbox") == ["letter"])
    #expect(try ids("news") == ["story"])

    // Another launch knows only what the store has.
    let later = try Repository(existing: folder.file("store.sqlite"))
    let again = await failure { try await other.catchUp(later) }
    #expect(again?.code == .listOfAnotherFeed)
    #expect(again?.message.contains("SHA-256") == true)
    #expect(try ids("inbox", in: later) == ["letter"])
    // It is asked only about its own list.
    #expect(transport.requests.last?.url.query?.contains("inbox") == false)
    #expect(transport.requests.last?.url.query?.contains("news") == true)
    try await own.catchUp(later.liveList("inbox"))
    #expect(try later.checkInvariants().isEmpty)
  }

  @Test(arguments: [
    "{\"t\":\"reset\",\"list\":\"inbox\"}",
    "{\"t\":\"snapshot\",\"list\":\"inbox\",\"seq\":\"9\",\"sections\":[]}",
    "{\"t\":\"commit\",\"list\":\"inbox\",\"seq\":\"2\",\"ops\":[{\"op\":\"deleteItem\",\"item\":\"letter\"}]}",
    "{\"t\":\"commit\",\"list\":\"inbox\",\"seq\":\"1\",\"ops\":[]}",
    "{\"t\":\"reject\",\"list\":\"inbox\",\"edit\":\"EDIT\"}",
  ])
  func noLineOfAnyKindChangesIt(_ line: String) async throws {
    let (own, _) = try client("mail", mail)
    try await own.catchUp(repository)
    let inbox = repository.liveList("inbox")
    let edit = try await inbox.editPending { try $0.insertSection("mine") }.edit
    let line = line.replacingOccurrences(of: "EDIT", with: edit?.id ?? "")
    let before = try repository.tree(of: "inbox")
    let lines = AsyncStream { continuation in
      continuation.yield(line)
      continuation.finish()
    }
    let file = try folder.write(line + "\n", to: "feed.ndjson")
    let server = FeedServer.Line(list: "inbox", sequence: 0, text: line)
    for call in [
      { try self.repository.apply(FeedReader(file: file)) },
      { _ = try await self.repository.apply(lines, named: "another") },
      { _ = try await self.client("news", server).0.follow(self.repository) },
    ] as [() async throws -> Void] {
      #expect(await failure { try await call() }?.code == .listOfAnotherFeed)
    }
    #expect(try repository.tree(of: "inbox") == before)
    #expect(try inbox.pendingEdits().count == 1)
  }

  @Test func namedListsAreTakenOverAndOthersSkipped() async throws {
    let (own, _) = try client("mail", mail)
    try await own.catchUp(repository)
    let (other, transport) = try client("news", news, .reset(list: "inbox"))
    let report = try await other.catchUp(repository, lists: .only(["news"]))
    #expect(report.applied == 1)
    #expect(try ids("inbox") == ["letter"])
    try await other.catchUp(repository, lists: .only(["inbox"]))
    #expect(transport.requests.last?.url.query?.contains("news") == false)
    #expect(try ids("inbox") == [])
    // It belongs to that one now.
    #expect(await failure { try await own.catchUp(repository) }?.code == .listOfAnotherFeed)
    try await own.catchUp(repository, lists: .all)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func aListThatNoFeedOrOneWithoutANameFillsIsFree() async throws {
    try repository.commit([.insertSection("app")], to: "news")
    let file = try folder.write(mail.text + "\n", to: "seed.ndjson")
    try repository.apply(FeedReader(file: file))
    // Parts of one feed come in several files.
    let part = try folder.write(
      FeedServer.Line.commit(2, item("parcel"), list: "inbox").text + "\n", to: "part.ndjson")
    try repository.apply(FeedReader(file: part))
    let (client, _) = try client(
      "all", mail, .commit(2, item("parcel"), list: "inbox"),
      .commit(3, item("card"), list: "inbox"))
    #expect(try await client.catchUp(repository).applied == 1)
    #expect(try ids("inbox") == ["letter", "parcel", "card"])
    #expect(throws: StoreError.self) { try repository.apply(FeedReader(file: file)) }
    #expect(try repository.apply(FeedReader(file: file), lists: .all).applied == 0)
  }

  /// A list that is deleted belongs to nobody.
  @Test func aListMadeAnewIsFree() async throws {
    try await client("mail", mail).0.catchUp(repository)
    try repository.deleteList("inbox")
    try await client("news", mail).0.catchUp(repository)
    #expect(try ids("inbox") == ["letter"])
  }
}
