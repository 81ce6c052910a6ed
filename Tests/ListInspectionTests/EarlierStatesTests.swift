import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing
import ListTables

/// What a list was at an earlier time, or after a commit of the write-ahead log.
@Suite struct EarlierStatesTests {
  private let bench: InspectionBench
  private var file: URL { bench.file }

  init() throws { bench = try InspectionBench() }

  /// Writes commits, and gives the list after each by the commits that the log then has.
  private func record(_ repository: Repository, commits: Int) throws -> [Int: String] {
    var generator = SeededGenerator(seed: 7)
    let source = RandomChanges(hasSectionParts: true)
    var tree = ListTree(list: "list")
    var states: [Int: String] = [:]
    for _ in 0..<commits {
      let change = source.change(for: tree, using: &generator)
      try tree.apply(change)
      try repository.commit([change], to: "list")
      tree.revision += 1
      let count = try #require(try Inspection(of: file).evidence.log).commitCount
      states[count] = tree.json()
    }
    return states
  }

  @Test func everyCommitOfTheLogGivesTheListThatItWas() throws {
    let repository = try Repository(at: file)
    let states = try record(repository, commits: 12)
    #expect(states.count == 12)
    let inspection = try Inspection(of: file)
    for (commit, expected) in states {
      let earlier = try bench.unchanged { try inspection.atLogCommit(commit).export("list") }
      #expect(earlier == expected, "commit \(commit)")
    }
    let withoutLog = try inspection.atLogCommit(0)
    #expect(throws: StoreError.self) { try withoutLog.export("list") }
    try withoutLog.requireUnchanged()
    #expect(repository.file == file, "held until here")
  }

  @Test func theLogShowsMoreThanTheListKeeps() throws {
    let repository = try Repository(at: file)
    let states = try record(repository, commits: 12)
    try repository.truncateLog(of: "list", keeping: LogRetention(changes: 1))
    let inspection = try Inspection(of: file)
    #expect(throws: StoreError.self) { try inspection.export("list", at: 1) }
    let first = try #require(states.min { $0.key < $1.key })
    #expect(try inspection.atLogCommit(first.key).export("list") == first.value)
  }

  @Test func commitsThatTheFileHasAlreadyAreRefused() throws {
    let repository = try Repository(at: file)
    let states = try record(repository, commits: 12)
    let queue = try DatabaseQueue(path: file.path)
    _ = try queue.writeWithoutTransaction { try $0.checkpoint(.passive) }
    let inspection = try Inspection(of: file)
    let (least, greatest) = (try #require(states.keys.min()), try #require(states.keys.max()))
    #expect(try inspection.atLogCommit(greatest).export("list") == states[greatest])
    let error = #expect(throws: StoreError.self) { try inspection.atLogCommit(least) }
    #expect(error?.code == .revisionNotFound)
    #expect(error?.message.contains("were copied into the file already") == true)
    #expect(error?.file == file.path)
  }

  @Test func commitsThatTheLogDoesNotHaveAreRefused() throws {
    try bench.makeStore(commits: 2)
    let inspection = try Inspection(of: file)
    for number in [-1, 1] {
      let error = #expect(throws: StoreError.self) { try inspection.atLogCommit(number) }
      #expect(error?.message.contains("has commits 0...0") == true)
    }
    #expect(try inspection.atLogCommit(0).export("first") == inspection.export("first"))
  }

  @Test func aTimeMeansTheLastCommitThatIsNotLater() throws {
    let repository = try Repository(at: file)
    try bench.fill(repository, commits: 4)
    let times = [100, 300, 300, 200]
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      for (index, time) in times.enumerated() {
        try db.execute(
          sql: """
            UPDATE listCommit SET time = ? WHERE revision = ? AND list = (
              SELECT id FROM list WHERE name = 'first')
            """,
          arguments: [time, index + 1])
      }
    }
    let inspection = try Inspection(of: file)
    let expected = [(99, 0), (100, 1), (199, 1), (200, 4), (299, 4), (300, 4), (Int.max, 4)]
    for (time, revision) in expected {
      #expect(try inspection.revision(of: "first", at: time) == revision, "\(time)")
    }
    #expect(try inspection.revision(of: "first") == 4)
    try repository.truncateLog(of: "first", keeping: LogRetention(changes: 0))
    let error = #expect(throws: StoreError.self) {
      try Inspection(of: file).revision(of: "first", at: 99)
    }
    #expect(error?.code == .revisionNotFound)
  }
}
