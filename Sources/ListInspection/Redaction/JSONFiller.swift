import ListModel

/// Replaces the values of a JSON text by filler of the same shape.
///
/// Letters become those of ``letters`` in their order, in the same case; a digit becomes 1. White
/// space, punctuation, `true`, `false` and `null` stay. A character of several bytes becomes one
/// with as many. So the text keeps its length in bytes, its words and its lines.
struct JSONFiller {
  /// What takes the place of the name of a member; `nil`: names stay.
  var memberName: ((String) -> String)?

  /// The letters of filler and of pseudonyms.
  ///
  /// They are rare and no vowels, so they form no words and no abbreviations. On average they are as
  /// wide as those of English texts.
  static let letters = Array("gvxkjzqfw".utf8)
  /// The bytes of the filler's characters beyond ASCII: é, 字 and 🙂.
  private static let wideCharacters: [[UInt8]] = [
    [0xC3, 0xA9], [0xE5, 0xAD, 0x97], [0xF0, 0x9F, 0x99, 0x82],
  ]
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// The filler for a JSON value.
  func fill(_ json: JSON) -> JSON {
    let bytes = Array(json.text.utf8)
    var filled: [UInt8] = []
    filled.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      let start = position
      position += 1
      switch bytes[start] {
      case Self.quote:
        while position < bytes.count, bytes[position] != Self.quote {
          position += bytes[position] == Self.backslash ? 2 : 1
        }
        let text = bytes[start + 1..<max(start + 1, min(position, bytes.count))]
        position += 1
        filled.append(Self.quote)
        if position < bytes.count, bytes[position] == UInt8(ascii: ":") {
          let name = memberName.map { Array($0(String(decoding: text, as: UTF8.self)).utf8)[...] }
          filled += name ?? text
        } else {
          Self.append(fillerFor: text, hasEscapes: true, to: &filled)
        }
        filled.append(Self.quote)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        while position < bytes.count, Self.isPartOfNumber(bytes[position]) { position += 1 }
        Self.append(numberFor: bytes[start..<position], to: &filled)
      default: filled.append(bytes[start])
      }
    }
    return JSON(minified: String(decoding: filled, as: UTF8.self))
  }

  /// The filler for a text that is no JSON.
  func fill(_ text: String) -> String {
    var filled: [UInt8] = []
    Self.append(fillerFor: Array(text.utf8)[...], hasEscapes: false, to: &filled)
    return String(decoding: filled, as: UTF8.self)
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// An exponent becomes digits, so that any number stays a number that a reader can hold.
  private static func append(numberFor bytes: ArraySlice<UInt8>, to filled: inout [UInt8]) {
    for (index, byte) in bytes.enumerated() {
      let isKept = byte == UInt8(ascii: ".") || index == 0 && byte == UInt8(ascii: "-")
      filled.append(isKept ? byte : UInt8(ascii: "1"))
    }
  }

  private static func append(
    fillerFor text: ArraySlice<UInt8>, hasEscapes: Bool, to filled: inout [UInt8]
  ) {
    var letterCount = 0
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      var length = 1
      switch byte {
      case backslash where hasEscapes && position + 1 < text.endIndex:
        // Any escaped character beyond ASCII becomes U+1111, which needs no second one.
        let isNumbered = text[position + 1] == UInt8(ascii: "u")
        length = isNumbered ? 6 : 2
        filled += text[position..<position + 2]
        if isNumbered { filled += Array("1111".utf8) }
      case UInt8(ascii: "0")...UInt8(ascii: "9"): filled.append(UInt8(ascii: "1"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        filled.append(letters[letterCount % letters.count] & ~0x20 | byte & 0x20)
        letterCount += 1
      case 0xC0...:
        length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        filled += wideCharacters[length - 2]
      default: filled.append(byte)
      }
      position += length
    }
  }
}
