import Foundation
import GRDB
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// What can't be a store is refused by every command, and stays as it is; so does one without room.
@Suite struct StoreRefusalTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  /// Runs every command on the store; each must fail, say why, and change no name and no byte.
  ///
  /// `isMade`: Whether a command that makes a store does so here, and is left out.
  private func expectRefusal(
    _ words: String..., code: Int32 = 1, isMade: Bool = false, isInspected: Bool = true,
    hasVersion: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try FolderSnapshot(of: bench.folder.url)
    var outcomes = [
      try bench.cellar("migrate", "up", bench.store, expecting: code),
      try bench.cellar("migrate", "status", bench.store, expecting: code),
    ]
    if !isMade {
      outcomes.append(
        try bench.cellar(
          "replay", "-", "--store", bench.store, input: commit(1, insertSection("s")),
          expecting: code))
    }
    if isInspected {
      outcomes += [
        try bench.cellar("inspect", "info", bench.store, expecting: code),
        try bench.cellar("inspect", "export", bench.store, "--list", "l", expecting: code),
      ]
    }
    for outcome in outcomes {
      let isTold = hasVersion && outcome.output.contains(": schema version ")
      #expect(outcome.output == "" || isTold, sourceLocation: sourceLocation)
      for word in words + [bench.store] {
        #expect(outcome.errors.contains(word), "\(outcome)", sourceLocation: sourceLocation)
      }
    }
    let after = try FolderSnapshot(of: bench.folder.url)
    #expect(before.contents == after.contents, sourceLocation: sourceLocation)
    #expect(before.names == after.names, sourceLocation: sourceLocation)
  }

  @Test func aFolderIsNoStore() throws {
    try FileManager.default.createDirectory(
      atPath: bench.store, withIntermediateDirectories: false)
    try expectRefusal("a folder")
  }

  @Test func aTextIsNoStore() throws {
    _ = try bench.folder.write("Dear diary,\n", to: "store.sqlite")
    try expectRefusal("not an SQLite database")
  }

  @Test func anEmptyFileIsNoStore() throws {
    _ = try bench.folder.write("", to: "store.sqlite")
    try expectRefusal("empty", isMade: true)
    _ = try bench.cellar(
      "replay", "-", "--store", bench.store, input: commit(1, insertSection("s")), expecting: 0)
    _ = try bench.cellar("inspect", "check", bench.store, expecting: 0)
  }

  @Test func anotherProgramsDatabaseIsNoStore() throws {
    try bench.change("CREATE TABLE diary (text)")
    try expectRefusal("another program")
  }

  @Test func aStoreThatWasCutOffIsDamaged() throws {
    try bench.fill(commit(1, insertSection("s")))
    let whole = try Data(contentsOf: URL(fileURLWithPath: bench.store))
    for length in [50, 100, 4_096, whole.count / 2, whole.count - 1] {
      try whole.prefix(length).write(to: URL(fileURLWithPath: bench.store))
      try expectRefusal("damaged", "\(length) bytes", isInspected: false)
      let info = try bench.cellar("inspect", "info", bench.store, expecting: 2)
      #expect(info.output.contains("error: \(bench.store): only "), "what is there is told")
    }
  }

  @Test func aNewerStoreIsRefusedWithBothVersions() throws {
    try bench.fill(commit(1, insertSection("s")))
    try bench.change("PRAGMA user_version = 99")
    let words = ["version 99", "version \(Migration.latestVersion)", "newer"]
    try expectRefusal(words[0], words[1], words[2], code: 5, isInspected: false, hasVersion: true)
    for arguments in [["info"], ["export", "--list", "l"]] {
      let outcome = try bench.cellar(
        ["inspect", arguments[0], bench.store] + arguments.dropFirst(), expecting: 5)
      #expect(words.allSatisfy(outcome.errors.contains))
      #expect(outcome.output.contains("\"l\""), "it is read as far as its tables are known")
    }
  }

  @Test func aModifiedMigrationIsRefusedWithBothChecksums() throws {
    try bench.fill(commit(1, insertSection("s")))
    try bench.change("UPDATE schemaMigration SET checksum = '1:0011'")
    for arguments in [["migrate", "up"], ["migrate", "status"], ["inspect", "summary"]] {
      let outcome = try bench.cellar(arguments[0], arguments[1], bench.store, expecting: 4)
      #expect(outcome.errors.contains("1:0011"))
      #expect(outcome.errors.contains(Migration.all[0].checksum))
    }
    let outcome = try bench.replay(commit(2), expecting: 4)
    #expect(outcome.errors.contains("1:0011"))
  }

  /// Every command that takes a store.
  @Test func aStoreOfAnUnreleasedSchemaIsRefusedByEveryCommand() throws {
    try FileManager.default.copyItem(
      at: PackageFiles.fixture("unreleased.sqlite"), to: bench.folder.file("store.sqlite"))
    let before = try FolderSnapshot(of: bench.folder.url)
    let elsewhere = try TemporaryFolder()
    let set = try elsewhere.write("[{\"set\":\"a\",\"to\":1}]", to: "script").path
    let new = elsewhere.file("new").path
    var commands = ["status", "plan", "up", "verify", "repair", "backup"].map {
      ["migrate", $0, "STORE"]
    }
    commands += ["info", "check", "ls", "log", "space", "sizes", "cells", "wal"].map {
      ["inspect", $0, "STORE"]
    }
    let others: [[String]] = [
      ["migrate", "repair", "STORE", "--yes"], ["migrate", "down", "STORE", "--to", "1"],
      ["migrate", "restore", "STORE", new],
      ["migrate", "rename-cell", "A", "B", "STORE"],
      ["migrate", "rename-type", "A", "B", "STORE", "--dry-run"],
      ["migrate", "rename-view", "A", "B", "STORE"],
      ["migrate", "set-content", "STORE", "--type", "A", "--with", set],
      ["inspect", "show", "STORE", "item", "--list", "shelf"],
      ["inspect", "export", "STORE", "--list", "shelf"],
      ["inspect", "diff", "STORE", "STORE", "--list", "shelf"],
      ["inspect", "query", "STORE", "SELECT 1"],
      ["inspect", "report", "STORE", "--out", new],
      ["inspect", "recover", "STORE", new],
      ["inspect", "redact", "STORE", new],
      ["inspect", "info", "STORE", "--in-place"],
    ]
    commands += others
    for arguments in commands {
      let outcome = try bench.cellar(
        arguments.map { $0 == "STORE" ? bench.store : $0 }, expecting: 4)
      #expect(outcome.errors.contains("a store of an unreleased schema"), "\(arguments)")
      #expect(outcome.errors.contains(bench.store), "\(arguments)")
      #expect(outcome.output == "", "\(arguments)")
    }
    let replay = try bench.replay(commit(1, insertSection("s")), expecting: 4)
    #expect(replay.errors.contains("a store of an unreleased schema"))
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
    #expect(try FolderSnapshot(of: elsewhere.url).names == ["script"])
  }

  @Test func aLockedStoreIsToldByItsCode() throws {
    try bench.fill(commit(1, insertSection("s")))
    let queue = try DatabaseQueue(path: bench.store)
    try queue.inTransaction(.immediate) { _ in
      let outcome = try bench.replay(commit(2), expecting: 6)
      #expect(outcome.errors.contains("Error: "))
      return .rollback
    }
    try queue.close()
    try bench.replay(commit(2))
  }

  @Test func filesThatFailAlikeShareTheCode() throws {
    try bench.fill(commit(1, insertSection("s")))
    try bench.change("PRAGMA user_version = 99")
    _ = try bench.cellar("migrate", "status", bench.store, bench.store, expecting: 5)
    _ = try bench.cellar("migrate", "status", bench.store, "missing", expecting: 1)
  }

  @Test func aStoreInNoFolderSaysWhichIsMissing() throws {
    let outcome = try bench.cellar(
      "replay", "-", "--store", "no/such/store", input: commit(1), expecting: 1)
    #expect(outcome.errors.contains("there is no folder"))
    #expect(outcome.errors.contains("no/such"))
    #expect(try FolderSnapshot(of: bench.folder.url).names == [])
  }

  @Test func aLogWithoutItsStoreIsNotMixedIntoANewOne() throws {
    _ = try bench.folder.write("left over", to: "store.sqlite-wal")
    let outcome = try bench.replay(commit(1), expecting: 1)
    #expect(outcome.errors.contains("store.sqlite-wal"))
    #expect(try FolderSnapshot(of: bench.folder.url).names == ["store.sqlite-wal"])
  }

  // MARK: No room

  private let feed = (1...40).map { number in
    commit(
      number, number == 1 ? insertSection("s") : "{\"op\":\"updateSection\",\"section\":\"s\"}",
      insertItem("i\(number)", "\"\(String(repeating: "x", count: 40_000))\""))
  }.joined()

  /// Replays a feed that does not fit, through a shell that sees to that; then again, with room.
  private func expectUnharmed(by script: String, in bench: CommandBench) throws {
    _ = try bench.folder.write(feed, to: "feed")
    let outcome = try bench.shell(script)
    // A file that may not grow fails otherwise than a disk that is full.
    #expect([1, 9].contains(outcome.exitCode), "\(outcome)")
    #expect((outcome.exitCode == 9) == outcome.errors.contains("no room"), "\(outcome)")
    #expect(outcome.errors.contains("Error: "))
    #expect(outcome.errors.contains("no room") || outcome.errors.contains("writing failed"))
  }

  @Test(arguments: [100, 400, 1_500]) func aFileThatMayGrowNoFurtherIsAFailureThatLosesNothing(
    _ blocks: Int
  ) throws {
    try expectUnharmed(
      by: "ulimit -f \(blocks); exec \"$cellar\" replay feed --store store.sqlite", in: bench)
    if FileManager.default.fileExists(atPath: bench.store) {
      try bench.cellar("inspect", "summary", "store.sqlite", expecting: 0)
    } else {
      #expect(try FolderSnapshot(of: bench.folder.url).names == ["feed"], "no draft is left")
    }
    try bench.cellar("replay", "feed", "--store", "store.sqlite", expecting: 0)
    let roomy = try CommandBench()
    try roomy.replay(feed)
    #expect(try bench.export() == roomy.export())
    try bench.cellar("inspect", "summary", "store.sqlite", expecting: 0)
  }

  /// Whether a small disk can be made here: it takes the superuser, and not every container lets.
  private static let canMount: Bool = {
    guard geteuid() == 0, let bench = try? CommandBench() else { return false }
    let outcome = try? bench.shell("mkdir m && mount -t tmpfs -o size=1m tmpfs m && umount m")
    return outcome?.exitCode == 0
  }()

  @Test(.enabled(if: canMount)) func aFullDiskIsAFailureThatLosesNothing() throws {
    try expectUnharmed(
      by: """
        mkdir disk && mount -t tmpfs -o size=700k tmpfs disk || exit 9
        "$cellar" replay feed --store disk/store.sqlite
        code=$?
        "$cellar" inspect summary disk/store.sqlite --json >summary || code=8
        cp disk/store.sqlite* .
        umount disk
        exit $code
        """, in: bench)
    let summary = try String(contentsOf: bench.folder.file("summary"), encoding: .utf8).object()
    #expect(summary["integrity"] as? [String] == ["ok"])
    try bench.cellar("replay", "feed", "--store", "store.sqlite", expecting: 0)
    let roomy = try CommandBench()
    try roomy.replay(feed)
    #expect(try bench.export() == roomy.export())
  }
}
