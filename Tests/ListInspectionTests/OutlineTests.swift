import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import ListTables
import SchemaSupport
import TestSupport
import Testing

/// An outline is the list, in its order, and as much of it as was asked for.
@Suite struct OutlineTests {
  private let bench: InspectionBench
  private var file: URL { bench.file }

  init() throws { bench = try InspectionBench() }

  private func expectSame(_ outline: Inspection.Outline, _ trees: [ListID: ListTree]) throws {
    let errors = outline.findings.filter { $0.severity == .error }
    #expect(errors.isEmpty)
    #expect(outline.lists.map(\.list) == trees.keys.map(\.rawValue).sorted())
    for list in outline.lists {
      let tree = try #require(trees[ListID(list.list)])
      #expect(list.revision == tree.revision)
      #expect(list.sectionCount == tree.sections.count)
      let itemCount = tree.itemCounts.reduce(0, +)
      #expect(list.itemCount == itemCount)
      #expect(list.sections.map(\.section) == tree.sections.map(\.id.rawValue))
      for (index, (section, other)) in zip(list.sections, tree.sections).enumerated() {
        #expect(section.index == index)
        #expect(section.itemCount == other.items.count)
        #expect(section.visibility == other.attributes.visibility.rawValue)
        #expect(section.layout?.columns == other.attributes.layout?.columns)
        #expect(section.items.map(\.index) == Array(other.items.indices))
        #expect(section.items.map(\.item) == other.items.map(\.id.rawValue))
        #expect(section.items.map(\.cell) == other.items.map(\.state.cell.rawValue))
        #expect(section.items.map(\.contentRevision) == other.items.map(\.state.contentRevision))
        #expect(section.items.map(\.content?.text) == other.items.map(\.state.content.text))
        #expect(section.items.map(\.type) == other.items.map { $0.state.type?.rawValue })
      }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3]) func aRandomListIsOutlinedAsItIs(_ seed: UInt64) throws {
    let trees = try bench.makeStore(seed: seed)
    let outline = try bench.unchanged {
      try Inspection(of: file).outline(isLong: true, content: .full)
    }
    try expectSame(outline, trees)
    #expect(outline.nextItem == nil)
    #expect(!outline.isCut)
  }

  @Test func aStoreOfAnEarlierVersionIsOutlinedAsItsTree() throws {
    try TestMigrations.makeStore(at: file)
    let inspection = try Inspection(of: file, migrations: TestMigrations.all)
    let outline = try inspection.outline(items: 0..<100_000, isLong: true, content: .full)
    var trees: [ListID: ListTree] = [:]
    for list in outline.lists {
      let id = try ListID(list.list)
      trees[id] = try inspection.tree(of: id)
    }
    #expect(trees.count >= 2)
    try expectSame(outline, trees)
  }

  @Test func pagesOfItemsAreTheWhole() throws {
    let trees = try bench.makeStore()
    let inspection = try Inspection(of: file)
    let all = trees.sorted { $0.key < $1.key }.flatMap { $0.value.sections.flatMap(\.items) }
    var found: [String] = []
    var next: Int? = 0
    while let start = next {
      let page = try inspection.outline(items: start..<(start + 4))
      let items = page.lists.flatMap(\.sections).flatMap(\.items).map(\.item)
      #expect(items.count <= 4)
      found += items
      #expect(page.nextItem == nil || page.nextItem == start + 4)
      next = page.nextItem
    }
    #expect(found == all.map(\.id.rawValue))
    #expect(all.count > 8)
  }

  @Test func aSectionIsReadAlone() throws {
    let repository = try Repository(at: file)
    try repository.commit(
      ["a", "b"].flatMap { section -> [Change] in
        [.insertSection(SectionID(stringLiteral: section))]
          + (0..<500).map {
            .insertItem(
              Item(id: ItemID(stringLiteral: "\(section)\($0)"), cell: "C", content: "1"),
              in: SectionID(stringLiteral: section))
          }
      }, to: "list")
    let outline = try Inspection(of: file).outline(of: "list", section: "b", items: 300..<303)
    #expect(outline.lists.count == 1)
    #expect(outline.lists[0].sections.map(\.section) == ["b"])
    #expect(outline.lists[0].sections[0].index == 1)
    #expect(outline.lists[0].sections[0].items.map(\.item) == ["b300", "b301", "b302"])
    #expect(outline.lists[0].sections[0].items.map(\.index) == [300, 301, 302])
    #expect(outline.nextItem == 303)
  }

