import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema
import TestSupport
import Testing
import ListTables

/// Feeds with resets that are applied again: what was applied is skipped, what is another feed is
/// refused.
@Suite struct FeedRepeatTests {
  private let reset = "{\"t\":\"reset\",\"list\":\"l\",\"why\":\"compacted\"}"

  /// The first commit of a stretch.
  private func first(_ item: String) -> String { commit(1, insertSection("s"), insertItem(item)) }

  private func snapshot(_ sequence: Int, _ items: String...) -> String {
    let items = items.map { "{\"id\":\"\($0)\",\"cell\":\"C\",\"content\":1}" }
    return "{\"t\":\"snapshot\",\"list\":\"l\",\"seq\":\"\(sequence)\",\"sections\":[{\"id\":\"s\","
      + "\"items\":[\(items.joined(separator: ","))]}]}"
  }

  /// Applies files one after another, some times over, in stores that keep all of the log or none
  /// of it; the list must be the same each time, and nothing may be applied twice.
  private func expectSkipped(
    _ files: [[String]], items: [String], times: Int = 2,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for isTruncated in [false, true] {
      let bench = try FeedBench()
      for file in files { try bench.apply(file) }
      let revision = try bench.repository.revision(of: "l")
      for _ in 0..<times {
        if isTruncated {
          try bench.repository.truncateLog(of: "l", keeping: LogRetention(changes: 0))
        }
        for file in files {
          #expect(try bench.apply(file).applied == 0, sourceLocation: sourceLocation)
        }
        #expect(try bench.ids() == ["s": items], sourceLocation: sourceLocation)
        #expect(try bench.repository.revision(of: "l") == revision, sourceLocation: sourceLocation)
      }
    }
  }

  @Test func filesOfOneFeedAreRecognisedOneByOne() throws {
    let second = commit(2, insertItem("b"))
    try expectSkipped([[first("old")], [second], [reset, first("new")]], items: ["new"])
    try expectSkipped([[first("old"), second], [reset, first("new")]], items: ["new"])
    try expectSkipped([[first("old")], [second, reset], [first("new")]], items: ["new"])
    try expectSkipped([[reset], [first("a")], [reset, first("new")]], items: ["new"])
  }

