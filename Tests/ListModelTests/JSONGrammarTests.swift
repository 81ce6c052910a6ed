import ListModel
import Testing

private func problem(of bytes: [UInt8]) -> FormatError? {
  do throws(FormatError) {
    _ = try JSONNode(parsing: bytes)
    return nil
  } catch {
    return error
  }
}

private func problem(of text: String) -> FormatError? { problem(of: Array(text.utf8)) }

/// RFC 8259, by the document: what is JSON and what is not.
@Suite struct JSONGrammarTests {
  @Test(arguments: [
    "0", "-0", "1", "-1", "10", "1.5", "1.50", "-0.0", "0e0", "1e5", "1E5", "1e+5", "1e-5",
    "1.5E-10",
    "9223372036854775807", "18446744073709551615", "123456789012345678901234567890", "1e400",
    "1e-400", "0e99999999999999999999", "1e00", "true", "false", "null",
    "\"\"", "\"a\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u00e9\\u00E9\\uD834\\uDD1E\"",
    "\"\\u0000\"", "\"\\ud800\"", "\"\\udc00x\"", "\"\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\"",
    "\"\u{FFFF}\u{10000}\u{10FFFF}\u{FEFF}\u{2028}\"", "[]", "[[]]", "[1,2]", "[null]",
    "[ 1 ,\t2\r\n]", "{}", "{\"\":1}", "{\"a\":{}}", "{\"a\":1,\"b\":[]}", "{\"a\":1,\"a\":2}",
    " { \"a\" : [ ] } ", "\t\n\r 1 \t\n\r", "[ ]", "{ }",
  ])
  func isJSON(document: String) {
    #expect(problem(of: document) == nil)
    #expect(throws: Never.self) { try JSON(parsing: document) }
  }

