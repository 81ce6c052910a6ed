import Foundation
import ListModel
import StoreFiles

/// The page of a report, put together.
///
/// Everything can be read without its script, which adds the slider.
struct ReportPage {
  var summary: StoreSummary
  var evidence: StoreEvidence
  var findings: [Finding]
  var options: Inspection.Report.Options
  var lists: [ReportedList] = []
  var histograms: Result<[SizeHistogram], any Error> = .success([])
  var space: StoreSpace?

  /// The most lists that are drawn.
  static let mostLists = 8
  /// The most bytes for the data of all sliders.
  static let mostDataBytes = 1_200_000

  init(
    summary: StoreSummary, evidence: StoreEvidence, findings: [Finding],
    options: Inspection.Report.Options
  ) {
    self.summary = summary
    self.evidence = evidence
    self.findings = findings
    self.options = options
  }

  func report() -> Inspection.Report {
    let cells = CellColors(lists, (try? histograms.get()) ?? [])
    let name = NSString(string: summary.file).lastPathComponent
    let title = options.title ?? "Report on \(name)"
    let introduction =
      options.introduction
      ?? "What is in the store, drawn to scale from its stored sizes. Nothing of it was changed."
    let data =
      "{\"formatVersion\":1,\"lists\":["
      + lists.map {
        SliderData($0, cells, mostBytes: Self.mostDataBytes / lists.count).json
      }.joined(separator: ",") + "]}"
    let policy =
      "default-src 'none'; style-src '\(Self.hash(EmbeddedText.reportStyle))'; script-src "
      + "'\(Self.hash(EmbeddedText.reportScript))'; base-uri 'none'; form-action 'none'"
    let html: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(trusted: policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>\(trusted: EmbeddedText.reportStyle)</style>
      </head>
      <body>
      \(Self.patterns)
      <header class="intro"><h1>\(title)</h1><p>\(introduction)</p>\(facts)\(navigation)</header>
      <main>
      \(health)
      \(cells.legend)
      \(HTML(lists.enumerated().map { drawn($1, number: $0, cells) }))
      \(otherLists)
      \(sizes(cells))
      \(if: options.showsFiles, spaceMap)
      \(if: options.showsFiles, files)
      </main>
      <footer>Written by <code>cellar</code>. Times are UTC, lengths are in points.</footer>
      <script type="application/json" id="data">\
      \(trusted: data.replacingOccurrences(of: "<", with: "\\u003c"))</script>
      <script>\(trusted: EmbeddedText.reportScript)</script>
      </body>
      </html>

      """
    return Inspection.Report(html: html.text, findings: findings)
  }

  private static func hash(_ text: String) -> String {
    "sha256-" + Data(Digest.sha256(Array(text.utf8))).base64EncodedString()
  }

  /// The hatching of sizes that are not exact.
  private static let patterns: HTML = """
    <svg class="patterns" width="0" height="0" aria-hidden="true"><defs>\
    <pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(45)"><path d="M0 0V8" class="hatching"/></pattern></defs></svg>
    """

  // MARK: Parts

  private var facts: HTML {
    let items = summary.lists.reduce(0) { $0 &+ ($1.itemCount ?? 0) }
    let facts = [
      options.showsFiles ? Shown.bytes(summary.byteCount) : nil,
      "schema version \(summary.schemaVersion)",
      Shown.count(summary.lists.count, "list"), Shown.count(items, "item"),
    ].compactMap(\.self)
    return "<ul class=\"facts\">\(HTML(facts.map { "<li>\($0)</li>" as HTML }))</ul>"
  }

  private var navigation: HTML {
    let links =
      [("health", "Health")]
      + lists.enumerated().map { ("list-\($0)", Shown.cut($1.summary.list, to: 30)) }
      + [("sizes", "Sizes")]
      + (options.showsFiles ? [("space", "Space"), ("files", "Files")] : [])
    let items = links.map { "<li><a href=\"#\(trusted: $0)\">\($1)</a></li>" as HTML }
    return "<nav aria-label=\"Parts of the page\"><ul>\(HTML(items))</ul></nav>"
  }

  private var health: HTML {
    let worst = findings.map(\.severity).max()
    let verdict =
      switch worst {
      case .error: "Something is wrong"
      case .warning: "Readable, with warnings"
      case .notice, nil:
        summary.isChecked ? "Sound" : "Not checked"
      }
    let state =
      switch worst {
      case .error: "error"
      case .warning: "warning"
      case .notice, nil: summary.isChecked ? "notice" : "muted"
      }
    let items = shownFindings.prefix(100).map { finding -> HTML in
      """
      <li class="finding \(finding.severity.rawValue)"><strong>\(finding.severity.rawValue)\
      \(finding.place.map { ", " + $0 } ?? "")</strong><p>\(Shown.cut(finding.message, to: 600))</p>\
      <p class="muted">\(finding.meaning) \(finding.advice)</p></li>
      """
    }
    let text =
      summary.isChecked
      ? "Checked: pages, lists against their digests and logs, contents and sizes."
      : "The whole store was not checked: run `cellar check`."
    return """
      <section id="health" class="panel" aria-labelledby="health-title">\
      <h2 id="health-title">Health <span class="badge \(state)">\(verdict)</span></h2>\
      <p class="muted">\(text)</p>\(if: !items.isEmpty, "<ul class=\"findings\">\(HTML(items))</ul>")\
      \(if: findings.count > items.count, "<p>\(findings.count - items.count) more.</p>")</section>
      """
  }

  /// The findings, the worst first; without the folder if files are not shown.
  private var shownFindings: [Finding] {
    let sorted = findings.enumerated().sorted {
      ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
    }.map(\.element)
    guard !options.showsFiles, let file = evidence.files.first?.path else { return sorted }
    let folder = NSString(string: file).deletingLastPathComponent + "/"
    return sorted.map { finding in
      var finding = finding
      finding.place = finding.place?.replacingOccurrences(of: folder, with: "")
      finding.message = finding.message.replacingOccurrences(of: folder, with: "")
      finding.advice = finding.advice.replacingOccurrences(of: folder, with: "")
      return finding
    }
  }

  private var otherLists: HTML {
    let others = summary.lists.filter { list in
      !lists.contains { $0.summary.list == list.list }
    }
    if others.isEmpty { return "" }
    let rows = others.prefix(200).map { list -> [HTML] in
      [
        "\(Shown.cut(list.list, to: 80))", "\(list.itemCount.map(Shown.number) ?? "?")",
        "\(list.sectionCount.map(Shown.number) ?? "?")",
        "\(list.revision.map(Shown.number) ?? "?")",
      ]
    }
    return """
      <section class="panel"><h2>Other lists</h2>\
      <p class="muted">\(Shown.count(others.count, "list")) that are not drawn\
      \(if: others.count > 200, "; the first 200").</p>\
      \(HTML.table("Other lists", ["List", "Items#", "Sections#", "Revision#"], rows))</section>
      """
  }

  private func sizes(_ cells: CellColors) -> HTML {
    let body: HTML
    switch histograms {
    case .failure(let error): body = "<p>They can’t be read: \(Finding.reason(error))</p>"
    case .success(let all) where all.isEmpty: body = "<p class=\"muted\">No sizes are stored.</p>"
    case .success(let all):
      let figures = all.map { $0.figure(cells) }
      body = "<div class=\"histograms\">\(HTML(figures))</div>"
    }
    return """
      <section id="sizes" class="panel" aria-labelledby="sizes-title">\
      <h2 id="sizes-title">Sizes by cell</h2><p class="muted">All stored sizes along the direction \
      of scrolling, in points.</p>\(body)</section>
      """
  }

  private var spaceMap: HTML {
    var body: HTML = "<p>It can’t be read.</p>"
    if let space, !space.tables.isEmpty {
      let tables = space.tables.map { ($0.name, $0.byteCount) }
      let lists = space.lists.flatMap { list in
        [
          ("contents of \(list.list)", list.contentByteCount ?? 0),
          ("log of \(list.list)", list.changeByteCount ?? 0),
        ]
      }
      body = """
        \(Self.bars(
          tables + [("free pages", space.freeByteCount)],
          space.method == .pages ? "Pages by table, with indexes" : "Values by table"))\
        \(Self.bars(lists, "Contents and logs by list"))
        """
    }
    return """
      <section id="space" class="panel" aria-labelledby="space-title">\
      <h2 id="space-title">Space</h2>\(body)</section>
      """
  }
}
