import ArgumentParser
import Foundation
import Logging
import Relay
import RelayEngine
import ServiceLifecycle
import UnixSignals

/// Serves lists until it is told to end.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve lists over HTTP.",
    discussion: """
      Without --keys it serves this machine alone, without tokens. TERM or INT ends it gracefully: \
      edits that were acknowledged are in the log long before.
      """)

  @OptionGroup var engine: EngineOptions
  @OptionGroup var retention: RetentionOptions

  @Option(help: "A folder for the node's copies of lists. It may be deleted when the node is down.")
  var folder: String?
  @Option(help: "The address to listen at.") var host = "127.0.0.1"
  @Option(help: "The port to listen at; 0 for any.") var port = 8080
  @Option(help: "The keys of tokens: a file with a JSON Web Key Set, or an https address of one.")
  var keys: String?
  @Option(help: "What the iss of a token must be.") var issuer = ""
  @Option(help: "What the aud of a token must contain.") var audience = ""
  @Option(
    help: "Seconds that a shared cache may keep the newest lines; then there are no event streams.")
  var sharedAge: Int?
  @Option(help: "Edits and appended lines a second of one user.") var editsPerSecond = 1_000.0
  @Option(help: "Bytes of edits a second of one user.") var bytesPerSecond = 16_777_216.0
  @Option(help: "Bytes of lines and trees that one user reads a second.")
  var readBytesPerSecond = 33_554_432.0
  @Option(help: "Requests of one user at once.") var connections = 1_000
  @Option(help: "Bytes of bodies and trees in memory at once; one user has a sixteenth of it.")
  var bodyBytes = 536_870_912
  @Option(help: "The most lists under a prefix that tokens grant.") var lists = 10_000
  @Option(
    help: "Refused requests a second of one token, or of all at one address who have none.")
  var refusalsPerSecond = 100.0
  @Option(help: "Milliseconds between two looks for lines of other nodes.") var lookEvery = 20
  @Option(help: "Seconds between two rounds of compaction.") var compactEvery = 60
  @Option(help: "How many items of lists stay in memory.") var mostItems = 5_000_000
  @Option(help: "How many lists stay in memory.") var mostLists = 100_000
  @Option(help: "Connections to PostgreSQL.") var postgresConnections = 8
  @Option(help: "Milliseconds that PostgreSQL may take for an answer.") var postgresPatience =
    10_000
  @Option(help: "trace, debug, info, notice, warning, error or critical.")
  var logLevel = "notice"

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535") }
    guard Logger.Level(rawValue: logLevel) != nil else {
      throw ValidationError("--log-level is trace, debug, info, notice, warning, error or critical")
    }
    guard sharedAge.map({ (0...60).contains($0) }) ?? true else {
      throw ValidationError("--shared-age is 0 to 60")
    }
    guard bodyBytes >= 256 << 20 else {
      throw ValidationError("--body-bytes is \(256 << 20) or more: sixteen of the longest bodies")
    }
    for (name, rate) in [
      ("--edits-per-second", editsPerSecond), ("--bytes-per-second", bytesPerSecond),
      ("--read-bytes-per-second", readBytesPerSecond),
      ("--refusals-per-second", refusalsPerSecond),
    ] {
      guard rate > 0, rate.isFinite else {
        throw ValidationError("\(name) is more than 0, and finite")
      }
    }
    for (name, count) in [
      ("--connections", connections), ("--lists", lists), ("--most-items", mostItems),
      ("--most-lists", mostLists), ("--postgres-connections", postgresConnections),
    ] {
      guard count > 0 else { throw ValidationError("\(name) is more than 0") }
    }
    for (name, time, unit) in [
      ("--look-every", lookEvery, 1_000), ("--compact-every", compactEvery, 1),
      ("--postgres-patience", postgresPatience, 1_000),
    ] {
      guard (1...86_400 * unit).contains(time) else {
        throw ValidationError("\(name) is more than 0, and a day at most")
      }
    }
  }

  func run() async throws {
    var configuration = RelayConfiguration(engine: engine.address)
    configuration.folder = folder.map { URL(fileURLWithPath: $0, isDirectory: true) }
    configuration.host = host
    configuration.port = port
    configuration.keys = keys.map { text in
      if text.contains("://"), let url = URL(string: text) {
        .address(url)
      } else {
        .file(URL(fileURLWithPath: text))
      }
    }
    configuration.issuer = issuer
    configuration.audience = audience
    configuration.sharedAge = sharedAge
    configuration.quota = Quota(
      editsPerSecond: editsPerSecond, bytesPerSecond: bytesPerSecond,
      readBytesPerSecond: readBytesPerSecond, connections: connections, bodyBytes: bodyBytes,
      lists: lists, refusalsPerSecond: refusalsPerSecond)
    configuration.lookEvery = lookEvery
    configuration.compactEvery = compactEvery
    configuration.mostItems = mostItems
    configuration.mostLists = mostLists
    configuration.retention = retention.retention
    configuration.postgres.connections = postgresConnections
    configuration.postgres.patience = postgresPatience
    var logger = Logger.command
    logger.logLevel = Logger.Level(rawValue: logLevel) ?? .notice
    let server = try await RelayServer(configuration, logger: logger)
    let group = ServiceGroup(
      configuration: .init(
        services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do { try await group.run() } catch {
      throw RelayConfigurationError(listening: error, at: host, port) ?? error
    }
  }
}
