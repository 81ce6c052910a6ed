import Foundation
import ListInspection
import ListModel
import ListStore
import ListTables
import TestSupport
import Testing

/// The page of a report: what it has, and how large it gets.
@Suite struct ReportTests {
  private let bench: InspectionBench

  init() throws { bench = try InspectionBench() }

  private func report(
    _ options: Inspection.Report.Options = .init()
  ) throws -> (page: ReportedPage, value: ReportValue, findings: [Finding]) {
    let report = try bench.unchanged { try Inspection(of: bench.file).report(options) }
    let page = ReportedPage(report.html)
    return (page, try page.value(), report.findings)
  }

  private func onlyList(_ options: Inspection.Report.Options = .init()) throws -> ReportedList {
    let lists = try report(options).value.lists
    #expect(lists.count == 1)
    return try #require(lists.first)
  }

  @Test func thePageHasTheValue() throws {
    try bench.makeStore(commits: 40)
    let report = try Inspection(of: bench.file).report(.init(content: .full))
    #expect(try ReportedPage(report.html).value().lists == report.value.lists)
    #expect(report.value.lists.count == 2)
  }

  @Test func theHeadIsTheListWithItsSizes() throws {
    try bench.makeWaterfall()
    let list = try onlyList(.init(content: .full))
    let tree = try Inspection(of: bench.file).tree(of: "shelf")
    let items = tree.sections.flatMap(\.items)
    #expect(Array(list.items.prefix(items.count)) == items.map(\.id.rawValue))
    #expect(list.items.count == 40, "the deleted one is last")
    #expect(list.items.last == "photo-4")
    #expect(list.head == [[0, 0, 39, -1, -1]])
    #expect(list.view.breadth == 220)
    for (number, item) in items.enumerated() {
      #expect(list.contents[number] == item.state.content.text)
      let kind = list.kinds[list.states[number]]
      #expect(list.cells[kind[0]] == item.state.cell.rawValue)
      #expect(kind[1] == item.state.contentRevision)
      let original = try #require(Int(item.id.rawValue.dropFirst(6)))
      let size = list.itemSizes[number]
      guard original % 10 != 9 else {
        #expect(size == -1, "not measured")
        continue
      }
      #expect(list.sizes[size][..<2] == [100, Double(40 + original * 7 % 60)])
      let reason = list.sizes[size][2]
      let isStale = original % 3 == 2
      #expect((reason >= 0) == isStale)
      if isStale {
        let reasons = try report().value.reasons
        #expect(reasons[Int(reason)] == "measured before the content changed")
      }
    }
  }

  @Test func theLogHasEachRevisionWithItsAuthorAndItsChanges() throws {
    try bench.makeWaterfall()
    let list = try onlyList()
    #expect(list.revision == 3)
    #expect(list.commitAuthors.map { list.authors[$0] } == ["editor", "app", "importer"])
    #expect(list.times.allSatisfy { $0 != nil })
    let number = try #require(list.items.firstIndex(of: "photo-3"))
    // Deleted from place 4; moved from place 3 to place 0; then the forty inserts, as few runs.
    #expect(list.changes[0] == [[6, 0, 4, 39]])
    #expect(list.changes[1] == [[7, number, 0, 3, 0, 0]])
    #expect(list.changes[2].count <= 6)
    #expect(list.changes[2].first == [1, 0, 0])
    #expect(list.logEnd == nil)
  }

  @Test func contentsAreHiddenUnlessTheyAreAskedFor() throws {
    try bench.makeWaterfall()
    for content in Inspection.ContentDetail.allCases {
      let (page, value, _) = try report(.init(content: content))
      #expect(page.html.contains("Secret") == (content == .full))
      #expect(page.html.contains("Photos") == (content == .full))
      #expect(page.html.contains("photo-1"))
      let first = value.lists[0].contents[0]
      switch content {
      case .none: #expect(first == nil)
      case .full: #expect(first == #"{"title":"Secret 3"}"#)
      case .hash:
        let text = try #require(first)
        #expect(text.hasPrefix("20 ") && text.count == 11, "its length and its hash")
      }
    }
  }

