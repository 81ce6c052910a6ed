#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// SHA-256, by the system's library or swift-crypto.
package enum Digest {
  /// The 32 bytes of the digest.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

  /// The digest in hexadecimal.
  package static func sha256Hexadecimal(_ bytes: [UInt8]) -> String {
    sha256(bytes).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
