/// Breaks a sequence of items into lines.
struct LineBreaker {
  /// The full lines, and the last one.
  private(set) var lines = ContiguousArray<LineRun>()
  private let available: Double
  private let spacing: Double
  private var open = LineRun(lines: 1, itemsPerLine: 0, length: 0)
  private var used = 0.0
  /// How many lines were closed.
  private var closedCount = 0

  init(_ geometry: SectionGeometry) {
    available = geometry.grid.breadth + PixelRounding.tolerance
    spacing = geometry.grid.spacing
  }

  /// The most items of a line; without a limit, items without breadth would all go to one line.
  static var maximumCount: Int { 1_000 }

  /// How many items of a breadth fit in a line; at least 1, and at most `itemCount`.
  func itemsPerLine(breadth: Double, of itemCount: Int = maximumCount) -> Int {
    var (count, used) = (1, breadth)
    while count < min(itemCount, Self.maximumCount), used + spacing + breadth <= available {
      used += spacing + breadth
      count += 1
    }
    return count
  }

  /// Breaks the items from one on into lines.
  ///
  /// `start`: The first item, which begins a line.
  /// `isKnown`: Returns whether a line that begins at an item is known. It is called for the first
  ///     lines and then for some of the others: once a line begins where it did before, so do all
  ///     that follow.
  mutating func breakLines(
    of sizes: RunSequence<SizeRun>, from start: Int, until isKnown: (_ item: Int) -> Bool
  ) {
    guard var place = sizes.place(ofItem: start) else { return }
    var item = start
    var skipped = start - place.before.items
    while true {
      var run = sizes[place]
      run.count -= skipped
      skipped = 0
      while run.count > 0 {
        if open.itemsPerLine == 0, run.count > 1 {
          item += closeLines(of: &run)
        } else if !takeOne(of: run) {
          close()
          if closedCount < 8 || closedCount.isMultiple(of: 32), isKnown(item) { return }
          continue
        } else {
          run.count -= 1
          item += 1
        }
      }
      guard let next = sizes.place(after: place) else { break }
      place = next
    }
    close()
  }

  /// Adds an item to the current line, if it fits.
  private mutating func takeOne(of run: SizeRun) -> Bool {
    let needed = open.itemsPerLine == 0 ? run.breadth : used + spacing + run.breadth
    if open.itemsPerLine > 0, open.itemsPerLine == Self.maximumCount || needed > available {
      return false
    }
    open.itemsPerLine += 1
    open.length = max(open.length, run.length)
    used = needed
    return true
  }

  /// Closes all full lines of items of one size, and puts one item into the line after them.
  ///
  /// - Returns: How many items it took.
  private mutating func closeLines(of run: inout SizeRun) -> Int {
    let perLine = itemsPerLine(breadth: run.breadth, of: run.count)
    let lines = (run.count - 1) / perLine
    append(LineRun(lines: lines, itemsPerLine: perLine, length: run.length))
    closedCount += lines
    _ = takeOne(of: run)
    let items = lines * perLine + 1
    run.count -= items
    return items
  }

  private mutating func close() {
    append(open)
    closedCount += 1
    open = LineRun(lines: 1, itemsPerLine: 0, length: 0)
    used = 0
  }

  private mutating func append(_ run: LineRun) {
    guard run.lines > 0, run.itemsPerLine > 0 else { return }
    if let last = lines.last, let both = last.joined(with: run) {
      lines[lines.count - 1] = both
    } else {
      lines.append(run)
    }
  }
}