  @Test(arguments: [
    "", " ", "01", "-01", "00", "1.", "-1.", ".5", "-.5", "-", "--1", "+1", "1e", "1e+", "1e-",
    "1E", "1.e3", "1e1.5", "1e+-1", "0x1", "1_000", "1,000", "NaN", "-NaN", "Infinity",
    "-Infinity", "1f", "1 2", "1-", "- 1", "True", "TRUE", "tru", "truee", "nul", "nulll", "falsy",
    "undefined", "\"", "\"a", "a\"", "'a'", "\"a\"b\"", "\"\\\"", "\"\\", "\"\\x\"", "\"\\a\"",
    "\"\\'\"", "\"\\0\"", "\"\\u\"", "\"\\u1\"", "\"\\u12\"", "\"\\u123\"", "\"\\u123g\"",
    "\"\\U0041\"", "\"\\u+123\"", "\"\\u 123\"", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]",
    "[1,,2]", "[1 2]", "[1:2]", "[1}", "[\"a\":1]", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1",
    "{\"a\":1,", "{\"a\":1,}", "{,}", "{,\"a\":1}", "{\"a\":1,,\"b\":2}", "{\"a\" 1}", "{\"a\",1}",
    "{\"a\"::1}", "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{[]:1}", "{\"a\":1]", "{\"a\":}",
    "{\"a\":1 \"b\":2}", "1,", "1]", "[]]", "{}}", "[][]", "{}x", "null null", "\"a\"\"b\"",
    "// 1", "1 // one", "/* */1", "[1]#", "\u{FEFF}1", "1\u{FEFF}", "\u{A0}1", "\u{B}1", "\u{C}1",
    "1\u{85}", "\u{2028}1", "1\u{0}", "\u{0}1", "[\u{0}]",
  ])
  func isNotJSON(document: String) {
    let problem = problem(of: document)
    #expect(problem?.description.hasPrefix("byte ") == true)
    #expect(problem?.isBeyondLimit != true)
    let thrown = #expect(throws: FormatError.self) { try JSON(parsing: document) }
    #expect(thrown == problem)
  }

  @Test func everyControlCharacterMustBeEscapedInAString() {
    for control in UInt8(0)..<0x20 {
      let found = problem(of: [0x22, 0x61, control, 0x22])
      #expect(
        found?.description
          == "byte 3: expected a control character to be escaped, "
          + "found byte 0x\(String(control, radix: 16))")
    }
    #expect(problem(of: [0x22, 0x7F, 0x22]) == nil)
  }

  @Test func onlyFourBytesAreWhiteSpace() {
    for byte in UInt8(0)..<0x80 {
      let isSpace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
      #expect(
        (problem(of: [0x5B, byte, 0x5D]) == nil) == (isSpace || (0x30...0x39).contains(byte)))
      #expect((problem(of: [byte] + Array("true".utf8)) == nil) == isSpace)
      #expect((problem(of: Array("true".utf8) + [byte]) == nil) == isSpace)
    }
  }

  @Test func everyProperPrefixIsRefusedAtItsEnd() {
    let document = Array(
      " {\"a\\u00e9\" : [1.5e+3, -0 ,true,false,null,\"é𝄞\\\\\\\"\"] , \"b\":{\"c\":[{}]}}".utf8)
    #expect(problem(of: document) == nil)
    for count in document.indices {
      let found = problem(of: Array(document.prefix(count)))
      #expect(found != nil, "the first \(count) bytes")
    }
  }

  @Test func errorsNameTheByteTheExpectedAndTheFound() {
    #expect(problem(of: "[1,]")?.description == "byte 4: expected a value, found ']'")
    #expect(
      problem(of: "{\"a\"=1}")?.description
        == "byte 5: expected ':' after a member's name, found '='")
    #expect(
      problem(of: "{\"a\":1")?.description
        == "byte 7: expected ',' or '}' in an object, but the text ends there")
    #expect(
      problem(of: "[1;2]")?.description == "byte 3: expected ',' or ']' in an array, found ';'")
    #expect(
      problem(of: "{1}")?.description == "byte 2: expected a member's name in quotes, found '1'")
    #expect(
      problem(of: "\"a")?.description
        == "byte 3: expected the closing quote of a string, but the text ends there")
    #expect(
      problem(of: "\"\\x\"")?.description
        == "byte 3: expected one of \" \\ / b f n r t u after a backslash, found 'x'")
    #expect(
      problem(of: "\"\\u12_4\"")?.description
        == "byte 6: expected four hexadecimal digits after \\u, found '_'")
    #expect(problem(of: "-x")?.description == "byte 2: expected a digit, found 'x'")
    #expect(problem(of: "1 2")?.description == "byte 3: expected the end of the value, found '2'")
    #expect(problem(of: "")?.description == "byte 1: expected a value, but the text ends there")
    #expect(
      problem(of: "\u{FEFF}1")?.description
        == "byte 1: begins with a byte order mark (U+FEFF); save it as UTF-8 without one")
  }
}

