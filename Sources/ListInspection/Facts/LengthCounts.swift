/// How often each length occurs.
struct LengthCounts {
  private var counts: [Double: Int] = [:]
  private(set) var count = 0

  /// Counts a length.
  ///
  /// - Returns: `false` for one that no cell can have; it is not counted.
  @discardableResult
  mutating func add(_ length: Double) -> Bool {
    guard (0...1e6).contains(length) else { return false }
    counts[length, default: 0] += 1
    count += 1
    return true
  }

  /// The least and the greatest length; 0 if there is none.
  var range: ClosedRange<Double> { (counts.keys.min() ?? 0)...(counts.keys.max() ?? 0) }

  var sum: Double { counts.reduce(0) { $0 + $1.key * Double($1.value) } }

  /// How many lengths are in each of so many equal parts of the range.
  func histogram(of barCount: Int) -> [Int] {
    var bars = [Int](repeating: 0, count: barCount)
    let (range, width) = (range, range.upperBound - range.lowerBound)
    for (length, count) in counts {
      let place = width > 0 ? (length - range.lowerBound) / width * Double(barCount) : 0
      bars[min(barCount - 1, Int(place))] += count
    }
    return bars
  }

  /// The lengths in ascending order, each once.
  var sorted: [(length: Double, count: Int)] {
    counts.sorted { $0.key < $1.key }.map { (length: $0.key, count: $0.value) }
  }

  /// The least length that this part of all lengths does not exceed; `nil` if there is none.
  func percentile(_ part: Double) -> Double? {
    let rank = max(1, Int((part * Double(count)).rounded(.up)))
    var seen = 0
    for (length, count) in sorted {
      seen += count
      if seen >= rank { return length }
    }
    return nil
  }

  /// The sum of the distances of all lengths from one.
  func distance(from length: Double) -> Double {
    counts.reduce(0) { $0 + abs($1.key - length) * Double($1.value) }
  }
}

extension StoreSizes.Group {
  /// A group of lengths, of which there is one at least.
  init(
    cell: String, kind: String?, key: Int, _ lengths: LengthCounts,
    _ staleCounts: [StoreSizes.Reason: Int]
  ) {
    let range = lengths.range
    self.init(
      cell: cell, kind: kind, key: key, count: lengths.count,
      distinctCount: lengths.sorted.count, least: range.lowerBound,
      median: lengths.percentile(0.5) ?? 0, percentile95: lengths.percentile(0.95) ?? 0,
      greatest: range.upperBound, sum: lengths.sum, histogram: lengths.histogram(of: 8),
      staleCounts: staleCounts)
  }
}
