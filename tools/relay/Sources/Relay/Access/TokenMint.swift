package import Foundation
import JWTKit
import ListModel

/// Makes tokens and keys, for trying a relay and for apps that have no server of tokens yet.
package enum TokenMint {
  /// A token.
  ///
  /// - Parameters:
  ///   - grant: Who it is for, its id and its rights; `expiry` is needed.
  ///   - keys: The key set with the private parts, as JSON.
  ///   - key: The `kid` of the key; `nil` if there is one key.
  ///   - issuer: Its `iss`.
  ///   - audience: Its `aud`.
  /// - Returns: The token.
  /// - Throws: If a key can't be read, the grant does not expire, or the token is too long for a relay.
  package static func token(
    _ grant: Grant, keys: Data, key: String? = nil, issuer: String, audience: String
  ) async throws -> String {
    guard let expiry = grant.expiry else { throw TokenError("a token expires") }
    let claims = TokenClaims(
      iss: IssuerClaim(value: issuer), aud: Audience([audience]),
      exp: ExpirationClaim(value: Date(timeIntervalSince1970: Double(expiry) / 1_000)), nbf: nil,
      sub: SubjectClaim(value: grant.subject), jti: grant.tokenID.map { IDClaim(value: $0) },
      lists: grant.rights)
    let token = try await TokenKeys(parsing: keys, forSigning: true).token(claims, key: key)
    guard token.utf8.count <= TokenKeys.mostTokenBytes else {
      throw TokenError(
        "the token would have \(token.utf8.count) bytes, and a relay takes "
          + "\(TokenKeys.mostTokenBytes): grant beginnings of ids instead of so many lists")
    }
    return token
  }

  /// Refuses a grant that no relay takes, whatever key its token is signed with.
  ///
  /// - Throws: With what is wrong.
  package static func requireTakeable(_ grant: Grant) throws {
    guard (1...64).contains(grant.subject.utf8.count), !grant.subject.utf8.contains(0) else {
      throw TokenError("a token's sub has 1 to 64 bytes without U+0000, as an author has")
    }
    for name in grant.rights.keys {
      do { _ = try ListID(name) } catch {
        throw TokenError("\"\(name)\" is no list and no beginning of ids: \(error)")
      }
    }
  }

  /// A key set of one new secret for HS256, which signs and verifies: keep it private.
  package static func newKeys() -> Data {
    let secret = Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
    let kid = UUID().uuidString.lowercased()
    return Data(
      #"{"keys":[{"alg":"HS256","k":"\#(secret)","kid":"\#(kid)","kty":"oct"}]}"#.utf8)
  }
}
