import Foundation
import GRDB
import ListModel
import SchemaSupport
import StoreSchema
import StoreSupport
import TestSupport
import Testing

/// A migration that writes tables anew keeps an app's indexes, views and triggers, or is refused.
@Suite struct AppObjectGuardTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }

  init() throws { bench = try SchemaBench() }

  private static let additions = [
    "CREATE INDEX theirs ON change (revision DESC)",
    "CREATE UNIQUE INDEX in_part ON change (id) WHERE length(entries) > 1",
    "CREATE TABLE memo (words TEXT)",
    "CREATE VIEW recent AS SELECT revision FROM change ORDER BY id DESC LIMIT 3",
    "CREATE VIEW \"very \"\"recent\" AS SELECT * FROM recent LIMIT 1",
    "CREATE TRIGGER set_off AFTER INSERT ON change BEGIN INSERT INTO memo VALUES (new.id); END",
    """
    CREATE TRIGGER set_off_by_memo AFTER DELETE ON memo BEGIN
      UPDATE memo SET words = (SELECT max(revision) FROM change); END
    """,
  ]

  private func statements() throws -> [String: String] {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE sql <> ''")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
  }

  /// Migrates as an app does that allows its own SQL to run.
  private func migrate() throws -> MigrationResult {
    let queue = try DatabaseQueue(path: file.path, configuration: .store())
    defer { try? queue.close() }
    return try Migrator.migrate(queue, file: file.path, migrations: TestMigrations.all)
  }

  @Test func whatAnAppHasAddedIsMadeAnewWithItsTable() throws {
    try TestMigrations.makeStore(at: file, version: Migration.latestVersion)
    for sql in Self.additions { try bench.change(sql) }
    let before = try statements()
    let result = try migrate()
    #expect(
      result.appObjects == ["index in_part", "index theirs"])
    let after = try statements()
    for (name, sql) in before where name != "change" && name != "list" && name != "listCommit" {
      #expect(after[name] == sql)
    }
    #expect(try bench.integer("SELECT * FROM \"very \"\"recent\"") ?? 0 > 0)
    try bench.change(
      "INSERT INTO change (list, revision, entries, neighbours) VALUES (1, 99, '[]', x'')")
    #expect(try bench.integer("SELECT count(*) FROM memo") == 1)
    try bench.change("INSERT INTO memo VALUES ('a')", "DELETE FROM memo WHERE words = 'a'")
    #expect(try bench.integer("SELECT words FROM memo") == 99)
    #expect(try bench.integer("SELECT count(*) FROM pragma_integrity_check") == 1)
  }

  /// A table of changes without one of its columns.
  private static let narrower = Migration.following([
    """
    CREATE TABLE newChange (id INTEGER PRIMARY KEY, list INTEGER, revision INTEGER) STRICT;
    INSERT INTO newChange SELECT id, list, revision FROM change;
    DROP TABLE change; ALTER TABLE newChange RENAME TO change;
    """
  ])

  @Test(arguments: [
    ("CREATE INDEX theirs ON change (entries)", "index theirs can't be made anew: "),
    (
      "CREATE VIEW theirs AS SELECT entries FROM change",
      "view theirs would be broken: no such column: entries"
    ),
    (
      "CREATE TRIGGER theirs AFTER INSERT ON change BEGIN UPDATE cell SET name = new.entries; END",
      "trigger theirs would be broken: no such column: new.entries"
    ),
    (
      "CREATE TRIGGER theirs AFTER INSERT ON cell BEGIN DELETE FROM change WHERE entries = ''; END",
      "trigger theirs would be broken: no such column: entries"
    ),
  ])
  func whatWouldBeBrokenIsNamedAndNothingIsChanged(_ sql: String, _ words: String) throws {
    try bench.makeStore()
    try bench.change(sql)
    let failure = try bench.refusal {
      try Migrator.up(file, migrations: Self.narrower, backsUp: false)
    }
    #expect(failure?.code == .verificationFailed)
    #expect(failure?.message.contains(words) == true, "\(String(describing: failure))")
    #expect(try bench.integer("PRAGMA user_version") == Migration.latestVersion)
  }

  /// SQLite writes the other name into the table when the one it refers to is renamed.
  @Test func aTableThatRefersToOneThatIsWrittenAnewIsNamed() throws {
    try TestMigrations.makeStore(at: file, version: Migration.latestVersion)
    try bench.change("CREATE TABLE mine (change INTEGER REFERENCES change (id))")
    let failure = try bench.refusal { try migrate() }
    #expect(failure?.code == .verificationFailed)
    #expect(failure?.message.contains("table mine would refer to a table that is gone") == true)
  }

  @Test func aNameThatTheNewVersionNeedsIsTold() throws {
    try TestMigrations.makeStore(at: file, version: Migration.latestVersion)
    try bench.change("CREATE TABLE note (words TEXT)")
    let failure = try bench.refusal {
      try Migrator.up(file, migrations: TestMigrations.all, backsUp: false)
    }
    #expect(failure?.code == .verificationFailed)
    #expect(failure?.message.contains("table note already exists") == true)
  }

  @Test func whatWasBrokenBeforeDoesNotCount() throws {
    try bench.makeStore()
    try bench.change(
      "CREATE VIEW broken AS SELECT missing FROM nowhere",
      "CREATE TRIGGER broken_too AFTER INSERT ON cell BEGIN SELECT missing FROM nowhere; END",
      "CREATE TABLE odd (a CHECK (a > 0), b AS (a + 1))", "CREATE VIEW odder AS SELECT b FROM odd")
    let before = try statements()
    #expect(try Migrator.up(file, migrations: Self.narrower).appObjects == [])
    let after = try statements()
    for name in ["broken", "broken_too", "odd", "odder"] { #expect(after[name] == before[name]) }
  }

  // MARK: Ways down

  /// `isColumn`: Whether a column goes, of which SQLite says so itself, or a table.
  @Test(arguments: [false, true]) func aWayDownThatWouldBreakAViewIsRefused(isColumn: Bool) throws {
    let latest = TestMigrations.all.latestVersion
    try TestMigrations.makeStore(at: file, version: latest)
    try bench.change(
      isColumn
        ? "CREATE VIEW mine AS SELECT mark FROM listCommit"
        : "CREATE VIEW mine AS SELECT name FROM badge")
    let down = isColumn ? latest - 1 : latest - 2
    let failure = #expect(throws: StoreError.self) {
      try Migrator.down(file, to: down, migrations: TestMigrations.all)
    }
    #expect(failure?.code == .verificationFailed, "\(String(describing: failure))")
    #expect(failure?.message.contains("view mine") == true, "\(String(describing: failure))")
    let version = try bench.integer("PRAGMA user_version")
    #expect(version == (isColumn ? latest : latest - 1), "the migrations before it are undone")
    #expect(try statements()["mine"] != nil)
  }
}
