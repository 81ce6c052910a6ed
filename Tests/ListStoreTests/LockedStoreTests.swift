import Foundation
import ListModel
import ListStore
import Providers
import TestSupport
import Testing
import ListTables

/// Another process holds the lock to write, and does not go on.
@Suite struct LockedStoreTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }
  private let item = Item(id: "i", cell: "Cell", content: "1")

  init() throws {
    folder = try TemporaryFolder()
    let repository = try Repository(at: file)
    try repository.commit([.insertSection("s"), .insertItem(item, in: "s")], to: "list")
  }

  private func open(busyTimeout: Double) throws -> Repository {
    var options = Repository.Options()
    options.busyTimeout = busyTimeout
    return try Repository(existing: file, options: options)
  }

  /// Starts a process that holds the lock and stands still.
  private func lock() throws -> StoreProcess {
    let holder = try StoreProcess(file, ["lock"], output: folder.file("output"))
    holder.waitForOutput()
    try #require(holder.isRunning)
    holder.stop()
    return holder
  }

  @Test(arguments: [0, 0.3, 1]) func aWriteFailsAfterItsTimeoutAndNotMuchLater(
    _ timeout: Double
  ) throws {
    let repository = try open(busyTimeout: timeout)
    let before = try repository.tree(of: "list")
    let holder = try lock()
    let clock = ContinuousClock()
    let start = clock.now
    let failure = #expect(throws: StoreError.self) {
      try repository.commit([.deleteItem("i")], to: "list")
    }
    let waited = clock.now - start
    #expect(failure?.code == .busy)
    #expect(failure?.file == file.path)
    #if os(Linux)
      #expect(
        failure?.message.contains(
          "process \(holder.processIdentifier) (CommitUntilKill) holds the store") == true,
        "\(failure?.message ?? "")")
    #endif
    #expect(waited >= .seconds(timeout * 0.9))
    // Twice the timeout would be waiting once more.
    #expect(waited < .seconds(timeout * 1.5 + 0.7))
    #expect(try repository.tree(of: "list") == before)

    #expect(try holder.killAndRead() == ["locked"])
    let commit = try repository.commit([.deleteItem("i")], to: "list")
    #expect(commit.revision == before.revision + 1)
    try checkLogAgreesWithRows(of: "list", in: repository)
    try checkInvariants(of: file)
  }

  @Test func everyWriteIsRefusedAlikeAndReadingGoesOn() throws {
    let repository = try open(busyTimeout: 0)
    let key = SizeKey(fittingPixels: 375, environment: LayoutEnvironment(displayScale: 1))
    let size = MeasuredSize(
      item: "i", size: Size(width: 375, height: 44), cell: "Cell", contentRevision: 0)
    let before = try repository.tree(of: "list")
    let holder = try lock()
    let writes: [(String, () throws -> Void)] = [
      ("commit", { try repository.commit([.touchItem("i")], to: "list") }),
      ("make a list", { try repository.commit([], to: "other") }),
      ("keep sizes", { try repository.save([size], for: key, in: "list") }),
      ("undo", { try repository.undoCommit(1, of: "list") }),
      (
        "truncate",
        { try repository.truncateLog(of: "list", keeping: LogRetention(changes: 0)) }
      ),
    ]
    for (what, write) in writes {
      let failure = #expect(throws: StoreError.self, "\(what)") { try write() }
      #expect(failure?.code == .busy, "\(what)")
    }
    // One that opens meanwhile only reads.
    for reader in [repository, try open(busyTimeout: 0)] {
      #expect(try reader.tree(of: "list") == before)
      #expect(try reader.provider(for: "list").tree == before)
      #expect(try reader.commits(of: "list").count == 1)
      #expect(try reader.lists() == ["list"])
      #expect(try reader.checkInvariants().isEmpty)
    }
    _ = try holder.killAndRead()
    for (_, write) in writes { try write() }
    try checkInvariants(of: file)
  }
}
