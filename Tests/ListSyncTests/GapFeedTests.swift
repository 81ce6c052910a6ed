import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// Feeds and edits in a list that has not loaded everything.
@Suite struct GapFeedTests {
  private let bench: FeedBench
  private var shelf: LiveList { bench.repository.liveList("l") }

  /// A list with a section `s`: a, b, a gap, z.
  init() throws {
    bench = try FeedBench()
    try bench.apply([
      commit(
        1, insertSection("s"), insertItem("a"), insertItem("b"),
        gap("g", "{\"after\":\"b\",\"before\":\"z\",\"count\":10}"), insertItem("z"))
    ])
  }

  private func gap(_ id: String, _ content: String = "{}", after: String? = nil) -> String {
    let place = after.map { ",\"after\":\"\($0)\"" } ?? ""
    return "{\"op\":\"insertItem\",\"item\":\"\(id)\",\"section\":\"s\"\(place),\"cell\":\"#gap\","
      + "\"content\":\(content)}"
  }

  private func insert(_ id: String, after anchor: String, content: String = "{}") -> String {
    "{\"op\":\"insertItem\",\"item\":\"\(id)\",\"section\":\"s\",\"after\":\"\(anchor)\","
      + "\"cell\":\"C\",\"content\":\(content)}"
  }

  private func items() throws -> [String] { try bench.ids()["s"] ?? [] }
  private func content(_ id: ItemID) throws -> String? {
    try bench.repository.tree(of: "l").sections.flatMap(\.items).first { $0.id == id }?
      .state.content.text
  }
  private func expectSound() throws {
    #expect(try bench.repository.checkInvariants() == [])
    let gaps = try bench.repository.tree(of: "l").sections.flatMap(\.items)
      .count { $0.state.isGap }
    #expect(try shelf.gapCount() == gaps)
  }

  // MARK: Feeds

  @Test func whatIsNotLoadedChangesNothing() throws {
    try bench.apply([
      commit(
        2, "{\"op\":\"deleteItem\",\"item\":\"k\"}",
        "{\"op\":\"updateItem\",\"item\":\"k\",\"content\":1}",
        "{\"op\":\"touchItem\",\"item\":\"k\"}",
        "{\"op\":\"moveItem\",\"item\":\"k\",\"after\":\"a\"}",
        "{\"op\":\"deleteSection\",\"section\":\"t\"}",
        "{\"op\":\"updateSection\",\"section\":\"t\",\"meta\":1}",
        "{\"op\":\"moveSection\",\"section\":\"t\",\"after\":null}",
        insert("n", after: "k"), insertItem("n", in: "t"))
    ])
    #expect(try items() == ["a", "b", "g", "z"])
    #expect(try bench.repository.revision(of: "l") == 2)
    try expectSound()
  }

  @Test func whatMovesIntoAGapIsRemoved() throws {
    try bench.apply([
      commit(
        2, "{\"op\":\"moveItem\",\"item\":\"a\",\"after\":\"k\"}",
        "{\"op\":\"moveItem\",\"item\":\"z\",\"section\":\"t\",\"after\":null}")
    ])
    #expect(try items() == ["b", "g"])
    try expectSound()
  }

  /// The list counts as it will be without it: of what moves, its own place is none.
  @Test(arguments: [4, 9])
  func anInsertOfWhatIsThereAtAnIndexBeyondTheOthersUpdatesItWhereItIs(index: Int) throws {
    let place = "\"index\":\(index)"
    try bench.apply([
      commit(
        2,
        "{\"op\":\"insertItem\",\"item\":\"a\",\"section\":\"s\",\(place),\"cell\":\"C\",\"content\":2}",
        "{\"op\":\"insertSection\",\"section\":\"s\",\(place),\"meta\":1}")
    ])
    #expect(try items() == ["a", "b", "g", "z"])
    #expect(try content("a") == "2")
    #expect(try bench.repository.tree(of: "l").sections.map(\.attributes.meta) == ["1"])
    try expectSound()
    try bench.apply([
      commit(
        3,
        "{\"op\":\"insertItem\",\"item\":\"a\",\"section\":\"s\",\"index\":3,\"cell\":\"C\",\"content\":2}"
      )
    ])
    #expect(try items() == ["b", "g", "z", "a"])
  }

