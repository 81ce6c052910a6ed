import Foundation
import GRDB
import SchemaSupport
import StoreSchema
import TestSupport
import Testing

/// A process that migrates a large store is killed at random moments.
@Suite struct KilledMigrationTests {
  /// `CELLAR_KILLS` asks for another number.
  private static let kills =
    ProcessInfo.processInfo.environment["CELLAR_KILLS"].flatMap(Int.init) ?? 8

  private static let migrations = TestMigrations.all
  private static let latest = migrations.latestVersion

  private func up(_ file: URL, to version: Int = .max, backsUp: Bool? = nil) throws -> [String] {
    try Migrator.up(file, to: version, migrations: Self.migrations, backsUp: backsUp).names
  }

  private func status(_ file: URL) throws -> SchemaStatus {
    try SchemaStatus(of: file, migrations: Self.migrations)
  }

  /// In parts that run side by side.
  @Test(arguments: 0..<2) func theStoreIsWhollyOfTheOldVersionOrOfTheNewOne(_ part: Int) throws {
    let folder = try TemporaryFolder()
    let old = folder.file("old.sqlite")
    try makeLargeStore(at: old, copies: 60)
    let migrated = folder.file("migrated.sqlite")
    try FileManager.default.copyItem(at: old, to: migrated)
    let start = ContinuousClock.now
    #expect(try up(migrated) == Self.migrations.dropFirst(Migration.latestVersion).map(\.name))
    let duration = (ContinuousClock.now - start) / .microseconds(1)
    try checkInvariants(of: migrated, migrations: Self.migrations)
    let tables = try rows(ofVersionsOf: old)
    let new = try #require(tables[Self.latest])
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

      let version = try status(file).version
      versions[version, default: 0] += 1
      #expect(version == Self.latest || !isAcknowledged, "\(hint)")
      #expect(try storedRows(of: file) == tables[version], "\(hint)")
      // One of the old version is killed again, with what the kill has left beside it.
      guard version == Self.latest else { continue }
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file.path + suffix)
      }
      file = old
    }
    if file != old {
      _ = try up(file)
      #expect(try storedRows(of: file) == new)
    }
    #expect(killsInside > 0, "the kills must hit a migration, not its end: \(versions)")
  }

  /// The rows of a store of the library's version at each version from there on.
  private func rows(ofVersionsOf store: URL) throws -> [Int: [String]] {
    let folder = try TemporaryFolder()
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(at: store, to: copy)
    return try (Migration.latestVersion...Self.latest).reduce(into: [:]) { rows, version in
      _ = try up(copy, to: version, backsUp: false)
      rows[version] = try storedRows(of: copy)
    }
  }

  @Test(arguments: [Migration.latestVersion, TestMigrations.rewriting])
  func oneOfTwoProcessesMigratesAndBothGoOn(_ version: Int) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try TestMigrations.makeStore(at: file, version: version)
    let processes = try (0..<2).map {
      try StoreProcess(file, ["migrate-once"], output: folder.file("output-\($0)"))
    }
    let names = try processes.flatMap { try $0.waitAndRead() }
    #expect(names.sorted() == Self.migrations.dropFirst(version).map { $0.name[...] })
    #expect(try status(file).applied.map(\.name) == Self.migrations.map(\.name))
    #expect(StoreBackup.all(of: file).allSatisfy { $0.version == version })
  }

  @Test func aKilledWayDownLeavesOneVersionOrTheOther() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try makeLargeStore(at: file, copies: 2)
    let expected = try rows(ofVersionsOf: file)
    _ = try up(file, backsUp: false)
    var generator = SeededGenerator(seed: 7)
    for number in 1...Self.kills {
      let process = try StoreProcess(file, ["down-and-up"], output: folder.file("output"))
      process.waitForOutput()
      usleep(UInt32(generator.number(0..<300_000)))
      _ = try process.killAndRead()
      let status = try status(file)
      #expect(status.version >= Self.latest - 1, "kill \(number)")
      #expect(try storedRows(of: file) == expected[status.version], "kill \(number)")
      for backup in StoreBackup.all(of: file) {
        #expect(try storedRows(of: backup.file) == expected[backup.version], "kill \(number)")
      }
    }
    // Whoever makes a backup deletes what killed processes left.
    for _ in 0..<StoreBackup.keptCount { _ = try StoreBackup.make(of: file) }
    let left = try FileManager.default.contentsOfDirectory(
      atPath: folder.file(".backups").path)
    #expect(left.count == StoreBackup.keptCount)
  }

  @Test func aKilledRestoreLeavesOneStoreOrTheOther() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try makeLargeStore(at: file, copies: 4)
    let first = folder.file("first.sqlite")
    _ = try StoreBackup.make(of: file, at: first)
    _ = try up(file, backsUp: false)
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
    _ = try StoreBackup.restore(second, to: file, migrations: Self.migrations)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        == [".backups", "first.sqlite", "output", "second.sqlite", "store.sqlite"])
  }
}
