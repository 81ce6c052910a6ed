import Foundation
import GRDB
import ListModel
import ListStore
import SchemaSupport
import StoreSchema
import TestSupport
import Testing

/// A store with SQL of others that would run at a write is opened only if the app names it.
@Suite struct AllowedObjectTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    _ = try StoreFile.createIfAbsent(file, migrations: Migration.all)
  }

  private func change(_ sql: String...) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in for sql in sql { try db.execute(sql: sql) } }
    try queue.close()
  }

  private func options(_ allowed: Set<String>) -> Repository.Options {
    var options = Repository.Options()
    options.allowedSchemaObjects = allowed
    return options
  }

  private func refusal(_ allowed: Set<String> = []) -> StoreError? {
    #expect(throws: StoreError.self) { try Repository(at: file, options: options(allowed)) }
  }

  private func insert(_ item: ItemID, _ repository: Repository) throws {
    try repository.edit("l") { list in
      try list.insertSectionIfMissing("s")
      try list.insert(Item(id: item, cell: "C", content: "1"), in: "s")
    }
  }

  @Test func anIndexThatRunsIsRefusedUnlessItIsNamed() throws {
    try change(
      "CREATE INDEX one ON item (length(name))", "CREATE INDEX two ON item (name) WHERE list > 0")
    let before = try Data(contentsOf: file)
    let error = refusal()
    #expect(error?.code == .foreignSQL)
    #expect(error?.file == file.path)
    #expect(error?.message.contains("index one on item has an expression, and 1 more") == true)
    #expect(error?.message.contains("\"one\" in `Repository.Options.allowedSchemaObjects`") == true)
    #expect(refusal(["one"])?.message.contains("index two on item has a condition") == true)
    #expect(try Data(contentsOf: file) == before)
    try insert("a", Repository(at: file, options: options(["one", "two"])))
    #expect(try Repository(readingOnly: file).lists() == ["l"])
    // SQLite keeps it up to date.
    let queue = try DatabaseQueue(path: file.path)
    let found = try queue.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM item INDEXED BY one WHERE length(name) = 1")
    }
    #expect(found == ["a"])
    try queue.close()
  }

  @Test func aTableThatRefersToOneOfCellarsIsRefusedUnlessItIsNamed() throws {
    try change("CREATE TABLE note (list INTEGER REFERENCES list (id) ON DELETE CASCADE, text TEXT)")
    #expect(refusal()?.code == .foreignSQL)
    let repository = try Repository(at: file, options: options(["note"]))
    try insert("a", repository)
    try change("INSERT INTO note SELECT id, 'mine' FROM list")
    try repository.deleteList("l")
    let queue = try DatabaseQueue(path: file.path)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 0)
    try queue.close()
  }

  @Test func anAppsOwnTablesNeedNotBeNamed() throws {
    try change(
      "CREATE TABLE note (item TEXT CHECK (length(item) > 0), size AS (length(item)))",
      "CREATE INDEX note_size ON note (abs(size)) WHERE size > 1",
      "CREATE TABLE page (note INTEGER REFERENCES note (rowid))",
      "CREATE INDEX plain ON item (name)", "CREATE VIEW all_notes AS SELECT * FROM note",
      "CREATE TRIGGER note_item AFTER INSERT ON item BEGIN INSERT INTO note VALUES (new.name); END")
    try insert("a", Repository(at: file))
  }

  /// A table can refer to one that a migration makes only later.
  @Test func whatRunsAfterAMigrationIsRefused() throws {
    try change("CREATE TABLE theirs (badge INTEGER REFERENCES badge (id))")
    try insert("a", Repository(at: file))
    var options = Repository.Options()
    options.migration.migrations = TestMigrations.all
    let error = #expect(throws: StoreError.self) { try Repository(at: file, options: options) }
    #expect(error?.code == .foreignSQL)
    options.allowedSchemaObjects = ["theirs"]
    try insert("b", Repository(at: file, options: options))
  }

  /// An app update that forgets a name must not cost its users their lists.
  @Test func aStoreThatIsRefusedIsNotMovedAside() throws {
    try change("CREATE INDEX one ON item (length(name))")
    var options = Repository.Options()
    options.migration.onUnopenable = .moveAside
    let error = #expect(throws: StoreError.self) { try Repository(at: file, options: options) }
    #expect(error?.code == .foreignSQL)
    #expect(try folder.contents().keys.allSatisfy { $0.hasPrefix("store.sqlite") })
  }
}
