import Foundation
import TestSupport
import Testing

/// `cellar plan`: the difference of two trees, and what UIKit makes of a batch.
@Suite struct PlanTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  private func tree(_ sections: String, revision: Int = 1) -> String {
    "{\"list\":\"l\",\"revision\":\"\(revision)\",\"sections\":[\(sections)]}"
  }

  private func section(_ id: String, _ items: String...) -> String {
    "{\"id\":\"\(id)\",\"items\":[\(items.joined(separator: ","))]}"
  }

  private func item(_ id: String, _ content: String = "{}", cell: String = "C") -> String {
    "{\"id\":\"\(id)\",\"cell\":\"\(cell)\",\"content\":\(content)}"
  }

  private func difference(_ old: String, _ new: String) throws -> [String: Any] {
    _ = try bench.folder.write(old, to: "old.json")
    _ = try bench.folder.write(new, to: "new.json")
    let outcome = try bench.cellar("plan", "diff", "old.json", "new.json", expecting: 0)
    #expect(outcome.output.split(separator: "\n").count == 1)
    return try outcome.output.object()
  }

  private func stages(_ update: [String: Any]) throws -> [[String: Any]] {
    #expect(update["mode"] as? String == "batch")
    return try #require(update["stages"] as? [[String: Any]])
  }

  // MARK: Differences

  @Test func equalTreesNeedNothing() throws {
    let old = tree(section("s", item("a", #"{"x":1,"y":[2.0,"é"]}"#), item("b")))
    let same = [
      old, tree(section("s", item("a", #"{"y":[2,"\u00e9"],"x":1.0}"#), item("b"))),
      tree("{\"items\":[\(item("a", #"{ "y" : [2.0,"é"], "x":1 }"#)),\(item("b"))],\"id\":\"s\"}"),
    ]
    for new in same {
      let update = try difference(old, new)
      #expect(update["mode"] as? String == "none", "\(new)")
      #expect(update["stages"] == nil)
    }
    #expect(try difference(tree(""), tree("", revision: 2))["to"] as? String == "2")
  }

  @Test func otherContentIsReconfiguredAndAnotherCellReloaded() throws {
    let old = tree(section("s", item("a", "1"), item("b", "2"), item("c", "3")))
    let new = tree(section("s", item("a", "1"), item("b", "9"), item("c", "3", cell: "D")))
    let stages = try stages(difference(old, new))
    #expect(stages.count == 1)
    #expect(stages[0]["reconfigureItems"] as? [[Int]] == [[0, 1]])
    #expect(stages[0]["reloadItems"] as? [[Int]] == [[0, 2]])
    #expect(Set(stages[0].keys) == ["reconfigureItems", "reloadItems", "counts"])
  }

  @Test func aMoveIsOneMoveAndInsertsAndDeletesCountWhereTheyShould() throws {
    let old = tree(section("s", item("a"), item("b"), item("c"), item("d")))
    let moved = try stages(
      difference(old, tree(section("s", item("d"), item("a"), item("b"), item("c")))))
    #expect(moved.count == 1)
    #expect(moved[0]["moveItems"] as? [[[Int]]] == [[[0, 3], [0, 0]]])
    #expect(Set(moved[0].keys) == ["moveItems", "counts"])
    let changed = try stages(
      difference(old, tree(section("s", item("b"), item("x"), item("d")) + "," + section("t"))))
    #expect(changed[0]["deleteItems"] as? [[Int]] == [[0, 0], [0, 2]])
    #expect(changed[0]["insertItems"] as? [[Int]] == [[0, 1]])
    #expect(changed[0]["insertSections"] as? [Int] == [1])
    #expect(changed.last?["counts"] as? [Int] == [3, 0])
  }

  @Test func exportedRevisionsCanBeCompared() throws {
    try bench.fill(
      commit(1, insertSection("s"), insertItem("a")) + commit(2, insertItem("b"))
        + commit(3, #"{"op":"deleteItem","item":"a"}"#))
    let exports = try [["--at", "1"], []].map { moment in
      try bench.cellar(["inspect", "export", bench.store, "--list", "l"] + moment, expecting: 0)
        .output
    }
    let update = try difference(exports[0], exports[1])
    #expect(update["from"] as? String == "1")
    #expect(update["to"] as? String == "3")
    #expect(try stages(update)[0]["deleteItems"] as? [[Int]] == [[0, 0]])
  }

  @Test func dataOfTheAppAndVisibilityAloneDrawNoSectionAgain() throws {
    func section(_ more: String) -> String {
      #"{"id":"s","header":{"view":"H","content":1},\#(more)"items":[]}"#
    }
    for more in [#""meta":{"cursor":7},"#, #""visibility":"hiddenWhenEmpty","#] {
      let update = try difference(tree(section("")), tree(section(more)))
      #expect(update["mode"] as? String == "none", "\(more)")
    }
    let drawn = #""meta":1,"footer":{"view":"F","content":1},"#
    let stages = try stages(difference(tree(section("")), tree(section(drawn))))
    #expect(stages[0]["updateSections"] as? [Int] == [0])
  }

  @Test func standardInputIsATreeToo() throws {
    _ = try bench.folder.write(tree(section("s")), to: "new.json")
    let outcome = try bench.cellar("plan", "diff", "-", "new.json", input: tree(""), expecting: 0)
    #expect(try stages(outcome.output.object())[0]["insertSections"] as? [Int] == [0])
  }

  @Test(arguments: [
    "", "nonsense", "[]", "{}", #"{"sections":7}"#, #"{"sections":[{"id":"s"}]}"#,
    #"{"sections":[{"items":[]}]}"#, #"{"sections":[{"id":"","items":[]}]}"#,
    #"{"sections":[{"id":"s","items":[{"id":"a","content":1}]}]}"#,
    #"{"sections":[{"id":"s","items":[{"id":"a","cell":"C"}]}]}"#,
    #"{"sections":[{"id":"s","items":[]},{"id":"s","items":[]}]}"#,
    #"{"revision":7,"sections":[]}"#, #"{"revision":"-1","sections":[]}"#,
    #"{"list":"","sections":[]}"#, #"{"sections":[]}{"#, "{\"sections\":[\u{0}]}",
  ])
  func whatIsNoTreeIsAFailureThatNamesTheFile(_ text: String) throws {
    _ = try bench.folder.write(tree(""), to: "good.json")
    _ = try bench.folder.write(text, to: "bad.json")
    for pair in [["bad.json", "good.json"], ["good.json", "bad.json"]] {
      let outcome = try bench.cellar("plan", "diff", pair[0], pair[1], expecting: 1)
      #expect(outcome.errors.contains("bad.json: not a tree"))
      #expect(outcome.output == "")
    }
  }

  @Test func filesThatCannotBeReadAreFailures() throws {
    for (file, words) in [("missing.json", "missing.json"), (".", "folder")] {
      #expect(try bench.cellar("plan", "diff", file, file, expecting: 1).errors.contains(words))
      #expect(try bench.cellar("plan", "check", file, expecting: 1).errors.contains(file))
    }
  }

  // MARK: Checks

  @Test(
    .enabled(
      if: PackageFiles.shared("batch-verdicts.json") != nil,
      "needs ../shared/data/batch-verdicts.json"))
  func everyKnownVerdictIsSaid() throws {
    let file = try #require(PackageFiles.shared("batch-verdicts.json"))
    let value = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    let cases = try #require(value as? [[String: Any]])
    #expect(cases.count >= 18)
    for example in cases {
      let data = try JSONSerialization.data(withJSONObject: example)
      let outcome = try bench.cellar(
        "plan", "check", "-", input: String(decoding: data, as: UTF8.self))
      let name = "\(example["name"] ?? "")"
      let verdict = try #require(example["verdict"] as? String)
      let answer = try outcome.output.object()
      #expect(answer["verdict"] as? String == verdict, "\(name)")
      #expect(outcome.exitCode == (verdict == "ok" ? 0 : 2), "\(name)")
      #expect((answer["rule"] == nil) == (verdict == "ok"), "\(name)")
      #expect((answer["message"] as? String)?.isEmpty != true, "\(name)")
    }
  }

  @Test func aBatchThatCannotBeIsRaised() throws {
    let outcome = try bench.cellar(
      "plan", "check", "-",
      input: #"{"before":[1],"after":[1],"stage":{"deleteItems":[[0,9223372036854775807]]}}"#,
      expecting: 2)
    #expect(try outcome.output.object()["verdict"] as? String == "raise")
    try bench.cellar(
      "plan", "check", "-", input: #"{"before":[],"after":[],"stage":{}}"#, expecting: 0)
  }

  @Test(arguments: [
    "", "{", "[]", "7", "{}", #"{"after":[],"stage":{}}"#, #"{"before":[],"stage":{}}"#,
    #"{"before":[],"after":[]}"#, #"{"before":[-1],"after":[],"stage":{}}"#,
    #"{"before":[],"after":[-1],"stage":{}}"#, #"{"before":7,"after":[],"stage":{}}"#,
    #"{"before":["1"],"after":[],"stage":{}}"#, #"{"before":[1.5],"after":[],"stage":{}}"#,
    #"{"before":[],"after":[],"stage":[]}"#,
    #"{"before":[1],"after":[],"stage":{"deleteItems":[0]}}"#,
    #"{"before":[1],"after":[],"stage":{"deleteItems":[[0]]}}"#,
    #"{"before":[1],"after":[],"stage":{"deleteItems":[[0,0,0]]}}"#,
    #"{"before":[1],"after":[],"stage":{"deleteSections":"0"}}"#,
    #"{"before":[1],"after":[],"stage":{"moveItems":[[0,0]]}}"#,
    #"{"before":[1],"after":[],"stage":{"moveSections":[[0]]}}"#,
    #"{"before":[1],"after":[],"stage":{"reloadSections":["x"]}}"#,
    #"{"before":[9223372036854775808],"after":[],"stage":{}}"#,
  ])
  func whatIsNoBatchIsAFailureNotAVerdict(_ text: String) throws {
    let outcome = try bench.cellar("plan", "check", "-", input: text, expecting: 1)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("not a batch to check"))
  }

  @Test(arguments: [
    #"{"deleteitems":[[0,0]]}"#, #"{"removeItems":[[0,0]]}"#, #"{"insertItem":[]}"#,
    #"{"movesections":{}}"#, #"{"deleteItems":[[0,0]],"reloaditems":[[0,0]]}"#,
  ])
  func anOperationThatNoStageHasIsNoVerdict(_ stage: String) throws {
    let outcome = try bench.cellar(
      "plan", "check", "-", input: #"{"before":[2],"after":[1],"stage":\#(stage)}"#, expecting: 1)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("deleteItems, insertItems"))
  }

  @Test func membersThatAreNoOperationsAreIgnored() throws {
    try bench.cellar(
      "plan", "check", "-",
      input:
        #"{"before":[2],"after":[1],"note":[1],"stage":{"deleteItems":[[0,0]],"note":"why"}}"#,
      expecting: 0)
  }

  @Test func countsOfAStageThatContradictTheListAfterAreNoVerdict() throws {
    func check(_ counts: String) -> String {
      #"{"before":[2],"after":[1],"stage":{"deleteItems":[[0,0]],"counts":\#(counts)}}"#
    }
    try bench.cellar("plan", "check", "-", input: check("[1]"), expecting: 0)
    for counts in ["[2]", "[1,0]", "[]"] {
      let outcome = try bench.cellar("plan", "check", "-", input: check(counts), expecting: 1)
      #expect(outcome.output == "")
      #expect(outcome.errors.contains("counts"))
      #expect(outcome.errors.contains("\"after\", which is [1]"))
    }
  }

  @Test func anItemThatLeavesASectionMovedOntoItselfRaises() throws {
    let outcome = try bench.cellar(
      "plan", "check", "-",
      input:
        #"{"before":[2,1],"after":[1,2],"stage":{"moveSections":[[0,0]],"moveItems":[[[0,1],[1,0]]]}}"#,
      expecting: 2)
    let answer = try outcome.output.object()
    #expect(answer["verdict"] as? String == "raise")
    #expect(answer["rule"] as? String == "moveOutOfSectionMovedOntoItself")
  }

  @Test func countsTooLargeToAddAreNoCrash() throws {
    let outcome = try bench.cellar(
      "plan", "check", "-",
      input:
        #"{"before":[9223372036854775807],"after":[9223372036854775807,1],"stage":{"insertItems":[[0,0]]}}"#
    )
    #expect(outcome.exitCode == 2)
  }
}
