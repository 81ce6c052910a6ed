/// How often each length occurs.
struct LengthCounts {
  private var counts: [Double: Int] = [:]
  private(set) var count = 0

  mutating func add(_ length: Double) {
    counts[length, default: 0] += 1
    count += 1
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
    let sorted = lengths.sorted
    let (least, greatest) = (sorted.first?.length ?? 0, sorted.last?.length ?? 0)
    var histogram = [Int](repeating: 0, count: 8)
    for (length, count) in sorted {
      let place = greatest > least ? (length - least) / (greatest - least) * 8 : 0
      histogram[min(7, Int(place))] += count
    }
    self.init(
      cell: cell, kind: kind, key: key, count: lengths.count, distinctCount: sorted.count,
      least: least,
      median: lengths.percentile(0.5) ?? 0, percentile95: lengths.percentile(0.95) ?? 0,
      greatest: greatest, sum: sorted.reduce(0) { $0 + $1.length * Double($1.count) },
      histogram: histogram, staleCounts: staleCounts)
  }
}
