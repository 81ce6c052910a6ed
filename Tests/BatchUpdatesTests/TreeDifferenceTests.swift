import BatchUpdates
import ListModel
import TestSupport
import Testing

/// Batch updates between trees: right, legal, smallest, in the fewest stages.
@Suite struct TreeDifferenceTests {
  /// Checks one pair of trees against the checking view and the plain count of what is needed.
  private func check(
    from old: ListTree, to new: ListTree, touched: Set<ItemID> = [], _ hint: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let update = BatchUpdate(from: old, to: new, touched: touched)
    if case .reload(let why) = update.mode {
      Issue.record("reload, \(why): \(hint)", sourceLocation: sourceLocation)
    }
    var view = CheckingView(showing: old)
    do { try view.perform(update, showing: new) } catch {
      Issue.record("\(error): \(hint)\n\(update.json)", sourceLocation: sourceLocation)
    }
    let found = MinimalOperations(of: update)
    let needed = MinimalOperations(from: old, to: new, touched: touched)
    #expect(found == needed, "\(hint)\n\(update.json)", sourceLocation: sourceLocation)
  }

  @Test(arguments: 0..<SeededGenerator.count(4)) func randomHistoriesAreLegalAndMinimal(_ part: Int)
    throws
  {
    for seed in (part * 250)..<((part + 1) * 250) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let source = RandomChanges(sections: 5, items: 14, hasSectionParts: true)
      var tree = ListTree(list: "list")
      var shown = tree
      var touched: Set<ItemID> = []
      for step in 0..<24 {
        let change = source.change(for: tree, using: &generator)
        try tree.apply(change)
        if case .touchItem(let id) = change { touched.insert(id) }
        guard generator.percent(35) else { continue }
        check(from: shown, to: tree, touched: touched, "seed \(seed), step \(step)")
        shown = tree
        touched = []
      }
    }
  }

  @Test func unrelatedTreesAreLegalAndMinimal() throws {
    for seed in 10_000..<10_400 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let source = RandomChanges(sections: 5, items: 12, hasSectionParts: true)
      var trees = [ListTree(list: "list"), ListTree(list: "list", revision: 1)]
      for index in trees.indices {
        for _ in 0..<30 {
          try trees[index].apply(source.change(for: trees[index], using: &generator))
        }
      }
      check(from: trees[0], to: trees[1], "seed \(seed)")
    }
  }

  @Test func thereAndBackHaveMirroredCounts() throws {
    for seed in 20_000..<20_300 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let source = RandomChanges(sections: 5, items: 12, hasSectionParts: true)
      var old = ListTree(list: "list")
      for _ in 0..<25 { try old.apply(source.change(for: old, using: &generator)) }
      var new = old
      for _ in 0..<8 { try new.apply(source.change(for: new, using: &generator)) }
      let there = MinimalOperations(of: BatchUpdate(from: old, to: new))
      let back = MinimalOperations(of: BatchUpdate(from: new, to: old))
      #expect(there.deleteSections == back.insertSections, "seed \(seed)")
      #expect(there.insertSections == back.deleteSections, "seed \(seed)")
      #expect(there.moveSections == back.moveSections, "seed \(seed)")
      #expect(there.deleteItems == back.insertItems, "seed \(seed)")
      #expect(there.insertItems == back.deleteItems, "seed \(seed)")
      #expect(there.moveItems == back.moveItems, "seed \(seed)")
    }
  }

  @Test func everyPairOfTreesOfTwoSectionsAndThreeItemsIsLegalAndMinimal() {
    let trees = SmallTrees.all(sections: ["a", "b"])
    #expect(trees.count == 131)
    for (index, old) in trees.enumerated() {
      for (other, new) in trees.enumerated() { check(from: old, to: new, "\(index) to \(other)") }
    }
  }

  /// All pairs would be a million: a stride that shares no factor with their number meets all
  /// kinds.
  @Test func pairsOfTreesOfThreeSectionsAndThreeItemsAreLegalAndMinimal() {
    let trees = SmallTrees.all(sections: ["a", "b", "c"])
    #expect(trees.count == 979)
    for pair in stride(from: 0, to: trees.count * trees.count, by: 97) {
      check(from: trees[pair / trees.count], to: trees[pair % trees.count], "pair \(pair)")
    }
  }

  @Test func equalTreesNeedNothing() {
    for tree in SmallTrees.all(sections: ["a", "b"]) {
      #expect(BatchUpdate(from: tree, to: tree).mode == .none)
    }
  }

  @Test func changesLeadFromOneTreeToTheOther() throws {
    for seed in 30_000..<30_600 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let source = RandomChanges(sections: 5, items: 12, hasSectionParts: true)
      var old = ListTree(list: "list")
      for _ in 0..<20 { try old.apply(source.change(for: old, using: &generator)) }
      var new = old
      for _ in 0..<10 { try new.apply(source.change(for: new, using: &generator)) }
      var reached = old
      for change in old.changes(to: new.sections) { try reached.apply(change) }
      #expect(BatchUpdate(from: reached, to: new).mode == .none, "seed \(seed)")
      #expect(reached.sections.map(\.id) == new.sections.map(\.id), "seed \(seed)")
      #expect(old.changes(to: old.sections).isEmpty, "seed \(seed)")
    }
  }

  // MARK: Content

  private func tree(_ items: [Item], revision: Int = 0) -> ListTree {
    ListTree(list: "list", revision: revision, sections: [ListTree.Section(id: "s", items: items)])
  }

  @Test func anotherCellIsAReloadAndOtherContentAReconfigure() {
    let old = tree([
      Item(id: "a", cell: "X", content: "1"), Item(id: "b", cell: "X", content: "1"),
      Item(id: "c", cell: "X", content: "1"),
    ])
    let new = tree([
      Item(id: "a", cell: "Y", content: "2"), Item(id: "b", cell: "X", content: "2"),
      Item(id: "c", cell: "X", content: "1.0"),
    ])
    let stages = BatchUpdate(from: old, to: new).stages
    #expect(stages.count == 1)
    #expect(stages.first?.reloadItems == [ItemPath(section: 0, item: 0)])
    #expect(stages.first?.reconfigureItems == [ItemPath(section: 0, item: 1)])
  }

  @Test func contentRidesOnMovesToFinalPaths() {
    let old = tree(["a", "b", "c"].map { Item(id: $0, cell: "X", content: "1") })
    let new = tree([
      Item(id: "c", cell: "X", content: "2"), Item(id: "a", cell: "X", content: "1"),
    ])
    let stages = BatchUpdate(from: old, to: new).stages
    #expect(stages.count == 2)
    #expect(stages.last?.reconfigureItems == [ItemPath(section: 0, item: 0)])
    #expect(stages.first?.reconfigureItems == [])
  }

  @Test func insertedAndDegradedItemsAreNotUpdatedToo() {
    let old = ListTree(
      list: "list",
      sections: [
        ListTree.Section(id: "dying", items: [Item(id: "a", cell: "X", content: "1")]),
        ListTree.Section(id: "s", items: [Item(id: "b", cell: "X", content: "1")]),
      ])
    let new = ListTree(
      list: "list",
      sections: [
        ListTree.Section(id: "s", items: [Item(id: "a", cell: "Y", content: "2")]),
        ListTree.Section(id: "born", items: [Item(id: "b", cell: "Y", content: "2")]),
      ])
    let stages = BatchUpdate(from: old, to: new).stages
    #expect(stages.allSatisfy { $0.reloadItems.isEmpty && $0.reconfigureItems.isEmpty })
    check(from: old, to: new, "degraded")
  }

  @Test func touchedItemsAreReconfigured() {
    let old = tree([Item(id: "a", cell: "X", content: "1")])
    let update = BatchUpdate(from: old, to: old, touched: ["a", "absent"])
    #expect(update.stages.map(\.reconfigureItems) == [[ItemPath(section: 0, item: 0)]])
  }

  @Test func anIDThatOccursTwiceIsAReloadWithItsReason() {
    let twice = tree([
      Item(id: "a", cell: "X", content: "1"), Item(id: "a", cell: "X", content: "1"),
    ])
    guard case .reload(let why) = BatchUpdate(from: tree([]), to: twice).mode else {
      Issue.record("not a reload")
      return
    }
    #expect(why.description.contains("\"a\""))
  }
}

