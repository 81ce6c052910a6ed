import Foundation
import GRDB
import ListModel
import ListStore
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// An app chooses what happens to a store that can't be opened, and sees a migration run.
@Suite struct UnopenableStoreTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("list.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private var movesAside: Repository.Options {
    var options = Repository.Options()
    options.migration.onUnopenable = .moveAside
    options.busyTimeout = 0.05
    return options
  }

  private func makeStore() throws {
    let repository = try Repository(at: file)
    try repository.commit([.insertSection("s")], to: "list")
  }

  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  // MARK: Moved aside

  @Test(arguments: [
    ("PRAGMA user_version = 99", StoreError.Code.newerStore),
    ("PRAGMA application_id = 7", .notAStore), ("DROP TABLE cell", .damagedStore),
    ("UPDATE schemaMigration SET checksum = '1:0'", .modifiedMigration),
  ])
  func aStoreThatCantBeOpenedMakesRoomForANewOne(_ sql: String, _ code: StoreError.Code) throws {
    try makeStore()
    try change(sql)
    let bytes = try Data(contentsOf: file)
    #expect(throws: StoreError.self) { try Repository(at: file) }
    #expect(throws: StoreError.self) { try Repository(existing: file, options: movesAside) }
    let repository = try Repository(at: file, options: movesAside)
    let moved = try #require(repository.movedAside)
    #expect(moved.reason.code == code)
    #expect(moved.file.lastPathComponent.hasPrefix("list.aside.2"))
    #expect(try Data(contentsOf: moved.file) == bytes)
    #expect(try repository.lists() == [])
    try repository.commit([.insertSection("s")], to: "list")
    #expect(try Repository(at: file, options: movesAside).movedAside == nil)
  }

  @Test func theLogGoesAlong() throws {
    try Data("no store".utf8).write(to: file)
    for suffix in ["-wal", "-journal"] {
      try Data("no log".utf8).write(to: folder.file("list.sqlite" + suffix))
    }
    let repository = try Repository(at: file, options: movesAside)
    let moved = try #require(repository.movedAside)
    for suffix in ["-wal", "-journal"] {
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: moved.file.path + suffix))
          == Data("no log".utf8))
    }
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func aLogWithoutItsDatabaseMakesRoomToo() throws {
    try Data("no log".utf8).write(to: folder.file("list.sqlite-wal"))
    let moved = try #require(try Repository(at: file, options: movesAside).movedAside)
    #expect(FileManager.default.fileExists(atPath: moved.file.path + "-wal"))
  }

  @Test func aStoreThatIsOpenElsewhereStays() throws {
    try makeStore()
    let holder = try DatabasePool(path: file.path)
    try holder.write { try $0.execute(sql: "PRAGMA user_version = 99") }
    let failure = #expect(throws: StoreError.self) { try Repository(at: file, options: movesAside) }
    #expect(failure?.code == .busy)
    try holder.close()
    #expect(try folder.contents().keys.filter { $0.contains("aside") } == [])
    #expect(try Repository(at: file, options: movesAside).movedAside != nil)
  }

  @Test func aBusyStoreStays() throws {
    try TestMigrations.makeStore(at: file)
    let holder = try DatabaseQueue(path: file.path)
    try holder.writeWithoutTransaction { db in
      // With a write-ahead log, others could read meanwhile.
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      try db.execute(sql: "BEGIN EXCLUSIVE")
      let failure = #expect(throws: StoreError.self) {
        try Repository(at: file, options: movesAside)
      }
      #expect(failure?.code == .busy)
      try db.execute(sql: "ROLLBACK")
    }
    try holder.close()
    #expect(try folder.contents().keys.filter { $0.contains("aside") } == [])
    #expect(try Repository(at: file, options: movesAside).movedAside == nil)
  }

  @Test func anEmptyFileIsAStoreForWhoeverMayMakeOne() throws {
    try Data().write(to: file)
    let failures = [
      #expect(throws: StoreError.self) { try Repository(existing: file) },
      #expect(throws: StoreError.self) { try Repository(readingOnly: file) },
    ]
    for failure in failures {
      #expect(failure?.code == .notAStore)
      #expect(failure?.message.contains("the file is empty") == true)
    }
    #expect(try folder.contents() == ["list.sqlite": Data()])
    let repository = try Repository(at: file, options: movesAside)
    #expect(repository.movedAside == nil)
    try repository.commit([.insertSection("s")], to: "list")
    #expect(try Repository(existing: file).revision(of: "list") == 1)
  }

  @Test func aFolderInTheStoresPlaceStays() throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    let failure = #expect(throws: StoreError.self) { try Repository(at: file, options: movesAside) }
    #expect(failure?.code == .notAStore)
  }

  // MARK: Seen and backed up

  @Test(arguments: Repository.Backup.allCases) func theMigrationIsShownAndBackedUp(
    _ backup: Repository.Backup
  ) throws {
    let all = TestMigrations.all
    for version in [Migration.latestVersion, all.latestVersion - 1] {
      let folder = try TemporaryFolder()
      let file = folder.file("list.sqlite")
      try TestMigrations.makeStore(at: file, version: version)
      let seen = Guarded<[(Double, String)]>([])
      var options = Repository.Options()
      options.migration.migrations = all
      options.migration.backup = backup
      options.migration.progress = { fraction, migration in
        seen.withValue { $0.append((fraction, migration)) }
      }
      let repository = try Repository(at: file, options: options)
      #expect(try repository.lists().count == 2)
      let steps = seen.withValue { $0 }
      #expect(steps.map(\.0) == steps.map(\.0).sorted())
      #expect(steps.last?.0 == 1)
      let names = steps.map(\.1).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
      let pending = all.dropFirst(version).map(\.name)
      #expect(names == pending)
      let isMade =
        switch backup {
        case .always: true
        case .automatic: version == Migration.latestVersion
        case .never: false
        }
      #expect(StoreBackup.all(of: file).map(\.version) == (isMade ? [version] : []))
    }
  }

  // MARK: Full

  /// A store that may not grow is of the old version or of a later one, and whole.
  @Test func aMigrationThatHasNoRoomLeavesTheVersionBefore() throws {
    let bytes = try Data(contentsOf: PackageFiles.fixture("v0001.sqlite")).count
    let all = TestMigrations.all
    var failures = 0
    for extra in 0... {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file.path + suffix)
      }
      try TestMigrations.makeStore(at: file)
      var options = Repository.Options()
      options.migration.migrations = all
      options.maximumByteCount = bytes + extra * 4 * 4_096
      do {
        let repository = try Repository(existing: file, options: options)
        #expect(try repository.checkInvariants().isEmpty)
        break
      } catch {
        failures += 1
        #expect(error.code == .storeFull, "\(error)")
        #expect(try StoreHeader(of: file).schemaVersion < all.latestVersion)
        let status = try SchemaStatus(of: file, migrations: all)
        #expect(status.pending.count == all.latestVersion - status.version)
      }
    }
    #expect(failures > 3)
    var options = Repository.Options()
    options.migration.migrations = all
    #expect(try Repository(existing: file, options: options).lists().count == 2)
  }
}
