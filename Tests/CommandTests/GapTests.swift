import Foundation
import TestSupport
import Testing

/// What the commands say of lists that have not loaded everything.
@Suite struct GapTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    func gap(_ id: String, _ content: String) -> String {
      ##"{"op":"insertItem","item":"\##(id)","section":"s","cell":"#gap","content":\##(content)}"##
    }
    try bench.fill(
      commit(
        1, insertSection("s"), insertItem("a", #"{"n":2}"#),
        gap("g1", #"{"after":"secret-a","before":"secret-b","count":950,"offset":1}"#),
        insertItem("b", #"{"n":1}"#), gap("g2", "{}"))
        + commit(
          2,
          #"{"op":"updateItem","item":"g1","content":{"after":"secret-c","count":1,"offset":950}}"#
        ))
  }

  private func lines(_ arguments: String...) throws -> [String] {
    let output = try bench.cellar(arguments, expecting: 0).output
    return output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test func aListSaysWhereItHasNotLoadedItems() throws {
    let listed = try lines("ls", bench.store).dropFirst()
    #expect(
      listed == [
        #"list "l": revision 2, 1 section, 4 items, 2 gaps"#, #"0 section "s": 4 items"#,
        #"[0, 0] "a" C"#,
        #"[0, 1] "g1" gap: 1 item not loaded, from position 950, cursor after 8 bytes 26d46203, "#
          + "content revision 1",
        #"[0, 2] "b" C"#, #"[0, 3] "g2" gap: items not loaded"#,
      ])
    let full = try lines("ls", bench.store, "--content", "full")
    #expect(full.contains { $0.contains("from position 950, cursor after secret-c,") })
    let none = try lines("ls", bench.store, "--content", "none")
    #expect(none.contains { $0.contains("gap: 1 item not loaded, from position 950, content") })
    let earlier = try lines("ls", bench.store, "--at", "1", "--content", "full")
    #expect(earlier.contains(#"list "l": revision 1, 1 section, 4 items, 2 gaps"#))
    #expect(
      earlier.contains(
        #"[0, 1] "g1" gap: 950 items not loaded, from position 1, cursor after secret-a, "#
          + "cursor before secret-b"))
    let json = try bench.cellar("ls", bench.store, "--json", expecting: 0).output.object()
    let list = try #require((json["lists"] as? [[String: Any]])?.first)
    #expect(list["gapCount"] as? Int == 2)
    let items = try #require(
      (list["sections"] as? [[String: Any]])?.first?["items"] as? [[String: Any]])
    let gap = try #require(items[1]["gap"] as? [String: Any])
    #expect(gap["count"] as? Int == 1 && gap["offset"] as? Int == 950)
    #expect(items[0]["gap"] == nil && (items[3]["gap"] as? [String: Any])?.isEmpty == true)
  }

  @Test func theLogSaysHowAGapWasFilled() throws {
    let log = try lines("log", bench.store, "--content", "full")
    #expect(
      log.contains(
        #"insertItem "g1" at [0, 1] in "s": gap: 950 items not loaded, from position 1, "#
          + "cursor after secret-a, cursor before secret-b"))
    let filled =
      #"updateItem "g1" at [0, 1] in "s": gap: 950 items not loaded, from position 1, "#
      + "cursor after secret-a, cursor before secret-b → 1 item not loaded, from position 950, "
      + "cursor after secret-c"
    #expect(log.contains(filled))
    #expect(log.contains(#"insertItem "g2" at [0, 3] in "s": gap: items not loaded"#))
    let show = try lines("show", bench.store, "g1", "--list", "l", "--at", "1", "--content", "full")
    #expect(show.contains { $0.hasPrefix("gap: 950 items not loaded, from position 1") })
    #expect(try lines("show", bench.store, "g2", "--list", "l").contains("gap: items not loaded"))
    #expect(
      try lines("info", bench.store).contains(
        "revision 2, 1 section, 4 items, 2 gaps, 0 measured sizes"))
  }

  /// Cursors are data of the server, and may name people's items.
  @Test func cursorsAreShownOnlyWhereContentsAre() throws {
    for words in [["ls"], ["ls", "--long"], ["log"], ["show", "g1", "--list", "l"], ["info"]] {
      for json in [[], ["--json"]] {
        let text = try bench.cellar([words[0], bench.store] + words.dropFirst() + json).output
        #expect(!text.contains("secret"), "\(words)")
      }
    }
    try bench.cellar("report", bench.store, "--out", "page.html", expecting: 0)
    let page = try String(contentsOf: bench.folder.file("page.html"), encoding: .utf8)
    #expect(!page.contains("secret") && page.contains(#""count":950"#))
    try bench.cellar("redact", bench.store, "redacted.sqlite", expecting: 0)
    try bench.cellar("check", "redacted.sqlite", expecting: 0)
    #expect(try lines("ls", "redacted.sqlite", "--content", "full").count == 7)
    #expect(try lines("info", "redacted.sqlite").contains { $0.contains("4 items, 2 gaps") })
  }

  @Test func aDerivedListSaysThatItIsIncomplete() throws {
    _ = try bench.folder.write(
      """
      {"derived":"sorted","of":"l","sort":[{"path":"/n"}]}
      {"derived":"top","of":"sorted","limit":1}

      """, to: "lists")
    let defined = try lines("derive", bench.store, "--define", "lists")
    #expect(
      defined[0].hasPrefix(
        #""sorted": of "l", revision 1, up to date, incomplete: its source has 2 gaps: {"#))
    #expect(
      defined[1].hasPrefix(
        #""top": of "sorted", revision 1, up to date, incomplete: its source has 2 gaps: {"#))
    let json = try bench.cellar("derive", bench.store, "--list", "--json", expecting: 0).output
      .object()
    #expect((json["derived"] as? [[String: Any]])?.map { $0["gapCount"] as? Int } == [2, 2])
    let info = try lines("info", bench.store)
    #expect(
      info.count { $0.contains("0 commits behind, incomplete: its source has 2 gaps: {") } == 2)
    #expect(
      try lines("ls", bench.store, "--list", "top")[1]
        == #"list "top": derived from "sorted", revision 1, 1 section, 1 item, "#
        + "incomplete: its source has 2 gaps")
    // Without gaps, nothing is said.
    let rest = try bench.folder.write(
      commit(
        3, #"{"op":"deleteItem","item":"g1"}"#, #"{"op":"deleteItem","item":"g2"}"#), to: "rest")
    try bench.cellar("replay", rest.path, "--store", bench.store, expecting: 0)
    for arguments in [
      ["derive", bench.store, "--list"], ["info", bench.store], ["ls", bench.store],
    ] {
      let output = try bench.cellar(arguments, expecting: 0).output
      #expect(!output.contains("incomplete") && !output.contains("gap"))
    }
  }
}
