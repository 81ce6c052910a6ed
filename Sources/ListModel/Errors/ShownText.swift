/// Makes text from outside, such as names and contents, safe to print on a terminal.
///
/// Such text could move the cursor, forge a line, or change the direction of the text after it. All
/// output follows one rule, in two notations: `\u{9b}` in plain text, and `\u009b` in JSON, where
/// it is the same value.
package enum ShownText {
  /// A text as one line, with invisible characters shown by their numbers.
  ///
  /// Escapes control and format characters and the separators of lines and paragraphs.
  package static func line(_ text: String) -> String {
    guard mayNeedEscapes(text, inside: 0x20) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isUnseen(scalar) {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// JSON of the same value, with strings that cannot control a terminal.
  ///
  /// Everything else stays as it is, white space too: outside of strings JSON has no such
  /// characters. Format characters of ordinary writing stay: the joiners of emoji and of Persian,
  /// the soft hyphen and the signs before Arabic numbers.
  package static func json(_ json: String) -> String {
    guard mayNeedEscapes(json, inside: 0) else { return json }
    var shown = ""
    shown.reserveCapacity(json.utf8.count + 32)
    for scalar in json.unicodeScalars {
      if scalar.value >= 0x7F, scalar.value <= 0xFFFF, isUnseen(scalar), !isForWriting(scalar) {
        let digits = String(scalar.value, radix: 16)
        shown += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// A text in quotes, for a message; a long one is cut, with its size.
  package static func quoted(_ text: String) -> String {
    guard text.utf8.count > maximumLength else { return JSONWriter.quoted(text) }
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumLength)))
    return JSONWriter.quoted(start + "…") + " (\(text.utf8.count) bytes)"
  }

  /// A path as an argument in a line of shell, in single quotes where it needs them.
  package static func argument(_ path: String) -> String {
    let plain = path.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
        UInt8(ascii: "@"), UInt8(ascii: ","), UInt8(ascii: "="):
        true
      default: false
      }
    }
    if plain, !path.isEmpty, !path.hasPrefix("-") { return path }
    let name = path.hasPrefix("-") ? "./" + path : path
    return "'"
      + name.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }

  /// A token, such as a number, for a message; a long one is cut, with its size.
  package static func token(_ text: String, atMost limit: Int = maximumLength) -> String {
    guard text.utf8.count > limit else { return text }
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    return start + "… (\(text.utf8.count) bytes)"
  }

  /// The length at which a message cuts a text, in Unicode scalars.
  package static let maximumLength = 60

  /// Whether a text has a byte below `limit`, DEL, or a byte beyond ASCII; most texts have none.
  private static func mayNeedEscapes(_ text: String, inside limit: UInt8) -> Bool {
    text.utf8.contains { $0 < limit || $0 >= 0x7F }
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Whether a format character changes only the look of its neighbours.
  private static func isForWriting(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x200C, 0x200D, 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2: true
    default: false
    }
  }
}
