import BatchUpdates
import ListModel
import Providers
import TestSupport
import Testing

/// A list as a view is shown it, and the batch updates for that view.
@Suite struct ShownListTests {
  private func commit(_ revision: Int, _ entries: [LogEntry]) -> Commit {
    Commit(list: "l", revision: revision, author: .app, time: nil, entries: entries)
  }

  /// Compares every answer with the plain arrays.
  private func check(_ provider: Provider, _ tree: ListTree, _ hint: String) {
    let shown = provider.shown
    let visible = tree.sections.indices.filter { !tree.sections[$0].isHidden }
    #expect(shown.provider.revision == provider.revision, "\(hint)")
    #expect(
      shown.hiddenSections == tree.sections.indices.filter { !visible.contains($0) }, "\(hint)")
    #expect(shown.numberOfSections == visible.count, "\(hint)")
    for index in -2...(tree.sections.count + 2) {
      let list = visible.indices.contains(index) ? visible[index] : nil
      #expect(shown.listIndex(ofSection: index) == list, "\(hint)")
      #expect(shown.shownIndex(ofSection: index) == visible.firstIndex(of: index), "\(hint)")
      let count = list.map { tree.sections[$0].items.count } ?? 0
      #expect(shown.numberOfItems(inSection: index) == count, "\(hint)")
      let whole = tree.sections.indices.contains(index) ? tree.sections[index].items.count : 0
      for item in -1...max(count, whole) {
        let path = ItemPath(section: index, item: item)
        let listPath =
          (0..<count).contains(item)
          ? list.map { ItemPath(section: $0, item: item) } : nil
        #expect(shown.listPath(of: path) == listPath, "\(hint)")
        let shownPath =
          (0..<whole).contains(item)
          ? visible.firstIndex(of: index).map { ItemPath(section: $0, item: item) } : nil
        #expect(shown.shownPath(of: path) == shownPath, "\(hint)")
      }
    }
  }

  @Test(arguments: 0..<60) func aProviderKnowsWhatIsHiddenThroughEveryHistory(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let changes = RandomChanges(sections: 8, items: 12, hasSectionParts: true)
    var tree = ListTree(list: "l")
    var provider = Provider(tree)
    var view = CheckingView(showing: tree)
    let policy = UpdatePolicy(proof: .everything, hidesSections: true)
    for round in 1...25 {
      var entries: [LogEntry] = []
      var deleted: Set<SectionID> = []
      for _ in 0..<generator.number(1..<8) {
        let change = changes.change(for: tree, using: &generator)
        if case .deleteSection(let id) = change { deleted.insert(id) }
        entries.append(try tree.apply(change))
      }
      tree.revision = round
      let update = try provider.apply([commit(round, entries)], policy: policy)
      let hint = "seed \(seed), round \(round)"
      #expect(update.hidesSections, "\(hint)")
      try view.perform(update, showing: tree.shown, reinserted: deleted)
      if case .reload(let why) = update.mode { Issue.record("\(why): \(hint)") }
      check(provider, tree, hint)
      check(Provider(tree), tree, hint)
    }
  }

  @Test func aLogThatDoesNotFitLeavesWhatIsHidden() throws {
    var tree = ListTree(list: "l")
    var provider = Provider(tree)
    let hidden = SectionAttributes(visibility: .hidden)
    let entries = try [
      Change.insertSection("a", hidden), .insertSection("b"),
      .insertSection("c", SectionAttributes(visibility: .hiddenWhenEmpty)),
    ].map { try tree.apply($0) }
    try provider.apply([commit(1, entries)])
    tree.revision = 1
    check(provider, tree, "before")
    let wrong: [LogEntry] = [
      .updateSection("b", at: 1, before: .init(), after: hidden),
      .deleteSection(tree.sections[0], at: 0),
      .insertItem(Item(id: "1", cell: "C", content: "1"), at: ItemPath(section: 1, item: 0)),
      .insertSection("a", .init(), at: 0), .deleteSection(ListTree.Section(id: "x"), at: 0),
    ]
    #expect(throws: ChangeError.self) { try provider.apply([commit(2, wrong)]) }
    check(provider, tree, "after")
  }

  @Test func neighboursAreDrawnAgainInTheViewsPlaces() throws {
    var tree = ListTree(
      list: "l",
      sections: [
        ListTree.Section(id: "h", attributes: SectionAttributes(visibility: .hidden)),
        ListTree.Section(
          id: "a", items: ["1", "2"].map { Item(id: $0, cell: "Dated", content: "0") }),
      ])
    var provider = Provider(tree)
    let policy = UpdatePolicy(
      neighbours: NeighbourDependencies(cells: ["Dated": .previous]), hidesSections: true)
    let entry = try tree.apply(.deleteItem("1"))
    let update = try provider.apply([commit(1, [entry])], policy: policy)
    #expect(update.stages.map(\.deleteItems) == [[ItemPath(section: 0, item: 0)], []])
    #expect(update.stages.last?.reconfigureItems == [ItemPath(section: 0, item: 0)])
  }

  @Test func batchesAreOfTheWholeListUnlessThePolicySaysOtherwise() throws {
    var tree = ListTree(
      list: "l",
      sections: [ListTree.Section(id: "h", attributes: SectionAttributes(visibility: .hidden))])
    let provider = Provider(tree)
    let entry = try tree.apply(.insertItem(Item(id: "1", cell: "C", content: "1"), in: "h"))
    for hides in [false, true] {
      var provider = provider
      let update = try provider.apply(
        [commit(1, [entry])], policy: UpdatePolicy(hidesSections: hides))
      #expect(update.hidesSections == hides)
      #expect(update.stages.isEmpty == hides)
    }
  }
}
