import Foundation
import Logging
import Relay
import RelayEngine
import RelaySupport
import ServiceLifecycle

/// A node in this process, at a port of its own.
final class TestRelay: Sendable {
  let port: Int
  private let serving: Task<Void, any Error>
  private let group: ServiceGroup

  /// Starts a node over an engine.
  ///
  /// `folder`: Where its copies are; `nil` for none.
  init(
    _ engine: RelayConfiguration.EngineAddress, folder: URL? = nil,
    _ configure: (inout RelayConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = RelayConfiguration(engine: engine)
    configuration.folder = folder
    configuration.port = 0
    configure(&configuration)
    var logger = Logger(label: "relay")
    logger.logLevel = .critical
    let server = try await RelayServer(configuration, logger: logger)
    let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
    self.group = group
    serving = Task { try await group.run() }
    port = await server.boundPort
    // Until it has asked its engine.
    for _ in 0..<500 {
      if try await get("/ready").status == 200 { break }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  var feed: URL { url("/feed") }

  func url(_ target: String) -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(target)") else {
      preconditionFailure("no address: \(target)")
    }
    return url
  }

  /// Ends the node as a service manager does.
  func stop() async throws {
    await group.triggerGracefulShutdown()
    try await serving.value
  }

  /// An answer, read to its end.
  struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    var lines: [Substring] { text.split(separator: "\n") }
  }

  /// Whether so many requests wait for lines, or for lists to move, within a minute.
  func isWaited(by count: Int) async throws -> Bool {
    for _ in 0..<3_000 {
      if try await get("/metrics").text.contains("relay_waiting \(count).0\n") { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return false
  }

  func get(_ target: String, token: String? = nil) async throws -> Answer {
    try await send("GET", target, token: token)
  }

  /// Sends a request as it is written, and reads the answer until the node closes the connection.
  func send(
    _ method: String, _ target: String, _ body: String? = nil, token: String? = nil,
    headers: [String: String] = [:]
  ) async throws -> Answer {
    try await RawRequest.send(
      method, target, body, port: port,
      headers: headers.merging(
        token.map { ["Authorization": "Bearer \($0)"] } ?? [:], uniquingKeysWith: { $1 }))
  }
}

extension TestEngine {
  /// The address of a new, empty engine.
  func address() async throws -> RelayConfiguration.EngineAddress {
    switch self {
    case .sqlite:
      return .file(try TestFolder.make().appendingPathComponent("log.sqlite"))
    case .postgres:
      let address = try await TestPostgres.shared.get().database()
      let engine = PostgresEngine([address])
      try await engine.migrate()
      await engine.close()
      return .postgres([address])
    }
  }
}
