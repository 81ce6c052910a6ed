import ListModel
import TestSupport
import Testing

/// A log and a list that are not of one history: an error, never a trap or a half-applied commit.
@Suite struct LogMismatchTests {
  private static let tree = ListTree(
    list: "list", revision: 3,
    sections: [
      ListTree.Section(
        id: "A",
        items: [Item(id: "a", cell: "C", content: "1"), Item(id: "b", cell: "C", content: "2")]),
      ListTree.Section(id: "B"),
    ])
  private static let new = Item(id: "x", cell: "C", content: "0")
  private static let state = ItemState(cell: "C", content: "9")

  private static func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  /// Fits the tree, both ways, and leaves a change that can be seen.
  private static let fitting = LogEntry.updateItem(
    "a", at: path(0, 0), before: state, after: ItemState(cell: "Other", content: "8"))

  private static let misfits: [(LogEntry, String)] = [
    (.insertSection("X", .init(), at: 3), "section \"X\" inserted at 3 of 2"),
    (.insertSection("X", .init(), at: -1), "section \"X\" inserted at -1 of 2"),
    (.insertSection("X", .init(), at: .max), "section \"X\" inserted at \(Int.max) of 2"),
    (.deleteSection(ListTree.Section(id: "A"), at: 1), "section \"A\" is not at index 1"),
    (.deleteSection(ListTree.Section(id: "A"), at: 2), "section \"A\" is not at index 2"),
    (.deleteSection(ListTree.Section(id: "A"), at: -1), "section \"A\" is not at index -1"),
    (.moveSection("B", from: 0, to: 0), "section \"B\" is not at index 0"),
    (.moveSection("B", from: 1, to: 2), "section \"B\" moved to 2 of 2"),
    (.moveSection("B", from: 1, to: -1), "section \"B\" moved to -1 of 2"),
    (
      .updateSection("B", at: 0, before: .init(), after: .init()), "section \"B\" is not at index 0"
    ),
    (.insertItem(new, at: path(2, 0)), "item \"x\" does not fit at [2, 0]"),
    (.insertItem(new, at: path(0, 3)), "item \"x\" does not fit at [0, 3]"),
    (.insertItem(new, at: path(1, 1)), "item \"x\" does not fit at [1, 1]"),
    (.insertItem(new, at: path(0, -1)), "item \"x\" does not fit at [0, -1]"),
    (.deleteItem(new, at: path(0, 0)), "item \"x\" is not at [0, 0]"),
    (.deleteItem(new, at: path(.min, .max)), "item \"x\" is not at [\(Int.min), \(Int.max)]"),
    (.moveItem("b", from: path(0, 0), to: path(0, 1)), "item \"b\" is not at [0, 0]"),
    (.moveItem("b", from: path(0, 1), to: path(0, 2)), "item \"b\" does not fit at [0, 2]"),
    (.moveItem("b", from: path(0, 1), to: path(1, 1)), "item \"b\" does not fit at [1, 1]"),
    (.moveItem("b", from: path(0, 1), to: path(2, 0)), "item \"b\" does not fit at [2, 0]"),
    (.updateItem("a", at: path(0, 1), before: state, after: state), "item \"a\" is not at [0, 1]"),
    (.touchItem("a", at: path(1, 0)), "item \"a\" is not at [1, 0]"),
  ]

  @Test func everyKindOfEntryIsCheckedAgainstTheTree() {
    for (entry, problem) in Self.misfits {
      var tree = Self.tree
      #expect(throws: ChangeError.logMismatch(problem)) { try tree.apply(entry) }
      #expect(tree == Self.tree)
    }
  }

  @Test func aCommitWithOneMisfitChangesNothing() {
    for (entry, problem) in Self.misfits {
      var tree = Self.tree
      let commit = Commit(
        list: "list", revision: 4, author: .app, time: nil, entries: [Self.fitting, entry])
      #expect(throws: ChangeError.logMismatch(problem)) { try tree.apply(commit) }
      #expect(tree == Self.tree)
    }
  }

  @Test func aCommitMustFollowTheRevisionOfItsOwnList() throws {
    for (list, revision) in [("list", 3), ("list", 5), ("other", 4)] {
      let commit = Commit(
        list: ListID(stringLiteral: list), revision: revision, author: .app, time: nil,
        entries: [])
      var tree = Self.tree
      #expect(
        throws: ChangeError.logMismatch(
          "revision \(revision) of \"\(list)\" does not follow revision 3 of \"list\"")
      ) { try tree.apply(commit) }
      #expect(tree == Self.tree)
    }
    var tree = Self.tree
    try tree.apply(Commit(list: "list", revision: 4, author: .app, time: nil, entries: []))
    #expect(tree.revision == 4)
    #expect(tree.sections == Self.tree.sections)
  }

  @Test func onlyTheLastCommitIsTakenBack() throws {
    let entry = LogEntry.insertItem(Self.new, at: Self.path(1, 0))
    for (list, revision) in [("list", 2), ("list", 4), ("other", 3)] {
      let commit = Commit(
        list: ListID(stringLiteral: list), revision: revision, author: .app, time: nil,
        entries: [])
      var tree = Self.tree
      #expect(throws: ChangeError.self) { try tree.revert(commit) }
      #expect(tree == Self.tree)
    }
    var tree = Self.tree
    // Taken back last to first: the one that fits comes first.
    let foreign = Commit(
      list: "list", revision: 3, author: .app, time: nil, entries: [entry, Self.fitting])
    #expect(throws: ChangeError.logMismatch("item \"x\" is not at [1, 0]")) {
      try tree.revert(foreign)
    }
    #expect(tree == Self.tree)
  }

  @Test func theGreatestRevisionHasNoSuccessor() {
    var tree = Self.tree
    tree.revision = .max
    let commit = Commit(list: "list", revision: .min, author: .app, time: nil, entries: [])
    #expect(throws: ChangeError.self) { try tree.apply(commit) }
    #expect(tree.revision == .max)
  }

  @Test func entriesOfOtherHistoriesNeverTrapAndErrorsChangeNothing() {
    let changes = RandomChanges(sections: 4, items: 8, hasSectionParts: true)
    var refused = 0
    var applied = 0
    forEachSeed(0..<300) { generator in
      var other = ListTree(list: "list")
      var entries: [LogEntry] = []
      for _ in 0..<30 {
        entries.append(try other.apply(changes.change(for: other, using: &generator)))
      }
      var tree = ListTree(list: "list")
      for _ in 0..<generator.number(0..<30) {
        try tree.apply(changes.change(for: tree, using: &generator))
      }
      for entry in entries.shuffled(using: &generator) {
        for step in [entry] + entry.inverse {
          let before = tree
          do throws(ChangeError) {
            try tree.apply(step)
            applied += 1
          } catch {
            refused += 1
            guard case .logMismatch = error else { throw error }
            if tree != before { throw RandomFailure("\(step) left a change") }
          }
        }
      }
    }
    #expect(refused > 1_000 && applied > 1_000, "\(refused) refused, \(applied) applied")
  }
}
