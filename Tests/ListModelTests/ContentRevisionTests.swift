import ListModel
import TestSupport
import Testing

/// The content revision counts changes of what a view shows.
@Suite struct ContentRevisionTests {
  private static let action = Action(url: "u", event: "e", attrs: "{\"a\":1,\"b\":2}")
  private static let item = Item(
    id: "a", cell: "Cell", content: "{\"n\":1,\"t\":\"\u{E9}\"}", type: "Book", action: action)
  private static let tree = ListTree(
    list: "list", sections: [ListTree.Section(id: "A", items: [item]), ListTree.Section(id: "B")])

  private func revision(after changes: Change...) throws -> Int? {
    var tree = Self.tree
    for change in changes { try tree.apply(change) }
    return tree.sections.flatMap(\.items).first { $0.id == "a" }?.state.contentRevision
  }

  @Test func aNewMeaningIsANewRevision() throws {
    let updates: [ItemUpdate] = [
      ItemUpdate(cell: .set("Other")), ItemUpdate(content: .set("{\"n\":2,\"t\":\"\u{E9}\"}")),
      ItemUpdate(content: .set("{\"n\":1,\"t\":\"e\u{301}\"}")), ItemUpdate(content: .set(.null)),
      ItemUpdate(type: .set("Film")), ItemUpdate(type: .set(nil)), ItemUpdate(action: .set(nil)),
      ItemUpdate(action: .set(Action())),
      ItemUpdate(action: .set(Action(url: "v", event: "e", attrs: Self.action.attrs))),
      ItemUpdate(action: .set(Action(url: "u", attrs: Self.action.attrs))),
      ItemUpdate(action: .set(Action(url: "u", event: "e"))),
      ItemUpdate(action: .set(Action(url: "u", event: "e", attrs: "{\"a\":1,\"b\":3}"))),
    ]
    for update in updates {
      #expect(try revision(after: .updateItem("a", update)) == 1, "\(update)")
    }
  }

  @Test func severalFieldsOfOneUpdateAreOneRevision() throws {
    let update = ItemUpdate(
      cell: .set("Other"), content: .set("0"), type: .set(nil), action: .set(nil))
    #expect(try revision(after: .updateItem("a", update)) == 1)
  }

  @Test func theSameMeaningKeepsTheRevisionAndTakesTheNewText() throws {
    let content: JSON = "{\"t\":\"\\u00e9\",\"n\":1.0}"
    let action = Action(url: "u", event: "e", attrs: "{\"b\":2e0,\"a\":10e-1}")
    let updates: [ItemUpdate] = [
      ItemUpdate(), ItemUpdate(content: .set(content)), ItemUpdate(action: .set(action)),
      ItemUpdate(
        cell: .set("Cell"), content: .set(content), type: .set("Book"), action: .set(action)),
    ]
    for update in updates {
      #expect(try revision(after: .updateItem("a", update)) == 0, "\(update)")
    }
    var tree = Self.tree
    try tree.apply(.updateItem("a", updates[3]))
    #expect(tree.sections[0].items[0].state.content == content)
    #expect(tree.sections[0].items[0].state.action == action)
  }

  @Test func thereAndBackAreTwoRevisions() throws {
    #expect(
      try revision(
        after: .updateItem("a", ItemUpdate(type: .set(nil))),
        .updateItem("a", ItemUpdate(type: .set("Book")))) == 2)
  }

  @Test func movesAndTouchesKeepTheRevision() throws {
    #expect(
      try revision(
        after: .updateItem("a", ItemUpdate(type: .set(nil))), .touchItem("a"),
        .moveItem("a", in: "B", to: .start), .moveSection("B", to: .start),
        .updateSection("B", SectionUpdate(meta: .set("1")))) == 1)
  }

  @Test func anItemInsertedAgainStartsAt0() throws {
    var item = Self.item
    item.state.contentRevision = 5
    #expect(
      try revision(
        after: .updateItem("a", ItemUpdate(type: .set(nil))), .deleteItem("a"),
        .insertItem(item, in: "B")) == 0)
    item.state.contentRevision = -1
    #expect(try revision(after: .deleteItem("a"), .insertItem(item, in: "B")) == 0)
  }

  @Test func takingADeletionBackKeepsTheRevision() throws {
    var tree = Self.tree
    try tree.apply(.updateItem("a", ItemUpdate(type: .set(nil))))
    let before = tree
    for change in [Change.deleteItem("a"), .deleteSection("A")] {
      for step in try tree.apply(change).inverse { try tree.apply(step) }
      #expect(tree == before)
      #expect(tree.sections[0].items[0].state.contentRevision == 1)
    }
  }
}

