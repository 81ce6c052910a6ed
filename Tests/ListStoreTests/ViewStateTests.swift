import BatchUpdates
import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import ListItems
import Providers
import StoreSchema
import TestSupport
import Testing

/// What a screen shows of a list survives a relaunch.
@Suite struct ViewStateTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [.insertSection("s")]
        + ["a", "b", "c", "é", "e\u{301}"].map {
          .insertItem(Item(id: $0, cell: "C", content: "1"), in: "s")
        }, to: "list")
    try repository.commit([.insertSection("s")], to: "other")
  }

  private func state(
    _ mode: ItemSelection.Mode, _ items: [ItemID], at anchor: ItemID? = nil, _ offset: Double = 0
  ) -> ListViewState {
    ListViewState(
      selection: ItemSelection(mode, items),
      anchor: anchor.map { ListViewState.Anchor(item: $0, offset: offset) })
  }

  @Test(
    arguments: [
      (ItemSelection.Mode.none, []), (.single, []), (.single, ["b"]),
      (.multiple, ["c", "a", "b"]), (.multiple, ["e\u{301}"]),
    ] as [(ItemSelection.Mode, [ItemID])])
  func whatWasSavedIsThereAfterARelaunch(_ mode: ItemSelection.Mode, _ items: [ItemID]) throws {
    let saved = state(mode, items, at: "c", -20.25)
    try repository.save(saved, of: "list")
    #expect(try repository.viewState(of: "list") == saved)
    let relaunched = try Repository(existing: file)
    #expect(try relaunched.viewState(of: "list") == saved)
    #expect(try relaunched.viewState(of: "other") == ListViewState())
    let shelf = relaunched.liveList("list")
    #expect(try shelf.viewState() == saved)
    try shelf.save(state(.none, []))
    #expect(try repository.viewState(of: "list") == state(.none, []))
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func eachScreenHasItsOwn() throws {
    try repository.save(state(.single, ["a"]), of: "list")
    try repository.save(state(.multiple, ["b", "c"], at: "a", 3), of: "list", view: "picker")
    #expect(try repository.viewState(of: "list") == state(.single, ["a"]))
    let picker = try repository.viewState(of: "list", view: "picker")
    #expect(picker == state(.multiple, ["b", "c"], at: "a", 3))
    #expect(try repository.viewState(of: "list", view: "Picker") == ListViewState())
    try repository.save(state(.multiple, ["c"]), of: "list", view: "picker")
    #expect(
      try repository.liveList("list").viewState(view: "picker") == state(.multiple, ["c"]))
    #expect(try repository.viewState(of: "list") == state(.single, ["a"]))
  }

  @Test func itIsNoPartOfTheList() throws {
    var provider = try repository.provider(for: "list")
    let commits = try repository.commits(of: "list")
    try repository.save(state(.multiple, ["a", "b"], at: "c"), of: "list")
    #expect(try repository.revision(of: "list") == 1)
    #expect(try repository.commits(of: "list") == commits)
    #expect(try repository.advance(&provider).mode == .none)
    let queue = try DatabaseQueue(path: file.path)
    #expect(try queue.read { try Bool.fetchOne($0, sql: "SELECT isBypassed FROM store") } == false)
    try queue.close()
  }

  @Test func whatTheListDoesNotHaveIsLeftOutUntilItComesBack() throws {
    let saved = state(.multiple, ["c", "a", "b"], at: "a", 1)
    try repository.save(saved, of: "list")
    try repository.commit([.deleteItem("a")], to: "list")
    #expect(try repository.viewState(of: "list") == state(.multiple, ["c", "b"]))
    try repository.undoCommit(2, of: "list")
    #expect(try repository.viewState(of: "list") == saved)
    try repository.commit([.moveItem("a", to: .start)], to: "list")
    #expect(try repository.viewState(of: "list") == saved)
    // Another list's item of the same name is another item.
    try repository.save(saved, of: "other")
    #expect(try repository.viewState(of: "other") == state(.multiple, []))
  }

  @Test func aListThatTheStoreDoesNotHaveHasNone() throws {
    try repository.save(state(.single, ["a"]), of: "none")
    #expect(try repository.viewState(of: "none") == ListViewState())
    #expect(try repository.lists() == ["list", "other"])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1_000_001, -1_000_001])
  func anOffsetThatNoScreenHasIsRefused(_ offset: Double) throws {
    let before = state(.single, ["a"], at: "b", -1_000_000)
    try repository.save(before, of: "list")
    let failure = #expect(throws: StoreError.self) {
      try repository.save(state(.single, ["b"], at: "a", offset), of: "list")
    }
    #expect(failure?.code == .invalidValue)
    #expect(try repository.viewState(of: "list") == before)
  }

  @Test func aScreenHasANameThatCanBeStored() throws {
    for name in [String(repeating: "x", count: 257), "a\0b"] {
      let failure = #expect(throws: StoreError.self) {
        try repository.save(ListViewState(), of: "list", view: name)
      }
      #expect(failure?.code == .invalidValue)
    }
    let name = String(repeating: "é", count: 128)
    try repository.save(state(.none, []), of: "list", view: name)
    #expect(try repository.viewState(of: "list", view: name) == state(.none, []))
  }

  @Test(arguments: [
    "UPDATE viewState SET selectionMode = 'all'", "UPDATE viewState SET anchorOffset = x'00'",
    "UPDATE viewState SET anchorItem = NULL, anchorOffset = 3",
  ])
  func theSchemaRefusesWhatNoStateIs(_ sql: String) throws {
    try repository.save(state(.single, ["a"], at: "b"), of: "list")
    let queue = try DatabaseQueue(path: file.path)
    #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: sql) } }
    try queue.close()
  }

  /// A file may hold what its schema forbids.
  @Test func aStateThatCannotBeReadIsAnErrorAndTheListIsFine() throws {
    try repository.save(state(.single, ["a"], at: "b"), of: "list")
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA ignore_check_constraints = 1; UPDATE viewState SET selectionMode = 'all'")
    }
    try queue.close()
    let failure = #expect(throws: StoreError.self) { try repository.viewState(of: "list") }
    #expect(failure?.code == .damagedStore)
    #expect(try repository.provider(for: "list").numberOfItems == 5)
    try repository.save(state(.single, ["c"]), of: "list")
    #expect(try repository.viewState(of: "list") == state(.single, ["c"]))
  }

  @Test func aSelectionIsMadeFromWhatItsModeAllows() {
    #expect(ItemSelection(.single, ["a", "b"]).items == ["b"])
    #expect(ItemSelection(.none, ["a"]).items.isEmpty)
    #expect(ItemSelection(.multiple, ["a", "b", "a"]).items == ["a", "b"])
  }

  @Test func aStateIsCodable() throws {
    let saved = state(.multiple, ["a", "b"], at: "c", 1.5)
    let data = try JSONEncoder().encode(saved)
    #expect(try JSONDecoder().decode(ListViewState.self, from: data) == saved)
  }
}
