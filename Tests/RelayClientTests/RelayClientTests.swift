import Foundation
import ListModel
import RelayClient
import StoreFiles
import TestSupport
import Testing

/// What a client makes of answers that a relay in order does not give.
///
/// What a real one does with each
/// call is in `AppServerTests` of tools/relay.
@Suite(.timeLimit(.minutes(2)))
struct RelayClientTests {
  /// A server that answers from a script, and the requests that it got.
  private final class Script: Sendable {
    private let server: LoopbackServer
    private let seen: Guarded<[String]>

    init(_ answers: [String]) throws {
      let seen = Guarded<[String]>([])
      self.seen = seen
      server = try LoopbackServer { request, connection in
        let number = seen.withValue { seen in
          seen.append(request)
          return seen.count - 1
        }
        connection.send(answers[min(number, answers.count - 1)])
      }
    }

    var requests: [String] { seen.withValue { $0 } }

    func client(
      headers: @escaping @Sendable (Bool) async throws -> [String: String] = { _ in [:] }
    ) throws -> RelayClient {
      var client = RelayClient(try server.url(""), headers: headers)
      // Longer than any wait between two tries, on a machine that is busy.
      client.patience = .seconds(100)
      return client
    }
  }

  private static func answer(
    _ status: Int, _ body: String = "", _ headers: String = ""
  ) -> String {
    "HTTP/1.1 \(status) S\r\nContent-Length: \(body.utf8.count)\r\n\(headers)"
      + "Connection: close\r\n\r\n\(body)"
  }

  private static let taken = answer(200, #"{"end":"3:0a0b","seq":"3"}"#)
  private let change = Change.updateList(meta: JSON.null)

  @Test func aCommitWithoutAnAnswerIsSentAgainUnderItsID() async throws {
    let script = try Script(["", Self.answer(503, "the node ends"), Self.taken])
    let written = try await script.client().append([change], to: "shelf", by: "shop")
    #expect(written.sequence == 3 && written.end?.description == "3:0a0b")
    let bodies = script.requests.map { $0.split(separator: "\r\n\r\n").last ?? "" }
    #expect(bodies.count == 3 && Set(bodies).count == 1)
    let body = try #require(bodies.first)
    #expect(body.contains(#""list":"shelf","edit":""#) && body.contains(#""by":"shop""#))
  }

  /// A relay takes no more lines in one request, however short they are.
  @Test func aRequestHasNoMoreCommitsThanARelayTakes() async throws {
    let line = #"{"end":"3:0a0b","seq":"3"}"#
    let script = try Script([
      Self.answer(200, Array(repeating: line, count: 10_000).joined(separator: "\n")),
      Self.answer(200, line),
    ])
    let commits = (0..<10_001).map { RelayClient.Commit(to: "a", [change], id: "\($0)") }
    let outcomes = try await script.client().append(commits)
    #expect(outcomes.count == 10_001)
    let bodies = script.requests.map { $0.split(separator: "\r\n\r\n").last ?? "" }
    #expect(bodies.map { $0.split(separator: "\n").count } == [10_000, 1])
  }

  // Apps of the other systems start no programs.
  #if os(macOS) || os(Linux)
    /// In a process of its own, because what fails here waits for ever, and others with it.
    @Test func aCallCanBeCancelledWhenever() async {
      await #expect(processExitsWith: .success) {
        let ended = Guarded(0)
        Thread.detachNewThread {
          var before = -1
          while true {
            Thread.sleep(forTimeInterval: 20)
            let now = ended.withValue { $0 }
            if now == before { fatalError("stands still after \(now) calls") }
            before = now
          }
        }
        let server = try LoopbackServer { _, connection in
          connection.send(RelayClientTests.answer(200, #"{"lists":[],"since":"9"}"#))
        }
        let client = RelayClient(try server.url(""))
        await withTaskGroup(of: Void.self) { group in
          for round in 0..<4_000 {
            if round >= 8 { await group.next() }
            group.addTask {
              let call = Task { try await client.moved(since: "5") }
              try? await Task.sleep(for: .microseconds(round % 100 * 20))
              call.cancel()
              _ = await call.result
              ended.withValue { $0 += 1 }
            }
          }
        }
      }
    }
  #endif

  /// As a network answers that wants somebody to sign in: at once, and always.
  @Test func movesPauseAfterAnAnswerThatIsNone() async throws {
    let script = try Script([Self.answer(200, "<html>Sign in</html>")])
    let client = try script.client()
    let reading = Task { for try await _ in client.moves(since: "5") {} }
    try await Task.sleep(for: .seconds(2))
    reading.cancel()
    _ = await reading.result
    #expect((1...12).contains(script.requests.count), "\(script.requests.count)")
  }

  @Test func afterALongPauseAllListsCountAsMoved() async throws {
    let page = #"{"lists":[{"list":"a","end":"1:0a"},{"list":"b","end":"2:0b"}],"after":null}"#
    let script = try Script([
      Self.answer(410, "since is too old"), Self.answer(200, #"{"lists":[],"since":"9"}"#),
      Self.answer(200, page),
    ])
    let moved = try await script.client().moved(since: "3")
    #expect(moved.lists == ["a", "b"] && moved.cursor == "9")
    #expect(script.requests[1].hasPrefix("GET /moved HTTP"))
    // Elsewhere, 410 is an answer of somebody else.
    let other = try Script([Self.answer(410)])
    let error = await #expect(throws: StoreError.self) {
      try await other.client().append([change], to: "shelf")
    }
    #expect(error?.code == .feedRefused)
  }

  @Test func patienceEndsAndSaysThatNobodyKnows() async throws {
    let script = try Script([Self.answer(503, "the engine is away")])
    var client = try script.client()
    client.patience = .seconds(3)
    let error = await #expect(throws: StoreError.self) {
      try await client.append([change], to: "shelf")
    }
    #expect(error?.code == .feedUnavailable)
    #expect(error?.message.contains("the engine is away") == true)
    #expect(error?.message.contains("is unknown") == true)
    #expect(script.requests.count > 1)
  }

  @Test func aReplaceForACertainEndIsNotRepeated() async throws {
    let script = try Script([Self.answer(503), Self.taken])
    let client = try script.client()
    let end = try #require(RelayClient.End("2:ff"))
    await #expect(throws: StoreError.self) {
      try await client.replace(with: ListTree(list: "shelf"), ifAt: .end(end))
    }
    #expect(script.requests.count == 1)
    #expect(script.requests.first?.contains(#"If-Match: "2:ff""#) == true)
    try await client.replace(with: ListTree(list: "shelf"))
    #expect(script.requests.last?.hasPrefix("PUT /list?list=shelf HTTP") == true)
  }

