import BatchUpdates
import ListModel
import TestSupport
import Testing

@Suite struct UndoTests {
  /// Without content revisions, which only grow.
  private func plain(_ tree: ListTree) -> ListTree {
    var tree = tree
    for section in tree.sections.indices {
      for item in tree.sections[section].items.indices {
        tree.sections[section].items[item].state.contentRevision = 0
      }
    }
    return tree
  }

  @Test(arguments: 0..<60) func undoingTheLastCommitGivesTheListBeforeIt(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let source = RandomChanges(hasSectionParts: true)
    var tree = ListTree(list: "list")
    for _ in 0..<30 {
      let before = tree
      var entries: [LogEntry] = []
      for _ in 0..<generator.number(1..<9) {
        entries.append(try tree.apply(source.change(for: tree, using: &generator)))
      }
      var undone = tree
      for change in try tree.undo([(entries, true)]).changes {
        try undone.apply(change)
      }
      #expect(plain(undone) == plain(before), "seed \(seed): \(entries)")
    }
  }

  @Test(arguments: 0..<60) func undoingAnEarlierCommitLeavesWhatLaterOnesDid(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let source = RandomChanges(hasSectionParts: true)
    var history: [(tree: ListTree, entries: [LogEntry])] = []
    var tree = ListTree(list: "list")
    for _ in 0..<30 {
      let before = tree
      var entries: [LogEntry] = []
      for _ in 0..<generator.number(1..<6) {
        entries.append(try tree.apply(source.change(for: tree, using: &generator)))
      }
      history.append((before, entries))
    }
    for (index, commit) in history.enumerated() {
      let after = index + 1 < history.count ? history[index + 1].tree : tree
      var undone = tree
      let log = history[index...].enumerated().map { ($0.element.entries, $0.offset == 0) }
      for change in try tree.undo(log).changes {
        try undone.apply(change)
      }
      let model = UndoModel(before: commit.tree, after: after, now: tree, entries: commit.entries)
      let problem = model.problem(with: undone)
      #expect(problem == nil, "seed \(seed), commit \(index + 1): \(commit.entries)")
    }
  }

  @Test func laterCommitsWin() throws {
    var tree = ListTree(list: "list")
    func item(_ id: ItemID) -> Item { Item(id: id, cell: "C", content: "1") }
    for change: Change in [
      .insertSection("a"), .insertSection("b"), .insertItem(item("1"), in: "a"),
      .insertItem(item("2"), in: "a"), .insertItem(item("3"), in: "a"),
    ] { try tree.apply(change) }
    let entries = try [
      Change.updateItem("1", ItemUpdate(cell: .set("D"), content: .set("2"))),
      .moveItem("2", in: "b", to: .end), .deleteItem("3"),
    ].map { try tree.apply($0) }
    let later = try [
      Change.updateItem("1", ItemUpdate(content: .set("3"))), .moveItem("2", in: "a", to: .start),
      .insertItem(item("4"), in: "a"),
    ].map { try tree.apply($0) }
    for change in try tree.undo([(entries, true), (later, false)]).changes {
      try tree.apply(change)
    }
    #expect(tree.sections[0].items.map(\.id.rawValue) == ["2", "3", "1", "4"])
    #expect(tree.item("1").map { [$0.state.cell.rawValue, $0.state.content.text] } == ["C", "3"])
  }

  @Test func whatLaterCommitsLeftOfASectionIsSetBackKindByKind() throws {
    let badge = Supplementary(view: "Badge", content: "1")
    let header = Supplementary(view: "H", content: "2")
    var tree = ListTree(list: "l")
    try tree.apply(.insertSection("A", .init(supplementaries: ["a": badge, "b": badge])))
    let entry = try tree.apply(
      .updateSection(
        "A",
        SectionUpdate(
          visibility: .set(.hidden), supplementaries: .set(["a": header, "c": header]),
          decorations: .set([Decoration(view: "V")]))))
    let later = try tree.apply(
      .updateSection("A", .init(supplementaries: .set(["a": badge, "c": header, "d": header]))))
    for change in try tree.undo([([entry], true), ([later], false)]).changes {
      try tree.apply(change)
    }
    // "a" was set since; "b" returns; "c" goes; "d" came later.
    #expect(
      tree.sections[0].attributes
        == SectionAttributes(supplementaries: ["a": badge, "b": badge, "d": header]))
  }

  /// Some of the commits stay.
  @Test(arguments: 0..<60) func severalAreUndoneAsOneAfterAnother(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let source = RandomChanges(hasSectionParts: true)
    var tree = ListTree(list: "list")
    var log: [(entries: [LogEntry], isUndone: Bool)] = []
    for _ in 0..<24 {
      var entries: [LogEntry] = []
      for _ in 0..<generator.number(1..<6) {
        entries.append(try tree.apply(source.change(for: tree, using: &generator)))
      }
      log.append((entries, generator.percent(40)))
    }
    let plan = try tree.undo(log)
    var undone = tree
    for change in plan.changes { try undone.apply(change) }
    var since: [LogEntry] = []
    var kept: (items: Set<ItemID>, sections: Set<SectionID>) = ([], [])
    for (index, commit) in log.enumerated().reversed() where commit.isUndone {
      let later = log[(index + 1)...].flatMap(\.entries) + since
      let step = try tree.undo([(commit.entries, true), (later, false)])
      for change in step.changes { since.append(try tree.apply(change)) }
      kept.items.formUnion(step.keptItems)
      kept.sections.formUnion(step.keptSections)
    }
    #expect(plain(undone) == plain(tree), "seed \(seed)")
    #expect(plan.keptItems == kept.items && plan.keptSections == kept.sections, "seed \(seed)")
  }

  @Test func aLogThatDoesNotLeadToTheListIsRefused() throws {
    var tree = ListTree(list: "list", sections: [ListTree.Section(id: "s"), .init(id: "t")])
    let item = Item(id: "a", cell: "C", content: "1")
    let other = Item(id: "b", cell: "C", content: "1")
    try tree.apply(.insertItem(item, in: "s"))
    let place = ItemPath(section: 0, item: 0)
    let beyond = ItemPath(section: 2, item: 0)
    let entries: [LogEntry] = [
      .insertSection("t", SectionAttributes(), at: 0),
      .insertSection("u", SectionAttributes(), at: 2),
      .insertSection("s", SectionAttributes(), at: 0),
      .deleteSection(ListTree.Section(id: "u"), at: 3),
      .moveSection("t", from: 1, to: 0), .moveSection("t", from: 2, to: 1),
      .insertItem(other, at: place), .insertItem(item, at: beyond), .deleteItem(other, at: beyond),
      .moveItem("b", from: ItemPath(section: 1, item: 0), to: place),
      .moveItem("a", from: beyond, to: place),
    ]
    for entry in entries {
      for isUndone in [true, false] {
        #expect(throws: ChangeError.self, "\(entry)") { try tree.undo([([entry], isUndone)]) }
      }
    }
  }
}

extension ListTree {
  fileprivate func item(_ id: ItemID) -> Item? {
    sections.lazy.flatMap(\.items).first { $0.id == id }
  }
}
