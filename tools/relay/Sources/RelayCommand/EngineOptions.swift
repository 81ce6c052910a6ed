import ArgumentParser
import Foundation
import Logging
import Relay
import RelayEngine

/// Where the logs are.
struct EngineOptions: ParsableArguments {
  @Option(
    help: "An SQLite file with the logs; made if it is not there. The default is relay.sqlite.")
  var file: String?

  @Option(
    help: "PostgreSQL instead: a URL as libpq reads it. Once for each server; the latest is used.")
  var postgres: [String] = []

  func validate() throws {
    if file != nil, !postgres.isEmpty {
      throw ValidationError("the logs are in a file or in PostgreSQL, not in both")
    }
  }

  var address: RelayConfiguration.EngineAddress {
    postgres.isEmpty ? .file(URL(fileURLWithPath: file ?? "relay.sqlite")) : .postgres(postgres)
  }

  /// Opens the engine, uses it, and closes it.
  ///
  /// `makes`: Whether a file that is not there is made.
  func use<Value>(
    makes: Bool = false, _ body: (any Engine) async throws -> Value
  ) async throws -> Value {
    let engine: any Engine
    if case .file(let url) = address, !makes {
      engine = try SQLiteEngine(at: url, mayMake: false)
    } else {
      engine = try await RelayConfiguration(engine: address).openEngine()
    }
    do {
      let value = try await body(engine)
      await engine.close()
      return value
    } catch {
      await engine.close()
      throw error
    }
  }
}

/// How long lines stay.
struct RetentionOptions: ParsableArguments {
  @Option(help: "How many days a line stays before a snapshot alone stands for it.")
  var keepDays: Double = 7

  @Option(help: "How many days the answer to an edit stays.")
  var keepAnswersDays: Double = 90

  func validate() throws {
    guard keepDays >= 0, keepAnswersDays >= keepDays, keepAnswersDays < 1e6 else {
      throw ValidationError("answers stay as long as lines or longer, and neither is negative")
    }
  }

  var retention: Retention {
    var retention = Retention()
    retention.lines = Int(keepDays * 86_400_000)
    retention.answers = Int(keepAnswersDays * 86_400_000)
    return retention
  }
}

extension Logger {
  /// The commands' logger.
  static let command = Logger(label: "cellar-relay")
}

/// Writes a line to the standard error output.
func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
