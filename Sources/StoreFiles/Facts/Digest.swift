#if canImport(CryptoKit)
  import CryptoKit
#endif

/// SHA-256.
///
/// On Apple's systems it is CryptoKit's. Linux has no such library of its own, and one package for
/// one hash would be 40 % of what a clean build compiles.
package enum Digest {
  /// The 32 bytes of the digest.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      Array(SHA256.hash(data: bytes))
    #else
      PortableSHA256.hash(bytes)
    #endif
  }

  /// The digest in hexadecimal.
  package static func sha256Hexadecimal(_ bytes: [UInt8]) -> String {
    sha256(bytes).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
