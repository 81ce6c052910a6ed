import FeedClient
import Foundation
import ListModel
import ListStore
import ListSync
import StoreFiles
import SuiteSupport
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Servers and networks that mean harm, or know no end.
@Suite(.timeLimit) struct FeedBoundsTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let clock = VirtualClock()
  private var list: LiveList { repository.liveList("l") }
  private let first = FeedServer.Line.commit(1, section(), item("a"))

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  /// The errors after which a client has waited, until an answer was good.
  private func failures(
    of client: FeedClient
  ) async throws -> [StoreError] {
    let failures = Guarded<[StoreError]>([])
    let note: @Sendable (FeedClient.State) -> Void = { state in
      guard case .waiting(_, let error) = state else { return }
      let failure = error as? StoreError
      #expect(failure != nil, "\(error)")
      failures.withValue { $0 += failure.map { [$0] } ?? [] }
    }
    try await client.catchUp(list, progress: note)
    return failures.withValue { $0 }
  }

  // MARK: Addresses

  @Test(arguments: [
    "http://feeds.example/l?key=7", "HTTP://feeds.example/l?key=7", "http://10.0.0.1/l?key=7",
    "http://localhost.example/l?key=7", "http://127.0.0.1.example/l?key=7", "http://[::2]/l?key=7",
    "http://127.1.2/l?key=7", "http:/l?key=7", "ftp://localhost/l?key=7", "file:///l?key=7",
  ])
  func anAddressThatIsNotEncryptedIsRefused(_ address: String) async throws {
    let transport = ScriptedTransport { [first] _, _ in .lines([first]) }
    let client = FeedClient(try #require(URL(string: address)), transport: transport)
    let list = list
    for call in [
      { _ = try await client.catchUp(list) }, { _ = try await client.follow(self.repository) },
      { try await client.sendPendingEdits(of: list) },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: StoreError.self) { try await call() }
      #expect(error?.code == .insecureAddress)
      #expect(error?.description.contains("key=7") == false)
    }
    #expect(transport.requests.isEmpty)
  }

  @Test(arguments: [
    "https://feeds.example/l", "HTTPS://feeds.example/l", "http://localhost:80/l",
    "http://LocalHost/l", "http://list.localhost/l", "http://127.0.0.1/l", "http://127.9.8.7/l",
    "http://[::1]:8080/l",
  ])
  func encryptedAddressesAndThisMachineAreAllowed(_ address: String) async throws {
    let transport = ScriptedTransport { [first] _, _ in .lines([first]) }
    try await FeedClient(try #require(URL(string: address)), transport: transport).catchUp(list)
    #expect(transport.requests.count == 1)
  }

  @Test func othersAreAllowedIfTheAppSaysSo() async throws {
    let transport = ScriptedTransport { [first] _, _ in .lines([first]) }
    var client = FeedClient(
      try #require(URL(string: "http://feeds.example/l")), transport: transport)
    client.allowsInsecureHTTP = true
    #expect(try await client.catchUp(list).applied == 1)
  }

  // MARK: What errors tell

  /// As Foundation throws it on Apple's systems.
  private func failure(at url: URL) -> any Error {
    URLError(
      .timedOut,
      userInfo: [
        NSURLErrorFailingURLErrorKey: url, "NSErrorFailingURLStringKey": url.absoluteString,
      ])
  }

  private struct Telling: Error { var url: String }

  @Test func errorsHaveNothingOfAQueryOrAPassword() async throws {
    let transport = ScriptedTransport { [first, self] request, number in
      switch number {
      case 0: throw failure(at: request.url)
      case 1: throw Telling(url: request.url.absoluteString)
      case 2: throw Telling(url: "the token is s%2Fcret")
      case 3: throw CutConnection()
      case 4:
        return .init(
          status: 200, headers: [:],
          body: .init(next: { throw self.failure(at: request.url) }, cancel: {}))
      default: return .lines([first])
      }
    }
    var client = FeedClient(
      try #require(URL(string: "https://ann:passw0rd@feeds.example/l?token=s%2Fcret&page=1")),
      transport: transport)
    client.pace = clock.pace()
    let failures = try await failures(of: client)
    #expect(failures.count == 5)
    for error in failures {
      #expect(error.code == .feedUnavailable && error.file == "https://feeds.example/l")
      let texts = [
        "\(error)", "\(String(describing: error.cause))", String(reflecting: error),
        "\((error.cause as NSError?)?.userInfo ?? [:])",
      ]
      for text in texts {
        for secret in ["s%2Fcret", "s/cret", "passw0rd", "page=1"] {
          #expect(!text.contains(secret), "\(text)")
        }
      }
    }
    // What tells nothing is handed on.
    #expect((failures[0].cause as? URLError)?.code == .timedOut)
    #expect(failures[1].cause == nil && failures[2].cause == nil)
    #expect(failures[3].cause is CutConnection)
  }

  @Test func editsThatCanNotBeSentTellNothingEither() async throws {
    let client = try clock.client(
      ScriptedTransport { request, number in
        if number == 0 { throw self.failure(at: request.url) }
        return .answer(200, to: request)
      })
    try await repository.edit("l") { try $0.insertSection("s") }
    try await list.editPending { try $0.insertSection("t") }
    let failure = Guarded<(any Error)?>(nil)
    let sending = Task { [list] in
      try await client.sendPendingEdits(of: list) { state in
        if case .waiting(_, let error) = state { failure.withValue { $0 = error } }
      }
    }
    while try list.pendingEdits().first?.state != .accepted {
      try await Task.sleep(for: .milliseconds(1))
    }
    sending.cancel()
    let error = try #require(failure.withValue { $0 })
    #expect(!String(reflecting: error).contains("key=7"))
    #expect((error as? StoreError)?.code == .feedUnavailable)
  }

  // MARK: Answers without an end

  @Test func aTransportThatNeverAnswersIsGivenUp() async throws {
    let transport = ScriptedTransport { [first] _, number in
      if number == 0 { try await Task.sleep(for: .seconds(86_400)) }
      guard number == 1 else { return .lines([first]) }
      return .init(
        status: 200, headers: [:],
        body: .init(
          next: {
            try await Task.sleep(for: .seconds(86_400))
            return nil
          }, cancel: {}))
    }
    var client = try clock.client(transport)
    client.idleTimeout = .milliseconds(20)
    let failures = try await failures(of: client)
    #expect(failures.map(\.code) == [.feedUnavailable, .feedUnavailable])
    #expect(failures[0].message == "no byte came for 0.02 seconds")
  }

  /// Comments, empty lines, and fields that are no data.
  @Test(arguments: [": …", ":\n", "\n", "id: 1\n", "event: x\n\n", "nonsense"])
  func anAnswerThatSaysNothingIsBrokenOff(_ text: String) async throws {
    let part = Data(String(repeating: text, count: 1_000 / text.utf8.count).utf8)
    let count = Guarded(0)
    let transport = ScriptedTransport { [first] _, number in
      if number > 0 { return .lines([first]) }
      return .init(
        status: 200, headers: ["Content-Type": "text/event-stream"],
        body: .init(
          next: {
            count.withValue { $0 += 1 }
            return part
          }, cancel: {}))
    }
    var client = try clock.client(transport)
    client.pollInterval = .zero
    client.mostSilentBytes = 32 * part.count
    // A comment ends a call that catches up: it says that there is nothing new.
    let following = Task { [client, repository] in
      try await client.follow(repository.liveList("l"))
    }
    while try !repository.lists().contains("l") { try await Task.sleep(for: .milliseconds(1)) }
    following.cancel()
    _ = try await following.value
    #expect(count.withValue { $0 } == 33)
  }

  @Test func aLineThatDripsIsBrokenOff() async throws {
    let clock = clock
    let transport = ScriptedTransport { [first] _, number in
      if number > 0 { return .lines([first]) }
      return .init(
        status: 200, headers: [:],
        body: .init(
          next: {
            clock.advance(59)
            return Data(" ".utf8)
          }, cancel: {}))
    }
    let failures = try await failures(of: clock.client(transport))
    #expect(failures.map(\.message) == ["a line did not end for 600.0 seconds"])
  }

  /// It may take its time as long as it ends, and what comes between lines is no line.
  @Test func aSlowStreamIsNotBrokenOff() async throws {
    let (clock, lines) = (clock, Guarded([first.text + "\n", "\n", ""]))
    let transport = ScriptedTransport { _, _ in
      .init(
        status: 200, headers: [:],
        body: .init(
          next: {
            clock.advance(3_000)
            return lines.withValue { lines in
              lines.popLast().map { Data((lines.isEmpty ? "" : $0).utf8) }
            }
          }, cancel: {}))
    }
    #expect(try await failures(of: clock.client(transport)).isEmpty)
  }

  @Test func headerFieldsHaveABound() async throws {
    let isCancelled = Guarded(false)
    let transport = ScriptedTransport { [first] _, number in
      if number > 0 { return .lines([first]) }
      return .init(
        200, ["Content-Type": "text/plain", "X": String(repeating: "x", count: 70_000)],
        onCancel: { isCancelled.withValue { $0 = true } })
    }
    let failures = try await failures(of: clock.client(transport))
    #expect(failures.map(\.code) == [.feedLimit])
    #expect(isCancelled.withValue { $0 })
    let html = ScriptedTransport { [first] _, number in
      number > 0
        ? .lines([first]) : .init(200, ["Content-Type": String(repeating: "x", count: 60_000)])
    }
    let refused = try await self.failures(of: clock.client(html))
    #expect(refused.allSatisfy { $0.description.utf8.count < 500 })
  }
}
