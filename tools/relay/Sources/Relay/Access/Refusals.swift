import Foundation
import NIOConcurrencyHelpers
package import NIOCore
package import RelayEngine

/// Whose requests are counted when they are refused.
package enum Asker: Hashable, Sendable {
  /// Who has a token whose signature is true, also after it has expired or was revoked.
  case token(TextKey)
  /// Everybody else at a place of the network.
  case place([UInt8])

  /// The place of an address: all of one of IPv4, and the first half of one of IPv6, since whoever has one
  /// such address has all others of that half.
  package init(_ address: SocketAddress?) {
    switch address {
    case .v4(let address): self = .place(withUnsafeBytes(of: address.address.sin_addr, Array.init))
    case .v6(let address):
      let bytes = withUnsafeBytes(of: address.address.sin6_addr, Array.init)
      // One of IPv4, as a socket for both has it.
      let isMapped = bytes.starts(with: Array(repeating: 0, count: 10) + [0xFF, 0xFF])
      self = .place(Array(isMapped ? bytes[12...] : bytes[..<8]))
    default: self = .place([])
    }
  }
}

/// How often requests were refused: without a token, without a right, or with what can't be read.
///
/// Each token pays for its own refusals. Who has none that is true pays for those of the same address, and
/// is refused anyway. So nobody who may do something is kept from it by what others do.
final class Refusals: Sendable {
  private let rate: Double
  private let buckets = NIOLockedValueBox<[Asker: Bucket]>([:])

  /// Beyond that all begin anew: the table stays small, and who fills it has so many addresses.
  private static let mostAskers = 10_000

  /// `rate`: Refusals a second, and how many may come at once.
  init(perSecond rate: Double) { self.rate = rate }

  /// Counts a refusal, if the asker has one left.
  ///
  /// - Returns: The seconds until there is one; 0 if it was counted.
  func count(_ asker: Asker, at now: Int) -> Double {
    buckets.withLockedValue { buckets in
      if buckets.count >= Self.mostAskers, buckets[asker] == nil { buckets = [:] }
      return buckets[asker, default: Bucket(of: rate, at: now)].take(1, of: rate, at: now)
    }
  }

  /// The seconds until the asker has a refusal left; 0 for most.
  func pause(of asker: Asker, at now: Int) -> Double {
    buckets.withLockedValue { $0[asker]?.pause(for: 1, of: rate, at: now) ?? 0 }
  }
}
