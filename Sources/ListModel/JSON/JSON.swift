/// Any JSON value, kept as text, so that what comes out is exactly what went in.
///
/// Numbers keep their digits (64-bit integers and longer ones alike), strings their escapes,
/// objects the order of their members. Only white space between tokens is dropped.
///
/// Make one with `JSON(encoding:)` or ``init(parsing:)``. There is no string literal for it: a
/// literal can't throw, and it would be unclear whether the text is the value or a string in it.
///
/// `==` compares bytes. To compare what two values mean, use ``isEquivalent(to:)``.
public struct JSON: Sendable {
  /// The value as text, without white space between tokens.
  public let text: String

  /// Reads one JSON value (RFC 8259).
  ///
  /// - Parameter text: The value; white space around it is allowed.
  /// - Throws: ``FormatError`` that names the byte, if the text is not one JSON value or nests
  ///   deeper than 32 levels.
  /// - Complexity: O(*n*), *n* bytes.
  public init(parsing text: String) throws(FormatError) {
    self = try JSONNode(parsing: Array(text.utf8)).value()
  }

  /// Reads one JSON value from bytes of UTF-8, as a store has them.
  package init(parsing utf8: UnsafeRawBufferPointer) throws(FormatError) {
    let (range, hasSpace) = try Self.value(in: utf8)
    if hasSpace {
      self = try JSONNode(parsing: Array(utf8)).value()
    } else {
      text = String(decoding: utf8[range], as: UTF8.self)
    }
  }

  /// The range of the one value in some bytes, and whether there is white space between its tokens.
  private static func value(
    in utf8: UnsafeRawBufferPointer
  ) throws(FormatError) -> (Range<Int>, hasSpace: Bool) {
    let found = utf8.withMemoryRebound(to: UInt8.self) {
      bytes -> Result<(Range<Int>, hasSpace: Bool), FormatError> in
      var scanner = JSONScanner(bytes, in: 0..<bytes.count)
      do throws(FormatError) {
        let range = try scanner.wholeValue(maximumDepth: JSONNode.maximumDepth)
        return .success((range, scanner.hasSkippedSpace))
      } catch {
        return .failure(error)
      }
    }
    return try found.get()
  }

  /// Takes text that is known to be minified JSON.
  package init(minified text: String) { self.text = text }

  /// Whether ``init(parsing:)`` accepts some bytes of UTF-8; reads them without a copy.
  ///
  /// - Complexity: O(*n*), *n* bytes.
  package static func accepts(_ utf8: UnsafeRawBufferPointer) -> Bool {
    (try? value(in: utf8)) != nil
  }

  /// `null`.
  public static let null = JSON(minified: "null")
}

extension JSON: Hashable {
  /// Compares bytes.
  public static func == (lhs: JSON, rhs: JSON) -> Bool { lhs.text.hasSameBytes(as: rhs.text) }
  /// Hashes bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: text) }
}

extension JSON: CustomStringConvertible {
  /// The text itself.
  public var description: String { text }
}

extension JSON {
  /// Whether both values mean the same: members in any order, numbers by their value (`1.0` is `1`,
  /// compared digit by digit, so no precision is lost), strings by their scalars.
  ///
  /// - Complexity: O(*n*) if the texts are equal or a string differs, else O(*n* log *n*), *n*
  ///   bytes.
  public func isEquivalent(to other: JSON) -> Bool {
    if self == other { return true }
    if let sum = sumOfStrings, let otherSum = other.sumOfStrings, sum != otherSum { return false }
    // The texts were validated when they were made; text that is not JSON equals nothing else.
    guard let lhs = try? JSONNode(parsing: Array(text.utf8), maximumDepth: .max),
      let rhs = try? JSONNode(parsing: Array(other.text.utf8), maximumDepth: .max)
    else { return false }
    return lhs.isEquivalent(to: rhs)
  }

  /// A sum over the hashes of all strings, names included; `nil` if there is an escape.
  ///
  /// Equivalent values have the same strings, in any order. Adding them up takes a fifth of the
  /// time of parsing and comparing.
  private var sumOfStrings: UInt64? {
    var sum: UInt64 = 0
    var hash: UInt64 = 0
    var isInString = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): return nil
      case UInt8(ascii: "\""):
        isInString.toggle()
        if !isInString { sum &+= hash ^ (hash >> 32) }
        hash = 0x9E37_79B9_7F4A_7C15
      default: if isInString { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      }
    }
    return sum
  }
}
