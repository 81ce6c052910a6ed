import BatchUpdates
import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema
import TestSupport
import Testing
import ListTables

/// Edits of the app's own beside a feed: the outbox, the answers, and what the list shows meanwhile.
@Suite struct PendingEditTests {
  private let bench: FeedBench
  private var shelf: LiveList { bench.repository.liveList("l") }

  /// A list with a section `s` that a feed made: a, b, c.
  init() throws {
    bench = try FeedBench()
    try bench.apply([
      commit(1, insertSection("s"), insertItem("a"), insertItem("b"), insertItem("c"))
    ])
  }

  private func content(_ text: String) -> ItemUpdate {
    ItemUpdate(content: .set(JSON(stringLiteral: "\"\(text)\"")))
  }

  private func text(_ item: ItemID) throws -> String? {
    try bench.repository.tree(of: "l").sections[0].items.first { $0.id == item }?.state.content.text
  }

  private func items() throws -> [String] { try bench.ids()["s"] ?? [] }

  private func edit(_ changes: Change...) throws -> Repository.PendingEdit {
    let edit = try shelf.editPending { list in for change in changes { try list.apply(change) } }
    return try #require(edit.edit)
  }

  // MARK: The outbox

  @Test func anEditIsInTheListAndInTheOutboxAtOnce() throws {
    let edit = try edit(
      .updateItem("a", content("mine")), .moveItem("c", to: .index(0)), .deleteItem("b"))
    #expect(try items() == ["c", "a"])
    #expect(try shelf.pendingEdits() == [edit])
    #expect(edit.state == .waiting)
    #expect(edit.author == .app)
    #expect(edit.id.utf8.count == 32)
    #expect(
      edit.operations.text == """
        [{"op":"updateItem","item":"a","content":"mine"},\
        {"op":"moveItem","item":"c","section":"s","after":null,"was":0},\
        {"op":"deleteItem","item":"b"}]
        """)
    #expect(edit.changes[2] == .deleteItem("b"))
    let again = try Repository(existing: bench.file).liveList("l")
    #expect(try again.pendingEdits() == [edit])
  }

  @Test func anEditThatChangesNothingOrFailsIsNone() throws {
    #expect(try shelf.editPending { _ in }.edit == nil)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try shelf.editPending { list in
        try list.delete("a")
        throw Stop()
      }
    }
    #expect(try shelf.pendingEdits().isEmpty)
    #expect(try items() == ["a", "b", "c"])
  }

  @Test func everyKindOfChangeIsReadFromTheFeedAsItWasSent() throws {
    var generator = SeededGenerator(seed: 5)
    let source = RandomChanges(hasSectionParts: true)
    var tree = ListTree(list: "other")
    let other = try Repository(at: bench.folder.file("server.sqlite"))
    let list = bench.repository.liveList("other")
    for sequence in 1...150 {
      let change = source.change(for: tree, using: &generator)
      try tree.apply(change)
      let edit = try #require(try list.editPending { try $0.apply(change) }.edit)
      let line = edit.feedLine(sequence: sequence)
      for store in [other, bench.repository] {
        try store.apply(FeedReader(file: try bench.folder.write(line + "\n", to: "line.ndjson")))
      }
    }
    #expect(try list.pendingEdits().isEmpty)
    #expect(try other.tree(of: "other").withoutRevisions == tree.withoutRevisions)
    #expect(try bench.repository.tree(of: "other").withoutRevisions == tree.withoutRevisions)
  }

  // MARK: Answers

  @Test func anAcknowledgedEditLeavesTheOutboxAndTheViewAlone() async throws {
    let edit = try edit(.moveItem("a", to: .end), .updateItem("b", content("mine")))
    var outcomes = shelf.editOutcomes().makeAsyncIterator()
    var provider = try shelf.provider()
    try bench.apply([edit.feedLine(sequence: 2)])
    let update = try shelf.advance(&provider)
    #expect(update.mode == .none)
    #expect(update.to == update.from + 1)
    #expect(try shelf.pendingEdits().isEmpty)
    let outcome = await outcomes.next()
    #expect(outcome == .acknowledged(edit))
    #expect(try items() == ["b", "c", "a"])
  }

  @Test func theServersVersionOfAnEditIsTheListAndIsTold() async throws {
    let edit = try edit(.updateItem("b", content("mine")))
    var outcomes = shelf.editOutcomes().makeAsyncIterator()
    try bench.apply([line(2, [.updateItem("b", content("yours"))], edit: edit.id)])
    #expect(try text("b") == "\"yours\"")
    let outcome = await outcomes.next()
    #expect(outcome == .changed(edit))
    #expect(try shelf.pendingEdits().isEmpty)
  }

  @Test func aRefusedEditIsTakenBackAndStaysInTheOutboxUntilItIsDiscarded() async throws {
    let first = try edit(.deleteItem("a"))
    let second = try edit(.updateItem("b", content("mine")))
    var outcomes = shelf.editOutcomes().makeAsyncIterator()
    try bench.apply([rejection(of: first.id, why: "not yours")])
    #expect(try items() == ["a", "b", "c"])
    #expect(try text("b") == "\"mine\"")
    let rejected = try shelf.pendingEdits()[0]
    #expect(rejected.state == .rejected(why: "not yours"))
    let outcome = await outcomes.next()
    #expect(outcome == .rejected(rejected))
    try shelf.reject(second.id)
    #expect(try text("b") == "{\"id\":\"b\"}")
    #expect(try shelf.pendingEdits().map(\.id) == [first.id, second.id])
    #expect(try shelf.discard(first.id))
    #expect(try !shelf.discard(first.id))
    #expect(try shelf.pendingEdits().map(\.id) == [second.id])
  }

  @Test func anEditThatWaitsCannotBeDiscarded() throws {
    let edit = try edit(.deleteItem("a"))
    #expect(try !shelf.discard(edit.id))
    #expect(try shelf.pendingEdits() == [edit])
  }

  @Test func anAnswerToAnEditThatIsNotKnownIsIgnored() throws {
    let revision = try bench.repository.revision(of: "l")
    try bench.apply([rejection(of: "nobody"), rejection(of: "nobody", list: "gone")])
    try shelf.reject("nobody")
    #expect(try bench.repository.revision(of: "l") == revision)
    try bench.apply([line(2, [.deleteItem("a")], edit: "nobody")])
    #expect(try items() == ["b", "c"])
  }

  @Test func aLineWithoutAnEditsIDIsRefusedOnlyIfTheIDIsNoText() throws {
    let error = bench.failure([
      "{\"t\":\"commit\",\"list\":\"l\",\"seq\":\"2\",\"edit\":7,\"ops\":[]}"
    ])
    #expect(error?.code == .malformedFeed)
    #expect(error?.message.contains("edit") == true)
    #expect(bench.failure(["{\"t\":\"reject\",\"list\":\"l\"}"])?.code == .malformedFeed)
  }

  // MARK: Rebasing

  @Test func aLineGoesBelowTheEditsAsOneCommitAndTheViewGetsTheLeast() throws {
    _ = try edit(
      .insertItem(Item(id: "x", cell: "C", content: .null), in: "s", at: .after("a")),
      .updateItem("c", content("mine")))
    var provider = try shelf.provider()
    try bench.apply([
      line(
        2,
        [
          .insertItem(Item(id: "y", cell: "C", content: .null), in: "s", at: .start),
          .updateItem("c", content("yours")),
        ])
    ])
    #expect(try items() == ["y", "a", "x", "b", "c"])
    #expect(try text("c") == "\"mine\"")
    let update = try shelf.advance(&provider)
    #expect(update.to == update.from + 1)
    #expect(
      update.json.contains("\"stages\":[{\"insertItems\":[[0,0]],\"counts\":[5]}]"),
      "\(update.json)")
  }

  @Test func aPlaceWhoseNeighbourIsGoneIsTheIndexThatItHad() throws {
    _ = try edit(
      .insertItem(Item(id: "x", cell: "C", content: .null), in: "s", at: .after("b")),
      .insertItem(Item(id: "y", cell: "C", content: .null), in: "s", at: .end))
    try bench.apply([line(2, [.deleteItem("b"), .deleteItem("a")])])
    #expect(try items() == ["c", "x", "y"])
    try bench.apply([
      line(
        3, ["d", "e", "f"].map { .insertItem(Item(id: $0, cell: "C", content: .null), in: "s") })
    ])
    #expect(try items() == ["c", "d", "x", "e", "f", "y"])
  }

  @Test func whatNoLongerFitsIsToldWithBothVersionsAlsoAfterARelaunch() async throws {
    let gone = try edit(.moveItem("b", to: .start), .updateItem("a", content("mine")))
    let taken = try edit(.insertItem(Item(id: "x", cell: "C", content: .null), in: "s"))
    var outcomes = shelf.editOutcomes().makeAsyncIterator()
    let theirs = Item(id: "x", cell: "D", content: "1")
    try bench.apply([line(2, [.deleteItem("a"), .insertItem(theirs, in: "s", at: .start)])])
    #expect(try items() == ["x", "b", "c"])
    for edit in try Repository(existing: bench.file).liveList("l").pendingEdits() {
      guard case .conflicted(let conflict) = edit.state else {
        Issue.record("\(edit.state)")
        continue
      }
      if edit.id == gone.id {
        #expect(conflict.change == .updateItem("a", content("mine")))
        #expect(conflict.item == nil)
        #expect(conflict.why.contains("\"a\""))
      } else {
        #expect(edit.id == taken.id)
        #expect(conflict.change == taken.changes[0])
        #expect(conflict.item == theirs)
        #expect(conflict.section?.id == "s")
      }
    }
    let first = await outcomes.next()
    #expect(first?.edit.id == gone.id)
    let outcome = await outcomes.next()
    #expect(outcome == .conflicted(try shelf.pendingEdits()[1]))
    // The server had taken it already.
    try bench.apply([line(3, [.updateItem("x", content("ours"))], edit: taken.id)])
    #expect(try text("x") == "\"ours\"")
    #expect(try shelf.pendingEdits().map(\.id) == [gone.id])
  }

  @Test func whatIsGoneAlreadyIsNoConflictForADeletion() throws {
    let edit = try edit(.deleteItem("a"), .touchItem("b"), .updateItem("c", content("mine")))
    try bench.apply([line(2, [.deleteItem("a"), .deleteItem("b")])])
    #expect(try items() == ["c"])
    #expect(try text("c") == "\"mine\"")
    #expect(try shelf.pendingEdits() == [edit])
  }

  @Test func ordinaryEditsBesideAPendingOneAreMadeAgainToo() throws {
    let pending = try edit(.insertItem(Item(id: "x", cell: "C", content: .null), in: "s"))
    try shelf.edit { try $0.apply(.updateItem("x", content("later"))) }
    try shelf.edit { try $0.move("a", to: .end) }
    #expect(try shelf.pendingEdits() == [pending])
    try bench.apply([line(2, [.updateItem("b", content("yours"))])])
    #expect(try items() == ["b", "c", "x", "a"])
    #expect(try text("x") == "\"later\"")
    // They are the list's when no edit waits, and the next line is applied to them.
    try bench.apply([pending.feedLine(sequence: 3)])
    try bench.apply([line(4, [.updateItem("x", content("last"))])])
    #expect(try text("x") == "\"last\"")
    #expect(try items() == ["b", "c", "x", "a"])
  }

  @Test func anOrdinaryEditOfARefusedItemIsAConflictAndIsNotSent() throws {
    let pending = try edit(.insertItem(Item(id: "x", cell: "C", content: .null), in: "s"))
    try shelf.edit { try $0.apply(.updateItem("x", content("later"))) }
    try shelf.reject(pending.id)
    let edits = try shelf.pendingEdits()
    try #require(edits.count == 2)
    guard case .conflicted = edits[1].state else {
      Issue.record("\(edits[1].state)")
      return
    }
    #expect(edits[1].changes == [.updateItem("x", content("later"))])
  }

  @Test func editsComeBackAfterAResetAndASnapshot() throws {
    let update = try edit(.updateItem("a", content("mine")))
    let insert = try edit(.insertItem(Item(id: "x", cell: "C", content: .null), in: "s"))
    let gone = try edit(.updateItem("b", content("mine")))
    try bench.apply(["{\"t\":\"reset\",\"list\":\"l\"}"])
    #expect(try bench.ids().isEmpty)
    #expect(try shelf.pendingEdits() == [update, insert, gone])
    let items = ["c", "a"].map { Item(id: $0, cell: "C", content: "1") }
    try bench.apply([
      "{\"t\":\"reset\",\"list\":\"l\"}",
      snapshotLine(1, [ListTree.Section(id: "s", items: items)]),
    ])
    #expect(try self.items() == ["c", "a", "x"])
    #expect(try text("a") == "\"mine\"")
    // The snapshot may have the third one's effect: the server knows.
    #expect(try shelf.pendingEdits() == [update, insert, gone])
    try shelf.reject(gone.id, why: "no b")
    #expect(try shelf.pendingEdits().map(\.state) == [.waiting, .waiting, .rejected(why: "no b")])
    #expect(try bench.repository.checkInvariants().isEmpty)
  }

  // MARK: Snapshots that have an edit

  private func snapshot(_ sequence: Int, _ items: Item...) -> String {
    snapshotLine(sequence, [ListTree.Section(id: "s", items: items)])
  }

  @Test(arguments: ["snapshot", "reset"])
  func whatTheServerHasIsNotMadeAgainOver(_ line: String) throws {
    let taken = try edit(.updateItem("a", content("mine")))
    let waiting = try edit(.updateItem("c", content("mine")))
    try bench.repository.accept(taken.id, inLine: 2, of: "l")
    #expect(try shelf.pendingEdits().map(\.state) == [.accepted, .waiting])
    let items = [
      Item(id: "a", cell: "C", content: "\"theirs\""), Item(id: "c", cell: "C", content: .null),
    ]
    let whole = snapshotLine(5, [ListTree.Section(id: "s", items: items)])
    try bench.apply(line == "reset" ? ["{\"t\":\"reset\",\"list\":\"l\"}", whole] : [whole])
    #expect(try text("a") == "\"theirs\"")
    #expect(try text("c") == "\"mine\"")
    #expect(try shelf.pendingEdits() == [waiting])
  }

  @Test func whatASnapshotHasWithoutSayingSoIsNoConflict() async throws {
    var outcomes = shelf.editOutcomes().makeAsyncIterator()
    let x = Item(id: "x", cell: "C", content: .null)
    let insert = try edit(.insertItem(x, in: "s", at: .start))
    // The server's answer was lost, and so is the line.
    try bench.apply([snapshot(3, x)])
    #expect(try items() == ["x"])
    #expect(try shelf.pendingEdits() == [insert])
    try bench.apply([line(4, [.updateItem("x", content("theirs"))])])
    #expect(try shelf.pendingEdits() == [insert])
    try bench.repository.accept(insert.id, of: "l")
    #expect(try shelf.pendingEdits().isEmpty)
    #expect(await outcomes.next() == .acknowledged(insert))
    #expect(try text("x") == "\"theirs\"")
    #expect(try bench.repository.checkInvariants().isEmpty)
  }

  @Test func anAnswerThatNamesALineOfASnapshotEndsTheWaiting() throws {
    let update = try edit(.updateItem("a", content("mine")))
    try bench.apply([
      snapshot(
        3, Item(id: "a", cell: "C", content: "\"mine\""), Item(id: "b", cell: "C", content: .null))
    ])
    try bench.repository.accept(update.id, inLine: 2, of: "l")
    #expect(try shelf.pendingEdits().isEmpty)
    try bench.apply([line(4, [.updateItem("a", content("theirs"))])])
    #expect(try text("a") == "\"theirs\"")
  }

  /// The answer is older than the reset, which the list has got meanwhile, and so is the line it names.
  @Test func anAnswerFromBeforeAResetEndsTheWaiting() throws {
    let update = try edit(.updateItem("a", content("mine")))
    let epoch = try bench.repository.feedEpoch(of: "l")
    try bench.apply([
      "{\"t\":\"reset\",\"list\":\"l\"}",
      snapshot(
        1, Item(id: "a", cell: "C", content: "1"), Item(id: "b", cell: "C", content: .null)),
    ])
    #expect(try text("a") == "\"mine\"")
    try bench.repository.accept(update.id, inLine: 9, sentIn: epoch, of: "l")
    #expect(try shelf.pendingEdits().isEmpty)
    #expect(try text("a") == "1")
  }

  @Test func anAcceptedEditThatALineDoesNotFitIsNoConflict() throws {
    let update = try edit(.updateItem("a", content("mine")))
    try bench.repository.accept(update.id, inLine: 3, of: "l")
    try bench.apply([line(2, [.deleteItem("a")])])
    #expect(try items() == ["b", "c"])
    #expect(try shelf.pendingEdits().map(\.state) == [.accepted])
    try bench.apply([line(3, [], edit: update.id)])
    #expect(try shelf.pendingEdits().isEmpty)
  }

  @Test func editsNeedNoLog() throws {
    _ = try edit(.deleteItem("a"))
    try bench.repository.truncateLog(of: "l", keeping: LogRetention(changes: 0))
    try bench.apply([line(2, [.moveItem("a", to: .end)])])
    #expect(try items() == ["b", "c"])
    try shelf.reject(try shelf.pendingEdits()[0].id)
    #expect(try items() == ["b", "c", "a"])
  }

  @Test func theCheckFindsEditsThatCannotBeRead() throws {
    _ = try edit(.deleteItem("a"))
    #expect(try bench.repository.checkInvariants().isEmpty)
    for sql in ["UPDATE pendingEdit SET undo = '['", "UPDATE pendingEdit SET state = 'local'"] {
      try DatabaseQueue(path: bench.file.path).write { try $0.execute(sql: sql) }
      #expect(try bench.repository.checkInvariants().count == 1)
      try DatabaseQueue(path: bench.file.path).write {
        try $0.execute(sql: "UPDATE pendingEdit SET undo = NULL")
      }
    }
  }

  @Test func theVersionBeforeIsRefusedAStoreWithEditsThatWait() throws {
    let edit = try edit(.deleteItem("a"))
    let copy = bench.folder.file("copy.sqlite")
    try DatabaseQueue(path: bench.file.path).writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_checkpoint")
    }
    try FileManager.default.copyItem(at: bench.file, to: copy)
    #expect(throws: StoreError.self) { try Migrator.down(copy, to: 8) }
    let again = try Repository(existing: copy).liveList("l")
    #expect(try again.pendingEdits().map(\.id) == [edit.id])
    try again.reject(edit.id)
    try again.discard(edit.id)
  }

  @Test func aDeletedListTakesItsOutboxAlong() throws {
    _ = try edit(.deleteItem("a"))
    try bench.repository.deleteList("l")
    #expect(try shelf.pendingEdits().isEmpty)
    #expect(try bench.repository.checkInvariants().isEmpty)
  }

  @Test func aLineThatDoesNotFitTheServersListIsRefusedAndNothingChanges() throws {
    let edit = try edit(.insertItem(Item(id: "x", cell: "C", content: .null), in: "s"))
    let error = bench.failure([line(2, [.deleteItem("b"), .deleteItem("x")])])
    #expect(error?.code == .itemNotFound)
    #expect(try items() == ["a", "b", "c", "x"])
    #expect(try shelf.pendingEdits() == [edit])
  }

  @Test func measuredSizesStay() throws {
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    let size = Size(width: 320, height: 40)
    let moved = try edit(.moveItem("a", to: .end), .updateItem("b", content("mine")))
    _ = try edit(.insertItem(Item(id: "x", cell: "C", content: .null), in: "s"))
    func measure(_ item: ItemID, _ revision: Int = 0) -> MeasuredSize {
      MeasuredSize(item: item, size: size, cell: "C", contentRevision: revision)
    }
    try bench.repository.save(
      [measure("a"), measure("b", 1), measure("c"), measure("x")], for: key, in: "l")
    try bench.apply([line(2, [.moveItem("c", to: .start)]), moved.feedLine(sequence: 3)])
    let sizes = try bench.repository.sizes(of: "l", for: key)
    #expect(sizes == ["a": .exact(size), "b": .exact(size), "c": .exact(size), "x": .exact(size)])
    // What was deleted and comes back is another row.
    try shelf.reject(try edit(.deleteItem("c")).id)
    #expect(try bench.repository.sizes(of: "l", for: key)["c"] != .exact(size))
  }

  // MARK: Undoing

  @Test func aCommitSaysWhichOneItUndoes() throws {
    try shelf.edit { try $0.delete("a") }
    let commit = try bench.repository.undoCommit(2, of: "l")
    #expect(commit.undoes == 2)
    #expect(try bench.repository.commits(of: "l").map(\.undoes) == [nil, nil, 2])
  }
}
