import CellarCommand
import TestSupport
import Testing

/// How texts fill the columns of a terminal.
@Suite struct TerminalTextTests {
  @Test(
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("界", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
      ("ｱ", 1), ("Ａ", 2), ("🎉", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("→", 1),
      ("\u{301}", 0), ("ب", 1), ("㋿", 2), ("𠀀", 2),
    ] as [(Character, Int)])
  func aCharacterHasItsColumns(_ character: Character, _ columns: Int) {
    #expect(TerminalText.columns(of: character) == columns, "\(character)")
  }

  @Test func aTextIsCutToItsColumns() {
    #expect(TerminalText.cut("plain", to: 5) == "plain")
    #expect(TerminalText.cut("plain", to: 4) == "pla…")
    #expect(TerminalText.cut("世界世界", to: 8) == "世界世界")
    #expect(TerminalText.cut("世界世界", to: 7) == "世界世…")
    #expect(TerminalText.cut("世界世界", to: 6) == "世界…")
    #expect(TerminalText.cut("a", to: 0) == "")
    #expect(TerminalText.cut("世", to: 1) == "…")
    #expect(TerminalText.padded("世界", to: 5) == "世界 ")
    #expect(TerminalText.padded("世界", to: 3) == "世…")
  }

  @Test func noTextDrivesTheTerminal() {
    let hostile = "\u{1B}[31m\u{9B}1m\r\n\t\u{202E}\u{2066}\u{200D}\u{FEFF}\u{2028}"
    let shown = [TerminalText.cut(hostile, to: 200)] + TerminalText.wrapped(hostile, to: 7)
    for line in shown {
      for scalar in line.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
          Issue.record("U+\(String(scalar.value, radix: 16))")
        default: break
        }
      }
    }
    #expect(shown[0].hasPrefix(#"\u{1b}[31m\u{9b}1m\u{d}\u{a}"#))
  }

  @Test func heapsOfMarksAndLongTextsAreCutShort() {
    let heap = "a" + String(repeating: "\u{301}", count: 100_000) + "b"
    #expect(TerminalText.cut(heap, to: 10).unicodeScalars.count < 100)
    #expect(TerminalText.cut(heap, to: 10).hasSuffix("…"))
    let long = String(repeating: "x", count: 1_000_000)
    #expect(TerminalText.cut(long, to: 10) == "xxxxxxxxx…")
    let lines = TerminalText.wrapped(long, to: 100)
    #expect(lines.count < 300)
    #expect(lines.last?.contains("(1000000 bytes)") == true)
  }

  @Test func noPartIsWiderThanTheWidthAndNothingIsLost() {
    var generator = SeededGenerator(seed: 3)
    let alphabet: [Character] = ["a", " ", "界", "🎉", "é", "e\u{301}", "b", "\u{7}"]
    for _ in 0..<500 {
      let text = String(
        (0..<generator.number(0..<60)).map { _ in
          alphabet[generator.number(0..<alphabet.count)]
        })
      let width = generator.number(2..<30)
      #expect(TerminalText.columns(of: TerminalText.cut(text, to: width)) <= width)
      #expect(TerminalText.columns(of: TerminalText.padded(text, to: width)) == width)
      let lines = TerminalText.wrapped(text, to: width)
      for line in lines { #expect(TerminalText.columns(of: line) <= width, "\(width): \(lines)") }
      let words = lines.joined().filter { $0 != " " }
      #expect(
        words == text.filter { $0 != " " }.replacing("\u{7}", with: #"\u{7}"#), "\(width): \(lines)"
      )
    }
    #expect(TerminalText.wrapped("  one two three", to: 9) == ["  one two", "    three"])
  }
}