  @Test func aFileThatBeginsInTheMiddleIsRecognised() throws {
    let files = [
      [first("a"), commit(2, insertItem("b"))], [commit(3, insertItem("c")), reset, first("a")],
    ]
    try expectSkipped(files, items: ["a"])
    let bench = try FeedBench()
    for file in files { try bench.apply(file) }
    for _ in 0..<2 { #expect(try bench.apply(files[1]).applied == 0) }
    #expect(try bench.ids() == ["s": ["a"]])
  }

  @Test func aLineOfTheMiddleThatWouldFitAtTheEndIsRecognised() throws {
    let bench = try FeedBench()
    let second = commit(2, insertItem("b"))
    try bench.apply([first("a"), second, reset, first("c")])
    #expect(try bench.apply([second, reset, first("c")]).applied == 0)
    #expect(try bench.ids() == ["s": ["c"]])
    // And the same words as new ones.
    #expect(try bench.apply([second, commit(3, insertItem("d"))]).applied == 2)
    #expect(try bench.ids() == ["s": ["c", "b", "d"]])
  }

  @Test func aLineThatIsThereTwiceIsSkipped() throws {
    let second = commit(2, insertItem("b"))
    try expectSkipped([[first("a"), second, second, reset, first("c")]], items: ["c"])
  }

  @Test func aSnapshotBeforeAResetIsRecognised() throws {
    try expectSkipped([[snapshot(5, "x"), reset, first("a")]], items: ["a"])
    try expectSkipped([[snapshot(5, "x")], [reset, first("a")]], items: ["a"])
  }

  @Test func theSameResetManyTimesIsToldByWhatFollows() throws {
    let feed = [reset, first("a"), reset, first("b"), reset, first("a"), reset, first("c")]
    try expectSkipped([feed], items: ["c"])
    for length in 1..<feed.count {
      let bench = try FeedBench()
      try bench.apply(Array(feed.prefix(length)))
      try bench.apply(feed)
      #expect(try bench.ids() == ["s": ["c"]], "first \(length)")
    }
  }

  @Test func halvesOfAFeedThatRepeatsItselfGoOn() throws {
    let start = [first("a"), commit(2, insertItem("b"))]
    let bench = try FeedBench()
    try bench.apply(start + [reset])
    #expect(try bench.apply(start).applied == 2)
    #expect(try bench.ids() == ["s": ["a", "b"]])
    try expectSkipped([start, [reset]] + [[first("c")]], items: ["c"])
  }

  @Test func aSnapshotInPlaceOfLinesThatWereAppliedIsSkipped() throws {
    let bench = try FeedBench()
    try bench.apply([first("a"), commit(2, insertItem("b")), commit(3, insertItem("c"))])
    let report = try bench.apply([
      snapshot(2, "a", "b"), commit(3, insertItem("c")), commit(4, insertItem("d")),
    ])
    #expect(report.applied == 1)
    #expect(try bench.ids() == ["s": ["a", "b", "c", "d"]])
  }

  // MARK: Another feed

  /// Applies a second feed; it must be refused at a line, and the list stay.
  private func expectAnotherFeed(
    _ applied: [String], _ second: [String], line: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bench = try FeedBench()
    try bench.apply(applied)
    let before = try bench.repository.tree(of: "l")
    for _ in 0..<2 {
      let failure = bench.failure(second)
      #expect(failure?.code == .anotherFeed, sourceLocation: sourceLocation)
      #expect(failure?.line == line, sourceLocation: sourceLocation)
      #expect(failure?.message.contains("list \"l\"") == true, sourceLocation: sourceLocation)
      #expect(failure?.message.contains("seq ") == true, sourceLocation: sourceLocation)
      #expect(try bench.repository.tree(of: "l") == before, sourceLocation: sourceLocation)
    }
  }

  @Test func aChangedLineIsAnotherFeed() throws {
    let monday = commit(2, insertItem("monday"))
    let tuesday = commit(2, insertItem("tuesday"))
    let more = commit(3, insertItem("c"))
    try expectAnotherFeed(
      [reset, first("a"), monday], [reset, first("a"), tuesday, more], line: 3)
    try expectAnotherFeed([first("a"), monday], [first("a"), tuesday, more], line: 2)
    try expectAnotherFeed([first("a"), monday], [first("b")], line: 1)
    try expectAnotherFeed([first("a"), monday, more], [tuesday, more], line: 1)
    try expectAnotherFeed(
      [first("a"), monday, reset, first("z")], [first("a"), monday, more], line: 3)
  }

  @Test func whiteSpaceMakesNoOtherLine() throws {
    let bench = try FeedBench()
    let line = commit(1, insertSection("s p"), insertItem("a", in: "s p"))
    try bench.apply([line])
    let spaced = line.replacingOccurrences(of: "\":", with: "\" : ") + "\r"
    #expect(try bench.apply([spaced]).lists["l"]?.skipped == 1)
    #expect(bench.failure([line.replacingOccurrences(of: "s p", with: "sp")])?.code == .anotherFeed)
  }

  // MARK: What the store remembers

  @Test func whatAnEarlierReleaseTookIsRecognised() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("old.sqlite")
    try FileManager.default.copyItem(at: PackageFiles.fixture("v0001.sqlite"), to: file)
    let repository = try Repository(existing: file)
    #expect(try repository.checkInvariants().isEmpty)
    let feed = try String(contentsOf: PackageFiles.fixture("v0001.ndjson"), encoding: .utf8)
    let before = try repository.lists().map { try repository.tree(of: $0) }
    #expect(before.count == 2)
    func apply(_ text: String) throws -> FeedReport {
      let reader = try FeedReader(file: try folder.write(text, to: "\(UUID().uuidString)"))
      return try repository.apply(reader)
    }
    for text in [feed, feed.replacingOccurrences(of: ":{", with: ": {"), feed] {
      #expect(try apply(text).applied == 0)
    }
    #expect(try repository.lists().map { try repository.tree(of: $0) } == before)
    // The last line, with another index.
    let other = feed.trimmingCharacters(in: .newlines).dropLast(4) + "9}]}\n"
    let error = #expect(throws: StoreError.self) { try apply(String(other)) }
    #expect(error?.code == .anotherFeed)
    #expect(error?.line == 90)
    let more = commit(40, insertSection("more"), list: "inbox") + "\n"
    #expect(try apply(feed + more).applied == 1)
  }

  @Test func oldLinesAreForgottenButNotWhereTheyBegan() throws {
    var options = Repository.Options()
    options.maximumFeedLineCount = 3
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"), options: options)
    func apply(_ lines: [String]) throws -> Int {
      let reader = try FeedReader(
        file: try folder.write(lines.joined(separator: "\n") + "\n", to: "\(UUID().uuidString)"))
      return try repository.apply(reader).applied
    }
    let old = [first("a")] + (2...9).map { commit($0, insertItem("o\($0)")) }
    let new = [reset, first("b")] + (2...9).map { commit($0, insertItem("n\($0)")) }
    #expect(try apply(old + new) == old.count + new.count)
    for _ in 0..<2 {
      try repository.truncateLog(of: "l", keeping: LogRetention(changes: 0))
      #expect(try apply(old + new) == 0)
      #expect(try apply(old) == 0)
      #expect(try apply(new) == 0)
      #expect(try apply(Array(new[4...])) == 0)
    }
    #expect(try apply([commit(10, insertItem("x"))]) == 1)
    #expect(try repository.checkInvariants().isEmpty)
  }
}
