import Foundation
import ListModel
import ListStore
import ListSync
import SchemaSupport
import StoreSchema
import TestSupport
import Testing

/// `cellar erase`.
@Suite struct EraseTests {
  private let bench: CommandBench
  private var file: URL { URL(fileURLWithPath: bench.store) }

  init() throws {
    bench = try CommandBench()
    let repository = try Repository(at: URL(fileURLWithPath: bench.store))
    try fill(repository)
    try repository.close()
    try bench.cellar("migrate", "backup", bench.store, expecting: 0)
  }

  private func fill(_ repository: Repository) throws {
    func insertion(_ item: ItemID, in section: SectionID) -> Change {
      .insertItem(Item(id: item, cell: "Card", content: #"{"text":"the secret"}"#), in: section)
    }
    try repository.commit(
      [.insertSection("friends"), .insertSection("foes")]
        + (["ann@x", "bob@x", "cid@x"] as [ItemID]).map { insertion($0, in: "friends") }
        + [insertion("dan@x", in: "foes")], to: "people")
    try repository.commit([.deleteItem("ann@x")], to: "people")
    try repository.commit([.insertSection("s"), insertion("eve@x", in: "s")], to: "the others")
  }

  private func contents() throws -> String {
    try FileManager.default.subpathsOfDirectory(atPath: bench.folder.url.path)
      .compactMap { try? Data(contentsOf: bench.folder.file($0)) }
      .map { String(decoding: $0, as: UTF8.self) }.joined()
  }

  /// What the command says as JSON, without the paths before names.
  private func answer(_ arguments: String...) throws -> String {
    try bench.cellar(["erase", bench.store, "--json"] + arguments, expecting: 0).output
      .replacingOccurrences(of: bench.folder.url.path + "/", with: "")
  }

  @Test func itemsAreErasedAndToldAndTheStoreIsSound() throws {
    let outcome = try bench.cellar(
      "erase", bench.store, "--list", "people", "--item", "ann@x", "--item", "bob@x", "--yes",
      expecting: 0)
    let backup = try #require(StoreBackup.all(of: file).first)
    #expect(
      outcome.output.hasPrefix("\(bench.store): erased 2 items\n  commit      3 of \"people\"\n"))
    #expect(outcome.output.contains("  deleted     "))
    #expect(
      outcome.output.hasSuffix("  backup      \(backup.file.path), of the store as it is now\n"))
    #expect(StoreBackup.all(of: file).count == 1)
    let all = try contents()
    #expect(!all.contains("ann@x") && !all.contains("bob@x") && all.contains("cid@x"))
    try bench.cellar("inspect", "check", bench.store, expecting: 0)
    try bench.cellar("migrate", "verify", bench.store, expecting: 0)
    let log = try bench.cellar("inspect", "log", bench.store, "--list", "people", expecting: 0)
    #expect(log.output.contains("by erase"))
    #expect(log.output.contains("erased "))
    #expect(log.output.contains("1 deleteItem"))
    let earlier = try bench.cellar(
      "inspect", "export", bench.store, "--list", "people", "--at", "1", expecting: 0)
    #expect(earlier.output.contains("erased ") && earlier.output.contains("cid@x"))
    #expect(!earlier.output.contains("ann@x"))
    try bench.cellar(
      "inspect", "diff", bench.store + "@1", bench.store + "@3", "--list", "people")
  }

  @Test func sectionsAndListsAreErased() throws {
    let old = StoreBackup.all(of: file)[0].file.lastPathComponent
    let sections = try answer("--list", "people", "--section", "friends", "--yes")
    let new = StoreBackup.all(of: file)[0].file.lastPathComponent
    // One of the items was deleted before.
    #expect(
      sections == """
        {"backup":".backups/\(new)","commits":[{"list":"people","revision":3}],\
        "deletedFiles":[".backups/\(old)"],"file":"store.sqlite","formatVersion":1,"items":3,\
        "lists":[],"sections":1}

        """)
    #expect(
      try answer("--list", "the others", "--yes").contains(#""items":0,"lists":["the others"]"#))
    let all = try contents()
    for text in ["ann@x", "bob@x", "cid@x", "eve@x", "the others", "friends"] {
      #expect(!all.contains(text), "\(text)")
    }
    #expect(all.contains("dan@x") && all.contains("foes"))
    try bench.cellar("inspect", "check", bench.store, expecting: 0)
  }

