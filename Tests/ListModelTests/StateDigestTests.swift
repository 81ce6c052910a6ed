import ListModel
import TestSupport
import Testing

@Suite struct StateDigestTests {
  /// Values of the reference implementation, seed 0.
  @Test(
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ] as [(String, UInt64)])
  func theHashIsXXH64(_ text: String, _ hash: UInt64) {
    #expect(XXHash64.hash(text) == hash)
  }

  @Test func aNumberHashesAsItsEightBytes() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let hash = bytes.withUnsafeBytes { XXHash64.hash($0, seed: 9) }
    #expect(XXHash64.hash(0x0807_0605_0403_0201, seed: 9) == hash)
  }

  /// Whatever happens to a list, the digest that followed its entries is that of the list.
  @Test(arguments: 0..<40) func followingTheEntriesGivesTheDigestOfTheList(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let source = RandomChanges(hasSectionParts: true)
    var tree = ListTree(list: "list")
    var digest = StateDigest(tree)
    for step in 0..<300 {
      let entry = try tree.apply(source.change(for: tree, using: &generator))
      let neighbours = tree.neighbours(ofApplied: entry)
      #expect(neighbours.count == entry.placeCount)
      digest.apply(entry, neighbours: neighbours[...])
      #expect(digest == StateDigest(tree), "seed \(seed), step \(step): \(entry)")
    }
  }

  @Test func everyOrderOfFiveItemsInTwoSectionsHasItsOwnDigest() {
    let ids: [ItemID] = ["a", "b", "c", "d", "e"]
    var digests: Set<UInt64> = []
    var count = 0
    func permute(_ rest: [ItemID], _ order: [ItemID]) {
      if rest.isEmpty {
        for split in 0...order.count {
          let items = order.map { Item(id: $0, cell: "C", content: "1") }
          let tree = ListTree(
            list: "list",
            sections: [
              ListTree.Section(id: "x", items: Array(items[..<split])),
              ListTree.Section(id: "y", items: Array(items[split...])),
            ])
          digests.insert(StateDigest(tree).value)
          count += 1
        }
      }
      for id in rest { permute(rest.filter { $0 != id }, order + [id]) }
    }
    permute(ids, [])
    #expect(count == 720)
    #expect(digests.count == count)
  }

  @Test func everyPartOfAStateCounts() {
    func digest(_ change: (inout ListTree) -> Void) -> UInt64 {
      var tree = ListTree(
        list: "list",
        sections: [
          ListTree.Section(id: "x", items: [Item(id: "a", cell: "C", content: "1")]),
          ListTree.Section(id: "y"),
        ])
      change(&tree)
      return StateDigest(tree).value
    }
    let changes: [(inout ListTree) -> Void] = [
      { _ in }, { $0.meta = "1" }, { $0.meta = "2" },
      { $0.sections[0].items[0].state.content = "2" },
      { $0.sections[0].items[0].state.cell = "D" },
      { $0.sections[0].items[0].state.type = "T" },
      { $0.sections[0].items[0].state.action = Action(url: "u") },
      { $0.sections[0].items[0].state.contentRevision = 1 },
      { $0.sections[0].attributes.meta = "1" },
      { $0.sections[0].attributes.header = Supplementary(view: "H", content: "1") },
      { $0.sections[0].attributes.footer = Supplementary(view: "H", content: "1") },
      { $0.sections[0].attributes.layout = SectionLayout(columns: 2) },
      { $0.sections[0].attributes.visibility = .hidden },
      { $0.sections[0].attributes.visibility = .hiddenWhenEmpty },
      { $0.sections[0].attributes["badge"] = Supplementary(view: "H", content: "1") },
      { $0.sections[0].attributes["\u{E9}"] = Supplementary(view: "H", content: "1") },
      { $0.sections[0].attributes.decorations = [Decoration(view: "H")] },
      { $0.sections[0].attributes.decorations = [Decoration(view: "H", element: .items)] },
      { $0.sections[0].attributes.decorations = [Decoration(view: "H", zIndex: 0)] },
      { $0.sections[0].attributes.decorations = [Decoration(view: "H"), Decoration(view: "H")] },
      { $0.sections.swapAt(0, 1) }, { $0.sections.remove(at: 1) },
      { $0.sections[1].items = [$0.sections[0].items.removeLast()] },
    ]
    #expect(Set(changes.map(digest)).count == changes.count)
  }

  @Test func theDigestIsTheSameInEveryRun() {
    let tree = ListTree(
      list: "list",
      sections: [ListTree.Section(id: "x", items: [Item(id: "a", cell: "C", content: "{\"n\":1}")])]
    )
    // Written down once: a store that was written today must be right tomorrow.
    #expect(StateDigest(tree).value == Self.known)
  }

  private static let known: UInt64 = 16_570_893_505_437_367_010
}
