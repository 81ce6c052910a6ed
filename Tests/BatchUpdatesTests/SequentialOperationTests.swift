import BatchUpdates
import Foundation
import ListModel
import TestSupport
import Testing

/// Operations one after another lead where the stages lead.
@Suite struct SequentialOperationTests {
  /// Applies an update's operations to arrays, and compares after each stage and at the end.
  private func check(
    from old: ListTree, to new: ListTree, touched: Set<ItemID> = [], _ hint: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let update = BatchUpdate(from: old, to: new, touched: touched)
    var shown = SequentialRows(old)
    do {
      for stage in update.stages {
        let operations = stage.sequentialOperations
        #expect(operations.count == stage.operationCount, "\(hint)", sourceLocation: sourceLocation)
        try shown.apply(operations)
        #expect(
          shown.counts == Array(stage.counts), "\(hint)\n\(update.json)",
          sourceLocation: sourceLocation)
      }
    } catch { Issue.record("\(error): \(hint)\n\(update.json)", sourceLocation: sourceLocation) }
    #expect(
      update.sequentialOperations == update.stages.flatMap(\.sequentialOperations),
      sourceLocation: sourceLocation)
    #expect(
      shown == Self.expected(from: old, to: new, touched), "\(hint)\n\(update.json)",
      sourceLocation: sourceLocation)
  }

  /// The new tree, with `nil` for what is new or drawn again.
  private static func expected(
    from old: ListTree, to new: ListTree, _ touched: Set<ItemID>
  ) -> SequentialRows {
    var rows = SequentialRows(new)
    let survivors = Set(old.sections.map(\.id)).intersection(new.sections.map(\.id))
    let oldSections = Dictionary(uniqueKeysWithValues: old.sections.map { ($0.id, $0) })
    let kept = old.sections.filter { survivors.contains($0.id) }.flatMap(\.items)
    let states = Dictionary(uniqueKeysWithValues: kept.map { ($0.id, $0.state) })
    for (index, section) in new.sections.enumerated() {
      if oldSections[section.id]?.attributes.drawn.isEquivalent(to: section.attributes.drawn)
        != true
      {
        rows.sections[index] = nil
      }
      for (offset, item) in section.items.enumerated()
      where touched.contains(item.id) || !survivors.contains(section.id)
        || states[item.id]?.isEquivalent(to: item.state) != true
      {
        rows.rows[index][offset] = nil
      }
    }
    return rows
  }

  // MARK: By hand

  private func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  @Test func aMoveCountsItsTargetWithoutWhatMoves() {
    var stage = Stage()
    stage.moveItems = [Stage.Move(from: path(0, 0), to: path(0, 2))]
    stage.counts = [4]
    #expect(stage.sequentialOperations == [.moveItem(from: path(0, 0), to: path(0, 2))])
  }

  @Test func whatIsStillToLeaveIsBehindWhatArrived() {
    // abcd → cXba
    var stage = Stage()
    stage.deleteItems = [path(0, 3)]
    stage.insertItems = [path(0, 1)]
    stage.moveItems = [
      Stage.Move(from: path(0, 1), to: path(0, 2)),
      Stage.Move(from: path(0, 0), to: path(0, 3)),
    ]
    stage.counts = [4]
    #expect(
      stage.sequentialOperations == [
        .deleteItem(path(0, 3)),  // abc
        .insertItem(path(0, 3)),  // abcX
        .moveItem(from: path(0, 1), to: path(0, 3)),  // acXb
        .moveItem(from: path(0, 0), to: path(0, 3)),  // cXba
      ])
  }

  @Test func allKindsOfStructureComeInTheirOrder() throws {
    // A[a b c] B[d] C[e f] D[] → D[] N[n o] A[c X a] C[e]
    var stage = Stage()
    stage.deleteSections = [1]
    stage.insertSections = [1]
    stage.moveSections = [Stage.Move(from: 3, to: 0)]
    stage.deleteItems = [path(0, 1), path(2, 1)]
    stage.insertItems = [path(2, 1)]
    stage.moveItems = [Stage.Move(from: path(0, 0), to: path(2, 2))]
    stage.counts = [0, 2, 3, 1]
    #expect(
      stage.sequentialOperations == [
        .deleteItem(path(2, 1)), .deleteItem(path(0, 1)), .deleteSection(1),
        .moveSection(from: 2, to: 0), .insertSection(1, itemCount: 2),
        .insertItem(path(2, 2)), .moveItem(from: path(2, 0), to: path(2, 2)),
      ])
    var shown = SequentialRows([
      ("A", ["a", "b", "c"]), ("B", ["d"]), ("C", ["e", "f"]), ("D", []),
    ])
    try shown.apply(stage.sequentialOperations)
    #expect(shown.sections == ["D", nil, "A", "C"])
    #expect(shown.rows == [[], [nil, nil], ["c", nil, "a"], ["e"]])
  }

  @Test func itemsMoveBetweenSectionsThatGiveAndTake() throws {
    // [a b] [c d] → [d b] [a c]
    var stage = Stage()
    stage.moveItems = [
      Stage.Move(from: path(1, 1), to: path(0, 0)),
      Stage.Move(from: path(0, 0), to: path(1, 0)),
    ]
    stage.counts = [2, 2]
    #expect(
      stage.sequentialOperations == [
        .moveItem(from: path(1, 1), to: path(0, 0)),  // [d a b] [c]
        .moveItem(from: path(0, 1), to: path(1, 0)),  // [d b] [a c]
      ])
  }

  @Test func contentKeepsItsPathsAndItsOrder() {
    var stage = Stage()
    stage.reloadItems = [path(1, 0), path(0, 3)]
    stage.reconfigureItems = [path(0, 1)]
    stage.updateSections = [1, 0]
    stage.counts = [4, 1]
    #expect(
      stage.sequentialOperations == [
        .reloadItem(path(1, 0)), .reloadItem(path(0, 3)), .reconfigureItem(path(0, 1)),
        .updateSection(1), .updateSection(0),
      ])
  }

  @Test func noStageAndAReloadHaveNoOperations() {
    let tree = ListTree(list: "list", sections: [ListTree.Section(id: "s", items: [])])
    #expect(Stage().sequentialOperations.isEmpty)
    #expect(BatchUpdate(from: tree, to: tree).sequentialOperations.isEmpty)
    let twice = ListTree(
      list: "list",
      sections: [ListTree.Section(id: "s", items: []), ListTree.Section(id: "s", items: [])])
    let reload = BatchUpdate(from: tree, to: twice)
    #expect(reload.mode != .none)
    #expect(reload.sequentialOperations.isEmpty)
  }

  // MARK: All small ones

  /// Not only the fewest moves: every set of moves that leads to the order.
  @Test func everySetOfMovesForEveryOrderOfFiveLeadsToIt() throws {
    var stages = 0
    for count in 0...5 {
      for order in Self.orders(of: Array(0..<count)) {
        for moved in 0..<(1 << count) {
          let still = order.filter { moved >> $0 & 1 == 0 }
          guard still == still.sorted() else { continue }
          stages += 1
          try checkOrder(order, moved: moved)
        }
      }
    }
    #expect(stages == 1 + 2 + 7 + 34 + 209 + 1546)
  }

  /// Items of one section, and sections with one item each.
  private func checkOrder(_ order: [Int], moved: Int) throws {
    let targets = order.enumerated().filter { moved >> $0.element & 1 == 1 }
    var items = Stage()
    items.moveItems = targets.map {
      Stage.Move(from: path(0, $0.element), to: path(0, $0.offset))
    }
    var sections = Stage()
    sections.moveSections = targets.map { Stage.Move(from: $0.element, to: $0.offset) }
    let names = order.indices.map { "\($0)" }
    var shown = SequentialRows([("s", names)])
    try shown.apply(items.sequentialOperations)
    #expect(shown == SequentialRows([("s", order.map { "\($0)" })]), "\(order), \(moved)")
    shown = SequentialRows(names.map { ($0, [$0]) })
    try shown.apply(sections.sequentialOperations)
    #expect(shown == SequentialRows(order.map { ("\($0)", ["\($0)"]) }), "\(order), \(moved)")
    #expect(items.sequentialOperations.count == targets.count)
    #expect(sections.sequentialOperations.count == targets.count)
  }

  @Test func everyPairOfTreesOfTwoSectionsAndThreeItemsLeadsFromOneToTheOther() {
    var trees: [ListTree] = []
    for sections in Self.orders(ofSome: ["a", "b"]) {
      for items in Self.orders(ofSome: ["1", "2", "3"]) where !sections.isEmpty || items.isEmpty {
        for split in sections.count < 2 ? [items.count] : Array(0...items.count) {
          let parts = [items.prefix(split), items.dropFirst(split)]
          trees.append(
            ListTree(
              list: "list",
              sections: zip(sections, parts).map { id, items in
                ListTree.Section(
                  id: SectionID(stringLiteral: id),
                  items: items.map {
                    Item(id: ItemID(stringLiteral: $0), cell: "X", content: "1")
                  })
              }))
        }
      }
    }
    #expect(trees.count == 131)
    for (index, old) in trees.enumerated() {
      for (other, new) in trees.enumerated() { check(from: old, to: new, "\(index) to \(other)") }
    }
  }

  private static func orders<Element: Equatable>(of elements: [Element]) -> [[Element]] {
    if elements.isEmpty { return [[]] }
    return elements.flatMap { first in
      orders(of: elements.filter { $0 != first }).map { [first] + $0 }
    }
  }

  private static func orders(ofSome elements: [String]) -> [[String]] {
    (0..<(1 << elements.count)).flatMap { (set: Int) -> [[String]] in
      let some = elements.indices.filter { set >> $0 & 1 == 1 }
      return orders(of: some.map { elements[$0] })
    }
  }

  // MARK: Random ones

  @Test(arguments: 0..<SeededGenerator.count(2)) func randomHistoriesLeadFromOneTreeToTheOther(
    _ part: Int
  ) throws {
    for seed in (part * 200)..<((part + 1) * 200) {
      var generator = SeededGenerator(seed: UInt64(50_000 + seed))
      let source = RandomChanges(sections: 5, items: 20, hasSectionParts: true)
      var tree = ListTree(list: "list")
      var shown = tree
      var touched: Set<ItemID> = []
      for step in 0..<30 {
        let change = source.change(for: tree, using: &generator)
        try tree.apply(change)
        if case .touchItem(let id) = change { touched.insert(id) }
        guard generator.percent(20) else { continue }
        check(from: shown, to: tree, touched: touched, "seed \(50_000 + seed), step \(step)")
        shown = tree
        touched = []
      }
    }
  }

  @Test func unrelatedTreesLeadFromOneToTheOther() throws {
    for seed in 60_000..<60_400 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let source = RandomChanges(sections: 5, items: 20, hasSectionParts: true)
      var trees = [ListTree(list: "list"), ListTree(list: "list", revision: 1)]
      for index in trees.indices {
        for _ in 0..<40 {
          try trees[index].apply(source.change(for: trees[index], using: &generator))
        }
      }
      check(from: trees[0], to: trees[1], "seed \(seed)")
    }
  }

  /// Among them many that the compiler never makes and the view accepts.
  @Test func stagesWithEverythingAtOnceLeadWhereTheyShould() {
    var accepted = 0
    for seed in 0..<6_000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let example = SimultaneousStage(using: &generator)
      let operations = example.stage.sequentialOperations
      #expect(operations.count == example.stage.operationCount, "seed \(seed)")
      var shown = SequentialRows(example.old)
      do { try shown.apply(operations) } catch { Issue.record("\(error): seed \(seed)") }
      #expect(shown == example.expected, "seed \(seed)")
      let verdict = LegalityCheck.verdict(
        of: example.stage, before: SectionCounts(example.old.map(\.items.count)),
        after: example.stage.counts)
      if verdict.outcome == .ok, example.stage.isStructural { accepted += 1 }
    }
    #expect(accepted > 100)
  }

  // MARK: Documentation

  @Test func theExampleInTheDocumentationIsTheTestedOne() throws {
    let lines = try [
      "Sources/BatchUpdates/Update/SequentialOperation", "Tests/BatchUpdatesTests/SequentialRows",
    ]
    .map { name in
      try String(
        contentsOf: PackageFiles.root.appendingPathComponent("\(name).swift"), encoding: .utf8
      )
      .split(separator: "\n").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: "/ "))
      }
    }
    let start = try #require(lines[0].firstIndex(of: "```swift"))
    let end = try #require(lines[0].lastIndex(of: "```"))
    let example = lines[0][(start + 1)..<end]
    let tested = try #require(lines[1].firstIndex(of: example.first ?? ""))
    #expect(example.count == 22)
    let same = Array(lines[1][tested...].prefix(example.count))
    #expect(Array(example) == same)
  }
}