  @Test func nothingIsDoneWithoutAWordForIt() throws {
    let before = try FolderSnapshot(of: bench.folder.url)
    let dry = try answer("--list", "people", "--item", "ann@x", "--dry-run")
    let backup = StoreBackup.all(of: file)[0].file.lastPathComponent
    #expect(
      dry == """
        {"commits":[{"list":"people","revision":3}],"deletedFiles":[".backups/\(backup)"],\
        "dryRun":true,"file":"store.sqlite","formatVersion":1,"items":1,"lists":[],"sections":0}

        """)
    let refused = try bench.cellar(
      "erase", bench.store, "--list", "people", "--item", "ann@x", expecting: 1)
    #expect(refused.errors.contains("nothing was erased: it is not done without --yes"))
    try bench.cellar("erase", bench.store, "--item", "ann@x", "--yes", expecting: 64)
    try bench.cellar("erase", bench.store + "x", "--yes", expecting: 1)
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }

  @Test func whatIsNotThereIsRefused() throws {
    func export() throws -> String {
      try bench.cellar("inspect", "export", bench.store, "--list", "people", expecting: 0).output
    }
    let before = try export()
    for arguments in [
      ["--list", "people", "--item", "ann@x", "--item", "anne@x"],
      ["--list", "people", "--section", "s"], ["--list", "persons"],
    ] {
      let failed = try bench.cellar(["erase", bench.store, "--yes"] + arguments, expecting: 1)
      #expect(failed.errors.hasPrefix("Error: \(bench.store): "), "\(arguments)")
      let dry = try bench.cellar(["erase", bench.store, "--dry-run"] + arguments, expecting: 1)
      #expect(dry.errors == failed.errors)
    }
    #expect(try export() == before)
    #expect(StoreBackup.all(of: file).count == 1)
  }

  /// It is looked for in a copy first.
  @Test func aTypoDoesNotMigrate() throws {
    let old = bench.folder.file("old.sqlite")
    try FileManager.default.copyItem(at: file, to: old)
    let bytes = try Data(contentsOf: old)
    let migrations = try bench.migrationFolder()
    try bench.cellar(
      "erase", old.path, "--list", "people", "--item", "anne@x", "--yes", "--migrations",
      migrations,
      expecting: 1)
    #expect(try Data(contentsOf: old) == bytes)
    try bench.cellar(
      "erase", old.path, "--list", "people", "--item", "ann@x", "--yes", "--migrations", migrations,
      expecting: 0)
    #expect(try String(decoding: Data(contentsOf: old), as: UTF8.self).contains("ann@x") == false)
  }

  /// Somebody reads the store as it was: it is said, and the next call finishes.
  @Test func whatRemainsIsToldAndFinishedLater() throws {
    let repository = try Repository(existing: file)
    let provider = try repository.provider(for: "people")
    let busy = try bench.cellar(
      "erase", bench.store, "--list", "people", "--item", "ann@x", "--yes", expecting: 6)
    #expect(busy.output.contains("erased 1 item"))
    #expect(busy.errors.contains("another connection still reads the store as it was before"))
    withExtendedLifetime(provider) {}
    repository.suspend()
    let rest = try bench.cellar("erase", bench.store, "--yes", expecting: 0)
    #expect(rest.output.contains("erased what was deleted before"))
    #expect(try !contents().contains("ann@x"))
    #expect(!FileManager.default.fileExists(atPath: bench.store + "-erasing"))
  }
}
