import Foundation
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// Undo and redo of an author while others edit the same list.
@Suite struct UndoBesideOthersTests {
  private let folder: TemporaryFolder
  private let shelf: LiveList
  private let widget: Author

  init() throws {
    folder = try TemporaryFolder()
    shelf = try Repository(at: folder.file("store.sqlite")).liveList("shelf")
    widget = "widget"
    try shelf.edit(by: .feed) { list in
      for section in ["s", "t"] as [SectionID] { try list.insertSection(section) }
      for item in ["a", "b", "c", "d", "e"] as [ItemID] {
        try list.insert(Item(id: item, cell: "Cell", content: "0"), in: "s")
      }
    }
  }

  private func commit(_ changes: Change..., by author: Author = .app) throws {
    try shelf.repository.commit(changes, to: "shelf", by: author)
  }

  private func content(_ text: String) -> ItemUpdate {
    ItemUpdate(content: .set(JSON(stringLiteral: text)))
  }

  private func order() throws -> [SectionID: [String]] {
    Dictionary(
      uniqueKeysWithValues: try shelf.tree().sections.map { ($0.id, $0.items.map(\.id.rawValue)) })
  }

  @Test func whatWasInASectionThatIsGoneStaysAsItIsAndIsTold() throws {
    try commit(
      .moveItem("a", in: "t", to: .end), .deleteItem("b"), .updateItem("c", content("1")),
      .updateSection("s", SectionUpdate(meta: .set("1"))),
      .updateSection("t", SectionUpdate(meta: .set("1"))))
    try commit(.deleteSection("s"), by: widget)
    let undone = try #require(try shelf.undo())
    #expect(try order() == ["t": ["a"]])
    #expect(try shelf.tree().sections[0].attributes.meta == nil)
    #expect(undone.keptItems == ["a", "b", "c"])
    #expect(undone.keptSections == ["s"])
    // The redo finds nothing to do but what the undo did.
    #expect(try shelf.redo()?.commit.entries.count == 1)
    #expect(try shelf.tree().sections[0].attributes.meta == "1")
  }

  @Test func aSectionThatOthersUseStays() throws {
    try commit(.insertSection("u"), .moveItem("a", in: "u", to: .end))
    try commit(.moveItem("b", in: "u", to: .end), by: widget)
    let undone = try #require(try shelf.undo())
    #expect(try order() == ["s": ["a", "c", "d", "e"], "t": [], "u": ["b"]])
    #expect(undone.keptSections == ["u"])
    #expect(undone.keptItems == [])
  }

  @Test func aMoveAmongMovedNeighboursEndsBehindTheNearestThatWasBefore() throws {
    try commit(.moveItem("d", to: .start))
    try commit(.deleteItem("c"), .moveItem("b", to: .end), by: widget)
    #expect(try order()["s"] == ["d", "a", "e", "b"])
    #expect(try shelf.undo()?.keptItems == [])
    #expect(try order()["s"] == ["a", "e", "b", "d"])
    try commit(.moveItem("b", to: .start), by: widget)
    try shelf.redo()
    #expect(try order()["s"] == ["d", "b", "a", "e"])
  }

  @Test func aRedoLeavesWhatOthersDidSinceTheUndo() throws {
    try commit(
      .updateItem("a", content("1")), .updateItem("b", content("1")), .deleteItem("c"),
      .insertItem(Item(id: "n", cell: "Cell", content: "1"), in: "s", at: .after("d")))
    try shelf.undo()
    try commit(
      .updateItem("a", content("2")), .deleteItem("c"), .moveItem("d", in: "t", to: .end),
      by: widget)
    let redone = try #require(try shelf.redo())
    #expect(try order() == ["s": ["a", "b", "n", "e"], "t": ["d"]])
    #expect(try shelf.tree().sections[0].items.map(\.state.content) == ["2", "1", "1", "0"])
    #expect(redone.keptItems == ["a"])
  }

