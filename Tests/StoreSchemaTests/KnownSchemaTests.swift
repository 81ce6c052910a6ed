import Foundation
import GRDB
import ListModel
import SchemaSupport
import StoreSchema
import StoreSupport
import TestSupport
import Testing

/// A store whose tables are not those of its version is refused before a table is read.
@Suite struct KnownSchemaTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }

  init() throws { bench = try SchemaBench() }

  private func makeStore(version: Int) throws {
    try bench.makeBareStore()
    let queue = try DatabaseQueue(path: file.path, configuration: .store())
    _ = try Migrator.migrate(
      queue, file: file.path, migrations: Array(TestMigrations.all.prefix(version)))
    try queue.close()
  }

  private func status() throws -> SchemaStatus {
    try SchemaStatus(of: file, migrations: TestMigrations.all)
  }

  private func up() throws -> [String] {
    try Migrator.up(file, migrations: TestMigrations.all).names
  }

  /// Writes into the schema itself, as a program does that means harm.
  private func rewrite(_ sql: String...) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA writable_schema = 1")
      for sql in sql { try db.execute(sql: sql) }
    }
    try queue.close()
  }

  @Test func theEmbeddedStatementsAreThoseOfTheSchemaFile() throws {
    #expect(KnownSchema.embeddedVersion == Migration.latestVersion, "run tools/embed")
    let file = PackageFiles.root.appendingPathComponent("migrations/schema.sql")
    let text = try String(contentsOf: file, encoding: .utf8)
    let statements = KnownSchema.embeddedStatements.map(\.description)
    #expect(statements.count > 20)
    let last = statements.map { "\($0);\n" }.joined(separator: "\n")
    #expect(text.hasSuffix("\n\n" + last), "run tools/embed")
    for statement in statements { #expect(statement.hasPrefix("CREATE ")) }
  }

  @Test(arguments: 1...TestMigrations.all.latestVersion) func aStoreOfEachVersionIsSound(
    _ version: Int
  ) throws {
    try makeStore(version: version)
    #expect(try status().version == version)
  }

  /// Migrations with other SQL make another schema, also where they count as far.
  @Test func otherMigrationsHaveAnotherSchema() throws {
    let other = Migration(
      version: 1, name: "v0001_other",
      sql: Migration.all[0].sql + "CREATE TABLE other (a INTEGER) STRICT;")
    let others = [other] + Migration.all.dropFirst()
    try bench.makeStore()
    let failure = try bench.refusal { try SchemaStatus(of: file, migrations: others) }
    #expect(failure?.code == .modifiedMigration)
    try bench.change(
      "UPDATE schemaMigration SET checksum = '\(other.checksum)' WHERE version = 1")
    let drift = try bench.refusal { try SchemaStatus(of: file, migrations: others) }
    #expect(drift?.code == .damagedStore)
    #expect(drift?.message.contains("\"other\"") == true)
  }

  // MARK: What is refused

  /// Never ends: a count of it would hang.
  private static let endless =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i"

  static let hostilities: [(name: String, sql: [String])] = [
    (
      "schemaMigration",
      [
        "DROP TABLE schemaMigration",
        """
        CREATE VIEW schemaMigration (version, name, checksum, appliedAt) AS
        \(endless), 'n', 'c', 1 FROM n
        """,
      ]
    ),
    ("cell", ["DROP TABLE cell", "CREATE VIEW cell (id, name) AS \(endless), 'C' FROM n"]),
    ("author", ["DROP TABLE author"]),
    (
      "author",
      [
        "DROP TABLE author",
        """
        CREATE TABLE author (id INTEGER PRIMARY KEY,
          name TEXT AS (printf('%.*c', 100000000, 'x')) STORED)
        """,
      ]
    ),
    (
      "layoutEnvironment",
      [
        """
        UPDATE sqlite_schema SET sql = replace(sql, 'displayScale > 0',
          'displayScale > 0 AND length(printf(''%.*c'', 900000000, ''x'')) > 0')
        WHERE name = 'layoutEnvironment'
        """
      ]
    ),
    (
      "list",
      [
        "UPDATE sqlite_schema SET sql = replace(sql, 'name TEXT', 'name TEXT COLLATE NOCASE') "
          + "WHERE name = 'list'"
      ]
    ),
    ("cell", ["ALTER TABLE cell ADD COLUMN more TEXT"]),
    ("cell", ["ALTER TABLE cell RENAME TO theirs"]),
    // A column whose name, without its quotes, reads like ours.
    (
      "cell",
      [
        "UPDATE sqlite_schema SET sql = replace(sql, 'name TEXT', '\"name TEXT\" TEXT') "
          + "WHERE name = 'cell'"
      ]
    ),
  ]

  @Test(arguments: 1...TestMigrations.all.latestVersion, hostilities.indices)
  func anotherSchemaIsRefusedByName(_ version: Int, _ number: Int) throws {
    let hostility = Self.hostilities[number]
    try makeStore(version: version)
    for sql in hostility.sql {
      try rewrite("PRAGMA foreign_keys = 0", sql)
    }
    for action in [{ _ = try status() }, { _ = try up() }] {
      let failure = try bench.refusal { try action() }
      #expect(failure?.code == .damagedStore)
      #expect(
        failure?.message.contains(hostility.name) == true,
        "\(failure?.message ?? "none")")
    }
  }

  @Test func aMissingIndexOrTriggerIsNamed() throws {
    try bench.makeStore()
    try bench.change("DROP INDEX index_sizeKey_on_environment", "DROP TRIGGER item_delete")
    let failure = try bench.refusal { try SchemaStatus(of: file) }
    #expect(failure?.code == .damagedStore)
    #expect(failure?.message.contains("\"index_sizeKey_on_environment\", \"item_delete\"") == true)
  }

  @Test func aBareStoreWithAListOfMigrationsIsRefused() throws {
    try bench.makeBareStore()
    try bench.change(
      "CREATE VIEW schemaMigration (version, name, checksum, appliedAt) AS "
        + "\(Self.endless), 'n', 'c', 1 FROM n")
    for action in [{ _ = try SchemaStatus(of: file) }, { _ = try Migrator.up(file) }] {
      #expect(try bench.refusal { try action() }?.code == .damagedStore)
    }
  }

  // MARK: What is let alone

  @Test(arguments: 1...TestMigrations.all.latestVersion) func whatOthersAddedIsLetAlone(
    _ version: Int
  ) throws {
    try makeStore(version: version)
    try bench.change(
      "CREATE TABLE theirs (a INTEGER)", "CREATE INDEX theirIndex ON list (revision)",
      "CREATE VIEW theirView AS \(Self.endless) FROM n",
      "CREATE TRIGGER theirTrigger AFTER INSERT ON author BEGIN DELETE FROM cell; END", "ANALYZE")
    #expect(try status().version == version)
    #expect(try up().count == TestMigrations.all.latestVersion - version)
    #expect(try status().pending == [])
  }

  @Test(arguments: 1...TestMigrations.all.latestVersion) func textThatMeansTheSameIsTheSame(
    _ version: Int
  ) throws {
    try makeStore(version: version)
    try rewrite(
      """
      UPDATE sqlite_schema SET sql = replace(replace(replace(sql, ',', ' , /* more */ '),
        'TABLE cell', 'TABLE "cell"'), char(10), char(10) || '   ') WHERE name IN ('cell', 'schemaMigration')
      """)
    #expect(try status().version == version)
    #expect(try up().count == TestMigrations.all.latestVersion - version)
  }

  // MARK: Connections

  @Test func noConnectionRunsWhatAFileBringsAlong() throws {
    try bench.makeStore()
    try bench.change(
      "CREATE TABLE theirs (a INTEGER)", "CREATE VIEW theirView AS SELECT 1 AS a",
      "CREATE TRIGGER theirTrigger AFTER INSERT ON author BEGIN INSERT INTO theirs VALUES (1); END")
    for configuration in [Configuration.store(), .store(timeLimit: 60)] {
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "DELETE FROM author; INSERT INTO author (name) VALUES ('somebody')")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM theirs") == 0)
        #expect(throws: DatabaseError.self) {
          try Int.fetchOne(db, sql: "SELECT a FROM theirView")
        }
        #expect(throws: DatabaseError.self) {
          try db.execute(sql: "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema")
        }
      }
      try queue.close()
    }
    #expect(try SchemaStatus(of: file).pending == [])
  }

  @Test func aStatementThatDoesNotEndIsEnded() throws {
    try bench.makeStore()
    let queue = try DatabaseQueue(path: file.path, configuration: .store(timeLimit: 1))
    defer { try? queue.close() }
    let failure = #expect(throws: DatabaseError.self) {
      try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM (\(Self.endless) FROM n)") }
    }
    let error = StoreError.wrap(try #require(failure), attempt: "count", file: file.path)
    #expect(error.code == .timeLimit)
    #expect(error.message.contains("longer than any sound store"))
    // The next thing that is asked has its own time.
    let count = try queue.read { db in
      db.limitTime(to: 60)
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM store")
    }
    #expect(count == 1)
  }
}
