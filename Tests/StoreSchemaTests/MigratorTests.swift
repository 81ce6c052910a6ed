import Dispatch
import Foundation
import GRDB
import ListModel
import SchemaSupport
import StoreFiles
import StoreSchema
import StoreSupport
import TestSupport
import Testing

/// Stores get each migration once, whole, or stay what they were.
@Suite struct MigratorTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }

  init() throws { bench = try SchemaBench() }

  private func migrate(_ migrations: [Migration]) throws -> [String] {
    let queue = try DatabaseQueue(path: file.path, configuration: .store())
    defer { try? queue.close() }
    return try Migrator.migrate(queue, file: file.path, migrations: migrations).names
  }

  private func version() throws -> Int? { try bench.integer("PRAGMA user_version") }

  // MARK: What is applied

  @Test func aBareStoreGetsAllMigrationsOnce() throws {
    try bench.makeBareStore()
    #expect(try SchemaStatus(of: file).version == 0)
    #expect(try SchemaStatus(of: file).pending == Migration.all.map(\.name))
    #expect(try Migrator.up(file).names == Migration.all.map(\.name))
    #expect(try Migrator.up(file).names == [])
    let status = try SchemaStatus(of: file)
    #expect(status.version == Migration.latestVersion)
    #expect(status.pending == [])
    #expect(status.applied.map(\.name) == Migration.all.map(\.name))
    #expect(status.applied.map(\.checksum) == Migration.all.map(\.checksum))
    let age = Date().timeIntervalSince1970 * 1_000 - Double(status.applied[0].appliedAt)
    #expect((0...600_000).contains(age))
  }

  @Test func aMigratedStoreHasTheSchemaOfAFreshOne() throws {
    try bench.makeBareStore()
    _ = try Migrator.up(file)
    let fresh = try SchemaBench()
    try fresh.makeStore()
    let schemas = try [bench, fresh].map { bench in
      let queue = try DatabaseQueue(path: bench.file.path)
      return try queue.read { db in
        try String.fetchAll(
          db, sql: "SELECT name || coalesce(sql, '') FROM sqlite_schema ORDER BY rowid")
      }
    }
    #expect(schemas[0] == schemas[1])
  }

  @Test func laterMigrationsFollowInOrder() throws {
    try bench.makeStore()
    let all = Migration.following([
      "CREATE TABLE first (a INTEGER)", "CREATE TABLE second (b INTEGER); DROP TABLE first",
    ])
    let added = all.suffix(2).map(\.name)
    #expect(try migrate(all.dropLast()) == [added[0]])
    #expect(try bench.integer("SELECT count(*) FROM first") == 0)
    #expect(try migrate(all) == [added[1]])
    #expect(try version() == Migration.latestVersion + 2)
    #expect(try bench.integer("SELECT count(*) FROM second") == 0)
    #expect(
      try bench.integer("SELECT max(version) FROM schemaMigration") == Migration.latestVersion + 2)
  }

  @Test(arguments: 0...TestMigrations.all.latestVersion)
  func aStoreOfEachVersionGetsWhatItHasNotHad(_ version: Int) throws {
    let all = TestMigrations.all
    try bench.makeBareStore()
    #expect(try migrate(Array(all.prefix(version))) == all.prefix(version).map(\.name))
    #expect(try SchemaStatus(of: file, migrations: all).version == version)
    let rest = all.dropFirst(version).map(\.name)
    #expect(try SchemaStatus(of: file, migrations: all).pending == rest)
    #expect(try Migrator.up(file, migrations: all).names == rest)
    #expect(try SchemaStatus(of: file, migrations: all).version == all.latestVersion)
  }

  // MARK: Many at once

  @Test func eachMigrationIsAppliedOnceByManyThreads() throws {
    for round in 0..<12 {
      let bench = try SchemaBench()
      try bench.makeBareStore()
      let all = Migration.following(
        (0..<4).map { "CREATE TABLE extra\($0) (a INTEGER); INSERT INTO extra\($0) VALUES (1)" })
      let file = bench.file
      let results = Guarded<[Result<[String], any Error>]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        let result = Result {
          // Opened by one after another would be no race.
          let queue = try DatabaseQueue(path: file.path, configuration: .store(busyTimeout: 30))
          let names = try Migrator.migrate(queue, file: file.path, migrations: all).names
          try queue.close()
          return names
        }
        results.withValue { $0.append(result) }
      }
      let applied = try results.withValue({ $0 }).flatMap { try $0.get() }
      #expect(applied.sorted() == all.map(\.name), "round \(round)")
      for number in 0..<4 {
        #expect(try bench.integer("SELECT count(*) FROM extra\(number)") == 1)
      }
      #expect(try bench.integer("PRAGMA user_version") == all.count)
    }
  }

  // MARK: Failures

  @Test(arguments: [
    "CREATE TABLE good (a INTEGER); INSERT INTO nowhere VALUES (1)",
    "CREATE TABLE good (a INTEGER); CREATE TABLE list (a INTEGER)",
    "CREATE TABLE good (a INTEGER); SELECT syntax error",
    "CREATE TABLE good (a INTEGER); INSERT INTO store (id, createdAt) VALUES (2, 3)",
    "CREATE TABLE good (a INTEGER); INSERT INTO store (storeID, createdAt) VALUES (zeroblob(16), 3)",
    "CREATE TABLE good (a INTEGER); UPDATE store SET createdAt = NULL",
    // Found by the check of all references, after the statements themselves went through.
    """
    CREATE TABLE good (a INTEGER); PRAGMA defer_foreign_keys = ON;
    INSERT INTO section (list, name, block, root) VALUES (77, 's', 0, 0)
    """,
  ])
  func aFailureInsideAMigrationLeavesTheVersionBefore(_ sql: String) throws {
    try bench.makeStore()
    let all = Migration.following(["CREATE TABLE kept (a INTEGER)", sql])
    #expect(throws: (any Error).self) { try migrate(all) }
    #expect(try version() == Migration.latestVersion + 1)
    #expect(
      try bench.integer("SELECT count(*) FROM schemaMigration") == Migration.latestVersion + 1)
    #expect(try bench.integer("SELECT count(*) FROM kept") == 0)
    #expect(
      try bench.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'good'") == 0, "\(sql)")
    #expect(try bench.integer("SELECT count(*) FROM store") == 1)
    let mended = Migration.following(["CREATE TABLE kept (a INTEGER)", "CREATE TABLE good (a)"])
    #expect(try migrate(mended) == mended.suffix(1).map(\.name))
  }

  @Test func aStoreThatIsHeldIsBusyAndUnchanged() throws {
    try bench.makeBareStore()
    let holder = try DatabaseQueue(path: file.path)
    try holder.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      let queue = try DatabaseQueue(path: file.path, configuration: .store(busyTimeout: 0.02))
      let failure = #expect(throws: DatabaseError.self) {
        try Migrator.migrate(queue, file: file.path)
      }
      #expect(failure?.resultCode == .SQLITE_BUSY)
      try db.execute(sql: "ROLLBACK")
    }
    try holder.close()
    #expect(try version() == 0)
    #expect(try Migrator.up(file).names.count == Migration.all.count)
  }

  // MARK: Stores of others

  private func expectRefusal(
    _ code: StoreError.Code, by migrations: [Migration] = Migration.all, naming words: [String]
  ) throws {
    let refusals = [
      try bench.refusal { try Migrator.up(file, migrations: migrations) },
      try bench.refusal { try SchemaStatus(of: file, migrations: migrations) },
    ]
    for failure in refusals {
      #expect(failure?.code == code)
      #expect(failure?.file == file.path)
      for word in words { #expect(failure?.message.contains(word) == true, "\(word)") }
    }
  }

  @Test func aNewerVersionIsRefusedWithBothVersionsAndNotTouched() throws {
    try bench.makeStore()
    try bench.change("PRAGMA user_version = 99")
    try expectRefusal(.newerStore, naming: ["99", "version \(Migration.latestVersion)"])
  }

  @Test func anUnknownMigrationIsRefusedWithBothVersionsAndNotTouched() throws {
    try bench.makeStore()
    try bench.change(
      """
      INSERT INTO schemaMigration (version, name, checksum, appliedAt, duration, libraryVersion,
        fingerprint, minimumReader)
      VALUES (98, 'v0098_later', '1:aa', 0, 0, '9', '1:bb', 98)
      """)
    try expectRefusal(.newerStore, naming: ["98", "version \(Migration.latestVersion)"])
  }

  @Test(arguments: 1...TestMigrations.all.latestVersion)
  func aModifiedMigrationIsRefusedWithBothChecksums(_ version: Int) throws {
    try bench.makeStore(migrations: TestMigrations.all)
    try bench.change("UPDATE schemaMigration SET checksum = '1:0011' WHERE version = \(version)")
    let migration = TestMigrations.all[version - 1]
    try expectRefusal(
      .modifiedMigration, by: TestMigrations.all,
      naming: ["1:0011", migration.checksum, migration.name])
  }

  @Test(arguments: [
    "DELETE FROM schemaMigration", "DROP TABLE schemaMigration",
    "DELETE FROM schemaMigration WHERE version = 1",
    "UPDATE schemaMigration SET version = version - 1",
    """
    DELETE FROM schemaMigration WHERE version < \(TestMigrations.all.latestVersion);
    UPDATE schemaMigration SET version = 0
    """,
    "DELETE FROM schemaMigration WHERE version > 1",
    "PRAGMA user_version = \(TestMigrations.all.latestVersion - 1)",
    "PRAGMA user_version = 0",
    "DROP TABLE schemaMigration; CREATE TABLE schemaMigration (version)",
    """
    DROP TABLE schemaMigration; CREATE TABLE schemaMigration (version, name, checksum, appliedAt);
    INSERT INTO schemaMigration VALUES ('x', x'00', NULL, 1.5)
    """,
    """
    DROP TABLE schemaMigration; CREATE TABLE schemaMigration (version, name, checksum, appliedAt);
    INSERT INTO schemaMigration VALUES (1, x'00', NULL, 1.5)
    """,
  ])
  func aListOfMigrationsThatDoesNotFitIsATypedError(_ sql: String) throws {
    let all = TestMigrations.all
    try bench.makeStore(migrations: all)
    try bench.change("PRAGMA ignore_check_constraints = ON", sql)
    for action in [
      { _ = try Migrator.up(file, migrations: all) },
      { _ = try SchemaStatus(of: file, migrations: all) },
    ] {
      let failure = try bench.refusal { try action() }
      #expect(failure?.code == .damagedStore, "\(String(describing: failure))")
    }
  }
}
