import StoreFiles

/// A line in the log of a list: its number, and the beginning of its SHA-256.
///
/// Two logs that have a line of one position in common have all lines before it in common.
public struct LinePosition: Hashable, Sendable {
  /// The number of the line, from 1.
  public let sequence: Int
  private let hash: (UInt64, UInt64)

  /// The position of a line without white space between its parts.
  init(_ sequence: Int, of text: [UInt8]) {
    self.init(sequence: sequence, hash: Digest.sha256(text).prefix(Self.hashByteCount))
  }

  /// A position.
  ///
  /// - Parameters:
  ///   - sequence: The number of the line.
  ///   - hash: The first 16 bytes of the line's SHA-256; bytes that are missing count as 0.
  public init(sequence: Int, hash: some Sequence<UInt8>) {
    self.sequence = sequence
    var words: (UInt64, UInt64) = (0, 0)
    for (index, byte) in hash.prefix(Self.hashByteCount).enumerated() {
      let shifted = UInt64(byte) << (8 * UInt64(7 - index % 8))
      if index < 8 { words.0 |= shifted } else { words.1 |= shifted }
    }
    self.hash = words
  }

  /// Reads a position as a query has it: `seq:hash`.
  ///
  /// - Returns: `nil` for another text, also for one with capital digits.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let sequence = Int(parts[0]), sequence > 0,
      String(sequence) == parts[0], parts[1].utf8.count == 2 * Self.hashByteCount,
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      let high = UInt64(parts[1].prefix(16), radix: 16),
      let low = UInt64(parts[1].suffix(16), radix: 16)
    else { return nil }
    self.sequence = sequence
    hash = (high, low)
  }

  /// How many bytes of a hash a position has.
  public static let hashByteCount = 16

  /// The first 16 bytes of the line's SHA-256.
  public var hashBytes: [UInt8] {
    [hash.0, hash.1].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }
  }

  /// Whether both are the same line.
  public static func == (lhs: LinePosition, rhs: LinePosition) -> Bool {
    lhs.sequence == rhs.sequence && lhs.hash == rhs.hash
  }

  /// Hashes the number and the line's hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sequence)
    hasher.combine(hash.0)
    hasher.combine(hash.1)
  }
}

extension LinePosition: CustomStringConvertible {
  /// The position as a query has it: `seq:hash`.
  public var description: String {
    let digits = [hash.0, hash.1].map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return "\(sequence):" + digits.joined()
  }
}
