import ListLayout
import ListModel

extension ReportPage {
  /// A list with its drawing, its strip and its log.
  func drawn(_ list: ReportedList, number: Int, _ cells: CellColors) -> HTML {
    let summary = list.summary
    let isVertical = list.view.container.axis == .vertical
    let facts = [
      summary.revision.map { "revision \(Shown.number($0))" },
      summary.sectionCount.map { Shown.count($0, "section") },
      summary.itemCount.map { Shown.count($0, "item") },
      list.view.sizeCount > 0 ? Shown.count(list.view.sizeCount, "size") + " for this view" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    return """
      <section id="list-\(number)" class="panel list" data-number="\(number)" \
      aria-labelledby="list-\(number)-title"><h2 id="list-\(number)-title">\
      \(Shown.cut(summary.list, to: 100))</h2><p class="muted">\(facts). \
      \(list.view.description)</p>\
      <div class="controls"></div>\
      <div class="drawings"><div class="drawing" tabindex="0" role="group" \
      aria-label="Drawing">\(list.drawing.svg(cells, isVertical: isVertical))\
      \(if: list.drawing.isCut, "<p class=\"muted\">The list goes on.</p>")</div>\
      \(list.strip.map { $0.svg(cells, isVertical: isVertical) } ?? "")\
      </div>\(list.history.table)</section>
      """
  }
}

extension ListDrawing {
  /// The edges of a frame in whole points.
  static func edges(_ frame: Frame) -> (x: Int, y: Int, width: Int, height: Int) {
    let (x, y) = (Shown.whole(frame.x), Shown.whole(frame.y))
    return (
      x, y, Shown.whole(frame.x + frame.width) - x, Shown.whole(frame.y + frame.height) - y
    )
  }

  /// The drawing as an image, a point a unit.
  func svg(_ cells: CellColors, isVertical: Bool) -> HTML {
    let width = max(1, Shown.whole(size.width.rounded(.up)))
    let height = max(1, Shown.whole(size.height.rounded(.up)))
    return """
      <svg class="view\(isVertical ? " vertical" : "")" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
      role="img" aria-label="\(Shown.count(parts.count, "part"))">\
      \(HTML(parts.map { $0.svg(cells) }))</svg>
      """
  }
}

extension ListDrawing.Part {
  /// The part as an image inside the drawing, which clips its text.
  fileprivate func svg(_ cells: CellColors) -> HTML {
    let (x, y, width, height) = ListDrawing.edges(frame)
    let look = cells.number(of: label.cell).map { "look-\($0)" } ?? "supplementary"
    let hatch: HTML =
      size == .estimate ? "<rect class=\"hatch\" width=\"\(width)\" height=\"\(height)\"/>" : ""
    return """
      <svg class="part \(look) \(size.name)" x="\(x)" y="\(y)" width="\(width)" \
      height="\(height)"><title>\(label.detail), \(width) × \(height)</title>\
      <rect class="box" x=".5" y=".5" width="\(max(0, width - 1))" \
      height="\(max(0, height - 1))" rx="4"/>\(hatch)\
      <text x="8" y="\(min(18, height / 2 + 4))">\(label.text)</text></svg>
      """
  }
}

extension ListDrawing.KnownSize {
  /// The class of its look.
  var name: String {
    switch self {
    case .exact: "exact"
    case .estimate: "estimate"
    case .missing: "missing"
    }
  }
}

extension ListStrip {
  /// The whole list on 600 units.
  func svg(_ cells: CellColors, isVertical: Bool) -> HTML {
    let scale = length > 0 ? 600 / length : 0
    let shapes = parts.map { part -> HTML in
      let start = Shown.whole(part.start * scale)
      let extent = max(1, Shown.whole(part.end * scale) - start)
      let look = cells.number(of: part.cell).map { "look-\($0)" } ?? "supplementary"
      let hatch: HTML =
        part.isEstimate
        ? "<rect class=\"hatch\" y=\"\(start)\" width=\"40\" height=\"\(extent)\"/>" : ""
      return """
        <g class="part \(look)"><title>\(part.title)</title>\
        <rect class="band" y="\(start)" width="40" height="\(extent)"/>\(hatch)</g>
        """
    }
    return """
      <figure class="strip"><svg viewBox="0 0 40 600" width="40" height="600" role="img" \
      aria-label="The whole list, compressed">\(HTML(shapes))</svg><figcaption>The whole list: \
      \(Shown.points(length.rounded())) points \(isVertical ? "high" : "long")</figcaption></figure>
      """
  }
}

extension ReportedHistory {
  /// The last commits as a table.
  fileprivate var table: HTML {
    if steps.isEmpty { return "<p class=\"muted\">Its log is empty.</p>" }
    let rows = steps.suffix(50).reversed().map { step -> [HTML] in
      [
        "\(Shown.number(step.revision))", "\(Shown.time(step.time))", "\(step.author)",
        "\(step.summary)",
      ]
    }
    let caption =
      steps.count > 50
      ? "Log: the last 50 of \(Shown.count(steps.count, "revision"))"
      : "Log: \(Shown.count(steps.count, "revision"))"
    return """
      <details><summary>\(caption)</summary>\
      \(HTML.table("Log", ["Revision#", "Time", "Author", "Changes"], rows))</details>
      """
  }
}

extension ReportedHistory.Step {
  /// What the commits since the step before changed.
  var summary: String {
    commitCount > 1 ? "\(Shown.count(commitCount, "commit")): \(words)" : words
  }
}
