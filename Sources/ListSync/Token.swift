import ListModel
public import Providers

/// A reader's position in a list: which store, which revision, after which commits.
///
/// Keep it, for instance with a screen's restoration state, and pass it to
/// ``LiveList/resync(_:hasList:)`` later to learn what has happened since.
///
/// It holds the store's id, the revision and a hash of all commits up to it. So Cellar notices if
/// the file was replaced by another store, or by an older copy that was written to since; revision
/// numbers alone can't show that.
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
  /// The version of the text format.
  private static let version = "1"

  /// The token as ASCII text without spaces.
  public var rawValue: String {
    let id = storeID.map { Self.hexadecimal(UInt64($0), digits: 2) }.joined()
    return [Self.version, id, String(revision), Self.hexadecimal(chain, digits: 16)]
      .joined(separator: "-")
  }

  /// Reads a token.
  ///
  /// The result is `nil` for a text that is no token, and for the token of a newer library. Read
  /// the list anew then.
  ///
  /// - Parameter rawValue: The text of ``rawValue-swift.property``.
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
    // The parsers above also take signs and capitals, which no token has.
    guard self.rawValue == rawValue else { return nil }
  }

  private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

extension Provider {
  /// The position of this list; `nil` for a list that was not read from a store.
  public var token: Token? {
    position.map { Token(storeID: $0.storeID, revision: revision, chain: $0.chain) }
  }
}