  @Test func linesOfAFeedBetweenTheEditsOfAGroupStay() throws {
    try shelf.undoGroup {
      try commit(.updateItem("a", content("1")))
      try follow(line(1, [.updateItem("a", content("9")), .deleteItem("b")], list: "shelf"))
      try commit(.updateItem("c", content("1")))
    }
    let undone = try #require(try shelf.undo())
    #expect(undone.revisions == [2, 4])
    #expect(undone.keptItems == ["a"])
    #expect(try shelf.tree().sections[0].items.map(\.state.content) == ["9", "0", "0", "0"])
    #expect(try !shelf.canUndo())
  }

  // MARK: Edits that wait for a server

  private func follow(_ text: String) throws {
    try shelf.repository.apply(FeedReader(file: try folder.write(text + "\n", to: "feed.ndjson")))
  }

  @Test func undoingAPendingEditIsAPendingEdit() throws {
    let edit = try #require(
      try shelf.editPending { list in
        try list.apply(.updateItem("a", content("7")))
        try list.apply(.deleteItem("b"))
      }.edit)
    try shelf.undo(pending: true)
    #expect(try order()["s"] == ["a", "b", "c", "d", "e"])
    let pending = try shelf.pendingEdits()
    try #require(pending.count == 2)
    #expect(pending.first == edit)
    // The server takes both; another line comes between them.
    try follow(edit.feedLine(sequence: 1))
    let new = Item(id: "n", cell: "Cell", content: "0")
    try follow(line(2, [.insertItem(new, in: "s", at: .start)], list: "shelf"))
    try follow(pending[1].feedLine(sequence: 3))
    #expect(try order()["s"] == ["n", "a", "b", "c", "d", "e"])
    #expect(try shelf.pendingEdits().isEmpty)
    try shelf.redo(pending: true)
    #expect(try order()["s"] == ["n", "a", "c", "d", "e"])
    #expect(try shelf.tree().sections[0].items[1].state.content == "7")
    #expect(try shelf.repository.checkInvariants() == [])
  }

  @Test func undoingAnEditThatTheServerHasRefusedChangesNothing() throws {
    try commit(.updateItem("e", content("1")))
    let edit = try #require(
      try shelf.editPending { list in
        try list.apply(.insertItem(Item(id: "n", cell: "Cell", content: "1"), in: "s", at: .end))
        try list.apply(.moveItem("a", to: .end))
        try list.apply(.moveItem("b", in: "t", to: .end))
        try list.apply(.updateItem("c", content("7")))
        try list.apply(.deleteItem("d"))
      }.edit)
    try follow(line(1, [.moveItem("e", in: "t", to: .start)], list: "shelf"))
    try shelf.reject(edit.id)
    let before = try shelf.tree()
    let undone = try #require(try shelf.undo())
    #expect(undone.revisions == [3])
    #expect(undone.keptItems == [])
    #expect(try shelf.tree().withoutRevisions == before.withoutRevisions)
    #expect(try shelf.undo()?.revisions == [2])
  }

  @Test func anUndoneValueIsWhatTheListHadShown() throws {
    _ = try shelf.editPending { try $0.apply(.updateItem("a", content("7"))) }
    try follow(line(1, [.updateItem("a", content("9"))], list: "shelf"))
    #expect(try shelf.tree().sections[0].items[0].state.content == "7")
    try shelf.undo(pending: true)
    #expect(try shelf.tree().sections[0].items[0].state.content == "0")
  }

  @Test func anUndoWaitsBehindAnEditThatTheServerRefuses() throws {
    let edit = try #require(
      try shelf.editPending { list in
        try list.apply(.updateItem("a", content("7")))
        try list.apply(.moveItem("b", in: "t", to: .end))
      }.edit)
    let deletion = try #require(try shelf.editPending { try $0.delete("c") }.edit)
    try shelf.undo(pending: true)
    try shelf.undo(pending: true)
    let before = try order()
    try shelf.reject(edit.id)
    try shelf.reject(deletion.id)
    #expect(try order() == before)
    #expect(before["s"] == ["a", "b", "c", "d", "e"])
    let left = try shelf.pendingEdits().dropFirst(2).map(\.state)
    #expect(left.count == 2 && left.last == .waiting)
    if case .conflicted = left.first {} else { Issue.record("\(left)") }
  }
}
