import Foundation
import ListInspection
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// What a report's page says of gaps.
@Suite struct GapReportTests {
  private let bench: InspectionBench

  init() throws {
    bench = try InspectionBench()
    let repository = try Repository(at: bench.file)
    func gap(_ id: ItemID, _ gap: Gap) -> Change {
      .insertItem(Item(id: id, cell: Gap.cell, content: gap.content), in: "all")
    }
    func mail(_ id: ItemID) -> Change {
      .insertItem(Item(id: id, cell: "MailCell", content: #"{"title":"Secret"}"#), in: "all")
    }
    try repository.commit(
      [
        .insertSection("all", SectionAttributes(), at: .end), mail("m1"),
        gap("upper", Gap(after: "secret-1", before: "secret-2", count: 1_950, offset: 1)),
        mail("m9"), gap("end", Gap()),
      ], to: "mail")
    let filled = Gap(after: "secret-3", count: 950, offset: 1_001)
    try repository.commit(
      [.updateItem("upper", ItemUpdate(content: .set(filled.content)))], to: "mail", by: "pages")
    try repository.liveList("mail").derived(
      by: #"{"derived":"newest","of":"mail","where":[{"path":"/title","exists":true}]}"#)
    try repository.close()
  }

  private func report(_ content: Inspection.ContentDetail) throws -> Inspection.Report {
    try Inspection(of: bench.file).report(.init(content: content))
  }

  @Test(arguments: Inspection.ContentDetail.allCases)
  func theValueHasThem(_ content: Inspection.ContentDetail) throws {
    let report = try report(content)
    let list = try #require(report.value.lists.first { $0.list == "mail" })
    let counts = list.gaps.values.map(\.count).sorted { $0 ?? 0 < $1 ?? 0 }
    // Without contents, the log's are not read.
    #expect(counts == (content == .none ? [nil, nil, 950] : [nil, 950, 1_950]))
    let isShown = list.gaps.values.contains { $0.after?.text == "secret-3" }
    #expect(isShown == (content == .full))
    #expect(report.html.contains("secret-") == (content == .full))
    #expect(report.value.summary.lists.map(\.gapCount) == [2, 0])
    #expect(report.value.summary.lists.map { $0.derived?.gapCount } == [nil, 2])
  }

  @Test(.enabled(if: ReportedPage.hasNode, "needs node on the path"))
  func theyAreNamedByWhatIsMissing() throws {
    let found = try ReportedPage(try report(.hash).html).run(
      """
      const list = new ListAtRevision(value.lists[0], value.content);
      const names = () => list.itemsOf[0].items.map((item) => list.title(item));
      const now = names();
      list.goTo(1);
      return [now, names()];
      """)
    #expect(
      found as? [[String]] == [
        ["m1", "950 items not loaded", "m9", "items not loaded"],
        ["m1", "1,950 items not loaded", "m9", "items not loaded"],
      ])
  }

  @Test(.enabled(if: Chromium.isThere, "needs chromium on the path"))
  func aBrowserShowsThem() throws {
    let page = try Chromium.open(
      try report(.full).html, in: bench.folder, at: "list=mail&item=upper"
    ).document
    #expect(page.contains("This list has 2 gaps: what stands there was not loaded."))
    #expect(page.firstMatch(of: #/class="part look-gap[^>]*data-item/#) != nil)
    #expect(page.contains("<dt>Gap</dt><dd>950 items not loaded, from position 1,001</dd>"))
    #expect(page.contains("<dt>Cursor after</dt><dd><code>secret-3</code></dd>"))
    #expect(page.contains("1,950 items not loaded → 950 items not loaded"))
    let derived = try Chromium.open(
      try report(.hash).html, in: bench.folder, at: "list=newest"
    ).document
    #expect(derived.contains("0 commits behind, incomplete because its source has 2 gaps: "))
  }
}
