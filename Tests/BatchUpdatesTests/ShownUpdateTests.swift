import BatchUpdates
import Foundation
import ListModel
import TestSupport
import Testing

/// A view that is not shown hidden sections gets the update that the shown lists ask for.
@Suite struct ShownUpdateTests {
  /// A long run checks `CELLAR_LOGS` random logs.
  private static let logs =
    ProcessInfo.processInfo.environment["CELLAR_LOGS"].flatMap { Int($0) } ?? 1_000
  private static let parts = 8

  @Test(arguments: 0..<parts) func randomLogsAreAsTheShownTreesSay(_ part: Int) throws {
    var flips = 0
    for seed in stride(from: part, to: Self.logs, by: Self.parts) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let changes = RandomChanges(
        sections: generator.number(2..<7), items: generator.number(4..<24),
        hasSectionParts: true)
      var history = RecordedHistory()
      for _ in 0..<generator.number(0..<30) {
        try history.apply(changes.change(for: history.tree, using: &generator))
      }
      history.mark()
      for _ in 0..<generator.number(1..<40) {
        try history.apply(flip(history.tree, &generator))
        try history.apply(changes.change(for: history.tree, using: &generator))
      }
      history.checkShown("seed \(seed)")
      if history.tree.shown.sections != history.tree.sections { flips += 1 }
    }
    #expect(flips > 0)
  }

  /// Now and then another visibility for a section that is there.
  private func flip(_ tree: ListTree, _ generator: inout SeededGenerator) throws -> Change? {
    guard generator.percent(25), let section = generator.element(of: tree.sections.map(\.id)),
      let visibility = generator.element(of: SectionAttributes.Visibility.allCases)
    else { return nil }
    return .updateSection(section, SectionUpdate(visibility: .set(visibility)))
  }

  @Test(arguments: SectionAttributes.Visibility.allCases)
  func everyLogOfUpToTwoChangesIsAsTheShownTreesSay(_ visibility: SectionAttributes.Visibility)
    throws
  {
    let lists: [[(SectionID, [ItemID])]] = [
      [("a", []), ("b", ["1"])], [("a", ["1"]), ("c", ["2"]), ("b", [])],
    ]
    var count = 0
    for list in lists {
      for hidden in list.indices {
        var tree = ListTree(
          list: "list",
          sections: list.map { id, items in
            ListTree.Section(id: id, items: items.map { Item(id: $0, cell: "X", content: "0") })
          })
        tree.sections[hidden].attributes.visibility = visibility
        var history = RecordedHistory(tree)
        history.mark()
        try everyLog(after: history, length: 2, &count)
      }
    }
    #expect(count > 2_000)
  }

  private func everyLog(
    after history: RecordedHistory, length: Int, _ count: inout Int
  ) throws {
    let flips = history.tree.sections.flatMap { section in
      SectionAttributes.Visibility.allCases.map {
        Change.updateSection(section.id, SectionUpdate(visibility: .set($0)))
      }
    }
    for change in SmallChanges.all(for: history.tree) + flips {
      var next = history
      try next.apply(change)
      count += 1
      next.checkShown("\(next.changes)")
      if length > 1 { try everyLog(after: next, length: length - 1, &count) }
    }
  }

  @Test func whereNothingIsHiddenBothUpdatesAreTheSame() throws {
    let changes = RandomChanges()
    for seed in 0..<200 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var history = RecordedHistory()
      for _ in 0..<20 { try history.apply(changes.change(for: history.tree, using: &generator)) }
      history.mark()
      for _ in 0..<10 { try history.apply(changes.change(for: history.tree, using: &generator)) }
      #expect(history.shownUpdate.mode == history.update.mode)
      #expect(history.shownUpdate.hidesSections)
      #expect(!history.update.hidesSections)
    }
  }

  // MARK: By hand

  private func update(
    _ sections: [ListTree.Section], _ changes: Change...
  ) throws -> [Stage] {
    var history = RecordedHistory(ListTree(list: "list", sections: sections))
    history.mark()
    for change in changes { try history.apply(change) }
    history.checkShown("\(changes)")
    return history.shownUpdate.stages
  }

  private func section(
    _ id: SectionID, _ visibility: SectionAttributes.Visibility = .shown, _ items: ItemID...
  ) -> ListTree.Section {
    ListTree.Section(
      id: id, attributes: SectionAttributes(visibility: visibility),
      items: items.map { Item(id: $0, cell: "X", content: "0") })
  }

  private let item = Item(id: "new", cell: "X", content: "0")

  @Test func anItemShowsItsSectionAndTheLastOneHidesIt() throws {
    let sections = [section("a", .hidden, "1"), section("b", .hiddenWhenEmpty), section("c")]
    let shows = try update(sections, .insertItem(item, in: "b"))
    var stage = Stage()
    stage.insertSections = [0]
    stage.counts = [1, 0]
    #expect(shows == [stage])
    let full = [section("a", .hidden, "1"), section("b", .hiddenWhenEmpty, "2"), section("c")]
    let hides = try update(full, .deleteItem("2"))
    stage = Stage()
    stage.deleteSections = [0]
    stage.counts = [0]
    #expect(hides == [stage])
  }

  @Test func whatHappensInAHiddenSectionIsNotMentioned() throws {
    let sections = [section("a", .hidden, "1", "2"), section("b", .shown, "3")]
    let stages = try update(
      sections, .insertItem(item, in: "a"), .moveItem("1", to: .end), .deleteItem("2"),
      .updateItem("1", ItemUpdate(content: .set("9"))), .touchItem("1"),
      .updateSection("a", SectionUpdate(meta: .set("1"))), .moveSection("a", to: .end))
    #expect(stages == [])
  }

  @Test func itemsThatCrossTheBorderComeAndGo() throws {
    let sections = [section("a", .hidden, "1"), section("b", .shown, "2")]
    let stages = try update(
      sections, .moveItem("1", in: "b", to: .end),
      .updateItem("1", ItemUpdate(content: .set("9"))), .moveItem("2", in: "a", to: .end))
    var stage = Stage()
    stage.deleteItems = [ItemPath(section: 0, item: 0)]
    stage.insertItems = [ItemPath(section: 0, item: 0)]
    stage.counts = [1]
    #expect(stages == [stage], "in one stage, and what came is not drawn again")
  }

  @Test func aSectionThatMovesPastHiddenOnesAloneStays() throws {
    let sections = [section("a"), section("b", .hidden), section("c", .hidden), section("d")]
    #expect(try update(sections, .moveSection("a", to: .index(2))) == [])
    let stages = try update(sections, .moveSection("a", to: .end))
    #expect(stages.map(\.moveSections.count) == [1])
  }
}

