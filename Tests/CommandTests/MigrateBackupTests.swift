import Foundation
import SchemaSupport
import StoreSchema
import TestSupport
import Testing

/// `cellar migrate down`, `backup`, `backups` and `restore`, and the backups of `up`.
@Suite struct MigrateBackupTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  private func copy(_ version: Int) throws {
    try TestMigrations.makeStore(at: bench.folder.file("store.sqlite"), version: version)
  }

  private static let oldest = Migration.latestVersion
  private static let rewritten = TestMigrations.rewriting
  private static let latest = TestMigrations.all.latestVersion

  private func backups() throws -> [[String: Any]] {
    let outcome = try bench.migrate("backups", "store.sqlite", "--json", expecting: 0)
    return try #require(outcome.output.object()["backups"] as? [[String: Any]])
  }

  @Test(arguments: [
    // More than one step, one step that adds columns, and both against the usual.
    (oldest, "auto", true), (latest - 1, "auto", false), (latest - 1, "always", true),
    (oldest, "never", false),
  ])
  func upMakesABackupWhereItIsWorthIt(_ version: Int, _ choice: String, _ isMade: Bool) throws {
    try copy(version)
    let before = try Data(contentsOf: bench.folder.file("store.sqlite"))
    let plan = try bench.migrate("plan", "store.sqlite", "--json", expecting: 0)
    let planned = try plan.output.object()["plan"] as? [String: Any]
    if choice == "auto" { #expect(planned?["makesBackup"] as? Bool == isMade) }
    let up = try bench.migrate("up", "store.sqlite", "--backup", choice, "--json", expecting: 0)
    let path = try up.output.object()["backup"] as? String
    #expect((path != nil) == isMade)
    let backups = try backups()
    #expect(backups.map { $0["file"] as? String } == (isMade ? [path] : []))
    guard let path else { return }
    #expect(backups.first?["schemaVersion"] as? Int == version)
    // What is restored is the version before.
    let refused = try bench.migrate("restore", path, "store.sqlite", expecting: 1)
    #expect(refused.errors.contains("nothing was done without --yes"))
    _ = try bench.migrate("restore", path, "store.sqlite", "--yes", expecting: 0)
    let status = try bench.migrate("status", "store.sqlite", "--json", expecting: 0)
    #expect(try status.output.object()["schemaVersion"] as? Int == version)
    _ = try bench.migrate("verify", "store.sqlite", expecting: 0)
    #expect(!before.isEmpty)
  }

  @Test func downUndoesWhatLosesNothingAndRefusesTheRest() throws {
    try copy(Self.rewritten)
    _ = try bench.migrate("up", "store.sqlite", expecting: 0)
    let down = try bench.migrate(
      "down", "store.sqlite", "--to", "\(Self.rewritten)", expecting: 0)
    #expect(down.output.contains("undone now  \(TestMigrations.all.last?.name ?? "")"))
    #expect(down.output.contains("  backup      "))
    _ = try bench.migrate("verify", "store.sqlite", expecting: 0)
    let before = try FolderSnapshot(of: bench.folder.url)
    let refused = try bench.migrate(
      "down", "store.sqlite", "--to", "\(Self.oldest)", expecting: 1)
    #expect(refused.errors.contains("\(TestMigrations.all[Self.oldest].name) can't be undone"))
    #expect(before.contents == (try FolderSnapshot(of: bench.folder.url)).contents)
    _ = try bench.migrate("up", "store.sqlite", expecting: 0)
    _ = try bench.migrate("verify", "store.sqlite", expecting: 0)
  }

  @Test func aRestoreKeepsWhatItReplaces() throws {
    try copy(Self.rewritten)
    let mine = bench.folder.file("mine.sqlite").path
    _ = try bench.migrate("backup", "store.sqlite", "--out", mine, expecting: 0)
    _ = try bench.migrate("up", "store.sqlite", "--backup", "never", expecting: 0)
    _ = try bench.migrate("restore", mine, "store.sqlite", "--yes", "--no-backup", expecting: 0)
    #expect(try backups().isEmpty)
    _ = try bench.migrate("up", "store.sqlite", "--backup", "never", expecting: 0)
    let restored = try bench.migrate(
      "restore", mine, "store.sqlite", "--yes", "--json", expecting: 0)
    let former = try #require(try restored.output.object()["formerStore"] as? String)
    #expect(try backups().map { $0["file"] as? String } == [former])
    let back = try bench.migrate("restore", former, "store.sqlite", "--yes", expecting: 0)
    #expect(back.output.contains("schema version \(Self.latest) of \(Self.latest)"))
    #expect(back.output.contains("\n  backup      "))
  }

  @Test func threeBackupsAreKeptAndOneOutsideIsLeftAlone() throws {
    try copy(Self.rewritten)
    let out = try bench.migrate("backup", "store.sqlite", "--out", "mine.sqlite", expecting: 0)
    #expect(out.output.contains("mine.sqlite"))
    let again = try bench.migrate("backup", "store.sqlite", "--out", "mine.sqlite", expecting: 1)
    #expect(again.errors.contains("there is a file already"))
    for _ in 0..<4 { _ = try bench.migrate("backup", "store.sqlite", expecting: 0) }
    #expect(try backups().count == 3)
    try FileManager.default.removeItem(atPath: bench.store)
    // The backups of a store that is lost are found all the same.
    let newest = try #require(try backups().first?["file"] as? String)
    let restored = try bench.migrate("restore", newest, "store.sqlite", expecting: 0)
    #expect(restored.output.contains("restored"))
    _ = try bench.migrate("backups", "gone.sqlite", expecting: 1)
    _ = try bench.folder.write("no backup", to: "text")
    _ = try bench.migrate("restore", "text", "store.sqlite", "--yes", expecting: 1)
    _ = try bench.migrate("verify", "store.sqlite", "mine.sqlite", expecting: 0)
  }
}
