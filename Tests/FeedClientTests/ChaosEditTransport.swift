import FeedClient
import Foundation
import StoreFiles
import TestSupport

/// A server that takes edits, behind a network that loses, doubles and delays requests and answers,
/// and says other things than the server.
final class ChaosEditTransport: FeedTransport {
  private struct State {
    var generator: SeededGenerator
    var requestCount = 0
    /// Copies of requests that are still on their way.
    var late: [Data] = []
    var answers: [EditServer.Answer] = []
    var meanwhile: @Sendable () async throws -> Void = {}
  }

  private let server: Guarded<EditServer>
  private let feed: ChaosTransport
  private let clock: VirtualClock
  private let state: Guarded<State>

  init(_ server: Guarded<EditServer>, clock: VirtualClock, generator: SeededGenerator) {
    var generator = generator
    self.server = server
    self.clock = clock
    feed = ChaosTransport(
      [], saysWhereItBegins: true, clock: clock,
      generator: SeededGenerator(seed: generator.next()))
    state = Guarded(State(generator: generator))
  }

  /// Has something happen now and then while an answer is on its way.
  func meanwhile(_ body: @escaping @Sendable () async throws -> Void) {
    state.withValue { $0.meanwhile = body }
  }

  var requestCount: Int { state.withValue { $0.requestCount } + feed.requestCount }

  func send(_ request: FeedClient.Request) async throws -> FeedClient.Response {
    guard let body = request.body else {
      feed.serve(server.withValue { $0.feed.lines })
      return try await feed.send(request)
    }
    clock.advance(0.05)
    let fate = state.withValue { state in
      state.requestCount += 1
      return state.generator.number(0..<100)
    }
    if state.withValue({ $0.generator.percent(20) }) { try deliverLateCopies() }
    if let response = try withoutServer(fate) { return response }
    let answer = try deliver(body)
    let (happens, meanwhile) = state.withValue { ($0.generator.percent(30), $0.meanwhile) }
    if happens { try await meanwhile() }
    switch fate {
    case 26..<40: throw URLError(.networkConnectionLost)
    case 40..<46: return .init(500, [:])
    case 46..<52: return .answer(answer, isCut: true)
    case 52..<58:
      // The process ends before it has the answer.
      withUnsafeCurrentTask { $0?.cancel() }
      throw URLError(.cancelled)
    default: return .answer(answer)
    }
  }

  /// What somebody else answers, before the server gets the edit.
  private func withoutServer(_ fate: Int) throws -> FeedClient.Response? {
    switch fate {
    case 0..<12: throw URLError(.networkConnectionLost)
    case 12..<16: return .init(503, ["Retry-After": "7"])
    case 16..<18: return .init(429, [:])
    case 18..<22:
      return .init(200, ["Content-Type": "text/html"], parts: [Data("<html>Sign in</html>".utf8)])
    case 22..<26:
      // An answer to this edit or to another one.
      return state.withValue { state in
        state.answers.randomElement(using: &state.generator).map { .answer($0) }
      }
    default: return nil
    }
  }

  /// Brings an edit to the server, which may refuse it or make more of it.
  private func deliver(_ body: Data) throws -> EditServer.Answer {
    try state.withValue { state in
      let isRefused = state.generator.percent(10)
      let more = "{\"op\":\"updateList\",\"meta\":\(state.generator.number(0..<100))}"
      let isChanged = state.generator.percent(10)
      let answer = try server.withValue { server in
        try server.take(body, refusing: isRefused ? "no" : nil, adding: isChanged ? more : nil)
      }
      if state.generator.percent(20) { _ = try server.withValue { try $0.take(body) } }
      if state.generator.percent(20) { state.late.append(body) }
      state.answers.append(answer)
      return answer
    }
  }

  func deliverLateCopies() throws {
    let copies = state.withValue { state in
      defer { state.late = [] }
      return state.late
    }
    for copy in copies { _ = try server.withValue { try $0.take(copy) } }
  }
}
