import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// A query reads, and nothing else happens.
@Suite struct QueryTests {
  private let bench: InspectionBench
  private var file: URL { bench.file }

  init() throws {
    bench = try InspectionBench()
    let repository = try Repository(at: bench.file)
    try repository.commit(
      [
        .insertSection("s"), .insertItem(Item(id: "a", cell: "C", content: "1"), in: "s"),
        .insertItem(Item(id: "b", cell: "C", content: "2"), in: "s"),
      ], to: "list")
  }

  private func query(_ sql: String, limit: Int = 10) throws -> QueryResult {
    try bench.unchanged { try Inspection(of: file).query(sql, limit: limit) }
  }

  /// Changes the file as another program does.
  private func change(_ sql: String...) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in for sql in sql { try db.execute(sql: sql) } }
    try queue.close()
  }

  @Test func theViewsShowListsAndLogs() throws {
    let items = try query("SELECT list, position, item, content FROM itemInOrder")
    #expect(items.columns == ["list", "position", "item", "content"])
    #expect(
      items.rows == [
        [.text("list"), .integer(0), .text("a"), .text("1")],
        [.text("list"), .integer(1), .text("b"), .text("2")],
      ])
    #expect(!items.isCut)
    let changes = try query("SELECT count(*) FROM changeInOrder")
    #expect(changes.rows == [[.integer(3)]])
  }

  @Test func theViewsAreThoseOfTheScript() throws {
    let script = try String(
      contentsOf: PackageFiles.root.appendingPathComponent("tools/looking.sql"), encoding: .utf8)
    let embedded = try String(
      contentsOf: PackageFiles.root.appendingPathComponent(
        "Sources/ListInspection/Query/EmbeddedViews.swift"), encoding: .utf8)
    #expect(embedded.contains(script), "run tools/embed")
  }

  @Test func valuesOfEveryKindComeOutAndSurviveJSON() throws {
    let result = try query("SELECT NULL, -7, 1.5, 9e999, 'é\u{1B}', x'00ff', zeroblob(0)")
    let row: [QueryResult.Value] = [
      .null, .integer(-7), .real(1.5), .real(.infinity), .text("é\u{1B}"), .blob([0, 255]),
      .blob([]),
    ]
    #expect(result.rows == [row])
    let decoded = try JSONDecoder().decode(QueryResult.self, from: JSONEncoder().encode(result))
    #expect(decoded.rows[0].map(\.description) == row.map(\.description))
    #expect(row.last?.description == "x''")
  }

  @Test func rowsBeyondTheLimitAreLeftOutAndThatIsSaid() throws {
    let numbers = "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a"
    let cut = try query(numbers, limit: 3)
    #expect(cut.rows == [[.integer(1)], [.integer(2)], [.integer(3)]])
    #expect(cut.isCut)
    #expect(try !query("SELECT 1 UNION SELECT 2", limit: 2).isCut)
  }

  @Test func aQueryEndsAtItsTimeLimit() throws {
    let endless = """
      WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT max(n) FROM a
      """
    let inspection = try Inspection(of: file)
    let error = #expect(throws: StoreError.self) {
      try inspection.query(endless, limit: 1, timeLimit: 1)
    }
    #expect(error?.code == .timeLimit)
    #expect(error?.file == file.path)
  }

  @Test(arguments: [
    "DELETE FROM item", "INSERT INTO author (name) VALUES ('x') RETURNING name",
    "UPDATE list SET revision = 7", "CREATE TABLE x (a)", "CREATE TEMP TABLE x (a)",
    "DROP TABLE item", "ATTACH 'other.sqlite' AS other", "VACUUM", "VACUUM INTO 'other.sqlite'",
    "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 9", "PRAGMA writable_schema = ON",
    "PRAGMA trusted_schema = ON", "SELECT load_extension('x')", "SELECT fts3_tokenizer('x', x'00')",
    "SELECT 1; DELETE FROM item", "BEGIN", "", "-- nothing", "SELECT nothing FROM item",
    "SELECT * FROM pragma_journal_mode('delete')", "DROP VIEW itemInOrder", "ANALYZE", "REINDEX",
  ])
  func whatDoesNotOnlyReadIsRefused(_ sql: String) throws {
    let error = #expect(throws: StoreError.self) { try query(sql) }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.hasPrefix("the query can't be run: ") == true)
    #expect(try bench.folder.contents().keys.allSatisfy { $0.hasPrefix("store.sqlite") })
  }

  @Test(arguments: [
    "PRAGMA table_info(item)", "PRAGMA user_version", "EXPLAIN SELECT 1", "VALUES (1)",
    "WITH t AS (SELECT 1) SELECT count(*) FROM t", "SELECT 1; -- and a comment",
    "SELECT json_extract('{}', '$'), upper('a'), date(0, 'unixepoch'), row_number() OVER ()",
    "SELECT name FROM sqlite_schema",
    "SELECT i.item FROM itemInOrder AS i JOIN cell ON name = cell",
  ])
  func whatOnlyReadsRuns(_ sql: String) throws {
    #expect(try !query(sql).columns.isEmpty)
  }

  // MARK: Hostile stores

  @Test func viewsOfTheFileDoNotRun() throws {
    try change("CREATE VIEW evil AS SELECT name FROM author")
    for sql in ["SELECT * FROM evil", "SELECT count(*) FROM main.evil"] {
      #expect(throws: StoreError.self) { try query(sql) }
    }
    #expect(try query("SELECT count(*) FROM item").rows == [[.integer(2)]])
  }

  @Test func theFilesOwnViewsOfTheseNamesAreNotTaken() throws {
    try change(
      "CREATE VIEW itemInOrder AS SELECT 'evil' AS item", "CREATE TABLE changeInOrder (evil)")
    #expect(try query("SELECT item FROM itemInOrder").rows == [[.text("a")], [.text("b")]])
    #expect(try query("SELECT count(*) FROM changeInOrder").rows == [[.integer(3)]])
    #expect(throws: StoreError.self) { try query("SELECT * FROM main.itemInOrder") }
  }

  @Test func aViewInPlaceOfATableIsNotRead() throws {
    try change(
      "ALTER TABLE cell RENAME TO hidden", "CREATE VIEW cell AS SELECT * FROM hidden")
    #expect(throws: StoreError.self) { try query("SELECT item FROM itemInOrder") }
    #expect(throws: StoreError.self) { try query("SELECT * FROM cell") }
    #expect(try query("SELECT count(*) FROM item").rows == [[.integer(2)]])
  }

  @Test func aFileWithVirtualTablesIsRefused() throws {
    // As SQLite writes them, and as only somebody does who writes into the schema by hand.
    try change(
      "PRAGMA writable_schema = ON",
      """
      INSERT INTO sqlite_schema VALUES
        ('table', 'evil', 'evil', 0, 'CREATE VIRTUAL TABLE evil USING fts5(a)')
      """)
    let error = #expect(throws: StoreError.self) { try query("SELECT count(*) FROM evil") }
    #expect(error?.message.contains("evil") == true)
    #expect(error?.code == .damagedStore)
  }
}
