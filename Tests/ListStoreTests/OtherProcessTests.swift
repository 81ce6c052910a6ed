import Foundation
import GRDB
import ListModel
import ListStore
import StoreFiles
import SuiteSupport
import TestSupport
import Testing

/// A list hears what other processes commit, whatever happens to its file meanwhile.
@Suite(.timeLimit) struct OtherProcessTests {
  private let folder: TemporaryFolder
  private let file: URL
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    let inner = folder.file("inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
    file = inner.appendingPathComponent("store.sqlite")
    repository = try Repository(at: file, options: Self.options())
    try repository.commit([.insertSection("s")], to: "list")
  }

  /// The clock alone would be heard after the test.
  private static func options(clock: Double = 3_600) -> Repository.Options {
    var options = Repository.Options()
    options.otherProcesses = .observed(atLeastEvery: clock)
    return options
  }

  private func commitElsewhere(to list: ListID = "list") throws {
    try Repository(existing: file).commit([.updateSection("s", SectionUpdate())], to: list)
  }

  @Test func aCommitOfAnotherIsHeard() async throws {
    var revisions = repository.revisions(of: "list").makeAsyncIterator()
    for revision in 2...20 {
      try commitElsewhere()
      #expect(await revisions.next() == revision)
    }
    try Repository(existing: file).deleteList("list")
    #expect(await revisions.next() == 0)
    // As many commits as it had before.
    let other = try Repository(existing: file)
    try other.commit([.insertSection("s")], to: "list")
    #expect(await revisions.next() == 1)
  }

  /// Whoever is cancelled ends the watch, which may be telling it of a commit just then.
  @Test func listeningEndsWhileOthersCommit() async throws {
    let other = try Repository(existing: file)
    let end = Guarded<(isWanted: Bool, result: Result<Void, any Error>?)>((false, nil))
    // A thread of its own: tasks of other tests are not to wait for it.
    Thread.detachNewThread {
      let result = Result {
        while !end.withValue({ $0.isWanted }) {
          try other.commit([.updateSection("s", SectionUpdate())], to: "list")
          Thread.sleep(forTimeInterval: 0.000_2)
        }
      }
      end.withValue { $0.result = result }
    }
    let start = ContinuousClock.now
    var count = 0
    // On a busy machine, each takes a second.
    while count < 300, count < 20 || start.duration(to: .now) < .seconds(5) {
      count += 1
      let listening = Task { [repository] in
        for await _ in repository.revisions(of: "list") {}
      }
      try await Task.sleep(nanoseconds: .random(in: 1_000_000...3_000_000))
      listening.cancel()
      await listening.value
    }
    end.withValue { $0.isWanted = true }
    while end.withValue({ $0.result == nil }) { try await Task.sleep(nanoseconds: 1_000_000) }
    try end.withValue { try $0.result?.get() }
  }

  @Test func ofAListThatIsMadeAnewTheSameRevisionIsHeard() async throws {
    var revisions = repository.revisions(of: "list").makeAsyncIterator()
    let other = try Repository(existing: file)
    // Between two looks.
    repository.suspend()
    try other.deleteList("list")
    try other.commit([.insertSection("t")], to: "list")
    repository.resume()
    #expect(await revisions.next() == 1)
  }

  @Test func ownCommitsAndThoseToOtherListsAreNotHeardTwice() async throws {
    let heard = Guarded<[Int]>([])
    let revisions = repository.revisions(of: "list")
    let listener = Task {
      for await revision in revisions { heard.withValue { $0.append(revision) } }
    }
    for revision in 2...40 {
      try repository.commit([.updateSection("s", SectionUpdate())], to: "list")
      while heard.withValue({ $0.last }) != revision { try await Task.sleep(nanoseconds: 500_000) }
      try Repository(existing: file).commit([], to: "other")
    }
    // What comes after all of them has been heard when this has.
    try commitElsewhere()
    while heard.withValue({ $0.last }) != 41 { try await Task.sleep(nanoseconds: 500_000) }
    #expect(heard.withValue { $0 } == Array(2...41))
    listener.cancel()
  }

