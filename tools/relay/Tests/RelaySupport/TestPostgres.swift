import Foundation
package import RelayEngine

/// A PostgreSQL server for the tests of one process, each of which gets a database of its own.
package final class TestPostgres: Sendable {
  /// Whether this machine has PostgreSQL.
  package static let isInstalled = (try? run("has")) != nil

  /// The server, started when it is first needed.
  package static let shared = Result { try TestPostgres() }

  private let folder: URL
  private let address: String

  private init() throws {
    // In /tmp: the server may run as another user, who may not see into a folder of this one.
    folder = URL(fileURLWithPath: "/tmp/cellar-relay-\(ProcessInfo.processInfo.processIdentifier)")
    address = try Self.run(
      "start", folder.path, "\(20_000 + UInt16.random(in: 0..<10_000))", "fsync = off")
    Self.folderToRemove = folder
    atexit {
      guard let folder = TestPostgres.folderToRemove else { return }
      _ = try? TestPostgres.run("stop", folder.path)
      try? FileManager.default.removeItem(at: folder)
    }
  }

  // Written once, before anything reads it: by the initialiser of a static.
  nonisolated(unsafe) private static var folderToRemove: URL?

  /// An engine in a new database, with its tables.
  package func engine() async throws -> PostgresEngine {
    let engine = PostgresEngine([try await database()])
    try await engine.migrate()
    return engine
  }

  /// The address of a new database; with what another one has, whose connections are closed.
  package func database(like other: String? = nil) async throws -> String {
    let template = other.flatMap { $0.split(separator: "/").last }.map { " TEMPLATE \($0)" } ?? ""
    let name = "relay_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
    try Self.query(address, "CREATE DATABASE \(name)\(template)")
    return address.replacingOccurrences(of: "/postgres", with: "/\(name)")
  }

  /// Runs `tools/relay/postgres`.
  package static func run(_ arguments: String...) throws -> String {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try output(of: package.appendingPathComponent("postgres"), arguments)
  }

  /// Runs statements by `psql`, one after another.
  ///
  /// - Returns: The rows as text.
  @discardableResult
  package static func query(_ address: String, _ statements: String...) throws -> String {
    try output(
      of: URL(fileURLWithPath: "/usr/bin/env"),
      ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", address] + statements.flatMap { ["-c", $0] })
  }

  private static func output(of program: URL, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    // Not a pipe: the server that is started would keep it open.
    let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
    return try String(contentsOf: output, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// An engine that the tests run against.
package enum TestEngine: String, CaseIterable, Sendable {
  case sqlite
  case postgres

  /// Those that this machine has.
  package static let available = allCases.filter { $0 == .sqlite || TestPostgres.isInstalled }

  /// A new, empty engine.
  package func make() async throws -> any Engine {
    switch self {
    case .sqlite:
      return try SQLiteEngine(at: try TestFolder.make().appendingPathComponent("log.sqlite"))
    case .postgres:
      return try await TestPostgres.shared.get().engine()
    }
  }
}
