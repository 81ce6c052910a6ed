import Foundation
import GRDB
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import StoreFiles
import TestSupport
import Testing
import ListTables

/// What a Repository does by itself, and that it stops where it must.
@Suite struct MaintenanceTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private var file: URL { folder.file("store.sqlite") }
  private let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())

  init() throws {
    folder = try TemporaryFolder()
    var options = Repository.Options()
    options.logRetention = LogRetention(changes: 10)
    repository = try Repository(at: folder.file("store.sqlite"), options: options)
    try repository.commit(
      [.insertSection("s"), .insertItem(Item(id: "a", cell: "Cell", content: "1"), in: "s")],
      to: "list")
  }

  private func touch(_ count: Int) throws {
    for _ in 0..<count { try repository.commit([.touchItem("a")], to: "list") }
  }

  private func firstInLog(_ list: ListID = "list") throws -> Int? {
    try repository.commits(of: list).first?.revision
  }

  private func savedSizes() throws -> [ItemID: SizeAnswer] {
    try Repository(readingOnly: file).sizes(of: "list", for: key)
  }

  /// Keeps the maintenance queue from its jobs until the semaphore is signalled.
  private func holdMaintenance() -> DispatchSemaphore {
    let gate = DispatchSemaphore(value: 0)
    repository.maintenance.add("wait") { gate.wait() }
    return gate
  }

  // MARK: The write-ahead log

  /// It would wait for the disk.
  @Test func theCommitThatMakesTheWriteAheadLogLongDoesNotCopyIt() throws {
    let gate = holdMaintenance()
    // Also where the test ends early: the Repository's end waits for its jobs.
    defer { gate.signal() }
    let before = try Data(contentsOf: file)
    try touch(untilLogPages: 1_100)
    #expect(try Data(contentsOf: file) == before)
    gate.signal()
    repository.maintenance.drain()
    #expect(try Data(contentsOf: file) != before)
    // All of it: the next commit begins it anew.
    let pages = logPages
    try touch(100)
    #expect(logPages == pages)
  }

  /// A log does not grow without end where the thread that copies it is kept from it.
  @Test func aCommitCopiesAWriteAheadLogThatNobodyElseHasCopied() throws {
    let gate = holdMaintenance()
    defer { gate.signal() }
    let before = try Data(contentsOf: file)
    try touch(untilLogPages: 7_900)
    #expect(try Data(contentsOf: file) == before)
    try touch(200)
    #expect(try Data(contentsOf: file) != before)
    let pages = logPages
    try touch(100)
    #expect(logPages == pages)
  }

  /// Who writes much has the time, and the other thread would not keep up.
  @Test func aLargeCommitCopiesTheWriteAheadLogItself() throws {
    let gate = holdMaintenance()
    defer { gate.signal() }
    let before = try Data(contentsOf: file)
    try repository.commit(
      (0..<50_000).map {
        .insertItem(Item(id: try ItemID("i\($0)"), cell: "Cell", content: "1"), in: "s")
      },
      to: "list")
    #expect(try Data(contentsOf: file) != before)
  }

  /// Another writer commits while the log is copied, so that it is never copied as a whole.
  @Test func theWriteAheadLogStaysShortWhereAnotherWriterCommitsAllTheTime() throws {
    let isDone = Guarded(false)
    let hasEnded = DispatchSemaphore(value: 0)
    let other = try Repository(existing: file)
    Thread.detachNewThread {
      while !isDone.withValue({ $0 }) {
        _ = try? other.commit([.updateList(meta: "1")], to: "other")
        Thread.sleep(forTimeInterval: 0.005)
      }
      hasEnded.signal()
    }
    defer {
      isDone.withValue { $0 = true }
      hasEnded.wait()
    }
    let content = JSON(string: String(repeating: "x", count: 16_000))
    for round in 0..<60 {
      try repository.commit(
        (0..<100).map {
          .insertItem(
            Item(id: try ItemID("i\(round) \($0)"), cell: "Cell", content: content), in: "s")
        },
        to: "list")
      Thread.sleep(forTimeInterval: 0.002)
    }
    // All have written some 27,000 pages.
    #expect(logPages < 12_000)
  }

  /// What wrote nothing does not make the next commit a large one.
  @Test func aSmallCommitAfterOneThatWroteNothingLeavesALongLogToTheOtherThread() throws {
    let gate = holdMaintenance()
    defer { gate.signal() }
    let before = try Data(contentsOf: file)
    try touch(untilLogPages: 1_100)
    #expect(try !repository.discard("none", of: "list"))
    try touch(1)
    #expect(try Data(contentsOf: file) == before)
  }

  /// The pages for which the file of the log has room.
  private var logPages: Int { (FileStatus(following: file.path + "-wal")?.byteCount ?? 0) / 4_120 }

  /// A commit writes more than two pages.
  private func touch(untilLogPages count: Int) throws {
    for _ in 0..<(count / 2) where logPages < count { try touch(1) }
    try #require(logPages >= count)
  }

  // MARK: Truncation

  /// Its thread has better things to do.
  @Test func theCommitThatMakesALogTooLongDoesNotTruncateIt() throws {
    try touch(254)
    // Nothing else runs on the queue until the commit has returned.
    let gate = holdMaintenance()
    try touch(1)
    #expect(try firstInLog() == 1)
    gate.signal()
    repository.maintenance.drain()
    #expect(try firstInLog() == 247)
  }

  @Test func aTruncationThatMayNotGoOnDropsNoRowsAndIsContinued() throws {
    try touch(20)
    func commitCount() throws -> Int {
      let count = try DatabaseQueue(path: file.path).read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM listCommit")
      }
      return try #require(count)
    }
    let all = try commitCount()
    let failure = #expect(throws: StoreError.self) {
      try repository.truncateLog(of: "list", keeping: LogRetention(changes: 5), while: { false })
    }
    #expect(failure?.code == .suspended)
    #expect(try firstInLog() == 17)
    #expect(try commitCount() == all)
    // Only the commits; contents that nothing names any more come next.
    var asked = 0
    let second = #expect(throws: StoreError.self) {
      try repository.truncateLog(
        of: "list", keeping: LogRetention(changes: 5),
        while: {
          asked += 1
          return asked == 1
        })
    }
    #expect(second?.code == .suspended)
    #expect(try commitCount() < all)
  }

  @Test(arguments: [false, true]) func closingTruncatesWhatIsDue(_ byRelease: Bool) throws {
    var closing: Repository? = nil
    var options = Repository.Options()
    options.logRetention = LogRetention(changes: 10)
    closing = try Repository(existing: file, options: options)
    for _ in 0..<255 { try closing?.commit([.touchItem("a")], to: "list") }
    if !byRelease { try closing?.close() }
    closing = nil
    // A thread of its own may hold it a moment longer.
    for _ in 0..<2_000 where try byRelease && firstInLog() != 247 { usleep(5_000) }
    #expect(try firstInLog() == 247)
  }

  @Test func aListThatIsGoneIsNoFailure() throws {
    let gate = holdMaintenance()
    try touch(255)
    try repository.deleteList("list")
    gate.signal()
    repository.maintenance.drain()
    #expect(repository.failures.isEmpty)
  }

  // MARK: Suspending

  @Test func afterSuspendNothingIsWrittenUntilResume() throws {
    let list = repository.liveList("list")
    let provider = try list.provider()
    repository.suspend()
    let before =
      try Data(contentsOf: file) + Data(contentsOf: URL(fileURLWithPath: file.path + "-wal"))
    let writes: [(String, () throws -> Void)] = [
      ("commit", { try list.commit([.touchItem("a")]) }),
      ("edit", { _ = try list.edit { try $0.delete("a") } }),
      ("undo", { try list.undo() }),
      (
        "size",
        {
          try list.save(
            [
              MeasuredSize(
                item: "a", size: Size(width: 1, height: 1), cell: "Cell", contentRevision: 1)
            ], for: self.key)
        }
      ),
      ("screen", { try list.save(ListViewState()) }),
      ("delete", { try self.repository.deleteList("list") }),
      ("truncate", { try list.truncateLog(keeping: LogRetention(changes: 0)) }),
    ]
    for (name, write) in writes {
      let error = #expect(throws: StoreError.self, "\(name)") { try write() }
      #expect(error?.code == .suspended, "\(name)")
      #expect(error?.message.contains("resume()") == true)
    }
    // What is written without being asked for waits.
    #expect(provider.keep(Size(width: 320, height: 7), at: ItemPath(section: 0, item: 0), for: key))
    repository.saveSoon(ListViewState(selection: ItemSelection(.multiple, ["a"])), of: "list") {
      Issue.record($0)
    }
    repository.flushSizes()
    repository.maintenance.drain()
    #expect(
      try Data(contentsOf: file) + Data(contentsOf: URL(fileURLWithPath: file.path + "-wal"))
        == before)
    repository.resume()
    repository.maintenance.drain()
    #expect(try savedSizes() == ["a": .exact(Size(width: 320, height: 7))])
    #expect(try list.viewState().selection.items == ["a"])
    try list.commit([.touchItem("a")])
    #expect(repository.failures.isEmpty)
  }

  @Test func suspendWaitsForTheWriterThatGoesOn() async throws {
    let repository = repository
    let (inside, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isCommitted = Guarded(false)
    Thread.detachNewThread {
      _ = try? repository.edit("list") { list in
        try list.apply(.touchItem("a"))
        inside.signal()
        goOn.wait()
        isCommitted.withValue { $0 = true }
      }
    }
    inside.wait()
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.05)
      goOn.signal()
    }
    repository.suspend()
    #expect(isCommitted.withValue { $0 })
    #expect(try repository.revision(of: "list") == 2)
  }

  /// Another connection can take the lock that iOS would end the app for.
  @Test func whileSuspendedNoLockIsHeld() throws {
    try touch(3)
    let provider = try repository.provider(for: "list")
    #expect(provider.numberOfItems == 1)
    repository.suspend()
    try DatabaseQueue(path: file.path).inDatabase { db in
      try db.execute(sql: "PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; ROLLBACK")
      #expect(
        try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
          == ["busy": 0, "log": 0, "checkpointed": 0])
    }
    withExtendedLifetime(provider) {}
  }

  @Test func truncationStopsAndGoesOnAfterwards() throws {
    repository.suspend()
    repository.resume()
    let gate = holdMaintenance()
    try touch(255)
    let repository = repository
    let isSuspended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      repository.suspend()
      isSuspended.signal()
    }
    while !repository.maintenance.isSuspended { Thread.sleep(forTimeInterval: 0.001) }
    gate.signal()
    isSuspended.wait()
    #expect(try firstInLog() == 1)
    repository.resume()
    repository.maintenance.drain()
    #expect(try firstInLog() == 247)
  }

  @Test func closingWhileSuspendedWritesWhatWaits() throws {
    let provider = try repository.provider(for: "list")
    repository.suspend()
    #expect(provider.keep(Size(width: 320, height: 7), at: ItemPath(section: 0, item: 0), for: key))
    try repository.close()
    #expect(try savedSizes() == ["a": .exact(Size(width: 320, height: 7))])
  }

  // MARK: Screens

  @Test func aStateThatIsSavedSoonIsReadAtOnceAndNewerOnesWin() throws {
    let gate = holdMaintenance()
    func state(_ id: ItemID) -> ListViewState {
      ListViewState(selection: ItemSelection(.multiple, [id]))
    }
    repository.saveSoon(state("a"), of: "list") { Issue.record($0) }
    #expect(try repository.viewState(of: "list") == state("a"))
    repository.saveSoon(state("a"), of: "list") { Issue.record($0) }
    try repository.save(ListViewState(), of: "list")
    gate.signal()
    repository.maintenance.drain()
    #expect(try repository.viewState(of: "list") == ListViewState())
  }

  @Test func aStateThatCannotBeSavedIsReported() throws {
    let told = Guarded<[StoreError]>([])
    repository.saveSoon(ListViewState(), of: "list", view: String(repeating: "x", count: 300)) {
      error in told.withValue { $0.append(error) }
    }
    repository.maintenance.drain()
    #expect(told.withValue { $0.map(\.code) } == [.invalidValue])
  }

  // MARK: Failures

  @Test func anErrorThatNobodyGetsIsKeptOnceAndCounted() throws {
    struct Broken: Error, Equatable {}
    for _ in 0..<3 { repository.maintenance.add("do it") { throw Broken() } }
    for number in 0..<30 {
      repository.maintenance.add("count") {
        throw StoreError(.invalidValue, "\(number)", file: nil)
      }
    }
    repository.maintenance.drain()
    #expect(repository.failures.count == 20)
    let last = (10..<30).map { "\($0)" }
    #expect(repository.failures.map(\.message) == last)
    #expect(repository.diagnostics["failure"] == 33)
  }

  @Test func aReadThatFailsKeepsItsCause() throws {
    try repository.commit(
      (0..<2_000).map {
        .insertItem(Item(id: ItemID(stringLiteral: "\($0)"), cell: "Cell", content: "1"), in: "s")
      }, to: "list")
    try DatabaseQueue(path: file.path).inDatabase { db in
      try db.execute(sql: "UPDATE block SET members = '[0]' WHERE level = 0 AND section > 0")
    }
    let provider = try repository.provider(for: "list")
    #expect(provider.item(at: ItemPath(section: 0, item: 1_000)) == nil)
    #expect(provider.failedReadCount == 1)
    #expect(repository.failures.map(\.code) == [.damagedStore])
  }
}
