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

/// Another process migrates a store that is open here: an app was updated while its widget runs.
@Suite struct NewerSchemaTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [.insertSection("s"), .insertItem(Item(id: "1", cell: "C", content: "1"), in: "s")],
      to: "list")
  }

  /// Changes the store as a newer library does: what its rows mean is not known here.
  private func migrate() throws {
    let version = Migration.latestVersion + 1
    let newer = Migration(
      version: version, name: "v000\(version)_test",
      sql: "UPDATE section SET itemCount = 7; CREATE TABLE addition (id INTEGER) STRICT")
    let queue = try DatabaseQueue(path: file.path, configuration: .store())
    #expect(
      try Migrator.migrate(queue, file: file.path, migrations: Migration.all + [newer]).names.count
        == 1)
    try queue.close()
  }

  /// All rows of all tables.
  private func dump() throws -> [String] {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage ORDER BY name"
      ).flatMap { table in
        try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"").map { "\(table) \($0)" }
      }
    }
  }

  private func expect(
    _ code: StoreError.Code, _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = #expect(throws: StoreError.self, "\(what)", sourceLocation: sourceLocation) {
      try body()
    }
    #expect(error?.code == code, "\(what): \(error as Any)", sourceLocation: sourceLocation)
  }

  /// What begins a transaction fails with a code and changes no row.
  ///
  /// `shown`: A list as it was when it was read; it stays so.
  private func expectRefusals(_ code: StoreError.Code, showing shown: Provider) throws {
    var provider = shown
    let tree = shown.tree
    let shelf = repository.liveList("list")
    let rows = try dump()
    expect(code, "revision") { _ = try repository.revision(of: "list") }
    expect(code, "lists") { _ = try repository.lists() }
    expect(code, "tree") { _ = try repository.tree(of: "list") }
    expect(code, "log") { _ = try repository.commits(of: "list") }
    expect(code, "provider") { _ = try repository.provider(for: "list") }
    expect(code, "advance") { try repository.advance(&provider) }
    expect(code, "advance to a revision") { try repository.advance(&provider, to: 3) }
    expect(code, "commit") { try repository.commit([.deleteItem("1")], to: "list") }
    expect(code, "edit") { _ = try shelf.edit { try $0.insertSection("t") } }
    expect(code, "undo") { try repository.undoCommit(1, of: "list") }
    expect(code, "delete") { try repository.deleteList("list") }
    expect(code, "sizes") { try repository.evictSizes(keeping: SizeRetention(count: 0)) }
    expect(code, "log's end") {
      try repository.truncateLog(of: "list", keeping: LogRetention(changes: 0))
    }
    expect(code, "feed") {
      let line =
        #"{"t":"commit","list":"list","seq":"1","at":1,"by":"server","#
        + #""ops":[{"op":"insertSection","section":"t"}]}"# + "\n"
      let reader = try FeedReader(file: folder.write(line, to: "feed.ndjson"))
      try repository.apply(reader)
    }
    #expect(try dump() == rows)
    #expect(provider.tree == tree)
    #expect(provider.revision == shown.revision)
  }

  /// A Provider, with a connection for reading that is open beside it.
  private func shown() throws -> Provider {
    #expect(try repository.revision(of: "list") == 1)
    let provider = try repository.provider(for: "list")
    #expect(provider.numberOfItems == 1)
    return provider
  }

  @Test func nothingIsReadOrWrittenByRulesThatTheStoreHasLeft() throws {
    let shown = try shown()
    try migrate()
    try expectRefusals(.newerStore, showing: shown)
    let error = #expect(throws: StoreError.self) { try repository.revision(of: "list") }
    let version = "version \(Migration.latestVersion + 1)"
    #expect(error?.message.contains(version) == true, "\(error as Any)")
    #expect(repository.diagnostics["newerSchema"] == 2)
  }

  @Test func aReaderLearnsThatANewerLibraryHasTheStore() throws {
    let token = try #require(try shown().token)
    #expect(try repository.resync(token, of: "list").resync == .nothing)
    try migrate()
    let (resync, head) = try repository.resync(token, of: "list")
    #expect(resync == .reload(.newerSchema))
    #expect(head == nil)
    #expect(try repository.resync(nil, of: "list").resync == .reload(.noToken))
  }

  @Test func whatWasPinnedBeforeIsAnsweredAsItWasThen() throws {
    let shown = try shown()
    try migrate()
    #expect(shown.item(at: ItemPath(section: 0, item: 0))?.id == "1")
    repository.suspend()
    // Pinned again it would be read by the wrong rules: it is not read.
    #expect(throws: StoreError.self) { try repository.provider(for: "list") }
  }

  @Test func anOlderCopyThatWasWrittenIntoTheFileIsAnotherStore() throws {
    let shown = try shown()
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(sql: "PRAGMA user_version = \(Migration.latestVersion - 1)")
    }
    try queue.close()
    try expectRefusals(.movedStore, showing: shown)
  }
}
