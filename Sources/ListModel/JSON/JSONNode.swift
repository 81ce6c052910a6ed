/// A value inside a checked JSON document, read on demand.
///
/// The document is checked once, as a whole. A node is a range of its bytes, so a content is copied
/// out of the document as text, without decoding and encoding it.
package struct JSONNode {
  private let document: [UInt8]
  /// The bytes of the document that it is.
  let range: Range<Int>
  /// Whether the document has no white space between its tokens, nor around it.
  package let isMinified: Bool
  /// Whether a value in it may have more levels than one of the app.
  let mayNestTooDeep: Bool

  /// How many levels of arrays and objects a value of the app may have.
  static let maximumDepth = 32

  /// Checks a document.
  ///
  /// - Throws: ``FormatError`` with the position of the wrong byte.
  /// - Complexity: O(*n*), *n* bytes.
  package init(parsing document: [UInt8], maximumDepth: Int = Self.maximumDepth)
    throws(FormatError)
  {
    let found = document.withUnsafeBufferPointer {
      bytes -> Result<(Range<Int>, isMinified: Bool), FormatError> in
      var scanner = JSONScanner(bytes, in: 0..<bytes.count)
      do throws(FormatError) {
        let range = try scanner.wholeValue(maximumDepth: maximumDepth)
        return .success((range, !scanner.hasSkippedSpace))
      } catch {
        return .failure(error)
      }
    }
    self.document = document
    (range, isMinified) = try found.get()
    mayNestTooDeep = maximumDepth > Self.maximumDepth
  }

  private init(_ range: Range<Int>, of other: JSONNode) {
    document = other.document
    self.range = range
    isMinified = other.isMinified
    mayNestTooDeep = other.mayNestTooDeep
  }

  /// Another value of the document.
  func node(at range: Range<Int>) -> JSONNode {
    JSONNode(range, of: self)
  }

  /// Calls a closure with the bytes of the whole document.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    document.withUnsafeBufferPointer(body)
  }

  /// The kind of a value.
  package enum Kind: String, Sendable {
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case number = "a number"
    case bool = "a boolean"
    case null = "null"

    /// The kind of a value that begins with a byte.
    init(first byte: UInt8) {
      self =
        switch byte {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }
  }

  package var kind: Kind { Kind(first: document[range.lowerBound]) }

  // MARK: Containers

  /// The members of an object, in their order.
  package func object() throws(FormatError) -> JSONObject {
    try expect(.object)
    var parts: [JSONObject.Part] = []
    parts.reserveCapacity(8)
    scanInside { scanner in
      let start = scanner.position
      let isPlain = scanner.skipCheckedString()
      let name = start..<scanner.position
      scanner.skipSpace()
      _ = scanner.take(UInt8(ascii: ":"))
      scanner.skipSpace()
      parts.append(
        JSONObject.Part(name: name, value: Self.checkedValue(&scanner), isPlain: isPlain))
    }
    return JSONObject(self, parts)
  }

  /// The elements of an array.
  package func array() throws(FormatError) -> [JSONNode] {
    try expect(.array)
    var ranges: [Range<Int>] = []
    scanInside { scanner in ranges.append(Self.checkedValue(&scanner)) }
    return ranges.map(node)
  }

  /// The elements of an array, one at a time, because there may be millions.
  package func elements() throws(FormatError) -> Elements {
    try expect(.array)
    return Elements(array: self, position: range.lowerBound + 1)
  }

  /// Reads the elements of an array without storing them.
  package struct Elements: Sequence, IteratorProtocol {
    fileprivate let array: JSONNode
    fileprivate var position: Int

    /// The next element.
    package mutating func next() -> JSONNode? {
      let found = array.document.withUnsafeBufferPointer { bytes -> Range<Int>? in
        var scanner = JSONScanner(bytes, in: position..<(array.range.upperBound - 1))
        scanner.skipSpace()
        _ = scanner.take(UInt8(ascii: ","))
        scanner.skipSpace()
        guard scanner.position < scanner.end else { return nil }
        let range = JSONNode.checkedValue(&scanner)
        position = scanner.position
        return range
      }
      return found.map(array.node)
    }

    /// How many elements are left.
    package func count() -> Int {
      var rest = self
      var count = 0
      while rest.next() != nil { count += 1 }
      return count
    }
  }

  /// Calls `element` at the start of each element between the brackets.
  private func scanInside(_ element: (inout JSONScanner) -> Void) {
    document.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes, in: (range.lowerBound + 1)..<(range.upperBound - 1))
      scanner.skipSpace()
      while scanner.position < scanner.end {
        element(&scanner)
        scanner.skipSpace()
        _ = scanner.take(UInt8(ascii: ","))
        scanner.skipSpace()
      }
    }
  }

  static func checkedValue(_ scanner: inout JSONScanner) -> Range<Int> {
    let start = scanner.position
    scanner.skipCheckedValue()
    var stop = scanner.position
    while stop > start, scanner.bytes[stop - 1].isJSONSpace { stop -= 1 }
    return start..<stop
  }

  // MARK: Scalars

  /// The text of a string, without escapes.
  ///
  /// - Throws: ``FormatError`` if it is not a string, or holds half of a surrogate pair.
  package func string() throws(FormatError) -> String {
    try expect(.string)
    let inside = (range.lowerBound + 1)..<(range.upperBound - 1)
    let plain = withBytes { document -> String? in
      let text = document[inside]
      return text.contains(UInt8(ascii: "\\")) ? nil : String(decoding: text, as: UTF8.self)
    }
    if let plain { return plain }
    var text = ""
    var literalStart = inside.lowerBound
    var position = inside.lowerBound
    while position < inside.upperBound {
      guard document[position] == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      text += String(decoding: document[literalStart..<position], as: UTF8.self)
      text.unicodeScalars.append(try escapedScalar(at: &position))
      literalStart = position
    }
    return text + String(decoding: document[literalStart..<inside.upperBound], as: UTF8.self)
  }

  private func escapedScalar(at position: inout Int) throws(FormatError) -> Unicode.Scalar {
    let letter = document[position + 1]
    position += 2
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: return Unicode.Scalar(letter)
    }
    let first = codeUnit(at: &position)
    if let scalar = Unicode.Scalar(first) { return scalar }
    // In UTF-16 a high surrogate is a scalar only together with a low one.
    if (0xD800...0xDBFF).contains(first), position + 6 <= range.upperBound - 1,
      document[position] == UInt8(ascii: "\\"), document[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      let second = codeUnit(at: &position)
      if (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
      {
        return scalar
      }
    }
    throw FormatError("holds half of a surrogate pair, which is not text")
  }

  private func codeUnit(at position: inout Int) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      unit = unit << 4 | (document[position].hexadecimalDigit ?? 0)
      position += 1
    }
    return unit
  }

  /// The text of a number.
  package func numberText() throws(FormatError) -> String {
    try expect(.number)
    return String(decoding: document[range], as: UTF8.self)
  }

  /// A whole number, in 64 bits.
  package func integer() throws(FormatError) -> Int {
    let text = try numberText()
    if let integer = Int(text) { return integer }
    // Not as a `Double`, in which 0.99999999999999999999 is 1.
    if let integer = DecimalNumber(text)?.integer { return integer }
    throw FormatError("expected a whole number of at most 64 bits, found \(ShownText.token(text))")
  }

  /// A finite number.
  package func double() throws(FormatError) -> Double {
    let text = try numberText()
    guard let number = Double(text), number.isFinite else {
      throw FormatError("expected a finite number, found \(ShownText.token(text))")
    }
    return number
  }

  /// The text of the value, without white space between tokens.
  package func value() -> JSON {
    if isMinified {
      return JSON(minified: withBytes { String(decoding: $0[range], as: UTF8.self) })
    }
    let slice = document[range]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(slice.count)
    var isInString = false
    var isEscaped = false
    for byte in slice {
      if !isInString, byte.isJSONSpace { continue }
      bytes.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      }
    }
    return JSON(minified: String(decoding: bytes, as: UTF8.self))
  }

  package func expect(_ kind: Kind) throws(FormatError) {
    guard self.kind == kind else {
      throw FormatError("expected \(kind.rawValue), found \(self.kind.rawValue)")
    }
  }
}
