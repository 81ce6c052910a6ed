import Foundation
import GRDB
import ListModel
import SchemaSupport
import StoreFiles
import StoreSchema
import StoreSupport
import TestSupport
import Testing

/// A backup is whole or not there; a restored store is the backup, and nothing of before.
@Suite struct StoreBackupTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }
  private var backups: URL { bench.folder.file(".backups") }

  init() throws { bench = try SchemaBench() }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private let migrations = TestMigrations.all
  /// The oldest version of a store of the tests' migrations.
  private let first = Migration.latestVersion

  private func up(backsUp: Bool? = nil) throws -> MigrationResult {
    try Migrator.up(file, migrations: migrations, backsUp: backsUp)
  }

  /// Writes nothing over some pages, which only a check of all pages finds.
  private func damagePages(of file: URL) throws {
    var bytes = try Data(contentsOf: file)
    for page in 45..<60 {
      bytes.replaceSubrange((page * 4_096 + 8)..<(page * 4_096 + 200), with: Data(count: 192))
    }
    try bytes.write(to: file)
  }

  /// How many lists, and the store's id.
  private func facts(_ file: URL) throws -> (lists: Int, id: Data?) {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      return (
        try Int.fetchOne(db, sql: "SELECT count(*) FROM list") ?? -1,
        try Data.fetchOne(db, sql: "SELECT storeID FROM store")
      )
    }
  }

  /// A connection that an app has: in WAL mode, with a commit that is only in the log.
  private func openInUse(lists: Int = 1) throws -> DatabasePool {
    let pool = try DatabasePool(path: file.path, configuration: .store())
    try pool.write { db in
      for number in 0..<lists {
        try db.execute(
          sql: "INSERT INTO list (name, revision, digest, chain, root) VALUES (?, 0, 0, 0, 0)",
          arguments: ["l\(number)"])
      }
    }
    return pool
  }

  // MARK: Backups

  @Test func aBackupOfAStoreInUseHasItsLastCommit() throws {
    try bench.makeStore()
    let pool = try openInUse()
    let backup = try StoreBackup.make(of: file)
    #expect(backup.version == Migration.latestVersion)
    #expect(try facts(backup.file).lists == 1)
    #expect(try facts(backup.file).id == facts(file).id)
    #expect(StoreBackup.all(of: file).map(\.file.path) == [backup.file.path])
    #expect(backup.file.lastPathComponent.hasPrefix("store.v\(Migration.latestVersion).2"))
    #expect(try names(in: backups) == [backup.file.lastPathComponent])
    try pool.close()
  }

  @Test func theNewestThreeAreKeptAndOthersFilesStay() throws {
    try bench.makeStore()
    let first = try StoreBackup.make(of: file)
    try Data("mine".utf8).write(to: backups.appendingPathComponent("store.v1.notes.sqlite"))
    try Data("other".utf8).write(
      to: backups.appendingPathComponent("store.b.v1.20200101T000000Z.sqlite"))
    let later = try (0..<3).map { _ in try StoreBackup.make(of: file).file.lastPathComponent }
    #expect(StoreBackup.all(of: file).map(\.file.lastPathComponent) == later.reversed())
    #expect(!FileManager.default.fileExists(atPath: first.file.path))
    #expect(try names(in: backups).count == 5)
  }

  @Test func whatAKilledBackupLeftIsRemoved() throws {
    try bench.makeStore()
    let left = backups.appendingPathComponent(".store.sqlite.new-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
    try Data("half".utf8).write(to: left.appendingPathComponent("store.sqlite"))
    let backup = try StoreBackup.make(of: file)
    #expect(try names(in: backups) == [backup.file.lastPathComponent])
  }

  @Test func aBackupTakesNoFilesPlace() throws {
    try bench.makeStore()
    let target = bench.folder.file("mine.sqlite")
    #expect(try StoreBackup.make(of: file, at: target).file == target)
    let failure = try bench.refusal { try StoreBackup.make(of: file, at: target) }
    #expect(failure?.code == .notWritable)
    #expect(StoreBackup.all(of: file).isEmpty)
  }

  @Test func aDamagedStoreHasNoBackupAndIsNotMigrated() throws {
    try TestMigrations.makeStore(at: file)
    try damagePages(of: file)
    let failure = #expect(throws: StoreError.self) { try up() }
    #expect(failure?.code == .damagedStore)
    #expect(try names(in: backups) == [])
    #expect(try bench.integer("PRAGMA user_version") == first)
  }

  @Test func aMigrationOverSeveralVersionsBacksUpFirst() throws {
    try TestMigrations.makeStore(at: file)
    let result = try up()
    let backup = try #require(result.backup)
    #expect(backup.lastPathComponent.hasPrefix("store.v\(first)."))
    #expect(try StoreHeader(of: backup).schemaVersion == first)
    #expect(try up().backup == nil)
  }

  @Test func aSmallMigrationBacksUpOnlyIfAsked() throws {
    try TestMigrations.makeStore(at: file, version: migrations.latestVersion - 1)
    #expect(try up().backup == nil)
    try FileManager.default.removeItem(at: file)
    try TestMigrations.makeStore(at: file, version: migrations.latestVersion - 1)
    #expect(try up(backsUp: true).backup != nil)
    try FileManager.default.removeItem(at: file)
    try TestMigrations.makeStore(at: file)
    #expect(try up(backsUp: false).backup == nil)
  }

  @Test func oneMigrationThatWritesTablesAnewBacksUpFirst() throws {
    try TestMigrations.makeStore(at: file)
    let result = try Migrator.up(file, to: TestMigrations.rewriting, migrations: migrations)
    #expect(result.names.count == 1)
    #expect(result.backup != nil)
  }

  @Test func theRoomForABackupIsAskedForFirst() throws {
    try TestMigrations.makeStore(at: file, version: TestMigrations.rewriting)
    let pending = [migrations[TestMigrations.rewriting]]
    let size = try Data(contentsOf: file).count
    try DiskSpace.requireRoom(for: pending, of: file.path, freeBytes: 300_000)
    let failure = #expect(throws: StoreError.self) {
      try DiskSpace.requireRoom(
        for: pending, of: file.path, backsUp: true, freeBytes: size + 200_000)
    }
    #expect(failure?.code == .storeFull)
  }

  // MARK: Restoring

  @Test func aRestoredStoreIsTheBackupWithAnIDOfItsOwn() throws {
    try bench.makeStore()
    let backup = try StoreBackup.make(of: file)
    // Its log stays, as a killed process leaves it.
    let folder = bench.folder
    let pool = try openInUse(lists: 3)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        at: URL(fileURLWithPath: file.path + suffix), to: folder.file("copy.sqlite" + suffix))
    }
    try pool.close()
    let target = folder.file("copy.sqlite")
    let bytes = try Data(contentsOf: backup.file)
    let former = try #require(try StoreBackup.restore(backup.file, to: target))
    #expect(try facts(target).lists == 0)
    #expect(try facts(target).id != facts(backup.file).id)
    #expect(try Data(contentsOf: backup.file) == bytes)
    #expect(try names(in: folder.url) == [".backups", "copy.sqlite", "store.sqlite"])
    // Whoever has restored the wrong file can go back.
    #expect(StoreBackup.all(of: target).map(\.file.path) == [former.path])
    try StoreBackup.restore(former, to: target)
    #expect(try facts(target).lists == 3)
  }

  @Test func noBackupIsKeptWhereNoneIsWanted() throws {
    try bench.makeStore()
    let backup = try StoreBackup.make(of: file, at: bench.folder.file("mine.sqlite")).file
    #expect(try StoreBackup.restore(backup, to: file, keepsFormer: false) == nil)
    #expect(try names(in: bench.folder.url) == ["mine.sqlite", "store.sqlite"])
  }

  @Test func theBackupThatIsRestoredStaysAmongTheNewestThree() throws {
    try bench.makeStore()
    let backups = try (0..<3).map { _ in try StoreBackup.make(of: file).file.path }
    let former = try #require(
      try StoreBackup.restore(URL(fileURLWithPath: backups[0]), to: file))
    #expect(
      StoreBackup.all(of: file).map(\.file.path)
        == [former.path, backups[2], backups[1], backups[0]])
    try StoreBackup.restore(former, to: file)
    #expect(StoreBackup.all(of: file).count == StoreBackup.keptCount)
  }

  @Test func aStoreOfDamagedPagesIsCopiedAsItIs() throws {
    try bench.makeStore()
    let backup = try StoreBackup.make(of: file)
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(4_096..<bytes.count, with: Data(repeating: 7, count: bytes.count - 4_096))
    try bytes.write(to: file)
    let former = try #require(try StoreBackup.restore(backup.file, to: file))
    #expect(former.deletingLastPathComponent().lastPathComponent.hasPrefix("store.damaged.2"))
    #expect(try Data(contentsOf: former).dropFirst(4_096) == bytes.dropFirst(4_096))
    #expect(try facts(file).lists == 0)
  }

  @Test func aStoreThatIsOpenIsNotReplaced() throws {
    try bench.makeStore()
    let backup = try StoreBackup.make(of: file)
    let pool = try openInUse()
    let failure = #expect(throws: StoreError.self) {
      try StoreBackup.restore(backup.file, to: file, busyTimeout: 0.05)
    }
    #expect(failure?.code == .busy)
    #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM list") } == 1)
    try pool.close()
    #expect(try facts(file).lists == 1)
    try StoreBackup.restore(backup.file, to: file)
    #expect(try facts(file).lists == 0)
  }

  @Test func aDamagedStoreIsReplacedAndKept() throws {
    try bench.makeStore()
    let backup = try StoreBackup.make(of: file)
    try Data("no store".utf8).write(to: file)
    try Data("no log".utf8).write(to: bench.folder.file("store.sqlite-wal"))
    let aside = try #require(try StoreBackup.restore(backup.file, to: file))
    #expect(try Data(contentsOf: aside) == Data("no store".utf8))
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside.path + "-wal")) == Data("no log".utf8))
    #expect(try facts(file).lists == 0)
  }

  @Test func aMissingStoreIsMadeAndAnOldLogDoesNotGetIntoIt() throws {
    try bench.makeStore()
    let backup = try StoreBackup.make(of: file)
    try FileManager.default.removeItem(at: file)
    try Data("no log".utf8).write(to: bench.folder.file("store.sqlite-wal"))
    let aside = try #require(try StoreBackup.restore(backup.file, to: file))
    #expect(FileManager.default.fileExists(atPath: aside.path + "-wal"))
    #expect(try facts(file).lists == 0)
  }

  @Test(arguments: ["PRAGMA user_version = 99", "PRAGMA application_id = 7", "DROP TABLE cell"])
  func aBackupThatIsNoSoundStoreIsRefused(_ sql: String) throws {
    try bench.makeStore()
    let backup = try StoreBackup.make(of: file).file
    let queue = try DatabaseQueue(path: backup.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    let before = try Data(contentsOf: file)
    #expect(throws: StoreError.self) { try StoreBackup.restore(backup, to: file) }
    #expect(try Data(contentsOf: file) == before)
    #expect(try names(in: bench.folder.url) == [".backups", "store.sqlite"])
  }

  /// What only a check of all pages finds.
  @Test func aBackupWithDamagedPagesIsRefused() throws {
    try bench.makeStore()
    let before = try Data(contentsOf: file)
    let backup = bench.folder.file("backup.sqlite")
    try TestMigrations.makeStore(at: backup)
    try damagePages(of: backup)
    let failure = try bench.refusal { try StoreBackup.restore(backup, to: file) }
    #expect(failure?.code == .damagedStore)
    #expect(try Data(contentsOf: file) == before)
    #expect(try names(in: bench.folder.url) == ["backup.sqlite", "store.sqlite"])
  }

  @Test func anotherProgramsDatabaseIsNotReplaced() throws {
    try bench.makeStore()
    let backup = try StoreBackup.make(of: file).file
    try bench.change("PRAGMA application_id = 7")
    let failure = try bench.refusal { try StoreBackup.restore(backup, to: file) }
    #expect(failure?.code == .notAStore)
  }

  // MARK: Down

  @Test func theLastMigrationCanBeUndoneAndAppliedAgain() throws {
    let last = try #require(migrations.last)
    try TestMigrations.makeStore(at: file, version: last.version - 1)
    let before = try tables()
    _ = try up()
    let result = try Migrator.down(file, to: last.version - 1, migrations: migrations)
    #expect(result.names == [last.name])
    #expect(try tables() == before)
    #expect(try SchemaStatus(of: file, migrations: migrations).pending == [last.name])
    #expect(try StoreHeader(of: #require(result.backup)).schemaVersion == last.version)
    #expect(
      try Migrator.down(file, to: last.version - 1, migrations: migrations).names == [])
    #expect(try up().names == [last.name])
  }

  @Test func severalMigrationsAreUndoneTheLastOneFirst() throws {
    try TestMigrations.makeStore(at: file, version: TestMigrations.rewriting)
    let before = try tables()
    _ = try up(backsUp: false)
    let result = try Migrator.down(file, to: TestMigrations.rewriting, migrations: migrations)
    let undone = migrations[TestMigrations.rewriting...].reversed()
    #expect(result.names == undone.map(\.name))
    #expect(try tables() == before)
    #expect(StoreBackup.all(of: file).count == 1)
  }

  @Test(arguments: 0...Migration.latestVersion) func whatCantBeUndoneIsRefusedWithTheReason(
    _ version: Int
  ) throws {
    try TestMigrations.makeStore(at: file, version: migrations.latestVersion)
    let failure = try bench.refusal {
      try Migrator.down(file, to: version, migrations: migrations)
    }
    #expect(failure?.code == .irreversibleMigration)
    let migration = try #require(
      migrations[version...].first { try $0.script().oneWayReason != nil })
    #expect(failure?.message.contains(migration.name) == true)
    #expect(
      try failure?.message.contains(#require(migration.script().oneWayReason)) == true)
  }

  @Test(arguments: [-1, Migration.latestVersion + 1]) func aVersionThatIsNoneOfTheStoresIsRefused(
    _ version: Int
  ) throws {
    try bench.makeStore()
    #expect(try bench.refusal { try Migrator.down(file, to: version) }?.code == .invalidValue)
  }

  /// Every row and every statement of the schema.
  private func tables() throws -> [String] {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      let schema = try String.fetchAll(
        db, sql: "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name")
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage ORDER BY name")
      return try schema
        + tables.flatMap { table in
          try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
        }
    }
  }
}
