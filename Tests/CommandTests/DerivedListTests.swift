import Foundation
import ListModel
import TestSupport
import Testing

/// What the commands tell of derived lists, and how they are repaired.
@Suite struct DerivedListTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    try bench.fill(
      commit(
        1, insertSection("s"), insertItem("a", #"{"n":2}"#), insertItem("b", #"{"n":1}"#),
        insertItem("c", #"{"n":3}"#)))
    _ = try bench.folder.write(
      #"{"derived":"top","of":"l","sort":[{"path":"/n"}],"limit":2}"# + "\n", to: "lists")
    try bench.cellar("derive", bench.store, "--define", "lists", expecting: 0)
  }

  /// Takes the last item out of the list's order.
  private func damage() throws {
    try bench.change(
      """
      UPDATE block SET members = json_remove(members, '$[1]') WHERE level = 0 AND section = (
        SELECT section.id FROM section JOIN list ON list.id = list WHERE list.name = 'top')
      """, "UPDATE store SET isBypassed = 0")
  }

  @Test func aListThatDiffersIsToldAndDerivedAnewWithoutALoss() throws {
    try damage()
    let check = try bench.cellar("check", bench.store, "--json", expecting: 2)
    let findings = try #require(try check.output.object()["findings"] as? [[String: Any]])
    let found = try #require(findings.first { $0["code"] as? String == "derived" })
    #expect(found["place"] as? String == "list \"top\"")
    #expect((found["advice"] as? String)?.contains("cellar repair") == true)
    let repair = try bench.cellar("repair", bench.store, "--yes", expecting: 0)
    #expect(repair.output.contains("list \"top\": it is derived anew from list \"l\""))
    #expect(try bench.export("top").contains(#"[{"id":"b""#))
    try bench.cellar("check", bench.store, expecting: 0)
  }

  @Test func aListThatHasLostItsDefinitionIsLeftOutIfThatIsAccepted() throws {
    try bench.change("DELETE FROM derivedList", "UPDATE store SET isBypassed = 0")
    let check = try bench.cellar("check", bench.store, expecting: 2)
    #expect(
      check.output.contains(
        "list \"top\": it was derived from another list, and its definition is lost"))
    let refused = try bench.cellar("repair", bench.store, "--yes", expecting: 2)
    #expect(refused.output.contains("not repaired"))
    let repair = try bench.cellar("repair", bench.store, "--yes", "--accept-loss", expecting: 2)
    #expect(repair.output.contains("it is left out, and can be defined again"))
    try bench.cellar("export", bench.store, "--list", "top", expecting: 1)
    try bench.cellar("derive", bench.store, "--define", "lists", expecting: 0)
    try bench.cellar("check", bench.store, expecting: 0)
  }

  /// The list with a limit is two, of which one is shown.
  @Test func noCommandShowsTheHiddenList() throws {
    try damage()
    for words in [
      ["info"], ["info", "--space"], ["info", "--cells"], ["info", "--sizes"], ["ls"], ["log"],
      ["status"], ["check"], ["diff", "--at", "0", "--at", "1"],
      ["query", "SELECT list FROM itemInOrder"], ["report", "--out", "page.html"], ["export"],
      ["export", "--list", "to"], ["repair"],
    ] {
      for json in [[], ["--json"]] where words[0] != "export" || json.isEmpty {
        let outcome = try bench.cellar([words[0], bench.store] + words.dropFirst() + json)
        for text in [outcome.output, outcome.errors] {
          #expect(!text.contains("{0}") && !text.contains("u0000"), "\(words): \(text)")
        }
        try? FileManager.default.removeItem(at: bench.folder.file("page.html"))
      }
    }
  }

  /// What is hidden has an id that no list of a feed or an app can have.
  @Test(arguments: ["abc", "whole \(String(ListID("top").stableHash, radix: 16))"])
  func aListWhoseIDBeginsWithAControlCharacterIsOneLikeOthers(_ name: String) throws {
    let id = "\u{1}\(name)"
    let feed = commit(1, insertSection("s"), insertItem("a", #"{"n":7}"#), list: "\\u0001\(name)")
    try bench.replay(feed)
    #expect(try bench.cellar("info", bench.store, expecting: 0).output.contains(name))
    try bench.cellar("check", bench.store, expecting: 0)
    try bench.cellar("repair", bench.store, "--yes", expecting: 0)
    #expect(try bench.export(id).contains(#""n":7"#))
    #expect(try bench.export("top").contains(#"[{"id":"b""#))
    // It can be derived from, and a derived one can have such an id.
    _ = try bench.folder.write(
      "{\"derived\":\"\\u0001d\",\"of\":\"\\u0001\(name)\",\"limit\":1}", to: "more")
    try bench.cellar("derive", bench.store, "--define", "more", expecting: 0)
    #expect(try bench.export("\u{1}d").contains(#""n":7"#))
    try bench.cellar("check", bench.store, expecting: 0)
  }
}
