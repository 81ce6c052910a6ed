/// Writes JSON with its members in the order in which they are given.
///
/// Foundation's `JSONEncoder` and `JSONSerialization` can't serve: they sort members by name or not
/// at all, and they can't insert JSON text as it is in a store.
package struct JSONWriter {
  /// The bytes written so far.
  package private(set) var utf8: [UInt8] = []
  private var needsComma = false

  package init() {}

  /// The text written so far.
  package var text: String { String(decoding: utf8, as: UTF8.self) }

  /// Takes out what was written so far; what follows goes on from there.
  package mutating func take() -> String {
    defer { utf8.removeAll(keepingCapacity: true) }
    return text
  }

  /// Writes an object.
  package static func object(_ body: (inout JSONWriter) -> Void) -> String {
    String(decoding: utf8(ofObject: body), as: UTF8.self)
  }

  /// Writes an object as bytes of UTF-8.
  package static func utf8(ofObject body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.utf8.reserveCapacity(240)
    writer.object(body)
    return writer.utf8
  }

  // MARK: Values

  package mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    try enclose("{", "}", body)
  }

  /// Writes an array of the values that a closure writes.
  package mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
    try enclose("[", "]", body)
  }

  package mutating func array<Element>(
    _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) -> Void
  ) {
    array { writer in for element in elements { body(&writer, element) } }
  }

  package mutating func value(_ string: String) {
    separate()
    Self.append(quoted: string, to: &utf8)
    needsComma = true
  }

  package mutating func value(_ integer: Int) { raw(String(integer)) }

  package mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

  /// Writes a finite number; a whole one without a fraction.
  package mutating func value(_ number: Double) {
    if let integer = Int(exactly: number), integer.magnitude < 1 << 53 {
      raw(String(integer))
    } else {
      raw(number.isFinite ? "\(number)" : "null")
    }
  }

  package mutating func value(_ json: JSON) { raw(json.text) }

  // MARK: Members

  package mutating func member(
    _ name: String, writing body: (inout JSONWriter) throws -> Void
  ) rethrows {
    value(name)
    utf8.append(UInt8(ascii: ":"))
    needsComma = false
    try body(&self)
  }

  package mutating func member(_ name: String, _ string: String) {
    member(name, writing: { $0.value(string) })
  }
  package mutating func member(_ name: String, _ integer: Int) {
    member(name, writing: { $0.value(integer) })
  }
  package mutating func member(_ name: String, _ json: JSON) {
    member(name, writing: { $0.value(json) })
  }

  package mutating func member(_ name: String, _ number: Double) {
    member(name, writing: { $0.value(number) })
  }

  package mutating func member<Element>(
    _ name: String, array elements: some Sequence<Element>,
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    member(name, writing: { $0.array(elements, body) })
  }

  // MARK: Pieces

  private mutating func enclose(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) throws -> Void
  ) rethrows {
    separate()
    utf8.append(UInt8(ascii: open))
    needsComma = false
    try body(&self)
    utf8.append(UInt8(ascii: close))
    needsComma = true
  }

  private mutating func raw(_ token: String) {
    separate()
    let fast: Void? = token.utf8.withContiguousStorageIfAvailable {
      utf8.append(contentsOf: $0)
    }
    if fast == nil { utf8.append(contentsOf: token.utf8) }
    needsComma = true
  }

  private mutating func separate() { if needsComma { utf8.append(UInt8(ascii: ",")) } }

  /// A string in quotes.
  ///
  /// It escapes the characters that JSON requires, and those that control a terminal or end a line.
  package static func quoted(_ string: String) -> String {
    isQuotedAsItIs(string) ? "\"\(string)\"" : escaped(string)
  }

  /// A string in quotes, as bytes of UTF-8.
  package static func quotedUTF8(_ string: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(string.utf8.count + 2)
    append(quoted: string, to: &bytes)
    return bytes
  }

  /// Appends a string in quotes.
  package static func append(quoted string: String, to bytes: inout [UInt8]) {
    let isAppended = string.utf8.withContiguousStorageIfAvailable { utf8 in
      guard isQuotedAsItIs(utf8) else { return false }
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: utf8)
      bytes.append(UInt8(ascii: "\""))
      return true
    }
    if isAppended != true { bytes.append(contentsOf: escaped(string).utf8) }
  }

  /// Whether a text needs no escapes, like most; `false` also if only a closer look would tell.
  private static func isQuotedAsItIs(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    utf8.allSatisfy { byte in
      // 0xC2 begins U+0080 to U+009F among others, 0xE2 U+2028.
      byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7F
        && byte != 0xC2 && byte != 0xE2
    }
  }

  private static func isQuotedAsItIs(_ string: String) -> Bool {
    string.utf8.withContiguousStorageIfAvailable(isQuotedAsItIs) ?? false
  }

  private static func escaped(_ string: String) -> String {
    var quoted = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
