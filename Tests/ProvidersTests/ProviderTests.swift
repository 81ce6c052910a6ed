import BatchUpdates
import ListModel
import Providers
import TestSupport
import Testing

/// A Provider against the plain tree, change by change.
@Suite struct ProviderTests {
  /// A tree and a Provider that got the same commits.
  private struct Pair {
    var tree = ListTree(list: "list")
    var provider = Provider(ListTree(list: "list"))
    var generator: SeededGenerator
    let changes = RandomChanges(sections: 5, items: 30, hasSectionParts: true)

    init(seed: Int) { generator = SeededGenerator(seed: UInt64(seed)) }

    /// A commit of random changes, applied to the tree alone.
    mutating func commit(_ count: Int) throws -> Commit {
      var entries: [LogEntry] = []
      for _ in 0..<count {
        entries.append(try tree.apply(changes.change(for: tree, using: &generator)))
      }
      tree.revision += 1
      return Commit(
        list: "list", revision: tree.revision, author: .app, time: nil, entries: entries)
    }
  }

  @Test(arguments: 0..<20) func answersAreTheTrees(_ seed: Int) throws {
    var pair = Pair(seed: seed)
    for step in 0..<60 {
      let commit = try pair.commit(pair.generator.number(0..<5))
      try pair.provider.apply([commit])
      let (tree, provider) = (pair.tree, pair.provider)
      #expect(provider.tree == tree, "seed \(seed), step \(step)")
      #expect(provider == Provider(tree), "seed \(seed), step \(step)")
      #expect(provider.hashValue == Provider(tree).hashValue)
      #expect(provider.numberOfSections == tree.sections.count)
      #expect(provider.numberOfItems == tree.itemCounts.reduce(0, +))
      for (index, section) in tree.sections.enumerated() {
        #expect(provider.numberOfItems(inSection: index) == section.items.count)
        #expect(provider.section(at: index) == section)
        #expect(provider.sectionID(at: index) == section.id)
        #expect(provider.attributes(ofSection: index) == section.attributes)
        #expect(provider.index(of: section.id) == index)
        for (offset, item) in section.items.enumerated() {
          let path = ItemPath(section: index, item: offset)
          #expect(provider.item(at: path) == item)
          #expect(provider.path(of: item.id) == path)
        }
      }
    }
  }

  @Test func whatIsNotThereIsNilOrZero() throws {
    let provider = Provider(
      ListTree(
        list: "list",
        sections: [ListTree.Section(id: "s", items: [Item(id: "a", cell: "X", content: "1")])]))
    for index in [-1, 1, .min, .max] {
      #expect(provider.numberOfItems(inSection: index) == 0)
      #expect(provider.section(at: index) == nil)
      #expect(provider.sectionID(at: index) == nil)
      #expect(provider.attributes(ofSection: index) == nil)
      #expect(provider.item(at: ItemPath(section: index, item: 0)) == nil)
      #expect(provider.item(at: ItemPath(section: 0, item: index)) == nil)
    }
    #expect(provider.index(of: "t") == nil)
    #expect(provider.path(of: "b") == nil)
  }

  @Test func aCommitThatDoesNotFitChangesNothing() throws {
    for seed in 100..<200 {
      var pair = Pair(seed: seed)
      for _ in 0..<20 { try pair.provider.apply([pair.commit(3)]) }
      let before = pair.provider
      let tree = pair.tree
      // The first commits fit; in the last one an entry in the middle does not.
      let first = try pair.commit(pair.generator.number(0..<6))
      let last = try pair.commit(pair.generator.number(1..<6))
      let stranger = Item(id: "stranger", cell: "X", content: "1")
      var entries = last.entries
      entries.insert(
        .deleteItem(stranger, at: ItemPath(section: 0, item: 0)),
        at: pair.generator.number(0..<entries.count + 1))
      let broken = Commit(
        list: "list", revision: last.revision, author: .app, time: nil, entries: entries)
      #expect(throws: ChangeError.self) { try pair.provider.apply([first, broken]) }
      #expect(pair.provider == before, "seed \(seed)")
      #expect(pair.provider.tree == tree, "seed \(seed)")
      for section in tree.sections {
        for item in section.items {
          #expect(pair.provider.path(of: item.id) == before.path(of: item.id))
        }
      }
      try pair.provider.apply([first, last])
      #expect(pair.provider.tree == pair.tree, "seed \(seed)")
    }
  }

