import ListModel
import TestSupport
import Testing

/// What comes out is what went in.
@Suite struct JSONTextTests {
  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "18446744073709551615", "-0", "1e400", "1.0",
    "1E+05", "0.1000", "123456789012345678901234567890.5", "\"\\u00e9\"", "\"\u{E9}\"",
    "\"e\u{301}\"",
    "\"\\/\"", "\"\\u0041\"", "\"\\ud800\"", "\"  a\\\"  b \"", "\"\u{2028}\"", "\"\\\\\"",
    "{\"b\":1,\"a\":2}", "{\"a\":1,\"a\":2,\"\\u0061\":3}", "[\" [ , ] \",\"\\\\ \\\" \"]",
  ])
  func textIsKeptByteByByte(document: String) throws {
    let json = try JSON(parsing: document)
    #expect(Array(json.text.utf8) == Array(document.utf8))
    let padded = " \n" + document + "\t "
    #expect(Array(try JSON(parsing: padded).text.utf8) == Array(document.utf8))
  }

  @Test func whiteSpaceIsDroppedBetweenTokensOnly() throws {
    let json = try JSON(
      parsing: " {\t\"a b\" :\r\n[ 1 , \" \\\" \" , { } , [ ] ] , \"\\\\\" : \" x \" } ")
    #expect(json.text == #"{"a b":[1," \" ",{},[]],"\\":" x "}"#)
  }

  @Test func equalityIsByBytes() throws {
    let composed: JSON = "\"\u{E9}\""
    let decomposed: JSON = "\"e\u{301}\""
    #expect(composed != decomposed)
    #expect(try Set([composed, decomposed, JSON(parsing: " \"\u{E9}\" ")]).count == 2)
    #expect(try JSON(parsing: "1") != "1.0")
    #expect(try JSON(parsing: "[ 1 ]") == "[1]")
    #expect(JSON.null == "null")
  }

}

/// Reading values out of a checked document.
@Suite struct JSONNodeTests {
  private func node(_ text: String) throws -> JSONNode { try JSONNode(parsing: Array(text.utf8)) }

  @Test func kindsAreToldApart() throws {
    let kinds: [(String, JSONNode.Kind)] = [
      ("{}", .object), ("[]", .array), ("\"\"", .string), ("-1", .number), ("0", .number),
      ("true", .bool), ("false", .bool), ("null", .null),
    ]
    for (text, kind) in kinds {
      #expect(try node(" \(text) ").kind == kind)
      for (_, other) in kinds where other != kind {
        #expect(throws: FormatError("expected \(other.rawValue), found \(kind.rawValue)")) {
          try node(text).expect(other)
        }
      }
    }
  }

  @Test func elementsAreCutOutAsTheyStand() throws {
    let elements = try node("[ 1 ,\"a,]\\\"\" , [2 , 3] ,{\"x\":[ ]}, null ]").array()
    #expect(elements.map { $0.value().text } == ["1", #""a,]\"""#, "[2,3]", #"{"x":[]}"#, "null"])
    #expect(try node("[ ]").array().isEmpty)
  }

  @Test func membersAreFoundByName() throws {
    let object = try node(#" { "a" : 1 , "b\"}" : [ 2 ] , "\u0063" : "x" , "é" : null } "#).object()
    #expect(try object.required("a").value() == "1")
    #expect(try object.required("b\"}").value() == "[2]")
    #expect(try object.required("c").string() == "x")
    #expect(try object.required("\u{E9}").kind == .null)
    let other = try object.optional("e\u{301}")
    #expect(other == nil, "names are compared by bytes")
    #expect(throws: FormatError("missing", at: "d")) { try object.required("d") }
  }

  @Test func aNameThatOccursTwiceIsRefusedWhenAskedFor() throws {
    let object = try node(#"{"a":1,"b":2,"\u0061":3}"#).object()
    #expect(throws: FormatError("the name occurs twice", at: "a")) { try object.optional("a") }
    #expect(try object.required("b").integer() == 2)
  }

  @Test func stringsResolveTheirEscapes() throws {
    #expect(try node(#""\"\\\/\b\f\n\r\t""#).string() == "\"\\/\u{8}\u{C}\n\r\t")
    #expect(try node(#""x\u00e9y\u0000z""#).string().utf8.elementsEqual("x\u{E9}y\u{0}z".utf8))
    #expect(try node(#""\uD834\uDD1E\udbff\udfff""#).string() == "\u{1D11E}\u{10FFFF}")
    #expect(try node("\"e\u{301}\"").string().unicodeScalars.count == 2)
    #expect(try node(#""é\né""#).string() == "é\né")
  }

  @Test(arguments: [
    #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\ud800""#,
    #""\udc00\ud800""#,
    #""\ud800\u0041""#, #""a\udfff""#,
  ])
  func halfASurrogatePairIsNotText(document: String) throws {
    let node = try node(document)
    #expect(throws: FormatError("holds half of a surrogate pair, which is not text")) {
      try node.string()
    }
    #expect(node.value().text == document, "as content it is kept")
  }

  @Test func integersAreReadExactly() throws {
    let integers: [(String, Int)] = [
      ("0", 0), ("-0", 0), ("0.0", 0), ("-0e5", 0), ("17", 17), ("1.0", 1), ("1e3", 1_000),
      ("10e-1", 1),
      ("1.5e1", 15), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9007199254740993", 9_007_199_254_740_993), ("9007199254740993.0", 9_007_199_254_740_993),
      ("9223372036854775807.0", .max), ("0e99999999999999999999", 0),
    ]
    for (text, integer) in integers { #expect(try node(text).integer() == integer, "\(text)") }
  }

  @Test(arguments: [
    "1.5", "0.1", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19", "1e400",
    "0.99999999999999999999", "1.00000000000000000001", "1e99999999999999999999",
    "10e9223372036854775807", "1e-9223372036854775808",
  ])
  func anythingElseIsNoInteger(document: String) throws {
    let error = #expect(throws: FormatError.self) { try node(document).integer() }
    #expect(
      error?.description == "expected a whole number of at most 64 bits, found \(document)")
  }

  @Test func doublesMustBeFinite() throws {
    #expect(try node("0.1").double() == 0.1)
    #expect(try node("-1e300").double() == -1e300)
    #expect(try node("5e-324").double() == .leastNonzeroMagnitude)
    for text in ["1e400", "-1e400"] {
      #expect(throws: FormatError("expected a finite number, found \(text)")) {
        try node(text).double()
      }
    }
    #expect(throws: FormatError("expected a number, found a string")) {
      try node("\"1\"").double()
    }
  }
}
