public import Foundation
import ListModel

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Writes and reads lists at a relay: for the server of an app.
///
/// ```swift
/// let relay = RelayClient(URL(string: "https://relay.example.org")!) { _ in
///   ["Authorization": "Bearer \(token)"]
/// }
/// try await relay.append([.insertItem(order, in: "today")], to: "orders", id: "order-17")
/// ```
///
/// A request without an answer is sent again for as long as ``patience`` lasts. What is written is
/// made once all the same: a commit has an id, and a relay answers what it has made already as it did
/// the first time. Devices follow the lists with `FeedClient`, which this product does not need.
///
/// Calls throw `StoreError`: ``/ListModel/StoreError/Code/feedUnavailable`` if there was no answer in
/// time, and ``/ListModel/StoreError/Code/feedRefused`` for one that says that the address, the token
/// or the request is wrong. What a list does not take is ``Refusal``, and a list that ends elsewhere
/// than the call says is ``Conflict``.
public struct RelayClient: Sendable {
  /// The relay's address, to which `/append`, `/list` and others are added.
  public let url: URL
  private let headers: @Sendable (_ wereRefused: Bool) async throws -> [String: String]
  private let sessions: SessionOwner

  /// How long a request that finds no relay is sent again before a call throws an error.
  public var patience: Duration = .seconds(30)
  /// The longest time without a byte of an answer before a connection counts as broken.
  public var idleTimeout: Duration = .seconds(60)
  /// How many bytes of commits go into one request; a relay takes 16 MiB.
  var mostBodyBytes = 4 << 20
  /// How many commits go into one request: as many as a relay takes.
  static let mostCommits = 10_000

  /// Makes a client; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - url: The relay's address. Use `https` unless the network is your own: a token in a request
  ///     can be read on the way otherwise.
  ///   - configuration: The configuration of the session that sends the requests. Redirections are
  ///     not followed, because a request may carry a token.
  ///   - headers: Header fields for each request, such as `Authorization`. It is asked before each
  ///     request, and once more, with `true`, after the relay has answered 401.
  public init(
    _ url: URL, configuration: URLSessionConfiguration = .ephemeral,
    headers: @escaping @Sendable (_ wereRefused: Bool) async throws -> [String: String] = { _ in
      [:]
    }
  ) {
    self.url = url
    self.headers = headers
    sessions = SessionOwner(configuration)
  }

  // MARK: Requests

  struct Request {
    var method = "GET"
    /// The address below the relay's own.
    var path: String
    var query: [(name: String, value: String)] = []
    var headers: [String: String] = [:]
    var body: Data?
    /// Whether sending it again does no more than sending it once.
    var canRepeat = true
    /// How long the relay may wait before it answers.
    var wait: Duration = .zero
    /// The status that says that what the request goes on from is too old; `nil` if none does.
    var statusOfOutdated: Int?
  }

  struct Answer {
    let status: Int
    let body: [UInt8]
    let end: End?
    /// Whether an attempt before had no answer, and may have been made.
    let isRepeated: Bool
  }

  /// Sends a request until it has an answer of the relay.
  ///
  /// - Throws: `StoreError`; ``Conflict``; `CancellationError`; what the closure for headers throws.
  func answer(to request: Request) async throws -> Answer {
    let deadline = ContinuousClock.now + patience
    var pause = Pause()
    var isRepeated = false
    var wereRefused = false
    while true {
      let message = try message(request, try await headers(wereRefused))
      let problem: String
      var cause: (any Error)?
      do {
        let (data, response) = try await sessions.answer(to: message)
        let status = response.statusCode
        switch status {
        case 200..<300, 404, 409, request.statusOfOutdated ?? 404:
          return Answer(
            status: status, body: Array(data), end: End(entityTag: response.value("etag")),
            isRepeated: isRepeated)
        case 412: throw Conflict(end: End(entityTag: response.value("etag")))
        case 401 where !wereRefused:
          wereRefused = true
          continue
        case 408, 421, 425, 429, 500...:
          problem = "answers \(status): \(Self.excerpt(data))"
          if let seconds = response.value("retry-after").flatMap({ Int($0) }) {
            pause.reach(.seconds(min(max(seconds, 0), 3_600)))
          }
        default:
          throw error(.feedRefused, "refuses \(request.path) with \(status): \(Self.excerpt(data))")
        }
      } catch let failure as URLError {
        try Task.checkCancellation()
        (problem, cause) = ("gives no answer: \(failure.localizedDescription)", failure)
      }
      guard request.canRepeat, ContinuousClock.now + pause.length < deadline else {
        let advice =
          request.method == "GET" ? "" : "; whether it has done what was asked is unknown"
        throw error(.feedUnavailable, problem + advice, cause)
      }
      isRepeated = true
      try await pause.take()
    }
  }