  @Test func ignoredOnesAreNotHeard() async throws {
    var options = Repository.Options()
    options.otherProcesses = .ignored
    // Asked for when somebody begins to listen, if at all.
    options.signals = {
      Issue.record("nobody is to look")
      return []
    }
    let repository = try Repository(existing: file, options: options)
    var revisions = repository.revisions(of: "list").makeAsyncIterator()
    try commitElsewhere()
    try repository.commit([], to: "list")
    #expect(await revisions.next() == 3)
  }

  /// At most 0.1 % of a core.
  @Test func listeningToAListThatNobodyChangesCostsNothing() async throws {
    let process = try StoreProcess(file, ["listen", "5"], output: folder.file("output"))
    // The thread is for other tests meanwhile.
    while process.isRunning { try await Task.sleep(nanoseconds: 10_000_000) }
    let lines = try process.waitAndRead()
    #expect(lines.count == 1, "\(lines)")
    let microseconds = try #require(lines.first.flatMap { Int($0) })
    #expect(microseconds <= 5_000)
  }

  @Test func writesToOtherFilesOfTheFolderRingNothing() async throws {
    let other = file.deletingLastPathComponent().appendingPathComponent("other")
    try Data().write(to: other)
    let rung = Guarded(0)
    let signals = SystemSignals.all(for: file.path)
    for signal in signals { try signal.start { rung.withValue { $0 += 1 } } }
    defer { for signal in signals { signal.stop() } }
    func hasFired() -> Bool {
      signals.map { $0.drain() }.contains(true) || rung.withValue { $0 } > 0
    }
    for number in 0..<100 {
      try "\(number)".write(to: other, atomically: false, encoding: .utf8)
      #expect(!hasFired())
    }
    try commitElsewhere()
    while !hasFired() { try await Task.sleep(nanoseconds: 500_000) }
  }

  // MARK: The file goes

  /// What becomes of the file.
  enum Fate: CaseIterable { case deleted, replaced, inDeletedFolder }

  @Test(arguments: Fate.allCases) func whoListensLearnsThatTheStoreIsGone(
    _ fate: Fate
  ) async throws {
    var revisions = repository.revisions(of: "list").makeAsyncIterator()
    try commitElsewhere()
    #expect(await revisions.next() == 2)
    switch fate {
    case .deleted: try FileManager.default.removeItem(at: file)
    case .replaced:
      let other = folder.file("other.sqlite")
      try Repository(at: other).commit([.insertSection("theirs")], to: "list")
      for suffix in ["-wal", "-shm"] {
        try FileManager.default.removeItem(atPath: file.path + suffix)
      }
      _ = rename(other.path, file.path)
    case .inDeletedFolder:
      try FileManager.default.removeItem(at: file.deletingLastPathComponent())
    }
    #expect(await revisions.next() == 0)
    let failure = #expect(throws: StoreError.self) { try repository.revision(of: "list") }
    #expect(failure?.code == .movedStore)
    guard fate == .replaced else { return }
    // The new one is heard by who opens it.
    let opened = try Repository(existing: file, options: Self.options())
    var newRevisions = opened.revisions(of: "list").makeAsyncIterator()
    try Repository(existing: file).commit([.insertSection("more")], to: "list")
    #expect(await newRevisions.next() == 2)
  }

  @Test func aRestoredStoreIsHeardByWhoOpensIt() async throws {
    let backup = folder.file("backup.sqlite")
    try await DatabaseQueue(path: file.path).vacuum(into: backup.path)
    var revisions = repository.revisions(of: "list").makeAsyncIterator()
    try commitElsewhere()
    #expect(await revisions.next() == 2)
    _ = rename(backup.path, file.path)
    #expect(await revisions.next() == 0)
  }

  @Test func aFolderThatComesBackIsHeardAgain() async throws {
    // Nobody tells of the folder above.
    let repository = try Repository(existing: file, options: Self.options(clock: 0.05))
    var revisions = repository.revisions(of: "list").makeAsyncIterator()
    let inner = file.deletingLastPathComponent()
    try FileManager.default.moveItem(at: inner, to: folder.file("elsewhere"))
    #expect(await revisions.next() == 0)
    try FileManager.default.moveItem(at: folder.file("elsewhere"), to: inner)
    #expect(await revisions.next() == 1)
    try commitElsewhere()
    #expect(await revisions.next() == 2)
  }

