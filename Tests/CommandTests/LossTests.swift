import Foundation
import GRDB
import ListModel
import ListStore
import SchemaSupport
import StoreSchema
import TestSupport
import Testing

/// What would be lost, or passed over, without a word.
@Suite struct LossTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  private static let oldest = Migration.latestVersion
  private static let latest = TestMigrations.all.latestVersion

  private var file: URL { bench.folder.file("store.sqlite") }

  private func makeStore(_ path: String, version: Int = latest) throws {
    let file = bench.folder.file(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try TestMigrations.makeStore(at: file, version: version)
  }

  private func zeroHeader(_ path: String) throws {
    var bytes = try Data(contentsOf: bench.folder.file(path))
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    try bytes.write(to: bench.folder.file(path))
  }

  private func fill() throws {
    try bench.fill(commit(1, insertSection("s"), insertItem("a"), insertItem("b")))
  }

  // MARK: Folders

  @Test(arguments: ["status", "plan", "up", "verify"])
  func aFolderNamesAStoreThatHasLostItsHeader(_ command: String) throws {
    try makeStore("stores/sound.sqlite")
    try makeStore("stores/by its name.SQLITE")
    try Data("SQLite format 2".utf8).write(to: bench.folder.file("stores/by its name.SQLITE"))
    try Data(count: 10).write(to: bench.folder.file("stores/by its log"))
    try Data(count: 10).write(to: bench.folder.file("stores/by its log-wal"))
    try makeStore("stores/by its pages.dat")
    try zeroHeader("stores/by its pages.dat")
    // Of these none is a store.
    try bench.change("CREATE TABLE other (a)", in: bench.folder.file("stores/other.db").path)
    try Data(count: 4_096).write(to: bench.folder.file("stores/zeros"))
    let words = Array("schemaMigration listCommit measuredSize".utf8)
    try Data(words + Array(repeating: 32, count: 1_024 - words.count)).write(
      to: bench.folder.file("stores/words.txt"))
    let outcome = try bench.migrate(command, "stores", "--json", expecting: 1)
    let results = try outcome.output.objects()
    #expect(
      results.map { $0["file"] as? String } == [
        "stores/by its log", "stores/by its name.SQLITE", "stores/by its pages.dat",
        "stores/sound.sqlite",
      ])
    // Of the one with pages it is known what it is.
    #expect(results.map { $0["error"] == nil } == [false, false, command == "verify", true])
    #expect(outcome.errors.contains(command == "verify" ? "1 damaged, 1 sound, 2 f" : "3 failed: "))
  }

  // MARK: Backups

  @Test func aDamagedBackupIsNotRestored() throws {
    try fill()
    let backup = bench.folder.file("backup.sqlite").path
    _ = try bench.cellar("migrate", "backup", "store.sqlite", "--out", backup, expecting: 0)
    try bench.change("DELETE FROM content", "UPDATE store SET isBypassed = 0", in: backup)
    let before = try Data(contentsOf: file)
    let refused = try bench.cellar(
      "migrate", "restore", backup, "store.sqlite", "--yes", expecting: 2)
    #expect(refused.errors.contains("the backup is damaged: "))
    #expect(refused.errors.contains("cellar repair \(backup) --to NEW`"))
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func aBackupOfADamagedStoreIsMadeAndSaysSo() throws {
    try fill()
    try bench.change("DELETE FROM content", "UPDATE store SET isBypassed = 0")
    let outcome = try bench.cellar("migrate", "backup", "store.sqlite", "--json", expecting: 2)
    let result = try outcome.output.object()
    #expect(result["outcome"] as? String == "backed up, damaged")
    #expect((result["findings"] as? [Any])?.isEmpty == false)
    let backup = try #require(result["backup"] as? String)
    #expect(FileManager.default.fileExists(atPath: backup))
  }

  @Test func theOnlyWayBackIsKept() throws {
    // The first of the tests' own migrations has no way down.
    try makeStore("store.sqlite", version: Self.oldest)
    func backUp() throws -> [String: Any] {
      try bench.migrate("backup", "store.sqlite", "--json", expecting: 0).output.object()
    }
    let older = try #require(try backUp()["backup"] as? String)
    let wayBack = try #require(try backUp()["backup"] as? String)
    _ = try bench.migrate("up", "store.sqlite", "--backup", "never", expecting: 0)
    var later: [String] = []
    var removed: [String] = []
    for _ in 0..<5 {
      let result = try backUp()
      later.append(try #require(result["backup"] as? String))
      removed += result["removedBackups"] as? [String] ?? []
    }
    #expect(removed == [older, later[0], later[1]])
    let kept = try bench.migrate("backups", "store.sqlite", "--json", expecting: 0)
    let files = try #require(try kept.output.object()["backups"] as? [[String: Any]])
      .compactMap { $0["file"] as? String }
    let expected = later.suffix(3) + [wayBack]
    #expect(Set(files) == Set(expected))
    let said = try bench.migrate("backup", "store.sqlite", expecting: 0)
    #expect(said.output.contains("  removed     \(later[2]), an older backup"))
  }

  // MARK: Others that use the store

  @Test func aStoreThatAnAppHasOpenIsNotTakenBack() throws {
    try makeStore("store.sqlite")
    let queue = try DatabasePool(path: file.path)
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM list") }
    let refused = try bench.migrate(
      "down", "store.sqlite", "--to", "\(Self.latest - 1)", expecting: 6)
    #expect(refused.errors.contains("open"))
    try queue.close()
    let status = try bench.migrate("status", "store.sqlite", "--json", expecting: 0)
    #expect(try status.output.object()["schemaVersion"] as? Int == Self.latest)
    _ = try bench.migrate("down", "store.sqlite", "--to", "\(Self.latest - 1)", expecting: 0)
    _ = try bench.migrate("verify", "store.sqlite", expecting: 0)
  }

  @Test func ofTwoThatMigrateAtOnceOneFindsNothingToDo() throws {
    try makeStore("store.sqlite", version: Self.oldest)
    let up =
      "\"$cellar\" migrate up store.sqlite --json --migrations \(try bench.migrationFolder())"
    let outcome = try bench.shell(
      "\(up) > one & first=$!; \(up) > two; second=$?; wait $first && exit $second")
    #expect(outcome.exitCode == 0, "\(outcome)")
    let outcomes = try ["one", "two"].map { name in
      try String(contentsOf: bench.folder.file(name), encoding: .utf8).object()["outcome"]
        as? String
    }
    #expect(Set(outcomes) == ["migrated", "current"])
  }

  @Test func aCommandThatChangesStoresWaitsForAnother() throws {
    try makeStore("store.sqlite", version: Self.oldest)
    let folder = open(bench.folder.url.path, O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    #expect(flock(folder, LOCK_EX | LOCK_NB) == 0)
    Thread.detachNewThread {
      usleep(500_000)
      flock(folder, LOCK_UN)
    }
    let outcome = try bench.migrate("up", "store.sqlite", expecting: 0)
    #expect(outcome.errors.contains("Waiting for another command that changes stores in "))
  }

  // MARK: What apps have added

  @Test func whatAnAppHasAddedIsKeptOrTheMigrationRefused() throws {
    try makeStore("store.sqlite", version: Self.oldest)
    try bench.change(
      "CREATE INDEX mine ON change (revision)", "CREATE VIEW seen AS SELECT id FROM change")
    let plan = try bench.migrate("plan", "store.sqlite", "--json", expecting: 0).output.object()
    let steps = try #require((plan["plan"] as? [String: Any])?["steps"] as? [[String: Any]])
    #expect(steps.first?["appObjects"] as? [String] == ["index mine"])
    try bench.change("CREATE TABLE memo (change REFERENCES change (id))")
    for command in ["plan", "up"] {
      let refused = try bench.migrate(command, "store.sqlite", expecting: 4)
      #expect(refused.errors.contains("table memo has a foreign key that leads to a table of"))
    }
    // Looking needs none of it.
    let info = try bench.cellar(
      "inspect", "info", "store.sqlite", "--migrations", try bench.migrationFolder())
    #expect(info.output.contains("list \""))
    try bench.change("DROP TABLE memo")
    let up = try bench.migrate("up", "store.sqlite", expecting: 0)
    #expect(up.output.contains("  made anew   index mine of the app"))
    try bench.change("DROP INDEX mine", "SELECT count(*) FROM seen")
  }

  // MARK: Names

  @Test(arguments: [
    ["rename-cell", "NoSuch", "New"], ["rename-type", "NoSuch", "New"],
    ["rename-view", "NoSuch", "New"],
  ])
  func aNameThatNobodyHasMigratesNothing(_ arguments: [String]) throws {
    try makeStore("store.sqlite", version: Self.oldest)
    let before = try FolderSnapshot(of: bench.folder.url)
    let outcome = try bench.migrate(arguments + ["store.sqlite"], expecting: 1)
    #expect(outcome.errors.contains("\"NoSuch\""))
    #expect(try FolderSnapshot(of: bench.folder.url).contents == before.contents)
  }
}
