/// A line of items.
struct Line {
  /// Its first item.
  var firstItem: Int
  var itemCount: Int
  /// The distance from the start of the first line, in points.
  var start: Double
  /// The length of the line along the direction of scrolling, in points.
  var length: Double
}

extension RunSequence<LineRun> {
  /// The line that holds an item.
  ///
  /// `spacing`: The space between lines, in points.
  func line(holding item: Int, spacing: Double) -> Line? {
    guard let place = place(ofItem: item) else { return nil }
    let run = self[place]
    return line((item - place.before.items) / run.itemsPerLine, of: run, at: place, spacing)
  }

  /// The length from the start of the first line to the end of the last one, in points.
  func length(spacing: Double) -> Double {
    sums.length + Double(max(0, sums.lines - 1)) * spacing
  }

  private func line(_ index: Int, of run: LineRun, at place: Position, _ spacing: Double) -> Line {
    Line(
      firstItem: place.before.items + index * run.itemsPerLine, itemCount: run.itemsPerLine,
      start: place.before.length + Double(place.before.lines) * spacing
        + Double(index) * (run.length + spacing),
      length: run.length)
  }

  /// Calls a closure with each line that overlaps a range, in order; lines without length are left
  /// out.
  func forEachLine(
    from low: Double, to high: Double, spacing: Double, _ body: (Line) -> Void
  ) {
    guard low < high, var place = place(atDistance: low, spacing: spacing) else { return }
    while true {
      let run = self[place]
      if run.length > 0 {
        // The first line of the run that ends behind `low`. The division may round up, so it begins
        // one line earlier.
        let runStart = line(0, of: run, at: place, spacing).start
        let steps = (low - runStart) / (run.length + spacing)
        var index = Int(max(0, min(steps.rounded(.down) - 1, Double(run.lines))))
        while index < run.lines {
          let line = line(index, of: run, at: place, spacing)
          if line.start >= high { return }
          if line.start + line.length > low { body(line) }
          index += 1
        }
      }
      guard let next = self.place(after: place) else { return }
      place = next
    }
  }
}
