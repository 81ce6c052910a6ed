import Foundation
import ListInspection
import ListLayout
import ListModel
import ListStore
import TestSupport
import Testing

/// What the page's script makes of the page's value, compared with the store.
@Suite(.enabled(if: ReportedPage.hasNode, "needs node on the path"))
struct ReportScriptTests {
  private let bench: InspectionBench

  init() throws { bench = try InspectionBench() }

  private func page(_ content: Inspection.ContentDetail = .full) throws -> ReportedPage {
    ReportedPage(try Inspection(of: bench.file).report(.init(content: content)).html)
  }

  /// A tree as the script has it.
  private func shown(_ tree: ListTree) throws -> [[String: Any]] {
    try tree.sections.map { section in
      let attributes = JSONWriter.object { section.attributes.writeMembers(to: &$0) }
      return [
        "id": section.id.rawValue,
        "attributes": try JSONSerialization.jsonObject(with: Data(attributes.utf8)),
        "items": section.items.map { item -> [String: Any] in
          var shown: [String: Any] = [
            "id": item.id.rawValue, "cell": item.state.cell.rawValue,
            "contentRevision": item.state.contentRevision, "content": item.state.content.text,
          ]
          if item.state.type != nil || item.state.action != nil {
            shown["details"] = JSONWriter.object { writer in
              if let type = item.state.type { writer.member("type", type.rawValue) }
              if let action = item.state.action {
                writer.member("action") { action.write(to: &$0) }
              }
            }
          }
          return shown
        },
      ]
    }
  }

