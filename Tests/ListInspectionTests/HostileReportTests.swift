import Foundation
import ListInspection
import ListModel
import ListStore
import StoreFiles
import TestSupport
import Testing

/// A page shows texts that a store brings along and never runs them.
@Suite struct HostileReportTests {
  private let bench: InspectionBench
  private static let host = "attacker.invalid"
  /// Markup for elements, attributes, scripts and style sheets; a terminal's escapes; directions.
  private static let polyglot =
    "'\"--></script></title></style></svg><script>document.documentElement.dataset.owned=1</script>"
    + "<img src=http://\(host)/i onerror=document.title='owned'>\u{1B}[31m\u{202E}\u{2028}&#39;`${1}"
  /// The same for names, which are shorter.
  private static let shortPolyglot =
    "'\"></script></title><img src=http://\(host)/s onerror=document.title='owned'>\u{1B}]\u{202E}"

  init() throws { bench = try InspectionBench() }

  private func hostilePage() throws -> String {
    let (name, text) = (Self.shortPolyglot, Self.polyglot)
    let content = try JSON(parsing: "{\"title\":\(JSONWriter.quoted(text))}")
    let view = Supplementary(view: ViewName(stringLiteral: name), content: content)
    let repository = try Repository(at: bench.file)
    try repository.commit(
      [
        .insertSection(
          SectionID(stringLiteral: name), SectionAttributes(header: view, footer: view)),
        .insertItem(
          Item(
            id: ItemID(stringLiteral: text), cell: CellName(stringLiteral: name),
            content: content), in: SectionID(stringLiteral: name)),
      ], to: ListID(stringLiteral: name),
      by: Author(String(name.unicodeScalars.prefix(60).map(Character.init))))
    let key = SizeKey(
      fittingPixels: 300, variant: "",
      environment: LayoutEnvironment(contentSizeCategory: text, locale: text, system: text))
    try repository.save(
      [
        MeasuredSize(
          item: ItemID(stringLiteral: text), size: Size(width: 300, height: 40),
          cell: CellName(stringLiteral: name), contentRevision: 0)
      ], for: key, in: ListID(stringLiteral: name))
    return try Inspection(of: bench.file).report(
      .init(title: text, introduction: text, content: .full)
    ).html
  }

  @Test func everyTextIsEscaped() throws {
    let html = try hostilePage()
    #expect(html.contains("owned"))
    #expect(html.components(separatedBy: "<script").count == 3, "the data and one script")
    #expect(html.components(separatedBy: "</script").count == 3)
    #expect(!html.contains("<img"))
    for scalar in html.unicodeScalars where scalar != "\n" {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        Issue.record("U+\(String(scalar.value, radix: 16))")
      default: break
      }
    }
    // In the value each text is what it is.
    let list = try ReportedPage(html).value().lists[0]
    #expect(list.items == [Self.polyglot])
    #expect(list.list == Self.shortPolyglot)
    #expect(list.sections == [Self.shortPolyglot])
  }

  @Test func onlyTheScriptAndTheStyleOfThePageAreAllowed() throws {
    let html = try hostilePage()
    let policy = try #require(
      html.firstMatch(of: #/Content-Security-Policy" content="([^"]*)"/#)
    ).1
    #expect(policy.hasPrefix("default-src 'none'; "))
    for (directive, element) in [("script-src", "script"), ("style-src", "style")] {
      let start = try #require(html.range(of: "<\(element)>"))
      let end = try #require(
        html.range(of: "</\(element)>", range: start.upperBound..<html.endIndex))
      let text = html[start.upperBound..<end.lowerBound]
      let hash = Data(Digest.sha256(Array(text.utf8))).base64EncodedString()
      #expect(policy.contains("\(directive) 'sha256-\(hash)'"), "\(directive)")
    }
    #expect(!html.contains(" style="))
    for reference in ["src=\"", "@import", "url(http"] { #expect(!html.contains(reference)) }
  }

  @Test(.enabled(if: Chromium.isThere, "needs chromium on the path"))
  func aBrowserRunsNothingOfTheStoreAndAsksForNothing() throws {
    let safe = try Chromium.open(hostilePage(), in: bench.folder)
    #expect(safe.document.contains("type=\"range\""), "the page's own script has run")
    #expect(!safe.document.contains("data-owned"))
    #expect(!safe.document.contains("<title>owned"))
    #expect(!safe.log.contains(Self.host))
    // The same text, not escaped: so both would be seen.
    let unsafe = try Chromium.open(
      "<!DOCTYPE html><title>t</title><p>\(Self.polyglot)</p>", in: bench.folder)
    #expect(unsafe.document.contains("data-owned"))
    #expect(unsafe.log.contains(Self.host))
  }
}
