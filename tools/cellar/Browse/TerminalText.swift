import ListModel

/// Text in the columns of a terminal: made harmless, cut and wrapped.
package enum TerminalText {
  /// How many columns a character takes.
  ///
  /// Two for East Asian wide characters and for emoji, none for marks alone. Terminals differ in
  /// what they make of rare emoji sequences; a line that comes out longer is cut by the terminal.
  package static func columns(of character: Character) -> Int {
    var sum = 0
    for scalar in character.unicodeScalars {
      if isWide(scalar) { return 2 }
      // The selector after it asks for the emoji instead of the sign.
      if scalar == "\u{FE0F}" { return 2 }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .control, .format: break
      default: sum += 1
      }
    }
    return sum
  }

  /// How many columns a text takes.
  package static func columns(of text: String) -> Int {
    text.reduce(0) { $0 + columns(of: $1) }
  }

  /// A text that can't drive a terminal, cut to a number of columns; `…` says that it was cut.
  package static func cut(_ text: String, to width: Int) -> String {
    // Only as much as may fit is looked at.
    let start = text.unicodeScalars.prefix(max(0, width + 1) * mostScalars)
    var (line, used) = ("", 0)
    /// The longest part that leaves room for the sign that it was cut.
    var last = line
    var isCut = start.endIndex < text.endIndex
    for character in characters(of: String(start)) {
      let columns = columns(of: character)
      if used + columns > width {
        isCut = true
        break
      }
      line.append(character)
      used += columns
      if used < width { last = line }
    }
    if isCut { return width > 0 ? last + "…" : "" }
    return line
  }

  /// A text that takes exactly a number of columns, with spaces after it.
  package static func padded(_ text: String, to width: Int) -> String {
    let text = cut(text, to: width)
    return text + String(repeating: " ", count: max(0, width - columns(of: text)))
  }

  /// A line in several, broken at spaces where there are some; those after the first are indented.
  package static func wrapped(_ text: String, to width: Int) -> [String] {
    let text = ShownText.token(text, atMost: mostWrapped)
    let indent = width < 4 ? 0 : min(text.prefix { $0 == " " }.count + 2, width / 2)
    var lines: [String] = []
    var (line, used) = ("", 0)
    /// The line up to its last space, and what follows it; a next line has room for that and more.
    var space: (line: String, rest: String)?
    for character in characters(of: text) {
      let columns = columns(of: character)
      if used + columns > width, used > indent {
        let isAtSpace = character == " "
        lines.append(isAtSpace ? line : space?.line ?? line)
        line = String(repeating: " ", count: indent) + (isAtSpace ? "" : space?.rest ?? "")
        used = Self.columns(of: line)
        space = nil
        if isAtSpace { continue }
      }
      line.append(character)
      used += columns
      if character == " ", used > indent + 1 + width / 4 {
        space = (line, "")
      } else {
        space?.rest.append(character)
      }
    }
    return lines + [line]
  }

  /// The most scalars of a character that are shown; heaps of marks would slow a terminal down.
  private static let mostScalars = 8
  private static let mostWrapped = 20_000

  private static func characters(of text: String) -> [Character] {
    ShownText.line(text).map { character in
      let scalars = character.unicodeScalars
      guard scalars.count > mostScalars else { return character }
      return Character(String(String.UnicodeScalarView(scalars.prefix(mostScalars))))
    }
  }

  /// Whether a scalar is wide or fullwidth by Unicode's `EastAsianWidth.txt`; of blocks that are
  /// wide but for a few signs, all of it.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    if scalar.properties.isEmojiPresentation { return true }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
