import Foundation
import ListModel
import TestSupport
import Testing

/// `cellar derive` and `replay --derive`: all or nothing, and what the others say of derived lists.
@Suite struct DeriveTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    try bench.fill(
      commit(
        1, insertSection("s"), insertItem("a", #"{"n":2}"#), insertItem("b", #"{"n":1}"#)))
  }

  @discardableResult
  private func write(_ lines: String..., to name: String = "lists") throws -> String {
    _ = try bench.folder.write(lines.map { $0 + "\n" }.joined(), to: name)
    return name
  }

  @discardableResult
  private func derive(
    _ arguments: String..., in store: String? = nil, input: String? = nil, expecting code: Int32 = 0
  ) throws -> BuiltProducts.Outcome {
    try bench.cellar(
      ["derive", store ?? bench.store] + arguments, input: input, expecting: code)
  }

  @Test func whatCanNotBeDroppedStopsAll() throws {
    try write(#"{"derived":"d","of":"l"}"#)
    let refused = try derive("--drop", "nope", "--define", "lists", expecting: 1)
    #expect(refused.errors.contains(#"no derived list has the id "nope"; nothing was done"#))
    #expect(try derive("--list").output == "no derived lists\n")
    try write(#"{"derived":"e","of":"d"}"#, to: "more")
    try derive("--define", "lists", "--define", "more")
    try derive("--drop", "d", "--drop", "nope", expecting: 1)
    #expect(try derive("--list").output.contains(#""e": of "d""#))
    // One that goes with another can be named, too.
    let dropped = try derive("--drop", "d", "--drop", "e")
    #expect(dropped.errors == "dropped \"d\"\ndropped \"e\"\n")
    // Defined first, then dropped.
    #expect(try derive("--drop", "d", "--define", "lists").output == "no derived lists\n")
  }

  @Test func aFileThatIsRefusedStopsAll() throws {
    try write(#"{"derived":"d","of":"l"}"#)
    try write(#"{"derived":"e","of":"e"}"#, to: "circle")
    try derive("--define", "lists", "--define", "circle", expecting: 1)
    #expect(try derive("--list").output == "no derived lists\n")
  }

  @Test(arguments: [
    #"{"derived":"e","of":"e"}"#, #"{"derived":"\u001fnested 1,1:a/b/c","of":"e"}"#, "{bad",
    #"{"derived":"\u0000whole 1","of":"e"}"#,
  ])
  func whatIsRefusedMakesNoStore(_ definition: String) throws {
    try write(definition)
    let refused = try derive("--define", "lists", in: "new", expecting: 1)
    #expect(refused.errors.hasPrefix("Error: lists, line 1: "))
    try bench.cellar(
      "replay", "-", "--store", "new", "--derive", "lists", input: commit(1), expecting: 1)
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("new").path))
  }

  @Test func filesAreReadAsFeedsAre() throws {
    for path in ["nofile", "."] {
      let feed = try bench.cellar("replay", path, "--store", bench.store, expecting: 1)
      #expect(try derive("--define", path, expecting: 1).errors == feed.errors)
      let replay = try bench.cellar(
        "replay", "-", "--store", bench.store, "--derive", path, input: "", expecting: 1)
      #expect(replay.errors == feed.errors)
    }
    try derive("--define", "-", input: #"{"derived":"d","of":"l"}"#)
    let wrong = try derive("--define", "-", input: "{", expecting: 1)
    #expect(wrong.errors.hasPrefix("Error: standard input, line 1: "))
    try bench.cellar("replay", "-", "--store", "s", "--derive", "-", input: "", expecting: 64)
    try derive("--define", "-", "--define", "-", expecting: 64)
  }

  @Test(arguments: [1, 2, 7]) func aFeedLineThatNamesADerivedListIsToldSo(_ sequence: Int) throws {
    try write(#"{"derived":"d","of":"l"}"#)
    try derive("--define", "lists")
    let refused = try bench.replay(commit(sequence, insertSection("x"), list: "d"), expecting: 1)
    #expect(refused.errors.contains(#"line 1: list "d" is derived from "l": change that one"#))
  }

  @Test func noCommandTakesOrPrintsTheIDOfAHiddenList() throws {
    try write(#"{"derived":"top","of":"l","sort":[{"path":"/n"}],"limit":1}"#)
    try derive("--define", "lists")
    let hidden = "\\u0000whole \(String(ListID("top").stableHash, radix: 16))"
    try write("{\"derived\":\"x\",\"of\":\"\(hidden)\"}", to: "more")
    try derive("--define", "more", expecting: 1)
    let erased = try bench.cellar("erase", bench.store, "--list", "l", "--yes", expecting: 0)
    #expect(erased.output.contains(#""top""#) && !erased.output.contains("whole"))
    #expect(erased.output.contains("erased 2 lists"))
  }

  @Test func redactSaysThatDerivedListsAreLeftOut() throws {
    try write(
      #"{"derived":"top","of":"l","sort":[{"path":"/n"}],"limit":1}"#, #"{"derived":"d","of":"l"}"#)
    try derive("--define", "lists")
    let plain = try bench.cellar("redact", bench.store, "new", expecting: 0)
    #expect(plain.output.contains("2 derived lists left out: definitions name values of contents"))
    let json = try bench.cellar("redact", bench.store, "newer", "--json", expecting: 0)
    #expect(try json.output.object()["derivedListCount"] as? Int == 2)
  }

  @Test func renamingAViewNamesTheDefinitionsThatHaveIt() throws {
    try write(#"{"derived":"d","of":"l","section":{"path":"/n","view":"H"}}"#)
    try derive("--define", "lists")
    let refused = try bench.cellar("rename", "view", "H", "K", bench.store, expecting: 1)
    #expect(
      (refused.output + refused.errors).contains(
        #"only definitions of derived lists have the view: "d"; define them again"#))
    let view = #"{"op":"updateSection","section":"s","header":{"view":"H","content":{}}}"#
    try bench.replay(commit(2, view))
    let renamed = try bench.cellar("rename", "view", "H", "K", bench.store, expecting: 0)
    #expect(renamed.output.contains(#"remains     in the definition of "d": define it again"#))
  }

  // MARK: Batch updates

  /// The updates of each list lead from 0 to its revision, without a gap.
  @Test(arguments: [1, 3]) func batchUpdatesBeginWithWhatDefinitionsMake(_ count: Int) throws {
    try write(
      #"{"derived":"e","of":"d","limit":1}"#, #"{"derived":"d","of":"l","sort":[{"path":"/n"}]}"#)
    let feed = (2...4).map { commit($0, insertItem("i\($0)", "{\"n\":\($0)}")) }.joined()
    let summary = try bench.cellar(
      "replay", "-", "--store", bench.store, "--derive", "lists", "--batches", "out", "--coalesce",
      "\(count)", "--json", input: feed, expecting: 0)
    let updates = try String(contentsOf: bench.folder.file("out"), encoding: .utf8).objects()
    var reached = ["l": "1", "d": "0", "e": "0"]
    var counts: [String: Int] = [:]
    for update in updates {
      let list = try #require(update["list"] as? String)
      #expect(reached[list] == update["from"] as? String, "\(update)")
      reached[list] = update["to"] as? String
      counts[list, default: 0] += 1
    }
    let first = updates.prefix(2).map { $0["list"] as? String }
    #expect(first == ["d", "e"])
    #expect(updates[0]["of"] as? String == "1")
    let lists = try #require(try summary.output.object()["lists"] as? [[String: Any]])
    for list in lists {
      let name = try #require(list["list"] as? String)
      #expect(list["batchUpdates"] as? Int == counts[name], "\(list)")
      #expect((list["revision"] as? Int).map(String.init) == reached[name], "\(list)")
    }
    #expect(Set(lists.compactMap { $0["list"] as? String }) == Set(counts.keys))
  }

  /// A long list is made, and made otherwise, without a log of that: its updates are batches all the same.
  @Test func theUpdateOfALongListIsABatch() throws {
    let items = (0..<2_100).map { insertItem("x\($0)", "{\"n\":\($0)}") }.joined(separator: ",")
    try bench.replay(commit(2, items))
    for (seq, limit, from) in [(3, 50, "0"), (4, 51, "1")] {
      try write(#"{"derived":"d","of":"l","where":[{"path":"/n","lt":\#(limit)}]}"#)
      try bench.cellar(
        "replay", "-", "--store", bench.store, "--derive", "lists", "--batches", "out",
        input: commit(seq, insertItem("y\(seq)", "{\"n\":9999}")), expecting: 0)
      let updates = try String(contentsOf: bench.folder.file("out"), encoding: .utf8).objects()
      #expect(updates.map { $0["list"] as? String } == ["d", "l"])
      let first = try #require(updates.first)
      #expect(first["mode"] as? String == "batch")
      #expect(first["from"] as? String == from)
      #expect(first["of"] as? String == "\(seq - 1)")
      let stages = try #require(first["stages"] as? [[String: Any]])
      let inserted = stages.flatMap { $0["insertItems"] as? [Any] ?? [] }
      #expect(seq == 3 || inserted.count == 1)
    }
  }

  /// A section that goes and comes back between two updates is the same one; its item is drawn again.
  @Test func aSectionThatComesBackIsTheSame() throws {
    try write(#"{"derived":"d","of":"l","section":{"path":"/n"}}"#)
    try derive("--define", "lists")
    func update(_ n: Int) -> String {
      "{\"op\":\"updateItem\",\"item\":\"a\",\"content\":{\"n\":\(n)}}"
    }
    let touch = #"{"op":"touchItem","item":"a"}"#
    for (feed, change) in [
      (commit(2, update(7)) + commit(3, update(2)), nil),
      (commit(4, update(7)) + commit(5, update(2), touch), #"{"reconfigureItems":[[1,0]]"#),
      (
        commit(6, update(7)) + commit(7, update(2), insertItem("c", #"{"n":1}"#)),
        #"{"insertItems":[[0,1]]"#
      ),
    ] {
      let output = try bench.cellar(
        "replay", "-", "--store", bench.store, "--batches", "-", "--coalesce", "2", input: feed,
        expecting: 0
      ).output
      let line = try #require(output.split(separator: "\n").first { $0.contains(#""list":"d""#) })
      #expect(line.contains(#""mode":"none""#) == (change == nil), "\(line)")
      if let change { #expect(line.contains("\"stages\":[\(change),"), "\(line)") }
      let from = try #require(String(line).object()["from"] as? String)
      let again = try bench.cellar(
        "replay", "--store", bench.store, "--batches", "-", "--coalesce", "2", "--from",
        "d=\(from)", expecting: 0)
      #expect(again.output == line + "\n")
    }
  }

  /// An item that leaves the list and comes back between two updates is drawn again if it was to be.
  @Test func anItemThatComesBackIsDrawnAgain() throws {
    try write(#"{"derived":"d","of":"l","limit":1}"#, #"{"derived":"e","of":"l"}"#)
    try derive("--define", "lists")
    let touch = #"{"op":"touchItem","item":"a"}"#
    func insert(_ item: String) -> String {
      "{\"op\":\"insertItem\",\"item\":\"\(item)\",\"section\":\"s\",\"index\":0,\"cell\":\"C\",\"content\":{\"n\":2}}"
    }
    func delete(_ item: String) -> String { "{\"op\":\"deleteItem\",\"item\":\"\(item)\"}" }
    let many = (0..<600).map { "i\($0)" }
    let (come, go) = (
      many.map { insertItem($0) }.joined(separator: ","), many.map(delete).joined(separator: ",")
    )
    for (lists, feed) in [
      (["d"], commit(2, insert("x")) + commit(3, touch, delete("x"))),
      (["d"], commit(4, insert("x"), touch) + commit(5, delete("x"))),
      (["d", "e"], commit(6, touch, delete("a")) + commit(7, insert("a"))),
      (["d", "e"], commit(8, delete("a")) + commit(9, insert("a"), touch)),
      // So many that the list is derived as a whole.
      (["e"], commit(10, touch, delete("a"), come) + commit(11, insert("a"), go)),
      (["e"], commit(12, delete("a"), come) + commit(13, insert("a"), touch, go)),
    ] {
      let output = try bench.cellar(
        "replay", "-", "--store", bench.store, "--batches", "-", "--coalesce", "2", input: feed,
        expecting: 0
      ).output
      for list in lists {
        let line = output.split(separator: "\n").first { $0.contains("\"list\":\"\(list)\"") }
        #expect(line?.contains(#""stages":[{"reconfigureItems":[[0,0]]"#) == true, "\(output)")
      }
    }
  }

  @Test func anotherLimitFollowsTheSourceAsItIs() throws {
    try write(#"{"derived":"d","of":"l","limit":1}"#)
    try derive("--define", "lists")
    try write(#"{"derived":"d","of":"l","limit":2}"#)
    try bench.replay(commit(2) + commit(3))
    let replay = [
      "replay", "-", "--store", bench.store, "--derive", "lists", "--batches", "-",
    ]
    let made = try bench.cellar(replay, input: "", expecting: 0)
    #expect(made.output.hasPrefix(#"{"list":"d","from":"1","to":"2","of":"3""#), "\(made)")
    #expect(made.errors.contains("d: revision 2, 1 batch update\n"), "\(made)")
    _ = try bench.cellar("check", bench.store, expecting: 0)
    let next = try bench.cellar(
      replay, input: commit(4, #"{"op":"deleteItem","item":"a"}"#), expecting: 0)
    #expect(next.output.contains(#"{"list":"d","from":"2","to":"3","of":"4""#), "\(next)")
    _ = try bench.cellar("check", bench.store, expecting: 0)
  }

  @Test func theLogOfALongListBeginsWithIt() throws {
    let items = (0..<10_001).map { insertItem("i\($0)") }
    try bench.fill(commit(2, items.joined(separator: ",")))
    try write(#"{"derived":"d","of":"l"}"#)
    try derive("--define", "lists")
    let log = try bench.cellar("log", bench.store, "--list", "d", expecting: 0)
    #expect(log.output.contains("revision 1; the log begins with the list at revision 1"))
  }
}
