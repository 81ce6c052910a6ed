import StoreSchema

/// What a line is recognised by.
struct LineMark {
  /// SHA-256 of the line, white space between its parts left out: how it is written does not make it
  /// another line.
  let digest: [UInt8]
  /// SHA-256 of the line as it is written; stores of version 4 have that.
  let writtenDigest: [UInt8]
  let byteCount: Int

  init(_ line: [UInt8]) {
    byteCount = line.count
    writtenDigest = Digest.sha256(line)
    digest = Self.hasWhiteSpace(line) ? Digest.sha256(Self.withoutWhiteSpace(line)) : writtenDigest
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }

  private static func hasWhiteSpace(_ line: [UInt8]) -> Bool {
    var found = false
    forEachPart(of: line) { if isWhiteSpace($0) { found = true } }
    return found
  }

  private static func withoutWhiteSpace(_ line: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(line.count)
    var text = TextState()
    for byte in line where text.isInside(byte) || !isWhiteSpace(byte) { kept.append(byte) }
    return kept
  }

  /// Calls with each byte that stands outside of strings.
  private static func forEachPart(of line: [UInt8], _ body: (UInt8) -> Void) {
    var text = TextState()
    for byte in line where !text.isInside(byte) { body(byte) }
  }

  /// Whether the bytes of a line belong to a string.
  private struct TextState {
    private var isString = false
    private var isEscaped = false

    /// Takes the next byte.
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
