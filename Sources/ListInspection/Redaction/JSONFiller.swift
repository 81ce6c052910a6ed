/// Replaces the values of a JSON text by filler of the same shape.
///
/// A letter becomes the next letter of a fixed row, in the same case; a digit becomes 1. White
/// space, punctuation, `true`, `false` and `null` stay. A character of several bytes becomes one
/// with as many. So the text keeps its length in bytes, its words and its lines.
struct JSONFiller {
  /// The letters of the filler, in their order.
  static let letters = Array("aeonrsu".utf8)
  /// The bytes of the filler's characters beyond ASCII: é, 字 and 🙂.
  static let wideCharacters: [[UInt8]] = [
    [0xC3, 0xA9], [0xE5, 0xAD, 0x97], [0xF0, 0x9F, 0x99, 0x82],
  ]

  /// A part of a JSON text.
  enum Part {
    /// The inside of a string that is a value, with its escapes.
    case text
    /// The inside of a string that is the name of a member, with its escapes.
    case memberName
    case number
    case other
  }

  /// Calls a closure with each part of a valid JSON text, in order; together they are the text.
  static func forEachPart(
    of json: [UInt8], _ body: (Part, ArraySlice<UInt8>) throws -> Void
  ) rethrows {
    var position = 0
    while position < json.count {
      let start = position
      switch json[position] {
      case UInt8(ascii: "\""):
        position += 1
        while position < json.count, json[position] != UInt8(ascii: "\"") {
          position += json[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(position, json.count)
        position = min(end + 1, json.count)
        try body(.other, json[start...start])
        try body(isMemberName(json, before: position) ? .memberName : .text, json[start + 1..<end])
        try body(.other, json[end..<position])
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        while position < json.count, isPartOfNumber(json[position]) { position += 1 }
        try body(.number, json[start..<position])
      default:
        position += 1
        try body(.other, json[start..<position])
      }
    }
  }

  private static func isMemberName(_ json: [UInt8], before position: Int) -> Bool {
    json[position...].first { $0 > 0x20 } == UInt8(ascii: ":")
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// The filler for a valid JSON text.
  ///
  /// `memberName`: What takes the place of the name of a member.
  static func fill(
    _ json: [UInt8], memberName: (ArraySlice<UInt8>) throws -> [UInt8]
  ) rethrows -> [UInt8] {
    var filled: [UInt8] = []
    filled.reserveCapacity(json.count)
    try forEachPart(of: json) { part, bytes in
      switch part {
      case .text: append(fillerFor: bytes, to: &filled)
      case .memberName: filled += try memberName(bytes)
      case .number: append(numberFor: bytes, to: &filled)
      case .other: filled += bytes
      }
    }
    return filled
  }

  /// An exponent becomes digits, so that any number stays a number that a reader can hold.
  private static func append(numberFor bytes: ArraySlice<UInt8>, to filled: inout [UInt8]) {
    for (index, byte) in bytes.enumerated() {
      let isKept = byte == UInt8(ascii: ".") || index == 0 && byte == UInt8(ascii: "-")
      filled.append(isKept ? byte : UInt8(ascii: "1"))
    }
  }

  private static func append(fillerFor text: ArraySlice<UInt8>, to filled: inout [UInt8]) {
    var letterCount = 0
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      var length = 1
      switch byte {
      case UInt8(ascii: "\\"):
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
