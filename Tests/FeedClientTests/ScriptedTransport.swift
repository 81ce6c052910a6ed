import FeedClient
import Foundation
import StoreFiles
import Testing

/// Answers requests by a closure, and keeps them.
final class ScriptedTransport: FeedTransport {
  typealias Answer =
    @Sendable (FeedClient.Request, _ number: Int) async throws ->
    FeedClient.Response

  private let sent = Guarded<[FeedClient.Request]>([])
  private let answer: Answer

  init(_ answer: @escaping Answer) { self.answer = answer }

  var requests: [FeedClient.Request] { sent.withValue { $0 } }
  var queries: [String] { requests.map { $0.url.query ?? "" } }
  /// The ids of the edits that were sent.
  var edits: [String] { requests.map(\.edit) }

  func send(_ request: FeedClient.Request) async throws -> FeedClient.Response {
    let number = sent.withValue { sent in
      sent.append(request)
      return sent.count - 1
    }
    return try await answer(request, number)
  }
}

/// A connection that broke.
struct CutConnection: Error {}

extension FeedClient.Response {
  /// A response whose parts are there.
  ///
  /// `isCut`: Whether it breaks after them.
  init(
    _ status: Int = 200, _ headers: [String: String] = ["Content-Type": "application/x-ndjson"],
    parts: [Data] = [], isCut: Bool = false, onCancel: @escaping @Sendable () -> Void = {}
  ) {
    let rest = Guarded(parts[...])
    self.init(
      status: status, headers: headers,
      body: Body(
        next: {
          let part = rest.withValue { $0.popFirst() }
          if part == nil, isCut { throw CutConnection() }
          return part
        }, cancel: onCancel))
  }

  /// The answer of a server to an edit; with further members of its body.
  static func answer(
    _ status: Int, to request: FeedClient.Request, _ members: String = ""
  ) -> Self {
    let body = "{\"edit\":\"\(request.edit)\"\(members)}"
    return Self(status, ["Content-Type": "application/json"], parts: [Data(body.utf8)])
  }

  /// Lines of JSON.
  static func lines(_ lines: [FeedServer.Line], after: String? = nil, isCut: Bool = false) -> Self {
    var headers = ["content-type": "application/x-ndjson; charset=utf-8"]
    headers["Feed-After"] = after
    return Self(
      200, headers, parts: lines.map { Data(($0.text + "\n").utf8) }, isCut: isCut)
  }
}

extension FeedClient.Request {
  /// The body.
  var text: String { String(decoding: body ?? Data(), as: UTF8.self) }

  /// The id of the edit that is sent.
  var edit: String {
    text.firstMatch(of: #/"edit":"([0-9a-f]+)"/#).map { String($0.1) } ?? ""
  }
}

/// A clock that goes on when somebody waits, and notes how long they do.
final class VirtualClock: Sendable {
  private let state: Guarded<(now: Date, pauses: [Duration])> = Guarded(
    (Date(timeIntervalSince1970: 1_790_000_000), []))

  var pauses: [Duration] { state.withValue { $0.pauses } }

  func advance(_ seconds: Double) { state.withValue { $0.now += seconds } }

  /// `random`: From 0 to 1.
  func pace(random: @escaping @Sendable () -> Double = { 0 }) -> FeedPace {
    var pace = FeedPace()
    pace.now = { self.state.withValue { $0.now } }
    pace.sleep = { pause in
      try Task.checkCancellation()
      self.state.withValue { state in
        state.pauses.append(pause)
        state.now += Double(pause.components.seconds) + Double(pause.components.attoseconds) / 1e18
      }
      await Task.yield()
    }
    pace.random = random
    return pace
  }

  /// A client of a server that a test plays, which waits by this clock.
  func client(
    _ transport: ScriptedTransport, random: Double = 0,
    headers: @escaping @Sendable (Bool) async throws -> [String: String] = { _ in [:] }
  ) throws -> FeedClient {
    var client = FeedClient(
      try #require(URL(string: "https://feeds.example/l?key=7")), transport: transport,
      headers: headers)
    client.pace = pace { random }
    return client
  }
}