  @Test func theSameStoreGivesTheSamePage() throws {
    try bench.makeStore(commits: 60)
    let pages = try (0..<3).map { _ in try report(.init(content: .full)).page.html }
    #expect(Set(pages).count == 1)
  }

  @Test func withoutAScriptThePageHasTheHealthAndTheCounts() throws {
    try bench.makeWaterfall()
    let sound = try report().page.plain()
    #expect(sound.contains(">Sound</strong>"))
    #expect(sound.contains("<th scope=\"row\">shelf</th><td class=\"number\">39</td>"))
    #expect(sound.contains("<td>editor</td>"))
    #expect(sound.contains("<noscript>"))
    try bench.change("UPDATE list SET revision = 9")
    let hurt = try report()
    #expect(try hurt.page.plain().contains(">Something is wrong</strong>"))
    let worst = try #require(hurt.findings.first)
    #expect(worst.severity == .error)
    let meaning = worst.meaning.replacingOccurrences(of: "'", with: "&#39;")
    #expect(try hurt.page.plain().contains(meaning))
  }

  @Test func ownersOfNestedListsAreTold() throws {
    let repository = try Repository(at: bench.file)
    try repository.commit(
      [.insertSection("s"), .insertItem(Item(id: "a", cell: "Shelf", content: .null), in: "s")],
      to: "home")
    let owner = ListOwner(list: "home", item: "a", name: "books")
    _ = try repository.edit(owner.nestedList, ownedBy: owner, by: .app) { list in
      try list.apply(.insertSection("t"))
    }
    let lists = try report().value.lists
    let inner = try #require(lists.first { $0.list == owner.nestedList.rawValue })
    #expect(inner.owner?.list == "home")
    #expect(inner.owner?.item == "a")
    #expect(lists.first { $0.list == "home" }?.owner == nil)
  }

  // MARK: Bounds

  private static let mostBytes = 5_000_000

  @Test func aLongListIsCutWithAWord() throws {
    let repository = try Repository(at: bench.file)
    let name = String(repeating: "<", count: 230) + "\u{202E}é"
    let count = 4_000
    try repository.commit(
      [.insertSection("s")]
        + (0..<count).map {
          .insertItem(
            Item(id: ItemID(stringLiteral: name + "\($0)"), cell: "C", content: .null), in: "s")
        }, to: "long")
    try repository.commit([.insertSection("s")], to: "short")
    let (page, value, _) = try report()
    #expect(page.html.utf8.count <= Self.mostBytes)
    #expect(page.html.utf8.count > Self.mostBytes * 9 / 10)
    let list = value.lists[0]
    #expect(list.itemCount == count)
    #expect((1_000..<count).contains(list.items.count))
    #expect(list.head[0][2] == list.items.count)
    #expect(list.cut == "the page has room for these only")
    #expect(list.changes == [])
    #expect(list.logEnd == "not all of the list is on this page")
    #expect(value.lists[1].changes.count == 1, "the other list is whole")
  }

