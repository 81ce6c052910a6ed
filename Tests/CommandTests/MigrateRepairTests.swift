import Foundation
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// `cellar migrate verify` and `repair`: a schema that is not that of its version.
@Suite struct MigrateRepairTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    try bench.fill(commit(1, insertSection("s"), insertItem("i")))
  }

  private func drift() throws {
    try bench.change(
      "DROP INDEX index_section_on_visibility", "DROP TRIGGER item_update", "DROP VIEW itemMember",
      "CREATE VIEW itemMember AS SELECT 1 AS list",
      "CREATE TRIGGER item_update AFTER UPDATE ON item BEGIN UPDATE store SET isBypassed = 0; END")
  }

  @Test func aSoundStoreIsSaidToBeAndStaysAsItIs() throws {
    let before = try FolderSnapshot(of: bench.folder.url)
    let verified = try bench.cellar("migrate", "verify", "store.sqlite", expecting: 0)
    #expect(verified.output.contains(", sound"))
    let repaired = try bench.cellar("migrate", "repair", "store.sqlite", "--yes", expecting: 0)
    #expect(repaired.output.contains(", sound"))
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }

  @Test(arguments: [nil] + Array(Migration.latestVersion...TestMigrations.all.latestVersion))
  func aMissingIndexAndAChangedTriggerAreDriftAndAreMadeAnew(_ fixture: Int?) throws {
    if let fixture {
      try FileManager.default.removeItem(atPath: bench.store)
      try TestMigrations.makeStore(at: bench.folder.file("store.sqlite"), version: fixture)
      try bench.change("DROP TRIGGER section_update")
    } else {
      try drift()
    }
    let before = try FolderSnapshot(of: bench.folder.url)
    let verified = try bench.migrate("verify", "store.sqlite", expecting: 4)
    #expect(verified.output.contains(", drifted"))
    #expect(verified.output.contains("is missing\n    -CREATE "))
    if fixture == nil {
      #expect(verified.output.contains("trigger item_update is not as the version has it"))
      #expect(verified.output.contains("\n    +CREATE TRIGGER item_update"))
    }
    _ = try bench.migrate("status", "store.sqlite", expecting: 4)
    _ = try bench.migrate("up", "store.sqlite", expecting: 4)
    // Nobody is asked without a terminal.
    let asked = try bench.migrate("repair", "store.sqlite", expecting: 4)
    #expect(asked.output.contains("with --yes"))
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])

    let repaired = try bench.migrate("repair", "store.sqlite", "--yes", "--json", expecting: 0)
    let result = try repaired.output.object()
    #expect(result["outcome"] as? String == "repaired")
    #expect((result["repairs"] as? [String])?.count == (fixture == nil ? 3 : 1))
    _ = try bench.migrate("verify", "store.sqlite", expecting: 0)
    _ = try bench.migrate("up", "store.sqlite", expecting: 0)
  }

  @Test func aChecksumIsTakenOnlyWhenItIsNamed() throws {
    let all = TestMigrations.all
    _ = try bench.migrate("up", "store.sqlite", expecting: 0)
    try bench.change("UPDATE schemaMigration SET checksum = '1:aa' WHERE version = 1")
    try bench.change("UPDATE schemaMigration SET checksum = '1:bb' WHERE version = 3")
    let refused = try bench.migrate("repair", "store.sqlite", "--yes", expecting: 4)
    #expect(refused.output.contains("1:aa"))
    #expect(refused.output.contains(all[0].checksum))
    #expect(refused.output.contains("--accept-checksum 1"))
    let half = try bench.migrate(
      "repair", "store.sqlite", "--yes", "--accept-checksum", "1", expecting: 4)
    #expect(half.output.contains("checksum 1:aa becomes \(all[0].checksum)"))
    #expect(half.output.contains("--accept-checksum 3"))
    _ = try bench.migrate(
      "repair", "store.sqlite", "--yes", "--accept-checksum", "3", expecting: 0)
    _ = try bench.migrate("status", "store.sqlite", expecting: 0)
    let known = try bench.migrationFolder()
    let export = try bench.cellar(
      "inspect", "export", "store.sqlite", "--list", "l", "--migrations", known, expecting: 0)
    #expect(export.output.contains(#""id":"i""#))
  }

  @Test func whatCanNotBeRepairedIsSaidAndStays() throws {
    try bench.change("ALTER TABLE cell ADD COLUMN other TEXT")
    let before = try FolderSnapshot(of: bench.folder.url)
    let table = try bench.cellar("migrate", "repair", "store.sqlite", "--yes", expecting: 4)
    #expect(table.output.contains("table cell is not as the version has it"))
    try bench.change("PRAGMA user_version = 99")
    _ = try bench.cellar("migrate", "repair", "store.sqlite", "--yes", expecting: 5)
    try bench.change("PRAGMA user_version = \(Migration.latestVersion)")
    #expect(before.names == (try FolderSnapshot(of: bench.folder.url)).names)
  }

  @Test func damageIsFoundSaidAndRepaired() throws {
    let export = try bench.export()
    try bench.change("UPDATE list SET digest = 7; UPDATE section SET itemCount = 9")
    let damaged = try Data(contentsOf: bench.folder.file("store.sqlite"))
    let verified = try bench.cellar("migrate", "verify", "store.sqlite", "--json", expecting: 2)
    #expect(try verified.output.object()["outcome"] as? String == "damaged")
    let asked = try bench.cellar("migrate", "repair", "store.sqlite", expecting: 2)
    #expect(asked.output.contains("with a new id: apps that follow its lists load them anew"))
    #expect(asked.output.contains("list \"l\": its sections count 1 item, not 9, with --yes"))
    #expect(try Data(contentsOf: bench.folder.file("store.sqlite")) == damaged)
    #expect(try bench.folder.contents().keys.sorted() == ["store.sqlite"])

    let repaired = try bench.cellar(
      "migrate", "repair", "store.sqlite", "--yes", "--json", expecting: 0)
    let result = try repaired.output.object()
    #expect(result["outcome"] as? String == "repaired")
    let backup = try #require(result["backup"] as? String)
    #expect(backup.contains("/.backups/store.damaged.2"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == damaged)
    _ = try bench.cellar("migrate", "verify", "store.sqlite", expecting: 0)
    _ = try bench.cellar("inspect", "check", "store.sqlite", expecting: 0)
    #expect(try bench.export() == export)
    // A second time there is nothing to do; the copy is no store of the folder.
    let folder = try bench.cellar("migrate", "repair", ".", "--yes", expecting: 0)
    #expect(folder.output.split(separator: "\n").count == 1)
  }

  /// Whether a backup is there, which may have more.
  @Test(arguments: [false, true])
  func whatWouldBeLostIsNamedAndMustBeAccepted(hasBackup: Bool) throws {
    if hasBackup { _ = try bench.cellar("migrate", "backup", "store.sqlite", expecting: 0) }
    try bench.change("DELETE FROM content")
    let before = try FolderSnapshot(of: bench.folder.url)
    let loss = "  lost        list \"l\": 1 of 1 item is lost: i\n"
    for arguments in [["--yes"], [], ["--accept-loss"]] {
      let refused = try bench.cellar(
        ["migrate", "repair", "store.sqlite"] + arguments, expecting: 2)
      #expect(refused.output.contains(", not repaired\n"))
      #expect(refused.output.contains(loss))
      if arguments.contains("--accept-loss") { continue }
      #expect(refused.output.contains("nothing was changed: --accept-loss"))
      #expect(refused.output.contains("`cellar repair \(bench.store) --to NEW`"))
      #expect(refused.output.contains("`cellar restore \(bench.folder.url.path)/.b") == hasBackup)
    }
    #expect(try FolderSnapshot(of: bench.folder.url).contents == before.contents)

    let repaired = try bench.cellar(
      "migrate", "repair", "store.sqlite", "--yes", "--accept-loss", "--json", expecting: 2)
    let result = try repaired.output.object()
    #expect(result["outcome"] as? String == "repaired in part")
    let losses = try #require(result["losses"] as? [String])
    #expect(losses.contains("list \"l\": 1 of 1 item is lost: i"))
    _ = try bench.cellar("migrate", "verify", "store.sqlite", expecting: 0)
  }

  /// The store of the issue: all items, and 317 of 417.
  @Test(arguments: [false, true]) func pagesOfZerosAreNoRepair(isEverySecond: Bool) throws {
    let items = (0..<417).map { insertItem("n\($0)", "{\"words\":\"some words about \($0)\"}") }
    try bench.fill(commit(2, items.joined(separator: ",")))
    let file = bench.folder.file("store.sqlite")
    var bytes = try Data(contentsOf: file)
    for page in 1..<bytes.count / 4_096 {
      // A leaf of a table with rowids, such as that of contents.
      guard isEverySecond ? page % 2 == 0 : bytes[page * 4_096] == 13 else { continue }
      bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    }
    try bytes.write(to: file)
    let refused = try bench.cellar(
      "migrate", "repair", "store.sqlite", "--yes", "--json", expecting: 2)
    let result = try refused.output.object()
    #expect(result["outcome"] as? String == "not repaired")
    let losses = try #require(result["losses"] as? [String])
    #expect(losses.contains { $0.contains(" of 418 items are lost: ") }, "\(losses)")
    #expect(try Data(contentsOf: file) == bytes)
    let recovered = try bench.cellar(
      "inspect", "recover", "store.sqlite", "new.sqlite", "--json", expecting: 2)
    #expect(try recovered.output.object()["losses"] as? [String] == losses)
  }

  @Test func whatAnAppHasAddedComesAlong() throws {
    try bench.change(
      "CREATE TABLE note (words TEXT)", "INSERT INTO note VALUES ('mine')",
      "CREATE INDEX note_words ON note (words)", "CREATE VIEW notes AS SELECT * FROM note",
      "UPDATE section SET itemCount = 9")
    let repaired = try bench.cellar("migrate", "repair", "store.sqlite", "--yes", expecting: 0)
    #expect(
      repaired.output.contains("added is kept: table note, index note_words, view notes\n"))
    try bench.change("UPDATE note SET words = (SELECT words || '!' FROM notes)")
    try bench.change(
      "CREATE INDEX note_upper ON note (upper(words))", "UPDATE section SET itemCount = 9")
    let refused = try bench.cellar("migrate", "repair", "store.sqlite", "--yes", expecting: 2)
    #expect(refused.output.contains("  lost        index note_upper of the app is left out: "))
  }

  @Test func aFileWithoutRowsStaysAndSoDoesAText() throws {
    _ = try bench.folder.write("no store", to: "text")
    try Data(repeating: 9, count: 8_192).write(to: bench.folder.file("nines"))
    let before = try bench.folder.contents()
    _ = try bench.cellar("migrate", "repair", "text", "--yes", expecting: 1)
    let nines = try bench.cellar("migrate", "repair", "nines", "--yes", expecting: 1)
    #expect(nines.errors.contains("it has no page of a database"))
    #expect(try bench.folder.contents() == before)
  }
}
