import BatchUpdates
import ListModel
import ListStore
import ListSync
import Providers
import StoreFiles
import SuiteSupport
import TestSupport
import Testing

/// A feed that is applied as it comes.
@Suite struct FollowTests {
  private let bench: FeedBench
  private let shelf: LiveList
  private var repository: Repository { bench.repository }

  init() throws {
    bench = try FeedBench()
    shelf = bench.repository.liveList("l")
  }

  private let start = [commit(1, insertSection("s"), insertItem("a")), commit(2, insertItem("b"))]

  /// A feed that has ended.
  private func feed(_ lines: String...) -> AsyncStream<String> { stream(lines) }

  private func stream<Element: Sendable>(_ elements: some Sequence<Element>) -> AsyncStream<Element>
  {
    let (stream, continuation) = AsyncStream<Element>.makeStream()
    for element in elements { continuation.yield(element) }
    continuation.finish()
    return stream
  }

  private func bytes(_ text: String) -> AsyncStream<UInt8> { stream(text.utf8) }

  private func failure(
    _ follow: () async throws -> FeedReport, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> StoreError? {
    await #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try await follow() }
  }

  @Test func eachLineIsACommitAndToldToWhoShowsTheList() async throws {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let shelf = shelf
    var updates = shelf.updates().makeAsyncIterator()
    let following = Task { try await shelf.follow(lines) }
    continuation.yield(start[0])
    let first = try #require(try await updates.next())
    #expect(first.provider.itemID(at: ItemPath(section: 0, item: 0)) == "a")
    continuation.yield(start[1])
    let second = try #require(try await updates.next())
    #expect(second.batch.from == 1)
    #expect(second.batch.to == 2)
    guard case .batch = second.batch.mode else {
      Issue.record("\(second.batch.mode)")
      return
    }
    #expect(second.provider.numberOfItems == 2)
    continuation.finish()
    let report = try await following.value
    #expect(report.lines == 2)
    #expect(report.lists["l"]?.applied == 2)
    #expect(report.lists["l"]?.revision == 2)
    #expect(try repository.commits(of: "l").map(\.author.name) == ["server", "server"])
  }

  @Test func linesThatWereAppliedAreSkipped() async throws {
    try await shelf.follow(stream(start))
    let report = try await shelf.follow(stream(start + [commit(3, insertItem("c"))]))
    #expect(report.lists["l"]?.skipped == 2)
    #expect(report.lists["l"]?.applied == 1)
    // From a file or as they come: the same lines.
    #expect(try bench.apply(start).lists["l"]?.skipped == 2)
    #expect(try bench.ids() == ["s": ["a", "b", "c"]])
  }

  @Test func linesOfOtherListsAreLeftAlone() async throws {
    let lines = [start[0], commit(1, insertSection("t"), list: "other"), start[1]]
    let report = try await shelf.follow(stream(lines))
    #expect(report.lines == 3)
    #expect(report.lists.count == 1)
    #expect(report.lists["l"]?.applied == 2)
    #expect(report.lists["l"]?.skipped == 0)
    #expect(try repository.lists() == ["l"])
    let all = try await repository.apply(stream(lines))
    #expect(all.lists["l"]?.skipped == 2)
    #expect(all.lists["other"]?.applied == 1)
    #expect(try bench.ids("other") == ["t": []])
  }

  @Test func aListMayHaveAnotherNameInTheFeed() async throws {
    let line = commit(1, insertSection("s"), insertItem("a"), list: "/users/7/shelf")
    let report = try await shelf.follow(feed(line, start[1]), as: "/users/7/shelf")
    #expect(report.lists["l"]?.applied == 1)
    #expect(try repository.lists() == ["l"])
    #expect(try bench.ids() == ["s": ["a"]])
  }

  @Test func snapshotsAndResetsComeToo() async throws {
    let snapshot =
      #"{"t":"snapshot","list":"l","seq":"9","sections":[{"id":"t","items":[]}]}"#
    let reset = #"{"t":"reset","list":"l","why":"compacted"}"#
    try await shelf.follow(feed(start[0], snapshot))
    #expect(try bench.ids() == ["t": []])
    try await shelf.follow(feed(reset, start[0]))
    #expect(try bench.ids() == ["s": ["a"]])
    #expect(try repository.revision(of: "l") == 4)
  }

  @Test func theFirstLineThatDoesNotFitEndsItAndIsNamed() async throws {
    let lines = [start[0], "", commit(2, insertItem("a")), commit(3, insertItem("c"))]
    let duplicate = await failure { try await shelf.follow(stream(lines), named: "server") }
    #expect(duplicate?.code == .duplicateID)
    #expect(duplicate?.file == "server")
    #expect(duplicate?.line == 3)
    #expect(try bench.ids() == ["s": ["a"]])
    let gap = await failure { try await shelf.follow(feed(start[0], commit(7))) }
    #expect(gap?.code == .feedGap)
    #expect(gap?.line == 2)
    let broken = await failure { try await shelf.follow(feed("{", start[1])) }
    #expect(broken?.code == .malformedFeed)
    #expect(broken?.line == 1)
    #expect(try await shelf.follow(stream(start)).lists["l"]?.applied == 1)
  }

  @Test func aTextMayHoldSeveralLinesAndTheirEnds() async throws {
    let report = try await shelf.follow(feed(start[0] + "\r\n" + start[1] + "\n", "\n"))
    #expect(report.lines == 2)
    #expect(report.lists["l"]?.applied == 2)
    let third = await failure { try await shelf.follow(feed(start[0] + "\n\n" + commit(9) + "\n")) }
    #expect(third?.line == 3)
    // The same bytes as in a file, also where the end of the line came along.
    #expect(try bench.apply([start[0] + "\r", start[1]]).lists["l"]?.skipped == 2)
  }

  @Test func aCarriageReturnAloneEndsNoLine() async throws {
    let text = start.joined(separator: "\r") + "\r"
    let torn = await failure { try await shelf.follow(bytes(text)) }
    #expect(torn?.code == .tornFeed)
    let broken = await failure { try await shelf.follow(bytes(text + "\n")) }
    #expect(broken?.code == .malformedFeed)
    #expect(broken?.line == 1)
    #expect(try repository.lists() == [])
  }

  @Test func bytesAreCutIntoLines() async throws {
    // U+2028 ends a line for some readers, not in a feed.
    let item =
      #"{"op":"insertItem","item":"ü","section":"s","cell":"C","content":{"text":"a\#u{2028}b"}}"#
    let text = [commit(1, insertSection("s"), item), "", commit(2)].joined(separator: "\n") + "\n"
    let report = try await shelf.follow(bytes(text))
    #expect(report.lines == 2)
    #expect(report.lists["l"]?.applied == 2)
    #expect(try bench.ids() == ["s": ["ü"]])
    let failure = await failure { try await shelf.follow(bytes(text + "\n" + commit(9) + "\n")) }
    #expect(failure?.line == 5)
    let all = try await repository.apply(bytes(commit(1, list: "other") + "\n"))
    #expect(all.lists["other"]?.applied == 1)
  }

  @Test func aTornEndIsToldAndNotApplied() async throws {
    let torn = await failure {
      try await shelf.follow(bytes(start.joined(separator: "\n")), named: "server")
    }
    #expect(torn?.code == .tornFeed)
    #expect(torn?.line == 2)
    #expect(torn?.file == "server")
    #expect(try bench.ids() == ["s": ["a"]])
  }

  @Test func aLineThatIsTooLongIsRefused() async throws {
    let long = String(repeating: " ", count: (16 << 20) + 1)
    let refused = await failure { try await shelf.follow(feed(start[0], long + start[1])) }
    #expect(refused?.code == .feedLimit)
    #expect(refused?.line == 2)
    #expect(try bench.ids() == ["s": ["a"]])
  }

  @Test(.timeLimit) func cancellationEndsItAndLeavesWhatWasApplied() async throws {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let shelf = shelf
    var revisions = repository.revisions(of: "l").makeAsyncIterator()
    let following = Task { try await shelf.follow(lines) }
    continuation.yield(start[0])
    #expect(await revisions.next() == 1)
    following.cancel()
    #expect(try await following.value.applied == 1)
    continuation.yield(start[1])
    #expect(try repository.revision(of: "l") == 1)
  }

  /// Some feeds end with an error when they are cancelled; and a line that is half there then was
  /// not torn.
  @Test(.timeLimit, arguments: [true, false])
  func aCancelledFeedIsNoFailure(throwing isThrowing: Bool) async throws {
    let shelf = shelf
    let (waiting, continuation) = AsyncStream<Void>.makeStream()
    let feed = Cancelled(isThrowing: isThrowing, rest: Array("{".utf8), waiting: continuation)
    let following = Task { try await shelf.follow(feed) }
    for await _ in waiting { break }
    following.cancel()
    #expect(try await following.value.lines == 0)
  }

  /// Some bytes, then nothing until it is cancelled.
  private struct Cancelled: AsyncSequence, AsyncIteratorProtocol {
    let isThrowing: Bool
    var rest: [UInt8]
    let waiting: AsyncStream<Void>.Continuation

    func makeAsyncIterator() -> Self { self }

    mutating func next() async throws -> UInt8? {
      if let byte = rest.popLast() { return byte }
      waiting.yield()
      while !Task.isCancelled { await Task.yield() }
      if isThrowing { throw Broken() }
      return nil
    }
  }

  private struct Broken: Error {}

  @Test func whatTheFeedThrowsComesThroughAndTheLinesBeforeStay() async throws {
    let (lines, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
    continuation.yield(start[0])
    continuation.finish(throwing: Broken())
    await #expect(throws: Broken.self) { try await shelf.follow(lines) }
    #expect(try bench.ids() == ["s": ["a"]])
  }

  @Test func progressIsToldAfterEachLine() async throws {
    let applied = Guarded<[Int]>([])
    try await shelf.follow(feed(start[0], "", commit(1, list: "other"), start[1])) { report in
      applied.withValue { $0.append(report.applied) }
    }
    #expect(applied.withValue { $0 } == [1, 1, 2])
  }
}
