import ListModel
public import Providers

/// Where a reader of a list stands: kept by the reader, for instance with its restoration state, and
/// given back to learn what has happened since.
///
/// It names the store, the revision and the hash that chains the commits up to it. So it is noticed
/// when the file was replaced by another one, or by an older copy that was written on: revisions alone
/// would not tell.
public struct Token: Hashable, Sendable {
  let storeID: [UInt8]
  let revision: Int
  let chain: UInt64

  init(storeID: [UInt8], revision: Int, chain: UInt64) {
    self.storeID = storeID
    self.revision = revision
    self.chain = chain
  }
}

extension Token: RawRepresentable, Codable {
  /// The version of the text below.
  private static let version = "1"

  /// The token as text: ASCII, without spaces.
  public var rawValue: String {
    let id = storeID.map { Self.hexadecimal(UInt64($0), digits: 2) }.joined()
    return [Self.version, id, String(revision), Self.hexadecimal(chain, digits: 16)]
      .joined(separator: "-")
  }

  /// Reads a token.
  ///
  /// `rawValue`: What ``rawValue-swift.property`` gave.
  /// Returns: `nil` for anything else, also for the token of a newer library: whoever has it reads the list anew.
  public init?(rawValue: String) {
    let parts = rawValue.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == Self.version, parts[1].utf8.count == 32,
      parts[3].utf8.count == 16, let revision = Int(parts[2]), revision >= 0,
      let chain = UInt64(parts[3], radix: 16)
    else { return nil }
    var id: [UInt8] = []
    var rest = parts[1]
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      id.append(byte)
      rest = rest.dropFirst(2)
    }
    self.init(storeID: id, revision: revision, chain: chain)
    // Signs and capitals are read as well, but were never written.
    guard self.rawValue == rawValue else { return nil }
  }

  private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

extension Provider {
  /// Where this list stands; `nil` for a list that was not read from a store.
  public var token: Token? {
    position.map { Token(storeID: $0.storeID, revision: revision, chain: $0.chain) }
  }
}
