import Foundation
import HTTPTypes
import Hummingbird
import ListModel
import Logging
import CoreMetrics
import NIOCore
import RelayEngine

/// Answers the requests of clients, of servers of apps, and of those who look after the node.
struct RelayResponder: HTTPResponder {
  /// What is known of a request beside itself.
  struct Context: InitializableFromSource {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) { channel = source.channel }
  }

  let node: RelayNode
  let gatekeeper: Gatekeeper
  let quotas: Quotas
  let refusals: Refusals
  let listCounts: ListCounts
  let transfers: Transfers
  let waits: OpenWaits
  let settings: ServingSettings
  let metrics: PrometheusMetrics
  let logger: Logger

  func respond(to request: Request, context: Context) async throws -> Response {
    var response = await answer(request, by: context.channel)
    // The server closes the connection then, and a proxy has to know.
    if request.headers[.connection] == "close" { response.headers[.connection] = "close" }
    return response
  }

  /// Answers a request; what goes wrong is an answer too.
  ///
  /// `channel`: The connection that it came by; `nil` if it was handed over.
  ///
  /// Thousands may wait here at once. A task keeps the memory of its deepest call until it ends, so what
  /// comes between is done in tasks of its own.
  func answer(_ request: Request, by channel: (any Channel)? = nil) async -> Response {
    let start = ContinuousClock.now
    var step = await Task { await begin(request, channel) }.value
    while true {
      switch step {
      case .answered(var response, let name):
        if Self.refusingStatuses.contains(response.status.code), gatekeeper.asksForTokens {
          response = await countRefusal(response, at: name, request, channel)
        }
        count(response, at: name, since: start)
        return response
      case .waits(let question, let waker):
        guard await waits.wait(for: waker, by: channel) else {
          let nothing = Response(status: .noContent, headers: question.headers)
          step = .answered(nothing, at: Address.feed.name)
          continue
        }
        step = await Task { await goOn(question) }.value
      }
    }
  }

  /// What has become of a request.
  enum Step: Sendable {
    case answered(Response, at: String)
    /// There is nothing for it yet.
    case waits(WaitingQuestion, WakeOnce)
  }

  private func begin(_ request: Request, _ channel: (any Channel)?) async -> Step {
    var name = "other"
    do {
      try requireOwnMachine(request)
      let target = try RequestTarget(request.head.path ?? "")
      guard let address = Address(rawValue: String(target.path)) else {
        // Not one that looks like it, either: a proxy may have let it pass for another.
        throw RelayFailure(.notFound, "there is nothing at this address")
      }
      name = address.name
      return try await respond(to: request, at: address, target, by: channel)
    } catch { return .answered(failure(error, at: name), at: name) }
  }

  /// Refuses what a web page may have sent, where everybody on this machine may do everything.
  ///
  /// A page of any site can have a browser ask this machine, also under a name of its own.
  private func requireOwnMachine(_ request: Request) throws {
    if gatekeeper.asksForTokens { return }
    let host = request.head.authority.map { Self.hostName(in: $0) } ?? "localhost"
    guard request.headers[.origin] == nil, ["localhost", "127.0.0.1", "[::1]"].contains(host) else {
      throw RelayFailure(
        .forbidden,
        "without keys only programs of this machine are served, at localhost or 127.0.0.1, and no web "
          + "pages: make keys with cellar-relay token --new, and serve with --keys")
    }
  }

  /// The value of `Host` without the port.
  private static func hostName(in authority: String) -> String {
    let text = authority.lowercased()
    guard let colon = text.lastIndex(of: ":"), text[colon...].dropFirst().allSatisfy(\.isNumber)
    else { return text }
    return String(text[..<colon])
  }

  /// Looks again for what a question waits for.
  private func goOn(_ question: WaitingQuestion) async -> Step {
    do {
      let step = try await look(question)
      // The token may have been revoked meanwhile, or its key taken away.
      if case .answered(let response, _) = step, response.status != .noContent {
        _ = try await grant(of: question.request)
      }
      return step
    } catch {
      let name = Address.feed.name
      return .answered(failure(error, at: name), at: name)
    }
  }

  func failure(_ error: any Error, at name: String) -> Response {
    switch error {
    case let failure as RelayFailure: return .failure(failure)
    case let error as any HTTPResponseError:
      return .failure(RelayFailure(.wrongRequest, "\(error)"))
    case is CancellationError: return .failure(RelayFailure(.unavailable, "the node ends"))
    default:
      // What it says may hold contents.
      logger.error("a request failed", metadata: ["type": "\(type(of: error))", "at": "\(name)"])
      return .failure(RelayFailure(error))
    }
  }

  private func count(
    _ response: Response, at name: String, since start: ContinuousClock.Instant
  ) {
    let labels = [("address", name), ("status", String(response.status.code))]
    Counter(label: "relay_requests_total", dimensions: labels, factory: metrics).increment()
    let passed = (ContinuousClock.now - start) / .seconds(1)
    Recorder(
      label: "relay_request_seconds", dimensions: [("address", name)], aggregate: true,
      factory: metrics
    ).record(passed)
  }

  /// The addresses that there are.
  enum Address: String {
    case feed = "/feed"
    case append = "/append"
    case list = "/list"
    case lists = "/lists"
    case copy = "/copy"
    case moved = "/moved"
    case revoke = "/revoke"
    case auth = "/auth"
    case health = "/health"
    case ready = "/ready"
    case metrics = "/metrics"

    var name: String { String(rawValue.dropFirst()) }
  }

  private func respond(
    to request: Request, at address: Address, _ target: RequestTarget, by channel: (any Channel)?
  ) async throws -> Step {
    func answered(_ response: Response) -> Step { .answered(response, at: address.name) }
    switch (address, request.method) {
    case (.health, .get): return answered(.plain(.ok, "ok\n"))
    case (.ready, .get):
      return answered(
        node.problem.map { .plain(.serviceUnavailable, $0 + "\n") } ?? .plain(.ok, "ok\n"))
    case (.metrics, .get): return answered(.plain(.ok, metricsPage()))
    case (.auth, .get): return answered(try await authorize(request))
    default: break
    }
    let grant = try await grant(of: request)
    let use = try quotas.enter(grant.subject, by: channel, at: node.limits.now())
    defer { withExtendedLifetime(use) {} }
    try await requireFewRefusals(request)
    if request.method == .get {
      try await quotas.requireReading(grant.subject, at: node.limits.now())
    }
    switch (address, request.method) {
    case (.feed, .get): return try await feed(target, request, grant, use)
    case (.feed, .post): return answered(try await takeEdit(request, grant, use))
    case (.append, .post): return answered(try await append(request, grant, use))
    case (.list, .get): return answered(try await tree(target, request, grant, use))
    case (.list, .put): return answered(try await replace(target, request, grant, use))
    case (.list, .delete): return answered(try await delete(target, request, grant))
    case (.lists, .get): return answered(try await lists(target, grant, use))
    case (.copy, .post): return answered(try await copy(target, request, grant, use))
    case (.moved, .get): return answered(try await moved(target, grant, use))
    case (.revoke, .post): return answered(try await revoke(request, grant, use))
    default:
      throw RelayFailure(.notFound, "\(request.method) is not taken at \(address.rawValue)")
    }
  }

  /// Who asks.
  func grant(of request: Request) async throws -> Grant {
    guard request.headers[values: .authorization].count <= 1 else {
      throw RelayFailure(.unauthorized, "there are two tokens")
    }
    return try await gatekeeper.grant(
      request.headers[.authorization], at: node.limits.now(), isRevoked: node.isRevoked)
  }

  /// Refuses who may not do something with a list.
  func require(_ right: Right, to list: String, _ grant: Grant) throws {
    guard let granted = grant.right(to: list), granted >= right else {
      throw RelayFailure(.forbidden, "this token does not grant \(right.rawValue) of the list")
    }
  }

  /// Counts the lists that have no line yet, and are about to get one.
  ///
  /// Lists that a token names, and those of who may write to all, are not counted.
  ///
  /// - Returns: The prefixes that count them, for ``uncount(_:)``.
  @discardableResult
  func countNew(_ lists: some Sequence<ListID>, _ grant: Grant) async throws -> [TextKey: Int] {
    var counts: [TextKey: Int] = [:]
    for list in lists {
      guard let prefix = grant.prefix(of: list.rawValue),
        try await node.with(list, { desk in try await desk.end() }) == nil
      else { continue }
      counts[TextKey(prefix), default: 0] += 1
    }
    let most = quotas.quota.lists
    for (prefix, count) in counts {
      guard try await listCounts.add(count, under: prefix.text, most: most, at: node.limits.now())
      else {
        throw RelayFailure(
          .forbidden, "there may be \(most) lists under \(prefix.text), and not more")
      }
    }
    return counts
  }

  /// Counts lists no more that were not made after all.
  func uncount(_ counts: [TextKey: Int]) {
    for (prefix, count) in counts { listCounts.remove(count, under: prefix.text) }
  }

  private func metricsPage() -> String {
    let counts = node.counts()
    Gauge(label: "relay_lists", dimensions: [], factory: metrics).record(counts.lists)
    Gauge(label: "relay_waiting", dimensions: [], factory: metrics).record(counts.waiting)
    return metrics.page
  }
}

