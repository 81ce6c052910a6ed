import Foundation
import TestSupport
import Testing

/// `cellar replay` says what is wrong with a line, where, and applies nothing of it.
@Suite struct FeedErrorTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    try bench.fill(commit(1, insertSection("s"), insertItem("a")))
  }

  /// Replays a second line; checks that it is refused at its line and that the store stays.
  private func expectRefusal(
    _ line: String, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try bench.cellar(
      "replay", "-", "--store", bench.store, "--json", input: "\n" + line + "\n", expecting: 1,
      sourceLocation: sourceLocation)
    #expect(
      outcome.errors.contains("standard input, line 2: "), "\(outcome.errors)",
      sourceLocation: sourceLocation)
    for word in words {
      #expect(
        outcome.errors.contains(word), "\(line.prefix(300)): \(outcome.errors)",
        sourceLocation: sourceLocation)
    }
    let report = try outcome.output.object()
    #expect((report["lists"] as? [Any])?.isEmpty == true, sourceLocation: sourceLocation)
  }

  private func expectUnchanged(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let expected = """
      {"list":"l","revision":"1","sections":[{"id":"s","items":[{"id":"a","cell":"C","content":{}}]}]}

      """
    #expect(try bench.export() == expected, sourceLocation: sourceLocation)
  }

  @Test func everyMissingMemberIsNamed() throws {
    let operations: [(String, [String])] = [
      ("insertSection", ["\"section\":\"n\""]), ("deleteSection", ["\"section\":\"s\""]),
      ("moveSection", ["\"section\":\"s\""]), ("updateSection", ["\"section\":\"s\""]),
      (
        "insertItem",
        ["\"item\":\"n\"", "\"section\":\"s\"", "\"cell\":\"C\"", "\"content\":1"]
      ),
      ("deleteItem", ["\"item\":\"a\""]), ("touchItem", ["\"item\":\"a\""]),
      ("moveItem", ["\"item\":\"a\""]), ("updateItem", ["\"item\":\"a\""]),
    ]
    for (name, members) in operations {
      for missing in members.indices {
        var rest = ["\"op\":\"\(name)\""] + members
        let member = rest.remove(at: missing + 1)
        let key = try #require(member.split(separator: "\"").first)
        try expectRefusal(
          commit(2, "{\(rest.joined(separator: ","))}"), "ops[0].\(key): missing")
      }
    }
    try expectRefusal(#"{"list":"l","seq":"2","ops":[]}"#, "t: missing")
    try expectRefusal(#"{"t":"commit","seq":"2","ops":[]}"#, "list: missing")
    try expectRefusal(#"{"t":"commit","list":"l","ops":[]}"#, "seq: missing")
    try expectRefusal(#"{"t":"commit","list":"l","seq":"2"}"#, "ops: missing")
    try expectRefusal(#"{"t":"snapshot","list":"l","seq":"2"}"#, "sections: missing")
    try expectRefusal(#"{"t":"snapshot","list":"l","sections":[]}"#, "seq: missing")
    try expectRefusal(#"{"t":"reset"}"#, "list: missing")
    try expectUnchanged()
  }

  @Test func everyWrongMemberIsNamed() throws {
    let wrong = [
      (#"{"t":7,"list":"l","seq":"2","ops":[]}"#, "t: "),
      (#"{"t":"commit","list":7,"seq":"2","ops":[]}"#, "list: "),
      (#"{"t":"commit","list":"l","seq":2,"ops":[]}"#, "seq: "),
      (#"{"t":"commit","list":"l","seq":"two","ops":[]}"#, "seq: "),
      (#"{"t":"commit","list":"l","seq":"0","ops":[]}"#, "seq: "),
      (#"{"t":"commit","list":"l","seq":"2","at":"now","ops":[]}"#, "at: "),
      (#"{"t":"commit","list":"l","seq":"2","by":7,"ops":[]}"#, "by: "),
      (#"{"t":"commit","list":"l","seq":"2","ops":{}}"#, "ops: "),
      (#"{"t":"commit","list":"l","seq":"2","ops":["x"]}"#, "ops[0]: "),
      (#"{"t":"snapshot","list":"l","seq":"2","sections":{}}"#, "sections: "),
      (#"{"t":"snapshot","list":"l","seq":"2","sections":[{"id":"s","items":[{}]}]}"#, "items[0]"),
      (commit(2, #"{"op":7}"#), "ops[0].op: "), (commit(2, #"{"op":"fly"}"#), "unknown operation"),
      (commit(2, #"{"op":"insertSection","section":"n","layout":{"columns":0}}"#), "columns"),
      (commit(2, #"{"op":"insertSection","section":"n","layout":{"kind":"x"}}"#), "layout.kind"),
      (commit(2, #"{"op":"insertSection","section":"n","layout":{"insets":[1]}}"#), "insets"),
      (commit(2, #"{"op":"insertSection","section":"n","header":{"view":"V"}}"#), "header.content"),
      (commit(2, #"{"op":"updateSection","section":"s","footer":{"content":1}}"#), "footer.view"),
      (commit(2, #"{"op":"moveItem","item":"a","after":null,"index":0}"#), "after and index"),
      (commit(2, #"{"op":"moveItem","item":"a","before":7}"#), "before: "),
      (commit(2, #"{"op":"moveItem","item":"a","index":0.5}"#), "index: "),
      (commit(2, #"{"op":"updateItem","item":"a","cell":null}"#), "cell: "),
      (commit(2, #"{"op":"updateItem","item":"a","type":7}"#), "type: "),
      (commit(2, #"{"op":"updateItem","item":"a","action":"x"}"#), "action: "),
      (commit(2, #"{"op":"updateItem","item":"a","action":{"event":7}}"#), "action.event: "),
      ("{\"t\":\"commit\"", "byte 14"), ("[]", "an object"),
      ("\u{FEFF}{}", "byte 1: begins with a byte order mark"),
      ("{\u{0}\"\u{0}t\u{0}", "byte 1: is UTF-16"), ("\u{0}{\u{0}\"", "byte 1: is UTF-16"),
    ]
    for (line, place) in wrong { try expectRefusal(line, place) }
    try expectUnchanged()
  }

  @Test func everyIDThatIsNoneIsRefused() throws {
    let long = String(repeating: "x", count: 257)
    let ids = [
      (#""""#, "empty"), ("\"\(long)\"", "257 bytes"), (#""a\u0000b""#, "U+0000"),
      (#""\ud800""#, "surrogate"), ("7", "a string"), ("null", "a string"),
    ]
    for (id, word) in ids {
      try expectRefusal("{\"t\":\"commit\",\"list\":\(id),\"seq\":\"1\",\"ops\":[]}", word)
      try expectRefusal(commit(2, "{\"op\":\"insertSection\",\"section\":\(id)}"), word)
      try expectRefusal(commit(2, "{\"op\":\"deleteItem\",\"item\":\(id)}"), word)
      try expectRefusal(
        commit(
          2, "{\"op\":\"insertItem\",\"item\":\"n\",\"section\":\"s\",\"cell\":\(id),\"content\":1}"
        ),
        word)
    }
    try expectUnchanged()
    // The longest that there is, by bytes.
    let longest = String(repeating: "é", count: 128)
    try bench.replay(commit(2, insertItem(longest)))
    #expect(try bench.export().contains(longest))
  }

  @Test func changesThatDoNotFitAreRefusedWhole() throws {
    let wrong = [
      insertSection("s"), insertItem("a"), #"{"op":"deleteItem","item":"x"}"#,
      #"{"op":"moveItem","item":"a","section":"x"}"#, #"{"op":"moveItem","item":"a","index":2}"#,
      #"{"op":"moveItem","item":"a","after":"a"}"#, #"{"op":"deleteSection","section":"x"}"#,
      #"{"op":"moveSection","section":"s","before":"x"}"#, #"{"op":"touchItem","item":"x"}"#,
      #"{"op":"updateSection","section":"x","meta":1}"#,
      #"{"op":"updateItem","item":"x","type":null}"#,
    ]
    for operation in wrong {
      try expectRefusal(commit(2, insertItem("fine"), operation), "change 2 of 2")
    }
    try expectUnchanged()
  }

  // MARK: Limits

  @Test func aLineOfMoreThan16MiBIsRefused() throws {
    let line = commit(2, insertItem("long")).dropLast()
    try expectRefusal(
      line + String(repeating: " ", count: (16 << 20) - line.utf8.count + 1), "16 MiB")
    try expectUnchanged()
  }

  @Test func aCommitMayHave100000OperationsAndNoneMore() throws {
    let touches = Array(repeating: #"{"op":"touchItem","item":"a"}"#, count: 100_000)
      .joined(separator: ",")
    try expectRefusal(commit(2, touches, #"{"op":"touchItem","item":"a"}"#), "100001", "100000")
    try expectUnchanged()
    try bench.replay(commit(2, touches))
    #expect(try bench.export().contains(#""revision":"2""#))
  }

  @Test func aLineMayNest32LevelsAndNoneMore() throws {
    // The line, its operations and the operation are three levels.
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    try expectRefusal(commit(2, insertItem("deep", nested(30))), "32")
    try expectRefusal(commit(2, insertItem("deep", nested(1_000_000))), "32")
    try expectUnchanged()
    try bench.replay(commit(2, insertItem("deep", nested(29))))
    #expect(try bench.export().contains(nested(29)))
  }
}
