import Foundation
import GRDB
import StoreSchema
import TestSupport
import Testing

/// What looks at a store's schema copies nothing: it works where no copy can be made.
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
}
