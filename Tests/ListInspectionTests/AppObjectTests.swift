import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import SchemaSupport
import StoreSchema
import SuiteSupport
import TestSupport
import Testing

/// What an app has added to a store is carried over when it is recovered, and none of its SQL runs.
@Suite struct AppObjectTests {
  private let bench: RecoveryBench

  init() throws {
    bench = try RecoveryBench()
    try bench.makeStore(sections: 2, items: 30, edits: 3)
  }

  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: bench.file.path)
    try queue.write { db in
      // As a program does that has a function of its own.
      for name in ["endless", "theirs"] {
        db.add(function: DatabaseFunction(name, argumentCount: 1, pure: true) { $0[0] })
      }
      try db.execute(sql: sql)
    }
    try queue.close()
  }

  /// The values and types of all rows, and the statements, of what an app has added.
  private func contents(
    of file: URL, _ tables: [String]
  ) throws -> (rows: [[String]], sql: [String: String]) {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      let rows = try tables.map { table in
        let columns = try String.fetchAll(
          db, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [table])
        let shown = columns.map(\.sqlName).map { "typeof(\($0)) || quote(\($0))" }
        return try String.fetchAll(
          db,
          sql: "SELECT \(shown.joined(separator: " || ")) FROM \(table.sqlName)")
      }
      let sql = try Row.fetchAll(
        db,
        sql: "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
      return (
        rows, Dictionary(uniqueKeysWithValues: sql.map { ($0[0] as String, $0[1] as String) })
      )
    }
  }

  private static let plainTables = """
    CREATE TABLE note (
      id INTEGER PRIMARY KEY AUTOINCREMENT, list TEXT CHECK (list <> '') COLLATE NOCASE,
      words TEXT NOT NULL DEFAULT ('x' || 1), length AS (length(words)),
      capitals TEXT AS (upper(words)) STORED, UNIQUE (list, words DESC));
    INSERT INTO note (list, words) VALUES ('a', 'one'), ('a', 'two'), ('b', 'three');
    DELETE FROM note WHERE id = 3;
    ALTER TABLE note ADD COLUMN later INT DEFAULT -7;
    INSERT INTO note (list, words, later) VALUES ('c', 'four', 'x');
    CREATE TABLE "a ""key" (
      k TEXT, "v 'w" ANY, z BLOB, PRIMARY KEY ("v 'w", k)) WITHOUT ROWID, STRICT;
    INSERT INTO "a ""key" VALUES ('a', 1, x'00'), ('B', 'two', NULL), ('c', 3.5, x'0102');
    CREATE TABLE heap (a, b VARCHAR (10), c INT PRIMARY KEY DESC);
    INSERT INTO heap (rowid, a, b, c) VALUES
      (5, 1, 'x', 3), (9, CAST(x'41004200FF' AS TEXT), 2.0, 2), (11, 9e999, NULL, NULL),
      (12, hex(zeroblob(9000)), -0.5, 4);
    CREATE INDEX heap_a ON heap (a DESC, b COLLATE NOCASE);
    CREATE UNIQUE INDEX item_block ON item (block, name);
    CREATE VIEW recent AS SELECT words FROM note JOIN itemMember;
    CREATE TRIGGER touch AFTER INSERT ON content BEGIN
      INSERT INTO note (list, words) VALUES ('t', new.id); END;
    CREATE VIRTUAL TABLE search USING fts5 (words);
    INSERT INTO search (words) VALUES ('one'), ('two');
    """

  @Test(arguments: [false, true])
  func tablesIndexesViewsAndTriggersComeAlong(isRepaired: Bool) throws {
    try change(Self.plainTables)
    let tables = ["note", "a \"key", "heap", "search", "search_content"]
    let before = try contents(of: bench.file, tables)
    #expect(before.rows.map(\.count) == [3, 3, 4, 2, 2])
    let file: URL
    if isRepaired {
      try change("UPDATE section SET itemCount = 99; UPDATE store SET isBypassed = 0")
      let plan = try RepairPlan(of: bench.file, accepting: [])
      #expect(plan.losses == [])
      _ = try plan.apply(to: bench.file)
      file = bench.file
    } else {
      let report: StoreRecovery
      (report, file) = try bench.recover(bench.file)
      #expect(report.isComplete, "\(report)")
      #expect(report.appObjects.allSatisfy { $0.isKept })
      #expect(report.appObjects.first { $0.name == "note" }?.rowCount == 3)
    }
    let after = try contents(of: file, tables)
    #expect(after.rows == before.rows)
    #expect(after.sql == before.sql)
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
      #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM heap ORDER BY 1") == [5, 9, 11, 12])
      #expect(try Int.fetchAll(db, sql: "SELECT rowid FROM search WHERE search MATCH 'two'") == [2])
      // Each works as before: the checks, the keys, the counter, the trigger.
      for sql in [
        "INSERT INTO note (list) VALUES ('')", "INSERT INTO note (list, words) VALUES ('A', 'one')",
        "INSERT INTO heap (c) VALUES (4)", "INSERT INTO \"a \"\"key\" VALUES ('a', 1, NULL)",
      ] {
        #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
      }
      try db.execute(sql: "INSERT INTO note (list) VALUES ('d')")
      #expect(db.lastInsertedRowID == 5)
      try db.execute(sql: "INSERT INTO content (content) VALUES ('1')")
      #expect(try Int.fetchOne(db, sql: "SELECT max(id) FROM note") == 6)
    }
    try queue.close()
  }

  /// The greatest id of a table whose rows are all deleted, and short rows.
  @Test func aCounterIsKeptWithoutRows() throws {
    try change(
      """
      CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, x);
      INSERT INTO counted (id) VALUES (77); DELETE FROM counted
      """)
    let (report, file) = try bench.recover(bench.file)
    #expect(report.isComplete)
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(sql: "INSERT INTO counted (x) VALUES (1)")
      #expect(db.lastInsertedRowID == 78)
    }
    try queue.close()
  }

  /// A function that no other program has would end it, and an endless one would never.
  @Test(.timeLimit) func noSQLOfTheFileRuns() throws {
    try change(
      """
      CREATE TABLE checked (a CHECK (endless(a)), b AS (theirs(a)), c AS (theirs(a)) STORED);
      INSERT INTO checked (a) VALUES (1), (2);
      CREATE VIEW seen AS SELECT endless(a) FROM checked;
      CREATE TRIGGER set_off AFTER INSERT ON checked BEGIN SELECT endless(1); END
      """)
    let (report, file) = try bench.recover(bench.file)
    #expect(report.isComplete, "\(report)")
    let queue = try DatabaseQueue(path: file.path)
    #expect(try queue.read { try Int.fetchAll($0, sql: "SELECT c FROM checked") } == [1, 2])
    try queue.close()
  }

  @Test func whatWouldRunSQLToBeMadeIsNamed() throws {
    try change(
      """
      CREATE TABLE note (words TEXT, capitals AS (upper(words)));
      INSERT INTO note VALUES ('one'), ('two');
      CREATE INDEX by_function ON note (theirs(words));
      CREATE INDEX by_computed ON note (capitals);
      CREATE INDEX in_part ON note (words) WHERE words > 'o';
      CREATE TABLE computed (a, b AS (a + 1), UNIQUE (b));
      INSERT INTO computed VALUES (1);
      """)
    let (report, file) = try bench.recover(bench.file)
    #expect(!report.isComplete)
    let names = ["computed", "by_function", "by_computed", "in_part"]
    let lost = report.appObjects.filter { !$0.isKept }
    #expect(lost.map(\.name) == names)
    #expect(report.losses.count == names.count)
    for (name, loss) in zip(names, report.losses) { #expect(loss.contains(name)) }
    #expect(report.losses[1].contains("CREATE INDEX by_function ON note (theirs(words))"))
    let (rows, sql) = try contents(of: file, ["note"])
    #expect(rows[0].count == 2 && sql["note"]?.contains("upper(words)") == true)
    #expect(Set(names).isDisjoint(with: sql.keys))
  }

  @Test func aTableWhoseNameANewerVersionNeedsIsNamed() throws {
    try change("CREATE TABLE note (words TEXT); CREATE TABLE memo (words TEXT)")
    #expect(try bench.recover(bench.file).report.isComplete)
    let (report, file) = try bench.recover(
      Data(contentsOf: bench.file), migrations: TestMigrations.all)
    #expect(report.losses.count == 1)
    #expect(report.losses.first?.contains("table note of the app is left out: version ") == true)
    #expect(try contents(of: file, []).sql["memo"] == "CREATE TABLE memo (words TEXT)")
  }

  @Test func whatIsLostOfATableIsCounted() throws {
    try change(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, words TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO note SELECT i, 'words of note ' || i || hex(zeroblob(100)) FROM n
      """)
    var bytes = try Data(contentsOf: bench.file)
    let text = try #require(bytes.range(of: Data("words of note 150".utf8)))
    let page = text.lowerBound / 4_096
    bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    let (report, file) = try bench.recover(bytes)
    #expect(report.losses == ["1 page of table note of the app lost, with all rows there"])
    let kept = try #require(report.appObjects.first)
    #expect(kept.isKept && kept.lostPageCount == 1 && (250..<300).contains(kept.rowCount ?? 0))
    #expect(try contents(of: file, ["note"]).rows[0].count == kept.rowCount)
    #expect(report.lists.map(\.isComplete) == [true])
  }

  /// Names and statements that don't fit each other, and pages of another table.
  @Test func aSchemaThatLiesEndsInAReport() throws {
    try change(
      """
      CREATE TABLE a (x); CREATE TABLE b (x); CREATE TABLE c (x); CREATE INDEX d ON a (x);
      CREATE VIEW e AS SELECT 1; CREATE TABLE f (x); INSERT INTO f VALUES (1);
      PRAGMA writable_schema = 1;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE a AS SELECT hex(zeroblob(1000000000))'
        WHERE name = 'a';
      UPDATE sqlite_schema SET sql = 'CREATE TABLE other (x); DROP TABLE list' WHERE name = 'b';
      UPDATE sqlite_schema SET rootpage = (
        SELECT rootpage FROM sqlite_schema WHERE name = 'item') WHERE name = 'c';
      UPDATE sqlite_schema SET sql = 'CREATE VIEW e AS SELECT FROM' WHERE name = 'e'
      """)
    let before = try RecoveryBench.item(3)
    let (report, file) = try bench.recover(Data(contentsOf: bench.file))
    #expect(try RecoveryBench.trees(of: file)["shelf"]?.placedItems["item 3"]?.item == before)
    let kept = report.appObjects.filter(\.isKept).map(\.name)
    #expect(kept == ["c", "f"], "\(report.appObjects)")
    #expect(report.losses.count == 5, "\(report.losses)")
  }
}
