import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

/// Histories, whole: the releases of Debian and Ubuntu, and one like that of a repository's files.
@Suite struct HistoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let paces = [1, 2, 7, 50, 1_000, Int.max]

  @Test(arguments: paces) func everyUpdateIsLegalMinimalAndNoReload(_ coalescing: Int) throws {
    try expectLegalMinimalUpdates(PackageFiles.releases, coalescing)
  }

  /// At one pace unless `CELLAR_SEEDS` asks for more.
  @Test(arguments: SeededGenerator.asksForMore ? paces : [7])
  func everyUpdateOfTheLongHistoryIsLegalMinimalAndNoReload(_ coalescing: Int) throws {
    try expectLegalMinimalUpdates(RepositoryHistory.write(to: folder), coalescing)
  }

  private func expectLegalMinimalUpdates(_ history: URL, _ coalescing: Int) throws {
    let bench = try FeedBench()
    let reader = try FeedReader(file: history)
    var updates: [BatchUpdate] = []
    let report = try bench.repository.apply(
      reader,
      updates: FeedUpdates(
        coalescing: coalescing,
        policy: UpdatePolicy(
          budget: .unlimited, proof: coalescing < 7 ? .touched : .everything)
      ) {
        updates.append($0)
      })
    #expect(report.applied == report.lines)

    var shown: [ListID: (tree: ListTree, view: CheckingView)] = [:]
    for update in updates {
      if case .reload(let why) = update.mode { Issue.record("reload: \(why)") }
      let empty = ListTree(list: update.list)
      var (before, view) = shown[update.list] ?? (empty, CheckingView(showing: empty))
      #expect(before.revision == update.from)
      let commits = try bench.repository.commits(
        of: update.list, after: update.from, limit: update.to - update.from)
      var after = before
      for commit in commits { try after.apply(commit) }
      try view.perform(update, showing: after)
      // The count of what is needed tries all sets of sections, which few enough allow.
      if after.sections.count <= 12, before.sections.count <= 12 {
        #expect(
          MinimalOperations(of: update) == MinimalOperations(from: before, to: after),
          "\(update.json)")
      }
      shown[update.list] = (after, view)
    }
    for (list, state) in shown {
      #expect(try bench.repository.tree(of: list) == state.tree)
      #expect(try bench.repository.provider(for: list).tree == state.tree)
    }
    #expect(shown.keys.sorted() == (try bench.repository.lists()))
  }

  @Test func storeProviderAndTreeAgreeAfterEveryCommit() throws {
    try expectAgreement(PackageFiles.releases)
  }

  @Test(.enabled(if: SeededGenerator.asksForMore, "takes minutes, CELLAR_SEEDS=2 asks for it"))
  func storeProviderAndTreeAgreeAfterEveryCommitOfTheLongHistory() throws {
    try expectAgreement(RepositoryHistory.write(to: folder))
  }

  private func expectAgreement(_ history: URL) throws {
    let bench = try FeedBench()
    var providers: [ListID: Provider] = [:]
    for line in try String(contentsOf: history, encoding: .utf8).split(separator: "\n") {
      let report = try bench.apply([String(line)])
      let list = try #require(report.lists.keys.first)
      var provider = providers[list] ?? Provider(ListTree(list: list))
      try bench.repository.advance(&provider)
      providers[list] = provider
      let stored = try bench.repository.tree(of: list)
      #expect(stored == provider.tree)
      if stored.revision % 25 == 0 {
        let exported = stored.json()
        #expect(try ListTree(parsing: Array(exported.utf8)).json() == exported)
      }
    }
  }

  @Test func aSecondReplayChangesNothing() throws {
    try expectNothingFromASecondReplay(PackageFiles.releases)
  }

  @Test func aSecondReplayOfTheLongHistoryChangesNothing() throws {
    try expectNothingFromASecondReplay(RepositoryHistory.write(to: folder))
  }

  private func expectNothingFromASecondReplay(_ history: URL) throws {
    let bench = try FeedBench()
    var reports: [FeedReport] = []
    var trees: [[ListTree]] = []
    for _ in 0..<2 {
      let reader = try FeedReader(file: history)
      reports.append(try bench.repository.apply(reader, updates: FeedUpdates { _ in }))
      trees.append(try bench.repository.lists().map { try bench.repository.tree(of: $0) })
    }
    #expect(reports[0].applied == reports[0].lines)
    #expect(reports[1].applied == 0)
    #expect(reports[1].lists.values.reduce(0) { $0 + $1.batchUpdates } == 0)
    #expect(trees[0] == trees[1])
  }

  @Test func everyRevisionIsReconstructed() throws {
    try expectEveryRevision(PackageFiles.releases)
  }

  @Test(.enabled(if: SeededGenerator.asksForMore, "takes minutes, CELLAR_SEEDS=2 asks for it"))
  func everyRevisionOfTheLongHistoryIsReconstructed() throws {
    try expectEveryRevision(RepositoryHistory.write(to: folder))
  }

  private func expectEveryRevision(_ history: URL) throws {
    let bench = try FeedBench()
    let reader = try FeedReader(file: history)
    try bench.repository.apply(reader)
    for list in try bench.repository.lists() {
      var forward = ListTree(list: list)
      var backward = try bench.repository.tree(of: list)
      let commits = try bench.repository.commits(of: list)
      var trees = [forward]
      for commit in commits {
        try forward.apply(commit)
        trees.append(forward)
      }
      for commit in commits.reversed() {
        #expect(backward == trees[commit.revision])
        try backward.revert(commit)
      }
      #expect(backward == trees[0])
      // Undoing from the head is quadratic over all revisions: the store is asked for a sample.
      for revision in stride(from: 0, through: commits.count, by: max(1, commits.count / 40)) {
        #expect(try bench.repository.tree(of: list, at: revision) == trees[revision])
      }
    }
  }
}
