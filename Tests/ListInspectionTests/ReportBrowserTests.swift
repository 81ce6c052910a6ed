import Foundation
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// What a browser shows of a report's page.
@Suite(.enabled(if: Chromium.isThere, "needs chromium on the path"))
struct ReportBrowserTests {
  private let bench: InspectionBench

  init() throws {
    bench = try InspectionBench()
    try bench.makeWaterfall()
  }

  private func document(at fragment: String) throws -> String {
    let report = try Inspection(of: bench.file).report(.init(content: .full))
    return try Chromium.open(report.html, in: bench.folder, at: fragment).document
  }

  @Test func itOpensAtTheNewestRevisionWithWhatThatChanged() throws {
    let page = try document(at: "")
    #expect(page.contains("<strong>Revision 3 of 3</strong>"))
    #expect(page.contains("by editor"))
    #expect(page.contains(">deleted</span><div><button type=\"button\" class=\"link\">Secret 4<"))
    // Its history is told beside it.
    #expect(page.contains("<h3>History: 2 changes</h3>"))
    #expect(page.contains(">not in this revision</dd>"))
  }

  @Test func theAddressLeadsToARevisionAndAnItem() throws {
    let page = try document(at: "list=shelf&revision=2&item=photo-3")
    #expect(page.contains("<strong>Revision 2 of 3</strong>"))
    let item = try #require(
      page.firstMatch(of: #/<div class="part look-\d [^"]*selected"[^>]*title="([^"]*)"/#))
    #expect(item.0.contains("changed"), "it was moved")
    #expect(item.1.contains("item photo-3, cell CardCell, 100 × 61 points, exact"))
    #expect(page.contains("photos 3 → photos 0") || page.contains("Photos 3 → Photos 0"))
    #expect(page.contains(">Secret 4<"), "it was not deleted yet")
  }

  @Test func theAddressLeadsToASearch() throws {
    let page = try document(at: "search=secret+1")
    #expect(page.contains("<h2>11 items found</h2>"))
    #expect(page.contains("stage searching"))
    #expect(page.matches(of: #/class="part [^"]*match/#).count > 2)
  }

  @Test func onlyWhatIsInSightIsDrawn() throws {
    let bench = try InspectionBench()
    try bench.makeWaterfall(items: 3_000)
    let report = try Inspection(of: bench.file).report()
    let page = try Chromium.open(report.html, in: bench.folder).document
    #expect((20..<200).contains(page.matches(of: #/<div class="part look/#).count))
  }
}
