import FeedServing
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

@Suite struct ServedListTests {
  @Test func aListIsWhatItsLinesMakeOfItOnEachSide() throws {
    for seed in 0..<20 {
      var generator = SeededGenerator(seed: UInt64(seed) &* 2_654_435_761)
      let random = RandomChanges(hasSectionParts: true)
      var tree = ListTree(list: "home")
      var served = ServedList("home")
      var follower = ServedList("home")
      var lines: [ServedLine] = []
      for number in 1...60 {
        var changes: [Change] = []
        for _ in 0..<generator.number(1..<4) {
          changes.append(random.change(for: tree, using: &generator))
          try tree.apply(changes[changes.count - 1])
        }
        let edit = try SentEdit(parsing: body(changes, id: "e\(number)"))
        let line = try served.take(edit, by: "mary", at: number)
        served.settle()
        #expect(line.position.sequence == number && served.position == line.position)
        lines.append(line)
        try follower.apply(try #require(try ServedLine(parsing: line.text)))
      }
      tree.revision = 60
      #expect(served.tree.isWritten(as: tree), "seed \(seed)")
      #expect(follower.tree.isWritten(as: tree), "seed \(seed)")
      #expect(try served.snapshot()?.text == follower.snapshot()?.text)
      // A client's store takes the lines, and the snapshot in the place of all.
      for text in [lines.map(\.text), [try #require(try served.snapshot()).text]] {
        let store = try TemporaryFolder()
        let repository = try Repository(at: store.url.appendingPathComponent("s.sqlite"))
        let file = store.url.appendingPathComponent("feed.ndjson")
        try Data(text.flatMap { $0 + [UInt8(ascii: "\n")] }).write(to: file)
        try repository.apply(FeedReader(file: file))
        let shown = try repository.liveList("home").provider().tree
        #expect(shown.isWritten(as: tree), "seed \(seed)")
      }
    }
  }

  @Test func linesAreTakenBackUntilTheyAreSettled() throws {
    for seed in 0..<20 {
      var generator = SeededGenerator(seed: UInt64(seed) &+ 5)
      let random = RandomChanges(hasSectionParts: true)
      var served = ServedList("home")
      for round in 0..<20 {
        let (before, position) = (served.tree, served.position)
        for _ in 0..<generator.number(1..<4) {
          let changes = [random.change(for: served.tree, using: &generator)]
          _ = try served.take(try SentEdit(parsing: body(changes)), by: "mary", at: round)
        }
        if round % 2 == 0 {
          served.settle()
        } else {
          served.takeBack()
          #expect(served.tree.isWritten(as: before) && served.position == position, "seed \(seed)")
        }
      }
    }
  }

  @Test func anEditThatDoesNotFitLeavesTheListAsItWas() throws {
    var served = try bookshelf()
    let (before, position) = (served.tree, served.position)
    let edits: [(String, String)] = [
      (#"[{"op":"touchItem","item":"emma"},{"op":"updateItem","item":"dune","cell":"C"}]"#, "dune"),
      (#"[{"op":"insertItem","item":"emma","section":"s","cell":"C","content":1}]"#, "already"),
      (#"[{"op":"moveItem","item":"emma","section":"t"}]"#, "no section"),
      (##"[{"op":"insertItem","item":"g","section":"s","cell":"#gap","content":{}}]"##, "whole"),
      (##"[{"op":"updateItem","item":"emma","cell":"#gap","content":{}}]"##, "whole"),
    ]
    for (operations, reason) in edits {
      let edit = try SentEdit(parsing: Array(#"{"list":"home","ops":\#(operations)}"#.utf8))
      do {
        _ = try served.take(edit, by: "mary", at: 1)
        Issue.record("taken: \(operations)")
      } catch { #expect(error.why.contains(reason)) }
      #expect(served.tree == before && served.position == position)
    }
  }

  @Test func aPlaceWhoseNeighbourIsGoneIsTheIndexThatItHad() throws {
    var served = try bookshelf()
    let operations =
      #"[{"op":"insertItem","item":"dune","section":"s","after":"gone","was":1,"cell":"C","content":1},"#
      + #"{"op":"deleteItem","item":"gone"}]"#
    let edit = try SentEdit(parsing: Array(#"{"list":"home","ops":\#(operations)}"#.utf8))
    var exact = served
    #expect(throws: EditRefusal.self) { try exact.take(edit, by: "m", at: 1, settles: false) }
    _ = try served.take(edit, by: "mary", at: 1)
    #expect(served.tree.sections[0].items.map(\.id) == ["emma", "dune"])
  }

  @Test func replacingSendsWhatDiffers() throws {
    var served = try bookshelf()
    var tree = served.tree
    tree.sections[0].items.append(
      Item(id: "dune", cell: "C", content: try JSON(parsing: "2"), type: nil, action: nil))
    let replaced = try served.replace(with: tree, by: "server", at: 2)
    let line = try #require(replaced)
    #expect(!line.isSnapshot)
    #expect(String(decoding: line.text, as: UTF8.self).contains("dune"))
    #expect(!String(decoding: line.text, as: UTF8.self).contains("emma\",\"section"))
    let same = try served.replace(with: served.tree, by: "server", at: 3)
    #expect(same == nil)
  }

  @Test func whatAStoreKeepsIsTheListAtItsLine() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("kept.sqlite")
    var generator = SeededGenerator(seed: 9)
    let random = RandomChanges(hasSectionParts: true)
    var served = ServedList("home")
    for round in 0..<10 {
      let kept = try KeptLists(at: file)
      for _ in 0..<5 {
        let changes = [random.change(for: served.tree, using: &generator)]
        _ = try served.take(try SentEdit(parsing: body(changes)), by: "mary", at: round)
      }
      served.settle()
      let unkept = served.takeUnkept()
      try kept.keep([try #require(unkept)])
      #expect(!served.hasUnkept)
      let read = try #require(try kept.list("home"))
      #expect(read.tree.isWritten(as: served.tree) && read.position == served.position)
      if round == 5 {
        try kept.forget("home")
        #expect(try kept.list("home")?.position == nil)
        served = ServedList("home")
      }
      try kept.close()
    }
  }

  @Test func aPositionReadsWhatItWrites() throws {
    let line = try #require(
      try ServedLine(parsing: Array(#"{"t":"commit","list":"a","seq":"7", "ops":[]}"#.utf8)))
    #expect(line.text == Array(#"{"t":"commit","list":"a","seq":"7","ops":[]}"#.utf8))
    #expect(LinePosition(line.position.description) == line.position)
    #expect(
      LinePosition(sequence: 7, hash: line.position.hashBytes) == line.position)
    let wrong = [
      "", "7", "7:", "07:" + String(repeating: "a", count: 32),
      "0:" + String(repeating: "a", count: 32),
      "7:" + String(repeating: "A", count: 32), "7:" + String(repeating: "a", count: 31),
      "7:" + String(repeating: "+", count: 32), "-7:" + String(repeating: "a", count: 32),
    ]
    for text in wrong { #expect(LinePosition(text) == nil, "\(text)") }
  }

  /// An item stands two levels deeper in a snapshot than in a commit: its line could not be read.
  @Test(arguments: [
    (##"{"op":"updateItem","item":"emma","content":#}"##, 27),
    (##"{"op":"updateItem","item":"emma","action":{"attrs":#}}"##, 26),
    (##"{"op":"insertItem","item":"dune","section":"s","cell":"C","content":#}"##, 27),
    (
      ##"{"op":"insertItem","item":"x","section":"s","cell":"C","content":1,"##
        + ##""action":{"attrs":#}}"##, 26
    ),
  ])
  func whatASnapshotCantHoldIsRefused(_ operation: String, _ most: Int) throws {
    func edit(_ levels: Int) throws -> SentEdit {
      let value = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      return try SentEdit(
        parsing: Array(
          "{\"list\":\"home\",\"ops\":[\(operation.replacing("#", with: value))]}".utf8))
    }
    var served = try bookshelf()
    let before = served.tree
    let refusal = #expect(throws: EditRefusal.self) {
      try served.take(edit(most + 1), by: "mary", at: 2)
    }
    #expect(refusal?.why.contains("33 levels") == true)
    #expect(served.tree == before)
    _ = try served.take(edit(most), by: "mary", at: 2)
    let snapshot = try #require(try served.snapshot())
    var copy = ServedList("home")
    try copy.apply(try #require(try ServedLine(parsing: snapshot.text)))
    #expect(copy.tree.isWritten(as: served.tree))
  }

  /// Each edit fits into a line, and the list would not.
  @Test func aListStaysShortEnoughForASnapshot() throws {
    var served = try bookshelf()
    func insertion(_ id: String) throws -> SentEdit {
      let text = String(repeating: "x", count: 9 << 20)
      let operation =
        #"{"op":"insertItem","item":"\#(id)","section":"s","cell":"C","content":"\#(text)"}"#
      return try SentEdit(parsing: Array(#"{"list":"home","ops":[\#(operation)]}"#.utf8))
    }
    let deletion = try SentEdit(
      parsing: Array(#"{"list":"home","ops":[{"op":"deleteItem","item":"a"}]}"#.utf8))
    for round in 2...4 {
      _ = try served.take(insertion("a"), by: "mary", at: round)
      served.settle()
      let before = served.tree
      let refusal = #expect(throws: EditRefusal.self) {
        try served.take(insertion("b"), by: "mary", at: round)
      }
      #expect(refusal?.why.contains("longer than 16 MiB") == true)
      #expect(served.tree == before)
      #expect(try served.snapshot() != nil)
      _ = try served.take(deletion, by: "mary", at: round)
      served.settle()
    }
  }

  @Test func aTreeThatNoLineCanHoldIsRefused() throws {
    let deepest = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    var served = try bookshelf()
    var tree = served.tree
    tree.sections[0].attributes.meta = JSON(stringLiteral: deepest)
    let before = served.tree
    #expect(throws: EditRefusal.self) { try served.replace(with: tree, by: "mary", at: 2) }
    #expect(served.tree == before)
  }

  private func bookshelf() throws -> ServedList {
    var served = ServedList("home")
    let operations =
      #"[{"op":"insertSection","section":"s"},"#
      + #"{"op":"insertItem","item":"emma","section":"s","cell":"C","content":1}]"#
    let edit = try SentEdit(parsing: Array(#"{"list":"home","ops":\#(operations)}"#.utf8))
    _ = try served.take(edit, by: "server", at: 1)
    served.settle()
    return served
  }

  private func body(_ changes: [Change], id: String? = nil) -> [UInt8] {
    Array(
      JSONWriter.object { writer in
        writer.member("list", "home")
        if let id { writer.member("edit", id) }
        writer.member("ops", array: changes) { writer, change in
          writer.object { change.writeOperation(to: &$0) }
        }
      }.utf8)
  }
}

extension ListTree {
  /// Whether both are the same but for revisions, which each side counts by itself.
  fileprivate func isWritten(as other: ListTree) -> Bool {
    var (mine, others) = (self, other)
    (mine.revision, others.revision) = (0, 0)
    return mine.json() == others.json()
  }
}
