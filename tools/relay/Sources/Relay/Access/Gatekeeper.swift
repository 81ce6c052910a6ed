import Foundation
import JWTKit
import NIOConcurrencyHelpers
import RelayEngine

/// Says who asks, by the token of a request.
final class Gatekeeper: Sendable {
  private let issuer: String
  private let audience: String
  private let state: NIOLockedValueBox<State>

  private struct State {
    var keys: TokenKeys?
    /// Grants of tokens whose signatures were compared, also of those that have expired.
    var known: [TextKey: Grant] = [:]
    /// How often there were other keys.
    var generation = 0
  }

  private static let mostKnown = 20_000

  /// - Parameters:
  ///   - keys: The keys; `nil` to grant everything to everybody, which only a machine's own users may
  ///     reach.
  ///   - issuer: What `iss` must be.
  ///   - audience: What `aud` must contain.
  init(keys: TokenKeys?, issuer: String = "", audience: String = "") {
    self.issuer = issuer
    self.audience = audience
    state = NIOLockedValueBox(State(keys: keys))
  }

  /// Whether requests need a token.
  var asksForTokens: Bool { state.withLockedValue { $0.keys != nil } }

  /// Takes other keys; tokens of keys that are gone are refused from now on.
  func use(_ keys: TokenKeys) {
    state.withLockedValue { $0 = State(keys: keys, generation: $0.generation + 1) }
  }

  /// Who asks.
  ///
  /// - Parameters:
  ///   - authorization: The header field `Authorization`.
  ///   - now: The time, in milliseconds since 1970.
  ///   - isRevoked: Whether one of a token's ids was revoked.
  /// - Returns: What that one may do.
  /// - Throws: ``RelayFailure`` with ``RelayFailure/Kind/unauthorized``.
  func grant(
    _ authorization: String?, at now: Int, isRevoked: ([String]) -> Bool
  ) async throws -> Grant {
    let (found, generation) = state.withLockedValue { ($0.keys, $0.generation) }
    guard let keys = found else { return .everything }
    guard let token = Self.token(in: authorization) else {
      throw RelayFailure(.unauthorized, "a token is needed: Authorization: Bearer …")
    }
    let grant: Grant
    if let known = state.withLockedValue({ $0.known[token] }) {
      grant = known
    } else {
      grant = try await read(token.text, keys)
      state.withLockedValue { state in
        guard state.generation == generation else { return }
        if state.known.count >= Self.mostKnown { state.known = [:] }
        state.known[token] = grant
      }
    }
    guard grant.expiry.map({ $0 > now }) ?? true else {
      throw RelayFailure(.unauthorized, "the token has expired")
    }
    if isRevoked(grant.revocableIDs) { throw RelayFailure(.unauthorized, "the token was revoked") }
    return grant
  }

  /// The token in the header field `Authorization`.
  static func token(in authorization: String?) -> TextKey? {
    guard let authorization, authorization.lowercased().hasPrefix("bearer ") else { return nil }
    return TextKey(
      authorization.dropFirst("bearer ".count).trimmingCharacters(in: .whitespaces))
  }

  /// Whether a token's signature was found true, also of one that has expired or was revoked.
  func knows(_ token: TextKey) -> Bool { state.withLockedValue { $0.known[token] != nil } }

  private func read(_ token: String, _ keys: TokenKeys) async throws -> Grant {
    let claims: TokenClaims
    do { claims = try await keys.claims(of: token) } catch {
      throw RelayFailure(.unauthorized, "\(error)")
    }
    guard TextKey(claims.iss.value) == TextKey(issuer), claims.aud.contains(audience) else {
      throw RelayFailure(.unauthorized, "the token is of another issuer, or for another audience")
    }
    // It is the author of the edits.
    let subject = claims.sub.value
    guard (1...64).contains(subject.utf8.count), !subject.utf8.contains(0) else {
      throw RelayFailure(.unauthorized, "the token's sub has 1 to 64 bytes without U+0000")
    }
    let expiry = (claims.exp.value.timeIntervalSince1970 * 1_000).rounded()
    return Grant(
      subject: subject, tokenID: claims.jti?.value,
      expiry: Int(exactly: expiry) ?? (expiry > 0 ? .max : 0), rights: claims.lists)
  }
}
