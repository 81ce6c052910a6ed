import Foundation
import ListModel
import StoreFiles

/// The page of a report: its value as JSON, the script that draws it, and, for browsers without
/// scripts, the health of the store and the number of what is in it.
struct ReportPage {
  private let value: ReportValue
  private let options: Inspection.Report.Options

  private static let mostFindings = 100

  /// The script: its parts in the order in which they need each other.
  private static let script = [
    EmbeddedText.reportScript1, EmbeddedText.reportScript2, EmbeddedText.reportScript3,
    EmbeddedText.reportScript4, EmbeddedText.reportScript5, EmbeddedText.reportScript6,
  ].joined()

  init(_ value: ReportValue, _ options: Inspection.Report.Options) {
    self.value = value
    self.options = options
  }

  var html: String {
    let script = Self.script
    let policy =
      "default-src 'none'; style-src '\(Self.hash(EmbeddedText.reportStyle))'; script-src "
      + "'\(Self.hash(script))'; base-uri 'none'; form-action 'none'"
    let introduction =
      options.introduction
      ?? "What is in the store, drawn to scale from its stored sizes. Nothing of it was changed."
    let html: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(trusted: policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(value.title)</title>
      <style>\(trusted: EmbeddedText.reportStyle)</style>
      </head>
      <body>
      <header><div><h1>\(value.title)</h1>\(facts)</div><p class="muted">\(introduction)</p></header>
      <main>
      \(health)
      \(lists)
      <noscript><p class="panel">The lists at each revision, the sizes, the space and the files are \
      drawn by the page’s script, which does not run here.</p></noscript>
      </main>
      <footer>Written by <code>cellar</code>. Times are UTC, lengths are in points.</footer>
      <script type="application/json" id="data">\(trusted: json)</script>
      <script>\(trusted: script)</script>
      </body>
      </html>

      """
    return html.text
  }

  private static func hash(_ text: String) -> String {
    "sha256-" + Data(Digest.sha256(Array(text.utf8))).base64EncodedString()
  }

  private var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    var value = value
    value.summary.findings = Array(value.summary.findings.prefix(Self.mostFindings))
    do {
      return Self.escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
    } catch {
      // The page then shows what it shows without its script.
      return "null"
    }
  }

  /// JSON that ends no element and has no invisible characters.
  static func escaped(_ json: String) -> String {
    ShownText.json(json).replacingOccurrences(of: "<", with: "\\u003c")
  }

  // MARK: Parts

  private var facts: HTML {
    let facts = [
      options.showsFiles ? Shown.bytes(value.summary.byteCount) : nil,
      "schema version \(value.summary.schemaVersion)",
      Shown.count(value.listCount, "list"), Shown.count(value.itemCount, "item"),
    ].compactMap(\.self)
    return "<ul class=\"facts\">\(HTML(facts.map { "<li>\($0)</li>" as HTML }))</ul>"
  }

  private var health: HTML {
    let findings = value.summary.findings
    let isChecked = value.summary.isChecked
    let (verdict, state) =
      switch findings.map(\.severity).max() {
      case .error: ("Something is wrong", "error")
      case .warning: ("Readable, with warnings", "warning")
      case .notice, nil: isChecked ? ("Sound", "notice") : ("Not checked", "unknown")
      }
    let items = findings.prefix(Self.mostFindings).map { finding -> HTML in
      """
      <li class="finding \(finding.severity.rawValue)"><strong>\(finding.severity.rawValue)\
      \(finding.place.map { ", " + $0 } ?? "")</strong><p>\(Shown.cut(finding.message, to: 600))</p>\
      <p class="muted">\(finding.meaning) \(finding.advice)</p></li>
      """
    }
    let text =
      isChecked
      ? "Checked: pages, lists against their digests, logs and definitions, contents and sizes."
      : "The whole store was not checked: run `cellar check`."
    let more = findings.count - items.count
    return """
      <section id="health" class="panel" aria-label="Health"><p><strong class="badge \(state)">\
      \(verdict)</strong> <span class="muted">\(text)</span></p>\
      \(if: !items.isEmpty, """
        <details\(if: state == "error" || state == "warning", " open")><summary>\
        \(Shown.count(findings.count, "finding"))</summary>\
        <ul class="findings">\(HTML(items))</ul>\(if: more > 0, "<p>\(Shown.number(more)) more.</p>")</details>
        """)</section>
      """
  }

  private var lists: HTML {
    let rows = value.summary.lists.map { list -> HTML in
      let counts = [list.itemCount, list.sectionCount, list.revision, list.sizeCount]
      let cells = counts.map { count -> HTML in
        "<td class=\"number\">\(count.map(Shown.number) ?? "?")</td>"
      }
      let commit = list.lastCommit
      let derived =
        list.derived.map { facts -> HTML in
          """
          <br><small class="muted">derived from \(Shown.cut(facts.source, to: 80)), \
          \(Shown.count(facts.lag, "commit")) behind</small>
          """
        } ?? ""
      return """
        <tr><th scope="row">\(Shown.cut(list.list, to: 80))\(derived)</th>\(HTML(cells))\
        <td>\(Shown.time(commit?.time))</td><td>\(commit?.author ?? "")</td></tr>
        """
    }
    return """
      <section id="lists" class="panel" aria-labelledby="lists-title"><h2 id="lists-title">\
      Lists</h2>\(if: value.listCount > rows.count, "<p>The \(Shown.number(rows.count)) longest.</p>")\
      <div class="scroll" tabindex="0" role="group" aria-label="Lists"><table><thead><tr>\
      <th scope="col">List</th><th scope="col" class="number">Items</th>\
      <th scope="col" class="number">Sections</th><th scope="col" class="number">Revision</th>\
      <th scope="col" class="number">Sizes</th><th scope="col">Last commit</th>\
      <th scope="col">By</th></tr></thead><tbody>\(HTML(rows))</tbody></table></div></section>
      """
  }
}