/// Every tree of some of these sections, in every order, with some of three items, in every order
/// and every distribution.
private enum SmallTrees {
  static func all(sections pool: [SectionID]) -> [ListTree] {
    var trees: [ListTree] = []
    let items: [ItemID] = ["1", "2", "3"]
    for sections in orders(of: pool) {
      for chosen in orders(of: items) {
        for split in splits(of: chosen.count, into: sections.count) {
          var rest = chosen[...]
          let parts = zip(sections, split).map { id, count in
            defer { rest = rest.dropFirst(count) }
            return ListTree.Section(
              id: id, items: rest.prefix(count).map { Item(id: $0, cell: "X", content: "1") })
          }
          trees.append(ListTree(list: "list", sections: parts))
        }
      }
    }
    return trees
  }

  /// Every order of every subset.
  private static func orders<ID: Equatable>(of ids: [ID]) -> [[ID]] {
    [[]] + ids.flatMap { id in orders(of: ids.filter { $0 != id }).map { [id] + $0 } }
  }

  private static func splits(of count: Int, into parts: Int) -> [[Int]] {
    switch parts {
    case 0: count == 0 ? [[]] : []
    case 1: [[count]]
    default:
      (0...count).flatMap { first in
        splits(of: count - first, into: parts - 1).map { [first] + $0 }
      }
    }
  }
}
