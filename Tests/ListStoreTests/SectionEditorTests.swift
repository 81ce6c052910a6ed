import ListModel
import ListStore
import ListItems
import TestSupport
import Testing

private final class Cell {}

private struct Book: ListItem {
  var id: String
  func configure(_ cell: Cell) {}
}

/// Sections that are appended with their items.
@Suite struct SectionEditorTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  @Test func aClosureAppendsTheItems() throws {
    let stored = (0..<2).map { Item(id: .init(stringLiteral: "i\($0)"), cell: "C", content: "1") }
    let commit = try repository.edit("l") { list throws in
      let first = try list.appendSection("a", SectionAttributes(meta: "1")) { section throws in
        #expect(section.id == "a")
        #expect(try section.append(Book(id: "x")) == ItemPath(section: 0, item: 0))
        #expect(try section.append([Book(id: "y"), Book(id: "z")]).map(\.item) == [1, 2])
        #expect(try section.append(stored[0]).item == 3)
        #expect(try section.append([stored[1]]).map(\.item) == [4])
      }
      #expect(first == "a")
      #expect(try list.appendSection("b") == "b")
      try list.appendSection(ListSection("c") { Book(id: "q") })
      #expect(try list.section("b") == "b")
      #expect(try list.section("none") == nil)
      #expect(try list.tree().itemCounts == [5, 0, 1])
    }.commit
    #expect(commit?.revision == 1)
    let tree = try repository.tree(of: "l")
    #expect(tree.sections.map(\.id) == ["a", "b", "c"])
    #expect(tree.sections[0].items.map(\.id) == ["x", "y", "z", "i0", "i1"])
    #expect(tree.sections[0].attributes.meta == "1")
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func whatTheClosureThrowsTakesTheEditBack() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try repository.edit("l") { list throws in
        try list.appendSection("a") { section throws in
          try section.append(Book(id: "x"))
          throw Failure()
        }
      }
    }
    #expect(try repository.lists().isEmpty)
  }

  @Test func aBuiltSectionThatCannotBeStoredChangesNothing() throws {
    try repository.edit("l") { list throws in
      let failure = #expect(throws: StoreError.self) {
        try list.appendSection(ListSection("a") { Book(id: "") })
      }
      #expect(failure?.code == .invalidValue)
      #expect(try list.numberOfSections() == 0)
    }
  }
}
