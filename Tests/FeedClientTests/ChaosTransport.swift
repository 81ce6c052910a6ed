import FeedClient
import Foundation
import StoreFiles
import TestSupport

/// A server that gets its lines little by little, behind a network that does what a network may do:
/// it cuts, delays, repeats old answers, loses lines, and says other things than the server.
final class ChaosTransport: FeedTransport {
  private struct State {
    var generator: SeededGenerator
    var server = FeedServer()
    var rest: ArraySlice<FeedServer.Line>
    /// Whole answers that were sent.
    var answers: [(headers: [String: String], body: Data)] = []
    var requestCount = 0
    /// Whether the last answer said truly that there is nothing more.
    var isAtEnd = false
  }

  private let state: Guarded<State>
  private let clock: VirtualClock
  private let saysWhereItBegins: Bool

  init(
    _ lines: [FeedServer.Line], saysWhereItBegins: Bool, clock: VirtualClock,
    generator: SeededGenerator
  ) {
    state = Guarded(State(generator: generator, rest: lines[...]))
    self.saysWhereItBegins = saysWhereItBegins
    self.clock = clock
  }

  /// Sets what the server has.
  func serve(_ lines: [FeedServer.Line]) { state.withValue { $0.server.lines = lines } }

  var isAtEnd: Bool { state.withValue { $0.isAtEnd } }
  var requestCount: Int { state.withValue { $0.requestCount } }

  func send(_ request: FeedClient.Request) async throws -> FeedClient.Response {
    try state.withValue { state in try answer(request, &state) }
  }

  private func answer(
    _ request: FeedClient.Request, _ state: inout State
  ) throws -> FeedClient.Response {
    state.requestCount += 1
    state.isAtEnd = false
    clock.advance(state.generator.percent(20) ? Double(state.generator.number(0..<90)) : 0.05)
    for _ in 0..<state.generator.number(0..<4) {
      if let line = state.rest.popFirst() { state.server.lines.append(line) }
    }
    switch state.generator.number(0..<100) {
    case 0..<8: throw URLError(.networkConnectionLost)
    case 8..<14:
      let status = state.generator.element(of: [500, 502, 503, 429, 408]) ?? 500
      return .init(status, state.generator.percent(50) ? ["Retry-After": "7"] : [:])
    case 14..<17:
      return .init(200, ["Content-Type": "text/html"], parts: [Data("<html>Sign in</html>".utf8)])
    case 17..<20:
      let bytes = (0..<state.generator.number(1..<300)).map { _ in
        UInt8(truncatingIfNeeded: state.generator.next())
      }
      return .init(parts: [Data(bytes)])
    case 20..<28:
      guard let old = state.answers.randomElement(using: &state.generator) else { break }
      return .init(200, old.headers, parts: cut(old.body, &state.generator))
    default: break
    }
    return faithfulAnswer(request, &state)
  }

  /// The server's answer, as the network leaves it.
  private func faithfulAnswer(
    _ request: FeedClient.Request, _ state: inout State
  ) -> FeedClient.Response {
    let query = FeedServer.Query(request.url)
    let lines = state.server.answer(to: query)
    if lines.isEmpty, state.rest.isEmpty, query.end == nil { state.isAtEnd = true }
    let isEvents =
      request.headers["Accept"]?.contains("event-stream") == true && state.generator.percent(50)
    let body = body(of: damaged(lines, &state.generator), isEvents: isEvents, &state.generator)
    var headers = ["content-type": isEvents ? "text/event-stream" : "application/x-ndjson"]
    if saysWhereItBegins { headers["feed-after"] = query.feedAfter }
    let whole = self.body(of: lines.map(\.text), isEvents: isEvents, &state.generator)
    state.answers.append((headers, whole))
    if lines.isEmpty, !isEvents, state.generator.percent(50) { return .init(204, [:]) }
    // Cut at any byte, so that it is noticed, or looks like the end.
    guard !state.isAtEnd, state.generator.percent(45) else {
      return .init(200, headers, parts: cut(body, &state.generator))
    }
    let rest = body.prefix(state.generator.number(0..<body.count + 1))
    return .init(
      200, headers, parts: cut(Data(rest), &state.generator), isCut: state.generator.percent(70))
  }

  /// The texts of lines, with some lost, doubled, or followed by what is none.
  private func damaged(
    _ lines: [FeedServer.Line], _ generator: inout SeededGenerator
  ) -> [String] {
    var texts: [String] = []
    var lost: Set<String> = []
    for (index, line) in lines.enumerated() {
      let isCommit = line.text.contains("\"commit\"")
      let next = lines[(index + 1)...].first { $0.list == line.list }
      if lost.remove(line.list) != nil {
        texts.append(line.text)
        continue
      }
      switch generator.number(0..<100) {
      // A lost line before a snapshot would not be noticed, and would not matter.
      case 0..<4 where isCommit && next?.text.contains("\"commit\"") == true:
        lost.insert(line.list)
      case 4..<8 where isCommit: texts += [line.text, line.text]
      case 8..<11: texts += [line.text, "<html>"]
      case 11..<14: texts.append(String(line.text.dropLast(generator.number(1..<20))))
      case 14..<18: texts += [line.text, "", "{\"t\":\"ping\"}"]
      default: texts.append(line.text)
      }
    }
    return texts
  }

  private func body(
    of texts: [String], isEvents: Bool, _ generator: inout SeededGenerator
  ) -> Data {
    guard isEvents else { return Data(texts.map { $0 + "\n" }.joined().utf8) }
    let end = generator.element(of: ["\n", "\r\n", "\r"]) ?? "\n"
    let events = texts.map { "id: 7\(end)data: \($0)\(end)\(end)" }.joined()
    return Data((events + ": ping\(end)").utf8)
  }

  /// The parts in which a body arrives.
  private func cut(_ body: Data, _ generator: inout SeededGenerator) -> [Data] {
    var rest = body[...]
    var parts: [Data] = []
    while !rest.isEmpty {
      let count = generator.number(1..<(generator.percent(20) ? 5 : 400))
      parts.append(Data(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return parts
  }
}
