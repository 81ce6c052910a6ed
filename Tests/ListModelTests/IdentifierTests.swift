import ListModel
import TestSupport
import Testing

private let composed = "caf\u{E9}"
private let decomposed = "cafe\u{301}"

@Suite struct IdentifierTests {
  @Test func equalityIsByBytesAndNotByCanonicalEquivalence() {
    #expect(composed == decomposed, "this test needs two texts that String calls equal")
    #expect(ItemID(stringLiteral: composed) != ItemID(stringLiteral: decomposed))
    #expect(ItemID(stringLiteral: composed) == ItemID(stringLiteral: "caf\u{E9}"))
  }

  @Test func composedAndDecomposedLiveSideBySide() {
    let ids = [ItemID(stringLiteral: composed), ItemID(stringLiteral: decomposed)]
    #expect(Set(ids).count == 2)
    var names: [ItemID: Int] = [:]
    for (index, id) in ids.enumerated() { names[id] = index }
    #expect(names == [ids[0]: 0, ids[1]: 1])
  }

  @Test func equalBytesHashAlikeHoweverTheTextWasMade() throws {
    // A text put together from UTF-16 code units; on Apple's platforms it may be stored as UTF-16.
    let rebuilt = String(decoding: Array(composed.utf16), as: UTF16.self)
    #expect(ItemID(stringLiteral: rebuilt) == ItemID(stringLiteral: composed))
    #expect(ItemID(stringLiteral: rebuilt).hashValue == ItemID(stringLiteral: composed).hashValue)
  }

  @Test(arguments: [1, 2, 255, 256]) func from1To256BytesAreAnIdentifier(count: Int) throws {
    let text = String(repeating: "x", count: count)
    #expect(try ItemID(text).rawValue == text)
  }

  @Test func limitsCountBytesAndNotCharacters() throws {
    #expect(try ItemID(String(repeating: "é", count: 128)).rawValue.utf8.count == 256)
    let error = #expect(throws: FormatError.self) {
      try ItemID(String(repeating: "é", count: 128) + "x")
    }
    #expect(error?.description == "item id is 257 bytes long; the limit is 256 bytes")
  }

  // A literal as the argument would pick the initializer for literals, which traps.
  private let empty = ""

  @Test func emptyTextIsRefused() {
    let error = #expect(throws: FormatError.self) { try SectionID(empty) }
    #expect(error?.description == "section id is empty; give it 1 to 256 bytes")
  }

  @Test(arguments: ["\u{0}", "a\u{0}", "\u{0}b", "a\u{0}b"])
  func nulIsRefusedWhereverItStands(text: String) {
    let error = #expect(throws: FormatError.self) { try ListID(text) }
    #expect(error?.description == "list id contains U+0000, which SQLite would cut it at")
  }

  @Test func errorsSayWhatIsNamed() {
    #expect(throws: FormatError("cell name is empty; give it 1 to 256 bytes")) {
      try CellName(empty)
    }
    #expect(throws: FormatError("view name is empty; give it 1 to 256 bytes")) {
      try ViewName(empty)
    }
    #expect(throws: FormatError("item type is empty; give it 1 to 256 bytes")) {
      try TypeName(empty)
    }
  }

  @Test func orderIsTheOrderOfTheBytes() {
    // U+FFFF is three bytes from 0xEF, U+10000 four from 0xF0: UTF-16 would order them otherwise.
    let ordered: [ItemID] = [
      "A", "Z", "a", "aa", "b", "cafe", ItemID(stringLiteral: decomposed),
      ItemID(stringLiteral: composed), "\u{FFFF}", "\u{10000}",
    ]
    #expect(ordered.reversed().sorted() == ordered)
    for (index, id) in ordered.enumerated() {
      for (other, otherID) in ordered.enumerated() {
        #expect((id < otherID) == (index < other), "\(id) and \(otherID)")
      }
    }
  }

  // Apps of the other systems start no programs.
  #if os(macOS) || os(Linux)
    @Test func anInvalidLiteralTraps() async {
      await #expect(processExitsWith: .failure) { _ = ItemID(stringLiteral: "") }
      await #expect(processExitsWith: .failure) { _ = Author(stringLiteral: "") }
    }
  #endif
}

@Suite struct AuthorTests {
  @Test func nameIs1To64Bytes() throws {
    #expect(Author("é").name == "é")
    #expect(try Author(String(repeating: "é", count: 32)).name.utf8.count == 64)
    for text in ["", String(repeating: "é", count: 32) + "x", "a\u{0}b"] {
      #expect(throws: FormatError("an author is 1 to 64 bytes of UTF-8 without U+0000")) {
        try Author(text)
      }
    }
  }

  @Test func equalityIsByBytes() throws {
    let authors = [try Author(composed), try Author(decomposed), try Author(composed)]
    #expect(authors[0] != authors[1])
    #expect(Set(authors).count == 2)
    #expect(Author("app") == .app)
    #expect(Author.app != .feed)
  }
}

@Suite struct ActionTests {
  @Test func equalityIsByBytesOfUrlAndEvent() {
    #expect(Action(url: composed) != Action(url: decomposed))
    #expect(Action(event: composed) != Action(event: decomposed))
    #expect(Action(url: "u") != Action(event: "u"))
    #expect(Action(url: "") != Action())
    #expect(
      Set([Action(url: composed), Action(url: decomposed), Action(url: composed)]).count == 2)
  }

  @Test func jsonRoundTripsExactly() throws {
    let actions = [
      Action(), Action(url: composed), Action(url: decomposed, event: "a\nb\""),
      Action(attrs: "{\"n\":18446744073709551615,\"n\":\"\\u00e9\"}"), Action(attrs: .null),
    ]
    for action in actions {
      #expect(try Action(stored: action.json.utf8) == action)
    }
    #expect(
      Action(url: "u", event: "e", attrs: "[1]").json == #"{"url":"u","event":"e","attrs":[1]}"#)
  }
}
