/// A value of JSON text that was checked when it was stored: it is read where it lies, and nothing of it
/// is copied.
///
/// A damaged file can hold any bytes. Then something else is found, or nothing.
package struct StoredJSON {
  private let bytes: UnsafeBufferPointer<UInt8>

  /// The value that some bytes are, without white space around it; `nil` if there are none.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    let bytes = bytes.bindMemory(to: UInt8.self)
    var (start, end) = (0, bytes.count)
    while start < end, bytes[start].isJSONSpace { start += 1 }
    while start < end, bytes[end - 1].isJSONSpace { end -= 1 }
    self.init(bytes, start..<end)
  }

  private init?(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    if range.isEmpty { return nil }
    self.bytes = UnsafeBufferPointer(rebasing: bytes[range])
  }

  /// The kind, by its first byte.
  package var kind: JSONNode.Kind { JSONNode.Kind(first: bytes[0]) }

  /// Whether it is `true`.
  package var isTrue: Bool { bytes[0] == UInt8(ascii: "t") }

  /// A copy; `nil` if it is no JSON.
  package var node: JSONNode? { try? JSONNode(parsing: Array(bytes), maximumDepth: .max) }

  /// The bytes of a string; `nil` for another value, and for a string with escapes.
  package var plainText: UnsafeBufferPointer<UInt8>? {
    guard kind == .string, bytes.count >= 2 else { return nil }
    let text = UnsafeBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])
    return text.contains(UInt8(ascii: "\\")) ? nil : text
  }

  /// A whole number of at most 15 digits; `nil` for another value, and for one that is written otherwise.
  package var plainInteger: Int? {
    let isNegative = bytes[0] == UInt8(ascii: "-")
    let digits = bytes.dropFirst(isNegative ? 1 : 0)
    guard 1...15 ~= digits.count else { return nil }
    var value = 0
    for byte in digits {
      guard byte.isDigit else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }

  /// The value at the tokens of a JSON Pointer; `nil` if there is none.
  ///
  /// Of members with one name the last counts.
  package func value(at tokens: [String]) -> StoredJSON? {
    var value = self
    for token in tokens {
      var token = token
      let found = token.withUTF8 { name -> StoredJSON? in
        switch value.kind {
        case .object: value.member(name)
        case .array: value.element(name)
        default: nil
        }
      }
      guard let found else { return nil }
      value = found
    }
    return value
  }

  /// The last member of a name.
  private func member(_ name: UnsafeBufferPointer<UInt8>) -> StoredJSON? {
    var found: Range<Int>?
    forEachPart { scanner in
      guard scanner.peek() == UInt8(ascii: "\"") else { return false }
      let start = scanner.position
      let isPlain = scanner.skipCheckedString()
      let key = start..<scanner.position
      scanner.skipSpace()
      _ = scanner.take(UInt8(ascii: ":"))
      scanner.skipSpace()
      let value = JSONNode.checkedValue(&scanner)
      if isNamed(name, key, isPlain: isPlain) { found = value }
      return true
    }
    return found.flatMap { StoredJSON(bytes, $0) }
  }

  private func isNamed(
    _ name: UnsafeBufferPointer<UInt8>, _ key: Range<Int>, isPlain: Bool
  ) -> Bool {
    guard isPlain else {
      let text = StoredJSON(bytes, key)?.node.flatMap { try? $0.string() }
      return text?.utf8.elementsEqual(name) ?? false
    }
    guard key.count == name.count + 2 else { return false }
    let inside = UnsafeBufferPointer(rebasing: bytes[(key.lowerBound + 1)..<(key.upperBound - 1)])
    return UnsafeRawBufferPointer(inside).hasSameBytes(as: UnsafeRawBufferPointer(name))
  }

  /// The element at an index, which is written as RFC 6901 says.
  private func element(_ index: UnsafeBufferPointer<UInt8>) -> StoredJSON? {
    let text = String(decoding: index, as: UTF8.self)
    guard var left = Int(text), left >= 0, String(left) == text else { return nil }
    var found: Range<Int>?
    forEachPart { scanner in
      found = JSONNode.checkedValue(&scanner)
      left -= 1
      return left >= 0
    }
    return left < 0 ? found.flatMap { StoredJSON(bytes, $0) } : nil
  }

  /// Calls a closure at the start of each member or element, until it returns `false`.
  private func forEachPart(_ body: (inout JSONScanner) -> Bool) {
    guard bytes.count >= 2 else { return }
    var scanner = JSONScanner(bytes, in: 1..<(bytes.count - 1))
    scanner.skipSpace()
    while scanner.position < scanner.end {
      let start = scanner.position
      // What is no JSON may have no end.
      guard body(&scanner), scanner.position > start else { return }
      scanner.skipSpace()
      _ = scanner.take(UInt8(ascii: ","))
      scanner.skipSpace()
    }
  }
}
