import ListModel
import TestSupport
import Testing

/// Every error of a change, with its exact values; the tree is then as it was.
@Suite struct ChangeErrorTests {
  private static let tree = ListTree(
    list: "list", revision: 1,
    sections: [
      ListTree.Section(
        id: "A",
        items: [Item(id: "a", cell: "C", content: "1"), Item(id: "b", cell: "C", content: "2")]),
      ListTree.Section(id: "B", items: [Item(id: "c", cell: "C", content: "3")]),
    ])
  private static let new = Item(id: "x", cell: "C", content: "0")
  private static let wrongLayout = SectionAttributes(layout: SectionLayout(columns: 0))
  private static let layoutProblem = "columns is 0; it must be in 1...1,000"

  private static let cases: [(Change, ChangeError)] = [
    (.deleteSection("X"), .unknownSection("X")),
    (.moveSection("X", to: .start), .unknownSection("X")),
    (.updateSection("X", SectionUpdate()), .unknownSection("X")),
    (.insertItem(new, in: "X"), .unknownSection("X")),
    (.moveItem("a", in: "X", to: .end), .unknownSection("X")),

    (.deleteItem("x"), .unknownItem("x")),
    (.moveItem("x", to: .start), .unknownItem("x")),
    (.moveItem("x", in: "X", to: .start), .unknownItem("x")),
    (.updateItem("x", ItemUpdate()), .unknownItem("x")),
    (.touchItem("x"), .unknownItem("x")),

    (.insertSection("A"), .duplicateSection("A", index: 0)),
    (.insertSection("B", at: .index(99)), .duplicateSection("B", index: 1)),
    (
      .insertItem(Item(id: "b", cell: "C", content: "0"), in: "B"),
      .duplicateItem("b", path: ItemPath(section: 0, item: 1))
    ),
    (
      .insertItem(Item(id: "c", cell: "C", content: "0"), in: "B", at: .index(99)),
      .duplicateItem("c", path: ItemPath(section: 1, item: 0))
    ),

    (.insertSection("X", at: .after("Y")), .sectionAnchorNotFound("X", anchor: "Y")),
    (.insertSection("X", at: .before("X")), .sectionAnchorNotFound("X", anchor: "X")),
    (.moveSection("A", to: .before("Y")), .sectionAnchorNotFound("A", anchor: "Y")),
    (.moveSection("A", to: .after("A")), .sectionAnchorNotFound("A", anchor: "A")),

    (
      .insertItem(new, in: "A", at: .after("y")),
      .itemAnchorNotFound("x", anchor: "y", section: "A")
    ),
    (
      .insertItem(new, in: "A", at: .before("c")),
      .itemAnchorNotFound("x", anchor: "c", section: "A")
    ),
    (
      .insertItem(new, in: "A", at: .before("x")),
      .itemAnchorNotFound("x", anchor: "x", section: "A")
    ),
    (.moveItem("a", to: .after("c")), .itemAnchorNotFound("a", anchor: "c", section: "A")),
    (.moveItem("a", to: .before("a")), .itemAnchorNotFound("a", anchor: "a", section: "A")),
    (.moveItem("a", in: "B", to: .after("b")), .itemAnchorNotFound("a", anchor: "b", section: "B")),

    (
      .insertSection("X", at: .index(3)),
      .sectionIndexOutOfBounds("X", index: 3, count: 2)
    ),
    (.insertSection("X", at: .index(-1)), .sectionIndexOutOfBounds("X", index: -1, count: 2)),
    (.moveSection("A", to: .index(2)), .sectionIndexOutOfBounds("A", index: 2, count: 1)),
    (.moveSection("A", to: .index(.min)), .sectionIndexOutOfBounds("A", index: .min, count: 1)),

    (
      .insertItem(new, in: "A", at: .index(3)),
      .itemIndexOutOfBounds("x", index: 3, section: "A", count: 2)
    ),
    (
      .moveItem("a", to: .index(2)),
      .itemIndexOutOfBounds("a", index: 2, section: "A", count: 1)
    ),
    (
      .moveItem("a", in: "B", to: .index(2)),
      .itemIndexOutOfBounds("a", index: 2, section: "B", count: 1)
    ),
    (
      .moveItem("c", to: .index(.max)),
      .itemIndexOutOfBounds("c", index: .max, section: "B", count: 0)
    ),

    (.insertSection("X", wrongLayout), .invalidLayout("X", problem: layoutProblem)),
    (
      .updateSection("A", SectionUpdate(layout: .set(wrongLayout.layout))),
      .invalidLayout("A", problem: layoutProblem)
    ),
    (
      .insertSection("X", SectionAttributes(layout: SectionLayout(lineSpacing: .nan))),
      .invalidLayout(
        "X", problem: "lineSpacing is nan; it must be a number of points within ±1,000,000")
    ),
  ]

  @Test func everyErrorHasItsValuesAndLeavesTheTreeAsItWas() {
    for (change, expected) in Self.cases {
      var tree = Self.tree
      let error = #expect(throws: ChangeError.self) { try tree.apply(change) }
      #expect(error == expected, "\(change)")
      #expect(tree == Self.tree, "\(change)")
    }
  }

  @Test func messagesSayWhatWasAttemptedAndWhy() {
    let messages: [(ChangeError, String)] = [
      (.unknownSection("X"), "there is no section \"X\""),
      (.unknownItem("x"), "there is no item \"x\""),
      (.duplicateSection("A", index: 1), "section \"A\" is in the list already, at index 1"),
      (
        .duplicateItem("a", path: ItemPath(section: 2, item: 3)),
        "item \"a\" is in the list already, at [2, 3]"
      ),
      (.sectionAnchorNotFound("A", anchor: "A"), "section \"A\" can't be placed next to itself"),
      (
        .sectionAnchorNotFound("A", anchor: "B"),
        "section \"A\" can't be placed next to \"B\", which is not in the list"
      ),
      (
        .itemAnchorNotFound("a", anchor: "a", section: "A"),
        "item \"a\" can't be placed next to itself"
      ),
      (
        .itemAnchorNotFound("a", anchor: "b", section: "A"),
        "item \"a\" can't be placed next to \"b\", which is not in section \"A\""
      ),
      (
        .sectionIndexOutOfBounds("A", index: 4, count: 2),
        "section \"A\" can't be placed at index 4: the list takes 0...2"
      ),
      (
        .itemIndexOutOfBounds("a", index: -1, section: "A", count: 2),
        "item \"a\" can't be placed at index -1: section \"A\" takes 0...2"
      ),
      (.invalidLayout("A", problem: "no"), "the layout of section \"A\": no"),
      (.logMismatch("no"), "the log does not fit the list: no"),
    ]
    for (error, message) in messages { #expect(error.description == message) }
  }
}
