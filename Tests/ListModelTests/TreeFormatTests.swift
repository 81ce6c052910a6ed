import Foundation
import ListModel
import TestSupport
import Testing

@Suite struct TreeFormatTests {
  private func parsed(_ text: String) throws -> ListTree { try ListTree(parsing: Array(text.utf8)) }

  @Test func aTreeIsWrittenAsTheFormatsSay() throws {
    let tree = ListTree(
      list: "home", revision: 17,
      sections: [
        ListTree.Section(
          id: "a",
          attributes: SectionAttributes(
            layout: SectionLayout(
              kind: .flow, columns: 1, lineSpacing: 8, interitemSpacing: 8.5,
              insets: Insets(top: 1, left: 2, bottom: 3, right: 4)),
            header: Supplementary(view: "H", content: "{\"t\":1.0}"),
            footer: Supplementary(view: "F", content: .null), meta: "[18446744073709551615]"),
          items: [
            Item(id: "i1", cell: "BookCell", content: "{}"),
            Item(
              id: "i2", cell: "BookCell", content: "\"\\u00e9\"", type: "Book",
              action: Action(url: "u", event: "e", attrs: "0")),
          ]), ListTree.Section(id: "b"),
      ])
    let sizes: [ItemID: Size] = ["i1": Size(width: 320, height: 88.5)]
    #expect(
      tree.json(sizes: sizes)
        == #"{"list":"home","revision":"17","sections":[{"id":"a","#
        + #""layout":{"kind":"flow","columns":1,"lineSpacing":8,"interitemSpacing":8.5,"#
        + #""insets":[1,2,3,4]},"#
        + #""header":{"view":"H","content":{"t":1.0}},"footer":{"view":"F","content":null},"#
        + #""meta":[18446744073709551615],"items":["#
        + #"{"id":"i1","cell":"BookCell","content":{},"size":[320,88.5]},"#
        + #"{"id":"i2","cell":"BookCell","content":"\u00e9","type":"Book","#
        + #""action":{"url":"u","event":"e","attrs":0}}]},{"id":"b","items":[]}]}"#)
    #expect(try parsed(tree.json(sizes: sizes)) == tree, "sizes are no part of the list")
  }

  @Test func randomTreesRoundTrip() {
    forEachSeed(0..<1_000) { generator in
      let tree = Self.randomTree(using: &generator)
      let text = tree.json()
      let read = try parsed(text)
      if read != tree || read.json() != text { throw RandomFailure(text) }
    }
  }

  @Test func treesOfRandomHistoriesRoundTrip() {
    // A history's tree differs from what its JSON holds in the content revisions alone.
    let changes = RandomChanges(hasSectionParts: true)
    forEachSeed(0..<100) { generator in
      var tree = ListTree(list: "list")
      for _ in 0..<40 { try tree.apply(changes.change(for: tree, using: &generator)) }
      let read = try parsed(tree.json())
      for section in tree.sections.indices {
        for item in tree.sections[section].items.indices {
          tree.sections[section].items[item].state.contentRevision = 0
        }
      }
      if read != tree { throw RandomFailure(tree.json()) }
    }
  }

  @Test func aTreeByHandNeedsNeitherListNorRevision() throws {
    #expect(try parsed("{\"sections\":[]}") == ListTree(list: "list", revision: 0))
    let text = Array("{\"sections\":[]}".utf8)
    #expect(try ListTree(parsing: text, defaultList: "x").list == "x")
    #expect(try parsed("{\"list\":\"y\",\"sections\":[]}").list == "y")
    #expect(try parsed("{\"revision\":\"9223372036854775807\",\"sections\":[]}").revision == .max)
  }

  @Test func nullMeansAbsentButForContent() throws {
    let tree = try parsed(
      """
      {"sections":[{"id":"A","layout":null,"header":null,"footer":null,"meta":null,
        "visibility":null,"supplementaries":null,"decorations":null,"items":[
        {"id":"a","cell":"C","content":null,"type":null,"action":null},
        {"id":"b","cell":"C","content":null,"action":{"url":null,"event":null,"attrs":null}}]}]}
      """)
    #expect(tree.sections[0].attributes == SectionAttributes())
    #expect(tree.sections[0].items[0] == Item(id: "a", cell: "C", content: .null))
    #expect(tree.sections[0].items[1].state.action == Action(attrs: .null))
  }

  @Test func aLayoutThatSaysNothingIsNone() throws {
    for layout in ["{}", "{\"kind\":null,\"columns\":null}", "{\"new\":1}"] {
      let tree = try parsed("{\"sections\":[{\"id\":\"A\",\"items\":[],\"layout\":\(layout)}]}")
      #expect(tree.sections[0].attributes.layout == nil)
    }
  }

