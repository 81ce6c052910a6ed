/// Equal things one after another, described once.
protocol SummedRun: Equatable, Sendable {
  /// What it adds to the sums before whatever follows.
  var sums: RunSums { get }
  /// The run before an item and the one from it on; `offset` is in `1..<sums.items`.
  func split(at offset: Int) -> (Self, Self)
  /// Both as one run, if they are of equal things.
  func joined(with next: Self) -> Self?
}

/// What runs are together.
struct RunSums: Hashable, Sendable {
  var items = 0
  var lines = 0
  /// Of the lines, in points, without the spacing between them.
  var length = 0.0

  static func += (sums: inout RunSums, more: RunSums) {
    sums.items += more.items
    sums.lines += more.lines
    sums.length += more.length
  }
}

/// Lines of equally many items and equal length.
struct LineRun: SummedRun {
  var lines: Int
  var itemsPerLine: Int
  /// Of one line, in points.
  var length: Double

  var sums: RunSums {
    RunSums(items: lines * itemsPerLine, lines: lines, length: Double(lines) * length)
  }

  /// `offset`: At the beginning of a line.
  func split(at offset: Int) -> (LineRun, LineRun) {
    var (first, second) = (self, self)
    first.lines = offset / itemsPerLine
    second.lines = lines - first.lines
    return (first, second)
  }

  func joined(with next: LineRun) -> LineRun? {
    guard itemsPerLine == next.itemsPerLine, length == next.length else { return nil }
    var run = self
    run.lines += next.lines
    return run
  }
}

/// Items of one size, by the direction of scrolling.
struct SizeRun: SummedRun {
  var count: Int
  /// Across, in points.
  var breadth: Double
  /// Along, in points.
  var length: Double

  var sums: RunSums { RunSums(items: count) }

  func split(at offset: Int) -> (SizeRun, SizeRun) {
    var (first, second) = (self, self)
    first.count = offset
    second.count -= offset
    return (first, second)
  }

  func joined(with next: SizeRun) -> SizeRun? {
    guard breadth == next.breadth, length == next.length else { return nil }
    var run = self
    run.count += next.count
    return run
  }
}