@Suite struct SectionAttributesTests {
  @Test func aLayoutThatSaysNothingIsNone() throws {
    #expect(SectionAttributes(layout: SectionLayout()).layout == nil)
    var attributes = SectionAttributes(layout: SectionLayout(columns: 2))
    #expect(attributes.layout?.columns == 2)
    attributes.layout?.columns = nil
    #expect(attributes.layout == nil)
    attributes.layout = SectionLayout()
    #expect(attributes.layout == nil)
    #expect(attributes == SectionAttributes())

    var tree = ListTree(list: "list")
    try tree.apply(.insertSection("A", SectionAttributes(layout: SectionLayout(kind: .list))))
    #expect(tree.sections[0].attributes.layout == SectionLayout(kind: .list))
    try tree.apply(.updateSection("A", SectionUpdate(layout: .set(SectionLayout()))))
    #expect(tree.sections[0].attributes.layout == nil)
  }

  @Test func anUpdateSetsWhatItNamesAndRemovesWithNil() throws {
    let header = Supplementary(view: "H", content: "1")
    let footer = Supplementary(view: "F", content: "2")
    let full = SectionAttributes(
      layout: SectionLayout(columns: 2), header: header, footer: footer, meta: "3")
    let updates: [(SectionUpdate, SectionAttributes)] = [
      (SectionUpdate(), full),
      (
        SectionUpdate(layout: .set(nil)),
        SectionAttributes(header: header, footer: footer, meta: "3")
      ),
      (
        SectionUpdate(header: .set(nil)),
        SectionAttributes(layout: full.layout, footer: footer, meta: "3")
      ),
      (
        SectionUpdate(footer: .set(header)),
        SectionAttributes(layout: full.layout, header: header, footer: header, meta: "3")
      ),
      (
        SectionUpdate(meta: .set(nil)),
        SectionAttributes(layout: full.layout, header: header, footer: footer)
      ),
    ]
    for (update, expected) in updates {
      var tree = ListTree(list: "list", sections: [ListTree.Section(id: "A", attributes: full)])
      let entry = try tree.apply(.updateSection("A", update))
      #expect(tree.sections[0].attributes == expected)
      #expect(entry == .updateSection("A", at: 0, before: full, after: expected))
    }
  }

  @Test func contentsAreComparedByMeaning() {
    let attributes = SectionAttributes(
      layout: SectionLayout(columns: 2), header: Supplementary(view: "H", content: "[1]"),
      footer: Supplementary(view: "F", content: "2"), meta: "{\"a\":1,\"b\":2}")
    var same = attributes
    same.header?.content = "[1.0]"
    same.footer?.content = "2e0"
    same.meta = "{\"b\":2,\"a\":1}"
    #expect(same != attributes)
    #expect(same.isEquivalent(to: attributes))
    let others: [(inout SectionAttributes) -> Void] = [
      { $0.layout?.columns = 3 }, { $0.layout = nil }, { $0.header?.content = "[2]" },
      { $0.header?.view = "G" }, { $0.header = nil }, { $0.footer?.content = "3" },
      { $0.footer = nil }, { $0.meta = "{\"a\":1}" }, { $0.meta = nil },
    ]
    for change in others {
      var other = attributes
      change(&other)
      #expect(!other.isEquivalent(to: attributes))
      #expect(!attributes.isEquivalent(to: other))
    }
    #expect(SectionAttributes().isEquivalent(to: SectionAttributes()))
  }
}

@Suite struct SizeTests {
  @Test func onlyFiniteLengthsFrom0To1000000CanBeStored() {
    #expect(Size(width: 0, height: 1_000_000).isStorable)
    for length in [-1, 1_000_000.5, .nan, .infinity, -.infinity] {
      #expect(!Size(width: length, height: 1).isStorable)
      #expect(!Size(width: 1, height: length).isStorable)
    }
  }
}

@Suite struct ItemPathTests {
  @Test func pathsAreOrderedBySectionThenItem() {
    let paths = [(0, 0), (0, 5), (1, 0), (1, 1), (2, 0)].map { ItemPath(section: $0, item: $1) }
    #expect(paths.reversed().sorted() == paths)
    #expect(paths[1].description == "[0, 5]")
  }
}
