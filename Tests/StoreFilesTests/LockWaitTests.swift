import Foundation
import GRDB
import TestSupport
import Testing
import StoreFiles

@testable import StoreSchema

@Suite struct LockWaitTests {
  @Test func pausesAreShortAndEndWithTheTimeout() {
    var tries = 0
    while LockWait.length(of: tries) < 1 {
      let pause = LockWait.length(of: tries + 1) - LockWait.length(of: tries)
      #expect(pause > 0 && pause < 0.006)
      tries += 1
    }
    #expect((200...400).contains(tries))
    #expect(!LockWait(timeout: 1).pauses(after: tries))
    #expect(!LockWait(timeout: 0).pauses(after: 0))
    #expect(!LockWait(timeout: .nan).pauses(after: 0))
    #expect(LockWait(timeout: .infinity).pauses(after: 1))
  }

  /// SQLite's own waiting pauses for 100 ms by then, and finds one gap in three.
  @Test func theGapsOfABusyWriterAreFound() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    let holder = try DatabaseQueue(path: file.path, configuration: .store())
    try holder.write { try $0.execute(sql: "CREATE TABLE t (x)") }
    let hasEnded = Guarded(false)
    let gaps = Guarded(0)
    Thread.detachNewThread {
      while !hasEnded.withValue({ $0 }) {
        try? holder.write { db in
          try db.execute(sql: "INSERT INTO t VALUES (1)")
          Thread.sleep(forTimeInterval: 0.4)
        }
        gaps.withValue { $0 += 1 }
        Thread.sleep(forTimeInterval: 0.03)
      }
    }
    defer { hasEnded.withValue { $0 = true } }
    let waiter = try DatabaseQueue(path: file.path, configuration: .store(busyTimeout: 600))
    var missed: [Int] = []
    for _ in 0..<5 {
      let before = gaps.withValue { $0 }
      try waiter.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
      missed.append(gaps.withValue { $0 } - before)
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(missed.sorted()[2] <= 1, "\(missed)")
  }
}