  @Test func updatesTellAbsentFromNull() throws {
    let object = try JSONNode(parsing: Array(#"{"a":null,"b":"x","c":1,"d":1,"d":2}"#.utf8))
      .object()
    func update(_ name: String) throws(FormatError) -> FieldUpdate<String?> {
      try object.update(name)
    }
    #expect(try update("a") == .set(nil))
    #expect(try update("b") == .set("x"))
    #expect(try update("z") == .unchanged)
    #expect(throws: FormatError("expected a string, found a number", at: "c")) { try update("c") }
    #expect(throws: FormatError("the name occurs twice", at: "d")) { try update("d") }
  }

  /// Content stands 5 levels deep in a tree.
  @Test func theDeepestContentReadsBack() throws {
    let content = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    let item = Item(id: "a", cell: "C", content: JSON(stringLiteral: content))
    let tree = ListTree(list: "list", sections: [ListTree.Section(id: "A", items: [item])])
    #expect(try ListTree(parsing: Array(tree.json().utf8)) == tree)
    let deeper = tree.json().replacingOccurrences(of: content, with: "[[[[\(content)]]]]")
    #expect(throws: FormatError.self) { try ListTree(parsing: Array(deeper.utf8)) }
  }

  /// A tree nests 40 levels, but a store could not read such values again.
  @Test(arguments: [
    ##"{"sections":[],"meta":#}"##, ##"{"sections":[{"id":"a","items":[],"meta":#}]}"##,
    ##"{"sections":[{"id":"a","items":[],"header":{"view":"H","content":#}}]}"##,
    ##"{"sections":[{"id":"a","items":[],"decorations":[{"view":"D","of":"items","content":#}]}]}"##,
    ##"{"sections":[{"id":"a","items":[{"id":"i","cell":"C","content":#}]}]}"##,
    ##"{"sections":[{"id":"a","items":[{"id":"i","cell":"C","content":1,"action":{"attrs":#}}]}]}"##,
  ])
  func aValueInATreeNestsNoDeeperThanAlone(_ text: String) throws {
    func tree(_ levels: Int) throws -> ListTree {
      let value = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      return try ListTree(parsing: Array(text.replacing("#", with: value).utf8))
    }
    #expect(try ListTree(parsing: Array(tree(32).json().utf8)) == tree(32))
    let error = #expect(throws: FormatError.self) { try tree(33) }
    #expect(error?.problem == "nests deeper than 32 levels" && error?.isBeyondLimit == true)
  }

  private static let texts = [
    "a", "\u{E9}", "e\u{301}", "\"", "\\", "\n", "\u{1}", "\u{2028}", "\u{1D11E}", " ", "]",
    "\u{7F}",
  ]
  private static let contents: [JSON] = [
    "null", "0", "-0", "1.0", "1e400", "18446744073709551615", "\"\\u00e9\"", "\"\u{E9}\"",
    "\"\\ud800\"",
    "{\"b\":1,\"a\":[{}],\"b\":2}", "[[],\" \"]", "false",
  ]

  private static func randomTree(using generator: inout SeededGenerator) -> ListTree {
    var used = 0
    func text(_ generator: inout SeededGenerator) -> String {
      (0..<generator.number(1..<4)).map { _ in texts[generator.number(0..<texts.count)] }.joined()
    }
    func content(_ generator: inout SeededGenerator) -> JSON {
      contents[generator.number(0..<contents.count)]
    }
    func length(_ generator: inout SeededGenerator) -> Double {
      let lengths = [0, 8, 0.1, -1e6, 1e-300, 1.0 / 3]
      return lengths[generator.number(0..<lengths.count)]
    }
    func supplementary(_ generator: inout SeededGenerator) -> Supplementary? {
      guard generator.percent(50) else { return nil }
      return Supplementary(
        view: ViewName(stringLiteral: text(&generator)), content: content(&generator))
    }
    func item(_ generator: inout SeededGenerator) -> Item {
      used += 1
      return Item(
        id: ItemID(stringLiteral: "\(text(&generator))\(used)"),
        cell: CellName(stringLiteral: text(&generator)), content: content(&generator),
        type: generator.percent(50) ? TypeName(stringLiteral: text(&generator)) : nil,
        action: generator.percent(50)
          ? Action(
            url: generator.percent(50) ? text(&generator) : nil,
            event: generator.percent(50) ? "" : nil,
            attrs: generator.percent(50) ? content(&generator) : nil)
          : nil)
    }
    func layout(_ generator: inout SeededGenerator) -> SectionLayout {
      SectionLayout(
        kind: generator.percent(50) ? generator.element(of: SectionLayout.Kind.allCases) : nil,
        columns: generator.percent(50) ? generator.number(1..<1_001) : nil,
        lineSpacing: generator.percent(50) ? length(&generator) : nil,
        interitemSpacing: generator.percent(50) ? length(&generator) : nil,
        insets: generator.percent(50)
          ? Insets(
            top: length(&generator), left: length(&generator), bottom: length(&generator),
            right: length(&generator)) : nil)
    }
    let sections = (0..<generator.number(0..<4)).map { index in
      // `null` as meta reads as none.
      let meta = content(&generator)
      return ListTree.Section(
        id: SectionID(stringLiteral: "\(text(&generator))\(index)"),
        attributes: SectionAttributes(
          layout: layout(&generator), header: supplementary(&generator),
          footer: supplementary(&generator), meta: meta == .null ? nil : meta,
          visibility: generator.element(of: SectionAttributes.Visibility.allCases) ?? .shown,
          supplementaries: Dictionary(
            uniqueKeysWithValues: (0..<generator.number(0..<3)).compactMap { number in
              supplementary(&generator).map {
                (Supplementary.Kind(stringLiteral: "\(text(&generator))\(number)"), $0)
              }
            }),
          decorations: (0..<generator.number(0..<3)).map { _ in
            Decoration(
              view: ViewName(stringLiteral: text(&generator)),
              element: generator.element(of: Decoration.Element.allCases) ?? .section,
              zIndex: generator.percent(50) ? -1 : generator.number(0..<Int.max),
              insets: layout(&generator).insets, content: content(&generator))
          }),
        items: (0..<generator.number(0..<4)).map { _ in item(&generator) })
    }
    return ListTree(
      list: ListID(stringLiteral: text(&generator)), revision: generator.number(0..<Int.max),
      sections: sections)
  }
}
