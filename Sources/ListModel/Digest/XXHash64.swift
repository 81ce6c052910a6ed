/// XXH64, a fast 64-bit hash that is the same on every machine and in every version.
///
/// It detects accidents, not attacks. Stores contain these hashes, so they must never change.
/// Swift's `Hasher` can't serve, because it has another seed in each process. CryptoKit has
/// only cryptographic hashes.
///
/// - SeeAlso: [The specification of
///   xxHash](https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
package enum XXHash64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The hash of bytes.
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    var offset = 0
    var hash: UInt64
    if bytes.count >= 32 {
      var lanes = (
        seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1
      )
      while offset + 32 <= bytes.count {
        lanes.0 = round(lanes.0, bytes.word(at: offset))
        lanes.1 = round(lanes.1, bytes.word(at: offset + 8))
        lanes.2 = round(lanes.2, bytes.word(at: offset + 16))
        lanes.3 = round(lanes.3, bytes.word(at: offset + 24))
        offset += 32
      }
      hash =
        lanes.0.rotated(1) &+ lanes.1.rotated(7) &+ lanes.2.rotated(12) &+ lanes.3.rotated(18)
      hash = merge(merge(merge(merge(hash, lanes.0), lanes.1), lanes.2), lanes.3)
    } else {
      hash = seed &+ prime5
    }
    hash &+= UInt64(bytes.count)
    while offset + 8 <= bytes.count {
      hash = step(hash, bytes.word(at: offset))
      offset += 8
    }
    if offset + 4 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian
      hash = (hash ^ (UInt64(word) &* prime1)).rotated(23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.count {
      hash = (hash ^ (UInt64(bytes[offset]) &* prime5)).rotated(11) &* prime1
      offset += 1
    }
    return avalanche(hash)
  }

  /// The hash of a text's UTF-8 bytes.
  package static func hash(_ text: String, seed: UInt64 = 0) -> UInt64 {
    let fast = text.utf8.withContiguousStorageIfAvailable {
      hash(UnsafeRawBufferPointer($0), seed: seed)
    }
    return fast ?? Array(text.utf8).withUnsafeBytes { hash($0, seed: seed) }
  }

  /// The hash of the eight bytes of a number, the lowest first.
  package static func hash(_ word: UInt64, seed: UInt64) -> UInt64 {
    avalanche(step(seed &+ prime5 &+ 8, word))
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    (lane &+ word &* prime2).rotated(31) &* prime1
  }

  private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* prime1 &+ prime4
  }

  private static func step(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    (hash ^ round(0, word)).rotated(27) &* prime1 &+ prime4
  }

  private static func avalanche(_ hash: UInt64) -> UInt64 {
    var hash = (hash ^ (hash >> 33)) &* prime2
    hash = (hash ^ (hash >> 29)) &* prime3
    return hash ^ (hash >> 32)
  }
}

extension UInt64 {
  fileprivate func rotated(_ bits: UInt64) -> UInt64 { (self << bits) | (self >> (64 - bits)) }
}

extension UnsafeRawBufferPointer {
  fileprivate func word(at offset: Int) -> UInt64 {
    loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }
}
