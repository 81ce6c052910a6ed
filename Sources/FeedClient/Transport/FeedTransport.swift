public import Foundation

/// Sends the requests of a ``FeedClient``.
///
/// ``URLSessionTransport`` is the default. An app that has an HTTP client of its own conforms a type
/// to this protocol; <doc:FollowingAServer> shows it.
public protocol FeedTransport: Sendable {
  /// Sends a request and waits for the head of the answer.
  ///
  /// The body is handed out as it arrives, not at its end. Both wait for `request.idleTimeout` at most
  /// until a byte arrives, and end when their task is cancelled, which the client does then.
  ///
  /// - Returns: The answer, whatever its status is.
  /// - Throws: Any error if there is no answer; the client tries again later.
  func send(_ request: FeedClient.Request) async throws -> FeedClient.Response
}

extension FeedClient {
  /// An HTTP request of a feed client: `GET` for lines, `POST` for an edit.
  public struct Request: Sendable {
    /// The address; for lines, with the position in its query.
    public var url: URL
    /// The header fields by name.
    public var headers: [String: String]
    /// The body; `nil` if the request has none.
    public var body: Data?
    /// The longest time without a byte from the server.
    public var idleTimeout: Duration
    /// Whether an answer from a cache is as good: a range of a feed never changes.
    public var isCacheable: Bool

    /// The method: `POST` with a body, `GET` without one.
    public var method: String { body == nil ? "GET" : "POST" }

    package init(
      url: URL, headers: [String: String], body: Data? = nil, idleTimeout: Duration,
      isCacheable: Bool = false
    ) {
      self.url = url
      self.headers = headers
      self.body = body
      self.idleTimeout = idleTimeout
      self.isCacheable = isCacheable
    }
  }

  /// The head of an HTTP response, and its body as it arrives.
  public struct Response: Sendable {
    /// The status code, such as 200.
    public let status: Int
    /// The header fields; their names in lower case.
    public let headers: [String: String]
    /// The body, without its transfer coding and content coding.
    public let body: Body

    /// Makes a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields; names in any case.
    ///   - body: The body.
    public init(status: Int, headers: [String: String], body: Body) {
      self.status = status
      self.headers = Dictionary(
        headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
      self.body = body
    }

    /// A body that arrives in parts.
    public struct Body: Sendable {
      private let nextPart: @Sendable () async throws -> Data?
      private let end: @Sendable () -> Void

      /// Makes a body of a sequence of parts.
      ///
      /// - Parameters:
      ///   - parts: The parts, as they arrive. The sequence throws an error if the connection breaks
      ///     before the end or if its task is cancelled.
      ///   - cancel: Ends the request. The client calls it once it needs no further part, also after
      ///     the end.
      public init<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, cancel: @escaping @Sendable () -> Void = {}
      ) where Parts.Element == Data {
        let reader = PartReader(parts.makeAsyncIterator())
        self.init(next: { try await reader.next() }, cancel: cancel)
      }

      /// `next`: Waits for the next part; `nil` at the end.
      package init(
        next: @escaping @Sendable () async throws -> Data?,
        cancel: @escaping @Sendable () -> Void
      ) {
        nextPart = next
        end = cancel
      }

      /// The next part; `nil` at the end.
      package func next() async throws -> Data? { try await nextPart() }

      /// Ends the request.
      func cancel() { end() }
    }
  }
}

/// An iterator that one task at a time uses.
private final class PartReader<Iterator: AsyncIteratorProtocol>: @unchecked Sendable
where Iterator.Element == Data {
  // Sendable: a client asks for a part when it has the one before, and in one task.
  private var parts: Iterator

  init(_ parts: Iterator) { self.parts = parts }

  func next() async throws -> Data? { try await parts.next() }
}
