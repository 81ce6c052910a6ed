import Foundation
import GRDB
import ListModel
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// What `/proc/locks` says of a store, and what is told of locks that do not work.
@Suite struct LockHolderTests {
  private let list = """
    1: POSIX  ADVISORY  WRITE 41 08:1f:777 120 120
    1: -> POSIX  ADVISORY  WRITE 42 08:1f:777 120 120
    2: POSIX  ADVISORY  READ  43 08:1f:777 128 128
    3: POSIX  ADVISORY  WRITE 44 08:1f:778 120 120
    4: FLOCK  ADVISORY  WRITE 45 00:2a:777 0 EOF
    5: POSIX  ADVISORY  WRITE 46 08:1f:777 1073741824 1073742335
    6: POSIX  ADVISORY  WRITE 47 08:1f:777 128 200
    not a line
    """

  @Test func theSharedMemorysLockToWriteIsFound() {
    let file = LockHolder.LockedFile(major: 8, minor: 31, inode: 777, isSharedMemory: true)
    #expect(
      LockHolder.writeLocks(in: list, on: file) == [
        .init(process: 41, isOnDevice: true), .init(process: 45, isOnDevice: false),
      ])
  }

  @Test func theDatabasesLockIsFound() {
    let file = LockHolder.LockedFile(major: 8, minor: 31, inode: 777, isSharedMemory: false)
    #expect(
      LockHolder.writeLocks(in: list, on: file) == [
        .init(process: 45, isOnDevice: false), .init(process: 46, isOnDevice: true),
      ])
    let other = LockHolder.LockedFile(major: 8, minor: 31, inode: 1, isSharedMemory: false)
    #expect(LockHolder.writeLocks(in: list, on: other) == [])
  }

  @Test func locksThatDoNotWorkAreNotCalledBusy() {
    let error = StoreError.wrap(
      DatabaseError(resultCode: .SQLITE_PROTOCOL, message: "locking protocol"),
      attempt: "read the store", file: "/nowhere/store.sqlite")
    #expect(error.code == .inputOutput)
    #expect(error.message.contains("local disk"))
    #expect(!error.message.contains("try again when it is done"))
  }
}
