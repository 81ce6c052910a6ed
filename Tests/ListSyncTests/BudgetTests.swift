import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

/// What changed more than the budget allows is read anew, not replayed.
@Suite struct BudgetTests {
  private let list: ListID = "shelf"

  /// A list of some items, and a Provider that shows it.
  private func bench(items: Int) throws -> (FeedBench, Provider) {
    let bench = try FeedBench()
    let made = try (0..<items).map {
      Change.insertItem(item(try ItemID("item \($0)")), in: "books")
    }
    try bench.repository.commit([.insertSection("books")] + made, to: list)
    return (bench, try bench.repository.provider(for: list))
  }

  private func item(_ id: ItemID) -> Item { Item(id: id, cell: "BookCell", content: "{}") }

  private func touch(_ count: Int, in bench: FeedBench) throws {
    let ids: [ItemID] = ["item 0", "item 1", "item 2", "item 3"]
    let changes = (0..<count).map { Change.touchItem(ids[$0 % 4]) }
    for start in stride(from: 0, to: count, by: 30) {
      try bench.repository.commit(Array(changes[start..<min(start + 30, count)]), to: list)
    }
  }

  @Test(arguments: [4, 1_000, 5_000])
  func theStandardBudgetIsAThousandHoweverLongTheList(items: Int) throws {
    let limit = 1_000
    var (bench, provider) = try bench(items: items)
    var late = provider
    try touch(limit, in: bench)
    let update = try bench.repository.advance(&provider)
    guard case .batch(let stages) = update.mode else {
      Issue.record("\(update.mode)")
      return
    }
    #expect(stages.map(\.reconfigureItems.count) == [4])

    try bench.repository.commit([.touchItem("item 0")], to: list)
    let head = try bench.repository.provider(for: list)
    let reload = try bench.repository.advance(&late)
    #expect(
      reload.mode
        == .reload(why: .tooManyChanges(limit: limit)))
    #expect(late == head)
    #expect(reload.from == provider.revision - (limit + 29) / 30 && reload.to == head.revision)
  }

  @Test func withoutABudgetEverythingIsABatchUpdate() throws {
    var (bench, provider) = try bench(items: 4)
    try touch(500, in: bench)
    let update = try bench.repository.advance(&provider, policy: UpdatePolicy(budget: .unlimited))
    guard case .batch(let stages) = update.mode else {
      Issue.record("\(update.mode)")
      return
    }
    #expect(stages.map(\.reconfigureItems.count) == [4])
    #expect(provider == (try bench.repository.provider(for: list)))
  }

  @Test func onTheWayToAnEarlierRevisionTheLogIsReplayedAndTheViewReloaded() throws {
    var (bench, provider) = try bench(items: 4)
    try touch(150, in: bench)
    try bench.repository.commit([.deleteItem("item 3")], to: list)
    let policy = UpdatePolicy(budget: ReloadBudget(changes: 100, changesPerItem: 0))
    let update = try bench.repository.advance(&provider, to: 6, policy: policy)
    #expect(update.to == 6)
    guard case .reload = update.mode else {
      Issue.record("\(update.mode)")
      return
    }
    #expect(provider.tree == (try bench.repository.tree(of: list, at: 6)))
    let rest = try bench.repository.advance(&provider)
    guard case .batch = rest.mode else {
      Issue.record("\(rest.mode)")
      return
    }
  }

  @Test(arguments: [
    (ReloadBudget(changes: 3, changesPerItem: 0), 3),
    (ReloadBudget(changes: 0, changesPerItem: 2), 20),
    (ReloadBudget(changes: -1, changesPerItem: -1), 0),
    (ReloadBudget(changes: 0, changesPerItem: .infinity), .max),
    (ReloadBudget(changes: 0, changesPerItem: .nan), .max), (.unlimited, .max),
  ])
  func anyNumbersMakeALimit(budget: ReloadBudget, limit: Int) {
    #expect(budget.limit(for: 10) == limit)
  }
}
