/// A strict reader of JSON's grammar (RFC 8259) over bytes: it checks values and finds their ends.
///
/// Foundation's `JSONDecoder` and `JSONSerialization` can't serve: a feed's content must come out
/// exactly as it went in, but they keep neither the digits of numbers nor the order of members, and
/// they compare names by canonical equivalence.
struct JSONScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var position: Int
  let end: Int
  /// Whether there was white space between tokens.
  private(set) var hasSkippedSpace = false
  private var maximumDepth = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Checks that the range holds one value and nothing else.
  ///
  /// - Returns: The range of the value, without white space around it.
  mutating func wholeValue(maximumDepth: Int) throws(FormatError) -> Range<Int> {
    self.maximumDepth = maximumDepth
    try requireUTF8()
    skipSpace()
    let start = position
    try value(depth: maximumDepth)
    let stop = position
    skipSpace()
    guard position == end else { throw unexpected("the end of the value") }
    return start..<stop
  }

  /// Refuses a byte order mark, UTF-16 and UTF-32, with a message of its own for each.
  private func requireUTF8() throws(FormatError) {
    // What follows is for the message, and takes as long as a short value.
    if position + 1 < end, 0x01...0x7F ~= bytes[position], bytes[position + 1] != 0 { return }
    let start = bytes[position..<end].prefix(4)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw FormatError(
        "byte 1: begins with a byte order mark (U+FEFF); save it as UTF-8 without one")
    }
    let isWide =
      start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
      || (start.count > 1 && start.prefix(2).contains(0))
    if isWide { throw FormatError("byte 1: is UTF-16 or UTF-32; save it as UTF-8") }
  }

  /// Skips one value.
  ///
  /// `depth` is how many levels of arrays and objects may still open.
  mutating func value(depth: Int) throws(FormatError) {
    switch peek() {
    case UInt8(ascii: "{"): try object(depth: depth)
    case UInt8(ascii: "["): try array(depth: depth)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    case UInt8(ascii: "-"): try number()
    case let byte? where byte.isDigit: try number()
    default: throw unexpected("a value")
    }
  }

  private mutating func object(depth: Int) throws(FormatError) {
    guard depth > 0 else { throw tooDeep() }
    position += 1
    skipSpace()
    if take(UInt8(ascii: "}")) { return }
    while true {
      guard peek() == UInt8(ascii: "\"") else { throw unexpected("a member's name in quotes") }
      try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw unexpected("':' after a member's name") }
      skipSpace()
      try value(depth: depth - 1)
      skipSpace()
      if take(UInt8(ascii: "}")) { return }
      guard take(UInt8(ascii: ",")) else { throw unexpected("',' or '}' in an object") }
      skipSpace()
    }
  }

  private mutating func array(depth: Int) throws(FormatError) {
    guard depth > 0 else { throw tooDeep() }
    position += 1
    skipSpace()
    if take(UInt8(ascii: "]")) { return }
    while true {
      try value(depth: depth - 1)
      skipSpace()
      if take(UInt8(ascii: "]")) { return }
      guard take(UInt8(ascii: ",")) else { throw unexpected("',' or ']' in an array") }
      skipSpace()
    }
  }

  private mutating func string() throws(FormatError) {
    position += 1
    skipPlainText()
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"):
        try escape()
        skipPlainText()
      case 0..<0x20: throw unexpected("a control character to be escaped")
      case 0x20..<0x80: position += 1
      default: try multibyteScalar()
      }
    }
    throw unexpected("the closing quote of a string")
  }

  /// Skips words of eight bytes that are printable ASCII without quotation marks and backslashes,
  /// which most text is.
  private mutating func skipPlainText() {
    let raw = UnsafeRawBufferPointer(bytes)
    while position + 8 <= end {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      // The highest bit of each byte that is equal or less; of some bytes behind one, too.
      let controls = word &- 0x2020_2020_2020_2020
      let quotes = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
      let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
      if (word | controls | quotes | backslashes) & 0x8080_8080_8080_8080 != 0 { return }
      position += 8
    }
  }

  private mutating func escape() throws(FormatError) {
    position += 1
    switch peek() {
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard let digit = peek(), digit.hexadecimalDigit != nil else {
          throw unexpected("four hexadecimal digits after \\u")
        }
        position += 1
      }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    default: throw unexpected("one of \" \\ / b f n r t u after a backslash")
    }
  }

  /// Skips one scalar of two to four bytes; Unicode's table of well-formed UTF-8 says which are
  /// allowed.
  private mutating func multibyteScalar() throws(FormatError) {
    let lead = bytes[position]
    let second: ClosedRange<UInt8>
    let count: Int
    switch lead {
    case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
    case 0xE0: (count, second) = (3, 0xA0...0xBF)
    case 0xED: (count, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
    case 0xF0: (count, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
    case 0xF4: (count, second) = (4, 0x80...0x8F)
    default: throw FormatError("byte \(position + 1): not UTF-8")
    }
    guard position + count <= end, second.contains(bytes[position + 1]) else {
      throw FormatError("byte \(position + 1): not UTF-8")
    }
    for offset in 2..<max(count, 2) where !(0x80...0xBF).contains(bytes[position + offset]) {
      throw FormatError("byte \(position + 1): not UTF-8")
    }
    position += count
  }

  private mutating func number() throws(FormatError) {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
  }

  private mutating func digits() throws(FormatError) {
    guard let first = peek(), first.isDigit else { throw unexpected("a digit") }
    while let byte = peek(), byte.isDigit { position += 1 }
  }

  private mutating func literal(_ text: StaticString) throws(FormatError) {
    guard take(text) else { throw unexpected("a value") }
  }

  // MARK: Pieces

  func peek() -> UInt8? { position < end ? bytes[position] : nil }

  mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  mutating func take(_ text: StaticString) -> Bool {
    let matches = text.withUTF8Buffer { word in
      position + word.count <= end
        && word.elementsEqual(bytes[position..<(position + word.count)])
    }
    if matches { position += text.utf8CodeUnitCount }
    return matches
  }

  mutating func skipSpace() {
    while position < end, bytes[position].isJSONSpace {
      position += 1
      hasSkippedSpace = true
    }
  }

  /// Skips one value of text that was checked before.
  mutating func skipCheckedValue() {
    var depth = 0
    while position < end {
      switch bytes[position] {
      case UInt8(ascii: "\""): skipCheckedString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
        position += 1
      case UInt8(ascii: ","):
        if depth == 0 { return }
        position += 1
      default: position += 1
      }
    }
  }

  /// Skips a string of text that was checked before.
  ///
  /// - Returns: Whether it has no escapes.
  @discardableResult
  mutating func skipCheckedString() -> Bool {
    var isPlain = true
    position += 1
    skipToQuoteOrBackslash()
    while position < end, bytes[position] == UInt8(ascii: "\\") {
      position += 2
      isPlain = false
      skipToQuoteOrBackslash()
    }
    position = min(position + 1, end)
    return isPlain
  }

  /// Moves to the next quotation mark or backslash, or to the end.
  private mutating func skipToQuoteOrBackslash() {
    let raw = UnsafeRawBufferPointer(bytes)
    while position + 8 <= end {
      let word = UInt64(
        littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let quotes = word ^ 0x2222_2222_2222_2222
      let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
      // The highest bit of the first byte that is equal, and perhaps of some behind it.
      let found =
        ((quotes &- 0x0101_0101_0101_0101) & ~quotes)
        | ((backslashes &- 0x0101_0101_0101_0101) & ~backslashes)
      let bits = found & 0x8080_8080_8080_8080
      if bits != 0 {
        position += bits.trailingZeroBitCount / 8
        return
      }
      position += 8
    }
    while position < end, bytes[position] != UInt8(ascii: "\""),
      bytes[position] != UInt8(ascii: "\\")
    {
      position += 1
    }
  }

  private func unexpected(_ expected: String) -> FormatError {
    guard let byte = peek() else {
      return FormatError("byte \(position + 1): expected \(expected), but the text ends there")
    }
    let found =
      (0x21...0x7E).contains(byte)
      ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16))"
    return FormatError("byte \(position + 1): expected \(expected), found \(found)")
  }

  private func tooDeep() -> FormatError {
    FormatError(
      "byte \(position + 1): nests deeper than \(maximumDepth) levels", isBeyondLimit: true)
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isJSONSpace: Bool {
    // Most bytes are none.
    self <= 0x20 && (self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09)
  }

  var hexadecimalDigit: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
