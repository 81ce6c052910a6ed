import ListOrder

/// A sequence of runs that finds a run by the number of items before it, or by its distance in
/// points.
///
/// The runs are in chunks of at most 512, with the sums before each chunk. With *r* runs, finding a
/// run costs O(log *r*) and a walk over one chunk; replacing some costs O(*r* / 512) and a walk
/// over one chunk.
///
/// After a change the sums are added up again, so rounding errors do not accumulate. `Rope` of
/// swift-collections can't serve: it subtracts removed lengths from its sums.
struct RunSequence<Run: SummedRun>: Sendable {
  struct Chunk: Sendable {
    var runs: ContiguousArray<Run>
    var sums = RunSums()

    init(_ runs: some Sequence<Run>) {
      self.runs = ContiguousArray(runs)
      for run in self.runs { sums += run.sums }
    }
  }

  /// The place of a run, and the sums before it.
  struct Position {
    var chunk: Int
    var slot: Int
    var before: RunSums
  }

  static var capacity: Int { 512 }

  private(set) var chunks: ContiguousArray<Chunk> = []
  /// The sums before each chunk.
  private(set) var starts: ContiguousArray<RunSums> = []
  /// The sums of all runs.
  private(set) var sums = RunSums()

  init(_ runs: ContiguousArray<Run> = []) { replace(0..<0, with: runs) }

  subscript(place: Position) -> Run { chunks[place.chunk].runs[place.slot] }

  // MARK: Finding

  /// The run that holds an item; `nil` if there is no such item.
  func place(ofItem item: Int) -> Position? {
    guard item >= 0, item < sums.items else { return nil }
    return place { $0.items <= item }
  }

  /// The last run that begins at a distance or before it; `nil` if there is no run.
  ///
  /// `spacing`: The space between lines, in points.
  func place(atDistance distance: Double, spacing: Double) -> Position? {
    chunks.isEmpty ? nil : place { $0.length + Double($0.lines) * spacing <= distance }
  }

  /// The last run for whose start a condition holds, or else the first run.
  ///
  /// If the condition does not hold for a run, it must not hold for later ones.
  private func place(where isReached: (RunSums) -> Bool) -> Position {
    let chunk = max(0, starts.partitioningIndex { !isReached($0) } - 1)
    var place = Position(chunk: chunk, slot: 0, before: starts[chunk])
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
  func place(after place: Position) -> Position? {
    var next = place
    if place.slot + 1 < chunks[place.chunk].runs.count {
      next.before += self[place].sums
      next.slot += 1
      return next
    }
    next.chunk += 1
    guard next.chunk < chunks.count else { return nil }
    // Not added up from the run before: walking and searching must give the same bits.
    return Position(chunk: next.chunk, slot: 0, before: starts[next.chunk])
  }

  /// Whether a condition holds for all runs.
  func allSatisfy(_ condition: (Run) -> Bool) -> Bool {
    chunks.allSatisfy { $0.runs.allSatisfy(condition) }
  }

  /// The first run.
  var first: Run? { chunks.first?.runs.first }

  // MARK: Changing

  /// Replaces a range of items by runs.
  ///
  /// `range`: Indexes of items. Runs may be split at its bounds.
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

  /// Adds the runs of a neighbouring chunk to a few runs, so that no small chunk is left.
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

  /// Divides runs into chunks, none of them empty.
  ///
  /// Several chunks are filled to three quarters.
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

  /// The first broken invariant; `nil` if there is none.
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
