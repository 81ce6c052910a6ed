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
    let new = try self.tables(of: migrated)
    // Version 8 changes none of these tables.
    let tables = [6: try tables(of: old), 7: new, 8: new]

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
      #expect(try self.tables(of: file) == tables[version], "\(hint)")
      // One of the old version is killed again, with what the kill has left beside it.
      guard version == Migration.latestVersion else { continue }
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file.path + suffix)
      }
      file = old
    }
    if file != old {
      _ = try Migrator.up(file)
      #expect(try self.tables(of: file) == new)
    }
    #expect(killsInside > 0, "the kills must hit a migration, not its end: \(versions)")
  }

  /// All rows of the tables that the migration writes, as text.
  private func tables(of file: URL) throws -> [String] {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
      return try [
        "list", "block", "item", "content", "itemContent", "listCommit", "change", "store",
      ]
      .filter { try db.tableExists($0) }
      .map { table in
        let columns = try db.columns(in: table).map { "quote(\($0.name))" }
        let row = columns.joined(separator: " || ',' || ")
        return try String.fetchOne(
          db,
          sql: """
            SELECT '\(table): ' || group_concat(line, char(10))
            FROM (SELECT \(row) AS line FROM \(table) ORDER BY line)
            """) ?? table
      }
    }
  }
}