  @Test func aConflictSaysWhereTheListEnds() async throws {
    let script = try Script([
      Self.answer(412, "the list ends at 7:aa", "ETag: \"7:aa\"\r\n"), Self.answer(412),
    ])
    let client = try script.client()
    let conflict = await #expect(throws: RelayClient.Conflict.self) {
      try await client.append([change], to: "shelf", ifAt: .new)
    }
    #expect(conflict?.end == RelayClient.End("7:aa"))
    #expect(script.requests.first?.contains("If-None-Match: *") == true)
    let other = await #expect(throws: RelayClient.Conflict.self) {
      try await client.append([change], to: "shelf", ifAt: .end(#require(RelayClient.End("1:aa"))))
    }
    #expect(other != nil && other?.end == nil)
  }

  @Test func newCredentialsAreAskedForOnce() async throws {
    let script = try Script([Self.answer(401), Self.taken])
    let client = try script.client { ["Authorization": $0 ? "Bearer new" : "Bearer old"] }
    try await client.append([change], to: "shelf")
    #expect(script.requests.map { $0.contains("Bearer new") } == [false, true])
    let closed = try Script([Self.answer(401, "the token is expired")])
    let error = await #expect(throws: StoreError.self) {
      try await closed.client().append([change], to: "shelf")
    }
    #expect(error?.code == .feedRefused && closed.requests.count == 2)
    #expect(error?.message.contains("the token is expired") == true)
  }

  @Test func aProxyThatAsksForAPasswordIsARefusal() async throws {
    let script = try Script([Self.answer(401, "", "WWW-Authenticate: Basic realm=\"p\"\r\n")])
    let error = await #expect(throws: StoreError.self) {
      try await script.client().append([change], to: "shelf")
    }
    #expect(error?.code == .feedRefused && error?.message.contains("401") == true)
    #expect(script.requests.count == 2)
  }

  @Test func redirectionsAreNotFollowed() async throws {
    let other = try Script([Self.taken])
    let script = try Script([
      Self.answer(307, "", "Location: \(try other.client().url.absoluteString)/append\r\n")
    ])
    let client = try script.client { _ in ["Authorization": "Bearer secret"] }
    let error = await #expect(throws: StoreError.self) {
      try await client.append([change], to: "shelf")
    }
    #expect(error?.code == .feedRefused && error?.message.contains("307") == true)
    #expect(other.requests.isEmpty)
  }

  @Test(arguments: ["<html>Sign in</html>", "{}", #"{"seq":3}"#, #"{"seq":"three"}"#, "[]"])
  func whatIsNoAnswerIsAnError(_ body: String) async throws {
    let script = try Script([Self.answer(200, body)])
    let client = try script.client()
    let error = await #expect(throws: StoreError.self) {
      try await client.append([change], to: "shelf")
    }
    #expect(error?.code == .feedUnavailable)
    await #expect(throws: StoreError.self) { try await client.tree(of: "shelf") }
    await #expect(throws: StoreError.self) { try await client.moved(since: nil) }
    await #expect(throws: StoreError.self) { for try await _ in client.lists() {} }
  }

  @Test func aDeletionThatWasMadeAndNotAnsweredIsDone() async throws {
    let script = try Script(["", Self.answer(404)])
    #expect(try await script.client().delete("a b&list=c"))
    #expect(script.requests.allSatisfy { $0.hasPrefix("DELETE /list?list=a%20b%26list%3Dc HTTP") })
    #expect(script.requests.count == 2)
    let empty = try Script([Self.answer(404)])
    #expect(try await empty.client().delete("shelf") == false)
  }

  @Test func movesGoOnWhenTheRelayIsBack() async throws {
    let script = try Script([
      Self.answer(200, #"{"lists":[],"since":"5"}"#), Self.answer(503),
      Self.answer(200, #"{"lists":["a","b"],"since":"7"}"#),
    ])
    var client = try script.client()
    client.patience = .zero
    var moves = client.moves().makeAsyncIterator()
    let moved = try #require(try await moves.next())
    #expect(moved.lists == ["a", "b"] && moved.cursor == "7")
    #expect(script.requests.dropFirst().allSatisfy { $0.contains("since=5&wait=25") })
  }
}
