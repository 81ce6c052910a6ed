import Foundation
import TestSupport
import Testing

/// `cellar replay`: feeds go in once, and a view is told every commit.
@Suite struct ReplayTests {
  private let bench: CommandBench
  private let releases = PackageFiles.releases.path

  init() throws { bench = try CommandBench() }

  private func revisions() throws -> [String: Int] {
    let summary = try bench.cellar("inspect", "summary", bench.store, "--json").output.object()
    let lists = try #require(summary["lists"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: try lists.map {
        (try #require($0["list"] as? String), try #require($0["revision"] as? Int))
      })
  }

  @Test func aSecondReplayAppliesNothing() throws {
    let first = try bench.cellar("replay", releases, "--store", bench.store, "--json", expecting: 0)
    let lines = try #require(try first.output.object()["lines"] as? Int)
    let exports = try ["debian", "ubuntu"].map { try bench.export($0) }
    let second = try bench.cellar(
      "replay", releases, "--store", bench.store, "--json", "--batches", "again.ndjson",
      expecting: 0)
    for (outcome, isFirst) in [(first, true), (second, false)] {
      let report = try outcome.output.object()
      #expect(report["formatVersion"] as? Int == 1)
      let lists = try #require(report["lists"] as? [[String: Any]])
      #expect(lists.map { $0["list"] as? String } == ["debian", "ubuntu"])
      let applied = lists.reduce(0) { $0 + ($1["applied"] as? Int ?? -1) }
      let skipped = lists.reduce(0) { $0 + ($1["skipped"] as? Int ?? -1) }
      #expect(applied == (isFirst ? lines : 0))
      #expect(skipped == (isFirst ? 0 : lines))
    }
    #expect(try ["debian", "ubuntu"].map { try bench.export($0) } == exports)
    #expect(try Data(contentsOf: bench.folder.file("again.ndjson")).isEmpty)
    let plain = try bench.cellar("replay", releases, "--store", bench.store, expecting: 0)
    #expect(plain.output.contains("0 commits applied"))
  }

  @Test(arguments: [1, 2, 7, 50, 1_000]) func batchUpdatesLeadFromOneToTheNextWithoutAGap(
    _ coalescing: Int
  ) throws {
    try bench.cellar(
      "replay", releases, "--store", bench.store, "--batches", "out.ndjson", "--coalesce",
      "\(coalescing)", expecting: 0)
    let updates = try String(contentsOf: bench.folder.file("out.ndjson"), encoding: .utf8).objects()
    var reached: [String: Int] = [:]
    var counts: [String: Int] = [:]
    for update in updates {
      let list = try #require(update["list"] as? String)
      let to = try #require((update["to"] as? String).flatMap { Int($0) })
      #expect(update["from"] as? String == "\(reached[list] ?? 0)")
      #expect(to > (reached[list] ?? 0))
      #expect(to - (reached[list] ?? 0) <= coalescing)
      #expect(update["mode"] as? String == "batch")
      #expect((update["stages"] as? [Any])?.isEmpty == false)
      reached[list] = to
      counts[list, default: 0] += 1
    }
    let revisions = try revisions()
    #expect(reached == revisions, "what is left makes a last one")
    #expect(counts == revisions.mapValues { ($0 + coalescing - 1) / coalescing })
  }

  @Test func anEmptyCommitIsARevisionThatNobodySees() throws {
    let outcome = try bench.cellar(
      "replay", "-", "--store", bench.store, "--batches", "-",
      input: commit(1, insertSection("s")) + commit(2) + commit(3, insertItem("a")), expecting: 0)
    let updates = try outcome.output.objects()
    #expect(updates.map { $0["mode"] as? String } == ["batch", "none", "batch"])
    #expect(updates.map { $0["to"] as? String } == ["1", "2", "3"])
    #expect(updates[1]["stages"] == nil)
    #expect(outcome.errors.contains("3 commits applied"), "the report went to the other stream")
  }

  @Test func severalFeedsAreOneReplayAndStandardInputIsOne() throws {
    _ = try bench.folder.write(commit(1, insertSection("s")), to: "one")
    _ = try bench.folder.write(commit(3, insertItem("b")), to: "three")
    let outcome = try bench.cellar(
      "replay", "one", "-", "three", "--store", "store.sqlite", "--json", "--batches", "-",
      "--coalesce", "2", input: commit(2, insertItem("a")), expecting: 0)
    #expect(try outcome.output.objects().map { $0["to"] as? String } == ["2", "3"])
    #expect(try outcome.errors.object()["lines"] as? Int == 3)
    #expect(try bench.export().contains(#""id":"b""#))
  }

  @Test func anEmptyFeedIsNoFailure() throws {
    let outcome = try bench.replay("")
    #expect(outcome.output.contains("0 lines"))
    try bench.replay("\n{\"t\":\"ping\"}\n")
  }

  // MARK: Broken feeds

  @Test func aTornTailKeepsWhatCameBeforeIt() throws {
    let feed = commit(1, insertSection("s")) + commit(2, insertItem("a"))
    for torn in [commit(3, insertItem("b")).dropLast(), commit(3, insertItem("b")).prefix(20)] {
      let outcome = try bench.replay(feed + torn, expecting: 1)
      #expect(outcome.errors.contains("standard input, line 3"))
      #expect(outcome.errors.contains("torn"))
      #expect(try bench.export().contains(#""revision":"2""#))
    }
    try bench.replay(feed + commit(3, insertItem("b")))
    #expect(try bench.export().contains(#""revision":"3""#))
  }

  @Test func aMalformedLineEndsTheReplayAndAMendedFeedGoesOn() throws {
    let start = commit(1, insertSection("s")) + commit(2, insertItem("a"))
    let end = commit(4, insertItem("c"))
    for broken in ["nonsense\n", "\n\n{\"t\":\"commit\"}\n", commit(3, insertItem("a"))] {
      _ = try bench.folder.write(start + broken + end, to: "feed.ndjson")
      let outcome = try bench.cellar(
        "replay", "feed.ndjson", "--store", "store.sqlite", "--json", "--batches", "out",
        expecting: 1)
      let line = broken.hasPrefix("\n") ? 5 : 3
      #expect(outcome.errors.contains("feed.ndjson, line \(line): "), "\(outcome.errors)")
      #expect(try outcome.output.object()["lists"] != nil, "what was done is told")
      #expect(try bench.export().contains(#""revision":"2""#))
    }
    _ = try bench.folder.write(start + commit(3, insertItem("b")) + end, to: "feed.ndjson")
    let mended = try bench.cellar(
      "replay", "feed.ndjson", "--store", "store.sqlite", expecting: 0)
    #expect(mended.output.contains("2 commits applied, 2 skipped, revision 4"))
  }

  @Test func aGapNamesBothNumbers() throws {
    let outcome = try bench.replay(commit(1, insertSection("s")) + commit(7), expecting: 1)
    #expect(outcome.errors.contains("expects seq 2"))
    #expect(outcome.errors.contains("this line has seq 7"))
    #expect(try bench.export().contains(#""revision":"1""#))
  }

  @Test func aFeedThatCannotBeReadMakesNoStore() throws {
    let outcome = try bench.cellar("replay", "missing", "--store", "store.sqlite", expecting: 1)
    #expect(outcome.errors.contains("missing"))
    #expect(try FolderSnapshot(of: bench.folder.url).names == [])
    try bench.cellar("replay", ".", "--store", "store.sqlite", expecting: 1)
  }

  @Test func commitsOfTheAppsOwnDataDrawNothingAgain() throws {
    func update(_ number: Int, _ member: String) -> String {
      commit(number, #"{"op":"updateSection","section":"s",\#(member)}"#)
    }
    let outcome = try bench.cellar(
      "replay", "-", "--store", bench.store, "--batches", "-",
      input: commit(1, insertSection("s")) + update(2, #""meta":{"cursor":7}"#)
        + update(3, #""visibility":"hiddenWhenEmpty""#)
        + update(4, #""meta":null,"layout":{"columns":3}"#), expecting: 0)
    let updates = try outcome.output.objects()
    #expect(updates.map { $0["mode"] as? String } == ["batch", "none", "none", "batch"])
    let stages = try #require(updates[3]["stages"] as? [[String: Any]])
    #expect(stages[0]["updateSections"] as? [Int] == [0])
  }

  @Test func batchesThatCannotBeWrittenAreAFailureThatKeepsTheCommits() throws {
    for (out, code) in [("/dev/full", 9), ("no/such/folder/out", 1), (".", 1)] as [(String, Int32)]
    {
      let bench = try CommandBench()
      let outcome = try bench.cellar(
        "replay", releases, "--store", bench.store, "--batches", out, expecting: code)
      #expect(outcome.errors.contains("can't be written"), "\(out)")
      let report = try bench.cellar("replay", releases, "--store", bench.store, expecting: 0)
      #expect(report.output.contains("debian: "))
      try bench.cellar("inspect", "summary", bench.store, expecting: 0)
    }
  }

  @Test func namesInAMessageDoNotDriveTheTerminal() throws {
    let hostile = #"\u001b]0;owned\u0007\u009b31m\u202e"#
    try bench.replay(commit(1, insertSection(hostile), list: hostile))
    let outcomes = [
      try bench.replay(commit(2, insertSection(hostile), list: hostile), expecting: 1),
      try bench.replay(commit(9, list: hostile), expecting: 1),
      try bench.cellar("inspect", "export", bench.store, "--list", "other", expecting: 1),
      try bench.cellar("inspect", "summary", bench.store, expecting: 0),
      try bench.replay(commit(2, list: hostile)),
    ]
    for outcome in outcomes {
      let text = outcome.output + outcome.errors
      #expect(text.contains("owned"))
      for scalar in text.unicodeScalars where scalar != "\n" {
        #expect(scalar.properties.generalCategory != .control, "\(scalar.value)")
        #expect(scalar.properties.generalCategory != .format, "\(scalar.value)")
      }
    }
  }
}
