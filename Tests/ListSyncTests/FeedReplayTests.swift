import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

/// Gaps, repeats, resets and snapshots: what a feed's sequence numbers do.
@Suite struct FeedReplayTests {
  private let start = [
    commit(1, insertSection("s"), insertItem("a")), commit(2, insertItem("b")),
    commit(3, insertItem("c")),
  ]
  private let reset = "{\"t\":\"reset\",\"list\":\"l\",\"why\":\"compacted\"}"

  @Test func appliedLinesAreSkipped() throws {
    let bench = try FeedBench()
    try bench.apply(start)
    let report = try bench.apply(start + [commit(4, insertItem("d"))])
    #expect(report.lists["l"]?.skipped == 3)
    #expect(report.lists["l"]?.applied == 1)
    #expect(report.lists["l"]?.revision == 4)
    #expect(try bench.ids() == ["s": ["a", "b", "c", "d"]])
  }

  @Test func anAppliedLineThatIsWrittenDifferentlyIsSkippedByItsNumber() throws {
    let bench = try FeedBench()
    try bench.apply(start)
    for line in start {
      #expect(try bench.apply([line + " "]).lists["l"]?.skipped == 1)
    }
    #expect(try bench.apply(start.map { $0 + " " }).applied == 0)
    #expect(try bench.repository.revision(of: "l") == 3)
  }

  @Test func aGapNamesBothNumbersAndAppliesNothing() throws {
    let bench = try FeedBench()
    let failure = bench.failure(start + [commit(6, insertItem("x"))])
    #expect(failure?.code == .feedGap)
    #expect(failure?.line == 4)
    #expect(failure?.message.contains("4") == true)
    #expect(failure?.message.contains("6") == true)
    #expect(try bench.ids() == ["s": ["a", "b", "c"]])
    #expect(bench.failure([commit(2, list: "other")])?.code == .feedGap, "a list begins with 1")
    #expect(try bench.repository.lists() == ["l"], "what was not applied made no list")
  }

  @Test func listsCountOnTheirOwn() throws {
    let bench = try FeedBench()
    try bench.apply([
      commit(1, insertSection("s"), list: "x"), commit(1, insertSection("s"), list: "y"),
      commit(2, insertItem("a"), list: "x"), commit(2, list: "y"),
    ])
    #expect(try bench.repository.revision(of: "x") == 2)
    #expect(try bench.ids("y") == ["s": []])
  }