/// UTF-8 as Unicode's table 3-7 has it: what `String` could not hold is refused, never repaired.
@Suite struct JSONEncodingTests {
  private static let illFormed: [(String, [UInt8])] = [
    ("lone continuation", [0x80]), ("lone continuation", [0xBF]),
    ("overlong of 2", [0xC0, 0x80]), ("overlong of 2", [0xC1, 0xBF]),
    ("overlong of 3", [0xE0, 0x80, 0x80]), ("overlong of 3", [0xE0, 0x9F, 0xBF]),
    ("overlong of 4", [0xF0, 0x80, 0x80, 0x80]), ("overlong of 4", [0xF0, 0x8F, 0xBF, 0xBF]),
    ("high surrogate", [0xED, 0xA0, 0x80]), ("low surrogate", [0xED, 0xBF, 0xBF]),
    ("surrogate pair", [0xED, 0xA0, 0xB4, 0xED, 0xB4, 0x9E]),
    ("above U+10FFFF", [0xF4, 0x90, 0x80, 0x80]), ("above U+10FFFF", [0xF5, 0x80, 0x80, 0x80]),
    ("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
    ("six bytes", [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80]),
    ("never a byte", [0xFE]), ("never a byte", [0xFF]),
    ("1 of 2", [0xC3]), ("1 of 3", [0xE2]), ("2 of 3", [0xE2, 0x82]), ("1 of 4", [0xF0]),
    ("2 of 4", [0xF0, 0x9D]), ("3 of 4", [0xF0, 0x9D, 0x84]),
    ("bad second", [0xC3, 0x41]), ("bad third", [0xE2, 0x82, 0x41]),
    ("bad fourth", [0xF0, 0x9D, 0x84, 0x41]),
    ("lead after lead", [0xC3, 0xC3, 0xA9]),
  ]

  @Test(arguments: illFormed) func illFormedBytesAreRefused(name: String, bytes: [UInt8]) {
    for document in [
      [0x22] + bytes + [0x22], [0x22] + bytes, Array("{\"".utf8) + bytes + Array("\":1}".utf8),
    ] {
      let found = problem(of: document)
      #expect(found?.description.hasSuffix(": not UTF-8") == true, "\(name)")
    }
    #expect(problem(of: bytes) != nil, "\(name) outside a string")
    #expect(problem(of: Array("[1,".utf8) + bytes) != nil, "\(name) in an array")
  }

  @Test func everySequenceOfTwoBytesIsJudgedAsByTheStandardLibrary() {
    for first in UInt8(0x80)...0xFF {
      for second in UInt8(0x80)...0xFF {
        let isValid = String(validating: [first, second], as: UTF8.self) != nil
        let isAccepted = problem(of: [0x22, first, second, 0x22]) == nil
        if isValid != isAccepted { Issue.record("\(first) \(second): \(isAccepted)") }
      }
    }
  }

  @Test func everyLeadIsJudgedAsByTheStandardLibraryAtTheEdges() {
    let edges: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    for lead in UInt8(0xC0)...0xFF {
      for second in edges {
        for third in edges where third != 0 {
          for fourth: UInt8? in [nil, 0x7F, 0x80, 0xBF, 0xC0] {
            let bytes = [lead, second, third] + (fourth.map { [$0] } ?? [])
            let isValid = second != 0 && String(validating: bytes, as: UTF8.self) != nil
            let isAccepted = problem(of: [0x22] + bytes + [0x22]) == nil
            if isValid != isAccepted { Issue.record("\(bytes): \(isAccepted)") }
          }
        }
      }
    }
  }
}

@Suite struct JSONDepthTests {
  private func arrays(_ depth: Int, around inner: String = "") -> String {
    String(repeating: "[", count: depth) + inner + String(repeating: "]", count: depth)
  }

  private func objects(_ depth: Int) -> String {
    String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
  }

  @Test func thirtyTwoLevelsAreAccepted() {
    #expect(problem(of: arrays(32)) == nil)
    #expect(problem(of: arrays(32, around: "1")) == nil)
    #expect(problem(of: objects(32)) == nil)
    // Depth is nesting, not the number of brackets.
    #expect(
      problem(of: "[" + Array(repeating: arrays(31), count: 40).joined(separator: ",") + "]") == nil
    )
    #expect(problem(of: "[\"" + String(repeating: "[", count: 100) + "\"]") == nil)
  }

  @Test func thirtyThreeLevelsAreBeyondTheLimit() {
    for document in [
      arrays(33), arrays(33, around: "1"), objects(33), arrays(30, around: objects(3)),
    ] {
      let found = problem(of: document)
      #expect(found?.isBeyondLimit == true)
      #expect(found?.problem.hasSuffix("nests deeper than 32 levels") == true)
    }
    #expect(problem(of: arrays(33))?.description == "byte 33: nests deeper than 32 levels")
  }

  @Test func aMillionOpenBracketsAreRefusedWithoutRecursion() {
    #expect(problem(of: String(repeating: "[", count: 1_000_000))?.isBeyondLimit == true)
  }

  @Test func theLimitCanBeSet() {
    #expect(throws: Never.self) { try JSONNode(parsing: Array("[1]".utf8), maximumDepth: 1) }
    #expect(throws: Never.self) { try JSONNode(parsing: Array("1".utf8), maximumDepth: 0) }
    #expect(throws: FormatError("byte 1: nests deeper than 0 levels", isBeyondLimit: true)) {
      try JSONNode(parsing: Array("[1]".utf8), maximumDepth: 0)
    }
  }
}
