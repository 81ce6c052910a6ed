import Foundation
import GRDB
import TestSupport
import Testing

/// `cellar inspect export --at`: a revision, a time, or a commit of the write-ahead log.
@Suite struct ExportMomentTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    let lines = [(1, "[]", 1_712_345_678_901), (2, "[]", 1_712_345_679_500)].map {
      sequence, operations, time in
      """
      {"t":"commit","list":"l","seq":"\(sequence)","at":\(time),"ops":\(operations)}

      """
    }
    try bench.fill(lines.joined())
  }

  private func revision(at moment: String) throws -> String {
    let outcome = try bench.cellar(
      "inspect", "export", bench.store, "--list", "l", "--at", moment, expecting: 0)
    let revision = try #require(try outcome.output.object()["revision"] as? String)
    #expect(outcome.errors == "notice: revision \(revision), compared with its digest\n")
    return revision
  }

  @Test(arguments: [
    ("1712345678900", "0"), ("1712345678901", "1"), ("1712345679499", "1"), ("1712345679500", "2"),
    ("2024-04-05T19:34:38.900Z", "0"), ("2024-04-05T19:34:38.901Z", "1"),
    // As `inspect info` prints the second commit's time: its whole second.
    ("2024-04-05T19:34:39Z", "2"), ("2024-04-05T21:34:38+02:00", "1"), ("2", "2"), ("0", "0"),
    ("2024-04-04", "0"), ("2024-04-05", "2"),
  ])
  func aTimeIsTheLastCommitNotLater(_ moment: String, _ expected: String) throws {
    #expect(try revision(at: moment) == expected)
  }

  @Test func aSecondIsAllOfItForTheTimelineToo() throws {
    func revisions(_ options: String...) throws -> [String] {
      let log = try bench.cellar(["inspect", "log", bench.store, "--json"] + options)
      let lists = try #require(try log.output.object()["lists"] as? [[String: Any]])
      let commits = try #require(lists.first?["commits"] as? [[String: Any]])
      return commits.map { "\($0["revision"] ?? "?")" }.sorted()
    }
    #expect(try revisions("--until", "2024-04-05T19:34:38Z") == ["1"])
    #expect(try revisions("--since", "2024-04-05T19:34:39Z") == ["2"])
    #expect(try revisions("--since", "2024-04-05", "--until", "2024-04-05") == ["1", "2"])
  }

  @Test(arguments: ["1", "2024-04-05T19:34:38Z", "1712345678901"])
  func aDifferenceTakesTheSameMoments(_ moment: String) throws {
    let outcome = try bench.cellar(
      "inspect", "diff", "\(bench.store)@\(moment)", bench.store, "--list", "l", expecting: 0)
    #expect(outcome.output.hasPrefix("list \"l\": revision 1 → 2"))
  }

  @Test func aCommitOfTheWriteAheadLogIsTheStoreAsItWas() throws {
    let queue = try DatabaseQueue(path: bench.store)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
      try db.execute(sql: "UPDATE list SET feedSequence = 3")
    }
    try bench.replay(commit(4, insertSection("s")))
    let before = try FolderSnapshot(of: bench.folder.url)
    #expect(try revision(at: "wal:0") == "2")
    #expect(try revision(at: "wal:1") == "2")
    let wal = try bench.cellar("inspect", "wal", bench.store, "--json").output.object()
    let log = try #require(wal["log"] as? [String: Any])
    let count = try #require(log["commitCount"] as? Int)
    #expect(try revision(at: "wal:\(count)") == "3")
    let difference = try bench.cellar(
      "inspect", "diff", "\(bench.store)@wal:0", bench.store, "--list", "l", expecting: 0)
    #expect(difference.output.hasPrefix("list \"l\": revision 2 → 3"))
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
    let outcome = try bench.cellar(
      "inspect", "export", bench.store, "--list", "l", "--at", "wal:\(count + 1)", expecting: 1)
    #expect(outcome.errors.contains("has commits 0...\(count), not \(count + 1)"))
    try queue.close()
  }

  @Test func aHeadThatAnotherProgramWroteIsPrintedAndSaidWith2() throws {
    try bench.fill(commit(3, insertSection("s"), insertItem("a")))
    try bench.change("UPDATE content SET content = '7'")
    let head = try bench.cellar("inspect", "export", bench.store, "--list", "l", expecting: 2)
    #expect(head.output.contains("\"content\":7"))
    #expect(head.errors.contains("warning: revision 3, not compared with its digest"))
    let earlier = try bench.cellar(
      "inspect", "export", bench.store, "--list", "l", "--at", "2", expecting: 0)
    #expect(earlier.errors == "notice: revision 2, compared with its digest\n")
  }

  @Test func aListThatIsNotWhatItsDigestSaysIsNotPrinted() throws {
    try bench.fill(commit(3, insertSection("s"), insertItem("a")))
    try bench.change("UPDATE content SET content = '7'", "UPDATE store SET isBypassed = 0")
    for moment in [[], ["--at", "3"]] {
      let outcome = try bench.cellar(
        ["inspect", "export", bench.store, "--list", "l"] + moment, expecting: 1)
      #expect(outcome.output == "")
      #expect(outcome.errors.contains("do not agree with the digest of revision 3"))
    }
  }
}