  @Test func anEditByTheAppCountsAsRevisionNotAsSequence() throws {
    let bench = try FeedBench()
    try bench.apply([start[0]])
    try bench.repository.commit([.touchItem("a")], to: "l")
    var updates: [BatchUpdate] = []
    try bench.apply([start[1]], updates: FeedUpdates { updates.append($0) })
    #expect(try bench.repository.revision(of: "l") == 3)
    #expect(updates.map(\.to) == [3])
    #expect(
      try bench.repository.commits(of: "l").map(\.author.name) == ["server", "app", "server"])
  }

  @Test func unknownKindsAndMembersAreSkipped() throws {
    let bench = try FeedBench()
    let report = try bench.apply([
      "{\"t\":\"hello\",\"v\":1}", "{\"t\":\"ping\"}", "{\"t\":\"future\",\"list\":7}", "", "  ",
      commit(1, "{\"op\":\"insertSection\",\"section\":\"s\",\"glitter\":{\"a\":[1]}}"),
    ])
    #expect(report.applied == 1)
  }

  @Test func aTouchedItemIsReconfiguredAndAnEmptyCommitSaysNothing() throws {
    let bench = try FeedBench()
    var updates: [BatchUpdate] = []
    let touch = commit(4, #"{"op":"touchItem","item":"b"}"#)
    try bench.apply(start + [touch, commit(5)], updates: FeedUpdates { updates.append($0) })
    #expect(updates[3].stages.map(\.reconfigureItems) == [[ItemPath(section: 0, item: 1)]])
    #expect(updates[3].stages.map(\.operationCount) == [1])
    #expect(updates[4].mode == .none)
  }

  // MARK: Resets

  @Test func aResetEmptiesTheListAndNumbersStartAnew() throws {
    let bench = try FeedBench()
    try bench.apply(start + [reset, commit(1, insertSection("t"))])
    #expect(try bench.ids() == ["t": []])
    #expect(try bench.repository.revision(of: "l") == 5)
  }

  @Test func aFeedWithResetsCanBeReplayedAgain() throws {
    // The same lines before and after a reset, resets in a row, a reset at the start, at the end.
    let feeds = [
      start + [reset] + start, start + [reset] + [start[0]] + [reset] + start + [reset],
      [reset] + start, start + [reset, reset, reset], [reset], start + [reset, commit(1)],
    ]
    for (number, feed) in feeds.enumerated() {
      let bench = try FeedBench()
      try bench.apply(feed)
      let revision = try bench.repository.revision(of: "l")
      #expect(revision == feed.count, "feed \(number)")
      let tree = try bench.repository.tree(of: "l")
      for _ in 0..<2 {
        let report = try bench.apply(feed)
        #expect(report.applied == 0, "feed \(number)")
        #expect(report.lists["l"]?.skipped == feed.count, "feed \(number)")
      }
      #expect(try bench.repository.tree(of: "l") == tree, "feed \(number)")
      // Each prefix applied before, then the whole.
      for length in 0..<feed.count {
        let bench = try FeedBench()
        try bench.apply(Array(feed.prefix(length)))
        try bench.apply(feed)
        var expected = try bench.repository.tree(of: "l")
        #expect(expected.revision == revision, "feed \(number), first \(length)")
        expected.revision = tree.revision
        #expect(expected == tree, "feed \(number), first \(length)")
      }
    }
  }

  @Test func aLaterFeedThatBeginsWithTheSameResetIsApplied() throws {
    let bench = try FeedBench()
    try bench.apply([reset, commit(1, insertSection("monday"))])
    try bench.apply([reset, commit(1, insertSection("tuesday"))])
    #expect(try bench.ids() == ["tuesday": []])
    #expect(try bench.repository.revision(of: "l") == 4)
  }

  @Test func aFeedInPartsGoesOn() throws {
    let bench = try FeedBench()
    try bench.apply(start + [reset])
    try bench.apply([start[0]])
    try bench.apply([start[1], start[2]])
    #expect(try bench.ids() == ["s": ["a", "b", "c"]])
    #expect(try bench.repository.revision(of: "l") == 7)
  }

  // MARK: Snapshots

  private func snapshot(_ sequence: Int, _ sections: String) -> String {
    "{\"t\":\"snapshot\",\"list\":\"l\",\"seq\":\"\(sequence)\",\"sections\":[\(sections)]}"
  }

  private let twoItems = """
    {"id":"s","items":[{"id":"c","cell":"C","content":{"id":"c"}},\
    {"id":"a","cell":"D","content":{"id":"a"}}]}
    """

  @Test func aSnapshotIsOneCommitOfWhatDiffers() throws {
    let bench = try FeedBench()
    var updates: [BatchUpdate] = []
    try bench.apply(
      start + [snapshot(4, twoItems), commit(5, insertItem("d"))],
      updates: FeedUpdates { updates.append($0) })
    #expect(try bench.ids() == ["s": ["c", "a", "d"]])
    let entries = try bench.repository.commits(of: "l", after: 3, limit: 1)[0].entries
    #expect(entries.count == 3, "delete b, move one, update a's cell: \(entries)")
    #expect(updates.count == 5)
  }

  @Test func aSnapshotBridgesAGapAndAnAppliedOneIsSkipped() throws {
    let bench = try FeedBench()
    try bench.apply([snapshot(1_000, twoItems), commit(1_001, insertItem("d"))])
    let report = try bench.apply([snapshot(1_000, twoItems), commit(1_001, insertItem("d"))])
    #expect(report.applied == 0)
    #expect(try bench.ids() == ["s": ["c", "a", "d"]])
    try bench.apply([snapshot(2_000, "")])
    #expect(try bench.ids() == [:])
  }

  @Test func theGreatestSequenceNumberIsOneThatNothingFollows() throws {
    let bench = try FeedBench()
    try bench.apply([snapshot(.max, twoItems)])
    #expect(try bench.apply([snapshot(.max, ""), commit(.max)]).applied == 0)
    #expect(try bench.ids() == ["s": ["c", "a"]])
  }

  @Test func randomSnapshotsLeadToTheirTree() throws {
    let bench = try FeedBench()
    var generator = SeededGenerator(seed: 5)
    let source = RandomChanges(hasSectionParts: true)
    var tree = ListTree(list: "l")
    for sequence in 1...60 {
      for _ in 0..<generator.number(0..<12) {
        try tree.apply(source.change(for: tree, using: &generator))
      }
      let sections = tree.json().drop { $0 != "[" }.dropLast()
      try bench.apply([
        "{\"t\":\"snapshot\",\"list\":\"l\",\"seq\":\"\(sequence)\",\"sections\":\(sections)}"
      ])
      let stored = try bench.repository.tree(of: "l")
      #expect(stored.json().drop { $0 != "[" } == tree.json().drop { $0 != "[" })
    }
  }

  // MARK: Torn and broken lines

  @Test func aTornTailIsReportedAndNotApplied() throws {
    let bench = try FeedBench()
    let failure = bench.failure(start, isTorn: true)
    #expect(failure?.code == .tornFeed)
    #expect(failure?.line == 3)
    #expect(try bench.ids() == ["s": ["a", "b"]])
    #expect(try bench.apply(start).lists["l"]?.applied == 1)
  }

  @Test func coalescedUpdatesAreFlushedBeforeAnErrorEndsTheReplay() throws {
    let bench = try FeedBench()
    var updates: [BatchUpdate] = []
    var report = FeedReport()
    #expect(throws: StoreError.self) {
      try bench.apply(
        start + ["nonsense"], updates: FeedUpdates(coalescing: 2) { updates.append($0) },
        report: &report)
    }
    #expect(updates.map { [$0.from, $0.to] } == [[0, 2], [2, 3]])
    #expect(report.applied == 3)
  }

  @Test func aChangeThatDoesNotFitNamesFileAndLineAndTakesItsLineBack() throws {
    let bench = try FeedBench()
    let failure = bench.failure([start[0], commit(2, insertItem("b"), insertItem("a"))])
    #expect(failure?.code == .duplicateID)
    #expect(failure?.line == 2)
    #expect(failure?.file?.hasSuffix(".ndjson") == true)
    #expect(failure?.message.contains("change 2 of 2") == true)
    #expect(try bench.ids() == ["s": ["a"]])
  }

  // MARK: Following a store

  @Test func aProviderThatTheLogDoesNotLeadOnFromIsReloaded() throws {
    let bench = try FeedBench()
    try bench.apply(start)
    let other = try FeedBench()
    try other.apply([commit(1, insertSection("x")), commit(2, insertSection("y"))])
    var ahead = try bench.repository.provider(for: "l")
    guard case .reload = try other.repository.advance(&ahead).mode else {
      Issue.record("a store that went back must be a reload")
      return
    }
    #expect(ahead == (try other.repository.provider(for: "l")))
    var forked = Provider(try bench.repository.tree(of: "l", at: 1))
    try other.apply([
      commit(3, "{\"op\":\"deleteSection\",\"section\":\"x\"}")
    ])
    var behind = Provider(ListTree(list: "l", revision: 2, sections: forked.tree.sections))
    guard case .reload = try other.repository.advance(&behind).mode else {
      Issue.record("a log that does not fit must be a reload")
      return
    }
    #expect(behind == (try other.repository.provider(for: "l")))
    #expect(try bench.repository.advance(&forked).mode != .none)
    #expect(try bench.repository.advance(&forked).mode == .none)
  }
}
