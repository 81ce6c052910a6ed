import FeedClient
import Foundation

/// The server of the list `shelf`, and what the checks know of it.
@MainActor protocol ListServer: AnyObject {
  /// Its address for clients.
  var address: String { get }
  /// The list that it has.
  var model: ModelList { get }
  /// Whether the list was as a device has it at one of its lines, as far as anybody knows.
  func mayHaveBeen(_ list: ModelList) -> Bool
  /// Whether an app may ever have got the list as a whole: what that lacks may come yet.
  var mayBeginAnew: Bool { get }
  /// The lines that have edits, by the edits' ids; 0 for one that a reset has made void.
  var taken: [String: Int] { get }
  /// What it has done that no server may do.
  var problem: Violation? { get }

  /// Something that it does by itself, or that happens to it.
  func act(_ step: Schedule.Step, _ random: inout Randomness) throws

  /// A user has made an edit, of a list that is as the server has it.
  func expect(_ edit: String, toMake list: ModelList)

  /// Answers a request of a process that has arrived.
  ///
  /// - Throws: If the connection breaks.
  func answer(
    _ request: FeedClient.Request, of device: Device, from process: Int
  ) async throws -> ServerAnswer

  /// Takes an edit whose sender does not wait for the answer any more.
  func takeLate(_ edit: Data, of device: Device)

  /// Ends what has lost its disk.
  func endGoneProcesses()

  /// Mends what failed, and starts what does not run.
  func mend()

  /// Everything has come to rest since it was mended.
  func forgetTrouble()

  /// Whether something of its own is under way.
  var isBusy: Bool { get }

  /// Finds what is wrong with what it keeps; time passes meanwhile.
  func checkAtRest(_ pass: (_ milliseconds: Int) throws -> Void) throws

  /// Ends, and everything of it.
  func end()
}

/// An answer as it leaves a server.
struct ServerAnswer: Sendable {
  var status: Int
  var headers: [String: String] = [:]
  var body = Body.text("")

  enum Body: Sendable {
    case text(String)
    /// Lines or events, each of which may come twice or not at all.
    case lines([String])
    /// The same, as they are written; each part has whole ones.
    case stream(AsyncThrowingStream<String, any Error>)

    var isOfLines: Bool { if case .lines = self { true } else { false } }
  }

  /// Whether it has no line yet.
  var isEmpty: Bool { if case .lines(let lines) = body { lines.isEmpty } else { false } }
}

extension FeedClient.Request {
  var wantsEvents: Bool { headers["Accept"]?.contains("event-stream") == true && !isCacheable }
}
