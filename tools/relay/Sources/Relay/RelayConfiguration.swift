package import Foundation
package import RelayEngine

/// How a node runs.
package struct RelayConfiguration: Sendable {
  /// Where the logs are.
  package enum EngineAddress: Sendable {
    /// An SQLite file, for one machine.
    case file(URL)
    /// PostgreSQL: connection strings or URLs as libpq reads them, one for each server.
    case postgres([String])
  }

  /// Where the logs are.
  package var engine: EngineAddress
  /// A folder of the node's own, for its copies of lists, which may be deleted; `nil` for none.
  package var folder: URL?
  /// The address that it listens at.
  package var host = "127.0.0.1"
  /// The port that it listens at; 0 for any that is free.
  package var port = 8080
  /// The keys of tokens, as the text of a JSON Web Key Set, or where it is; `nil` to serve this machine
  /// alone, without tokens.
  package var keys: KeySource?
  /// What a token's `iss` must be.
  package var issuer = ""
  /// What a token's `aud` must contain.
  package var audience = ""
  /// How much one user may ask of the node.
  package var quota = Quota()
  /// How long a body may take to come.
  package var bodyPatience = Duration.seconds(60)
  /// How long a client may take for a part of an answer.
  package var readingPatience = Duration.seconds(60)
  /// The seconds that a shared cache may keep the newest lines; `nil` if there is no such cache.
  package var sharedAge: Int?
  /// The time between two looks for lines of other nodes, in milliseconds.
  package var lookEvery = 20
  /// How long lines stay.
  package var retention = Retention()
  /// The time between two rounds of compaction, in seconds.
  package var compactEvery = 60
  /// How many items of lists stay in memory.
  package var mostItems = 5_000_000
  /// How many lists stay in memory.
  package var mostLists = 100_000
  /// How PostgreSQL is used.
  package var postgres = PostgresEngine.Options()

  /// Where the keys of tokens come from.
  package enum KeySource: Sendable {
    /// A file, which is read again when it changes.
    case file(URL)
    /// An address of `https`, which is asked again every five minutes.
    case address(URL)
  }

  /// A node over an engine.
  package init(engine: EngineAddress) { self.engine = engine }

  /// The lines of a configuration that would let strangers in.
  ///
  /// - Throws: `RelayConfigurationError` for a node without keys that others can reach.
  func requireSafety() throws {
    guard keys == nil else {
      guard !issuer.isEmpty, !audience.isEmpty else {
        throw RelayConfigurationError(
          "with keys, --issuer and --audience say which tokens are for this relay")
      }
      return
    }
    guard ["127.0.0.1", "::1", "localhost"].contains(host) else {
      throw RelayConfigurationError(
        "without --keys everybody may read and change everything, so the relay listens at 127.0.0.1 "
          + "alone, and not at \(host)")
    }
  }
}

/// A configuration that does not work.
package struct RelayConfigurationError: Error, CustomStringConvertible {
  /// What is wrong, and what to do.
  package let description: String

  init(_ description: String) { self.description = description }
}
