import Foundation
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// What does not fit the feed's format is a typed error with line and place, and is not applied.
@Suite struct FeedFormatTests {
  private static let operations: [(name: String, valid: String, required: [String])] = [
    ("insertSection", #""section":"n""#, ["section"]),
    ("deleteSection", #""section":"s""#, ["section"]),
    ("moveSection", #""section":"s","after":null"#, ["section"]),
    ("updateSection", #""section":"s","meta":1"#, ["section"]),
    (
      "insertItem", #""item":"n","section":"s","cell":"C","content":{}"#,
      ["item", "section", "cell", "content"]
    ),
    ("deleteItem", #""item":"a""#, ["item"]),
    ("touchItem", #""item":"a""#, ["item"]),
    ("moveItem", #""item":"a","index":0"#, ["item"]),
    ("updateItem", #""item":"a","content":1"#, ["item"]),
  ]

  private static let start = commit(1, insertSection("s"), insertItem("a"))

  /// Applies one line after a good one; gives the failure after checking that nothing was applied.
  private func failure(of line: String) throws -> StoreError? {
    let bench = try FeedBench()
    let failure = bench.failure([Self.start, line])
    let isUnchanged = try bench.ids() == ["s": ["a"]] && bench.repository.revision(of: "l") == 1
    #expect(isUnchanged == (failure != nil), "\(line)")
    if let failure { #expect(failure.line == 2, "\(line)") }
    return failure
  }

  @Test func everyOperationIsUnderstood() throws {
    for operation in Self.operations {
      let line = commit(2, "{\"op\":\"\(operation.name)\",\(operation.valid)}")
      let bench = try FeedBench()
      #expect(bench.failure([Self.start, line]) == nil, "\(line)")
    }
  }

  @Test func everyMissingMemberOfAnOperationIsNamed() throws {
    for operation in Self.operations {
      for name in operation.required {
        let members = operation.valid.split(separator: ",").filter { !$0.hasPrefix("\"\(name)\":") }
        let line = commit(
          2, (["{\"op\":\"\(operation.name)\""] + members).joined(separator: ",") + "}")
        let failure = try failure(of: line)
        #expect(failure?.code == .malformedFeed, "\(line)")
        #expect(failure?.message.contains("ops[0].\(name): missing") == true, "\(line)")
      }
    }
  }

  @Test func everyWrongMemberOfAnOperationIsNamed() throws {
    let wrong: [(operation: String, members: String, place: String)] = [
      ("insertSection", #""section":7"#, "section"),
      ("insertSection", #""section":"""#, "section"),
      ("insertSection", #""section":"\u0000""#, "section"),
      ("insertSection", #""section":"\ud800""#, "section"),
      ("insertSection", "\"section\":\"\(String(repeating: "x", count: 257))\"", "section"),
      ("insertSection", #""section":"n","layout":7"#, "layout"),
      ("insertSection", #""section":"n","layout":{"kind":"circle"}"#, "layout.kind"),
      ("insertSection", #""section":"n","layout":{"columns":0}"#, "layout"),
      ("insertSection", #""section":"n","layout":{"columns":1.5}"#, "layout.columns"),
      ("insertSection", #""section":"n","layout":{"lineSpacing":"8"}"#, "layout.lineSpacing"),
      ("insertSection", #""section":"n","layout":{"lineSpacing":1e400}"#, "layout.lineSpacing"),
      ("insertSection", #""section":"n","layout":{"insets":[1,2,3]}"#, "layout.insets"),
      ("insertSection", #""section":"n","header":{"content":1}"#, "header.view"),
      ("insertSection", #""section":"n","header":{"view":"V"}"#, "header.content"),
      ("insertSection", #""section":"n","footer":{"view":1,"content":1}"#, "footer.view"),
      ("insertSection", #""section":"n","visibility":"gone""#, "visibility"),
      ("updateSection", #""section":"s","visibility":true"#, "visibility"),
      (
        "insertSection", #""section":"n","supplementaries":{"header":{"view":"V","content":1}}"#,
        "supplementaries.header"
      ),
      (
        "updateSection", #""section":"s","supplementaries":{"badge":{"view":"V"}}"#,
        "supplementaries.badge.content"
      ),
      ("updateSection", #""section":"s","decorations":[{"of":"items"}]"#, "decorations[0].view"),
      (
        "insertSection", #""section":"n","decorations":[{"view":"V","of":"cell"}]"#,
        "decorations[0].of"
      ),
      ("insertSection", #""section":"n","after":7"#, "after"),
      ("insertSection", #""section":"n","after":null,"index":0"#, ""),
      ("insertSection", #""section":"n","index":"0""#, "index"),
      ("insertSection", #""section":"n","index":null"#, "index"),
      ("insertSection", #""section":"n","section":"m""#, "section"),
      ("updateSection", #""section":"s","header":1"#, "header"),
      ("insertItem", #""item":null,"section":"s","cell":"C","content":1"#, "item"),
      ("insertItem", #""item":"n","section":"s","cell":"","content":1"#, "cell"),
      ("insertItem", #""item":"n","section":"s","cell":"C","content":1,"type":1"#, "type"),
      ("insertItem", #""item":"n","section":"s","cell":"C","content":1,"action":1"#, "action"),
      (
        "insertItem", #""item":"n","section":"s","cell":"C","content":1,"action":{"url":1}"#,
        "action.url"
      ),
      ("moveItem", #""item":"a","section":1,"index":0"#, "section"),
      ("moveItem", #""item":"a","before":"a","after":"a""#, ""),
      ("updateItem", #""item":"a","cell":null"#, "cell"),
      ("vanishItem", #""item":"a""#, "op"),
    ]
    for (operation, members, place) in wrong {
      let line = commit(2, "{\"op\":\"\(operation)\",\(members)}")
      let failure = try failure(of: line)
      #expect(failure?.code == .malformedFeed, "\(line)")
      let expected = place.isEmpty ? "ops[0]: " : "ops[0].\(place)"
      #expect(failure?.message.contains(expected) == true, "\(line): \(failure?.message ?? "")")
    }
  }

  @Test func everyMissingOrWrongMemberOfALineIsNamed() throws {
    let wrong: [(line: String, place: String)] = [
      (#"{"list":"l","seq":"2","ops":[]}"#, "t: missing"),
      (#"{"t":7,"list":"l","seq":"2","ops":[]}"#, "t: expected a string"),
      (#"{"t":"commit","seq":"2","ops":[]}"#, "list: missing"),
      (#"{"t":"commit","list":"","seq":"2","ops":[]}"#, "list: "),
      (#"{"t":"commit","list":"l","ops":[]}"#, "seq: missing"),
      (#"{"t":"commit","list":"l","seq":2,"ops":[]}"#, "seq: expected a string"),
      (#"{"t":"commit","list":"l","seq":"02","ops":[]}"#, "seq: "),
      (#"{"t":"commit","list":"l","seq":"+2","ops":[]}"#, "seq: "),
      (#"{"t":"commit","list":"l","seq":"0","ops":[]}"#, "seq: "),
      (#"{"t":"commit","list":"l","seq":"-2","ops":[]}"#, "seq: "),
      (#"{"t":"commit","list":"l","seq":"9223372036854775808","ops":[]}"#, "seq: "),
      (#"{"t":"commit","list":"l","seq":"2"}"#, "ops: missing"),
      (#"{"t":"commit","list":"l","seq":"2","ops":{}}"#, "ops: expected an array"),
      (#"{"t":"commit","list":"l","seq":"2","ops":[7]}"#, "ops[0]: expected an object"),
      (#"{"t":"commit","list":"l","seq":"2","ops":[{}]}"#, "ops[0].op: missing"),
      (#"{"t":"commit","list":"l","seq":"2","at":"x","ops":[]}"#, "at: "),
      (#"{"t":"commit","list":"l","seq":"2","by":"","ops":[]}"#, "by: "),
      (
        "{\"t\":\"commit\",\"list\":\"l\",\"seq\":\"2\",\"by\":\""
          + String(repeating: "b", count: 65) + "\",\"ops\":[]}", "by: "
      ),
      (#"{"t":"snapshot","list":"l","seq":"2"}"#, "sections: missing"),
      (#"{"t":"snapshot","list":"l","seq":"2","sections":[{"id":"s"}]}"#, "sections[0].items"),
      (
        #"{"t":"snapshot","list":"l","seq":"2","sections":[{"id":"s","items":[]},{"id":"s","items":[]}]}"#,
        "sections[1]"
      ),
      (#"{"t":"reset","why":"x"}"#, "list: missing"), ("[]", "expected an object"),
      ("7", "expected an object"), ("{", "byte 2"), ("{}{}", "byte 3"), ("nul", "byte 1"),
      ("{\"t\":\"commit\",}", "byte 15"), ("\u{FEFF}{}", "byte 1"),
    ]
    for (line, place) in wrong {
      let failure = try failure(of: line)
      #expect(failure?.code == .malformedFeed, "\(line)")
      #expect(failure?.message.contains(place) == true, "\(line): \(failure?.message ?? "")")
    }
  }

  @Test func changesThatDoNotFitAreTypedErrors() throws {
    let wrong: [(operation: String, code: StoreError.Code)] = [
      (#"{"op":"insertSection","section":"s"}"#, .duplicateID),
      (#"{"op":"insertSection","section":"n","after":"x"}"#, .sectionNotFound),
      (#"{"op":"insertSection","section":"n","index":2}"#, .placeOutOfBounds),
      (#"{"op":"insertSection","section":"n","index":-1}"#, .placeOutOfBounds),
      (#"{"op":"deleteSection","section":"x"}"#, .sectionNotFound),
      (#"{"op":"moveSection","section":"s","index":1}"#, .placeOutOfBounds),
      (#"{"op":"moveSection","section":"s","after":"s"}"#, .sectionNotFound),
      (#"{"op":"updateSection","section":"x","meta":1}"#, .sectionNotFound),
      (#"{"op":"insertItem","item":"a","section":"s","cell":"C","content":1}"#, .duplicateID),
      (#"{"op":"insertItem","item":"n","section":"x","cell":"C","content":1}"#, .sectionNotFound),
      (
        #"{"op":"insertItem","item":"n","section":"s","after":"x","cell":"C","content":1}"#,
        .itemNotFound
      ),
      (
        #"{"op":"insertItem","item":"n","section":"s","index":2,"cell":"C","content":1}"#,
        .placeOutOfBounds
      ),
      (#"{"op":"deleteItem","item":"x"}"#, .itemNotFound),
      (#"{"op":"moveItem","item":"x"}"#, .itemNotFound),
      (#"{"op":"moveItem","item":"a","section":"x"}"#, .sectionNotFound),
      (#"{"op":"moveItem","item":"a","index":1}"#, .placeOutOfBounds),
      (#"{"op":"updateItem","item":"x","content":1}"#, .itemNotFound),
      (#"{"op":"touchItem","item":"x"}"#, .itemNotFound),
    ]
    for (operation, code) in wrong {
      #expect(try failure(of: commit(2, operation))?.code == code, "\(operation)")
    }
  }

  // MARK: Limits

  @Test func aLineOf16MiBIsReadAndALongerOneRefused() throws {
    let line = commit(2, "")
    for (excess, code) in [(0, nil), (1, StoreError.Code.feedLimit)] {
      let padding = String(repeating: " ", count: (16 << 20) - line.utf8.count + excess)
      #expect(try failure(of: line + padding)?.code == code, "\(excess)")
    }
  }

  @Test func oneHundredThousandOperationsAreReadAndMoreRefused() throws {
    let touches = Array(repeating: #"{"op":"touchItem","item":"a"}"#, count: 100_000)
    let bench = try FeedBench()
    try bench.apply([Self.start, commit(2, touches.joined(separator: ","))])
    #expect(try bench.repository.commits(of: "l", after: 1)[0].entries.count == 100_000)
    let failure = try failure(
      of: commit(2, (touches + touches.prefix(1)).joined(separator: ",")))
    #expect(failure?.code == .feedLimit)
  }

  @Test func nestingTo32LevelsIsReadAndDeeperRefused() throws {
    // The line, its operations and the operation are three levels.
    for (depth, code) in [(29, nil), (30, StoreError.Code.feedLimit)] {
      let content =
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let line = commit(2, "{\"op\":\"updateItem\",\"item\":\"a\",\"content\":\(content)}")
      #expect(try failure(of: line)?.code == code, "\(depth)")
    }
  }

  @Test func noMutatedLineCrashesOrIsHalfApplied() throws {
    var generator = SeededGenerator(seed: 11)
    let line = Array(
      commit(
        2, insertItem("b"), #"{"op":"moveItem","item":"b","section":"s","after":null}"#,
        #"{"op":"updateSection","section":"s","layout":{"columns":2,"insets":[1,2,3,4]}}"#
      ).utf8)
    let bench = try FeedBench()
    try bench.apply([Self.start])
    for _ in 0..<1_500 {
      var bytes = line
      for _ in 0...generator.number(0..<3) {
        let place = generator.number(0..<bytes.count)
        switch generator.number(0..<3) {
        case 0: bytes[place] = UInt8(generator.number(0..<256))
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8(generator.number(0..<128)), at: place)
        }
      }
      let file = bench.folder.file("mutated.ndjson")
      try Data(bytes + [0x0A]).write(to: file)
      let reader = try FeedReader(file: file)
      let before = try bench.repository.lists().map { try bench.repository.tree(of: $0) }
      do {
        let report = try bench.repository.apply(reader)
        if report.applied > 0 { return }  // It stayed a good line: the list has moved on.
      } catch {
        #expect(error is StoreError)
        #expect(
          try bench.repository.lists().map { try bench.repository.tree(of: $0) } == before)
      }
    }
  }
}
