import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// What a feed's batch updates hold, and what work and room a feed takes.
@Suite struct FeedUpdateTests {
  /// Another process commits between the feed's lines: its commits are part of the batch updates.
  @Test(arguments: [1, 2, 3, 10]) func anotherWritersCommitsAreFoldedIn(_ coalescing: Int) throws {
    let bench = try FeedBench()
    try bench.apply([commit(1, insertSection("s"), insertItem("a"))])
    let other = try Repository(existing: bench.file)
    var updates: [BatchUpdate] = []
    let lines = (2...12).map { commit($0, insertItem("i\($0)")) }
    let text = lines.joined(separator: "\n") + "\n"
    let reader = try FeedReader(file: try bench.folder.write(text, to: "feed"))
    try bench.repository.apply(
      reader, updates: FeedUpdates(coalescing: coalescing) { updates.append($0) }
    ) { report in
      if report.lines % 2 == 1 {
        #expect(throws: Never.self) { try other.commit([.touchItem("a")], to: "l") }
      }
    }
    var reached = 1
    for update in updates {
      #expect(update.from == reached)
      reached = update.to
      if case .reload(let why) = update.mode { Issue.record("a reload: \(why)") }
    }
    #expect(reached >= 16)
    #expect(bench.repository.diagnostics["mismatch"] == nil)
  }

  /// Whether the first lines were applied before, later ones tell: then several are stored at once.
  @Test(arguments: [1, 2]) func linesThatHaveWaitedHaveAnUpdateEach(_ coalescing: Int) throws {
    let bench = try FeedBench()
    let reset = #"{"t":"reset","list":"l","why":"x"}"#
    try bench.apply([reset, commit(1, insertSection("s")), commit(2, insertItem("a"))])
    let first = try bench.repository.revision(of: "l")
    var updates: [BatchUpdate] = []
    try bench.apply(
      [reset, commit(1, insertSection("t")), commit(2, insertItem("b", in: "t"))],
      updates: FeedUpdates(coalescing: coalescing) { updates.append($0) })
    let last = try bench.repository.revision(of: "l")
    #expect(last == first + 3)
    #expect(updates.map(\.from) == Array(stride(from: first, to: last, by: coalescing)))
    let next = updates.dropFirst().map(\.from)
    #expect(updates.map(\.to) == next + [last])
  }

  @Test func onlyListsWithAnUpdateThatIsDueAreLookedAt() throws {
    let bench = try FeedBench()
    let lines = (0..<120).map { commit(1, insertSection("s"), list: "list\($0)") }
    #expect(try bench.apply(lines, updates: FeedUpdates { _ in }).listsLookedAt == 120)
    let again = (0..<120).map { commit(2, insertItem("a"), list: "list\($0)") }
    let report = try bench.apply(again, updates: FeedUpdates(coalescing: 2) { _ in })
    #expect(report.listsLookedAt == 120, "at the end, each once")
  }

  /// Meanwhile it is copied into the file less often.
  @Test func theWriteAheadLogIsShortAgainAfterALongFeed() throws {
    let bench = try FeedBench()
    func logSize() -> Int {
      let log = bench.file.path + "-wal"
      let attributes = try? FileManager.default.attributesOfItem(atPath: log)
      return attributes?[.size] as? Int ?? 0
    }
    let content = String(repeating: "x", count: 40_000)
    let lines =
      [commit(1, insertSection("s"))]
      + (2..<300).map { number in
        commit(
          number,
          "{\"op\":\"insertItem\",\"item\":\"i\(number)\",\"section\":\"s\",\"cell\":\"C\","
            + "\"content\":\"\(content)\"}")
      }
    let reader = try FeedReader(
      file: try bench.folder.write(lines.joined(separator: "\n") + "\n", to: "feed"))
    var longest = 0
    try bench.repository.apply(reader) { _ in longest = max(longest, logSize()) }
    #expect(longest > 8 << 20)
    // Another thread copies it.
    bench.repository.maintenance.drain()
    try bench.repository.commit([.deleteItem("i2")], to: "l")
    #expect(logSize() <= 4 << 20)
  }

  // MARK: Limits

  @Test func aSnapshotOfMoreThan100000SectionsIsRefused() throws {
    let bench = try FeedBench()
    let sections = (0...100_000).map { "{\"id\":\"\($0)\",\"items\":[]}" }
    let failure = bench.failure([
      "{\"t\":\"snapshot\",\"list\":\"l\",\"seq\":\"1\",\"sections\":["
        + sections.joined(separator: ",") + "]}"
    ])
    #expect(failure?.code == .feedLimit)
    #expect(failure?.line == 1)
    #expect(failure?.message.contains("100001 sections") == true)
    #expect(try bench.repository.lists().isEmpty)
  }
}