  /// An older copy, written into the same file.
  @Test func aStoreThatWentBackIsHeard() async throws {
    let backup = folder.file("backup.sqlite")
    try await DatabaseQueue(path: file.path).vacuum(into: backup.path)
    var revisions = repository.revisions(of: "list").makeAsyncIterator()
    try commitElsewhere()
    #expect(await revisions.next() == 2)
    try DatabaseQueue(path: backup.path).backup(to: DatabaseQueue(path: file.path))
    #expect(await revisions.next() == 1)
  }

  // MARK: What the system refuses

  private struct RefusedSignal: CommitSignal {
    func start(handler: @escaping @Sendable () -> Void) throws {
      throw POSIXError(.EMFILE)
    }
    func stop() {}
  }

  @Test func withoutASignalTheClockIsEnough() async throws {
    var options = Self.options(clock: 0.05)
    options.signals = { [RefusedSignal()] }
    let repository = try Repository(existing: file, options: options)
    var revisions = repository.revisions(of: "list").makeAsyncIterator()
    try commitElsewhere()
    #expect(await revisions.next() == 2)
    #expect(repository.diagnostics["missingSignal"] == 1)
  }

  // MARK: Suspension and end

  @Test func nothingIsReadFromSuspendToResume() async throws {
    let heard = Guarded<[Int]>([])
    let revisions = repository.revisions(of: "list")
    let listener = Task {
      for await revision in revisions { heard.withValue { $0.append(revision) } }
    }
    defer { listener.cancel() }
    try commitElsewhere()
    while heard.withValue({ $0 }) != [2] { try await Task.sleep(nanoseconds: 500_000) }
    repository.suspend()
    for _ in 0..<20 { try commitElsewhere() }
    // Nobody reads: the log can begin anew.
    let checkpoint = try DatabaseQueue(path: file.path).inDatabase {
      try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    #expect(checkpoint == ["busy": 0, "log": 0, "checkpointed": 0])
    repository.resume()
    while heard.withValue({ $0.last }) != 22 { try await Task.sleep(nanoseconds: 500_000) }
    // None of those in between.
    #expect(heard.withValue { $0 } == [2, 22])
  }

  /// The last connection to be closed removes the write-ahead log.
  @Test(arguments: [false, true]) func whoListenedLetsGoOfTheFile(
    _ endsByRelease: Bool
  ) async throws {
    let file = folder.file("other.sqlite")
    var repository: Repository? = try Repository(at: file)
    let revisions = try #require(repository?.revisions(of: "list"))
    let heard = Guarded(0)
    let listener = Task {
      for await revision in revisions { heard.withValue { $0 = revision } }
    }
    try Repository(existing: file).commit([], to: "list")
    while heard.withValue({ $0 }) != 1 { try await Task.sleep(nanoseconds: 500_000) }
    #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
    #if os(Linux)
      #expect(try watchCount() == 1)
    #endif
    if !endsByRelease {
      listener.cancel()
      await listener.value
    }
    repository = nil
    #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    await listener.value
    #if os(Linux)
      // The watch ends on its own thread.
      let deadline = Date(timeIntervalSinceNow: 10)
      while try watchCount() > 0, Date() < deadline { try await Task.sleep(nanoseconds: 500_000) }
      #expect(try watchCount() == 0)
    #endif
  }

  #if os(Linux)
    /// How many descriptors of this process watch the test's folder.
    private func watchCount() throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path)
      let inode = try #require(attributes[.systemFileNumber] as? NSNumber).uint64Value
      let watch = " ino:\(String(inode, radix: 16)) "
      return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").count {
        // Other tests close theirs meanwhile.
        let text = try? String(contentsOfFile: "/proc/self/fdinfo/\($0)", encoding: .utf8)
        return text?.contains(watch) == true
      }
    }
  #endif
}
