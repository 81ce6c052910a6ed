import Foundation
import GRDB
import ListModel
import SchemaSupport
import StoreFiles
import StoreSchema
import StoreSupport
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A full disk is called one, with what is free and what is needed.
@Suite struct DiskSpaceTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }

  init() throws { bench = try SchemaBench() }

  @Test(arguments: [ENOSPC, EDQUOT]) func aFailedWriteOnAFullDiskIsNoRoom(_ number: Int32) throws {
    for code in [ResultCode.SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_SHMSIZE] {
      let explained = DiskSpace.explaining(
        DatabaseError(resultCode: code, message: "disk I/O error"), systemError: number)
      #expect(explained.resultCode == .SQLITE_FULL)
      let error = StoreError.wrap(explained, attempt: "migrate the store", file: file.path)
      #expect(error.code == .storeFull)
      #expect(error.message.contains("free on the volume of \(bench.folder.url.path)"))
      #expect(error.message.contains(number == EDQUOT ? "quota" : "no space is left"))
    }
  }

  @Test func aFailedWriteForAnotherReasonIsNotNoRoom() throws {
    let failure = DatabaseError(resultCode: .SQLITE_IOERR_WRITE, message: "disk I/O error")
    let explained = DiskSpace.explaining(failure, systemError: EIO)
    #expect(explained.extendedResultCode == .SQLITE_IOERR_WRITE)
    #expect(StoreError.wrap(explained, attempt: "write", file: file.path).code == .inputOutput)
    // What the system said last belongs to another failure.
    let constraint = DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "UNIQUE")
    #expect(DiskSpace.explaining(constraint, systemError: ENOSPC).resultCode == .SQLITE_CONSTRAINT)
  }

  @Test func aMigrationWithoutRoomLeavesTheVersionBefore() throws {
    try bench.makeStore()
    try bench.change(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO change (list, revision, entries, neighbours)
        SELECT 1, i, printf('%.500c', 'x'), x'' FROM n
      """)
    let pages = try bench.integer("PRAGMA page_count") ?? 0
    let queue = try DatabaseQueue(
      path: file.path, configuration: .store(maximumPageCount: pages + 2))
    defer { try? queue.close() }
    let failure = #expect(throws: DatabaseError.self) {
      try Migrator.migrate(queue, file: file.path, migrations: TestMigrations.all)
    }
    let error = StoreError.wrap(
      try #require(failure), attempt: "migrate the store", file: file.path)
    #expect(error.code == .storeFull)
    #expect(error.message.contains("no room is left"))
    #expect(try bench.integer("PRAGMA user_version") == Migration.latestVersion)
  }

  @Test func roomIsAskedForBeforeAMigrationBegins() throws {
    try Data(count: 3_000_000).write(to: file)
    let rewriting = TestMigrations.all.filter(\.rewritesTables)
    let adding = TestMigrations.all.filter { !$0.rewritesTables }
    #expect(!rewriting.isEmpty && !adding.isEmpty)
    let failure = #expect(throws: StoreError.self) {
      try DiskSpace.requireRoom(for: rewriting, of: file.path, freeBytes: 9_000_000)
    }
    #expect(failure?.code == .storeFull)
    #expect(failure?.message.contains("may need 9262 KB") == true)
    #expect(failure?.message.contains("9000 KB are free") == true)
    try DiskSpace.requireRoom(for: rewriting, of: file.path, freeBytes: 11_000_000)
    try DiskSpace.requireRoom(for: adding, of: file.path, freeBytes: 2_000_000)
    #expect(throws: StoreError.self) {
      try DiskSpace.requireRoom(for: adding, of: file.path, freeBytes: 0)
    }
    // Nothing to do needs nothing, and a system that does not say is no reason to refuse.
    try DiskSpace.requireRoom(for: [], of: file.path, freeBytes: 0)
    try DiskSpace.requireRoom(for: rewriting, of: file.path, freeBytes: nil)
  }

  @Test func theFreeBytesOfAVolumeAreKnown() throws {
    #expect(try #require(DiskSpace.freeBytes(at: bench.folder.url.path)) > 0)
    #expect(DiskSpace.freeBytes(at: bench.folder.file("nowhere/at/all").path) == nil)
  }
}
