import Dispatch
import Foundation
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import StoreFiles
import StoreSchema
import SuiteSupport
import TestSupport
import Testing

/// A Repository is closed, and its store copied.
@Suite struct ClosingTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private var file: URL { folder.file("store.sqlite") }
  private let key = SizeKey(fittingPixels: 750, environment: LayoutEnvironment())

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [.insertSection("s")]
        + (0..<2_000).map {
          .insertItem(Item(id: ItemID(stringLiteral: "\($0)"), cell: "C", content: "1"), in: "s")
        },
      to: "list")
  }

  // MARK: Closing

  @Test func everyLaterCallIsRefused() throws {
    var provider = try repository.provider(for: "list")
    try repository.close()
    let calls: [(String, () throws -> Void)] = [
      ("commit", { try repository.commit([], to: "list") }),
      ("edit", { try repository.edit("list") { _ in } }),
      ("upgrade", { try repository.upgradeContents(of: []) }),
      ("lists", { _ = try repository.lists() }),
      ("tree", { _ = try repository.tree(of: "list") }),
      ("provider", { _ = try repository.provider(for: "list") }),
      ("advance", { try repository.advance(&provider) }),
      ("view state", { _ = try repository.viewState(of: "list") }),
      ("backup", { try repository.backup(to: folder.file("copy.sqlite")) }),
    ]
    for (name, call) in calls {
      let error = #expect(throws: StoreError.self, "\(name)") { try call() }
      #expect(error?.code == .closed, "\(name): \(error as Any)")
    }
    repository.flushSizes()
    repository.suspend()
    // Also when nothing is there any more.
    try FileManager.default.removeItem(at: file)
    let error = #expect(throws: StoreError.self) { try repository.lists() }
    #expect(error?.code == .closed)
    try repository.close()
  }

  @Test func connectionsAndLogAreGone() throws {
    let provider = try repository.provider(for: "list")
    #expect(provider.item(at: ItemPath(section: 0, item: 0)) != nil)
    #expect(try folder.contents().keys.contains("store.sqlite-wal"))
    try repository.close()
    #expect(try folder.contents().keys.sorted() == ["store.sqlite"])
    #expect(LockHolder.connections(ofDatabase: file.path) == nil)
  }

  /// Whoever still reads would keep the log.
  @Test(.timeLimit) func closingWaitsForThoseWhoRead() throws {
    let (begun, closing) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let threads = Threads()
    threads.start { [repository] in
      // As long as it goes on, the store is not closed.
      let isRead = try? repository.read(list: "list", "read slowly") { _ in
        begun.signal()
        closing.wait()
        Thread.sleep(forTimeInterval: 0.05)
        return true
      }
      #expect(isRead == true)
    }
    begun.wait()
    closing.signal()
    try repository.close()
    #expect(try folder.contents().keys.sorted() == ["store.sqlite"])
    threads.join()
  }

  @Test func theLogIsGoneAlsoAfterABackup() async throws {
    let provider = try repository.provider(for: "list")
    try await repository.backup(to: folder.file("copy.sqlite"))
    #expect(try repository.revision(of: "list") == provider.revision)
    try repository.commit([.touchItem("7")], to: "list")
    try repository.close()
    #expect(try folder.contents().keys.sorted() == ["copy.sqlite", "store.sqlite"])
  }

  @Test func providersAnswerFromMemory() throws {
    let provider = try repository.provider(for: "list")
    #expect(provider.item(at: ItemPath(section: 0, item: 0))?.id == "0")
    try repository.close()
    #expect(provider.item(at: ItemPath(section: 0, item: 0))?.id == "0")
    #expect(provider.numberOfItems == 2_000)
    #expect(provider.item(at: ItemPath(section: 0, item: 1_900)) == nil)
  }

  @Test func providersOutliveARepositoryThatWasNotClosed() throws {
    let provider = try Repository(existing: file).provider(for: "list")
    #expect(provider.item(at: ItemPath(section: 0, item: 1_900))?.id == "1900")
  }

  @Test func sizesThatWaitAreWritten() throws {
    let size = Size(width: 375, height: 44)
    let provider = try repository.provider(for: "list")
    provider.keep(size, at: ItemPath(section: 0, item: 0), for: key)
    try repository.close()
    #expect(try Repository(existing: file).sizes(of: "list", for: key)["0"] == .exact(size))
  }

  @Test(.timeLimit) func streamsEnd() async throws {
    let revisions = repository.revisions(of: "list")
    var updates = repository.liveList("list").updates().makeAsyncIterator()
    try repository.commit([.touchItem("7")], to: "list")
    #expect(try await updates.next()?.provider.revision == 2)
    try repository.close()
    #expect(try await updates.next() == nil)
    #expect(await revisions.reduce(into: []) { $0.append($1) } == [2])
    for await _ in repository.revisions(of: "list") { Issue.record("it is closed") }
    await #expect(throws: StoreError.self) {
      for try await _ in repository.liveList("list").updates() {}
    }
  }

  @Test func anEditGoesOn() throws {
    try repository.edit("list") { list in
      let error = #expect(throws: StoreError.self) { try repository.close() }
      #expect(error?.code == .nestedEdit)
      try list.delete(["0"])
    }
    #expect(try repository.revision(of: "list") == 2)
  }

  @Test(arguments: 0..<8) func threadsThatGoOnAreRefused(_ seed: Int) throws {
    let repository = repository
    let newest = Guarded(1)
    let threads = Threads()
    for worker in 0..<4 {
      threads.start {
        do {
          // It ends in any case.
          for _ in 0..<1_000_000 {
            if worker == 3 {
              var provider = try repository.provider(for: "list")
              _ = provider.item(at: ItemPath(section: 0, item: 0))
              try repository.advance(&provider)
            } else {
              let revision = try repository.commit([.touchItem("7")], to: "list").revision
              newest.withValue { $0 = max($0, revision) }
            }
          }
          Issue.record("it was never closed")
        } catch {
          #expect((error as? StoreError)?.code == .closed, "\(error)")
        }
      }
    }
    for _ in 0..<2 {
      threads.start {
        usleep(UInt32(5 + 4 * seed) * 1_000)
        #expect(throws: Never.self) { try repository.close() }
      }
    }
    threads.join()
    let acknowledged = newest.withValue { $0 }
    #expect(try Repository(existing: file).revision(of: "list") == acknowledged)
  }

  // MARK: Backups

  @Test func aBackupIsTheStoreInOneFile() throws {
    let provider = try repository.provider(for: "list")
    let copy = folder.file("copy.sqlite")
    try repository.backup(to: copy)
    #expect(try folder.contents().keys.contains("copy.sqlite-wal") == false)
    try repository.commit([.deleteSection("s")], to: "list")
    let opened = try Repository(existing: copy)
    #expect(try opened.tree(of: "list") == provider.tree)
    #expect(try opened.checkInvariants().isEmpty)
    let error = #expect(throws: StoreError.self) { try repository.backup(to: copy) }
    #expect(error?.code == .notWritable)
    #expect(error?.file == copy.path)
    let nowhere = folder.file("none").appendingPathComponent("copy.sqlite")
    #expect(throws: StoreError.self) { try repository.backup(to: nowhere) }
    let nested = try repository.edit("list") { _ in
      #expect(throws: StoreError.self) { try repository.backup(to: folder.file("b.sqlite")) }
    }.value
    #expect(nested?.code == .nestedEdit)
    #expect(
      try folder.contents().keys.allSatisfy { $0.hasPrefix("store.") || $0.hasPrefix("copy.") })
  }

  @Test func othersWriteWhileABackupIsMade() async throws {
    let other = try Repository(existing: file)
    let newest = Guarded(1)
    let threads = Threads()
    threads.start {
      while let commit = try? other.commit([.touchItem("7")], to: "list") {
        newest.withValue { $0 = commit.revision }
        // As many as the test needs: each copy's log is checked.
        Thread.sleep(forTimeInterval: 0.0005)
      }
    }
    while newest.withValue({ $0 }) == 1 { try await Task.sleep(nanoseconds: 500_000) }
    var commitCount = 0
    for number in 0..<5 {
      let before = newest.withValue { $0 }
      let copy = folder.file("copy\(number).sqlite")
      try await repository.backup(to: copy)
      let after = newest.withValue { $0 }
      let opened = try Repository(existing: copy)
      let copied = try opened.revision(of: "list")
      #expect(copied >= before)
      commitCount += after - copied
      #expect(try opened.checkInvariants().isEmpty)
    }
    try other.close()
    threads.join()
    // Those who wait for a backup to end make hardly one before it returns.
    #expect(commitCount >= 10)
  }

  /// The log of the store has commits that its file does not have.
  @Test func aBackupOfAStoreThatIsOnlyReadWritesNothingOfIt() throws {
    let killed = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: file.path + suffix, toPath: killed.file("store.sqlite").path + suffix)
    }
    let store = killed.file("store.sqlite")
    let reader = try Repository(readingOnly: store)
    let before = try FolderSnapshot(of: killed.url)
    let isDone = Guarded(false)
    let isWritable = Guarded(false)
    let threads = Threads()
    threads.start {
      while !isDone.withValue({ $0 }) {
        if OpenFiles.isWritable(store) { isWritable.withValue { $0 = true } }
      }
    }
    for number in 0..<5 { try reader.backup(to: folder.file("copy\(number).sqlite")) }
    isDone.withValue { $0 = true }
    threads.join()
    #expect(!isWritable.withValue { $0 })
    let changes = before.changes(to: try FolderSnapshot(of: killed.url))
    let others = changes.filter { !$0.hasPrefix("store.sqlite-shm") }
    #expect(others == [])
    #expect(
      try Repository(existing: folder.file("copy0.sqlite")).tree(of: "list")
        == repository.tree(of: "list"))
  }

  @Test func aBackupCanBeReadWithoutAnyFileBesideIt() throws {
    let copies = try TemporaryFolder()
    try repository.backup(to: copies.file("copy.sqlite"))
    #expect(try Repository(readingOnly: copies.file("copy.sqlite")).lists() == ["list"])
    #expect(try copies.contents().keys.sorted() == ["copy.sqlite"])
  }
}

/// Threads of their own: work that never waits would keep the few that tasks have.
private final class Threads {
  private let group = DispatchGroup()

  func start(_ work: @escaping @Sendable () -> Void) {
    let group = group
    group.enter()
    Thread.detachNewThread {
      work()
      group.leave()
    }
  }

  func join() { group.wait() }
}

/// The files that this process has open.
private enum OpenFiles {
  /// Whether one of the descriptors of a file can write; never where the system does not say it.
  static func isWritable(_ file: URL) -> Bool {
    let path = file.resolvingSymlinksInPath().path
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.contains { number in
      guard
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(number)"), target == path,
        let text = try? String(contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8),
        let flags = text.firstMatch(of: /flags:\s*([0-7]+)/).flatMap({ Int32($0.1, radix: 8) })
      else { return false }
      return flags & O_ACCMODE != O_RDONLY
    }
  }
}
