import ListModel
import TestSupport
import Testing

/// What a section is besides layout, header, footer and meta.
@Suite struct SectionPartsTests {
  private let badge = Supplementary(view: "Badge", content: "1")
  private let header = Supplementary(view: "H", content: "2")

  private func tree(_ members: String) throws(FormatError) -> ListTree {
    try ListTree(parsing: Array("{\"sections\":[{\"id\":\"A\",\(members)\"items\":[]}]}".utf8))
  }

  private func problem(_ members: String) -> String? {
    do throws(FormatError) {
      _ = try tree(members)
      return nil
    } catch {
      return error.description
    }
  }

  // MARK: Visibility

  @Test func onlyAnEmptySectionIsHiddenWhenEmpty() {
    let hides = SectionAttributes.Visibility.allCases.map {
      [$0.hides(itemCount: 0), $0.hides(itemCount: 1)]
    }
    #expect(hides == [[false, false], [true, true], [true, false]])
    var section = ListTree.Section(
      id: "a", attributes: SectionAttributes(visibility: .hiddenWhenEmpty))
    #expect(section.isHidden)
    section.items = [Item(id: "1", cell: "C", content: "1")]
    #expect(!section.isHidden)
  }

  // MARK: Supplementaries

  @Test func headerAndFooterGoToTheirProperties() {
    var attributes = SectionAttributes(supplementaries: [.header: header, "badge": badge])
    #expect(attributes == SectionAttributes(header: header, supplementaries: ["badge": badge]))
    attributes.supplementaries[.footer] = badge
    #expect(attributes.footer == badge)
    #expect(attributes.supplementaries == ["badge": badge])
    attributes[.header] = nil
    attributes[.footer] = header
    attributes["badge"] = nil
    attributes["a"] = header
    #expect(attributes == SectionAttributes(footer: header, supplementaries: ["a": header]))
    #expect([attributes[.header], attributes[.footer], attributes["a"]] == [nil, header, header])
    var updated = ListTree(list: "l", sections: [ListTree.Section(id: "A", attributes: attributes)])
    #expect(throws: Never.self) {
      try updated.apply(
        .updateSection("A", SectionUpdate(supplementaries: .set([.header: badge]))))
    }
    #expect(updated.sections[0].attributes == SectionAttributes(header: badge, footer: header))
  }

  /// What an update does must not depend on whether it was written in between, as an own edit is.
  @Test func anUpdateIsReadAsItIsWritten() throws {
    var changed = SectionUpdate(header: .set(header))
    changed.supplementaries = .set([.footer: badge])
    changed.layout = .set(SectionLayout())
    changed.meta = .set(JSON.null)
    let updates = [
      SectionUpdate(layout: .set(SectionLayout())), SectionUpdate(meta: .set(JSON.null)),
      SectionUpdate(supplementaries: .set([.header: badge])),
      SectionUpdate(header: .set(header), supplementaries: .set([.header: badge, "b": badge])),
      SectionUpdate(footer: .set(nil), supplementaries: .set([.footer: badge])), changed,
    ]
    let attributes = SectionAttributes(
      layout: SectionLayout(kind: .list), header: header, meta: "1",
      supplementaries: ["badge": badge])
    for update in updates {
      let change = Change.updateSection("A", update)
      let text = JSONWriter.object { change.writeOperation(to: &$0) }
      let again = try Change(JSONNode(parsing: Array(text.utf8)))
      #expect(again == change, "\(text)")
      var (tree, other) = (ListTree(list: "l"), ListTree(list: "l"))
      tree.sections = [ListTree.Section(id: "A", attributes: attributes)]
      other.sections = tree.sections
      try tree.apply(change)
      try other.apply(again)
      #expect(tree == other, "\(text)")
    }
  }

  @Test func kindsStandInAFixedOrder() {
    var attributes = SectionAttributes()
    #expect(attributes.supplementaryKinds == [])
    for kind in ["z", "\u{E9}", "footer", "a", "header", "e\u{301}"] as [Supplementary.Kind] {
      attributes[kind] = badge
    }
    #expect(
      attributes.supplementaryKinds == [.header, .footer, "a", "e\u{301}", "z", "\u{E9}"])
  }

  @Test(arguments: ["", String(repeating: "a", count: 257), "a\u{0}"])
  func aKindIsTextAsAnyOtherName(_ text: String) {
    #expect(throws: FormatError.self) { try Supplementary.Kind(text) }
    #expect(throws: Never.self) { try Supplementary.Kind(String(repeating: "a", count: 256)) }
  }

  // MARK: Text

  @Test func aTreeHasThemInAFixedOrderAndNoDefaults() throws {
    let attributes = SectionAttributes(
      visibility: .hiddenWhenEmpty,
      supplementaries: ["b": badge, "a": Supplementary(view: "V", content: .null)],
      decorations: [
        Decoration(
          view: "Card", zIndex: -2, insets: Insets(top: 1, left: 2, bottom: 3.5, right: 4),
          content: "{\"a\":1.0}"), Decoration(view: "Line", element: .items),
      ])
    let tree = ListTree(list: "l", sections: [ListTree.Section(id: "A", attributes: attributes)])
    #expect(
      tree.json()
        == #"{"list":"l","revision":"0","sections":[{"id":"A","visibility":"hiddenWhenEmpty","#
        + #""supplementaries":{"a":{"view":"V","content":null},"#
        + #""b":{"view":"Badge","content":1}},"#
        + #""decorations":[{"view":"Card","zIndex":-2,"insets":[1,2,3.5,4],"content":{"a":1.0}},"#
        + #"{"view":"Line","of":"items"}],"items":[]}]}"#)
    #expect(try ListTree(parsing: Array(tree.json().utf8)) == tree)
  }

  @Test func whatSaysNothingIsAsIfItWereNotThere() throws {
    for members in [
      "", #""visibility":"shown","#, #""supplementaries":{},"#, #""decorations":[],"#,
      #""supplementaries":{"badge":null},"#,
    ] {
      #expect(try tree(members).sections[0].attributes == SectionAttributes())
    }
    let plain = try tree(#""decorations":[{"view":"V"}],"#)
    let spelled = try tree(
      #""decorations":[{"view":"V","of":"section","zIndex":-1,"insets":null,"content":null}],"#)
    #expect(plain == spelled)
    #expect(plain.sections[0].attributes.decorations == [Decoration(view: "V")])
  }

  @Test func whatDoesNotFitIsNamedWithItsPlace() {
    let choices = #"expected one of "shown", "hidden", "hiddenWhenEmpty", found "gone""#
    #expect(problem(#""visibility":"gone","#) == "sections[0].visibility: \(choices)")
    let supplementaries = "sections[0].supplementaries"
    for name in ["header", "footer"] {
      #expect(
        problem("\"supplementaries\":{\"\(name)\":{\"view\":\"V\",\"content\":1}},")
          == "\(supplementaries).\(name): is a member of the section, not of its supplementaries")
    }
    #expect(
      problem(#""supplementaries":{"":{"view":"V","content":1}},"#)
        == "\(supplementaries): supplementary kind is empty; give it 1 to 256 bytes")
    #expect(
      problem(#""supplementaries":{"a":null,"a":null},"#)
        == "\(supplementaries).a: the name occurs twice")
    let element = #"expected one of "section", "header", "items", "footer", found "cell""#
    #expect(
      problem(#""decorations":[{"view":"V"},{"view":"V","of":"cell"}],"#)
        == "sections[0].decorations[1].of: \(element)")
    #expect(
      problem(#""decorations":[{"view":"V","insets":[0,0,2e6,0]}],"#)
        == "sections[0].decorations[0]: insets.bottom is 2000000.0; "
        + "it must be a number of points within ±1,000,000")
  }

  // MARK: Meaning

  @Test func equivalenceComparesContentsByMeaning() {
    let attributes = SectionAttributes(
      supplementaries: ["a": Supplementary(view: "V", content: "1")],
      decorations: [Decoration(view: "V", content: "[1]")])
    var same = attributes
    same["a"]?.content = "1.0"
    same.decorations[0].content = "[1e0]"
    #expect(same != attributes)
    #expect(same.isEquivalent(to: attributes))
    let changes: [(inout SectionAttributes) -> Void] = [
      { $0.visibility = .hidden }, { $0["a"] = nil }, { $0["a"]?.content = "2" },
      { $0["a"]?.view = "W" }, { $0["b"] = $0["a"] },
      {
        $0["b"] = $0["a"]
        $0["a"] = nil
      }, { $0.decorations = [] }, { $0.decorations += $0.decorations },
      { $0.decorations[0].view = "W" }, { $0.decorations[0].element = .items },
      { $0.decorations[0].zIndex = 0 }, { $0.decorations[0].content = "[2]" },
      { $0.decorations[0].insets = Insets(top: 0, left: 0, bottom: 0, right: 0) },
    ]
    for change in changes {
      var other = attributes
      change(&other)
      #expect(!other.isEquivalent(to: attributes))
      #expect(!attributes.isEquivalent(to: other))
    }
  }

  @Test func aDecorationThatNoViewCouldUseIsRefused() {
    let wrong = Decoration(
      view: "V", insets: Insets(top: 0, left: .nan, bottom: 0, right: 0))
    let attributes = SectionAttributes(decorations: [Decoration(view: "V"), wrong])
    var tree = ListTree(list: "l", sections: [ListTree.Section(id: "A")])
    let before = tree
    for change in [
      Change.insertSection("B", attributes),
      .updateSection("A", SectionUpdate(decorations: .set(attributes.decorations))),
    ] {
      let error = #expect(throws: ChangeError.self) { try tree.apply(change) }
      #expect(error?.description.hasPrefix("decoration 1 of section") == true)
      #expect(error?.description.contains("insets.left is nan") == true)
    }
    #expect(tree == before)
  }
}
