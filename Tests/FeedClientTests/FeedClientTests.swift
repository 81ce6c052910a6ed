import FeedClient
import Foundation
import ListModel
import ListStore
import ListSync
import StoreFiles
import TestSupport
import Testing

/// What a client asks, and what it does with each kind of answer.
@Suite struct FeedClientTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let clock = VirtualClock()
  private var list: LiveList { repository.liveList("l") }

  private let first = FeedServer.Line.commit(1, section(), item("a"))
  private let second = FeedServer.Line.commit(2, item("b"))
  private let third = FeedServer.Line.commit(3, item("c"))

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func ids() throws -> [String] {
    try repository.tree(of: "l").sections.flatMap { $0.items.map(\.id.rawValue) }
  }

  /// Answers with what follows the question's position, after the given answers.
  private func server(
    _ lines: FeedServer.Line..., after answers: FeedClient.Response...
  ) -> ScriptedTransport {
    ScriptedTransport { request, number in
      if number < answers.count { return answers[number] }
      let query = FeedServer.Query(request.url)
      return .lines(FeedServer(lines: lines).answer(to: query), after: query.feedAfter)
    }
  }

  // MARK: Questions

  @Test func itAsksForTheLinesAfterTheStoredOne() async throws {
    let transport = server(first, second)
    let report = try await clock.client(transport).catchUp(list)
    #expect(report.applied == 2)
    #expect(try ids() == ["a", "b"])
    try await clock.client(transport).catchUp(list)
    #expect(transport.queries == ["key=7&list=l", "key=7&list=l&after=\(second.position)"])
    #expect(transport.requests[0].headers["Accept"] == "application/x-ndjson")
    // The server may send gaps.
    #expect(transport.requests[0].headers["Feed-Gaps"] == "1")
  }

  @Test func aStoreAsksForAllListsAtOnce() async throws {
    let other = FeedServer.Line.commit(1, section(), list: "b &,:é")
    let transport = server(first, other, second)
    try await clock.client(transport).catchUp(repository)
    #expect(try repository.lists() == ["b &,:é", "l"])
    try await clock.client(transport).catchUp(repository)
    #expect(
      transport.queries.last
        == "key=7&after=\(other.position):b%20%26%2C%3A%C3%A9&after=\(second.position):l")
    #expect(try repository.revision(of: "l") == 2)
  }

  @Test func aListMayHaveAnotherNameInTheFeed() async throws {
    let transport = server(.commit(1, section(), item("a"), list: "/7"))
    try await clock.client(transport).catchUp(list, as: "/7")
    #expect(try ids() == ["a"])
    #expect(transport.queries == ["key=7&list=%2F7"])
  }

  @Test func aServerThatIsUpToDateMayWaitForTheNextLine() async throws {
    let transport = ScriptedTransport { [first, second] request, number in
      switch number {
      case 0: return .lines([first])
      case 1: return .init(204, [:])
      case 2: return .lines([second])
      default:
        withUnsafeCurrentTask { $0?.cancel() }
        throw CancellationError()
      }
    }
    let client = try clock.client(transport)
    let report = try await Task { [list] in try await client.follow(list) }.value
    #expect(report.applied == 2)
    #expect(!transport.queries[0].contains("wait"))
    #expect(transport.queries[1].hasSuffix("&wait=25"))
    #expect(transport.requests[1].headers["Accept"] == "text/event-stream, application/x-ndjson")
    // It said at once that there is nothing.
    #expect(clock.pauses == [.seconds(5)])
  }

  /// It says nothing of whether it would have waited; a change that comes now is not five seconds late.
  @Test(arguments: [false, true])
  func aServerThatWasNotToWaitIsAskedAgainAtOnce(_ afterSnapshot: Bool) async throws {
    try await clock.client(server(first)).catchUp(list)
    let snapshot = FeedServer.Line.snapshot(2, ["a", "b"])
    let answers: [FeedClient.Response] =
      afterSnapshot
      ? [.init(410, [:]), .lines([snapshot]), .init(204, [:])] : [.init(204, [:])]
    let transport = ScriptedTransport { [third] request, number in
      if number < answers.count { return answers[number] }
      if number == answers.count { return .lines([third]) }
      withUnsafeCurrentTask { $0?.cancel() }
      throw CancellationError()
    }
    let client = try clock.client(transport)
    if !afterSnapshot { try await clock.client(server(first, second)).catchUp(list) }
    let report = try await Task { [list] in try await client.follow(list) }.value
    #expect(report.applied == (afterSnapshot ? 2 : 1))
    #expect(!transport.queries[answers.count - 1].contains("wait"))
    #expect(transport.queries[answers.count].hasSuffix("&wait=25"))
    #expect(clock.pauses == [])
  }

  // MARK: Answers

  @Test func anEventStreamIsAppliedAsItComes() async throws {
    let text = """
      retry: 10\r
      : hello\r
      id: 1\r
      data:\(first.text)\r
      \r
      data: \(second.text)

      event: note
      dat: no
      data : no
      data

      : ping

      """
    let states = Guarded<[String]>([])
    let transport = ScriptedTransport { _, number in
      guard number == 0 else {
        withUnsafeCurrentTask { $0?.cancel() }
        throw CutConnection()
      }
      let parts = text.utf8.map { Data([$0]) }
      return .init(200, ["Content-Type": "text/event-stream;charset=utf-8"], parts: parts)
    }
    let client = try clock.client(transport)
    let following = Task { [list] in
      try await client.follow(list) { state in
        states.withValue { $0.append("\(state)".prefix { $0 != "(" }.description) }
      }
    }
    #expect(try await following.value.applied == 2)
    #expect(try ids() == ["a", "b"])
    let told = states.withValue { $0.prefix(6) }
    #expect(
      told
        == ["connecting", "upToDate", "receiving", "receiving", "upToDate", "upToDate"])
  }

  @Test(arguments: ["\r", "\n", "\r\n"], [1, 7, 1_000])
  func linesOfAnEventStreamEndAsTheServerLikes(_ end: String, _ partSize: Int) async throws {
    let lines = [
      "id: 1", "data: \(first.text)", "", "data: \(second.text)", "", "data", "retry: 1", "data:",
      "data: \(third.text)", "",
    ]
    let bytes = Array(lines.joined(separator: end).utf8)
    let parts = stride(from: 0, to: bytes.count, by: partSize).map {
      Data(bytes[$0..<min($0 + partSize, bytes.count)])
    }
    let transport = server(
      first, second, third, after: .init(200, ["Content-Type": "text/event-stream"], parts: parts))
    let report = try await clock.client(transport).catchUp(list)
    #expect(report.applied == 3)
    #expect(transport.requests.count == 1)
    #expect(try ids() == ["a", "b", "c"])
  }

  @Test func aBrokenConnectionGoesOnAfterTheLastWholeLine() async throws {
    let half = Data((first.text + "\n" + second.text).utf8)
    let transport = server(first, second, third, after: .init(parts: [half], isCut: true))
    let report = try await clock.client(transport).catchUp(list)
    #expect(report.applied == 3)
    #expect(report.lists["l"]?.skipped ?? 0 == 0)
    #expect(transport.queries[1].hasSuffix("after=\(first.position)"))
  }

  @Test func pausesDoubleUpToTheLongest() async throws {
    let transport = ScriptedTransport { [first] _, number in
      if number < 9 { throw CutConnection() }
      return .lines([first])
    }
    try await clock.client(transport).catchUp(list)
    #expect(clock.pauses == [0.5, 1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
  }

  @Test func pausesBeyondAllMeasureAreLongOnes() async throws {
    let transport = ScriptedTransport { [first] _, number in
      if number < 30 { throw CutConnection() }
      return .lines([first])
    }
    var client = try clock.client(transport)
    client.firstPause = .seconds(Int64.max)
    client.longestPause = .seconds(Int64.max)
    try await client.catchUp(list)
    #expect(clock.pauses.allSatisfy { $0 >= .seconds(1_000_000_000) })
    let sleeping = Task { try await FeedPace().sleep(.seconds(Int64.max)) }
    try await Task.sleep(for: .milliseconds(20))
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
  }

  @Test func aPartOfAPauseIsRandom() async throws {
    let transport = server(first, after: .init(502, [:]), .init(500, [:]))
    try await clock.client(transport, random: 0.5).catchUp(list)
    #expect(clock.pauses == [.milliseconds(375), .milliseconds(750)])
  }

  @Test func theServerMayAskForALongerPause() async throws {
    let transport = server(
      first, after: .init(503, ["RETRY-AFTER": "120"]), .init(429, ["Retry-After": "86400"]),
      .init(503, ["Retry-After": "soon"]))
    let times = Guarded<[Date]>([])
    try await clock.client(transport).catchUp(list) { state in
      if case .waiting(let until, _) = state { times.withValue { $0.append(until) } }
    }
    #expect(clock.pauses == [.seconds(120), .seconds(3_600), .seconds(2)])
    #expect(times.withValue { $0.first } == Date(timeIntervalSince1970: 1_790_000_120))
  }

  @Test func theServerMaySayWhenToAskAgain() async throws {
    // 400 seconds after the clock's beginning; it has passed when the second answer comes.
    let date = ["Retry-After": "Mon, 21 Sep 2026 14:20:00 GMT"]
    try await clock.client(server(first, after: .init(503, date), .init(503, date))).catchUp(list)
    #expect(clock.pauses == [.seconds(400), .seconds(1)])
  }

  @Test func aPageThatIsNoFeedIsTriedAgain() async throws {
    let reasons = Guarded<[String]>([])
    let page = FeedClient.Response(200, ["Content-Type": "text/html"], parts: [Data("<p>".utf8)])
    try await clock.client(server(first, after: page)).catchUp(list) { state in
      if case .waiting(_, let error) = state { reasons.withValue { $0.append("\(error)") } }
    }
    #expect(try ids() == ["a"])
    #expect(reasons.withValue { $0.first }?.contains("text/html") == true)
  }

  @Test func anOldAnswerIsNotTakenForThisOne() async throws {
    try await clock.client(server(.reset(), first, second)).catchUp(list)
    // The beginning of the feed once more, as a cache that goes wrong answers.
    let old = FeedClient.Response.lines([.reset()], after: "")
    try await clock.client(server(.reset(), first, second, third, after: old)).catchUp(list)
    #expect(try ids() == ["a", "b", "c"])
    #expect(try repository.revision(of: "l") == 4)
  }

  @Test func aLineThatStaysWrongEndsIt() async throws {
    let transport = ScriptedTransport { [first] _, _ in
      .init(parts: [Data((first.text + "\n{\n").utf8)])
    }
    let error = await #expect(throws: StoreError.self) {
      try await clock.client(transport).catchUp(list)
    }
    #expect(error?.code == .malformedFeed)
    #expect(error?.file == "https://feeds.example/l")
    #expect(transport.requests.count == 11)
    #expect(try ids() == ["a"])
  }

  @Test func aLineOfMoreThan16MiBIsNotKept() async throws {
    let part = Data(repeating: UInt8(ascii: " "), count: 1 << 20)
    let long = FeedClient.Response(parts: Array(repeating: part, count: 40))
    let reasons = Guarded<[StoreError.Code?]>([])
    try await clock.client(server(first, after: long)).catchUp(list) { state in
      if case .waiting(_, let error) = state {
        reasons.withValue { $0.append((error as? StoreError)?.code) }
      }
    }
    #expect(reasons.withValue { $0 } == [.feedLimit])
    #expect(try await long.body.next() != nil, "the rest is not read")
    #expect(try ids() == ["a"])
  }

  // MARK: Refusals

  @Test func expiredCredentialsAreAskedForOnceMore() async throws {
    let refusals = Guarded<[Bool]>([])
    let transport = ScriptedTransport { [first] request, number in
      request.headers["Authorization"] == "new" ? .lines([first]) : .init(401, [:])
    }
    try await clock.client(transport) { wereRefused in
      refusals.withValue { $0.append(wereRefused) }
      return ["Authorization": wereRefused ? "new" : "old"]
    }.catchUp(list)
    #expect(refusals.withValue { $0 } == [false, true])
    #expect(clock.pauses == [])

    let refusing = ScriptedTransport { _, _ in .init(401, [:]) }
    let error = await #expect(throws: StoreError.self) {
      try await clock.client(refusing).catchUp(list)
    }
    #expect(error?.code == .feedRefused)
    #expect(refusing.requests.count == 2)
  }

  /// A token that many wait for is renewed by one task, which may have been cancelled.
  @Test func credentialsThatCannotBeHadAreAnErrorThoughNobodyCancelled() async throws {
    let client = try clock.client(server(first)) { _ in throw CancellationError() }
    await #expect(throws: CancellationError.self) { try await client.follow(list) }
  }

  @Test(arguments: [302, 400, 403, 404, 406])
  func whatWouldBeRefusedAgainIsAnError(_ status: Int) async throws {
    let transport = ScriptedTransport { _, _ in .init(status, [:]) }
    let error = await #expect(throws: StoreError.self) {
      try await clock.client(transport).catchUp(list)
    }
    #expect(error?.code == .feedRefused)
    #expect(error?.message.contains("\(status)") == true)
    #expect(error?.description.contains("key=7") == false, "the query may hold a secret")
    #expect(transport.requests.count == 1)
  }

  // MARK: Gaps and snapshots

  @Test func missingLinesAreAskedForAsARange() async throws {
    let fifth = FeedServer.Line.commit(5, item("e"))
    let transport = server(
      first, second, third, .commit(4, item("d")), fifth, after: .lines([first, fifth]))
    try await clock.client(transport).catchUp(list)
    #expect(try ids() == ["a", "b", "c", "d", "e"])
    #expect(transport.queries[1] == "key=7&list=l&after=\(first.position)&to=4")
    #expect(transport.requests[1].isCacheable)
    #expect(!transport.requests[2].isCacheable)
  }

  @Test func aSnapshotReplacesLinesThatTheServerDoesNotHave() async throws {
    let lines = [first, .commit(5, item("e"))]
    let transport = ScriptedTransport { request, _ in
      let query = FeedServer.Query(request.url)
      var server = FeedServer(lines: lines)
      server.snapshot = { _ in .snapshot(5, ["a", "e"]) }
      return .lines(server.answer(to: query), after: query.feedAfter)
    }
    try await clock.client(transport).catchUp(list)
    #expect(try ids() == ["a", "e"])
    #expect(transport.queries.count { $0.contains("to=4") } == 3)
    #expect(transport.queries.count { $0.contains("snapshot=1") } == 1)
    #expect(try repository.revision(of: "l") == 2)
  }

  @Test func tooOldAPositionIsAnsweredByASnapshot() async throws {
    try await clock.client(server(first)).catchUp(list)
    let transport = ScriptedTransport { request, number in
      number == 0 ? .init(410, [:]) : .lines(number == 1 ? [.snapshot(9, ["z"])] : [])
    }
    try await clock.client(transport).catchUp(list)
    #expect(try ids() == ["z"])
    #expect(transport.queries[1].hasSuffix("&snapshot=1"))
    #expect(!transport.queries[2].contains("snapshot"))
  }

  @Test func aListThatTheAppChangedIsMadeAsTheServersBySnapshot() async throws {
    try await clock.client(server(first)).catchUp(list)
    try await list.edit { try $0.delete("a") }
    let delete = FeedServer.Line.commit(2, "{\"op\":\"touchItem\",\"item\":\"a\"}")
    let transport = ScriptedTransport { [first] request, _ in
      var server = FeedServer(lines: [first, delete])
      server.snapshot = { _ in .snapshot(2, ["a"]) }
      return .lines(server.answer(to: FeedServer.Query(request.url)))
    }
    try await clock.client(transport).catchUp(list)
    #expect(try ids() == ["a"])
    #expect(transport.queries.count { $0.contains("snapshot") } == 1)
  }

  @Test func anotherHistoryIsAnErrorUnlessTheServerBeginsAnew() async throws {
    try await clock.client(server(first, second)).catchUp(list)
    let others = [FeedServer.Line.commit(1, section("t")), .commit(2, item("x"))]
    let stubborn = ScriptedTransport { _, _ in .lines(others) }
    let error = await #expect(throws: StoreError.self) {
      try await clock.client(stubborn).catchUp(list)
    }
    #expect(error?.code == .anotherFeed)
    #expect(try ids() == ["a", "b"])

    let transport = ScriptedTransport { request, _ in
      let query = FeedServer.Query(request.url)
      let lines = [FeedServer.Line.reset(), .snapshot(1, ["x"])]
      let hasThem = query.positions.first?.position == lines[1].position
      return .lines(query.wantsSnapshot ? lines : hasThem ? [] : others, after: query.feedAfter)
    }
    try await clock.client(transport).catchUp(list)
    #expect(try ids() == ["x"])
  }

  // MARK: The end

  @Test func cancellingEndsTheRequest() async throws {
    let isCancelled = Guarded(false)
    let (started, start) = AsyncStream<Void>.makeStream()
    let transport = ScriptedTransport { _, _ in
      .init(
        status: 200, headers: [:],
        body: .init(
          next: {
            start.yield()
            try await Task.sleep(for: .seconds(600))
            return nil
          }, cancel: { isCancelled.withValue { $0 = true } }))
    }
    let client = try clock.client(transport)
    let following = Task { [list] in try await client.follow(list) }
    for await _ in started { break }
    following.cancel()
    #expect(try await following.value.applied == 0)
    #expect(isCancelled.withValue { $0 })
  }
}
