import Foundation
import GRDB
import ListModel
import SchemaSupport
import StoreSchema
import StoreSupport
import TestSupport
import Testing

/// SQL of others in a store's schema is found, whatever its text looks like, and never run.
@Suite struct ForeignSQLTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }

  init() throws {
    bench = try SchemaBench()
    try bench.makeStore()
  }

  /// One step of it takes hours.
  private static let endless = """
    instr(replace(hex(zeroblob(5000000)), '0', 'aaaa'),
      replace(hex(zeroblob(400000)), '0', 'aaaa') || 'b')
    """

  /// Writes into the schema itself, as a program does that means harm.
  private func rewrite(_ sql: String...) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA writable_schema = 1")
      for sql in sql { try db.execute(sql: sql) }
    }
    try queue.close()
  }

  private func found(_ migrations: [Migration] = Migration.all) throws -> [ForeignSQL] {
    let queue = try DatabaseQueue(path: file.path, configuration: .store())
    defer { try? queue.close() }
    return try queue.read { try ForeignSQL.all(in: $0, migrations: migrations) }
  }

  // MARK: Finding it

  struct Example: Sendable {
    let sql: [String]
    let parts: [ForeignSQL.Part]
    let runsWhenWritten: Bool

    init(_ sql: String..., has parts: ForeignSQL.Part..., runsWhenWritten: Bool = false) {
      self.sql = sql
      self.parts = parts
      self.runsWhenWritten = runsWhenWritten
    }
  }

  static let examples = [
    Example("CREATE INDEX theirs ON item (length(name))", has: .expression, runsWhenWritten: true),
    Example(
      "CREATE INDEX theirs ON ITEM (list, name || '')", has: .expression, runsWhenWritten: true),
    Example(
      "CREATE INDEX theirs ON cell (name) WHERE id > 7", has: .condition, runsWhenWritten: true),
    Example(
      "CREATE UNIQUE INDEX theirs ON cell (abs(id)) WHERE name <> ''", has: .expression, .condition,
      runsWhenWritten: true),
    Example(
      "CREATE TABLE mine (a)", "CREATE INDEX theirs ON mine (a + 1) WHERE a", has: .expression,
      .condition),
    Example("CREATE TABLE theirs (a CHECK (a > 1))", has: .check),
    Example("CREATE TABLE theirs (a, b AS (a + 1))", has: .generatedColumn),
    Example(
      "CREATE TABLE theirs (a, b AS (a + 1) STORED, CONSTRAINT c CHECK(b))", has: .check,
      .generatedColumn),
    Example(
      "CREATE TABLE theirs (a INTEGER REFERENCES list (id) ON DELETE CASCADE)", has: .reference,
      runsWhenWritten: true),
    Example(
      "CREATE TABLE theirs (a INTEGER, FOREIGN KEY (a) REFERENCES \"LIST\")", has: .reference,
      runsWhenWritten: true),
  ]

  @Test(arguments: examples.indices) func eachKindIsFound(_ number: Int) throws {
    let example = Self.examples[number]
    for sql in example.sql { try bench.change(sql) }
    let found = try found()
    #expect(found.map(\.name) == ["theirs"])
    #expect(found.first?.parts == example.parts)
    #expect(found.first?.runsWhenWritten == example.runsWhenWritten)
  }

  @Test func aDeletionGoesOnThroughTablesOfOthers() throws {
    try bench.change(
      "CREATE TABLE one (a INTEGER PRIMARY KEY REFERENCES list (id) ON DELETE CASCADE)",
      "CREATE TABLE two (a INTEGER REFERENCES one (a) ON DELETE SET NULL)",
      "CREATE INDEX three ON two (abs(a))", "CREATE TABLE four (a INTEGER REFERENCES five (a))",
      "CREATE INDEX five ON four (abs(a))")
    let found = try found()
    #expect(found.map(\.name) == ["five", "one", "three", "two"])
    #expect(found.map(\.runsWhenWritten) == [false, true, true, true])
  }

  @Test func whatRunsNothingIsNotFound() throws {
    try bench.change(
      "CREATE TABLE theirs (a INTEGER PRIMARY KEY, \"check\" TEXT DEFAULT 'CHECK (1)' -- CHECK (2)\n)",
      "CREATE TABLE checks (checked TEXT, [check] /* CHECK (3) */ TEXT UNIQUE, a$check, check$)",
      "CREATE INDEX theirIndex ON item (block, list DESC)",
      "CREATE TABLE more (a REFERENCES theirs (a))",
      "CREATE VIEW theirView AS SELECT abs(a) FROM more",
      "CREATE TRIGGER theirTrigger AFTER INSERT ON item BEGIN DELETE FROM more; END", "ANALYZE")
    #expect(try found() == [])
  }

  /// SQLite takes a byte order mark for white space, and such names by hand alone.
  @Test func textsThatHideItAreFound() throws {
    try bench.change(
      "CREATE TABLE one (a)", "CREATE TABLE two (a)", "CREATE INDEX three ON two (a)",
      "CREATE TABLE four (tbl, idx, stat)")
    try rewrite(
      "UPDATE sqlite_schema SET sql = 'CREATE TABLE one(a \u{FEFF}cHeCk\n(a>1))' WHERE name = 'one'",
      """
      UPDATE sqlite_schema SET name = 'sqlite_three', sql = 'CREATE INDEX sqlite_three ON two(a+1)'
      WHERE name = 'three'
      """,
      """
      UPDATE sqlite_schema SET name = 'sqlite_stat1', tbl_name = 'sqlite_stat1',
        sql = 'CREATE TABLE sqlite_stat1(tbl, idx, stat CHECK (stat))' WHERE name = 'four'
      """)
    #expect(try found().map(\.name) == ["one", "sqlite_stat1", "sqlite_three"])
  }

  @Test(arguments: Migration.latestVersion...TestMigrations.all.latestVersion)
  func whatMigrationsMakeIsNotForeign(_ version: Int) throws {
    let queue = try DatabaseQueue(path: file.path, configuration: .store())
    _ = try Migrator.migrate(
      queue, file: file.path, migrations: Array(TestMigrations.all.prefix(version)))
    try queue.close()
    #expect(try found(TestMigrations.all) == [])
  }

  // MARK: Not running it

  private func expectRefusal(_ action: () throws -> Void) throws {
    let failure = try bench.refusal { try action() }
    #expect(failure?.code == .foreignSQL)
    #expect(failure?.message.contains("index theirs on author has an expression") == true)
  }

  @Test func whatWouldRunAtAWriteKeepsAStoreFromBeingMigrated() throws {
    try bench.change("CREATE INDEX theirs ON author (length(name))")
    try expectRefusal { _ = try Migrator.up(file, migrations: TestMigrations.all) }
    try expectRefusal { _ = try Migrator.down(file, to: 1, migrations: TestMigrations.all) }
    let (schema, refusal) = try SchemaInspection.read(file)
    #expect(schema.foreignSQL.map(\.name) == ["theirs"])
    #expect(refusal?.code == .foreignSQL)
  }

  @Test func whatWouldRunAtAWriteKeepsAStoreFromBeingRepaired() throws {
    try bench.change(
      "CREATE INDEX theirs ON author (length(name))", "DROP INDEX index_sizeKey_on_environment")
    let differences = try SchemaInspection.read(file).schema.differences
    #expect(differences.count == 1)
    try expectRefusal { try SchemaRepair.run(file, rebuilding: differences, accepting: []) }
  }

  @Test func theCheckOfABackupRunsNothingOfIt() throws {
    try bench.change(
      "INSERT INTO author (name) VALUES ('somebody')",
      "CREATE INDEX theirs ON author (length(name))",
      "CREATE TABLE mine (a UNIQUE, b AS (1), CHECK (a))", "INSERT INTO mine VALUES (1)")
    let endless = Self.endless.replacingOccurrences(of: "'", with: "''")
    try rewrite(
      "UPDATE sqlite_schema SET sql = 'CREATE INDEX theirs ON author (\(endless))' WHERE name = 'theirs'",
      """
      UPDATE sqlite_schema SET sql = 'CREATE TABLE mine (a UNIQUE, b AS (\(endless)), CHECK (\(endless)))'
      WHERE name = 'mine'
      """)
    let backup = try StoreBackup.make(of: file)
    #expect(backup.version == Migration.latestVersion)
    try StoreBackup.restore(backup.file, to: file)
    #expect(try found().map(\.name) == ["mine", "theirs"])
  }

  @Test func theCheckFindsDamageAllTheSame() throws {
    try bench.change(
      "INSERT INTO author (name) VALUES ('one'), ('two')", "PRAGMA ignore_check_constraints = 1",
      "INSERT INTO cell (name) VALUES ('')", "CREATE TABLE theirs (a CHECK (a))",
      "CREATE INDEX theirIndex ON author (abs(id))")
    let queue = try DatabaseQueue(path: file.path, configuration: .store(timeLimit: 20))
    let foreign = try queue.read { try ForeignSQL.all(in: $0) }
    let check = PageCheck(on: file, without: foreign, atMost: 20) { try queue.read($0) }
    #expect(check.problems == ["CHECK constraint failed in cell"])
    #expect(check.failure == nil)
    try queue.close()
  }

  // MARK: Limits

  @Test func noValueIsLongerThanAStoreNeeds() throws {
    for configuration in [Configuration.store(), .store(timeLimit: 60)] {
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      let failure = #expect(throws: DatabaseError.self) {
        try queue.read { try Int.fetchOne($0, sql: "SELECT length(zeroblob(1 << 29) || 'a')") }
      }
      #expect(failure?.resultCode == .SQLITE_TOOBIG)
      let length = try queue.read {
        try Int.fetchOne($0, sql: "SELECT length(zeroblob(1 << 27))")
      }
      #expect(length == 1 << 27)
      try queue.close()
    }
  }

  @Test func aStepThatDoesNotEndIsSeen() throws {
    let queue = try DatabaseQueue(path: file.path, configuration: .store(timeLimit: 1))
    // Some seconds in one step.
    let slow = """
      SELECT instr(replace(hex(zeroblob(500000)), '0', 'aa'),
        replace(hex(zeroblob(30000)), '0', 'aa') || 'b')
      """
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? queue.read { try Int.fetchOne($0, sql: slow) }
      hasEnded.signal()
    }
    var most = 0
    while hasEnded.wait(timeout: .now() + 0.1) == .timedOut {
      most = max(most, TimeLimit.overdueSeconds)
    }
    #expect(most >= 1)
    #expect(TimeLimit.overdueSeconds == 0)
  }
}