  @Test(arguments: [("a", "-1"), ("n", "5")])
  func anIndexThatIsNeverAPlaceIsAnError(item: String, index: String) throws {
    #expect(throws: StoreError.self) {
      try bench.apply([
        commit(
          2,
          "{\"op\":\"insertItem\",\"item\":\"\(item)\",\"section\":\"s\",\"index\":\(index),\"cell\":\"C\",\"content\":2}"
        )
      ])
    }
    #expect(try items() == ["a", "b", "g", "z"])
  }

  @Test func anInsertOfWhatAPageHadBroughtUpdatesAndMovesIt() throws {
    try bench.apply([
      commit(2, insert("a", after: "b", content: "2")),
      commit(3, insert("a", after: "k", content: "3")),
    ])
    #expect(try items() == ["b", "a", "g", "z"])
    #expect(try content("a") == "3")
    try expectSound()
  }

  @Test func withoutAGapAllThatIsAnError() throws {
    try bench.apply([commit(2, "{\"op\":\"deleteItem\",\"item\":\"g\"}")])
    #expect(bench.failure([commit(3, "{\"op\":\"deleteItem\",\"item\":\"k\"}")])?.code != nil)
    #expect(bench.failure([commit(3, insert("a", after: "b"))])?.code != nil)
    #expect(bench.failure([commit(3, insert("n", after: "k"))])?.code != nil)
    try expectSound()
  }

  @Test func gapsNextToEachOtherBecomeOne() throws {
    try bench.apply([
      commit(2, gap("h", "{\"after\":\"z\",\"count\":5,\"offset\":90}")),
      commit(3, "{\"op\":\"deleteItem\",\"item\":\"z\"}"),
    ])
    #expect(try items() == ["a", "b", "g"])
    #expect(try content("g") == "{\"after\":\"b\",\"count\":15}")
    try expectSound()
    // The step back has both again.
    let undone = try bench.repository.undoCommit(3, of: "l")
    #expect(try items() == ["a", "b", "g", "z", "h"])
    #expect(try content("g") == "{\"after\":\"b\",\"before\":\"z\",\"count\":10}")
    #expect(undone.entries.count == 3)
    try expectSound()
  }

  @Test(arguments: [true, false]) func gapsThatAMoveBringsTogether(_ movesGap: Bool) throws {
    try bench.apply([commit(2, gap("h"))])
    let move =
      movesGap
      ? "{\"op\":\"moveItem\",\"item\":\"h\",\"after\":\"b\"}"
      : "{\"op\":\"moveItem\",\"item\":\"z\",\"after\":null}"
    try bench.apply([commit(3, move)])
    #expect(try items() == (movesGap ? ["a", "b", "h", "z"] : ["z", "a", "b", "g"]))
    try expectSound()
  }

  /// Not in the midst of a commit.
  @Test func gapsAreJoinedAtTheEndOfACommit() throws {
    try bench.apply([
      commit(2, gap("h")),
      commit(3, "{\"op\":\"deleteItem\",\"item\":\"z\"}", insert("y", after: "g")),
    ])
    #expect(try items() == ["a", "b", "g", "y", "h"])
    try bench.apply([commit(4, gap("i", after: "h"), gap("j", after: "h"))])
    #expect(try items() == ["a", "b", "g", "y", "h"])
    try expectSound()
  }

  @Test func reservedCellsAndImpossibleGapsAreRefused() throws {
    func line(_ cell: String, _ content: String, in section: String = "s") -> String {
      commit(
        2,
        "{\"op\":\"insertItem\",\"item\":\"x\",\"section\":\"\(section)\",\"cell\":\"\(cell)\",\"content\":\(content)}"
      )
    }
    let reserved = bench.failure([line("#page", "{}")])
    #expect(reserved?.line == 1 && reserved?.message.contains("#page") == true)
    for content in ["5", "[]", "{\"count\":-1}", "{\"after\":5}", "{\"offset\":\"1\"}"] {
      // Wherever it stands, also where nothing is loaded.
      for section in ["s", "unknown"] {
        let failure = bench.failure([line("#gap", content, in: section)])
        #expect(failure?.message.contains("ops[0].content") == true, "\(content) in \(section)")
      }
    }
    #expect(
      bench.failure([commit(2, "{\"op\":\"updateItem\",\"item\":\"g\",\"content\":7}")]) != nil)
    try bench.apply([line("#gap", "{\"count\":null,\"more\":[1]}")])
    try expectSound()
  }

  @Test func aSnapshotHasNoGapThatItDoesNotTell() throws {
    try bench.apply([
      "{\"t\":\"snapshot\",\"list\":\"l\",\"seq\":\"2\",\"sections\":[{\"id\":\"s\",\"items\":[]}]}"
    ])
    #expect(try items() == [] && shelf.gapCount() == 0)
    try expectSound()
  }

  /// The gap of a section that moves to where nothing is loaded goes with it.
  @Test(arguments: [false, true])
  func aListThatHasLostAGapWithItsSectionIsNotWhole(_ hasEdit: Bool) throws {
    try bench.apply([commit(2, insertSection("first"), insertItem("f", in: "first"))])
    if hasEdit { _ = try shelf.editPending { try $0.apply(.touchItem("f")) } }
    try bench.apply([
      commit(3, "{\"op\":\"moveSection\",\"section\":\"s\",\"after\":\"t\"}"),
      commit(4, "{\"op\":\"updateItem\",\"item\":\"t7\",\"content\":1}"),
      commit(5, insert("n", after: "t7"), "{\"op\":\"deleteSection\",\"section\":\"t\"}"),
    ])
    #expect(try bench.ids() == ["first": ["f"]])
    try expectSound()
    // Until the feed tells the list anew.
    try bench.apply([
      "{\"t\":\"reset\",\"list\":\"l\"}", commit(1, insertSection("s"), insertItem("a")),
    ])
    #expect(bench.failure([commit(2, "{\"op\":\"deleteItem\",\"item\":\"k\"}")])?.code != nil)
  }

  /// No page has brought an item before the feed did, so no cursor is asked for in vain.
  @Test(arguments: [false, true])
  func otherGapsKeepTheirCursorsThen(_ hasEdit: Bool) throws {
    try bench.apply([
      commit(
        2, insertSection("lost"),
        "{\"op\":\"insertItem\",\"item\":\"h\",\"section\":\"lost\",\"cell\":\"#gap\",\"content\":{}}"
      )
    ])
    if hasEdit { _ = try shelf.editPending { try $0.apply(.touchItem("a")) } }
    try bench.apply([
      commit(3, "{\"op\":\"deleteSection\",\"section\":\"lost\"}"),
      commit(4, "{\"op\":\"deleteItem\",\"item\":\"b\"}"),
      commit(5, "{\"op\":\"moveItem\",\"item\":\"z\",\"after\":null}"),
    ])
    #expect(try items() == ["z", "a", "g"])
    #expect(try content("g") == "{\"after\":\"b\",\"before\":\"z\",\"count\":10}")
    try expectSound()
  }

  @Test func aPlaceBesideAnItemOfAnotherSectionIsNotLoaded() throws {
    try bench.apply([commit(2, insertSection("u"), insertItem("y", in: "u"))])
    try bench.apply([
      commit(3, insert("n", after: "y"), insert("z", after: "y", content: "3")),
      commit(4, "{\"op\":\"moveItem\",\"item\":\"a\",\"section\":\"s\",\"after\":\"y\"}"),
    ])
    #expect(try bench.ids() == ["s": ["b", "g", "z"], "u": ["y"]])
    #expect(try content("z") == "3")
    try expectSound()
  }

  // MARK: Edits

  /// An edit that brings gaps together is taken back whole.
  @Test func anEditThatWaitsBringsGapsTogether() throws {
    try bench.apply([commit(2, gap("h"))])
    let edit = try shelf.editPending { try $0.delete("z") }.edit
    #expect(try items() == ["a", "b", "g"])
    // What the server sends is about the list without the edit.
    try bench.apply([commit(3, insert("y", after: "z"))])
    #expect(try items() == ["a", "b", "g", "y", "h"])
    try expectSound()
    try shelf.repository.reject(try #require(edit).id, of: "l", why: nil)
    #expect(try items() == ["a", "b", "g", "z", "y", "h"])
    #expect(bench.repository.diagnostics["editMismatch"] == nil)
    try expectSound()
  }

  /// The gaps stay one for as long as the edit is there.
  @Test func anEditThatStaysKeepsGapsTogether() throws {
    try bench.apply([commit(2, gap("h"))])
    _ = try shelf.editPending { try $0.delete("z") }
    try bench.apply([commit(3, insert("n", after: "a"))])
    #expect(try items() == ["a", "n", "b", "g"])
    try bench.apply([commit(4, "{\"op\":\"deleteItem\",\"item\":\"z\"}")])
    #expect(try items() == ["a", "n", "b", "g"])
    #expect(bench.repository.diagnostics["editMismatch"] == nil)
    try expectSound()
  }

  @Test func undoCountsGaps() throws {
    try bench.apply([commit(2, gap("h", after: "a"))])
    #expect(try shelf.gapCount() == 2)
    try bench.repository.undoCommit(2, of: "l")
    #expect(try shelf.gapCount() == 1)
    try bench.repository.commit([.deleteSection("s")], to: "l")
    #expect(try shelf.gapCount() == 0)
    try bench.repository.undoCommit(4, of: "l")
    #expect(try shelf.gapCount() == 1)
    try expectSound()
  }
}
