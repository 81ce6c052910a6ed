import Foundation
import ListModel
import ListStore
import TestSupport
import Testing

/// `cellar inspect log --follow` at a store that another process has open: this one.
@Suite struct LogFollowTests {
  private let bench: CommandBench
  /// Where private copies lie.
  private let scratch: TemporaryFolder
  private let repository: Repository

  init() throws {
    bench = try CommandBench()
    scratch = try TemporaryFolder()
    repository = try Repository(at: URL(fileURLWithPath: bench.store))
    try repository.commit([.insertSection("s")], to: "l", by: "app")
  }

  private func insert(_ id: String, into list: ListID = "l") throws {
    try repository.commit(
      [
        .insertItem(Item(id: ItemID(stringLiteral: id), cell: "C", content: "1"), in: "s")
      ], to: list, by: "app")
  }

  /// A follower that runs until it gets a signal.
  private final class Follower {
    let process = Process()
    private let output: URL

    init(_ bench: CommandBench, _ scratch: TemporaryFolder, _ options: [String]) throws {
      output = bench.folder.url.deletingLastPathComponent()
        .appendingPathComponent("follow-\(UUID().uuidString)")
      try Data().write(to: output)
      process.executableURL = BuiltProducts.program("cellar")
      process.arguments = ["inspect", "log", bench.store, "--follow"] + options
      process.environment = ProcessInfo.processInfo.environment
        .merging(["TMPDIR": scratch.url.path]) { $1 }
      process.standardOutput = try FileHandle(forWritingTo: output)
      try process.run()
    }

    deinit {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      try? FileManager.default.removeItem(at: output)
    }

    /// What it has printed, once that has a text.
    @discardableResult
    func wait(
      for text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
      let end = Date().addingTimeInterval(60)
      while true {
        let printed = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        if printed.contains(text) { return printed }
        guard process.isRunning, Date() < end else {
          Issue.record("\(text) is not in: \(printed)", sourceLocation: sourceLocation)
          throw CancellationError()
        }
        Thread.sleep(forTimeInterval: 0.02)
      }
    }

    func end(by signal: Int32) -> (Process.TerminationReason, Int32) {
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      return (process.terminationReason, process.terminationStatus)
    }
  }

  @Test func commitsComeUntilControlCAndNoByteChanges() throws {
    let follower = try Follower(bench, scratch, [])
    try follower.wait(for: "1  ")
    for number in 0..<3 {
      try insert("item-\(number)")
      let written = try FolderSnapshot(of: bench.folder.url)
      try follower.wait(for: "insertItem \"item-\(number)\" at [0, \(number)] in \"s\"")
      #expect(written.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
    }
    try repository.commit([.insertSection("s")], to: "other", by: "app")
    let printed = try follower.wait(for: "list \"other\"\n  1  ")
    #expect(printed.components(separatedBy: "item-1").count == 2, "each is printed once")
    #expect(printed.components(separatedBy: "list \"l\"").count == 2)
    let (reason, status) = follower.end(by: SIGINT)
    #expect(reason == .exit)
    #expect(status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == [])
  }

  @Test func jsonIsALineForEachCommitThatFits() throws {
    try insert("before")
    let follower = try Follower(
      bench, scratch, ["--json", "--list", "l", "--item", "wanted"])
    try insert("unwanted")
    try insert("wanted")
    try repository.commit([.deleteItem("wanted")], to: "l", by: "editor")
    let lines = try follower.wait(for: "deleteItem").objects()
    #expect(lines.map { $0["formatVersion"] as? Int } == [1, 1])
    #expect(lines.map { $0["list"] as? String } == ["l", "l"])
    let commits = lines.compactMap { $0["commit"] as? [String: Any] }
    #expect(commits.map { $0["revision"] as? Int } == [4, 5])
    #expect(commits.map { $0["author"] as? String } == ["app", "editor"])
    #expect(follower.end(by: SIGINT).1 == 0)
  }

  @Test func aStoreThatGoesAwayEndsIt() throws {
    let follower = try Follower(bench, scratch, [])
    try follower.wait(for: "1  ")
    try FileManager.default.removeItem(atPath: bench.store)
    follower.process.waitUntilExit()
    #expect(follower.process.terminationStatus == 1)
  }
}
