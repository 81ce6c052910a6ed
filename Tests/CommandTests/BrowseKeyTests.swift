import CellarCommand
import TestSupport
import Testing

/// The keys of the browser, from the bytes of a terminal.
@Suite struct BrowseKeyTests {
  private func keys(_ text: String) -> [BrowseKey] {
    var parser = KeyParser()
    return parser.feed(text.utf8) + parser.flush()
  }

  @Test(arguments: [
    ("\u{1B}[A", BrowseKey.up), ("\u{1B}OA", .up), ("\u{1B}[1;2B", .down), ("\u{1B}[C", .right),
    ("\u{1B}[D", .left), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[H", .home),
    ("\u{1B}[1~", .home), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\r", .enter),
    ("\u{7F}", .backspace), ("\u{3}", .interrupt), ("q", .character("q")), ("é", .character("é")),
    ("界", .character("界")), ("\u{1B}", .escape),
  ])
  func eachKeyHasItsBytes(_ text: String, _ key: BrowseKey) {
    #expect(keys(text) == [key])
  }

  @Test func aSequenceThatIsCutAnywhereIsTheSameKeys() {
    let bytes = Array("a\u{1B}[1;5A\u{1B}OH界\u{1B}[6~z".utf8)
    let whole: [BrowseKey] = [
      .character("a"), .up, .home, .character("界"), .pageDown, .character("z"),
    ]
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var parser = KeyParser()
        let keys =
          parser.feed(bytes[..<first]) + parser.feed(bytes[first..<second])
          + parser.feed(bytes[second...])
        #expect(keys == whole, "cut at \(first) and \(second)")
        #expect(!parser.isWaiting)
      }
    }
  }

  @Test func anEscapeAloneWaitsForTheRestOfASequence() {
    var parser = KeyParser()
    #expect(parser.feed([0x1B]) == [])
    #expect(parser.isWaiting)
    #expect(parser.flush() == [.escape])
    #expect(!parser.isWaiting)
    #expect(keys("\u{1B}q") == [.escape, .character("q")])
  }

  @Test func whatIsNoKeyIsPassedOver() {
    #expect(keys("\u{1B}[31m\u{1B}[200~\u{0}x") == [.character("x")])
    var generator = SeededGenerator(seed: 7)
    var parser = KeyParser()
    for _ in 0..<20_000 {
      _ = parser.feed([UInt8(generator.number(0..<256))])
    }
    _ = parser.feed(Array(repeating: UInt8(ascii: ";"), count: 100))
    _ = parser.flush()
    #expect(parser.feed("q".utf8).last == .character("q"))
  }
}
