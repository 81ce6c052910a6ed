package import ListModel
import StoreFiles

// A line is identified by its JSON text. White space between the parts does not make it a different
// line, because a server may format the same JSON differently.
extension FeedLine {
  /// A line as it was read.
  ///
  /// `text`: The line without its end, of which the digest is made.
  /// `isMinified`: Whether it has no white space between its parts.
  package init(
    list: ListID, ownedBy owner: ListOwner?, sequence: Int, isSnapshot: Bool, author: Author,
    time: Int?, edit: String? = nil, text: [UInt8], isMinified: Bool
  ) {
    self.init(
      list: list, ownedBy: owner, sequence: sequence, isSnapshot: isSnapshot, author: author,
      time: time, edit: edit,
      digest: Digest.sha256(isMinified ? text : Self.withoutWhiteSpace(text)))
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }

  private static func withoutWhiteSpace(_ line: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(line.count)
    var text = TextState()
    for byte in line where text.isInside(byte) || !isWhiteSpace(byte) { kept.append(byte) }
    return kept
  }

  /// Finds the strings in a line, byte by byte.
  private struct TextState {
    private var isString = false
    private var isEscaped = false

    /// Takes the next byte, and says whether it belongs to a string.
    mutating func isInside(_ byte: UInt8) -> Bool {
      guard isString else {
        isString = byte == UInt8(ascii: "\"")
        return isString
      }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isString = false
      }
      return true
    }
  }
}
