import BatchUpdates
import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import ListItems
import Providers
import TestSupport
import Testing
import ListTables

private final class Cell {}

private struct Chapter: ListItem {
  var id: String
  func configure(_ cell: Cell) {}
}

/// Lists that belong to an item of another list.
@Suite struct NestedListTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    var options = Repository.Options()
    options.logRetention = nil
    repository = try Repository(at: folder.file("store.sqlite"), options: options)
    try repository.commit(
      [.insertSection("s"), .insertSection("t")]
        + ["emma", "dune", "other"].map {
          .insertItem(Item(id: $0, cell: "C", content: "1"), in: "s")
        }, to: "shelf")
  }

  // MARK: In one transaction with the outer list

  @Test func anOuterListAndItsNestedOnesAreEditedTogether() throws {
    let shelf = repository.liveList("shelf")
    let (new, other) = (chapters(of: "new"), repository.liveList("log"))
    let commit = try shelf.commit(by: "me") { list in
      try list.insert(Item(id: "new", cell: "C", content: "1"), in: "s")
      let editor = try list.editor(of: new)
      try editor.insertSection(ListSection("all") { Chapter(id: "1") })
      #expect(try list.editor(of: new) === editor)
      // An edit that names a list and changes nothing does not make it.
      _ = try list.editor(of: repository.liveList("empty"))
      _ = try list.editor(of: chapters(of: "emma"))
      try list.editor(of: other).insertSection("s")
      try editor.insert(Chapter(id: "2"), in: "all")
    }
    #expect(commit?.list == "shelf" && commit?.entries.count == 1)
    #expect(
      try repository.lists().map(\.rawValue).filter { !$0.contains("nested") } == ["log", "shelf"])
    #expect(try new.tree().sections.map { $0.items.map(\.id) } == [["1", "2"]])
    for list in [shelf, new, other] { #expect(try list.commits().last?.author == "me") }
    #expect(try new.revision() == 1 && other.revision() == 1)
    #expect(try shelf.nestedLists(of: "emma").isEmpty)
    #expect(try repository.checkInvariants().isEmpty)
    // Each is undone on its own.
    #expect(try new.undo(by: "me") != nil)
    #expect(try shelf.tree().sections[0].items.count == 4)
  }

  @Test func whenTheClosureThrowsNoListChanges() throws {
    struct Stop: Error {}
    let shelf = repository.liveList("shelf")
    #expect(throws: Stop.self) {
      try shelf.edit { list in
        try list.delete("emma")
        try list.editor(of: chapters(of: "dune")).insertSection("s")
        throw Stop()
      }
    }
    #expect(try shelf.revision() == 1 && chapters(of: "dune").revision() == 0)
    let failure = #expect(throws: StoreError.self) {
      try shelf.edit { list in
        try list.delete("emma")
        _ = try list.editor(of: chapters(of: "emma"))
      }
    }
    #expect(failure?.code == .itemNotFound)
  }

  @Test func onlyTheNestedListMayChange() throws {
    let shelf = repository.liveList("shelf")
    let commit = try shelf.commit { list in
      try list.editor(of: chapters(of: "emma")).insertSection("s")
    }
    #expect(commit == nil)
    #expect(try shelf.revision() == 1 && chapters(of: "emma").revision() == 1)
  }

  @Test func aListOfAnotherStoreAndAnEndedEditAreRefused() throws {
    let other = try Repository(at: folder.file("other.sqlite")).liveList("shelf")
    let shelf = repository.liveList("shelf")
    var kept: ListEditor?
    try shelf.edit { list in
      #expect(throws: StoreError.self) { try list.editor(of: other) }
      kept = try list.editor(of: chapters(of: "emma"))
    }
    #expect(throws: StoreError.self) { try kept?.insertSection("s") }
    #expect(throws: StoreError.self) { try kept?.editor(of: shelf) }
  }

  /// The rows of one commit's log lie one after the other.
  @Test func longCommitsSideBySideKeepTheirLogs() throws {
    let shelf = repository.liveList("shelf")
    let new = chapters(of: "emma")
    try shelf.edit { list in
      let editor = try list.editor(of: new)
      try editor.insertSection("s")
      for number in 0..<2_000 {
        try list.insert(Item(id: ItemID("i\(number)"), cell: "C", content: "1"), in: "t")
        try editor.insert(Item(id: ItemID("c\(number)"), cell: "C", content: "1"), in: "s")
      }
    }
    let reopened = try Repository(existing: file)
    for list in [shelf, new] {
      let commits = try reopened.commits(of: list.id)
      #expect(try commits.last?.entries == list.commits().last?.entries)
      #expect(try reopened.tree(of: list.id) == list.tree())
      #expect((commits.last?.entries.count ?? 0) >= 2_000)
    }
    #expect(try reopened.checkInvariants().isEmpty)
    try shelf.undo()
    try new.undo()
    #expect(try new.tree().sections.isEmpty)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func aPendingEditOfSeveralListsIsOneOfEach() throws {
    let shelf = repository.liveList("shelf")
    let edit = try shelf.editPending { list in
      try list.delete("other")
      try list.editor(of: chapters(of: "emma")).insertSection("s")
    }.edit
    #expect(try shelf.pendingEdits() == [#require(edit)])
    let nested = try chapters(of: "emma").pendingEdits()
    #expect(nested.count == 1 && nested[0].id != edit?.id)
  }

  private func chapters(of item: ItemID, _ name: NestedName = "chapters") -> LiveList {
    repository.liveList(ownedBy: item, in: "shelf", name, items: [Chapter.self])
  }

  private func fill(_ list: LiveList, _ ids: String...) throws {
    try list.edit { editor throws in
      try editor.insertSectionIfMissing("s")
      for id in ids { try editor.insert(Chapter(id: id), in: "s") }
    }
  }

  private func truncate(_ list: ListID = "shelf", changes: Int = 0) throws {
    try repository.truncateLog(of: list, keeping: LogRetention(changes: changes))
  }

  // MARK: Ids

  @Test func theIDFollowsFromTheOwnerAndIsTheSameForEver() {
    #expect(chapters(of: "emma").id.rawValue == "\u{1F}nested 5,4:shelf/emma/chapters")
    let long = ListOwner(
      list: "shelf", item: ItemID(stringLiteral: String(repeating: "x", count: 256)), name: "c")
    #expect(
      long.nestedList.rawValue
        == "\u{1F}nested sha256:"
        + "de46c1257deed713922197ba8c8afeb8b2ee8069193042761b2358aaa143d60c")
  }

  @Test func differentOwnersHaveDifferentLists() {
    let parts = ["a", "a/", "/a", "a/b", "b", "1,1:a/a", "é", "e\u{301}", "\u{301}"]
    let long = (0..<4).map { String(repeating: "x", count: 250 + $0) + "/y" }
    var seen: Set<ListID> = []
    var count = 0
    for list in parts + long {
      for item in parts + long {
        for name in parts {
          let owner = ListOwner(
            list: .init(stringLiteral: list), item: .init(stringLiteral: item),
            name: .init(stringLiteral: name))
          #expect(owner.nestedList.rawValue.utf8.count <= 256)
          seen.insert(owner.nestedList)
          count += 1
        }
      }
    }
    #expect(seen.count == count)
  }

  @Test func nobodyElseCanMakeAListOfSuchAnID() throws {
    let id = chapters(of: "emma").id
    let line = commitLine(1, list: #"\u001fnested 5,4:shelf/emma/chapters"#)
    let failures = [
      #expect(throws: StoreError.self) { try repository.commit([.insertSection("s")], to: id) },
      #expect(throws: StoreError.self) { try repository.edit(id) { try $0.insertSection("s") } },
      #expect(throws: StoreError.self) { try apply(line) },
    ]
    #expect(failures.map { $0?.code } == [.invalidValue, .invalidValue, .invalidValue])
    #expect(failures[2]?.line == 1)
    #expect(try repository.lists() == ["shelf"])
    // Once it is there, everybody may write to it.
    try fill(chapters(of: "emma"), "one")
    try repository.commit([.touchItem("one")], to: id)
    try apply(line)
    #expect(try repository.revision(of: id) == 3)
  }

  private func commitLine(_ sequence: Int, list: String) -> String {
    #"{"t":"commit","list":"\#(list)","seq":"\#(sequence)","ops":[]}"#
  }

  private func apply(_ line: String) throws {
    let reader = try FeedReader(file: try folder.write(line + "\n", to: "feed.ndjson"))
    try repository.apply(reader)
  }

  // MARK: Owning

  @Test func aNestedListIsAListOfItsOwn() throws {
    let list = chapters(of: "emma")
    #expect(list.owner == ListOwner(list: "shelf", item: "emma", name: "chapters"))
    #expect(try list.provider().numberOfItems == 0)
    #expect(try repository.lists() == ["shelf"], "looking makes none")
    try list.edit { _ in }
    #expect(try repository.lists() == ["shelf"], "nor does an edit that changes nothing")
    try fill(list, "one", "two")
    try fill(chapters(of: "emma", "notes"), "note")
    try fill(chapters(of: "dune"), "one")
    #expect(try repository.revision(of: "shelf") == 1)
    #expect(try repository.revision(of: list.id) == 1)
    #expect(
      try repository.nestedLists(of: "emma", in: "shelf")
        == ["chapters": list.id, "notes": chapters(of: "emma", "notes").id])
    #expect(try repository.nestedLists(of: "other", in: "shelf").isEmpty)
    #expect(try repository.nestedLists(of: "emma", in: "none").isEmpty)
    #expect(try repository.owner(of: list.id) == list.owner)
    #expect(try repository.owner(of: "shelf") == nil)
    let state = ListViewState(anchor: ListViewState.Anchor(item: "two", offset: -3))
    try list.save(state)
    #expect(try list.viewState() == state)
    let relaunched = try Repository(existing: file)
      .liveList(ownedBy: "emma", in: "shelf", "chapters")
    #expect(try relaunched.provider().tree == repository.tree(of: list.id))
    #expect(try relaunched.viewState() == state)
    try checkInvariants(of: file)
  }

  @Test func anItemThatIsNotThereOwnsNothing() throws {
    let lists = [
      chapters(of: "none"), repository.liveList(ownedBy: "emma", in: "nowhere", "chapters"),
    ]
    let codes = lists.map { list in
      #expect(throws: StoreError.self) { try fill(list, "one") }?.code
    }
    #expect(codes == [.itemNotFound, .listNotFound])
    #expect(try repository.lists() == ["shelf"])
    #expect(try repository.nestedLists(of: "none", in: "shelf").isEmpty)
  }

  @Test func itIsReplacedAndFollowedLikeAnyOther() async throws {
    let list = chapters(of: "emma")
    try await list.replace { ListSection("s") { Chapter(id: "one") } }
    #expect(try repository.owner(of: list.id) == list.owner)
    let lines = AsyncStream<String>.makeStream()
    lines.continuation.yield(
      #"{"t":"commit","list":"books/dune","seq":"1","ops":[{"op":"insertSection","section":"s"}]}"#)
    lines.continuation.finish()
    let report = try await chapters(of: "dune").follow(lines.stream, as: "books/dune")
    #expect(report.applied == 1)
    #expect(try repository.nestedLists(of: "dune", in: "shelf").count == 1)
    try checkInvariants(of: file)
  }

  @Test func movingAndUpdatingTheItemLeavesItAlone() throws {
    let list = chapters(of: "emma")
    try fill(list, "one")
    try repository.commit(
      [
        .moveItem("emma", in: "t", to: .end),
        .updateItem("emma", ItemUpdate(cell: .set("D"), content: .set("2"))),
        .moveSection("t", to: .start),
        .touchItem("emma"),
      ], to: "shelf")
    try truncate()
    #expect(try list.provider().numberOfItems == 1)
    #expect(try repository.owner(of: list.id) == list.owner)
  }

  // MARK: Going

  @Test func itStaysAsLongAsTheItemCanComeBack() throws {
    let list = chapters(of: "emma")
    try fill(list, "one")
    try repository.commit([.touchItem("dune")], to: "shelf")
    try repository.commit([.deleteItem("emma")], to: "shelf")  // Revision 3.
    try repository.commit([.touchItem("dune")], to: "shelf")
    // The log leads back to revision 2, in which the item was there.
    try truncate(changes: 2)
    #expect(try list.provider().numberOfItems == 1)
    try repository.undoCommit(3, of: "shelf")
    #expect(try repository.nestedLists(of: "emma", in: "shelf") == ["chapters": list.id])
    try truncate()
    #expect(try list.provider().numberOfItems == 1, "the item is there")

    try repository.commit([.deleteItem("emma")], to: "shelf")  // Revision 6.
    try repository.commit([.touchItem("dune")], to: "shelf")
    try truncate(changes: 1)
    #expect(try repository.lists() == ["shelf"])
    #expect(try list.provider().numberOfItems == 0)
    try checkInvariants(of: file)
  }

  @Test func anItemThatWentWithItsSectionTakesItAlong() throws {
    let list = chapters(of: "emma")
    try fill(list, "one")
    let other = try Repository(existing: file)
    try other.commit([.deleteSection("s")], to: "shelf")
    try truncate(changes: 1)
    #expect(try list.provider().numberOfItems == 1)
    try truncate()
    #expect(try repository.lists() == ["shelf"])
  }

  @Test func anItemThatWentAgainTakesItAlongOnlyThen() throws {
    // Whether items own lists is asked before any does.
    try repository.commit([.deleteItem("other")], to: "shelf")
    let list = chapters(of: "emma")
    try fill(list, "one")
    let emma = Item(id: "emma", cell: "C", content: "1")
    try repository.commit([.deleteItem("emma"), .insertItem(emma, in: "t")], to: "shelf")
    try repository.commit([.touchItem("emma")], to: "shelf")
    try truncate()
    try repository.commit([.touchItem("emma")], to: "shelf")
    try repository.commit([.deleteItem("emma")], to: "shelf")
    try truncate(changes: 1)
    #expect(try list.provider().numberOfItems == 1)
    try truncate()
    #expect(try repository.lists() == ["shelf"])
  }

  @Test func manyGoAndOthersStay() throws {
    let items = (0..<80).map { ItemID(stringLiteral: "i\($0)") }
    try repository.commit(
      items.map { .insertItem(Item(id: $0, cell: "C", content: "1"), in: "t") }, to: "shelf")
    for item in items { try fill(chapters(of: item), "one") }
    try repository.commit(items.dropFirst().map { .deleteItem($0) }, to: "shelf")
    try truncate()
    #expect(try repository.lists() == [chapters(of: "i0").id, "shelf"])
    try checkInvariants(of: file)
  }

  @Test func whatItemsOfItOwnGoesToo() throws {
    let list = chapters(of: "emma")
    try fill(list, "one")
    let pages = list.nested(in: "one", "pages", items: [Chapter.self])
    try fill(pages, "p")
    let lines = pages.nested(in: "p", "lines", items: [Chapter.self])
    try fill(lines, "l")
    #expect(lines.id.rawValue.utf8.count <= 256)
    try checkInvariants(of: file)
    try repository.commit([.deleteItem("emma")], to: "shelf")
    #expect(try repository.lists().count == 4)
    try truncate()
    #expect(try repository.lists() == ["shelf"])
    try checkInvariants(of: file)
  }

  /// What no commit deleted can't be undone.
  @Test func whatWentPastTheRepositoryLeavesNothing() throws {
    let list = chapters(of: "emma")
    try fill(list, "one")
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          UPDATE block SET members = (SELECT json_group_array(json(value)) FROM json_each(members)
              WHERE json_extract(value, '$[1]') <> 'emma'), memberCount = memberCount - 1
            WHERE members LIKE '%"emma"%';
          UPDATE section SET itemCount = itemCount - 1 WHERE name = 's' AND itemCount = 3;
          DELETE FROM content WHERE id = (SELECT id FROM item WHERE name = 'emma');
          DELETE FROM item WHERE name = 'emma'
          """)
    }
    try queue.close()
    let again = try Repository(existing: file)
    #expect(try again.provider(for: "shelf").numberOfItems == 2)
    try again.truncateLog(of: "shelf", keeping: LogRetention(changes: 100))
    #expect(try again.lists() == ["shelf"])
    try checkInvariants(of: file)
  }

  @Test func theCheckFindsOwnersThatAreNone() throws {
    try fill(chapters(of: "emma"), "one")
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: "UPDATE listOwner SET ownerItem = 'dune'") }
    #expect(try repository.checkInvariants().contains { $0.message.contains("has the owner of") })
    try queue.write { try $0.execute(sql: "DELETE FROM listOwner") }
    #expect(try repository.checkInvariants().contains { $0.message.contains("has no owner") })
    try queue.close()
  }
}
