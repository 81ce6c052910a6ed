import Foundation
import GRDB
import StoreFiles
import TestSupport
import Testing

/// A copy of a store that others write is of one moment, and always comes.
@Suite struct LiveCopyTests {
  /// Looks again and again; what is seen never goes back.
  private func look(
    at store: CountingStore, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var last = 0
    for _ in 0..<Int.looks {
      let number = try store.check(PrivateCopy(of: store.file), sourceLocation: sourceLocation)
      #expect(number >= last, sourceLocation: sourceLocation)
      last = number
    }
    #expect(last > 0, sourceLocation: sourceLocation)
  }

  @Test(arguments: ["WAL", "DELETE", "TRUNCATE", "PERSIST"])
  func besideAWriterAtFullSpeed(_ journalMode: String) throws {
    let store = try CountingStore(journalMode: journalMode)
    let writer = try KilledProcess(store.file, "count", in: TemporaryFolder())
    try look(at: store)
    writer.kill()
    try store.check(PrivateCopy(of: store.file))
  }

  @Test func besideAWriterThatKeepsTheStoreToItself() throws {
    let store = try CountingStore()
    let writer = try KilledProcess(store.file, "count-alone", in: TemporaryFolder())
    for _ in 0..<5 { try store.check(PrivateCopy(of: store.file)) }
    writer.kill()
    try store.check(PrivateCopy(of: store.file))
  }

  @Test func ofALargeStoreBesideAWriterAtFullSpeed() throws {
    let store = try CountingStore(lines: 20_000)
    let writer = try KilledProcess(store.file, "count", in: TemporaryFolder())
    for _ in 0..<3 { try store.check(PrivateCopy(of: store.file)) }
    writer.kill()
  }

  @Test func besideAWriterThatOpensAndCloses() throws {
    let store = try CountingStore()
    let writer = try KilledProcess(store.file, "count-and-close", in: TemporaryFolder())
    try look(at: store)
    writer.kill()
    try store.check(PrivateCopy(of: store.file))
  }

  @Test func besideBoth() throws {
    let store = try CountingStore()
    let folder = try TemporaryFolder()
    let writers = try ["count", "count-and-close", "count-and-close"].map {
      try KilledProcess(store.file, $0, in: folder)
    }
    try look(at: store)
    for writer in writers { writer.kill() }
  }

  /// The system forgets a process's locks of a file when the process closes any descriptor of it.
  @Test func lookingLeavesTheLocksOfAnOpenStoreAlone() throws {
    let store = try CountingStore()
    let queue = try DatabaseQueue(path: store.file.path)
    func count() throws { try queue.write { try $0.execute(sql: "UPDATE last SET number = 5") } }
    try count()
    _ = try StoreHeader(of: store.file)
    _ = try PrivateCopy(of: store.file)
    // A connection that finds itself to be the last one moves the log into the file and deletes it.
    let outcome = try BuiltProducts.run("CommitUntilKilled", [store.file.path, "count-once"])
    #expect(outcome.exitCode == 0)
    try count()
    let copy = try PrivateCopy(of: store.file)
    let copied = try DatabaseQueue(path: copy.file.path)
    #expect(try copied.read { try Int.fetchOne($0, sql: "SELECT number FROM last") } == 5)
    #expect(try copied.read { try Int.fetchOne($0, sql: "SELECT number FROM first") } == 1)
    #expect(
      try FolderSnapshot(of: store.folder.url).names
        == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
    try copied.close()
    try queue.close()
  }
}
