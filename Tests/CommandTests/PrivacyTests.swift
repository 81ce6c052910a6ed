import Foundation
import ListModel
import ListStore
import StoreFiles
import TestSupport
import Testing

/// Whatever is made from a store is as private as the store, and what is new is the user's alone.
@Suite struct PrivacyTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    try bench.fill(commit(1, insertSection("s"), insertItem("a")))
  }

  private func mode(_ path: String) throws -> Int {
    let path = path.hasPrefix("/") ? path : bench.folder.file(path).path
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  /// The files below a folder, with what they permit.
  private func modes(below folder: String) throws -> [String: Int] {
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: bench.folder.file(folder).path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try mode(folder + "/" + $0)) })
  }

  /// Runs commands as somebody does whose files are readable for all.
  private func shell(_ script: String) throws {
    let outcome = try bench.shell("umask 022; " + script)
    #expect(outcome.exitCode == 0, "\(script): \(outcome)")
  }

  @Test func aNewStoreIsTheUsersAlone() throws {
    #expect(try mode("store.sqlite") == 0o600)
    let repository = try Repository(existing: URL(fileURLWithPath: bench.store))
    try repository.commit([.insertSection("t")], to: "l")
    #expect(try mode("store.sqlite-wal") == 0o600)
    #expect(try mode("store.sqlite-shm") == 0o600)
    try Data(commit(1, insertSection("s")).utf8).write(to: bench.folder.file("feed"))
    try shell("\"$cellar\" replay feed --store new.sqlite --batches batches.ndjson")
    #expect(try mode("new.sqlite") == 0o600)
    #expect(try mode("batches.ndjson") == 0o600)
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o400, 0o666])
  func whatIsMadeFromAStoreIsAsPrivate(_ permissions: Int) throws {
    #expect(chmod(bench.store, mode_t(permissions)) == 0)
    try shell(
      """
      "$cellar" migrate backup store.sqlite && "$cellar" migrate backup store.sqlite --out out.sqlite &&
      "$cellar" inspect recover store.sqlite recovered.sqlite &&
      "$cellar" inspect redact store.sqlite redacted.sqlite &&
      "$cellar" inspect report store.sqlite --out page.html &&
      "$cellar" migrate restore out.sqlite restored.sqlite
      """)
    let expected = 0o600 | permissions & 0o066
    for name in ["out.sqlite", "recovered.sqlite", "restored.sqlite"] {
      #expect(try mode(name) == expected, "\(name)")
    }
    for name in ["redacted.sqlite", "page.html"] {
      #expect(try mode(name) & 0o177 & ~permissions == 0, "\(name)")
    }
    #expect(try mode(".backups") == 0o700)
    #expect(try modes(below: ".backups").map(\.value) == [expected])
    #expect(try mode("store.sqlite") == permissions)
  }

  /// Neither what was there nor what replaces it becomes more open.
  @Test func aRestoredStoreIsAsPrivateAsBoth() throws {
    for (backup, store, restored) in [
      (0o600, 0o644, 0o600), (0o644, 0o600, 0o600), (0o664, 0o646, 0o644),
    ] {
      try shell(
        """
        rm -f out.sqlite && "$cellar" migrate backup store.sqlite --out out.sqlite &&
        chmod \(String(backup, radix: 8)) out.sqlite && chmod \(String(store, radix: 8)) store.sqlite &&
        "$cellar" migrate restore out.sqlite store.sqlite --yes
        """)
      #expect(try mode("store.sqlite") == restored)
    }
  }

  @Test func aRepairedStoreAndTheDamagedOnesCopyAreAsPrivate() throws {
    try bench.change("UPDATE section SET itemCount = 99")
    #expect(chmod(bench.store, 0o640) == 0)
    try shell("\"$cellar\" migrate repair store.sqlite --yes")
    #expect(try mode("store.sqlite") == 0o640)
    #expect(try modes(below: ".backups").allSatisfy { $0.value & 0o077 & ~0o040 == 0 })
  }

  @Test func theDemoIsTheUsersAlone() throws {
    try shell("\"$cellar\" demo --out demo")
    #expect(try mode("demo") == 0o700)
    let modes = try modes(below: "demo")
    #expect(modes.count >= 4)
    #expect(modes.allSatisfy { $0.value == 0o600 }, "\(modes)")
  }

  // MARK: Folders that others have made

  @Test(arguments: ["link", "dangling link", "file", "open folder"])
  func aPlantedFolderIsNotWritten(_ kind: String) throws {
    let elsewhere = try TemporaryFolder()
    let folder = bench.folder.file(".backups").path
    switch kind {
    case "link":
      try FileManager.default.createSymbolicLink(
        atPath: folder, withDestinationPath: elsewhere.url.path)
    case "dangling link":
      try FileManager.default.createSymbolicLink(
        atPath: folder, withDestinationPath: elsewhere.file("gone").path)
    case "file": try Data().write(to: bench.folder.file(".backups"))
    default:
      #expect(mkdir(folder, 0o700) == 0 && chmod(folder, 0o777) == 0)
    }
    try expectRefusal()
    #expect(try elsewhere.contents().isEmpty)
    if kind == "open folder" { #expect(try modes(below: ".backups").isEmpty) }
  }

  /// Only the superuser can make one.
  @Test(.enabled(if: geteuid() == 0)) func anotherUsersFolderIsNotWritten() throws {
    let folder = bench.folder.file(".backups").path
    #expect(mkdir(folder, 0o700) == 0 && chown(folder, 4_242, 4_242) == 0)
    try expectRefusal()
    #expect(try modes(below: ".backups").isEmpty)
  }

  private func expectRefusal() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: bench.store))
    let migrations = try bench.migrationFolder()
    for arguments in [
      ["migrate", "backup", "store.sqlite"],
      ["migrate", "up", "store.sqlite", "--migrations", migrations, "--backup", "always"],
      ["migrate", "restore", PackageFiles.fixture("v0001.sqlite").path, "store.sqlite", "--yes"],
    ] {
      let outcome = try bench.cellar(arguments, expecting: 1)
      #expect(outcome.errors.contains("/.backups: "), "\(outcome)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: bench.store)) == before)
    }
    try bench.cellar("migrate", "backup", "store.sqlite", "--out", "out.sqlite", expecting: 0)
  }

  @Test func anEditFolderIsTheUsersAlone() throws {
    let store = URL(fileURLWithPath: bench.store)
    try Repository.EditFolder(for: store).append([.deleteItem("a")], to: "l")
    #expect(try mode("store.sqlite-edits") == 0o700)
    #expect(try modes(below: "store.sqlite-edits").map(\.value) == [0o600])
    let other = bench.folder.file("other.sqlite")
    let elsewhere = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: other.path + "-edits", withDestinationPath: elsewhere.url.path)
    let error = #expect(throws: StoreError.self) {
      try Repository.EditFolder(for: other).append([.deleteItem("a")], to: "l")
    }
    #expect(error?.code == .notWritable)
    #expect(try elsewhere.contents().isEmpty)
  }
}
