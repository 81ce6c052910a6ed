public import Foundation
import HTTPTypes
import Hummingbird
import ListModel
import Logging
import NIOCore
import RelayEngine

/// A node on a file, without a port: whoever has made it hands it the requests.
///
/// For programs that try a relay without a network of the system's, as a simulation does. It has no
/// keys, so it takes every request.
public final class EmbeddedNode: Sendable {
  private let server: RelayServer

  /// An answer to a request.
  public struct Answer: Sendable {
    /// The status of HTTP.
    public let status: Int
    /// The header fields, by names in lower case.
    public let headers: [String: String]
    /// The body, in the parts that the node writes; an event stream goes on until it is let go of.
    public let body: AsyncThrowingStream<[UInt8], any Error>
  }

  /// Opens a log, and the node's own folder.
  ///
  /// - Parameters:
  ///   - log: The SQLite file with the logs; made if it is not there.
  ///   - folder: For the node's copies of lists.
  ///   - lookEvery: The time between two looks for lines of other nodes, in milliseconds.
  ///   - report: Takes what the node logs as an error.
  /// - Throws: The error of the file or the folder.
  public init(
    log: URL, folder: URL, lookEvery: Int = 200, report: @escaping @Sendable (String) -> Void
  ) async throws {
    var configuration = RelayConfiguration(engine: .file(log))
    configuration.folder = folder
    configuration.lookEvery = lookEvery
    server = try await RelayServer(
      configuration, logger: Logger(label: "cellar-relay") { _ in ErrorReport(report) })
  }

  /// Does what no request asks for, until the task is cancelled: looks for lines of other nodes, writes
  /// its copies, compacts.
  public func run() async { await server.lookAfterLists() }

  /// Answers a request of HTTP.
  ///
  /// - Parameters:
  ///   - method: `GET`, `POST`, `PUT` or `DELETE`.
  ///   - target: Path and query.
  ///   - headers: Header fields.
  ///   - body: All of the body.
  /// - Returns: The answer, as soon as its head is there.
  public func answer(
    _ method: String, _ target: String, headers: [String: String], body: [UInt8]
  ) async -> Answer {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    let request = Request(
      head: HTTPRequest(
        method: HTTPRequest.Method(rawValue: method) ?? .get, scheme: "http", authority: nil,
        path: target, headerFields: fields),
      body: RequestBody(buffer: ByteBuffer(bytes: body)))
    let response = await server.responder.answer(request)
    let (parts, writing) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
    let task = Task {
      do {
        try await response.body.write(PartWriter(parts: writing))
        writing.finish()
      } catch { writing.finish(throwing: error) }
    }
    writing.onTermination = { _ in task.cancel() }
    return Answer(
      status: response.status.code,
      headers: Dictionary(
        response.headers.map { ($0.name.canonicalName, $0.value) },
        uniquingKeysWith: { "\($0), \($1)" }),
      body: parts)
  }

  /// Drops all lines of a list that a snapshot can stand for, as `cellar-relay compact` does.
  ///
  /// - Parameters:
  ///   - list: The id of the list.
  ///   - log: The SQLite file; nodes may use it meanwhile.
  /// - Throws: The error of the file.
  public static func compact(_ list: String, of log: URL) async throws {
    let engine = try await RelayConfiguration(engine: .file(log)).openEngine()
    var retention = Retention()
    retention.lines = 0
    let logger = Logger(label: "cellar-relay") { _ in SwiftLogNoOpLogHandler() }
    _ = try await RelayWork(engine, logger: logger).compact([list], retention)
    await engine.close()
  }

  /// What `cellar-relay check` finds wrong.
  ///
  /// - Parameter log: The SQLite file.
  /// - Returns: A sentence for each problem.
  /// - Throws: The error of the file.
  public static func problems(of log: URL) async throws -> [String] {
    let engine = try await RelayConfiguration(engine: .file(log)).openEngine()
    let (problems, found) = AsyncStream<String>.makeStream()
    _ = try await LogCheck(engine).run { found.yield($0) }
    found.finish()
    await engine.close()
    return await problems.reduce(into: []) { $0.append($1) }
  }
}

/// Writes a body as parts.
private struct PartWriter: ResponseBodyWriter {
  let parts: AsyncThrowingStream<[UInt8], any Error>.Continuation

  mutating func write(_ buffer: ByteBuffer) async throws {
    if case .terminated = parts.yield(Array(buffer.readableBytesView)) { throw CancellationError() }
  }

  consuming func finish(_ trailers: HTTPFields?) async throws {}
}

/// Hands on what is logged as an error.
private struct ErrorReport: LogHandler {
  let report: @Sendable (String) -> Void
  var logLevel = Logger.Level.error
  var metadata: Logger.Metadata = [:]

  init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { report("\(event.message) \(event.metadata ?? [:])") }
}
