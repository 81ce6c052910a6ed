import BatchUpdates
import Foundation
import ListModel
import TestSupport
import Testing

/// Batch updates straight from the log: the same as from the trees before and after, but for ties.
@Suite struct LogCompilerTests {
  /// A long run checks `CELLAR_LOGS` random logs.
  private static let logs =
    ProcessInfo.processInfo.environment["CELLAR_LOGS"].flatMap { Int($0) } ?? 2_000
  private static let parts = 8

  @Test(arguments: 0..<parts) func randomLogsAreAsTheTreesSay(_ part: Int) throws {
    for seed in stride(from: part, to: Self.logs, by: Self.parts) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let changes = RandomChanges(
        sections: generator.number(2..<7), items: generator.number(4..<24))
      var history = RecordedHistory()
      for _ in 0..<generator.number(0..<30) {
        try history.apply(changes.change(for: history.tree, using: &generator))
      }
      history.mark()
      for _ in 0..<generator.number(1..<40) {
        try history.apply(changes.change(for: history.tree, using: &generator))
      }
      history.check("seed \(seed)")
    }
  }

  @Test func everyLogOfUpToThreeChangesIsAsTheTreesSay() throws {
    let lists: [[(SectionID, [ItemID])]] = [
      [], [("a", [])], [("a", ["1"]), ("b", [])], [("a", ["1", "2"])],
      [("a", ["1", "2"]), ("b", ["3"])],
    ]
    var count = 0
    for list in lists {
      let tree = ListTree(
        list: "list",
        sections: list.map { id, items in
          ListTree.Section(id: id, items: items.map { Item(id: $0, cell: "X", content: "0") })
        })
      var history = RecordedHistory(tree)
      history.mark()
      try everyLog(after: history, length: 3, &count)
    }
    #expect(count > 20_000)
  }

  private func everyLog(
    after history: RecordedHistory, length: Int, _ count: inout Int
  ) throws {
    for change in SmallChanges.all(for: history.tree) {
      var next = history
      try next.apply(change)
      count += 1
      // All logs of two, and of those of three every seventh: the full run takes all.
      if length == 1, Self.logs < 100_000, count % 7 != 0 { continue }
      next.check("\(next.changes)")
      if length > 1 { try everyLog(after: next, length: length - 1, &count) }
    }
  }

  @Test func everySplitOfALogLeadsToTheSameEnd() throws {
    for seed in 50_000..<50_100 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let changes = RandomChanges(sections: 4, items: 12, hasSectionParts: true)
      var history = RecordedHistory()
      for _ in 0..<20 { try history.apply(changes.change(for: history.tree, using: &generator)) }
      let start = history.tree
      var log: [Change] = []
      for _ in 0..<12 {
        let change = changes.change(for: history.tree, using: &generator)
        log.append(change)
        try history.apply(change)
      }
      for split in 0...log.count {
        var parts = RecordedHistory(start)
        var view = CheckingView(showing: start)
        for part in [log[..<split], log[split...]] {
          parts.mark()
          for change in part { try parts.apply(change) }
          // The ids of sections that came back are other ones to the view.
          view = CheckingView(showing: parts.marked)
          try view.perform(parts.update, showing: parts.renamed)
        }
        #expect(parts.tree.sections == history.tree.sections, "seed \(seed), split \(split)")
      }
    }
  }

  @Test func theInverseHasMirroredCounts() throws {
    for seed in 60_000..<60_300 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let changes = RandomChanges(sections: 5, items: 14, hasSectionParts: true)
      var history = RecordedHistory()
      for _ in 0..<20 { try history.apply(changes.change(for: history.tree, using: &generator)) }
      history.mark()
      for _ in 0..<12 { try history.apply(changes.change(for: history.tree, using: &generator)) }
      let there = MinimalOperations(of: history.update)
      let back = MinimalOperations(
        of: BatchUpdate(
          list: "list", from: 1, to: 0, replaying: history.entries.reversed().flatMap(\.inverse),
          on: SectionCounts(history.tree.itemCounts)))
      #expect(there.deleteSections == back.insertSections, "seed \(seed)")
      #expect(there.insertSections == back.deleteSections, "seed \(seed)")
      #expect(there.moveSections == back.moveSections, "seed \(seed)")
      #expect(there.deleteItems == back.insertItems, "seed \(seed)")
      #expect(there.insertItems == back.deleteItems, "seed \(seed)")
      #expect(there.moveItems == back.moveItems, "seed \(seed)")
    }
  }

  @Test func aLogThatDoesNotFitIsAReloadWithItsReason() {
    let item = Item(id: "x", cell: "X", content: "0")
    let nowhere: [LogEntry] = [
      .insertSection("a", .init(), at: 2), .insertSection("a", .init(), at: -1),
      .deleteSection(ListTree.Section(id: "a"), at: 1),
      .deleteSection(ListTree.Section(id: "a"), at: .min),
      .moveSection("a", from: 0, to: 1), .moveSection("a", from: .max, to: 0),
      .updateSection("a", at: 1, before: .init(), after: .init()),
      .insertItem(item, at: ItemPath(section: 1, item: 0)),
      .insertItem(item, at: ItemPath(section: 0, item: 4)),
      .insertItem(item, at: ItemPath(section: 0, item: .min)),
      .deleteItem(item, at: ItemPath(section: 0, item: 3)),
      .deleteItem(item, at: ItemPath(section: .max, item: .max)),
      .moveItem("x", from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 3)),
      .moveItem("x", from: ItemPath(section: 0, item: 3), to: ItemPath(section: 0, item: 0)),
      .updateItem("x", at: ItemPath(section: 0, item: -1), before: item.state, after: item.state),
      .touchItem("x", at: ItemPath(section: -1, item: 0)),
    ]
    for entry in nowhere {
      let update = BatchUpdate(list: "list", from: 0, to: 1, replaying: [entry], on: [3])
      guard case .reload(let why) = update.mode else {
        Issue.record("\(entry) gives \(update.mode)")
        continue
      }
      #expect(why.description.contains("does not fit"))
    }
  }

  // MARK: Untouched items and sections

  /// The stages for moves of one section's items, each from an index to one once it has left.
  private func stages(moving moves: [(from: Int, to: Int)], of count: Int) -> [Stage] {
    let entries = moves.map { move in
      LogEntry.moveItem(
        "x", from: ItemPath(section: 0, item: move.from), to: ItemPath(section: 0, item: move.to))
    }
    return Self.stages(
      of: BatchUpdate(list: "list", from: 0, to: 1, replaying: entries, on: [count]))
  }

  private static func stages(of update: BatchUpdate) -> [Stage] {
    if case .batch(let stages) = update.mode { return stages }
    Issue.record("\(update.mode)")
    return []
  }

  @Test func itemsThatNoEntryNamesMoveWhereThatIsFewerMoves() {
    // 0, 1 and 2 go behind 3 and 4: it is these two that move, before the three.
    let stages = stages(moving: [(0, 4), (0, 4), (0, 4)], of: 6)
    #expect(
      stages.map(\.moveItems) == [
        [
          Stage.Move(
            from: ItemPath(section: 0, item: 3), to: ItemPath(section: 0, item: 0)),
          Stage.Move(
            from: ItemPath(section: 0, item: 4), to: ItemPath(section: 0, item: 1)),
        ]
      ])
  }

  @Test func itemsThatNoEntryNamesStayWhereBothAreAsManyMoves() {
    // 0 and 1 change places with 2 and 3.
    let stages = stages(moving: [(0, 3), (0, 3)], of: 4)
    #expect(stages.map { $0.moveItems.map(\.from.item) } == [[0, 1]])
    // And the other way round.
    let back = self.stages(moving: [(3, 0), (3, 0)], of: 4)
    #expect(back.map { $0.moveItems.map(\.from.item) } == [[2, 3]])
  }

  @Test func sectionsThatNoEntryNamesMoveWhereThatIsFewerMoves() {
    let entries = (0..<3).map { _ in LogEntry.moveSection("x", from: 0, to: 4) }
    // Touched, so that they are told apart.
    let touched = (0..<3).map { index in
      LogEntry.touchItem("x", at: ItemPath(section: index, item: 0))
    }
    for log in [entries, touched + entries] {
      let stages = Self.stages(
        of: BatchUpdate(list: "list", from: 0, to: 1, replaying: log, on: [1, 2, 3, 4, 5, 6]))
      #expect(
        stages.flatMap(\.moveSections) == [
          Stage.Move(from: 3, to: 0), Stage.Move(from: 4, to: 1),
        ])
      #expect(stages.first.map { Array($0.counts) } == [4, 5, 1, 2, 3, 6])
    }
  }

  // MARK: Items that return

  /// X is deleted, inserted again, drawn again, deleted and inserted once more, where it was: its
  /// cell stays, and has not seen the drawing.
  @Test func whatWasDrawnAgainWhileItWasThereInBetweenIsDrawnAgain() {
    let item = Item(id: "x", cell: "X", content: "0")
    let path = ItemPath(section: 0, item: 1)
    let returns: [LogEntry] = [.deleteItem(item, at: path), .insertItem(item, at: path)]
    let untouched = BatchUpdate(list: "list", from: 0, to: 1, replaying: returns + returns, on: [3])
    #expect(untouched.mode == .none)
    let touched = BatchUpdate(
      list: "list", from: 0, to: 1, replaying: returns + [.touchItem("x", at: path)] + returns,
      on: [3])
    #expect(Self.stages(of: touched).map(\.reconfigureItems) == [[path]])
  }

  /// X moves into a section, is deleted along with it and inserted where it was: its cell stays.
  @Test func whatWasDeletedWithAnotherSectionAndReturnsIsTheSameItem() {
    let item = Item(id: "x", cell: "X", content: "0")
    let other = Item(id: "y", cell: "X", content: "0")
    let path = ItemPath(section: 0, item: 1)
    let log: [LogEntry] = [
      .moveItem("x", from: path, to: ItemPath(section: 1, item: 1)),
      .deleteSection(ListTree.Section(id: "s", items: [other, item]), at: 1),
      .insertItem(item, at: path),
    ]
    let update = BatchUpdate(list: "list", from: 0, to: 1, replaying: log, on: [3, 1])
    let stages = Self.stages(of: update)
    #expect(stages.map(\.deleteSections) == [[1]])
    #expect(stages.map(\.operationCount) == [1])
  }

  /// As many changes as there are items: every item leaves and returns in the opposite order.
  @Test func aLongLogFindsEveryItemThatReturns() {
    let items = (0..<1_000).map {
      Item(id: .init(stringLiteral: "item \($0)"), cell: "X", content: "0")
    }
    let first = ItemPath(section: 0, item: 0)
    let log =
      items.map { LogEntry.deleteItem($0, at: first) }
      + items.map { LogEntry.insertItem($0, at: first) }
    let update = BatchUpdate(list: "list", from: 0, to: 1, replaying: log, on: [1_000])
    let stages = Self.stages(of: update)
    #expect(stages.map(\.moveItems.count) == [999])
    #expect(stages.map(\.operationCount) == [999])
  }
}
