import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import SuiteSupport
import TestSupport
import Testing

/// What readers of a list get when something of it is erased.
@Suite struct ErasedReaderTests {
  private let bench: FeedBench
  private var repository: Repository { bench.repository }

  init() throws { bench = try FeedBench() }

  /// A list as a feed made it: the items come in three commits.
  private func fill(_ count: Int) throws {
    let ids = (0..<count).map { "i\($0)" }
    try bench.apply([
      commit(1, insertSection("s")),
      commit(2, ids[..<(count / 2)].map { insertItem($0) }.joined(separator: ",")),
      commit(3, ids[(count / 2)...].map { insertItem($0) }.joined(separator: ",")),
    ])
  }

  private func erase(_ items: ItemID...) throws {
    let erased = try repository.erase(items.map { .item($0, of: "l") })
    #expect(erased.isComplete, "\(erased.remaining)")
  }

  private func isDeletion(of paths: [ItemPath], _ update: BatchUpdate) -> Bool {
    guard case .batch(let stages) = update.mode, stages.count == 1 else { return false }
    return stages[0].deleteItems == paths && stages[0].insertItems.isEmpty
      && stages[0].moveItems.isEmpty && stages[0].reloadItems.isEmpty
  }

  @Test(arguments: [10, 5_000]) func aScreenOfTheSameProcessGetsTheDeletion(_ count: Int) throws {
    try fill(count)
    var provider = try repository.provider(for: "l")
    _ = provider.itemID(at: ItemPath(section: 0, item: 0))
    try erase("i3", "i7")
    let paths = [ItemPath(section: 0, item: 3), ItemPath(section: 0, item: 7)]
    #expect(isDeletion(of: paths, try repository.advance(&provider)))
    #expect(try provider.tree == repository.tree(of: "l"))
    #expect(try repository.advance(&provider).mode == .none)
    #expect(repository.diagnostics.isEmpty)
    // And goes on by the log.
    try repository.commit([.deleteItem("i1")], to: "l")
    #expect(isDeletion(of: [ItemPath(section: 0, item: 1)], try repository.advance(&provider)))
    // The next erasing, of what is deleted already, shows nothing.
    try erase("i1")
    #expect(try repository.advance(&provider).mode == .none)
    #expect(try provider.token == repository.resync(nil, of: "l").head)
  }

  /// Another Repository stands for another process: it knows only what the files have.
  @Test func oneOfAnotherProcessGetsItByComparison() throws {
    try fill(10)
    let other = try Repository(existing: bench.file)
    var provider = try other.provider(for: "l")
    // Its read transaction keeps the write-ahead log as it is.
    #expect(try !repository.erase([.item("i3", of: "l")]).isComplete)
    #expect(isDeletion(of: [ItemPath(section: 0, item: 3)], try other.advance(&provider)))
    #expect(other.diagnostics == ["erased": 1])
    #expect(try provider.tree == repository.tree(of: "l"))
    provider = Provider(provider.tree, at: provider.position)
    #expect(try repository.erase([]).isComplete)
    try other.commit([.deleteItem("i0")], to: "l")
    #expect(isDeletion(of: [ItemPath(section: 0, item: 0)], try other.advance(&provider)))
    #expect(try other.checkInvariants().isEmpty)
  }

  @Test func aLongListOfAnotherProcessIsReloaded() throws {
    try fill(5_000)
    let other = try Repository(existing: bench.file)
    var provider = try other.provider(for: "l")
    _ = try repository.erase([.item("i3", of: "l")])
    #expect(try other.advance(&provider).mode == .reload(why: .erased))
    #expect(try provider.tree == repository.tree(of: "l"))
  }

  /// The other process observes the list, so it lets go of the log by itself.
  @Test(.timeLimit) func aScreenOfAnotherProcessKeepsNothing() async throws {
    try fill(10)
    let other = try Repository(existing: bench.file)
    var updates = other.liveList("l").updates().makeAsyncIterator()
    try repository.commit([.touchItem("i4")], to: "l")
    let before = try #require(try await updates.next()?.provider)
    #expect(before.itemID(at: ItemPath(section: 0, item: 3)) == "i3")
    let erased = try await repository.erase([.item("i3", of: "l")])
    #expect(erased.isComplete, "\(erased.remaining)")
    let update = try #require(try await updates.next())
    #expect(update.provider.numberOfItems == 9)
    #expect(update.provider.itemID(at: ItemPath(section: 0, item: 8)) == "i9")
    // Nothing changes but the file.
    #expect(try await repository.erase([]).isComplete)
    #expect(update.provider.item(at: ItemPath(section: 0, item: 4))?.id == "i5")
  }

  /// From each revision there was, by a token that was kept.
  @Test func everyTokenIsAnsweredByAComparisonOrAReload() throws {
    try fill(10)
    try repository.commit([.moveItem("i3", to: .start)], to: "l")
    var tokens: [Token] = []
    for _ in 0..<4 {
      tokens.append(try #require(try repository.resync(nil, of: "l").head))
      try repository.commit([.touchItem("i4")], to: "l")
    }
    let token = try #require(try repository.provider(for: "l").token)
    try erase("i3")
    #expect(try repository.resync(token, of: "l").resync == .batch)
    for token in tokens {
      #expect(try repository.resync(token, of: "l").resync == .reload(.erased))
      #expect(try repository.resync(token, of: "l", hasList: true).resync == .difference(.erased))
    }
  }

  @Test func theFeedDoesNotBringItBack() throws {
    try fill(10)
    try erase("i3")
    let again = try bench.apply([
      commit(1, insertSection("s")),
      commit(2, (0..<5).map { insertItem("i\($0)") }.joined(separator: ",")),
      commit(3, (5..<10).map { insertItem("i\($0)") }.joined(separator: ",")),
      commit(4, insertItem("new")),
    ])
    #expect(again.applied == 1 && again.lists["l"]?.skipped == 3)
    #expect(try bench.ids()["s"]?.contains("i3") == false)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test(.timeLimit) func streamsGetOneUpdateForIt() async throws {
    try fill(10)
    var updates = repository.liveList("l").updates().makeAsyncIterator()
    try repository.commit([.touchItem("i4")], to: "l")
    _ = try await updates.next()
    let erased = try await repository.erase([.item("i3", of: "l")])
    #expect(erased.commits.count == 1)
    let update = try #require(try await updates.next())
    #expect(isDeletion(of: [ItemPath(section: 0, item: 3)], update.batch))
    #expect(update.provider.numberOfItems == 9)
  }
}
