import Foundation
import ListInspection
import ListModel
import ListStore
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// A file system without locks is told as such, and not as a store that somebody else has.
@Suite struct LockFaultTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try Repository(at: folder.file("store.sqlite")).commit([.insertSection("s")], to: "l")
  }

  private func failure(
    _ systemError: Int32, _ kinds: Fault.Kinds, opensBefore: Bool,
    _ body: (Repository) throws -> Void
  ) throws -> StoreError? {
    let scope = try FaultScope(folder.url)
    let open = opensBefore ? try Repository(existing: file) : nil
    scope.arm(
      Fault(name: "lock", kinds: kinds, systemError: systemError, codes: [], lasts: true), at: 1)
    defer { scope.disarm() }
    return #expect(throws: StoreError.self) {
      try body(open ?? Repository(existing: file))
    }
  }

  @Test(arguments: [ENOLCK, ENOTSUP]) func itIsSaid(_ number: Int32) throws {
    for (opensBefore, kinds) in [(false, Fault.Kinds.lock), (true, .indexLock)] {
      for body in [
        { try $0.commit([.insertSection("t")], to: "l") }, { _ = try $0.lists() },
      ] as [(Repository) throws -> Void] {
        let error = try failure(number, kinds, opensBefore: opensBefore, body)
        #expect(error?.code == .noLocks)
        #expect(error?.file == file.path)
        #expect(error?.message.contains("has no locks") == true)
      }
    }
    #expect(try Repository(existing: file).revision(of: "l") == 1)
  }

  /// A lock that fails for another reason says nothing of the file system.
  @Test func anotherFailureIsNot() throws {
    let error = try failure(EIO, .lock, opensBefore: false) { _ = try $0.lists() }
    #expect(error?.code == .inputOutput)
  }

  @Test func aCommandThatMigratesSaysIt() throws {
    let scope = try FaultScope(folder.url)
    scope.arm(
      Fault(name: "lock", kinds: .lock, systemError: ENOLCK, codes: [], lasts: true), at: 1)
    let error = #expect(throws: StoreError.self) { try Migrator.down(file, to: 0) }
    scope.disarm()
    #expect(error?.code == .noLocks)
  }

  /// Looking needs no lock: nobody writes.
  @Test func aStoreAtRestIsLookedAtWithoutLocks() throws {
    let scope = try FaultScope(folder.url)
    // A file that was just written may be written again in the same moment.
    usleep(300_000)
    scope.arm(
      Fault(name: "lock", kinds: .lock, systemError: ENOLCK, codes: [], lasts: true), at: 1)
    let summary = try Inspection(of: file).summary()
    scope.disarm()
    #expect(summary.lists.map(\.revision) == [1])
    #expect(scope.failures > 0)
  }

  /// What tells it where SQLite takes the system's answer for somebody else's lock.
  @Test func aFileSystemWithLocksHasThem() throws {
    #expect(!LockSupport.isMissing(beside: file.path))
    #expect(!LockSupport.isMissing(beside: "/nowhere/store.sqlite"))
    #expect(try folder.contents().keys.allSatisfy { $0.hasPrefix("store.sqlite") })
  }
}
