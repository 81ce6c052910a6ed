/// A flow: items in lines, each line with as many items as fit.
struct FlowSection: ItemPlacement {
  let geometry: SectionGeometry
  private(set) var sizes = RunSequence<SizeRun>()
  private(set) var lines = RunSequence<LineRun>()
  /// How many items fit in a line; `nil` if the items have different sizes.
  private var itemsPerLine: Int?

  init(_ sizes: ItemSizes, _ geometry: SectionGeometry) {
    self.geometry = geometry
    replaceItems(0..<0, with: sizes)
  }

  var itemCount: Int { sizes.sums.items }

  var length: Double { lines.length(spacing: geometry.lineSpacing) }

  mutating func replaceItems(_ range: Range<Int>, with items: ItemSizes) {
    var runs = ContiguousArray<SizeRun>()
    runs.reserveCapacity(items.runs.count)
    for run in items.runs {
      let size = geometry.size(of: run)
      runs.append(SizeRun(count: run.count, breadth: size.breadth, length: size.length))
    }
    sizes.replace(range, with: runs)
    breakLines(range, count: items.count)
    itemsPerLine = nil
    if let first = sizes.first,
      sizes.allSatisfy({ $0.breadth == first.breadth && $0.length == first.length })
    {
      itemsPerLine = LineBreaker(geometry).itemsPerLine(breadth: first.breadth)
    }
  }

  /// Breaks lines again from the replaced items on, until a line begins where one began before.
  private mutating func breakLines(_ range: Range<Int>, count: Int) {
    // A replaced item may fit in the line before its own now.
    let known = lines.line(holding: max(0, range.lowerBound - 1), spacing: 0)
    let start = known?.firstItem ?? 0
    let shift = count - range.count
    var breaker = LineBreaker(geometry)
    var oldEnd: Int?
    breaker.breakLines(of: sizes, from: start) { next in
      guard next >= range.lowerBound + count else { return false }
      guard let old = lines.line(holding: next - shift, spacing: 0),
        old.firstItem == next - shift
      else { return false }
      oldEnd = old.firstItem
      return true
    }
    lines.replace(start..<(oldEnd ?? lines.sums.items), with: breaker.lines)
  }

  mutating func finish() {}

  // MARK: Frames

  func frame(ofItem item: Int) -> AxisFrame {
    var frame = AxisFrame(start: 0, length: 0, acrossStart: geometry.grid.start, breadth: 0)
    guard let line = lines.line(holding: item, spacing: geometry.lineSpacing) else { return frame }
    forEachItem(of: line) { if $0 == item { frame = $1 } }
    return frame
  }

  func forEachItem(from low: Double, to high: Double, _ body: (Int, AxisFrame) -> Void) {
    lines.forEachLine(from: low, to: high, spacing: geometry.lineSpacing) { line in
      forEachItem(of: line, body)
    }
  }

  private func forEachItem(of line: Line, _ body: (Int, AxisFrame) -> Void) {
    guard let first = sizes.place(ofItem: line.firstItem) else { return }
    let end = line.firstItem + line.itemCount
    var breadth = 0.0
    forEachSize(of: line, from: first) { breadth += Double($1) * $0.breadth }
    var (acrossStart, gap) = spread(
      line, breadth: breadth, first: sizes[first], isLast: end == itemCount)
    acrossStart += geometry.grid.start
    var item = line.firstItem
    forEachSize(of: line, from: first) { run, count in
      let free = line.length - run.length
      let offset =
        switch geometry.metrics.itemAlignment {
        case .start: 0.0
        case .center: free / 2
        case .end: free
        }
      for _ in 0..<count {
        body(
          item,
          AxisFrame(
            start: line.start + geometry.position(offset), length: run.length,
            acrossStart: geometry.position(acrossStart), breadth: run.breadth))
        acrossStart += run.breadth + gap
        item += 1
      }
    }
  }

  /// Calls a closure with each run of equal sizes in a line, and with how many items it has.
  private func forEachSize(
    of line: Line, from first: RunSequence<SizeRun>.Position, _ body: (SizeRun, Int) -> Void
  ) {
    var left = line.itemCount
    var place = first
    var skipped = line.firstItem - first.before.items
    while left > 0 {
      let run = sizes[place]
      let count = min(left, run.count - skipped)
      body(run, count)
      left -= count
      skipped = 0
      guard let next = sizes.place(after: place) else { return }
      place = next
    }
  }

  /// The start of a line's first item, measured from the section's first inset, and the space
  /// between items.
  ///
  /// `breadth`: The sum of the items' breadths, without spacing.
  private func spread(
    _ line: Line, breadth: Double, first: SizeRun, isLast: Bool
  ) -> (start: Double, gap: Double) {
    let spacing = geometry.grid.spacing
    let free = max(0, geometry.grid.breadth - breadth)
    let rest = max(0, free - Double(line.itemCount - 1) * spacing)
    switch geometry.metrics.lineAlignment {
    case .leading: return (0, spacing)
    case .center: return (rest / 2, spacing)
    case .trailing: return (rest, spacing)
    case .justified:
      if let itemsPerLine {
        // Equal items form a grid: the last line has the gaps of a full one.
        let free = max(0, geometry.grid.breadth - Double(itemsPerLine) * first.breadth)
        return itemsPerLine == 1 ? (free / 2, 0) : (0, free / Double(itemsPerLine - 1))
      }
      if isLast { return (0, spacing) }
      return line.itemCount == 1 ? (free / 2, 0) : (0, free / Double(line.itemCount - 1))
    }
  }

  var problem: String? {
    if let problem = sizes.problem ?? lines.problem { return problem }
    return lines.sums.items == itemCount
      ? nil : "\(lines.sums.items) items are in lines, of \(itemCount)"
  }
}
