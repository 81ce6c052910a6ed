import StoreFiles

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends requests by `URLSession`.
///
/// Parts of a body are handed out as they arrive, and unpacked if the server packs them. A redirection
/// to another scheme, host or port is not followed, because the request may carry a token. Nor is one
/// of a `POST`, which would lose its body.
///
/// On Linux, libdispatch may end the process ("Source finalized twice") where a connection is refused or
/// reset while another thread looks at it: seen twice in a million refused connections.
public struct URLSessionTransport: FeedTransport {
  private let owner: SessionOwner

  /// Makes a transport with a session of its own.
  ///
  /// - Parameter configuration: The session's configuration. For cached ranges, give it a
  ///   `URLCache`; on Linux it is left out, because Foundation traps there when a request is cancelled
  ///   that waits for its cache
  ///   ([swift-corelibs-foundation#3296](https://github.com/swiftlang/swift-corelibs-foundation/issues/3296)).
  public init(configuration: URLSessionConfiguration = .ephemeral) {
    owner = SessionOwner(configuration)
  }

  /// Sends a request and waits for the head of the answer.
  public func send(_ request: FeedClient.Request) async throws -> FeedClient.Response {
    var message = URLRequest(url: request.url)
    message.httpMethod = request.method
    message.httpBody = request.body
    for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
    message.timeoutInterval = request.idleTimeout.seconds
    if !request.isCacheable { message.cachePolicy = .reloadIgnoringLocalCacheData }
    let arrival = owner.start(message)
    let head: HTTPURLResponse
    do { head = try await arrival.head() } catch {
      arrival.cancel()
      throw error
    }
    var headers: [String: String] = [:]
    for (name, value) in head.allHeaderFields {
      if let name = name as? String { headers[name] = "\(value)" }
    }
    return FeedClient.Response(
      status: head.statusCode, headers: headers,
      body: .init(next: { try await arrival.next() }, cancel: { arrival.cancel() }))
  }
}

extension URLSessionConfiguration {
  /// The same, without what makes cancelling a request trap on this system.
  fileprivate var cancellable: URLSessionConfiguration {
    #if canImport(FoundationNetworking)
      guard let copy = copy() as? URLSessionConfiguration else { return self }
      copy.urlCache = nil
      return copy
    #else
      return self
    #endif
  }
}

/// Ends a session when the last copy of its transport is gone.
private final class SessionOwner: Sendable {
  private let session: URLSession
  private let delegate = SessionDelegate()

  init(_ configuration: URLSessionConfiguration) {
    session = URLSession(
      configuration: configuration.cancellable, delegate: delegate, delegateQueue: nil)
  }

  // A session keeps its delegate until then.
  deinit { session.finishTasksAndInvalidate() }

  func start(_ request: URLRequest) -> ResponseArrival {
    let task = session.dataTask(with: request)
    let arrival = ResponseArrival(task)
    delegate.arrivals.withValue { $0[task.taskIdentifier] = arrival }
    task.resume()
    return arrival
  }
}

/// Brings what a session says to the response that it is about.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  let arrivals = Guarded<[Int: ResponseArrival]>([:])

  private func arrival(_ task: URLSessionTask) -> ResponseArrival? {
    arrivals.withValue { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    arrival(dataTask)?.receive(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    arrival(dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    arrivals.withValue { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let original = task.originalRequest
    let origin = original?.url
    let isSameOrigin =
      request.url?.scheme == origin?.scheme && request.url?.host == origin?.host
      && request.url?.port == origin?.port
    completionHandler(isSameOrigin && original?.httpMethod == "GET" ? request : nil)
  }

  #if canImport(FoundationNetworking)
    // By default Foundation on Linux would never end an answer in which a server, or a proxy on the way,
    // asks for a password that nobody has.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      if challenge.proposedCredential != nil {
        return completionHandler(.performDefaultHandling, nil)
      }
      arrival(task)?.end(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  #endif
}
