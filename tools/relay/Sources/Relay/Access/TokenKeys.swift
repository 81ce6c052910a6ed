import Foundation
import JWTKit

/// The keys that tokens are signed with, each with the one algorithm that it is for.
///
/// A JSON Web Key Set (RFC 7517). Each key has a `kid` and an `alg`: `HS256` (`oct`, at least 32 bytes),
/// `ES256` (`EC`, `P-256`) or `EdDSA` (`OKP`, `Ed25519`). A token can't choose another algorithm for a
/// key, nor bring a key of its own.
struct TokenKeys: Sendable {
  private let keys: [String: Key]

  private struct Key: Sendable {
    let algorithm: String
    let collection: JWTKeyCollection
  }

  /// A key as the set has it.
  private struct Entry: Codable {
    var kid: String?
    var kty: String
    var alg: String?
    var crv: String?
    var k: String?
    var x: String?
    var y: String?
    var d: String?
  }

  private struct Entries: Codable { var keys: [Entry] }

  /// Reads a key set.
  ///
  /// - Parameters:
  ///   - text: The set as JSON.
  ///   - forSigning: Whether the private parts are wanted.
  /// - Throws: ``TokenError`` with what is wrong with which key.
  init(parsing text: Data, forSigning: Bool = false) async throws {
    let entries: Entries
    do { entries = try JSONDecoder().decode(Entries.self, from: text) } catch {
      throw TokenError("the keys are no JSON Web Key Set: expected {\"keys\":[…]}")
    }
    var keys: [String: Key] = [:]
    for (index, entry) in entries.keys.enumerated() {
      guard let kid = entry.kid, let algorithm = entry.alg else {
        throw TokenError("key \(index) has no kid or no alg: both are needed")
      }
      guard keys[kid] == nil else { throw TokenError("two keys have the kid \"\(kid)\"") }
      do {
        keys[kid] = Key(
          algorithm: algorithm, collection: try await Self.collection(entry, forSigning))
      } catch let error as TokenError {
        throw TokenError("key \"\(kid)\": \(error.why)")
      } catch {
        throw TokenError("key \"\(kid)\" can't be read as \(algorithm)")
      }
    }
    guard !keys.isEmpty else { throw TokenError("the key set is empty") }
    self.keys = keys
  }

  private static func collection(
    _ entry: Entry, _ forSigning: Bool
  ) async throws -> JWTKeyCollection {
    let collection = JWTKeyCollection()
    switch (entry.alg, entry.kty, entry.crv) {
    case ("HS256", "oct", _):
      guard let secret = entry.k.flatMap(base64URL), secret.count >= 32 else {
        throw TokenError("HS256 needs a secret k of at least 32 bytes")
      }
      await collection.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
    case ("ES256", "EC", "P-256"):
      if forSigning, let d = entry.d {
        await collection.add(ecdsa: try ES256PrivateKey(key: d))
      } else if let x = entry.x, let y = entry.y {
        await collection.add(ecdsa: try ES256PublicKey(parameters: (x: x, y: y)))
      } else {
        throw TokenError("x and y are missing")
      }
    case ("EdDSA", "OKP", "Ed25519"):
      if forSigning, let d = entry.d {
        await collection.add(eddsa: try EdDSA.PrivateKey(d: d, curve: .ed25519))
      } else if let x = entry.x {
        await collection.add(eddsa: try EdDSA.PublicKey(x: x, curve: .ed25519))
      } else {
        throw TokenError("x is missing")
      }
    default:
      throw TokenError(
        "expected HS256 with oct, ES256 with EC and P-256, or EdDSA with OKP and Ed25519")
    }
    return collection
  }

  private static func base64URL(_ text: String) -> Data? {
    let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(
      of: "_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
  }

  // MARK: Tokens

  /// The claims of a token, after its signature was compared.
  ///
  /// - Throws: ``TokenError``.
  func claims(of token: String) async throws -> TokenClaims {
    guard token.utf8.count <= Self.mostTokenBytes else { throw TokenError("the token is too long") }
    let header = try Self.header(of: token)
    guard header.keys.allSatisfy(Self.knownHeaders.contains) else {
      // `jku`, `jwk`, `x5u`, `x5c` bring keys; `crit` asks for what is not known here.
      throw TokenError("the token's header has members that are not taken")
    }
    guard let kid = header["kid"] as? String ?? onlyKid, let key = keys[kid] else {
      throw TokenError("the token is of an unknown key")
    }
    guard header["alg"] as? String == key.algorithm else {
      throw TokenError("the token names another algorithm than its key is for")
    }
    do { return try await key.collection.verify(token, as: TokenClaims.self) } catch {
      throw TokenError("the token is not valid, or has expired")
    }
  }

  /// A token with claims.
  func token(_ claims: TokenClaims, key kid: String?) async throws -> String {
    guard let kid = kid ?? onlyKid, let key = keys[kid] else {
      throw TokenError("name one of the keys: \(keys.keys.sorted().joined(separator: ", "))")
    }
    var header = JWTHeader()
    header.kid = kid
    return try await key.collection.sign(claims, header: header)
  }

  private var onlyKid: String? { keys.count == 1 ? keys.keys.first : nil }

  static let mostTokenBytes = 8 << 10
  private static let knownHeaders: Set<String> = ["alg", "typ", "kid", "cty"]

  private static func header(of token: String) throws -> [String: Any] {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let data = base64URL(String(parts[0])),
      let header = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { throw TokenError("it is no JSON Web Token") }
    return header
  }
}

/// Why a token or a key is not taken.
struct TokenError: Error, CustomStringConvertible {
  let why: String

  init(_ why: String) { self.why = why }

  var description: String { why }
}
