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
      for change in try tree.changes(undoing: entries, before: []) {
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
      for change in try tree.changes(
        undoing: commit.entries, before: history[(index + 1)...].flatMap(\.entries))
      {
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
    for change in try tree.changes(undoing: entries, before: later) {
      try tree.apply(change)
    }
    #expect(tree.sections[0].items.map(\.id.rawValue) == ["2", "3", "1", "4"])
    #expect(tree.item("1").map { [$0.state.cell.rawValue, $0.state.content.text] } == ["C", "3"])
  }
}

extension ListTree {
  fileprivate func item(_ id: ItemID) -> Item? {
    sections.lazy.flatMap(\.items).first { $0.id == id }
  }
}
