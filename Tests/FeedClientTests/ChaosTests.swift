import FeedClient
import Foundation
import ListModel
import ListStore
import ListSync
import StoreFiles
import TestSupport
import Testing

/// Whatever the network does, the lists end as the server's, and each line is one commit.
@Suite struct ChaosTests {
  private static let schedules = SeededGenerator.count(100)

  @Test func everyScheduleEndsAsTheServersListsWithEachLineOnce() async throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    for seed in 0..<Self.schedules { try await play(UInt64(seed), into: repository, folder) }
  }

  private func play(_ seed: UInt64, into shared: Repository, _ folder: TemporaryFolder) async throws
  {
    var generator = SeededGenerator(seed: seed)
    let isWholeStore = generator.percent(20)
    let saysWhereItBegins = generator.percent(80)
    let lists = isWholeStore ? ["a \(seed)", "b%,:\(seed)"] : ["l\(seed)"]
    // Without the server's word, a reset that an old answer repeats may look like a new one, and a
    // snapshot stands for the lines before it.
    let feed = RandomServer(
      lineCount: generator.number(5..<60), lists: lists, onlyCommits: !saysWhereItBegins,
      using: &generator)
    let repository =
      try isWholeStore ? Repository(at: folder.file("store\(seed).sqlite")) : shared
    let clock = VirtualClock()
    let transport = ChaosTransport(
      feed.lines, saysWhereItBegins: saysWhereItBegins, clock: clock, generator: generator)
    let random = Guarded(SeededGenerator(seed: seed))
    var client = FeedClient(
      try #require(URL(string: "https://chaos.example/feed?key=7")), transport: transport)
    client.pace = clock.pace { random.withValue { Double.random(in: 0...1, using: &$0) } }
    let progress: @Sendable (FeedClient.State) -> Void = { state in
      if case .upToDate = state, transport.isAtEnd { withUnsafeCurrentTask { $0?.cancel() } }
      if transport.requestCount > 2_000 { withUnsafeCurrentTask { $0?.cancel() } }
    }
    let known = try lists.map { try ListID($0) }
    let following = Task { [client] in
      if isWholeStore { return try await client.follow(repository, progress: progress) }
      return try await client.follow(repository.liveList(known[0]), progress: progress)
    }
    let report: FeedReport
    do { report = try await following.value } catch {
      Issue.record("seed \(seed): \(error)")
      return
    }
    #expect(transport.requestCount < 2_000, "seed \(seed)")
    #expect(report.applied == feed.lines.count, "seed \(seed)")
    for list in known {
      let count = feed.lines.count { $0.list == list.rawValue }
      if count == 0 { continue }
      let tree = try repository.tree(of: list)
      #expect(tree.revision == count, "seed \(seed), each line once")
      let items = tree.sections.map { $0.items.map(\.id.rawValue) }
      let states = feed.states[list.rawValue] ?? []
      #expect(items == states.last, "seed \(seed)")
      guard seed % 10 == 0 else { continue }
      for (index, state) in states.enumerated() {
        let tree = try repository.tree(of: list, at: index + 1)
        #expect(tree.sections.map { $0.items.map(\.id.rawValue) } == state, "seed \(seed)")
      }
    }
  }
}
