import FeedClient
import Foundation
import NIOConcurrencyHelpers

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The way between a device and the nodes: a network that loses, cuts, delays and doubles, proxies that
/// answer by themselves, and a cache that lies.
final class FaultyNetwork: FeedTransport {
  /// A connection that broke.
  struct Broken: Error {}

  /// What it has done, by name.
  var counts: [String: Int] { state.withLockedValue { $0.counts } }

  private struct State {
    var random: Numbers
    /// Answers that a cache has kept, whole.
    var kept: [KeptAnswer] = []
    var isMended = false
    var counts: [String: Int] = [:]
  }

  private struct KeptAnswer {
    let status: Int
    let headers: [String: String]
    let body: Data
  }

  private enum Fault: String, CaseIterable {
    case lost, refused, answerLost, doubled, delayed, cut, ended, old, stripped
  }

  private let nodes: [URL]
  private let state: NIOLockedValueBox<State>

  /// `nodes`: Addresses of the same feed; each request goes to any of them.
  init(to nodes: [URL], seed: UInt64) {
    self.nodes = nodes
    state = NIOLockedValueBox(State(random: Numbers(state: seed)))
  }

  /// Everything goes well from now on.
  func mend() { state.withLockedValue { $0.isMended = true } }

  private func below(_ bound: Int) -> Int {
    state.withLockedValue { Int($0.random.next() % UInt64(bound)) }
  }

  /// What happens to the next request; `nil` for nothing.
  ///
  /// Each fault comes once before any comes twice, so that a short run has them all.
  private func fault(of request: FeedClient.Request) -> Fault? {
    state.withLockedValue { state in
      if state.isMended || state.random.next() % 100 < 45 { return nil }
      var faults = Fault.allCases
      // Nobody keeps the answers to a POST.
      if request.body != nil { faults.removeAll { $0 == .old || $0 == .stripped } }
      if state.kept.isEmpty { faults.removeAll { $0 == .old } }
      let fresh = faults.filter { state.counts[$0.rawValue] == nil }
      if !fresh.isEmpty { faults = fresh }
      let fault = faults[Int(state.random.next() % UInt64(faults.count))]
      state.counts[fault.rawValue, default: 0] += 1
      return fault
    }
  }

  func send(_ request: FeedClient.Request) async throws -> FeedClient.Response {
    var request = request
    let node = nodes[below(nodes.count)]
    var address = URLComponents(url: node, resolvingAgainstBaseURL: true)
    address?.percentEncodedQuery =
      URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.percentEncodedQuery
    request.url = address?.url ?? request.url
    // What is kept must be whole; streams are in other tests.
    request.headers["Accept"] = request.body == nil ? "application/x-ndjson" : "application/json"
    switch fault(of: request) {
    case nil: return answer(keep(try await whole(request), unless: request.body != nil))
    case .lost: throw Broken()
    case .refused: return answer(KeptAnswer(status: 502, headers: [:], body: Data("a proxy".utf8)))
    case .answerLost:
      _ = try await whole(request)
      throw Broken()
    case .doubled:
      _ = try await whole(request)
      return answer(try await whole(request))
    case .delayed:
      try await Task.sleep(for: .milliseconds(below(400)))
      return answer(try await whole(request))
    case .cut:
      let whole = try await whole(request)
      return answer(whole, count: below(whole.body.count + 1), isBroken: true)
    case .ended:
      let whole = try await whole(request)
      // An answer to an edit that is empty is one of a server that takes none.
      let fewest = request.body == nil ? 0 : 1
      return answer(whole, count: fewest + below(max(1, whole.body.count + 1 - fewest)))
    case .old: return answer(state.withLockedValue { $0.kept.randomElement(using: &$0.random) })
    case .stripped:
      address?.percentEncodedQuery = "list=shelf"
      request.url = address?.url ?? request.url
      return answer(try await whole(request))
    }
  }

  /// Sends a request, and reads the answer to its end.
  private func whole(_ request: FeedClient.Request) async throws -> KeptAnswer {
    var message = URLRequest(url: request.url)
    message.httpMethod = request.method
    message.httpBody = request.body
    message.cachePolicy = .reloadIgnoringLocalCacheData
    for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
    let (body, response) = try await URLSession.shared.data(for: message)
    guard let response = response as? HTTPURLResponse else { throw Broken() }
    var headers: [String: String] = [:]
    for case (let name as String, let value as String) in response.allHeaderFields {
      headers[name] = value
    }
    return KeptAnswer(status: response.statusCode, headers: headers, body: body)
  }

  private func keep(_ answer: KeptAnswer, unless isPrivate: Bool) -> KeptAnswer {
    guard !isPrivate, answer.status == 200 else { return answer }
    state.withLockedValue { state in
      state.kept.append(answer)
      if state.kept.count > 30 { state.kept.removeFirst() }
    }
    return answer
  }

  private func answer(
    _ whole: KeptAnswer?, count: Int = .max, isBroken: Bool = false
  ) -> FeedClient.Response {
    guard let whole else {
      return FeedClient.Response(status: 500, headers: [:], body: .init(Parts()))
    }
    let part = whole.body.prefix(count)
    return FeedClient.Response(
      status: whole.status, headers: whole.headers, body: .init(Parts(part, isBroken: isBroken)))
  }

  /// A body in one part, after which the connection may break.
  private typealias Parts = AsyncThrowingStream<Data, any Error>
}

extension AsyncThrowingStream<Data, any Error> {
  fileprivate init(_ data: Data = Data(), isBroken: Bool = false) {
    self.init { continuation in
      if !data.isEmpty { continuation.yield(data) }
      continuation.finish(throwing: isBroken ? FaultyNetwork.Broken() : nil)
    }
  }
}

/// SplitMix64.
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
