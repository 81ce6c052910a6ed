import ListModel

/// The colour of each cell: the most frequent ones have one of their own.
struct CellColors {
  private let numbers: [String: Int]
  private let names: [String]
  private static let lookCount = 8

  init(_ lists: [ReportedList], _ histograms: [SizeHistogram]) {
    var counts: [String: Int] = [:]
    for list in lists {
      let strip = list.strip?.parts.map(\.cell) ?? []
      for case let cell? in list.drawing.parts.map(\.label.cell) + strip {
        counts[cell.rawValue, default: 0] += 1
      }
      for case let cell? in list.history.steps.flatMap({ $0.drawing?.parts ?? [] }).map(
        \.label.cell)
      {
        counts[cell.rawValue, default: 0] += 0
      }
    }
    for histogram in histograms { counts[histogram.cell, default: 0] += 0 }
    names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
  }

  /// The number of a cell's look; `nil` for a header or footer.
  func number(of cell: CellName?) -> Int? {
    cell.map { (numbers[$0.rawValue] ?? 0) % Self.lookCount }
  }

  /// The class of a cell's look.
  func look(of cell: String) -> String { "look-\((numbers[cell] ?? 0) % Self.lookCount)" }

  /// What the colours and the hatching mean.
  var legend: HTML {
    let shown = names.prefix(24).map { name -> HTML in
      "<li class=\"cell-color \(look(of: name))\">\(swatch("")) \(Shown.cut(name, to: 60))</li>"
    }
    let more = names.count - shown.count
    return """
      <ul class="legend" aria-label="Cells and sizes">\(HTML(shown))\
      \(if: more > 0, "<li>\(Shown.number(more)) more cells</li>")\
      <li class="supplementary">\(swatch("")) header or footer</li>\
      <li>\(swatch("estimate")) size is an estimate, such as one from before a change</li>\
      <li>\(swatch("missing")) not measured</li></ul>
      """
  }

  private func swatch(_ kind: String) -> HTML {
    """
    <svg class="swatch part \(kind)" width="22" height="15" aria-hidden="true">\
    <rect class="box" x="1" y="1" width="20" height="13"/>\
    \(if: kind == "estimate", "<rect class=\"hatch\" x=\"1\" y=\"1\" width=\"20\" height=\"13\"/>")\
    </svg>
    """
  }
}
