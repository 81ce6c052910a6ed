/// A list: one item a line, each as broad as the section.
struct SingleColumnSection: ItemPlacement {
  private let geometry: SectionGeometry
  private var lines = RunSequence<LineRun>()

  init(_ sizes: ItemSizes, _ geometry: SectionGeometry) {
    self.geometry = geometry
    replaceItems(0..<0, with: sizes)
  }

  var itemCount: Int { lines.sums.items }

  var length: Double { lines.length(spacing: geometry.lineSpacing) }

  func frame(ofItem item: Int) -> AxisFrame {
    guard let line = lines.line(holding: item, spacing: geometry.lineSpacing) else {
      return AxisFrame(start: 0, length: 0, acrossStart: geometry.grid.start, breadth: 0)
    }
    return frame(line)
  }

  private func frame(_ line: Line) -> AxisFrame {
    AxisFrame(
      start: line.start, length: line.length, acrossStart: geometry.grid.start,
      breadth: geometry.grid.column.points)
  }

  func forEachItem(from low: Double, to high: Double, _ body: (Int, AxisFrame) -> Void) {
    lines.forEachLine(from: low, to: high, spacing: geometry.lineSpacing) { line in
      body(line.firstItem, frame(line))
    }
  }

  mutating func replaceItems(_ range: Range<Int>, with sizes: ItemSizes) {
    var runs = ContiguousArray<LineRun>()
    runs.reserveCapacity(sizes.runs.count)
    for run in sizes.runs {
      runs.append(
        LineRun(lines: run.count, itemsPerLine: 1, length: geometry.size(of: run).length))
    }
    lines.replace(range, with: runs)
  }

  mutating func finish() {}

  var problem: String? { lines.problem }
}
