import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import SuiteSupport
import TestSupport
import Testing

/// A Provider whose items are read when they are asked for is the list at its revision, whatever
/// happens to the store meanwhile.
@Suite struct PinnedProviderTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func item(_ number: Int) -> Item {
    Item(
      id: ItemID(stringLiteral: "item \(number)"), cell: "Cell",
      content: JSON(stringLiteral: "{\"n\":\(number)}"))
  }

  private func fill(_ count: Int) throws {
    try repository.commit(
      [.insertSection("s")] + (0..<count).map { .insertItem(item($0), in: "s") }, to: "list")
  }

  @Test func everyQuestionIsAnsweredAsByTheWholeList() throws {
    try fill(700)
    let provider = try repository.provider(for: "list")
    let tree = try repository.tree(of: "list")
    // In an order that has nothing to do with the blocks.
    for step in 0..<700 {
      let path = ItemPath(section: 0, item: step * 313 % 700)
      let expected = tree.sections[0].items[path.item]
      #expect(provider.itemID(at: path) == expected.id)
      #expect(provider.cell(at: path)?.cell == "Cell")
      #expect(provider.item(at: path) == expected)
      #expect(provider.path(of: expected.id) == path)
    }
    #expect(provider.item(at: ItemPath(section: 0, item: 700)) == nil)
    #expect(provider.path(of: "nobody") == nil)
    #expect(provider.tree == tree)
    #expect(provider.failedReadCount == 0)
  }

  @Test func whatOthersCommitIsNotSeenBeforeAdvancing() throws {
    try fill(300)
    var provider = try repository.provider(for: "list")
    let copy = provider
    let before = try repository.tree(of: "list")
    let other = try Repository(existing: folder.file("store.sqlite"))
    for number in 0..<50 {
      try other.commit(
        [
          .deleteItem(item(number).id), .updateItem(item(299).id, ItemUpdate(content: .set("1"))),
          .insertItem(item(1_000 + number), in: "s", at: .index(100)),
        ], to: "list")
    }
    #expect(provider.tree == before)
    let update = try repository.advance(&provider, policy: UpdatePolicy(budget: .unlimited))
    #expect(update.stages.isEmpty == false)
    #expect(provider.tree == (try repository.tree(of: "list")))
    // Another one that was not advanced has still what it had.
    #expect(copy.tree == before)
  }

  /// A part is in memory when it is advanced: what is still true is kept, what is not is read anew.
  @Test(arguments: 0..<SeededGenerator.count(6)) func advancingKeepsWhatIsTrueAndNothingElse(
    _ seed: Int
  ) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let source = RandomChanges(sections: 4, items: 200, hasSectionParts: true)
    var tree = ListTree(list: "list")
    try repository.commit([], to: "list")
    var provider = try repository.provider(for: "list")
    var held: [(Provider, ListTree)] = []
    tree.revision = 1
    for round in 0..<40 {
      var changes: [Change] = []
      for _ in 0..<generator.number(1..<30) {
        let change = source.change(for: tree, using: &generator)
        try tree.apply(change)
        changes.append(change)
      }
      tree.revision += 1
      let before = provider
      let commit = try repository.commit(changes, to: "list")
      if generator.percent(50) {
        try repository.advance(&provider, policy: UpdatePolicy(budget: .unlimited))
      } else {
        try provider.apply([commit], policy: UpdatePolicy(budget: .unlimited))
      }
      #expect(provider.revision == tree.revision)
      #expect(provider.token == (try repository.provider(for: "list").token))
      for _ in 0..<20 {
        guard let section = generator.element(of: Array(tree.sections.indices)),
          let item = generator.element(of: Array(tree.sections[section].items.indices))
        else { continue }
        let path = ItemPath(section: section, item: item)
        let expected = tree.sections[section].items[item]
        #expect(provider.item(at: path) == expected, "seed \(seed), round \(round)")
        #expect(provider.path(of: expected.id) == path, "seed \(seed), round \(round)")
      }
      if round % 8 == 0 { held.append((before, before.tree)) }
    }
    #expect(provider.tree == tree, "seed \(seed)")
    for (provider, tree) in held { #expect(provider.tree == tree, "seed \(seed)") }
    #expect(repository.diagnostics["mismatch"] == nil)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func aListThatIsNotTheStoresIsReloadedAndCounted() throws {
    try fill(10)
    let right = try repository.provider(for: "list")
    // A list that some bug has made another one.
    var tree = right.tree
    tree.sections[0].items.swapAt(4, 5)
    var wrong = Provider(tree, at: right.position)
    try repository.commit([.deleteItem(item(5).id)], to: "list")
    let update = try repository.advance(&wrong)
    guard case .reload = update.mode else {
      Issue.record("the wrong list was not noticed")
      return
    }
    #expect(wrong.tree == (try repository.tree(of: "list")))
    #expect(repository.diagnostics["mismatch"] == 1)
  }

  /// The entry fits the list, but is not what was committed: the digest tells.
  @Test func aCommitWithAnotherChangeIsRefused() throws {
    try fill(10)
    var provider = try repository.provider(for: "list")
    let before = provider.tree
    let commit = try repository.commit(
      [.updateItem(item(5).id, ItemUpdate(content: .set("1")))], to: "list")
    guard case .updateItem(let id, let path, let old, var new) = commit.entries[0] else {
      Issue.record("\(commit.entries)")
      return
    }
    new.content = "2"
    let other = Commit(
      list: commit.list, revision: commit.revision, author: commit.author, time: commit.time,
      entries: [.updateItem(id, at: path, before: old, after: new)], proof: commit.proof)
    #expect(throws: ChangeError.self) { try provider.apply([other]) }
    #expect(provider.tree == before)
    try provider.apply([commit])
    #expect(provider.tree == (try repository.tree(of: "list")))
  }

  /// A thread that tidied the log once asked snapshots under the lock that one takes which is
  /// released.
  @Test(.timeLimit)
  func threadsThatReadSuspendAndTidyTheLogDoNotWaitForEachOther() async throws {
    let text = JSON(stringLiteral: "\"" + String(repeating: "x", count: 500_000) + "\"")
    try repository.commit(
      [.insertSection("s")]
        + (0..<20).map {
          .insertItem(Item(id: item($0).id, cell: "Cell", content: text), in: "s")
        }, to: "list")
    let log = try FileManager.default.attributesOfItem(
      atPath: folder.file("store.sqlite-wal").path)
    #expect((log[.size] as? Int ?? 0) > 8 << 20, "long enough to be tidied")
    let repository = repository
    let ids = (0..<20).map { item($0).id }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<2 {
        group.addTask {
          for round in 0..<300 {
            guard var provider = try? repository.provider(for: "list") else { continue }
            _ = try? repository.commit([.touchItem(ids[(round + number) % 20])], to: "list")
            _ = try? repository.advance(&provider)
          }
        }
      }
      group.addTask {
        for _ in 0..<1_000 {
          repository.suspend()
          repository.resume()
        }
      }
      group.addTask {
        for round in 0..<1_000 {
          let provider = try? repository.provider(for: "list")
          _ = provider?.path(of: ids[round % 20])
        }
      }
    }
    #expect(try repository.checkInvariants().isEmpty)
  }

  /// More contents than are kept would push out those that the view asks for first.
  @Test func prefetchingReadsAllStructureAndTheContentsOfTheFirstTwoThousand() throws {
    try fill(2_500)
    let provider = try repository.provider(for: "list")
    provider.prefetch(100..<2_500, inSection: 0)
    // From here on nothing can be read.
    repository.suspend()
    repository.resume()
    try repository.commit([.deleteItem(item(0).id)], to: "list")
    for number in [100, 1_000, 2_000] {
      #expect(provider.item(at: ItemPath(section: 0, item: number)) == item(number))
    }
    #expect(provider.failedReadCount == 0)
    for number in [100, 2_000, 2_499] {
      #expect(provider.itemID(at: ItemPath(section: 0, item: number)) == item(number).id)
    }
    #expect(provider.failedReadCount == 0)
    #expect(provider.item(at: ItemPath(section: 0, item: 2_400)) == nil)
    #expect(provider.failedReadCount == 1)
  }

  @Test func suspendingEndsTheTransactionAndAnUnchangedListReadsOn() throws {
    try fill(500)
    let provider = try repository.provider(for: "list")
    _ = provider.item(at: ItemPath(section: 0, item: 0))
    repository.suspend()
    #expect(provider.item(at: ItemPath(section: 0, item: 400))?.id == item(400).id)
    #expect(provider.failedReadCount == 0)
  }

  @Test func afterSuspendingAChangedListAnswersFromMemoryAndGoesOnByItsToken() throws {
    try fill(500)
    var provider = try repository.provider(for: "list")
    let first = provider.item(at: ItemPath(section: 0, item: 0))
    repository.suspend()
    repository.resume()
    try repository.commit([.deleteItem(item(0).id)], to: "list")
    #expect(provider.item(at: ItemPath(section: 0, item: 0)) == first)
    #expect(provider.item(at: ItemPath(section: 0, item: 400)) == nil)
    #expect(provider.failedReadCount == 1)
    let update = try repository.advance(&provider)
    #expect(update.stages.count == 1)
    #expect(provider.item(at: ItemPath(section: 0, item: 399))?.id == item(400).id)
    #expect(provider.tree == (try repository.tree(of: "list")))
  }

  /// On a busy machine that queue gets so little of the processor that each commit finds it behind.
  @Test func theWriteAheadLogStaysSmallWhileTheMaintenanceQueueStandsStill() throws {
    try fill(2_000)
    let log = folder.file("store.sqlite-wal")
    let standstill = DispatchSemaphore(value: 0)
    defer { standstill.signal() }
    repository.maintenance.add("stand still") { standstill.wait() }
    var provider = try repository.provider(for: "list")
    for number in 0..<2_000 {
      try repository.commit(
        [.updateItem(item(number).id, ItemUpdate(content: .set("\"x\"")))], to: "list")
      try repository.advance(&provider)
    }
    let size = try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int ?? 0
    #expect(size < 12 << 20)
    #expect(provider.tree == (try repository.tree(of: "list")))
  }

  /// The log of a store grows as long as somebody reads its past, and not when he keeps up.
  @Test func theWriteAheadLogStaysSmallWhereProvidersAreAdvanced() throws {
    try fill(2_000)
    let log = folder.file("store.sqlite-wal")
    func size() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? Int ?? 0
    }
    var providers = [
      try repository.provider(for: "list"), try repository.provider(for: "list"),
    ]
    for number in 0..<2_000 {
      try repository.commit(
        [.updateItem(item(number).id, ItemUpdate(content: .set("\"x\"")))], to: "list")
      for index in providers.indices { try repository.advance(&providers[index]) }
    }
    repository.maintenance.drain()
    // SQLite moves the log into the file at 1,000 pages.
    #expect(try size() < 12 << 20)
    let held = try repository.provider(for: "list")
    for number in 0..<2_000 {
      try repository.commit(
        [.updateItem(item(number).id, ItemUpdate(content: .set("\"y\"")))], to: "list")
    }
    let grown = try size()
    repository.suspend()
    repository.resume()
    for number in 0..<600 {
      try repository.commit(
        [.updateItem(item(number).id, ItemUpdate(content: .set("\"z\"")))], to: "list")
    }
    // It does not shrink, but is written over from its start.
    #expect(try size() <= grown + (1 << 20))
    #expect(held.numberOfItems == 2_000)
  }
}
