import Foundation
import Relay
import RelaySupport

/// Keys of a test's own, nodes that take their tokens, and the tokens.
struct TestTokens: Sendable {
  let keys = TokenMint.newKeys()
  let keyFile: URL

  init() throws {
    keyFile = try TestFolder.make().appendingPathComponent("keys.json")
    try keys.write(to: keyFile)
  }

  /// A node; over a new SQLite file, if no engine is given.
  func relay(
    _ address: RelayConfiguration.EngineAddress? = nil,
    _ configure: (inout RelayConfiguration) -> Void = { _ in }
  ) async throws -> TestRelay {
    let engine: RelayConfiguration.EngineAddress
    if let address { engine = address } else { engine = try await TestEngine.sqlite.address() }
    return try await TestRelay(engine) { configuration in
      configuration.keys = .file(keyFile)
      configuration.issuer = "shop"
      configuration.audience = "relay"
      configure(&configuration)
    }
  }

  func token(
    _ subject: String, _ rights: [String: Right], seconds: Double = 3_600, id: String? = nil,
    issuer: String = "shop", audience: String = "relay"
  ) async throws -> String {
    let expiry = Int((Date().timeIntervalSince1970 + seconds) * 1_000)
    return try await TokenMint.token(
      Grant(subject: subject, tokenID: id, expiry: expiry, rights: rights), keys: keys,
      issuer: issuer, audience: audience)
  }
}
