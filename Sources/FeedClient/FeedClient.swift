public import Foundation
public import ListSync

/// Brings lists to what a server has, and keeps them there: a feed over HTTP.
///
/// ```swift
/// let client = FeedClient(URL(string: "https://example.org/feeds/shelf")!)
/// let following = Task { try await client.follow(shelf) }
/// ```
///
/// The store remembers the last line that each list took, so each request asks for the lines after
/// it. A broken connection, a server that is down and an answer that is no feed are tried again, with
/// growing pauses; each line is applied once, as one commit. Edits that the app makes by `editPending`
/// are sent by ``sendPendingEdits(of:as:progress:)``. <doc:FollowingAServer> has the rest, and the
/// article "The feed format" of `ListSync` what a server must answer.
public struct FeedClient: Sendable {
  /// The feed's address, to whose query the position is added.
  public let url: URL
  /// What sends the requests.
  public let transport: any FeedTransport
  private let headers: @Sendable (_ wereRefused: Bool) async throws -> [String: String]

  /// How long a server may wait for a new line before it answers that there is none.
  public var wait: Duration = .seconds(25)
  /// The shortest time between two requests to a server that answers at once.
  public var pollInterval: Duration = .seconds(5)
  /// The longest time without a byte before a connection counts as broken; longer than ``wait``.
  public var idleTimeout: Duration = .seconds(60)
  /// The longest time that a line may take from its first byte to its end before a connection counts
  /// as broken, however many bytes come meanwhile.
  public var lineTimeout: Duration = .seconds(600)
  /// Whether `http` is allowed to other machines than this one.
  ///
  /// Anybody on the way can then read the requests with their tokens, and send lines of their own.
  public var allowsInsecureHTTP = false
  /// The pause after the first failure.
  ///
  /// It doubles with each failure that follows. A random part of up to a half is taken off, so that
  /// not all clients come back at once.
  public var firstPause: Duration = .milliseconds(500)
  /// The longest pause, unless the server asks for a longer one (`Retry-After`, at most an hour).
  public var longestPause: Duration = .seconds(60)

  /// The clock and the randomness, for tests.
  package var pace = FeedPace()
  /// The bytes that an edit has at most, as many as a line of a feed; fewer in tests.
  package var longestEdit = FeedLines.maximumByteCount

  /// The bytes that an answer has at most without a line, twice as many as a line has: there may be
  /// comments between lines, and an event stream adds something; fewer in tests.
  package var mostSilentBytes = 2 * FeedLines.maximumByteCount

  /// Makes a client; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - url: The feed's address. It may have a query of its own.
  ///   - transport: What sends the requests.
  ///   - headers: Header fields for each request, such as `Authorization`. It is asked before each
  ///     request, and once more, with `true`, after the server has answered 401. An error that it
  ///     throws ends the call.
  public init(
    _ url: URL, transport: any FeedTransport = URLSessionTransport(),
    headers: @escaping @Sendable (_ wereRefused: Bool) async throws -> [String: String] = { _ in
      [:]
    }
  ) {
    self.url = url
    self.transport = transport
    self.headers = headers
  }

  /// The feed's name in errors: its address without a query, which may hold a secret.
  var name: String {
    var address = URLComponents(url: url, resolvingAgainstBaseURL: true)
    address?.query = nil
    address?.fragment = nil
    address?.user = nil
    address?.password = nil
    return address?.string ?? "feed"
  }

  /// The header fields that the app adds.
  func headers(afterRefusal: Bool) async throws -> [String: String] {
    try await headers(afterRefusal)
  }

  /// The longest pause that a server may ask for.
  private static let longestAskedPause: Duration = .seconds(3_600)

  /// The pause after so many failures in a row.
  ///
  /// `asked`: What the server asks for at least.
  func pause(afterFailures count: Int, asked: Duration?) -> Duration {
    // Longer ones could not be doubled.
    let doubled = min(firstPause, LiveList.longestPause) * (1 << min(count - 1, 20))
    let pause = min(doubled, longestPause) * (1 - pace.random() / 2)
    return max(pause, min(asked ?? .zero, Self.longestAskedPause))
  }

  /// What a client does.
  public enum State: Sendable {
    /// A request was sent.
    case connecting
    /// A line came. The report counts the lines since the beginning of the call.
    case receiving(FeedReport)
    /// The list is as the server has it; for a call that sends edits, no edit waits to be sent.
    case upToDate
    /// The next attempt comes at this time, because the last one failed.
    case waiting(until: Date, because: any Error)
  }
}
