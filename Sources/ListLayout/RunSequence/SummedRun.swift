/// Consecutive equal lines or items, stored once.
protocol SummedRun: Equatable, Sendable {
  /// The sums of the run.
  var sums: RunSums { get }
  /// The run in two parts, split before an item; `offset` is in `1..<sums.items`.
  func split(at offset: Int) -> (Self, Self)
  /// Both runs as one; `nil` if their lines or items are not equal.
  func joined(with next: Self) -> Self?
}

/// Sums over runs.
struct RunSums: Hashable, Sendable {
  var items = 0
  var lines = 0
  /// The length of the lines, in points, without the space between them.
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
  /// The length of one line, in points.
  var length: Double

  var sums: RunSums {
    RunSums(items: lines * itemsPerLine, lines: lines, length: Double(lines) * length)
  }

  /// `offset`: The first item of a line.
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

/// Consecutive items of one size.
struct SizeRun: SummedRun {
  var count: Int
  /// The length across the direction of scrolling, in points.
  var breadth: Double
  /// The length along the direction of scrolling, in points.
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
