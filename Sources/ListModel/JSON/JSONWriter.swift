/// Writes JSON with its members in the order in which they are given.
package struct JSONWriter {
  /// What was written so far.
  package private(set) var text = ""
  private var needsComma = false

  package init() {}

  /// Writes an object.
  package static func object(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.object(body)
    return writer.text
  }

  // MARK: Values

  package mutating func object(_ body: (inout JSONWriter) -> Void) { enclose("{", "}", body) }

  package mutating func array<Element>(
    _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) -> Void
  ) {
    enclose("[", "]") { writer in for element in elements { body(&writer, element) } }
  }

  package mutating func value(_ string: String) {
    separate()
    if Self.isQuotedAsItIs(string) {
      text += "\""
      text += string
      text += "\""
    } else {
      text += Self.escaped(string)
    }
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

  package mutating func member(_ name: String, writing body: (inout JSONWriter) -> Void) {
    value(name)
    text += ":"
    needsComma = false
    body(&self)
  }

  package mutating func member(_ name: String, _ string: String) {
    member(name, writing: { $0.value(string) })
  }
  package mutating func member(_ name: String, _ integer: Int) {
    member(name, writing: { $0.value(integer) })
  }
  package mutating func member(_ name: String, _ flag: Bool) {
    member(name, writing: { $0.value(flag) })
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
    _ open: String, _ close: String, _ body: (inout JSONWriter) -> Void
  ) {
    separate()
    text += open
    needsComma = false
    body(&self)
    text += close
    needsComma = true
  }

  private mutating func raw(_ token: String) {
    separate()
    text += token
    needsComma = true
  }

  private mutating func separate() { if needsComma { text += "," } }

  /// A string in quotes.
  ///
  /// Escapes what JSON asks for, and what moves a terminal or ends a line.
  package static func quoted(_ string: String) -> String {
    isQuotedAsItIs(string) ? "\"\(string)\"" : escaped(string)
  }

  /// Appends a string in quotes, both as bytes of UTF-8.
  package static func append(quoted utf8: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    guard utf8.withUnsafeBufferPointer(isQuotedAsItIs) else {
      return bytes.append(contentsOf: escaped(String(decoding: utf8, as: UTF8.self)).utf8)
    }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: utf8)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether nothing in a text is escaped, as in most; `false` also where only all of it would tell.
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
