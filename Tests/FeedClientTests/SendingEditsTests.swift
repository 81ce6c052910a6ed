import FeedClient
import Foundation
import ListModel
import ListStore
import ListSync
import StoreFiles
import SuiteSupport
import TestSupport
import Testing

/// What a client sends of the outbox, and what it does with each kind of answer.
@Suite(.timeLimit) struct SendingEditsTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let clock = VirtualClock()
  private var list: LiveList { repository.liveList("l") }

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try list.edit { _ = try $0.insertSection("s") }
  }

  /// Sends until no edit waits.
  private func send(
    _ list: LiveList? = nil, by client: FeedClient, as feedList: ListID? = nil,
    progress: @escaping @Sendable (FeedClient.State) -> Void = { _ in }
  ) async throws {
    let list = list ?? self.list
    let sending = Task<Void, any Error> {
      try await client.sendPendingEdits(of: list, as: feedList) { state in
        progress(state)
        if case .upToDate = state { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    try await sending.value
  }

  @discardableResult
  private func insert(_ id: ItemID, content: JSON = .null) throws -> String {
    let edit = try list.editPending(by: "mary") { list in
      try list.insert(Item(id: id, cell: "C", content: content), in: "s")
    }
    return try #require(edit.edit).id
  }

  private func states() throws -> [Repository.PendingEdit.State] {
    try list.pendingEdits().map(\.state)
  }

  /// Accepts each edit, after the given answers.
  private func server(after answers: FeedClient.Response...) -> ScriptedTransport {
    ScriptedTransport { request, number in
      number < answers.count ? answers[number] : .answer(200, to: request)
    }
  }

  // MARK: Requests

  @Test func anEditIsPostedToTheFeedsAddress() async throws {
    let edit = try insert("a", content: try JSON(parsing: "{\"n\":1.50}"))
    let time = try #require(try list.pendingEdits().first?.time)
    let transport = server()
    try await send(by: try clock.client(transport) { _ in ["Authorization": "Bearer x"] }, as: "/7")
    let request = try #require(transport.requests.first)
    #expect(request.method == "POST")
    #expect(request.url.absoluteString == "https://feeds.example/l?key=7")
    #expect(request.headers["Authorization"] == "Bearer x")
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(!request.isCacheable)
    #expect(
      request.text == """
        {"list":"/7","at":\(time),"by":"mary","edit":"\(edit)","ops":[{"op":"insertItem",\
        "item":"a","section":"s","cell":"C","content":{"n":1.50},"was":0}]}
        """)
    #expect(try states() == [.accepted])
  }

  @Test func editsGoInTheirOrderAndOnlyOnce() async throws {
    let edits = [try insert("a"), try insert("b")]
    let transport = server()
    try await send(by: try clock.client(transport))
    let later = try insert("c")
    try await send(by: try clock.client(transport))
    #expect(transport.edits == edits + [later])
    #expect(try states() == [.accepted, .accepted, .accepted])
  }

  @Test func editsThatComeLaterAreSentToo() async throws {
    let transport = server()
    let client = try clock.client(transport)
    let sending = Task<Void, any Error> { [list] in try await client.sendPendingEdits(of: list) }
    let edit = try insert("a")
    while try states() != [.accepted] { try await Task.sleep(nanoseconds: 500_000) }
    sending.cancel()
    try await sending.value
    #expect(transport.edits == [edit])
  }

  @Test func anEditThatNoFeedCanHaveIsRejected() async throws {
    try insert("a", content: try JSON(parsing: "\"\(String(repeating: "x", count: 1_000))\""))
    let next = try insert("b")
    let transport = server()
    var client = try clock.client(transport)
    #expect(client.longestEdit == 16 << 20)
    client.longestEdit = 1_000
    try await send(by: client)
    #expect(transport.edits == [next])
    guard case .rejected(let why?) = try states()[0] else {
      Issue.record("\(try states()[0])")
      return
    }
    #expect(why.hasSuffix("a line of a feed has at most 1000"))
  }

  @Test func anEditThatNoLineCanHoldIsRejectedAndTheNextIsSent() async throws {
    let deepest = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    _ = try await list.editPending { try $0.setMeta(JSON(stringLiteral: deepest)) }
    let next = try insert("b")
    let transport = server()
    try await send(by: try clock.client(transport))
    #expect(transport.edits == [next])
    guard case .rejected(let why?) = try states()[0] else {
      Issue.record("\(try states()[0])")
      return
    }
    #expect(why == "the edit nests 35 levels deep, and a line of a feed has at most 32")
  }

  // MARK: Refusals of an edit

  @Test(arguments: [400, 403, 404, 409, 410, 422])
  func anEditIsRefusedByAnAnswerThatNamesIt(_ status: Int) async throws {
    try insert("a")
    let next = try insert("b")
    let transport = ScriptedTransport { request, number in
      number == 0
        ? .answer(status, to: request, ",\"why\":\"\(String(repeating: "é", count: 2_000))\"")
        : .answer(200, to: request)
    }
    try await send(by: try clock.client(transport))
    let why = String(repeating: "é", count: 1_000)
    #expect(try states() == [.rejected(why: why), .accepted])
    #expect(transport.edits.last == next)
    #expect(transport.edits.count == 2)
    #expect(try repository.tree(of: "l").sections[0].items.map(\.id) == ["b"])
  }

  @Test func aRefusalNeedsNoReason() async throws {
    try insert("a")
    try await send(
      by: try clock.client(ScriptedTransport { request, _ in .answer(422, to: request) }))
    #expect(try states() == [.rejected(why: nil)])
  }

  // MARK: Other attempts

  @Test(arguments: [408, 421, 425, 429, 500, 502, 503, 504])
  func whatMayGoBetterLaterIsSentAgainUnderTheSameID(_ status: Int) async throws {
    let edit = try insert("a")
    // Also where the answer names the edit.
    let transport = ScriptedTransport { request, number in
      switch number {
      case 0: .init(status, [:])
      case 1: .answer(status, to: request)
      default: .answer(201, to: request)
      }
    }
    try await send(by: try clock.client(transport))
    #expect(transport.edits == [edit, edit, edit])
    #expect(try states() == [.accepted])
    #expect(clock.pauses == [.milliseconds(500), .seconds(1)])
  }

  @Test func pausesDoubleWithJitterAndAnAnswerSetsThemBack() async throws {
    try insert("a")
    try insert("b")
    let transport = ScriptedTransport { request, number in
      if number < 9 || number == 10 { throw CutConnection() }
      return .answer(200, to: request)
    }
    try await send(by: try clock.client(transport, random: 0.5))
    let pauses = [0.375, 0.75, 1.5, 3, 6, 12, 24, 45, 45, 0.375]
    #expect(clock.pauses == pauses.map { .milliseconds(Int($0 * 1000)) })
  }

  @Test func theServerMayAskForALongerPause() async throws {
    try insert("a")
    let transport = server(
      after: .init(429, ["Retry-After": "120"]), .init(503, ["Retry-After": "100000"]))
    let states = Guarded<[String]>([])
    try await send(by: try clock.client(transport)) { state in
      states.withValue { $0.append("\(state)".prefix { $0 != "(" }.description) }
    }
    #expect(clock.pauses == [.seconds(120), .seconds(3_600)])
    #expect(
      states.withValue { $0 } == [
        "connecting", "waiting", "connecting", "waiting", "connecting", "upToDate",
      ])
  }

  @Test(arguments: [
    "", "<html>Sign in</html>", "{}", "{\"edit\":7}", "{\"edit\":\"0b5f\"}", "[\"edit\"]",
  ])
  func anAnswerThatDoesNotNameTheEditDoesNotCount(_ body: String) async throws {
    let edit = try insert("a")
    let reasons = Guarded<[StoreError]>([])
    let transport = server(
      after: .init(200, ["Content-Type": "text/html"], parts: [Data(body.utf8)]),
      .init(409, [:], parts: [Data("{\"edit\":\"0b5f\",\"why\":\"other\"}".utf8)]))
    try await send(by: try clock.client(transport)) { state in
      if case .waiting(_, let error as StoreError) = state {
        reasons.withValue { $0.append(error) }
      }
    }
    #expect(transport.edits == [edit, edit, edit])
    #expect(try states() == [.accepted])
    #expect(reasons.withValue { $0.map(\.code) } == [.feedUnavailable, .feedUnavailable])
    #expect(reasons.withValue { $0.allSatisfy { $0.message.contains(edit) } })
  }

  @Test func anAnswerThatIsCutOrEndlessDoesNotCount() async throws {
    let edit = try insert("a")
    let spaces = Data(repeating: UInt8(ascii: " "), count: 1 << 10)
    let endless = FeedClient.Response(parts: Array(repeating: spaces, count: 1_000))
    let transport = ScriptedTransport { request, number in
      switch number {
      case 0:
        let whole = Data("{\"edit\":\"\(request.edit)\"}".utf8)
        return .init(parts: [whole], isCut: true)
      case 1: return endless
      default: return .answer(200, to: request)
      }
    }
    try await send(by: try clock.client(transport))
    #expect(transport.edits == [edit, edit, edit])
    #expect(try await endless.body.next() != nil, "the rest is not read")
  }

  @Test func anEditThatTheFeedBringsMeanwhileIsNotSentAgain() async throws {
    try insert("a")
    let next = try insert("b")
    let line = try list.pendingEdits()[0].feedLine(sequence: 1)
    let transport = ScriptedTransport { [list] request, number in
      guard number == 0 else { return .answer(200, to: request) }
      // The server has the edit, but its answer is lost.
      try await list.follow(
        AsyncStream { continuation in
          continuation.yield(line)
          continuation.finish()
        })
      throw CutConnection()
    }
    try await send(by: try clock.client(transport))
    #expect(transport.edits.count == 2)
    #expect(transport.edits.last == next)
    #expect(try list.pendingEdits().map(\.id) == [next])
  }

  @Test func anAnswerThatComesWhileTheStoreIsLockedIsAskedForAgain() async throws {
    let edit = try insert("a")
    var options = Repository.Options()
    options.busyTimeout = 0.05
    let file = folder.file("store.sqlite")
    let list = try Repository(at: file, options: options).liveList("l")
    let (locked, lock) = AsyncStream<Void>.makeStream()
    let unlock = DispatchSemaphore(value: 0)
    defer { unlock.signal() }
    let transport = ScriptedTransport { request, number in
      if number == 0 {
        let other = try Repository(at: file)
        Thread.detachNewThread {
          _ = try? other.edit("l") { _ in
            lock.yield()
            unlock.wait()
          }
        }
        for await _ in locked { break }
      }
      return .answer(200, to: request)
    }
    try await send(list, by: try clock.client(transport)) { state in
      if case .waiting(_, let error as StoreError) = state, error.code == .busy { unlock.signal() }
    }
    #expect(transport.edits.count >= 2)
    #expect(Set(transport.edits) == [edit])
    #expect(try states() == [.accepted])
  }

  // MARK: Errors

  @Test(arguments: [302, 400, 403, 404, 405, 409, 413])
  func anAnswerThatRefusesMoreThanTheEditEndsIt(_ status: Int) async throws {
    let edit = try insert("a")
    let transport = ScriptedTransport { _, _ in
      .init(status, [:], parts: [Data("{\"error\":\"no\"}".utf8)])
    }
    let error = await #expect(throws: StoreError.self) {
      try await send(by: try clock.client(transport))
    }
    #expect(error?.code == .feedRefused)
    #expect(error?.file == "https://feeds.example/l", "the query may hold a secret")
    #expect(error?.message.contains("\(status)") == true)
    #expect(error?.message.contains(edit) == true)
    #expect(transport.requests.count == 1)
    #expect(try states() == [.waiting], "the next call sends it")
    try await send(by: try clock.client(server()))
    #expect(try states() == [.accepted])
  }

  /// A proxy has lost the end of a refusal.
  @Test(arguments: [200, 400, 409, 413])
  func anAnswerThatBreaksOffIsAskedForAgain(_ status: Int) async throws {
    let edit = try insert("a")
    let part = Data("{\"edit\":\"\(edit)\",\"why\":\"no".utf8)
    let transport = server(
      after: .init(status, [:], parts: [part]), .init(status, [:], parts: [part]))
    try await send(by: try clock.client(transport))
    #expect(transport.edits == [edit, edit, edit])
    #expect(try states() == [.accepted])
  }

  @Test func expiredCredentialsAreAskedForOnceMore() async throws {
    try insert("a")
    let refusals = Guarded<[Bool]>([])
    let transport = ScriptedTransport { request, _ in
      request.headers["Authorization"] == "new" ? .answer(200, to: request) : .init(401, [:])
    }
    let client = try clock.client(transport) { wereRefused in
      refusals.withValue { $0.append(wereRefused) }
      return ["Authorization": wereRefused ? "new" : "old"]
    }
    try await send(by: client)
    #expect(refusals.withValue { $0 } == [false, true])
    #expect(try states() == [.accepted])
    #expect(clock.pauses == [])

    try insert("b")
    let refusing = ScriptedTransport { _, _ in .init(401, [:]) }
    let error = await #expect(throws: StoreError.self) {
      try await send(by: try clock.client(refusing))
    }
    #expect(error?.code == .feedRefused)
    #expect(refusing.requests.count == 2)
    #expect(try states() == [.accepted, .waiting])
  }

  @Test func anErrorOfTheHeadersEndsIt() async throws {
    try insert("a")
    let transport = server()
    await #expect(throws: CutConnection.self) {
      try await send(by: try clock.client(transport) { _ in throw CutConnection() })
    }
    #expect(transport.requests.isEmpty)
    #expect(try states() == [.waiting])
  }

  @Test func cancellingEndsTheRequest() async throws {
    try insert("a")
    let (started, start) = AsyncStream<Void>.makeStream()
    let transport = ScriptedTransport { _, _ in
      start.yield()
      try await Task.sleep(for: .seconds(600))
      return .init(200, [:])
    }
    let client = try clock.client(transport)
    let states = Guarded<[String]>([])
    let sending = Task<Void, any Error> { [list] in
      try await client.sendPendingEdits(of: list) { state in
        states.withValue { $0.append("\(state)") }
      }
    }
    for await _ in started { break }
    sending.cancel()
    try await sending.value
    #expect(states.withValue { $0 } == ["connecting"])
    #expect(try self.states() == [.waiting])
  }

  @Test(arguments: [
    (#","seq":"4""#, true), (#","seq":"5","why":null"#, false), (#","seq":null"#, false),
    (#","seq":4"#, false), (#","seq":"many""#, false),
  ]) func anEditOfALineThatASnapshotStandsForWaitsNoMore(
    _ members: String, endsWaiting: Bool
  ) async throws {
    try await list.follow(
      AsyncStream { continuation in
        continuation.yield(
          #"{"t":"snapshot","list":"l","seq":"4","sections":[{"id":"s","items":[]}]}"#)
        continuation.finish()
      })
    try insert("a")
    let transport = ScriptedTransport { request, _ in .answer(200, to: request, members) }
    try await send(by: try clock.client(transport))
    #expect(try states() == (endsWaiting ? [] : [.accepted]))
    #expect(transport.edits.count == 1)
  }

  // MARK: Both ways

  @Test func theFeedBringsWhatWasSent() async throws {
    let server = Guarded(
      try EditServer(list: "shelf", in: Repository(at: folder.file("server.sqlite"))))
    try server.withValue { try $0.commit("\(section()),\(item("x"))") }
    let transport = ScriptedTransport { request, _ in
      try await Task.sleep(for: .milliseconds(1))
      guard let body = request.body else {
        let query = FeedServer.Query(request.url)
        return .lines(
          server.withValue { $0.feed.answer(to: query) }, after: query.feedAfter)
      }
      return try server.withValue { .answer(try $0.take(body)) }
    }
    let shelf = repository.liveList("shelf")
    var outcomes = shelf.editOutcomes().makeAsyncIterator()
    var client = FeedClient(
      try #require(URL(string: "https://feeds.example/shelf")), transport: transport)
    client.pollInterval = .milliseconds(1)
    let following = Task { [client] in try await client.follow(shelf) }
    let sending = Task<Void, any Error> { [client] in
      try await client.sendPendingEdits(of: shelf)
    }
    while try !repository.lists().contains("shelf") { try await Task.sleep(nanoseconds: 500_000) }
    let edit = try await shelf.editPending {
      try $0.insert(Item(id: "y", cell: "C", content: .null), in: "s")
    }
    try await shelf.editPending { try $0.delete("x") }
    let outcome = await outcomes.next()
    guard case .acknowledged = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(outcome?.edit.id == edit.edit?.id)
    while try !shelf.pendingEdits().isEmpty { try await Task.sleep(nanoseconds: 500_000) }
    following.cancel()
    sending.cancel()
    _ = try await following.value
    #expect(try repository.tree(of: "shelf").sections[0].items.map(\.id) == ["y"])
    #expect(server.withValue { $0.feed.lines.count } == 3)
  }
}
