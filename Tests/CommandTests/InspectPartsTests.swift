import Foundation
import TestSupport
import Testing

/// `cellar inspect ls`, `show`, `log` and `diff`: what they print, and that they change nothing.
@Suite struct InspectPartsTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    try bench.fill(
      commit(1, insertSection("s"), insertItem("a", "{\"secret\":1}"), insertItem("b"))
        + commit(2, "{\"op\":\"moveItem\",\"item\":\"a\",\"before\":null}")
        + commit(3, "{\"op\":\"deleteItem\",\"item\":\"b\"}"))
  }

  @Test func nothingOfAStoreChangesAndContentsAreHidden() throws {
    let before = try FolderSnapshot(of: bench.folder.url)
    for words in [
      ["ls", bench.store, "--long"], ["show", bench.store, "a", "--list", "l"],
      ["show", bench.store, "--section", "s", "--list", "l"], ["log", bench.store, "--rates"],
      ["diff", bench.store + "@0", bench.store, "--list", "l"],
    ] {
      for json in [[], ["--json"]] {
        let outcome = try bench.cellar(["inspect"] + words + json, expecting: 0)
        #expect(outcome.errors == "", "\(words)")
        #expect(!outcome.output.contains("secret"), "\(words)")
        if !json.isEmpty {
          #expect(try outcome.output.object()["formatVersion"] as? Int == 1, "\(words)")
        }
        if words[0] != "show" || words[2] == "a" {
          let full = try bench.cellar(
            ["inspect"] + words + json + ["--content", "full"], expecting: 0)
          #expect(full.output.contains("secret"), "\(words)")
        }
      }
    }
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }

  @Test func severalStoresAreAnObjectALineEach() throws {
    for words in ["ls", "log"] {
      let outcome = try bench.cellar(
        "inspect", words, bench.store, bench.store, "--json", expecting: 0)
      #expect(try outcome.output.objects().count == 2)
    }
  }

  @Test func itemsArePaged() throws {
    let first = try bench.cellar("inspect", "ls", bench.store, "--first", "0", expecting: 0)
    #expect(first.output.contains("… more items: --after 0"))
    #expect(!first.output.contains("[0, 0]"))
    let all = try bench.cellar(
      "inspect", "ls", bench.store, "--first", "\(Int.max)", "--after", "\(Int.max)", expecting: 0)
    #expect(!all.output.contains("more items"))
  }

  @Test func aDifferenceIsTheSameAsOfItsTrees() throws {
    _ = try bench.folder.write(bench.export(at: 1), to: "old.json")
    _ = try bench.folder.write(bench.export(at: 3), to: "new.json")
    let plan = try bench.cellar("plan", "diff", "old.json", "new.json", expecting: 0)
    let batch = try bench.cellar(
      "inspect", "diff", bench.store + "@1", bench.store + "@3", "--list", "l", "--batch",
      expecting: 0)
    #expect(batch.output == plan.output)
    let text = try bench.cellar(
      "inspect", "diff", bench.store + "@1", bench.store + "@2", "--list", "l", expecting: 0)
    #expect(text.output.contains("1 item moved"))
    let none = try bench.cellar(
      "inspect", "diff", bench.store, bench.store, "--list", "l", expecting: 0)
    #expect(none.output.contains("no difference"))
  }

  @Test func aStoreWhoseNameHasAnAtIsTakenAsItIs() throws {
    let other = bench.folder.file("store@2").path
    try FileManager.default.copyItem(atPath: bench.store, toPath: other)
    let outcome = try bench.cellar(
      "inspect", "diff", other + "@1", other, "--list", "l", expecting: 0)
    #expect(outcome.output.contains("revision 1 → 3"))
  }

  @Test func whatIsNotThereIsAFailureThatSaysWhatThereIs() throws {
    let item = try bench.cellar("inspect", "show", bench.store, "aa", "--list", "l", expecting: 1)
    #expect(item.errors.contains("\"a\""))
    let deleted = try bench.cellar(
      "inspect", "show", bench.store, "b", "--list", "l", expecting: 0)
    #expect(deleted.output.contains("deleted"))
    for words in [
      ["ls", bench.store, "--list", "x"], ["ls", bench.store, "--list", "l", "--section", "x"],
      ["show", bench.store, "a", "--list", "x"], ["log", bench.store, "--list", "x"],
      ["diff", bench.store + "@4", bench.store, "--list", "l"],
    ] {
      let outcome = try bench.cellar(["inspect"] + words, expecting: 1)
      #expect(outcome.output == "", "\(words)")
    }
  }

  @Test func aNestedListIsNamedAsItIsPrinted() throws {
    // A feed makes no nested list.
    try bench.change(
      "UPDATE list SET name = char(31) || 'nested 1,1:l/a/more' WHERE name = 'l'")
    let printed = #"\u{1f}nested 1,1:l/a/more"#
    let all = try bench.cellar("inspect", "ls", bench.store, expecting: 0)
    #expect(all.output.contains("list \"\(printed)\""))
    for words in [["ls"], ["show", "a"], ["log"]] {
      let outcome = try bench.cellar(
        ["inspect", words[0], bench.store] + words.dropFirst() + ["--list", printed], expecting: 0)
      #expect(outcome.output.contains("revision 3"), "\(words)")
    }
  }

  @Test func aDamagedLogIsSaidWith2() throws {
    try bench.change(
      "PRAGMA foreign_keys = OFF", "DELETE FROM change WHERE revision = 2",
      "UPDATE listCommit SET time = 9223372036854775807 WHERE revision = 3")
    let outcome = try bench.cellar("inspect", "log", bench.store, expecting: 2)
    #expect(outcome.output.contains("list \"l\", revision 2"))
    #expect(outcome.output.contains("deleteItem \"b\""))
  }
}