  @Test func anEntryThatNamesAnotherItemThanIsThereChangesNothing() throws {
    let items = ["a", "b", "c"].map { (id: ItemID) in Item(id: id, cell: "X", content: "0") }
    let tree = ListTree(list: "list", sections: [ListTree.Section(id: "s", items: items)])
    func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }
    let wrong: [LogEntry] = [
      .moveItem("b", from: path(0), to: path(2)), .moveItem("a", from: path(3), to: path(0)),
      .moveItem("a", from: path(0), to: path(3)), .deleteItem(items[1], at: path(0)),
      .deleteItem(items[1], at: path(3)), .touchItem("b", at: path(0)),
      .updateItem("b", at: path(2), before: items[1].state, after: items[1].state),
      .insertItem(items[0], at: path(1)),
    ]
    for entry in wrong {
      var provider = Provider(tree)
      let commit = Commit(list: "list", revision: 1, author: .app, time: nil, entries: [entry])
      #expect(throws: ChangeError.self) { try provider.apply([commit]) }
      #expect(provider.tree == tree, "\(entry)")
      for (index, item) in items.enumerated() { #expect(provider.path(of: item.id) == path(index)) }
    }
  }

  @Test func commitsOfAnotherListOrRevisionAreRefused() throws {
    var provider = Provider(ListTree(list: "list", revision: 3))
    for (list, revision) in [("list", 3), ("list", 5), ("other", 4), ("list", .max)] {
      let commit = Commit(
        list: try ListID(list), revision: revision, author: .app, time: nil, entries: [])
      #expect(throws: ChangeError.self) { try provider.apply([commit]) }
    }
    var last = Provider(ListTree(list: "list", revision: .max))
    let commit = Commit(list: "list", revision: .min, author: .app, time: nil, entries: [])
    #expect(throws: ChangeError.self) { try last.apply([commit]) }
    #expect(try provider.apply([Commit]()).mode == .none)
  }

  @Test func aCopyStaysAtItsRevision() throws {
    var pair = Pair(seed: 7)
    var copies: [(Provider, ListTree)] = []
    for _ in 0..<100 {
      copies.append((pair.provider, pair.tree))
      try pair.provider.apply([pair.commit(4)])
    }
    for (copy, tree) in copies { #expect(copy.tree == tree) }
  }

  /// However the commits are split, the view ends up with the same list.
  @Test(arguments: 0..<20) func mergedUpdatesLeadWhereSingleOnesDo(_ seed: Int) throws {
    var pair = Pair(seed: 300 + seed)
    for _ in 0..<10 { try pair.provider.apply([pair.commit(3)]) }
    let start = pair.provider
    var commits: [Commit] = []
    for _ in 0..<12 { commits.append(try pair.commit(pair.generator.number(0..<4))) }
    for size in [1, 2, 5, 12] {
      var provider = start
      var view = CheckingView(showing: start.tree)
      for first in stride(from: 0, to: commits.count, by: size) {
        let part = commits[first..<min(first + size, commits.count)]
        var deleted: Set<SectionID> = []
        for case .deleteSection(let section, _) in part.flatMap(\.entries) {
          deleted.insert(section.id)
        }
        let update = try provider.apply(part)
        try view.perform(update, showing: provider.tree, reinserted: deleted)
      }
      #expect(provider.tree == pair.tree, "seed \(seed), by \(size)")
    }
  }
}