extension RecordedHistory {
  fileprivate mutating func apply(_ change: Change?) throws {
    if let change { try apply(change) }
  }

  /// From the log, for a view that is not shown hidden sections.
  fileprivate var shownUpdate: BatchUpdate {
    let visibilities = marked.sections.enumerated().compactMap { index, section in
      section.attributes.visibility == .shown
        ? nil : (section: index, visibility: section.attributes.visibility)
    }
    let plan = UpdatePlan(
      replaying: [entries], on: SectionCounts(marked.itemCounts), findsNeighbours: false,
      hiding: visibilities)
    let hidden = tree.sections.indices.filter { tree.sections[$0].isHidden }
    if let refusal = plan.refusal(ofHiding: HiddenSections(hidden)) { Issue.record("\(refusal)") }
    return BatchUpdate(list: tree.list, from: 0, to: 1, mode: plan.mode, hidesSections: true)
  }

  /// Compares that update with the one from the shown trees, and has the view check it.
  fileprivate func checkShown(_ hint: String) {
    let update = shownUpdate
    if case .reload(let why) = update.mode { Issue.record("reload, \(why): \(hint)") }
    var view = CheckingView(showing: marked.shown)
    do { try view.perform(update, showing: renamed.shown) } catch {
      Issue.record("\(error): \(hint)\n\(update.json)")
    }
    let expected = BatchUpdate(
      from: marked, to: renamed, touched: touched, hidesSections: true)
    #expect(
      MinimalOperations(of: update) == MinimalOperations(of: expected),
      "\(hint)\n\(update.json)\n\(expected.json)")
    for content in [\Stage.reloadItems, \Stage.reconfigureItems] {
      let found = update.stages.flatMap { $0[keyPath: content] }
      let wanted = expected.stages.flatMap { $0[keyPath: content] }
      #expect(
        found == wanted, "\(hint)\n\(update.json)\n\(expected.json)")
    }
    #expect(
      update.stages.flatMap(\.updateSections) == expected.stages.flatMap(\.updateSections),
      "\(hint)")
  }
}