  @Test func aNestedListFollowsTheListOfItsItem() throws {
    let repository = try Repository(at: file)
    try repository.commit(
      [.insertSection("s"), .insertItem(Item(id: "i", cell: "C", content: "1"), in: "s")],
      to: "z home")
    try repository.commit([.insertSection("s")], to: "other")
    let owner = ListOwner(list: "z home", item: "i", name: "covers")
    _ = try repository.edit(owner.nestedList, ownedBy: owner, by: .app) { list in
      try list.apply(.insertSection("t"))
    }
    let outline = try Inspection(of: file).outline()
    let nested = try #require(outline.lists.last)
    #expect(outline.lists.map(\.depth) == [0, 0, 1])
    #expect(outline.lists[1].list == "z home")
    #expect(nested.owner?.list == "z home")
    #expect(nested.owner?.item == "i")
    #expect(nested.owner?.name == "covers")
    #expect(nested.sections.map(\.section) == ["t"])
    let facts = try Inspection(of: file).facts(ofItem: "i", in: "z home")
    #expect(facts.nestedLists == ["covers": nested.list])
  }

  @Test func contentsAreHiddenUnlessTheyAreAskedFor() throws {
    let repository = try Repository(at: file)
    try repository.commit(
      [
        .insertSection("s"),
        .insertItem(
          Item(
            id: "i", cell: "C", content: #"{"title":"Emma"}"#, action: Action(url: "a secret")),
          in: "s"),
      ], to: "list")
    func json(_ detail: Inspection.ContentDetail) throws -> String {
      let inspection = try Inspection(of: file)
      let encoder = JSONEncoder()
      return try [
        encoder.encode(inspection.outline(isLong: true, content: detail)),
        encoder.encode(inspection.timeline(content: detail)),
        encoder.encode(inspection.facts(ofItem: "i", in: "list", content: detail)),
      ].map { String(decoding: $0, as: UTF8.self) }.joined()
    }
    for detail in [Inspection.ContentDetail.hash, .none] {
      #expect(try !json(detail).contains("Emma"))
      #expect(try !json(detail).contains("a secret"))
    }
    // printf '{"title":"Emma"}' | sha256sum
    #expect(try json(.hash).components(separatedBy: "\"649fdfeb\"").count == 5)
    #expect(try !json(.none).contains("649fdfeb"))
    #expect(try json(.full).components(separatedBy: "Emma").count == 5)
  }

  @Test func aDamagedBlockHidesItsOwnItemsAlone() throws {
    let repository = try Repository(at: file)
    try repository.commit(
      [.insertSection("s"), .insertSection("t")]
        + (0..<1_000).map {
          .insertItem(Item(id: ItemID(stringLiteral: "\($0)"), cell: "C", content: "1"), in: "s")
        } + [.insertItem(Item(id: "last", cell: "C", content: "1"), in: "t")], to: "list")
    let queue = try DatabaseQueue(path: file.path)
    let lost = try queue.write { db in
      let block = try #require(
        try Int.fetchOne(
          db,
          sql: """
            SELECT id FROM block WHERE level = 0 AND section IS NOT NULL AND memberCount > 20
            ORDER BY id LIMIT 1 OFFSET 2
            """))
      try db.execute(
        sql: "UPDATE block SET members = '[[1,\"x' WHERE id = ?", arguments: [block])
      return try #require(
        try Int.fetchOne(db, sql: "SELECT memberCount FROM block WHERE id = ?", arguments: [block]))
    }
    let outline = try Inspection(of: file).outline(items: 0..<2_000, isLong: true)
    let sections = try #require(outline.lists.first).sections
    #expect(sections.map(\.items.count) == [1_000 - lost, 1])
    let finding = try #require(outline.findings.first { $0.code == .unreadable })
    #expect(outline.findings.count { $0.code == .unreadable } == 1)
    #expect(finding.place?.hasPrefix("list \"list\", section \"s\": items ") == true)
  }

  @Test func aListOrSectionThatIsNotThereIsAnErrorThatNamesTheFile() throws {
    try bench.makeStore(commits: 4)
    let inspection = try Inspection(of: file)
    let noList = #expect(throws: StoreError.self) { try inspection.outline(of: "frist") }
    #expect(noList?.code == .listNotFound)
    #expect(noList?.file == file.path)
    #expect(noList?.message.contains("\"first\"") == true)
    let noSection = #expect(throws: StoreError.self) {
      try inspection.outline(of: "first", section: "nowhere")
    }
    #expect(noSection?.code == .sectionNotFound)
    #expect(noSection?.file == file.path)
  }
}
