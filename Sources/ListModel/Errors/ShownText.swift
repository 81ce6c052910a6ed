/// Makes people's text (names, files, what a line holds) fit to be shown on a terminal.
///
/// Such text can move the cursor, forge a line, or turn the direction of what follows it. One rule
/// for all output, in two notations: `\u{9b}` in plain text, `\u009b` inside of JSON, which means
/// the same value.
package enum ShownText {
  /// A text as one line: what is not seen is shown by its number.
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

  /// JSON of the same value, whose strings hold nothing that drives a terminal.
  ///
  /// Nothing else is changed; white space between tokens stays. In JSON such characters stand in
  /// strings alone. Those stay that people write with: the joiners of emoji and of Persian, the
  /// soft hyphen, the signs before Arabic numbers.
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

  /// A text in quotes, for a message; of a long one the beginning and its size.
  package static func quoted(_ text: String) -> String {
    guard text.utf8.count > maximumLength else { return JSONWriter.quoted(text) }
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maximumLength)))
    return JSONWriter.quoted(start + "…") + " (\(text.utf8.count) bytes)"
  }

  /// A token, such as a number, for a message; of a long one the beginning and its size.
  package static func token(_ text: String, atMost limit: Int = maximumLength) -> String {
    guard text.utf8.count > limit else { return text }
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    return start + "… (\(text.utf8.count) bytes)"
  }

  /// How much of a text a message quotes, in Unicode scalars.
  package static let maximumLength = 60

  /// Whether a text holds a byte below `limit`, DEL, or one that begins another alphabet: most don't.
  private static func mayNeedEscapes(_ text: String, inside limit: UInt8) -> Bool {
    text.utf8.contains { $0 < limit || $0 >= 0x7F }
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Format characters that change how their neighbours look and nothing else.
  private static func isForWriting(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x200C, 0x200D, 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2: true
    default: false
    }
  }
}