  private func message(_ request: Request, _ headers: [String: String]) throws -> URLRequest {
    var address = URLComponents(
      url: url.appendingPathComponent(request.path), resolvingAgainstBaseURL: true)
    // Percent signs for all but letters and digits: a relay takes no other spelling for the same.
    let pairs = request.query.compactMap { pair in
      pair.value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        .map { "\(pair.name)=\($0)" }
    }
    address?.percentEncodedQuery = pairs.isEmpty ? nil : pairs.joined(separator: "&")
    guard let url = address?.url else { throw error(.feedRefused, "is at an address that is none") }
    var message = URLRequest(url: url)
    message.httpMethod = request.method
    message.httpBody = request.body
    message.cachePolicy = .reloadIgnoringLocalCacheData
    message.timeoutInterval = (idleTimeout + request.wait) / .seconds(1)
    for (name, value) in headers.merging(request.headers, uniquingKeysWith: { $1 }) {
      message.setValue(value, forHTTPHeaderField: name)
    }
    return message
  }

  /// An error that names the relay, without what an address may hold besides.
  func error(
    _ code: StoreError.Code, _ what: String, _ cause: (any Error)? = nil
  ) -> StoreError {
    let name = [url.host, url.port.map { ":\($0)" }].compactMap(\.self).joined()
    return StoreError(code, "the relay at \(name) \(what)", cause: cause)
  }

  private static func excerpt(_ data: Data) -> String {
    String(decoding: data.prefix(300), as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
  }
}

/// The time between two tries, which grows from one to the next.
struct Pause: Sendable {
  private(set) var length = Duration.milliseconds(100)

  /// Lasts so long at least.
  mutating func reach(_ least: Duration) { length = max(length, least) }

  /// Waits.
  mutating func take() async throws {
    // A part is left out by chance, so that not all come back at once.
    try await Task.sleep(for: length * Double.random(in: 0.5...1))
    length = min(length * 2, .seconds(5))
  }
}

/// Ends a session when the last copy of its client is gone.
private final class SessionOwner: Sendable {
  private let session: URLSession

  init(_ configuration: URLSessionConfiguration) {
    let uncached = configuration.copy() as? URLSessionConfiguration ?? configuration
    // No answer comes from a cache, and with one Foundation on Linux traps when a request is cancelled
    // (swift-corelibs-foundation#3296).
    uncached.urlCache = nil
    session = URLSession(configuration: uncached, delegate: SessionRules(), delegateQueue: nil)
  }

  // A session keeps its delegate until then.
  deinit { session.finishTasksAndInvalidate() }

  func answer(to message: URLRequest) async throws -> (Data, HTTPURLResponse) {
    let (answers, arrival) = AsyncThrowingStream<(Data, HTTPURLResponse), any Error>.makeStream()
    // Not `data(for:)`: on Linux it waits for itself if it is cancelled as its answer comes. This one
    // is called on the delegate's queue, for which nobody waits who cancels.
    let task = session.dataTask(with: message) { data, response, error in
      if let data, let response = response as? HTTPURLResponse { arrival.yield((data, response)) }
      arrival.finish(throwing: error)
    }
    arrival.onTermination = { if case .cancelled = $0 { task.cancel() } }
    task.resume()
    do {
      for try await answer in answers { return answer }
    } catch let error as URLError where error.code == .cancelled && !Task.isCancelled {
      // Only `SessionRules` cancels a request otherwise.
      let response = message.url.flatMap {
        HTTPURLResponse(url: $0, statusCode: 401, httpVersion: nil, headerFields: nil)
      }
      if let response { return (Data("it asks for a password".utf8), response) }
    }
    // The stream of a cancelled task ends without an error.
    try Task.checkCancellation()
    throw URLError(.badServerResponse)
  }
}

/// Follows no redirection: a request may carry a token, and a relay sends nobody elsewhere.
private final class SessionRules: NSObject, URLSessionTaskDelegate, Sendable {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }

  #if canImport(FoundationNetworking)
    // By default Foundation on Linux would neither answer nor end a request for which a server, or a proxy
    // on the way, asks for a password that nobody has.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let hasOne = challenge.proposedCredential != nil
      completionHandler(hasOne ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
    }
  #endif
}

extension HTTPURLResponse {
  fileprivate func value(_ name: String) -> String? { value(forHTTPHeaderField: name) }
}
