/// Reads a JSON document of a known layout in one pass, without a ``JSONNode`` for each value.
///
/// What it does not take may be JSON all the same: then a ``JSONNode`` reads the document.
package struct JSONLayoutReader {
  private var scanner: JSONScanner

  package init(_ document: UnsafeBufferPointer<UInt8>) {
    scanner = JSONScanner(document, in: 0..<document.count)
  }

  /// Takes a text, for instance `{"name":`.
  ///
  /// Returns: `false` if another text comes next; the reader stays where it is.
  package mutating func take(_ text: StaticString) -> Bool { scanner.take(text) }

  /// Takes any value, checked as a ``JSONNode`` checks it.
  ///
  /// `maximumDepth`: How many levels of arrays and objects may open in it.
  /// Returns: `nil` if no value comes next, or one with white space between its tokens.
  package mutating func value(maximumDepth: Int) -> [UInt8]? {
    let start = scanner.position
    do { try scanner.value(depth: maximumDepth) } catch { return nil }
    if scanner.hasSkippedSpace { return nil }
    return Array(scanner.bytes[start..<scanner.position])
  }

  /// Takes a string.
  ///
  /// Returns: `nil` if no string comes next, or one with escapes.
  package mutating func string() -> [UInt8]? {
    guard scanner.peek() == UInt8(ascii: "\""), let quoted = value(maximumDepth: 0),
      !quoted.contains(UInt8(ascii: "\\"))
    else { return nil }
    return Array(quoted[1..<(quoted.count - 1)])
  }

  /// Takes a whole number without a fraction and an exponent.
  package mutating func integer() -> Int? {
    value(maximumDepth: 0).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  package var isAtEnd: Bool { scanner.position == scanner.end }
}