  @Test func aLongLogIsCutWithAWord() throws {
    let repository = try Repository(at: bench.file)
    try repository.commit(
      [.insertSection("s"), .insertItem(Item(id: "a", cell: "C", content: .null), in: "s")],
      to: "l")
    func commit(_ letter: Character, _ count: Int) throws {
      let name = String(repeating: letter, count: 230)
      for number in 0..<count {
        try repository.commit(
          (0..<300).flatMap { item -> [Change] in
            let id = ItemID(stringLiteral: name + "\(number)-\(item)")
            return [.insertItem(Item(id: id, cell: "C", content: .null), in: "s"), .deleteItem(id)]
          }, to: "l")
      }
    }
    try commit("a", 4)
    var list = try onlyList()
    #expect(list.changes.count == 5, "all of it")
    #expect(list.logEnd == nil)
    // Six bytes a character.
    try commit("<", 14)
    let (page, value, _) = try report()
    #expect(page.html.utf8.count <= Self.mostBytes)
    list = value.lists[0]
    #expect((8..<14).contains(list.changes.count), "the newest ones")
    #expect(
      list.logEnd == "the page has room for the newest \(list.changes.count) revisions")
    #expect(list.cut == nil)
  }

  @Test func contentsTakeWhatIsLeft() throws {
    let repository = try Repository(at: bench.file)
    try repository.commit(
      [.insertSection("s")]
        + (0..<4_000).map { number in
          let text = "\(number)" + String(repeating: "x", count: 3_000)
          return .insertItem(
            Item(
              id: ItemID(stringLiteral: "\(number)"), cell: "C",
              content: JSON(minified: "\"\(text)\"")), in: "s")
        }, to: "l")
    // Else its log may still be copied.
    try repository.close()
    let (page, value, _) = try report(.init(content: .full))
    #expect(page.html.utf8.count <= Self.mostBytes)
    #expect(page.html.utf8.count > Self.mostBytes * 9 / 10)
    let list = value.lists[0]
    #expect(list.items.count == 4_000)
    #expect(list.changes.count == 1)
    #expect((1_000..<4_000).contains(list.contents.count { $0 != nil }))
    let last = try #require(list.contents[999])
    #expect(last.hasPrefix("\"999xxx") && last.hasSuffix("x… (3005 bytes)"))
  }

  @Test func manyListsShareThePage() throws {
    let repository = try Repository(at: bench.file)
    for number in 0..<230 {
      try repository.commit(
        [.insertSection("s")]
          + (0..<(number % 50)).map {
            .insertItem(
              Item(id: ItemID(stringLiteral: "\($0)"), cell: "C", content: .null), in: "s")
          }, to: ListID(stringLiteral: "list \(number)"))
    }
    // Nothing else writes while the store is read.
    repository.maintenance.drain()
    let (page, value, _) = try report()
    #expect(value.lists.count == 200, "the longest")
    #expect(value.lists.allSatisfy { $0.itemCount >= 6 })
    #expect(value.summary.lists.count == 230)
    #expect(try page.plain().contains("list 0</th>"))
  }

  // MARK: Damage

  @Test func whatIsDamagedIsSaidAndHidesNothingElse() throws {
    try bench.makeWaterfall()
    try bench.change("UPDATE change SET entries = '[[' WHERE revision = 2")
    let (page, value, findings) = try report()
    #expect(findings.contains { $0.place == "list \"shelf\": its log" && $0.severity == .error })
    #expect(page.html.contains("Something is wrong"))
    #expect(value.lists[0].changes.count == 1, "the revision after it")
    #expect(value.lists[0].logEnd == "revision 2 can’t be read")
    #expect(value.lists[0].items.count == 40)
    #expect(value.sizes.first?.cell == "CardCell")
    #expect(value.space?.tables.isEmpty == false)
  }

  @Test func aStoreThatCanNotBeOpenedHasAPageWithItsFiles() throws {
    try bench.makeStore()
    var bytes = try Data(contentsOf: bench.file)
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    try bytes.write(to: bench.file)
    let (page, value, findings) = try report()
    #expect(findings.contains { $0.code == .header })
    #expect(page.html.contains("Something is wrong"))
    #expect(value.files?.first?.path.hasSuffix(bench.file.lastPathComponent) == true)
    #expect(value.lists == [])
  }

  @Test func filesAreLeftOutOnRequest() throws {
    try bench.makeStore()
    #expect(try report().page.html.contains(bench.file.path))
    #expect(try !report(.init(title: "T", showsFiles: false)).page.html.contains(bench.file.path))
  }
}
