import Foundation
import GRDB
import ListModel
import SchemaSupport
import StoreSchema
import StoreSupport
import TestSupport
import Testing

/// A migration says what it takes, and what it does not say is refused.
@Suite struct MigrationScriptTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }

  init() throws { bench = try SchemaBench() }

  private func migrate(_ sql: [String]) throws -> MigrationResult {
    let queue = try DatabaseQueue(path: file.path, configuration: .store())
    defer { try? queue.close() }
    return try Migrator.migrate(queue, file: file.path, migrations: Migration.following(sql))
  }

  // MARK: Directives

  @Test(arguments: ["\n", "\r\n"]) func directivesAreReadAndChangeNoChecksum(
    _ end: String
  ) throws {
    let plain = "CREATE TABLE a (b TEXT);"
    let sql = [
      "-- a comment", "--! fewer-rows c", "--! fewer-rows d", "--! renames e f",
      "--! loses g h", "--! loses g i", "--! minimum-reader 3", plain, "--! down", "DROP TABLE a;",
    ].joined(separator: end)
    let script = try MigrationScript(sql, file: "v.sql")
    #expect(script.fewerRows == ["c", "d"])
    #expect(script.renamedTables == ["e": "f"])
    #expect(script.lostColumns == ["g": ["h", "i"]])
    #expect(script.minimumReader == 3)
    #expect(Migration.canonicalSQL(of: script.up) == plain)
    #expect(script.down.map(Migration.canonicalSQL) == "DROP TABLE a;")
    #expect(Migration.checksum(of: sql) == Migration.checksum(of: plain))
  }

  @Test(arguments: [
    "--! fewer-row a", "--!", "--! fewer-rows", "--! renames a", "--! minimum-reader x",
    "--! minimum-reader 0", "--! one-way", "--! down now", "--! fewer-rows a\n--! fewer-rows a",
    "--! minimum-reader 1\n--! minimum-reader 2", "--! one-way a\n--! down",
    "--! down\n--! fewer-rows a", "--! loses a", "--! loses a b\n--! loses a b",
  ])
  func aDirectiveThatIsNotUnderstoodIsAnErrorWithItsLine(_ directive: String) throws {
    let failure = #expect(throws: StoreError.self) {
      try MigrationScript("SELECT 1;\n" + directive, file: "v0009_x.sql")
    }
    #expect(failure?.code == .invalidValue)
    #expect(failure?.file == "v0009_x.sql")
    #expect(failure?.line == 2 + directive.filter { $0 == "\n" }.count)
  }

  @Test func everyMigrationHasAWayDownOrSaysWhyNot() throws {
    for migration in TestMigrations.all {
      let script = try migration.script()
      #expect((script.down == nil) == (script.oneWayReason != nil), "\(migration.name)")
    }
    #expect(try TestMigrations.all.last?.script().down != nil)
  }

  // MARK: Rows

  private static let rows = "CREATE TABLE a (b); INSERT INTO a VALUES (1), (2)"

  @Test(arguments: [
    "DELETE FROM a WHERE b = 1", "DROP TABLE a", "ALTER TABLE a RENAME TO c",
    "CREATE TABLE c (b); ALTER TABLE a RENAME TO d; ALTER TABLE c RENAME TO a; DROP TABLE d",
    "CREATE UNIQUE INDEX u ON a (b); INSERT OR REPLACE INTO a VALUES (1); DELETE FROM a",
    "--! fewer-rows other\nDELETE FROM a", "--! renames a c\nDROP TABLE a",
  ])
  func rowsThatWouldBeLostAreRefused(_ sql: String) throws {
    try bench.makeStore()
    _ = try migrate([Self.rows])
    let failure = #expect(throws: StoreError.self) { try migrate([Self.rows, sql]) }
    #expect(failure?.code == .verificationFailed)
    #expect(failure?.message.contains("a 2 before") == true, "\(String(describing: failure))")
    #expect(try bench.integer("SELECT count(*) FROM a") == 2)
    #expect(try bench.integer("PRAGMA user_version") == Migration.latestVersion + 1)
  }

  @Test(arguments: [
    "--! fewer-rows a\nDELETE FROM a", "--! fewer-rows a\nDROP TABLE a",
    "--! renames a c\nALTER TABLE a RENAME TO c",
  ])
  func rowsThatTheMigrationNamesMayGo(_ sql: String) throws {
    try bench.makeStore()
    _ = try migrate([Self.rows])
    #expect(try migrate([Self.rows, sql]).names.count == 1)
  }

  /// What the way up may take, the way down may not, but for the table that the way up has made.
  @Test(
    arguments: [
      ("DROP TABLE c; INSERT INTO a VALUES (1)", nil),
      ("DROP TABLE c; DELETE FROM a", "a 1 before"), ("DELETE FROM c", "c 1 before"),
    ] as [(String, String?)])
  func rowsAreNotLostOnTheWayDown(_ down: String, _ loss: String?) throws {
    try bench.makeStore()
    let up = """
      --! fewer-rows a
      --! fewer-rows c
      CREATE TABLE c (b); INSERT INTO c SELECT b FROM a WHERE b = 1; DELETE FROM a WHERE b = 1;
      --! down
      \(down)
      """
    let migrations = Migration.following([Self.rows, up])
    _ = try migrate([Self.rows, up])
    let undo = { try Migrator.down(file, to: Migration.latestVersion + 1, migrations: migrations) }
    guard let loss else {
      #expect(try undo().names.count == 1)
      return
    }
    let failure = #expect(throws: StoreError.self) { _ = try undo() }
    #expect(failure?.message.contains(loss) == true, "\(String(describing: failure))")
  }

  @Test func aTableThatOthersReferToCanBeMadeAnew() throws {
    try bench.makeStore()
    let tables = """
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (parent INTEGER REFERENCES parent (id) ON DELETE CASCADE);
      INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1);
      """
    let rebuild = """
      CREATE TABLE newParent (id INTEGER PRIMARY KEY, more TEXT);
      INSERT INTO newParent (id) SELECT id FROM parent;
      DROP TABLE parent; ALTER TABLE newParent RENAME TO parent;
      """
    let queue = try DatabaseQueue(path: file.path, configuration: .store())
    _ = try Migrator.migrate(
      queue, file: file.path, migrations: Migration.following([tables, rebuild]))
    #expect(try facts(queue) == [1, 1])
    #expect(throws: (any Error).self) {
      try Migrator.migrate(
        queue, file: file.path,
        migrations: Migration.following([tables, rebuild, "INSERT INTO child VALUES (9)"]))
    }
    #expect(try facts(queue) == [1, 1])
    try queue.close()
  }

  /// How many children there are, and whether foreign keys are on.
  private func facts(_ queue: DatabaseQueue) throws -> [Int?] {
    try queue.inDatabase { db in
      try ["SELECT count(*) FROM child", "PRAGMA foreign_keys"].map {
        try Int.fetchOne(db, sql: $0)
      }
    }
  }

  // MARK: The ledger

  @Test func theStoreNotesHowItWasMigrated() throws {
    try bench.makeStore()
    let added = ["--! minimum-reader 1\nCREATE TABLE a (b)", "CREATE TABLE c (d)"]
    #expect(try migrate(added).names.count == 2)
    let applied = try SchemaStatus(of: file, migrations: Migration.following(added)).applied
    for step in applied {
      #expect(step.libraryVersion == LibraryVersion.current)
      #expect((0..<600_000).contains(step.duration))
      #expect(step.fingerprint.hasPrefix("1:") && step.fingerprint.utf8.count == 66)
    }
    let readers = applied.suffix(2).map(\.minimumReader)
    #expect(readers == [1, Migration.latestVersion + 2])
    #expect(Set(applied.map(\.fingerprint)).count == applied.count)
    // The same schema by another way has the same fingerprint.
    let other = try SchemaBench()
    try other.makeStore(migrations: Migration.following([added.joined(separator: ";\n")]))
    let whole = try SchemaStatus(
      of: other.file, migrations: Migration.following([added.joined(separator: ";\n")]))
    #expect(whole.applied.last?.fingerprint == applied.last?.fingerprint)
  }

  /// Before the first release it is the one that the first release gets.
  @Test func theVersionOfTheLibraryIsThatOfTheNewestRelease() throws {
    let changes = try String(
      contentsOf: PackageFiles.root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let newest = changes.split(separator: "\n").first {
      $0.hasPrefix("## [") && !$0.hasPrefix("## [Unreleased]")
    }
    #expect((newest ?? "## [0.1.0]").hasPrefix("## [\(LibraryVersion.current)]"))
  }

  @Test(arguments: [Migration.latestVersion, Migration.latestVersion + 1])
  func theRefusalOfANewerStoreSaysWhoCanReadIt(_ reader: Int) throws {
    try bench.makeStore()
    let newer = Migration.latestVersion + 1
    _ = try migrate(["--! minimum-reader \(reader)\nCREATE TABLE a (b)"])
    let failure = try bench.refusal { try SchemaStatus(of: file) }
    #expect(failure?.code == .newerStore)
    for words in [
      "version \(newer)", "knows version \(Migration.latestVersion)",
      reader < newer
        ? "Repository(readingOnly:) and `cellar info FILE` do"
        : "only versions from \(newer) on can read it",
    ] {
      #expect(failure?.message.contains(words) == true, "\(String(describing: failure))")
    }
  }
}
