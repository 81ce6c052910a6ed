import ListModel
import Testing

/// Documents of a known layout are read as a `JSONNode` reads them, or not at all.
@Suite struct JSONLayoutReaderTests {
  private func read<Value>(
    _ document: String, _ body: (inout JSONLayoutReader) -> Value
  ) -> Value {
    Array(document.utf8).withUnsafeBufferPointer { bytes in
      var reader = JSONLayoutReader(bytes)
      return body(&reader)
    }
  }

  @Test func theValuesOfALayoutAreReadOneAfterAnother() {
    read("{\"a\":\"b c\",\"n\":-12,\"v\":[1,{\"x\":\"\\\" y\"}]}") { reader in
      func expect(_ text: StaticString, _ isTaken: Bool = true) {
        let result = reader.take(text)
        #expect(result == isTaken, "\(text)")
      }
      expect("{\"b\":", false)
      expect("{\"a\":")
      let string = reader.string()
      #expect(string == Array("b c".utf8))
      expect(",\"n\":")
      let integer = reader.integer()
      #expect(integer == -12)
      expect(",\"v\":")
      let value = reader.value(maximumDepth: 2)
      #expect(value == Array("[1,{\"x\":\"\\\" y\"}]".utf8))
      #expect(!reader.isAtEnd)
      expect("}")
      #expect(reader.isAtEnd)
      expect("}", false)
    }
  }

  @Test(arguments: ["", "{", "[1,]", "[1, 2]", "[[1]]", "\"\u{1}\"", "nul", "01a", "-"])
  func aValueThatIsNotMinifiedJSONOrTooDeepIsNotTaken(_ document: String) {
    let isWhole = read(document) { reader in
      reader.value(maximumDepth: 1) != nil && reader.isAtEnd
    }
    #expect(!isWhole)
  }

  @Test(arguments: ["1", "null", "\"a\\n\"", "\"a"]) func noOtherStringIsTaken(_ document: String) {
    let string = read(document) { $0.string() }
    #expect(string == nil)
  }

  @Test(arguments: ["\"1\"", "1.0", "1e3", "9223372036854775808", "true"])
  func noOtherWholeNumberIsTaken(_ document: String) {
    let integer = read(document) { $0.integer() }
    #expect(integer == nil)
  }
}
