import ListOrder

/// Runs in an order, found by the number of items before them or by their distance from the first.
///
/// Chunks of at most 512 runs, with the sums before each. With *r* runs, finding takes O(log *r*) and one
/// chunk, replacing O(*r* / 512) and one chunk. Sums are added up anew, never corrected, so that they do
/// not drift; the rope of swift-collections subtracts what goes from its sums.
struct RunSequence<Run: SummedRun>: Sendable {
  struct Chunk: Sendable {
    var runs: ContiguousArray<Run>
    var sums = RunSums()

    init(_ runs: some Sequence<Run>) {
      self.runs = ContiguousArray(runs)
      for run in self.runs { sums += run.sums }
    }
  }

  /// A run, and what is before it.
  struct Place {
    var chunk: Int
    var slot: Int
    var before: RunSums
  }

  static var capacity: Int { 512 }

  private(set) var chunks: ContiguousArray<Chunk> = []
  /// What is before each chunk.
  private(set) var starts: ContiguousArray<RunSums> = []
  /// Everything together.
  private(set) var sums = RunSums()

  init(_ runs: ContiguousArray<Run> = []) { replace(0..<0, with: runs) }

  subscript(place: Place) -> Run { chunks[place.chunk].runs[place.slot] }

  // MARK: Finding

  /// The run that holds an item; `nil` if there is no such item.
  func place(ofItem item: Int) -> Place? {
    guard item >= 0, item < sums.items else { return nil }
    return place { $0.items <= item }
  }

  /// The last run that begins at a distance or before; `nil` if there is no run.
  ///
  /// `spacing`: Between lines.
  func place(atDistance distance: Double, spacing: Double) -> Place? {
    chunks.isEmpty ? nil : place { $0.length + Double($0.lines) * spacing <= distance }
  }

  /// The last run whose beginning a condition holds for, that holds for none after the first it does not
  /// hold for; else the first run.
  private func place(where isReached: (RunSums) -> Bool) -> Place {
    let chunk = max(0, starts.partitioningIndex { !isReached($0) } - 1)
    var place = Place(chunk: chunk, slot: 0, before: starts[chunk])
    let runs = chunks[chunk].runs
    var next = place.before
    for slot in 1..<max(1, runs.count) {
      next += runs[slot - 1].sums
      guard isReached(next) else { break }
      place.slot = slot
      place.before = next
    }
    return place
  }

  /// The run after one; `nil` after the last.
  func place(after place: Place) -> Place? {
    var next = place
    if place.slot + 1 < chunks[place.chunk].runs.count {
      next.before += self[place].sums
      next.slot += 1
      return next
    }
    next.chunk += 1
    guard next.chunk < chunks.count else { return nil }
    // The same addition as that of `starts`, so that walking and finding agree to the last bit.
    return Place(chunk: next.chunk, slot: 0, before: starts[next.chunk])
  }

  /// Whether a condition holds for all runs.
  func allSatisfy(_ condition: (Run) -> Bool) -> Bool {
    chunks.allSatisfy { $0.runs.allSatisfy(condition) }
  }

  /// The first run.
  var first: Run? { chunks.first?.runs.first }

  // MARK: Changing

  /// Puts runs in the place of items.
  ///
  /// `range`: Items that are there; its bounds are where runs may be split.
  mutating func replace(_ range: Range<Int>, with runs: ContiguousArray<Run>) {
    var affected = chunks.startIndex..<chunks.endIndex
    var joined = ContiguousArray<Run>()
    if !chunks.isEmpty {
      let first = chunk(holding: range.lowerBound)
      let last = chunk(holding: max(range.lowerBound, range.upperBound))
      affected = first..<(last + 1)
      joined.reserveCapacity(runs.count + Self.capacity)
      append(first, itemsBefore: range.lowerBound - starts[first].items, to: &joined)
    }
    for run in runs { Self.append(run, to: &joined) }
    if let last = affected.last {
      append(last, itemsFrom: range.upperBound - starts[last].items, to: &joined)
    }
    if joined.count < Self.capacity / 8 { affected = takeNeighbour(of: affected, into: &joined) }
    chunks.replaceSubrange(affected, with: Self.chunks(of: joined))
    addUp(from: affected.lowerBound)
  }

  /// The chunk that holds an item, or the last one.
  private func chunk(holding item: Int) -> Int {
    max(0, starts.partitioningIndex { $0.items > item } - 1)
  }

  private static func append(_ run: Run, to runs: inout ContiguousArray<Run>) {
    if let last = runs.last, let both = last.joined(with: run) {
      runs[runs.count - 1] = both
    } else {
      runs.append(run)
    }
  }

  private func append(
    _ chunk: Int, itemsBefore end: Int, to runs: inout ContiguousArray<Run>
  ) {
    var left = end
    for run in chunks[chunk].runs {
      if left <= 0 { return }
      let items = run.sums.items
      Self.append(items <= left ? run : run.split(at: left).0, to: &runs)
      left -= items
    }
  }

  private func append(
    _ chunk: Int, itemsFrom start: Int, to runs: inout ContiguousArray<Run>
  ) {
    var skipped = start
    for run in chunks[chunk].runs {
      let items = run.sums.items
      if skipped < items { Self.append(skipped <= 0 ? run : run.split(at: skipped).1, to: &runs) }
      skipped -= items
    }
  }

  /// Takes a chunk beside others to their few runs.
  private func takeNeighbour(
    of affected: Range<Int>, into runs: inout ContiguousArray<Run>
  ) -> Range<Int> {
    if affected.upperBound < chunks.count {
      for run in chunks[affected.upperBound].runs { Self.append(run, to: &runs) }
      return affected.lowerBound..<(affected.upperBound + 1)
    }
    guard affected.lowerBound > 0 else { return affected }
    var before = chunks[affected.lowerBound - 1].runs
    for run in runs { Self.append(run, to: &before) }
    runs = before
    return (affected.lowerBound - 1)..<affected.upperBound
  }

  /// Chunks of runs, none empty; of many runs, with room for more.
  private static func chunks(of runs: ContiguousArray<Run>) -> [Chunk] {
    if runs.isEmpty { return [] }
    if runs.count <= capacity { return [Chunk(runs)] }
    let count = (runs.count + capacity * 3 / 4 - 1) / (capacity * 3 / 4)
    return (0..<count).map { index in
      Chunk(runs[(runs.count * index / count)..<(runs.count * (index + 1) / count)])
    }
  }

  private mutating func addUp(from chunk: Int) {
    starts.removeSubrange(chunk..<starts.count)
    sums = chunk > 0 ? starts[chunk - 1] : RunSums()
    if chunk > 0 { sums += chunks[chunk - 1].sums }
    for chunk in chunks[chunk...] {
      starts.append(sums)
      sums += chunk.sums
    }
  }

  // MARK: Checking

  /// What is wrong with the sums; `nil` if nothing is.
  var problem: String? {
    var sums = RunSums()
    for (index, chunk) in chunks.enumerated() {
      if chunk.runs.isEmpty || chunk.runs.count > Self.capacity {
        return "chunk \(index) has \(chunk.runs.count) runs"
      }
      if starts[index] != sums { return "chunk \(index) begins at \(starts[index]), not \(sums)" }
      if Chunk(chunk.runs).sums != chunk.sums { return "chunk \(index) has wrong sums" }
      if chunk.runs.contains(where: { $0.sums.items < 1 }) { return "chunk \(index): empty run" }
      sums += chunk.sums
    }
    return sums == self.sums && starts.count == chunks.count ? nil : "the total is wrong"
  }
}
