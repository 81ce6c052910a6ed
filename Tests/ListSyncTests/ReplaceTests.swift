import BatchUpdates
import ListModel
import ListStore
import ListSync
import ListItems
import Providers
import TestSupport
import Testing

private final class Cell {}

private struct Book: ListItem, Equatable {
  var id: String, title = ""
  func configure(_ cell: Cell) {}
}

/// A list that becomes what the app says.
@Suite struct ReplaceTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let shelf: LiveList

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    shelf = repository.liveList("shelf", items: [Book.self])
  }

  private func fill() throws {
    try shelf.replace {
      ListSection("s") { for id in ["a", "b", "c", "d"] { Book(id: id, title: id) } }
      ListSection("t") { Book(id: "e", title: "e") }
    }
  }

  @Test func theListBecomesWhatIsSaidByWhatDiffers() throws {
    try fill()
    var provider = try shelf.provider()
    let commit = try #require(
      try shelf.replace(by: "planner") {
        ListSection("t", meta: "1") { Book(id: "a", title: "a") }
        ListSection("s") {
          Book(id: "d", title: "d")
          Book(id: "b", title: "other")
          Book(id: "new")
        }
      })
    #expect(commit.revision == 2)
    #expect(commit.author.name == "planner")
    let tree = try repository.tree(of: "shelf")
    var updated = try Item(Book(id: "b", title: "other"))
    updated.state.contentRevision = 1
    let expected = try ListTree(list: "shelf", revision: 2) {
      ListSection("t", meta: "1") { Book(id: "a", title: "a") }
      ListSection("s") {
        Book(id: "d", title: "d")
        updated
        Book(id: "new")
      }
    }
    #expect(tree == expected)
    // `c` and `e` go, `new` comes, `a` and one of `b` and `d` move, `b` and `t` change, a section
    // moves.
    #expect(commit.entries.count == 8, "\(commit.entries)")
    let update = try shelf.advance(&provider)
    guard case .batch = update.mode else {
      Issue.record("\(update.mode)")
      return
    }
    #expect(provider.tree == tree)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func whereNothingDiffersThereIsNoCommit() throws {
    try fill()
    #expect(
      try shelf.replace {
        ListSection("s") { for id in ["a", "b", "c", "d"] { Book(id: id, title: id) } }
        ListSection("t") { Book(id: "e", title: "e") }
      } == nil)
    #expect(try shelf.replace(with: repository.tree(of: "shelf").sections) == nil)
    #expect(try repository.liveList("none").replace {} == nil)
    #expect(try repository.revision(of: "shelf") == 1)
    #expect(try repository.lists() == ["shelf"])
  }

  @Test func theListsOwnMetaStaysAndComesInAnEditOfBoth() throws {
    try fill()
    try shelf.edit { list in
      try list.setMeta("{\"etag\":\"1\"}")
      try list.replaceAll { ListSection("s") { Book(id: "a") } }
    }
    #expect(try repository.revision(of: "shelf") == 2)
    try shelf.replace { ListSection("s") { Book(id: "b") } }
    #expect(try shelf.meta() == "{\"etag\":\"1\"}")
    #expect(try repository.liveList("none").meta() == nil)
  }

  @Test func anySequenceOfTreesIsReached() throws {
    var generator = SeededGenerator(seed: 3)
    let source = RandomChanges()
    var tree = ListTree(list: "l")
    for round in 0..<30 {
      for _ in 0..<6 { try tree.apply(source.change(for: tree, using: &generator)) }
      var before = ListTree(list: "l")
      if round > 0 { before = try repository.tree(of: "l") }
      let commit = try repository.liveList("l").replace(with: tree.sections)
      let after = try repository.tree(of: "l")
      #expect(after.sections.map(\.id) == tree.sections.map(\.id))
      for (section, expected) in zip(after.sections, tree.sections) {
        #expect(section.attributes.isEquivalent(to: expected.attributes))
        #expect(section.items.map(\.id) == expected.items.map(\.id))
        for (item, expected) in zip(section.items, expected.items) {
          #expect(item.state.isEquivalent(to: expected.state))
        }
      }
      if let commit { try before.apply(commit) }
      #expect(before == after)
    }
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func anIDThatIsThereTwiceIsRefusedWithBothHolders() throws {
    try fill()
    let failure = #expect(throws: StoreError.self) {
      try shelf.replace {
        ListSection("s") { Book(id: "x") }
        ListSection("t") { Book(id: "x") }
      }
    }
    #expect(failure?.code == .duplicateID)
    guard case .duplicateItem("x", "s", _, "t", _)? = failure?.cause as? ListBuildError else {
      Issue.record("\(String(describing: failure?.cause))")
      return
    }
    let sections = #expect(throws: StoreError.self) {
      try repository.liveList("shelf").replace(
        with: [ListTree.Section(id: "s"), ListTree.Section(id: "s")])
    }
    #expect(sections?.code == .duplicateID)
    #expect(try repository.revision(of: "shelf") == 1)
  }

  @Test func aReplacementThatDoesNotFitChangesNothingAndTheEditGoesOn() throws {
    try fill()
    let before = try repository.tree(of: "shelf").sections
    try shelf.edit { list throws in
      let layout = #expect(throws: StoreError.self) {
        try list.replaceAll {
          ListSection("u")
          ListSection("v", layout: SectionLayout(columns: 0)) {}
        }
      }
      #expect(layout?.code == .invalidValue)
      let tooFar = Insets(top: .infinity, left: 0, bottom: 0, right: 0)
      let decoration = #expect(throws: StoreError.self) {
        try list.replaceAll(with: [
          ListTree.Section(id: "u"),
          ListTree.Section(
            id: "v",
            attributes: SectionAttributes(decorations: [Decoration(view: "Card", insets: tooFar)])),
        ])
      }
      #expect(decoration?.code == .invalidValue)
      let item = #expect(throws: StoreError.self) {
        try list.replaceAll { ListSection("u") { Book(id: "") } }
      }
      #expect(item?.code == .invalidValue)
      #expect(try list.tree().sections == before)
      try list.touch("a")
      let entries = try list.replaceAll { ListSection("u") { Book(id: "e") } }
      #expect(entries.count == 5, "\(entries)")
    }
    #expect(try repository.revision(of: "shelf") == 2)
    #expect(try repository.tree(of: "shelf").sections.map(\.id) == ["u"])
  }
}
