import Foundation
import GRDB
import SchemaSupport
import StoreSchema
import TestSupport
import Testing

/// What looks at a store's schema copies nothing: it works where no copy can be made.
///
/// What migrates a store, or tries to, copies it once.
@Suite struct MigrateCopyTests {
  private let bench: CommandBench
  private var file: URL { bench.folder.file("store.sqlite") }

  init() throws { bench = try CommandBench() }

  /// Runs a command that finds no folder for temporary files, and checks that it leaves every file
  /// and every name as it was.
  private func runWithoutTemporaryFolder(
    _ command: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ShellOutcome {
    let before = try FolderSnapshot(of: bench.folder.url)
    let outcome = try bench.shell(
      "TMPDIR=/nowhere SQLITE_TMPDIR=/nowhere $cellar migrate \(command) store.sqlite --json")
    #expect(
      before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [],
      sourceLocation: sourceLocation)
    #expect(outcome.exitCode == 0, "\(outcome)", sourceLocation: sourceLocation)
    return outcome
  }

  @Test(arguments: ["status", "verify"]) func aStoreAtRestIsNotCopied(_ command: String) throws {
    #expect(try StoreFile.createIfAbsent(file))
    let outcome = try runWithoutTemporaryFolder(command)
    #expect(try outcome.output.object()["schemaVersion"] as? Int == Migration.latestVersion)
  }

  @Test func aStoreWithCommitsInItsLogIsNotCopied() throws {
    #expect(try StoreFile.createIfAbsent(file))
    let pool = try DatabasePool(path: file.path)
    try pool.write { try $0.execute(sql: "PRAGMA user_version = 7") }
    // Somebody has it open; the version is in the log alone.
    let behind = try bench.shell(
      "TMPDIR=/nowhere SQLITE_TMPDIR=/nowhere $cellar migrate status store.sqlite --json")
    #expect(try behind.output.object()["schemaVersion"] as? Int == 7, "\(behind)")
    try pool.write {
      try $0.execute(sql: "PRAGMA user_version = \(Migration.latestVersion)")
    }
    let outcome = try runWithoutTemporaryFolder("status")
    #expect(try outcome.output.object()["schemaVersion"] as? Int == Migration.latestVersion)
    try pool.close()
  }

  /// A transaction that was cut off has to be played back, which only a copy can be.
  @Test func aStoreWithACutOffTransactionIsCopied() throws {
    #expect(try StoreFile.createIfAbsent(file))
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      // What is spilled is in the file, and its former pages are in the journal.
      try db.execute(sql: "PRAGMA cache_size = 1; BEGIN; CREATE TABLE mine (a)")
      try db.execute(
        sql: """
          WITH RECURSIVE id(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM id LIMIT 500)
          INSERT INTO mine SELECT zeroblob(1000) FROM id
          """)
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: file.path + suffix, toPath: bench.folder.file("cut.sqlite").path + suffix)
      }
      try db.execute(sql: "ROLLBACK")
    }
    try queue.close()
    let status = "$cellar migrate status cut.sqlite --json"
    let refused = try bench.shell("TMPDIR=/nowhere SQLITE_TMPDIR=/nowhere \(status)")
    #expect(refused.exitCode != 0)
    let found = try bench.shell(status)
    #expect(found.exitCode == 0, "\(found)")
    #expect(try found.output.object()["schemaVersion"] as? Int == Migration.latestVersion)
  }

  #if os(Linux)
    /// Runs a command of `migrate` with the migrations of the tests.
    ///
    /// - Returns: How many copies it has made for itself, and how many files of its own are beside the
    ///   store's backups.
    private func copies(
      _ command: String, expecting code: Int32 = 0,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [Int] {
      let temporary = bench.folder.file("temporary")
      let backups = bench.folder.file(".backups")
      for folder in [temporary, backups] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
      let (created, backedUp) = (try CreatedNames(in: temporary), try CreatedNames(in: backups))
      let outcome = try bench.shell(
        "TMPDIR='\(temporary.path)' $cellar migrate \(command) --migrations "
          + "'\(try bench.migrationFolder())'")
      #expect(outcome.exitCode == code, "\(outcome)", sourceLocation: sourceLocation)
      return [
        created.next().count { $0.hasPrefix("cellar-copy-") },
        backedUp.next().count { $0.hasSuffix(".sqlite") },
      ]
    }

    @Test(arguments: Migration.latestVersion...TestMigrations.all.latestVersion)
    func aPlanCopiesOnce(_ target: Int) throws {
      try TestMigrations.makeStore(at: file)
      let before = try FolderSnapshot(of: bench.folder.url).contents
      #expect(try copies("plan store.sqlite --to \(target)") == [1, 0])
      #expect(try FolderSnapshot(of: bench.folder.url).contents == before)
    }

    @Test func aPlanWithoutAMigrationCopiesNothing() throws {
      try TestMigrations.makeStore(at: file, version: TestMigrations.all.latestVersion)
      #expect(try copies("plan store.sqlite") == [0, 0])
    }

    /// The copy that is checked becomes the backup, with the free pages that no `VACUUM INTO` leaves.
    @Test func upCopiesOnceAndThatIsTheBackup() throws {
      try TestMigrations.makeStore(at: file)
      let queue = try DatabaseQueue(path: file.path)
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE mine (a); INSERT INTO mine VALUES (zeroblob(99999))")
        try db.execute(sql: "DROP TABLE mine")
      }
      let rows = try queue.read {
        try String.fetchAll($0, sql: "SELECT id FROM item ORDER BY 1")
      }
      try queue.close()
      #expect(try copies("up store.sqlite") == [1, 1])
      let backup = try #require(StoreBackup.all(of: file).first)
      #expect(backup.version == Migration.latestVersion)
      let kept = try DatabaseQueue(path: backup.file.path)
      try kept.read { db throws in
        #expect(try String.fetchAll(db, sql: "SELECT id FROM item ORDER BY 1") == rows)
        #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
        #expect(try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0 > 20)
        // It is read where nothing can be written beside it.
        #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "delete")
      }
      try kept.close()
    }

    @Test func upCopiesAnOpenStoreOnceToo() throws {
      try TestMigrations.makeStore(at: file)
      let pool = try DatabasePool(path: file.path)
      try pool.write { try $0.execute(sql: "CREATE TABLE mine (a)") }
      #expect(try copies("plan store.sqlite") == [1, 0])
      #expect(try copies("up store.sqlite") == [1, 1])
      try pool.close()
    }

    @Test func whatIsRefusedIsCopiedOnce() throws {
      try TestMigrations.makeStore(at: file)
      try bench.change("UPDATE section SET itemCount = itemCount + 1")
      #expect(try copies("up store.sqlite", expecting: 1) == [1, 0])
      #expect(try copies("plan store.sqlite", expecting: 1) == [1, 0])
    }
  #endif
}