  /// Compares a tree of the script with one of the store.
  private func requireEqual(_ walked: Any?, _ tree: ListTree, _ comment: Comment) throws {
    func text(_ value: Any) throws -> String {
      String(
        decoding: try JSONSerialization.data(
          withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes]), as: UTF8.self)
    }
    let walked = try #require(walked)
    // Once written and read, as the other one.
    let wanted = try JSONSerialization.jsonObject(
      with: JSONSerialization.data(withJSONObject: shown(tree)))
    let (found, expected) = (try text(walked), try text(wanted))
    try #require(found == expected, comment)
  }

  /// Back to the first revision, forward to the last one, and here and there.
  @Test(arguments: 1...UInt64(SeededGenerator.count(2)))
  func theWalkLeadsToTheListOfEachRevision(seed: UInt64) throws {
    try bench.makeStore(seed: seed, commits: 80)
    let page = try page()
    let walks = try #require(
      try page.run(
        """
        return value.lists.map((data) => {
          const list = new ListAtRevision(data, value.content), last = data.revision;
          const order = Array.from({ length: last + 1 }, (_, at) => last - at);
          order.push(...order.slice().reverse(), ...order.map((at) => at * 37 % (last + 1)));
          return order.map((revision) => {
            list.goTo(revision);
            return [list.revision, list.tree, list.text(list.meta)];
          });
        });
        """) as? [[[Any]]])
    let inspection = try Inspection(of: bench.file)
    for (list, walk) in zip(try page.value().lists, walks) {
      #expect(walk.count == 3 * 81)
      let trees = try (0...80).map { try inspection.tree(of: ListID(list.list), at: $0) }
      for stop in walk {
        let revision = try #require(stop[0] as? Int)
        try requireEqual(stop[1], trees[revision], "\(list.list) at \(revision)")
        let meta = try trees[revision].meta.map {
          try JSONSerialization.jsonObject(with: Data($0.text.utf8), options: .fragmentsAllowed)
        }
        #expect(stop[2] as? NSObject == meta as? NSObject ?? NSNull())
      }
      #expect(Set(walk.compactMap { $0[0] as? Int }) == Set(0...80))
    }
  }

  @Test func aDeletedItemThatComesBackHasItsStateOfThen() throws {
    let repository = try Repository(at: bench.file)
    func item(_ text: String) throws -> Item {
      Item(id: "a", cell: "C", content: try JSON(parsing: text))
    }
    try repository.commit([.insertSection("s"), .insertItem(try item("1"), in: "s")], to: "l")
    try repository.commit([.deleteItem("a")], to: "l")
    try repository.commit([.insertItem(try item("2"), in: "s")], to: "l")
    try repository.commit([.deleteSection("s")], to: "l")
    try repository.commit(
      [.insertSection("s", SectionAttributes(layout: SectionLayout(columns: 3)))], to: "l")
    try repository.commit([.insertItem(try item("3"), in: "s")], to: "l")
    let walked = try page().run(
      """
      const list = new ListAtRevision(value.lists[0], value.content);
      return [6, 5, 4, 3, 2, 1, 0, 1, 3, 6].map((revision) => { list.goTo(revision); return list.tree; });
      """)
    let inspection = try Inspection(of: bench.file)
    for (tree, revision) in zip(try #require(walked as? [Any]), [6, 5, 4, 3, 2, 1, 0, 1, 3, 6]) {
      try requireEqual(tree, try inspection.tree(of: "l", at: revision), "revision \(revision)")
    }
  }

  @Test func insertsInARowAreOneChangeAndOtherwiseSeveral() throws {
    let repository = try Repository(at: bench.file)
    func insert(_ numbers: some Sequence<Int>, at place: Place<ItemID>) -> [Change] {
      numbers.map {
        .insertItem(
          Item(id: ItemID(stringLiteral: "\($0)"), cell: "C", content: .null), in: "s", at: place)
      }
    }
    try repository.commit([.insertSection("s")] + insert(0..<50, at: .end), to: "l")
    try repository.commit(insert(100..<150, at: .start), to: "l")
    try repository.commit(insert([200, 201], at: .start) + insert([202], at: .end), to: "l")
    let page = try page()
    let changes = try page.value().lists[0].changes
    #expect(changes.map(\.count) == [2, 1, 2])
    let walked = try page.run(
      """
      const list = new ListAtRevision(value.lists[0], value.content);
      return [3, 2, 1, 0, 3, 1].map((revision) => { list.goTo(revision); return list.tree; });
      """)
    let inspection = try Inspection(of: bench.file)
    for (tree, revision) in zip(try #require(walked as? [Any]), [3, 2, 1, 0, 3, 1]) {
      try requireEqual(tree, try inspection.tree(of: "l", at: revision), "revision \(revision)")
    }
  }

  @Test func theHistoryOfAnItemHasEachChange() throws {
    let repository = try Repository(at: bench.file)
    try repository.commit(
      [.insertSection("s"), .insertSection("t")]
        + ["a", "b", "c"].map { .insertItem(Item(id: $0, cell: "C", content: .null), in: "s") },
      to: "l")
    try repository.commit([.moveItem("b", in: "t", to: .start)], to: "l")
    try repository.commit([.updateItem("b", ItemUpdate(cell: .set("D")))], to: "l")
    try repository.commit([.touchItem("b"), .touchItem("a")], to: "l")
    try repository.commit([.deleteSection("t")], to: "l")
    let history = try page().run(
      """
      const list = new ListAtRevision(value.lists[0], value.content);
      const item = value.lists[0].items.indexOf('b');
      return list.history(item).map(({ revision, change }) => [revision, WORDS[change[0]]]);
      """)
    #expect(
      history as? NSArray == [
        [5, "deleted"], [4, "touched"], [3, "updated"], [2, "moved"], [1, "inserted"],
      ])
  }

  @Test func aSearchFindsIdsAndContentsOfAnyRevision() throws {
    try bench.makeWaterfall()
    let repository = try Repository(at: bench.file)
    try repository.commit(
      [.updateItem("photo-8", ItemUpdate(content: .set(try JSON(parsing: #"{"title":"Beach"}"#))))],
      to: "shelf")
    func found(_ words: String, _ content: Inspection.ContentDetail) throws -> Set<String> {
      let found = try page(content).run(
        """
        const list = new ListAtRevision(value.lists[0], value.content);
        return [...list.search('\(words)')].map((item) => value.lists[0].items[item]);
        """)
      return Set(try #require(found as? [String]))
    }
    #expect(try found("OTO-3", .hash).count == 11)
    #expect(try found("photo-4", .full) == ["photo-4"], "it was deleted")
    #expect(try found("beach", .full) == ["photo-8"])
    #expect(try found("secret 8", .full) == ["photo-8"], "its earlier content")
    #expect(try found("secret 8", .hash) == [])
  }

  @Test func aLogThatDoesNotFitEndsTheWalk() throws {
    try bench.makeWaterfall()
    let page = try page(.hash)
    var value = try page.value()
    value.lists[0].changes[1] = [[9, 0, 0, 0], [7, 2, 0, 3, 0, 0]]
    let walked = try page.run(
      """
      const list = new ListAtRevision(value.lists[0], value.content), head = list.tree;
      list.goTo(0);
      const at = list.revision;
      list.goTo(3);
      return [at, list.floor, list.misfit, JSON.stringify(list.tree) === JSON.stringify(head)];
      """, with: value)
    #expect(walked as? NSArray == [2, 2, 2, true])
  }

  // MARK: Placement

  private func frames(_ value: ReportValue, _ page: ReportedPage) throws -> [[[Double]]] {
    let frames = try page.run(
      """
      return value.lists.map((data) => {
        const list = new ListAtRevision(data, 'none'), placement = new Placement(list), frames = [];
        placement.forEach(-1e9, 1e12, ({ item, view, section, x, y, width, height }) => {
          frames.push([view === 'footer' ? -2 - section : view ? -1 : item, x, y, width, height]);
        });
        return frames.concat([[1e9, placement.length, 0, 0, 0]]);
      });
      """, with: value)
    return try #require(frames as? [[[Double]]])
  }

  @Test func itemsStandWhereTheirStoredSizesPlaceThem() throws {
    try bench.makeWaterfall()
    let page = try page()
    let value = try page.value()
    let frames = try frames(value, page)[0]
    // The header has no size, so it takes 44 points; then come the insets.
    #expect(frames[0] == [-1, 0, 0, 220, 44])
    let items = frames.filter { $0[0] >= 0 }.sorted { $0[0] < $1[0] }
    #expect(items[0] == [0, 5, 49, 100, 61])
    #expect(items[1] == [1, 115, 49, 100, 40])
    #expect(items[2] == [2, 115, 93, 100, 47], "it goes to the shorter column")
  }

  /// Lists of every layout, both directions, mirrored ones, fractional scales and odd sizes.
  @Test func thePlacementIsThatOfListLayout() throws {
    try bench.makeWaterfall()
    let page = try page()
    var value = try page.value()
    var generator = SeededGenerator(seed: 11)
    let lists = (0..<120).map { RandomPlacedList(number: $0, value.lists[0], &generator) }
    value.lists = lists.map(\.value)
    for (list, shown) in zip(lists, try frames(value, page)) {
      let placement = list.placement
      let isVertical = list.value.view.isVertical
      let extent = isVertical ? placement.contentSize.height : placement.contentSize.width
      #expect(shown.last.map { abs($0[1] - extent) < 1e-6 } == true, "length of \(list.value.list)")
      var first = 0
      for (section, parts) in list.value.head.enumerated() {
        for index in 0..<parts[2] {
          let frame = try #require(
            placement.frame(ofItemAt: ItemPath(section: section, item: index)))
          guard frame.width > 0, frame.height > 0 else { continue }
          let found = try #require(
            shown.first { $0[0] == Double(first + index) }, "\(list.value.list), item \(index)")
          for (number, wanted) in zip(
            found.dropFirst(), [frame.x, frame.y, frame.width, frame.height])
          {
            #expect(abs(number - wanted) < 1e-6, "\(list.value.list), \(section), \(index)")
          }
        }
        first += parts[2]
      }
    }
  }
}

/// A list of random sections and sizes, as a page has it and as `ListLayout` places it.
private struct RandomPlacedList {
  var value: ReportedList
  var placement: ListPlacement

  /// `basis`: Any list.
  init(number: Int, _ basis: ReportedList, _ generator: inout SeededGenerator) {
    let scale = generator.element(of: [1, 2, 3, 1.5] as [Double]) ?? 1
    let breadth = Double(generator.number(20..<900)) + (generator.percent(30) ? 0.37 : 0)
    let isVertical = generator.percent(60)
    let isMirrored = generator.percent(30)
    value = basis
    value.list = "list \(number)"
    (value.view.isVertical, value.view.isMirrored) = (isVertical, isMirrored)
    (value.view.breadth, value.view.scale) = (breadth, scale)
    (value.cells, value.kinds) = (["C"], [[0, 0]])
    (value.texts, value.sections, value.head) = ([], [], [])
    (value.items, value.states, value.contents, value.lastStates) = ([], [], [], [])
    (value.sizes, value.itemSizes, value.changes) = ([], [], [])
    var measured: [MeasuredSection] = []
    for section in 0..<generator.number(1..<4) {
      func length() -> Double { Double(generator.number(0..<30)) / 2 }
      var layout = SectionLayout()
      if generator.percent(85) { layout.kind = generator.element(of: SectionLayout.Kind.allCases) }
      if generator.percent(70) { layout.columns = generator.number(1..<6) }
      if generator.percent(70) { layout.lineSpacing = length() }
      if generator.percent(70) { layout.interitemSpacing = length() }
      if generator.percent(50) {
        layout.insets = Insets(top: length(), left: length(), bottom: length(), right: length())
      }
      let isGrid = generator.percent(20)
      let sizes = (0..<generator.number(0..<40)).map { item in
        Size(
          width: isGrid ? 33.3 : Double(generator.number(0..<1_200)) / 7,
          height: isGrid ? 21 : Double(generator.number(0..<900)) / 7)
      }
      let hasHeader = generator.percent(50)
      let view = Supplementary(view: "V", content: .null)
      let attributes = SectionAttributes(layout: layout, header: hasHeader ? view : nil)
      value.texts.append(JSONWriter.object { attributes.writeMembers(to: &$0) })
      value.sections.append("\(section)")
      value.head.append([section, section, sizes.count, -1, -1])
      for size in sizes {
        value.items.append("\(value.items.count)")
        value.states.append(0)
        value.contents.append(nil)
        value.itemSizes.append(value.sizes.count)
        value.sizes.append([size.width, size.height, -1])
      }
      let isFlow = attributes.layout?.kind == nil && attributes.layout?.columns ?? 1 > 1
      measured.append(
        MeasuredSection(
          metrics: SectionMetrics(
            attributes.layout, defaults: SectionMetrics(kind: isFlow ? .flow : .list)),
          headerLength: hasHeader ? 44 : nil, items: ItemSizes(sizes)))
    }
    placement = ListPlacement(
      measured,
      in: LayoutContainer(
        size: isVertical ? Size(width: breadth, height: 800) : Size(width: 800, height: breadth),
        axis: isVertical ? .vertical : .horizontal, scale: scale, isMirrored: isMirrored))
  }
}
