import ListModel
import ListItems
import TestSupport
import Testing

private final class Cell {}

private struct Book: ListItem, Equatable {
  var id: String, title = ""
  func configure(_ cell: Cell) {}
}

private struct Ad: ListItem {
  var id: String
  func configure(_ cell: Cell) {}
}

private struct Unwritable: ListItem {
  struct Failure: Error {}
  var id = "u"
  init() {}
  init(from decoder: any Decoder) throws { throw Failure() }
  func encode(to encoder: any Encoder) throws { throw Failure() }
  func configure(_ cell: Cell) {}
}

private enum Season { case summer, autumn, winter }

/// Lists that are written down with conditions and loops.
@Suite struct BuildingTests {
  private func ids(_ tree: ListTree) -> [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: tree.sections.map { ($0.id.rawValue, $0.items.map(\.id.rawValue)) })
  }

  private func failure(
    @ListBuilder _ content: @Sendable () throws -> [ListSection],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> ListBuildError? {
    #expect(throws: ListBuildError.self, sourceLocation: sourceLocation) {
      try ListTree(list: "l", content)
    }
  }

  @Test func everythingIsInTheOrderInWhichItIsSaid() throws {
    let more = [Book(id: "b"), Book(id: "c")]
    let stored = Item(id: "stored", cell: "C", content: "1")
    let mixed: [any ListItem] = [Ad(id: "m1"), Book(id: "m2")]
    let one: any ListItem = Ad(id: "one")
    let tree = try ListTree(list: "l", revision: 3) {
      ListSection("s") {
        Book(id: "a", title: "A")
        more
        stored
        [Item(id: "x", cell: "C", content: "2")]
        mixed
        one
        for number in 0..<2 {
          Ad(id: "ad\(number)")
          Book(id: "book\(number)")
        }
      }
      ListSection("empty")
      for name in ["t", "u"] { ListSection(try SectionID(name)) { Book(id: "of \(name)") } }
      ListTree.Section(id: "stored", items: [Item(id: "y", cell: "C", content: "3")])
      [ListTree.Section(id: "p"), ListTree.Section(id: "q")]
      [ListSection("r")]
    }
    #expect(tree.list == "l")
    #expect(tree.revision == 3)
    #expect(
      tree.sections.map(\.id) == ["s", "empty", "t", "u", "stored", "p", "q", "r"])
    #expect(
      tree.sections[0].items.map(\.id) == [
        "a", "b", "c", "stored", "x", "m1", "m2", "one", "ad0", "book0", "ad1", "book1",
      ])
    #expect(tree.sections[2].items.map(\.id) == ["of t"])
    #expect(tree.sections[4].items.map(\.id) == ["y"])
    #expect(try tree.sections[0].items[0] == Item(Book(id: "a", title: "A")))
    #expect(tree.sections[0].items[3] == stored)
  }

  private func tree(_ season: Season, _ isShown: Bool, _ optional: Book?) throws -> ListTree {
    try ListTree(list: "l") {
      if isShown { ListSection("shown") } else { ListSection("hidden") }
      switch season {
      case .summer: ListSection("summer") { Ad(id: "sun") }
      case .autumn: ListSection("autumn")
      case .winter:
        ListSection("winter")
        ListSection("snow")
      }
      ListSection("items") {
        if isShown { Ad(id: "ad") }
        if let optional { optional } else { Book(id: "none") }
        switch season {
        case .summer: Book(id: "summer")
        case .autumn: Ad(id: "autumn")
        case .winter: [Book(id: "winter"), Book(id: "snow")]
        }
        if #available(macOS 14, iOS 17, *) { Book(id: "new") }
      }
      if #available(macOS 14, iOS 17, *) { ListSection("new") }
    }
  }

  @Test func conditionsAndSwitchesChoose() throws {
    #expect(
      try ids(tree(.summer, true, Book(id: "given")))
        == [
          "shown": [], "summer": ["sun"], "items": ["ad", "given", "summer", "new"], "new": [],
        ])
    #expect(
      try ids(tree(.autumn, false, nil))
        == ["hidden": [], "autumn": [], "items": ["none", "autumn", "new"], "new": []])
    let winter = try tree(.winter, false, nil)
    #expect(winter.sections.map(\.id) == ["hidden", "winter", "snow", "items", "new"])
    #expect(winter.sections[3].items.map(\.id) == ["none", "winter", "snow", "new"])
  }

  @Test func anEmptyListHasNoSections() throws {
    #expect(try ListTree(list: "l") {} == ListTree(list: "l"))
  }

  @Test func attributesAreThoseOfTheSection() throws {
    let header = Supplementary(view: "Title", content: "1")
    let footer = Supplementary(view: "Foot", content: "2")
    let layout = SectionLayout(kind: .flow, columns: 2)
    let attributes = SectionAttributes(layout: layout, header: header, footer: footer, meta: "[]")
    let tree = try ListTree(list: "l") {
      ListSection("a", layout: layout, header: header, footer: footer, meta: "[]") { Ad(id: "x") }
      ListSection("b", attributes)
      ListSection("c", attributes) { Ad(id: "y") }
      ListTree.Section(id: "d", attributes: attributes)
    }
    for section in tree.sections { #expect(section.attributes == attributes) }
  }

  @Test func idsThatAreThereTwiceNameBothHolders() {
    let items = failure {
      ListSection("s") { Book(id: "x") }
      ListSection("t") {
        Book(id: "a")
        Ad(id: "x")
      }
    }
    #expect(
      items
        == .duplicateItem(
          "x", section: "s", path: ItemPath(section: 0, item: 0), otherSection: "t",
          otherPath: ItemPath(section: 1, item: 1)))
    for name in ["\"x\"", "\"s\"", "\"t\""] {
      #expect(items?.description.contains(name) == true)
    }
    let sections = failure {
      ListSection("s")
      ListSection("t")
      ListSection("s")
    }
    #expect(sections == .duplicateSection("s", index: 0, otherIndex: 2))
    let same = failure {
      ListSection("s") {
        Book(id: "x")
        Book(id: "x")
      }
    }
    #expect(
      same
        == .duplicateItem(
          "x", section: "s", path: ItemPath(section: 0, item: 0), otherSection: "s",
          otherPath: ItemPath(section: 0, item: 1)))
  }

  @Test func whatCannotBeStoredNamesTheItemAndItsSection() {
    guard case .invalidItem("u", "s", _)? = failure({ ListSection("s") { Unwritable() } }) else {
      Issue.record("not refused")
      return
    }
    guard case .invalidItem("", "s", let why)? = failure({ ListSection("s") { Book(id: "") } })
    else {
      Issue.record("not refused")
      return
    }
    #expect(why.contains("empty"))
  }

  @Test func whatTheClosureThrowsComesThrough() {
    struct Failure: Error {}
    func books() throws -> [Book] { throw Failure() }
    #expect(throws: Failure.self) {
      try ListTree(list: "l") { try ListSection("s") { try books() } }
    }
  }
}
