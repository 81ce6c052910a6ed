import BatchUpdates
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing
import ListTables

/// What a view that is not shown hidden sections is told of a store's list.
@Suite struct ShownUpdatesTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.edit("list") { list throws in
      try list.insertSection("a")
      try list.insert(item("1"), in: "a")
      try list.insertSection("b", SectionAttributes(visibility: .hiddenWhenEmpty))
      try list.insertSection("c")
      try list.insert(item("2"), in: "c")
    }
  }

  private func item(_ id: ItemID) -> Item { Item(id: id, cell: "C", content: "1") }

  @Test func aLiveListLeavesHiddenSectionsOutOfItsUpdates() throws {
    let list = repository.liveList("list")
    var provider = try list.provider()
    var view = CheckingView(showing: provider.tree.shown)
    #expect(provider.shown.numberOfSections == 2)
    let edits: [@Sendable (ListEditor) throws -> Void] = [
      { try $0.updateSection("a") { $0.visibility = .hidden } },
      { try $0.insert(Item(id: "3", cell: "C", content: "1"), in: "b") },
      { try $0.move("2", in: "a", to: .end) },
      {
        try $0.updateSection("a") { $0.visibility = .shown }
        try $0.delete("3")
      }, { try $0.deleteSection("a") },
    ]
    for edit in edits {
      try list.edit(edit)
      let update = try list.advance(&provider)
      #expect(update.hidesSections)
      try view.perform(update, showing: provider.tree.shown)
      let counts = (0..<provider.shown.numberOfSections).map(provider.shown.numberOfItems)
      #expect(update.stages.last?.counts == SectionCounts(counts))
    }
    #expect(provider.shown.numberOfSections == 1)
    try list.edit {
      try $0.updateSection("b") { $0["x"] = Supplementary(view: "V", content: "1") }
    }
    let update = try list.advance(&provider)
    #expect(update.mode == .none, "nothing of it is visible")
    #expect(update.to == provider.revision)
    #expect(provider.attributes(ofSection: 0)?["x"]?.view == "V")
  }

  @Test func aNestedListLeavesThemOutToo() throws {
    let nested = repository.liveList(ownedBy: "1", in: "list", "more")
    try nested.edit { list throws in
      try list.insertSection("x", SectionAttributes(visibility: .hiddenWhenEmpty))
      try list.insertSection("y")
    }
    var provider = try nested.provider()
    try nested.edit { try $0.insert(item("3"), in: "x") }
    #expect(try nested.advance(&provider).stages.flatMap(\.insertSections) == [0])
  }

  @Test func whereTheLogDoesNotLeadTheListsAreComparedAsShown() throws {
    var whole = try repository.provider(for: "list")
    var shown = whole
    let before = whole.tree
    for _ in 0..<30 { try repository.commit([.touchItem("1")], to: "list") }
    try repository.edit("list") { list throws in
      try list.updateSection("a") { $0.visibility = .hidden }
      try list.insert(item("3"), in: "b")
    }
    try repository.truncateLog(of: "list", keeping: LogRetention(changes: 1))
    let plain = try repository.advance(&whole)
    #expect(plain.stages.last?.counts == SectionCounts([1, 1, 1]))
    let update = try repository.advance(&shown, policy: UpdatePolicy(hidesSections: true))
    #expect(update.hidesSections)
    var view = CheckingView(showing: before.shown)
    try view.perform(update, showing: shown.tree.shown)
    #expect(update.stages.flatMap(\.deleteSections) == [0])
    #expect(update.stages.flatMap(\.insertSections) == [0])
    #expect(repository.diagnostics["tooFarBehind"] == 2)
  }
}
