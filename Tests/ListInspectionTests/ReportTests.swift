import Foundation
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// The page of a report: what it shows, and how large it gets.
@Suite struct ReportTests {
  private let bench: InspectionBench

  init() throws { bench = try InspectionBench() }

  private func report(
    _ options: Inspection.Report.Options = .init()
  ) throws -> (page: ReportedPage, findings: [Finding]) {
    let report = try bench.unchanged { try Inspection(of: bench.file).report(options) }
    return (ReportedPage(report.html), report.findings)
  }

  @Test func itemsAreDrawnWhereTheirStoredSizesPlaceThem() throws {
    try bench.makeWaterfall()
    let parts = try report().page.parts()
    // The header has no size, so it takes 44 points; then come the insets.
    let header = try #require(parts.first)
    #expect(header.look.contains("supplementary"))
    #expect((header.x, header.y, header.height) == (0, 0, 44))
    let items = parts.dropFirst().prefix(3)
    #expect(items.map(\.label) == ["photo-3", "photo-0", "photo-1"])
    #expect(items.map(\.width) == [100, 100, 100])
    #expect(items.map(\.height) == [61, 40, 47])
    #expect(items.map(\.x) == [5, 115, 115], "the third goes to the shorter column")
    #expect(items.map(\.y) == [49, 49, 93])
  }

  @Test func sizesThatAreNotExactAreMarkedWithTheReason() throws {
    try bench.makeWaterfall()
    let parts = try report().page.parts()
    let known = Dictionary(grouping: parts.dropFirst(), by: { $0.look.last ?? "" })
    #expect(Set(known.keys) == ["exact", "estimate", "missing"])
    for part in known["estimate"] ?? [] {
      #expect(part.detail.contains("an estimate: measured before the content changed"))
    }
    #expect(
      known["missing"]?.map(\.label).sorted() == ["photo-19", "photo-29", "photo-39", "photo-9"])
    #expect(known["missing"]?.allSatisfy { $0.detail.contains("not measured") } == true)
    // The hatching.
    let html = try report().page.html
    #expect(html.contains("<rect class=\"hatch\" width=\"100\""))
    #expect(html.contains("id=\"hatch\""))
  }

  @Test func theSliderHasEachRevisionWithItsListItsChangesAndItsAuthor() throws {
    try bench.makeWaterfall()
    let page = try report().page
    let steps = try page.steps()
    #expect(steps.map { $0["revision"] as? Int } == [1, 2, 3])
    #expect(steps.map { $0["author"] as? String } == ["importer", "app", "editor"])
    let changes = steps.compactMap { $0["changes"] as? String }
    #expect(changes[0].hasPrefix("Inserted: photo-0, photo-1, photo-2, photo-3 and 36 more."))
    #expect(changes[1...] == ["Moved: photo-3.", "Deleted: photo-4."])
    // Seven numbers a part: the header and the items.
    #expect(steps.map { ($0["parts"] as? [Int])?.count } == [41 * 7, 41 * 7, 40 * 7])
    let labels = try #require(try page.lists()[0]["labels"] as? [[String: Any]])
    let second = try #require(steps[1]["parts"] as? [Int])
    #expect(labels[second[7]]["text"] as? String == "photo-3")
    #expect(second[13] == 1, "it has just moved")
    #expect(second[20] == 0)
    // The same can be read without the script.
    for words in ["importer", "Moved: photo-3.", "Deleted: photo-4."] {
      #expect(page.html.contains("<td>\(words)</td>"), "\(words)")
    }
  }

  @Test func contentsAreHiddenUnlessTheyAreAskedFor() throws {
    try bench.makeWaterfall()
    for content in Inspection.ContentDetail.allCases {
      let html = try report(.init(content: content)).page.html
      #expect(html.contains("Secret") == (content == .full))
      #expect(html.contains("Photos") == (content == .full))
      #expect(html.contains("SHA-256 ") == (content == .hash))
      #expect(html.contains("photo-1"))
    }
  }

  @Test func theSameStoreGivesTheSamePage() throws {
    try bench.makeStore(commits: 60)
    let pages = try (0..<3).map { _ in try report(.init(content: .full)).page.html }
    #expect(Set(pages).count == 1)
  }

  @Test func everyRandomHistoryIsDrawnAtEachRevision() throws {
    try bench.makeStore(seed: 5, commits: 50)
    let (page, findings) = try report()
    #expect(findings.allSatisfy { $0.severity == .notice }, "\(findings)")
    let lists = try page.lists()
    #expect(lists.count == 2)
    for index in lists.indices {
      let steps = try page.steps(ofList: index)
      #expect(steps.count == 50)
      #expect(steps.allSatisfy { $0["parts"] is [Int] })
    }
  }

  @Test func aLongListAndALongLogGiveABoundedPage() throws {
    let repository = try Repository(at: bench.file)
    for list in 0..<10 {
      let id = ListID(stringLiteral: "list \(list)")
      let text = String(repeating: "long name ", count: 20)
      try repository.commit(
        [.insertSection("s")]
          + (0..<(list == 3 ? 1_000 : 20)).map {
            .insertItem(
              Item(id: ItemID(stringLiteral: text + "\($0)"), cell: "C", content: "{}"), in: "s")
          }, to: id)
    }
    for number in 0..<600 {
      try repository.commit(
        [
          .moveItem(
            ItemID(stringLiteral: String(repeating: "long name ", count: 20) + "\(number)"),
            to: .start)
        ], to: "list 3")
    }
    let page = ReportedPage(try Inspection(of: bench.file).report().html)
    #expect(page.html.utf8.count < 1_500_000)
    let lists = try page.lists()
    #expect(lists.count == 8)
    let steps = try page.steps(ofList: 3)
    #expect(steps.count == 500)
    #expect(steps.last?["revision"] as? Int == 601)
    #expect(steps.last?["parts"] is [Int])
    #expect((2..<100).contains(steps.count { $0["parts"] is [Int] }), "most are only told")
    #expect(
      steps.contains { ($0["changes"] as? String)?.hasPrefix("2 commits: Moved: ") == true })
    #expect(page.html.contains("The whole list: 44,000 points high"))
    #expect(page.html.contains("Other lists"))
  }

  @Test func whatIsDamagedIsSaidAndHidesNothingElse() throws {
    try bench.makeWaterfall()
    try bench.change("UPDATE change SET entries = '[[' WHERE revision = 2")
    let (page, findings) = try report()
    #expect(findings.contains { $0.place == "list \"shelf\": its log" && $0.severity == .error })
    #expect(page.html.contains("Something is wrong"))
    #expect(try page.parts().count > 30)
    #expect(page.html.contains("CardCell</strong> 27 sizes"))
    #expect(page.html.contains("Pages by table"))
  }

  @Test func aStoreThatCanNotBeOpenedHasAPageWithItsFiles() throws {
    try bench.makeStore()
    var bytes = try Data(contentsOf: bench.file)
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    try bytes.write(to: bench.file)
    let (page, findings) = try report()
    #expect(findings.contains { $0.code == .header })
    #expect(page.html.contains("Something is wrong"))
    #expect(page.html.contains(bench.file.lastPathComponent))
    #expect(try page.parts() == [])
  }

  @Test func filesAreLeftOutOnRequest() throws {
    try bench.makeStore()
    #expect(try report().page.html.contains(bench.file.path))
    #expect(try !report(.init(title: "T", showsFiles: false)).page.html.contains(bench.file.path))
  }
}
