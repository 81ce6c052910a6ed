import BatchUpdates
import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import ListItems
import Providers
import SuiteSupport
import TestSupport
import Testing
import ListTables

/// A list that is deleted leaves nothing, and whoever shows it is told.
@Suite struct DeletedListTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
  private var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  /// A list with everything that a list can have.
  private func fill(_ list: ListID, _ count: Int = 300) throws {
    let header = Supplementary(view: "H", content: "1")
    try repository.commit(
      [.insertSection("s", SectionAttributes(header: header)), .insertSection("t")]
        + (0..<count).map {
          .insertItem(
            Item(id: ItemID(stringLiteral: "i\($0)"), cell: "C", content: "1"), in: "s")
        }, to: list)
    try repository.commit([.deleteItem("i1"), .moveItem("i2", to: .end)], to: list)
    try repository.save(
      [MeasuredSize(item: "i0", size: Size(width: 320, height: 7), cell: "C", contentRevision: 0)],
      for: key, in: list)
    try repository.save(
      [
        MeasuredSupplementarySize(
          section: "s", kind: .header, size: Size(width: 320, height: 9), supplementary: header)
      ], for: key, in: list)
    try repository.save(
      ListViewState(
        selection: ItemSelection(.single, ["i0"]), anchor: ListViewState.Anchor(item: "i2")),
      of: list)
    let nested = repository.liveList(ownedBy: "i0", in: list, "more")
    try nested.edit { try $0.insertSection("n") }
    try nested.save(ListViewState())
  }

  /// The rows of each table that are about lists.
  private func rows() throws -> [String: Int] {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      var rows: [String: Int] = [:]
      for table in try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage")
      where !["cell", "author", "sizeKey", "layoutEnvironment"].contains(table) {
        rows[table] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(table)\"")
      }
      return rows
    }
  }

  @Test func nothingOfItIsLeftAndOthersAreAsBefore() throws {
    try fill("other", 100)
    let before = try rows()
    let other = try repository.tree(of: "other")
    let state = try repository.viewState(of: "other")
    try fill("list")
    #expect(try rows().filter { $0.value > before[$0.key] ?? 0 }.count >= 13)
    let nested = ListOwner(list: "list", item: "i0", name: "more").nestedList
    #expect(try repository.deleteList("list") == ["list", nested])
    #expect(try rows() == before)
    #expect(try repository.tree(of: "other") == other)
    #expect(try repository.viewState(of: "other") == state)
    #expect(try repository.nestedLists(of: "i0", in: "other").count == 1)
    try checkInvariants(of: file)
    let failure = #expect(throws: StoreError.self) { try repository.deleteList("list") }
    #expect(failure?.code == .listNotFound)
    let queue = try DatabaseQueue(path: file.path)
    #expect(try queue.read { try Bool.fetchOne($0, sql: "SELECT isBypassed FROM store") } == false)
    try queue.close()
  }

  @Test func whoeverReadsItGetsAReloadThatSaysWhy() throws {
    try fill("list")
    var provider = try repository.provider(for: "list")
    var stepping = provider
    try repository.deleteList("list")
    #expect(provider.numberOfItems == 299, "it is pinned")
    let update = try repository.advance(&provider)
    #expect(update.mode == .reload(why: .listDeleted))
    #expect(update.from == 2)
    #expect(update.to == 0)
    #expect(provider.tree == ListTree(list: "list"))
    #expect(repository.diagnostics["listDeleted"] == 1)
    #expect(try repository.liveList("list").advance(&provider).mode == .none)
    #expect(try repository.advance(&stepping, to: 5).to == 0)

    // What comes after it is another list.
    try repository.commit([.insertSection("x")], to: "list")
    guard case .batch = try repository.advance(&provider).mode else {
      Issue.record("not a batch")
      return
    }
    #expect(try provider.tree == repository.tree(of: "list"))
  }

  /// One that was not there when it was deleted and made anew finds another history.
  @Test(arguments: 1...4) func aReaderThatMissedItIsReloaded(_ commits: Int) throws {
    try fill("list", 5)
    var provider = try repository.provider(for: "list")
    try repository.deleteList("list")
    for number in 0..<commits {
      try repository.commit(
        [.insertSection(SectionID(stringLiteral: "x\(number)"))], to: "list")
    }
    guard case .reload = try repository.advance(&provider).mode else {
      Issue.record("not a reload")
      return
    }
    #expect(try provider.tree == repository.tree(of: "list"))
    #expect(try repository.revision(of: "list") == commits)
    try checkInvariants(of: file)
  }

  @Test(.timeLimit) func whoListensIsTold() async throws {
    try fill("list", 5)
    let nested = repository.liveList(ownedBy: "i0", in: "list", "more")
    var updates = repository.liveList("list").updates().makeAsyncIterator()
    var nestedUpdates = nested.updates().makeAsyncIterator()
    var revisions = repository.revisions(of: nested.id).makeAsyncIterator()
    // From here on they wait to be told.
    try repository.commit([.touchItem("i0")], to: "list")
    try await nested.edit { try $0.insertSection("o") }
    _ = try await updates.next()
    _ = try await nestedUpdates.next()
    #expect(await revisions.next() == 2)
    try repository.deleteList("list")
    let update = try #require(try await updates.next())
    #expect(update.batch.to == 0)
    #expect(update.provider.numberOfSections == 0)
    #expect(try await nestedUpdates.next()?.provider.numberOfSections == 0)
    #expect(await revisions.next() == 0)
    try repository.commit([.insertSection("x")], to: "list")
    #expect(try await updates.next()?.provider.numberOfSections == 1)
  }

  @Test func anotherRepositoryNoticesIt() throws {
    try fill("list", 5)
    let other = try Repository(existing: file)
    try other.commit([.touchItem("i0")], to: "list")
    var provider = try other.provider(for: "list")
    try repository.deleteList("list")
    #expect(try other.advance(&provider).to == 0)
    #expect(try other.commit([.insertSection("x")], to: "list").revision == 1)
    #expect(try repository.tree(of: "list").itemCounts == [0])
    try checkInvariants(of: file)
  }

  @Test func aFeedBeginsAnew() throws {
    let line =
      #"{"t":"commit","list":"list","seq":"1","ops":[{"op":"insertSection","section":"s"}]}"#
    for _ in 0..<2 {
      let reader = try FeedReader(file: try folder.write(line + "\n", to: "feed.ndjson"))
      let report = try repository.apply(reader)
      #expect(report.applied == 1)
      try repository.deleteList("list")
    }
  }

  @Test func aDamagedListCanBeDeleted() throws {
    try fill("list")
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          UPDATE block SET members = '[' WHERE section IS NOT NULL;
          UPDATE list SET revision = 1000, sectionCount = 5 WHERE name = 'list'
          """)
    }
    try queue.close()
    let again = try Repository(existing: file)
    #expect(try !again.checkInvariants().isEmpty)
    try again.deleteList("list")
    #expect(try again.lists().isEmpty)
    #expect(try again.checkInvariants().isEmpty)
    #expect(try again.commit([.insertSection("s")], to: "list").revision == 1)
  }

  /// A file can hold what no Repository makes.
  @Test func ownersInACircleAreDeletedOnce() throws {
    try fill("list", 5)
    let nested = ListOwner(list: "list", item: "i0", name: "more").nestedList
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO listOwner (list, ownerList, ownerItem, name)
          SELECT owner.id, nested.id, 'x', 'y' FROM list AS owner, list AS nested
          WHERE owner.name = 'list' AND nested.name = ?
          """, arguments: [nested.rawValue])
    }
    try queue.close()
    #expect(try repository.deleteList("list") == ["list", nested])
    #expect(try repository.lists().isEmpty)
    try checkInvariants(of: file)
  }
}
