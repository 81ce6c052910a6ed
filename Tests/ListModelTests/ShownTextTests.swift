import ListModel
import Testing

/// Text that is shown drives no terminal; as JSON it keeps its value.
@Suite struct ShownTextTests {
  /// Every scalar that Unicode calls a control, a format character or a separator of lines.
  private let unseen: [Unicode.Scalar] = (0...0x10FFFF).compactMap(Unicode.Scalar.init).filter {
    switch $0.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  @Test func aLineHoldsNothingUnseen() {
    for scalar in unseen {
      let shown = ShownText.line("a\(scalar)b")
      #expect(shown == "a\\u{\(String(scalar.value, radix: 16))}b")
      #expect(ShownText.line(shown) == shown)
    }
    for text in ["", "plain", "é e\u{301} 日本 👩", "a\\b\"c'"] {
      #expect(ShownText.line(text) == text)
    }
  }

  @Test func jsonKeepsItsValueAndItsOtherBytes() throws {
    let kept: Set<UInt32> = [
      0xAD, 0x200C, 0x200D, 0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891,
      0x8E2,
    ]
    for scalar in unseen where scalar.value >= 0x7F {
      let json = "{\"a\(scalar)\": \"é\(scalar)日\\n\"}"
      let shown = ShownText.json(json)
      let stays = scalar.value > 0xFFFF || kept.contains(scalar.value)
      #expect((shown == json) == stays, "U+\(String(scalar.value, radix: 16))")
      #expect(try JSON(parsing: shown).isEquivalent(to: JSON(parsing: json)))
      #expect(!shown.unicodeScalars.contains(scalar) || stays)
      #expect(ShownText.json(shown) == shown)
    }
    #expect(
      ShownText.json("{\n\t\"a\": [1, \"\\u0085\"]\r\n}") == "{\n\t\"a\": [1, \"\\u0085\"]\r\n}")
  }

  @Test func aLongTextIsQuotedByItsBeginning() {
    let long = String(repeating: "é", count: 100)
    #expect(ShownText.quoted("a\"b") == "\"a\\\"b\"")
    #expect(
      ShownText.quoted(long) == "\"" + String(repeating: "é", count: 60) + "…\" (200 bytes)")
    #expect(ShownText.token("17") == "17")
    // One letter of a megabyte.
    let letter = "e" + String(repeating: "\u{301}", count: 500_000)
    #expect(ShownText.token(letter).utf8.count < 200)
  }
}

/// Who misspells a name is told the nearest there are.
@Suite struct NearestNamesTests {
  @Test(arguments: [
    ("ema", "emma"), ("emam", "emma"), ("emmma", "emma"), ("EMMA", "emma"), ("fresh-1", "fresh"),
    ("--stor", "--store"), ("BokCell", "BookCell"),
  ])
  func aSlipOfTheHandIsFound(_ name: String, _ meant: String) {
    let names = ["dune", "emma", "fresh", "--store", "BookCell", "z"]
    #expect(NearestNames.nearest(to: name, among: names).first == meant)
  }

  @Test func whatIsFarIsNotSuggested() {
    #expect(NearestNames.nearest(to: "zebra", among: ["emma", "dune"]) == [])
    #expect(NearestNames.nearest(to: "emma", among: ["emma"]) == [])
    #expect(NearestNames.nearest(to: "item1", among: (2...9).map { "item\($0)" }).count == 3)
  }

  @Test func theHintSaysWhatThereIs() {
    func hint(_ name: String, _ names: String...) -> String {
      NearestNames.hint(for: name, among: names, in: "the list")
    }
    #expect(hint("a") == "(the list has none)")
    #expect(hint("zebra", "emma") == "(there is \"emma\")")
    #expect(hint("zebra", "a", "b") == "(there are \"a\", \"b\")")
    #expect(hint("zebra", "a", "b", "c", "d", "e", "f").hasSuffix("\"e\", …)"))
    #expect(hint("ema", "dune", "emma") == "(near it: \"emma\")")
  }
}