/// How a node serves.
struct ServingSettings: Sendable {
  /// The seconds that a shared cache may keep the newest lines; `nil` if nothing is shared.
  var sharedAge: Int?
  /// The longest body, in bytes.
  var mostBodyBytes = 16 << 20
  /// How long a body may take to come.
  var bodyPatience = Duration.seconds(60)
  /// How long a client may take for a part of an answer.
  var readingPatience = Duration.seconds(60)
  /// How often an event stream says that it is alive.
  var heartbeat = Duration.seconds(10)
}

extension Response {
  /// A short text.
  static func plain(_ status: HTTPResponse.Status, _ text: String) -> Response {
    Response(
      status: status,
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  /// A value as JSON.
  static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Response(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
  }

  /// The answer to a request that failed.
  static func failure(_ failure: RelayFailure) -> Response {
    var response = Response.plain(failure.kind.status, failure.message + "\n")
    switch failure.kind {
    case .tooMuch(let seconds): response.headers[.retryAfter] = "\(seconds)"
    case .unavailable: response.headers[.retryAfter] = "1"
    case .unauthorized: response.headers[.wwwAuthenticate] = "Bearer"
    case .conflict: response.headers[.eTag] = failure.end.map { "\"\($0)\"" }
    default: break
    }
    return response
  }
}

extension RelayFailure.Kind {
  var status: HTTPResponse.Status {
    switch self {
    case .unavailable: .serviceUnavailable
    case .conflict: .preconditionFailed
    case .wrongRequest: .badRequest
    case .unauthorized: .unauthorized
    case .forbidden: .forbidden
    case .notFound: .notFound
    case .gone: .gone
    case .tooMuch: .tooManyRequests
    case .tooLong: .contentTooLarge
    case .tooSlow: .requestTimeout
    }
  }
}
