import Foundation
import GRDB
import StoreSchema
import TestSupport
import Testing

/// A process that migrates a large store is killed at random moments.
@Suite struct KilledMigrationTests {
  /// `CELLAR_KILLS` asks for another number.
  private static let kills =
    ProcessInfo.processInfo.environment["CELLAR_KILLS"].flatMap(Int.init) ?? 8

  /// In parts that run side by side.
  @Test(arguments: 0..<2) func theStoreIsWhollyOfTheOldVersionOrOfTheNewOne(_ part: Int) throws {
    let folder = try TemporaryFolder()
    let old = folder.file("old.sqlite")
    try makeStoreOfVersionSix(at: old, copies: 60)
    let migrated = folder.file("migrated.sqlite")
    try FileManager.default.copyItem(at: old, to: migrated)
    let start = ContinuousClock.now
    #expect(try Migrator.up(migrated).names == Migration.all.dropFirst(6).map(\.name))
    let duration = (ContinuousClock.now - start) / .microseconds(1)
    try checkInvariants(of: migrated)
    let tables = try rows(ofVersionsOf: old)
    let new = try #require(tables[Migration.latestVersion])
    #expect(try storedRows(of: migrated) == new)

    var generator = SeededGenerator(seed: UInt64(part))
    var versions: [Int: Int] = [:]
    var killsInside = 0
    var file = old
    for number in 1...max(2, Self.kills / 2) {
      let hint = "part \(part), kill \(number)"
      if file == old {
        file = folder.file("store-\(number).sqlite")
        try FileManager.default.copyItem(at: old, to: file)
      }
      let process = try StoreProcess(file, ["migrate"], output: folder.file("output"))
      process.waitForOutput()
      // The first one at once: on a machine with much to do all others may come too late.
      if number > 1 { usleep(UInt32(generator.number(0..<Int(duration * 1.1)))) }
      let isAcknowledged = try process.killAndRead().contains("migrated")
      if !isAcknowledged { killsInside += 1 }

      let version = try SchemaStatus(of: file).version
      versions[version, default: 0] += 1
      #expect(version == Migration.latestVersion || !isAcknowledged, "\(hint)")
      #expect(try storedRows(of: file) == tables[version], "\(hint)")
      // One of the old version is killed again, with what the kill has left beside it.
      guard version == Migration.latestVersion else { continue }
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file.path + suffix)
      }
      file = old
    }
    if file != old {
      _ = try Migrator.up(file)
      #expect(try storedRows(of: file) == new)
    }
    #expect(killsInside > 0, "the kills must hit a migration, not its end: \(versions)")
  }

  /// The rows of a store of version 6 at each version from there on.
  private func rows(ofVersionsOf store: URL) throws -> [Int: [String]] {
    let folder = try TemporaryFolder()
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(at: store, to: copy)
    return try (6...Migration.latestVersion).reduce(into: [:]) { rows, version in
      _ = try Migrator.up(copy, to: version, backsUp: false)
      rows[version] = try storedRows(of: copy)
    }
  }

  @Test(arguments: [6, 7]) func oneOfTwoProcessesMigratesAndBothGoOn(_ version: Int) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try FileManager.default.copyItem(at: PackageFiles.fixture("v000\(version).sqlite"), to: file)
    let processes = try (0..<2).map {
      try StoreProcess(file, ["migrate-once"], output: folder.file("output-\($0)"))
    }
    let names = try processes.flatMap { try $0.waitAndRead() }
    #expect(names.sorted() == Migration.all.dropFirst(version).map { $0.name[...] })
    #expect(try SchemaStatus(of: file).applied.map(\.name) == Migration.all.map(\.name))
    #expect(StoreBackup.all(of: file).allSatisfy { $0.version == version })
  }

  @Test func aKilledWayDownLeavesOneVersionOrTheOther() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try makeStoreOfVersionSix(at: file, copies: 2)
    let expected = try rows(ofVersionsOf: file)
    _ = try Migrator.up(file, backsUp: false)
    var generator = SeededGenerator(seed: 7)
    for number in 1...Self.kills {
      let process = try StoreProcess(file, ["down-and-up"], output: folder.file("output"))
      process.waitForOutput()
      usleep(UInt32(generator.number(0..<300_000)))
      _ = try process.killAndRead()
      let status = try SchemaStatus(of: file)
      #expect(status.version >= Migration.latestVersion - 1, "kill \(number)")
      #expect(try storedRows(of: file) == expected[status.version], "kill \(number)")
      for backup in StoreBackup.all(of: file) {
        #expect(try storedRows(of: backup.file) == expected[backup.version], "kill \(number)")
      }
    }
    _ = try Migrator.up(file, backsUp: true)
    _ = try StoreBackup.make(of: file)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: folder.file(".backups").path)
    #expect(left.count == StoreBackup.keptCount)
  }

  @Test func aKilledRestoreLeavesOneStoreOrTheOther() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try makeStoreOfVersionSix(at: file, copies: 4)
    let first = folder.file("first.sqlite")
    _ = try StoreBackup.make(of: file, at: first)
    _ = try Migrator.up(file, backsUp: false)
    let second = folder.file("second.sqlite")
    _ = try StoreBackup.make(of: file, at: second)
    let expected = try [first, second].map { try storedRows(of: $0, isOfStore: false) }
    var generator = SeededGenerator(seed: 8)
    for number in 1...Self.kills {
      let process = try StoreProcess(
        file, ["restore", first.path, second.path], output: folder.file("output"))
      process.waitForOutput()
      usleep(UInt32(generator.number(0..<300_000)))
      _ = try process.killAndRead()
      let found = try storedRows(of: file, isOfStore: false)
      #expect(expected.contains(found), "kill \(number)")
      for backup in StoreBackup.all(of: file) {
        #expect(
          expected.contains(try storedRows(of: backup.file, isOfStore: false)), "kill \(number)")
      }
    }
    _ = try StoreBackup.restore(second, to: file)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        == [".backups", "first.sqlite", "output", "second.sqlite", "store.sqlite"])
  }
}
