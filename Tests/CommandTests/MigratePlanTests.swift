import Foundation
import GRDB
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// What `cellar migrate plan` says is what `cellar migrate up` then does.
@Suite struct MigratePlanTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  /// Damage that an earlier version's tables can have; much of it is in no way of a migration.
  private static let damage = [
    "UPDATE list SET digest = 7", "UPDATE list SET chain = 7", "DELETE FROM change",
    "UPDATE section SET itemCount = itemCount + 1", "DELETE FROM blockExtent",
    "UPDATE block SET memberCount = 0", "DELETE FROM listCommit WHERE revision % 3 = 0",
    "UPDATE list SET feedSequence = 0", "DELETE FROM item WHERE rowid % 5 = 0",
    "UPDATE itemContent SET content = '{'", "DROP TRIGGER section_update",
    "CREATE TABLE other (a); INSERT INTO other VALUES (1), (2)",
  ]

  /// Makes a store of a random earlier version, some with damage; returns what was done.
  private func makeStore(_ generator: inout SeededGenerator) throws -> String {
    let latest = TestMigrations.all.latestVersion
    let version = generator.number(Migration.latestVersion..<latest + 1)
    let file = bench.folder.file("store.sqlite")
    try? FileManager.default.removeItem(at: file)
    try TestMigrations.makeStore(at: file, version: version)
    guard generator.percent(50), let damage = generator.element(of: Self.damage) else {
      return "\(version)"
    }
    // Not every version has the table.
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try? db.execute(sql: damage)
    }
    try queue.close()
    return "\(version), \(damage)"
  }

  private func rows() throws -> [String: Int] {
    let queue = try DatabaseQueue(path: bench.store)
    defer { try? queue.close() }
    return try queue.read { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'
            AND name NOT GLOB 'search*'
          """)
      return Dictionary(
        uniqueKeysWithValues: try tables.map { table in
          (table, try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(table)\"") ?? -1)
        })
    }
  }

  private func rows(_ plan: [String: Any], _ member: String) -> [String: Int] {
    let tables = plan["tables"] as? [[String: Any]] ?? []
    return Dictionary(
      uniqueKeysWithValues: tables.compactMap { table in
        guard let name = table["name"] as? String, let count = table[member] as? Int else {
          return nil
        }
        return (name, count)
      })
  }

  private func messages(_ findings: Any?) -> [String] {
    (findings as? [[String: Any]] ?? []).compactMap { $0["message"] as? String }
  }

  /// `CELLAR_SEEDS=5` takes 50 stores.
  @Test(arguments: 0..<SeededGenerator.count(10))
  func upDoesWhatPlanSaid(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let made = try makeStore(&generator)
    let target = generator.number(
      Migration.latestVersion..<(TestMigrations.all.latestVersion + 1))
    let comment = Comment(rawValue: "seed \(seed): \(made), to \(target)")
    let arguments = ["store.sqlite", "--json", "--to", "\(target)"]
    let before = try FolderSnapshot(of: bench.folder.url)
    let planned = try bench.migrate(["plan"] + arguments)
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [], comment)
    let result = try planned.output.object()
    guard let plan = result["plan"] as? [String: Any] else {
      // What can't be planned is refused.
      let refused = try bench.migrate(["up"] + arguments, expecting: planned.exitCode)
      #expect(refused.errors == planned.errors, comment)
      #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [], comment)
      return
    }
    #expect(plan["byteCountBefore"] as? Int == FileStatus(of: bench.store)?.byteCount, comment)
    #expect(rows(plan, "rowsBefore") == (try rows()), comment)
    let up = try bench.migrate(["up"] + arguments, expecting: 0)
    let migrated = try up.output.object()
    #expect(migrated["schemaVersion"] as? Int == plan["toVersion"] as? Int, comment)
    let steps = (plan["steps"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    let applied = (migrated["migrations"] as? [[String: String]] ?? [])
      .filter { $0["state"] == "applied now" }.compactMap { $0["name"] }
    #expect(applied == steps, comment)
    #expect(rows(plan, "rowsAfter") == (try rows()), comment)
    #expect(plan["byteCountAfter"] as? Int == FileStatus(of: bench.store)?.byteCount, comment)
    let verified = try bench.migrate("verify", bench.store, "--json")
    #expect(verified.exitCode == planned.exitCode, comment)
    #expect(
      messages(try verified.output.object()["findings"]) == messages(plan["findings"]), comment)
  }

  @Test func aPlanTellsRowsBytesAndDisk() throws {
    try TestMigrations.makeStore(at: bench.folder.file("store.sqlite"))
    let plain = try bench.migrate("plan", "store.sqlite", expecting: 0)
    #expect(plain.output.contains("schema version \(Migration.latestVersion) of"))
    let rewriting = TestMigrations.all[Migration.latestVersion].name
    #expect(plain.output.contains("\(rewriting), writes tables anew"))
    #expect(plain.output.contains("rows        note: no table, then 90"))
    #expect(plain.output.contains("rows        badge: no table, then 0"))
    #expect(plain.output.contains("rows        as many in "))
    #expect(plain.output.contains("  then        sound"))
    let json = try bench.migrate("plan", "store.sqlite", "--json", expecting: 0)
    let plan = try #require(json.output.object()["plan"] as? [String: Any])
    #expect((plan["neededByteCount"] as? Int ?? 0) > 3 * (plan["byteCountBefore"] as? Int ?? 0))
    #expect((plan["freeByteCount"] as? Int ?? 0) > 0)
    _ = try bench.migrate("up", "store.sqlite", expecting: 0)
    let nothing = try bench.migrate("plan", "store.sqlite", expecting: 0)
    #expect(nothing.output.contains("nothing to do"))
    _ = try bench.migrate("plan", "missing.sqlite", expecting: 1)
  }
}
