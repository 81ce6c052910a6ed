/// The order of a list's sections, or of a section's items, in a sketch.
///
/// An element is either a place of the order that the sketch begins with, or a *node*: something
/// that a change names, known by a number. Places that follow one another are one run. They ascend,
/// because nothing that moves stays a place.
///
/// - Complexity: Each operation takes O(*r* / 512 + 512) steps, *r* runs.
struct SketchOrder {
  /// Elements that follow one another: places from `first` on, or one node.
  struct Run {
    /// The first place; of a node the complement of its number.
    var first: Int
    var count: Int

    var isNode: Bool { first < 0 }

    /// Whether it has a place.
    func contains(place: Int) -> Bool { first >= 0 && place >= first && place - first < count }
  }

  private struct Chunk {
    var number: Int
    var runs: [Run]
    var count: Int
    /// The greatest place in it; -1 if it has none.
    var lastPlace: Int

    init(number: Int, _ runs: [Run]) {
      self.number = number
      self.runs = runs
      count = runs.reduce(0) { $0 + $1.count }
      lastPlace = runs.last { !$0.isNode }.map { $0.first + $0.count - 1 } ?? -1
    }
  }

  /// How many elements there are.
  private(set) var count: Int
  private var chunks: [Chunk]
  /// The numbers of the chunks that have the nodes, by node.
  private var holders: [Int: Int] = [:]
  private var lastNumber = 0

  private static var maximumRunCount: Int { 512 }

  /// The places of an order, none of them changed.
  init(count: Int) {
    self.count = count
    chunks = [Chunk(number: 0, count > 0 ? [Run(first: 0, count: count)] : [])]
  }

  /// The runs, in order.
  var runs: [Run] { chunks.flatMap(\.runs) }

  /// The element at an offset, which must be less than the count: a place, or the complement of a
  /// node.
  subscript(offset: Int) -> Int {
    let (chunk, run, rest) = find(offset)
    return chunks[chunk].runs[run].first + rest
  }

  /// The offset of a node that the order has.
  func offset(ofNode node: Int) -> Int {
    let number = holders[node]
    var offset = 0
    for chunk in chunks {
      guard chunk.number == number else {
        offset += chunk.count
        continue
      }
      for run in chunk.runs {
        if run.first == ~node { return offset }
        offset += run.count
      }
    }
    preconditionFailure("the order does not have the node \(node)")
  }

  /// The offset of a place that is no node.
  func offset(ofPlace place: Int) -> Int {
    var offset = 0
    for chunk in chunks {
      guard chunk.lastPlace >= place else {
        offset += chunk.count
        continue
      }
      for run in chunk.runs {
        if run.contains(place: place) { return offset + place - run.first }
        offset += run.count
      }
    }
    preconditionFailure("place \(place) became a node")
  }

  /// Inserts a node before the element at an offset, or at the end.
  mutating func insert(_ node: Int, at offset: Int) {
    let (chunk, run, rest) = find(offset)
    let new = Run(first: ~node, count: 1)
    if rest == 0 {
      replace(run..<run, of: chunk, with: [new])
    } else {
      let old = chunks[chunk].runs[run]
      replace(
        run..<run + 1, of: chunk,
        with: [
          Run(first: old.first, count: rest), new,
          Run(first: old.first + rest, count: old.count - rest),
        ])
    }
  }

  /// Removes the element at an offset, which must be less than the count.
  mutating func remove(at offset: Int) { replace(at: offset, with: []) }

  /// Makes the element at an offset, which must be less than the count, a node.
  mutating func replace(at offset: Int, with node: Int) {
    replace(at: offset, with: [Run(first: ~node, count: 1)])
  }

  private mutating func replace(at offset: Int, with new: [Run]) {
    let (chunk, run, rest) = find(offset)
    let old = chunks[chunk].runs[run]
    if old.isNode { holders[~old.first] = nil }
    let parts =
      [Run(first: old.first, count: rest)] + new
      + [Run(first: old.first + rest + 1, count: old.count - rest - 1)]
    replace(run..<run + 1, of: chunk, with: parts.filter { $0.count > 0 })
  }

  private mutating func replace(_ range: Range<Int>, of chunk: Int, with new: [Run]) {
    count -= chunks[chunk].count
    var runs = chunks[chunk].runs
    chunks[chunk].runs = []
    runs.replaceSubrange(range, with: new)
    let number = chunks[chunk].number
    for run in new where run.isNode { holders[~run.first] = number }
    guard runs.count > Self.maximumRunCount else {
      chunks[chunk] = Chunk(number: number, runs)
      count += chunks[chunk].count
      return
    }
    lastNumber += 1
    let half = runs.count / 2
    chunks[chunk] = Chunk(number: number, Array(runs[..<half]))
    chunks.insert(Chunk(number: lastNumber, Array(runs[half...])), at: chunk + 1)
    for run in runs[half...] where run.isNode { holders[~run.first] = lastNumber }
    count += chunks[chunk].count + chunks[chunk + 1].count
  }

  /// The chunk and the run that have an offset, or the end, and the rest of the offset in the run.
  private func find(_ offset: Int) -> (chunk: Int, run: Int, rest: Int) {
    var rest = offset
    var chunk = 0
    while chunk < chunks.count - 1, rest >= chunks[chunk].count {
      rest -= chunks[chunk].count
      chunk += 1
    }
    for (index, run) in chunks[chunk].runs.enumerated() {
      if rest < run.count { return (chunk, index, rest) }
      rest -= run.count
    }
    precondition(rest == 0, "the order has no element at \(offset)")
    return (chunk, chunks[chunk].runs.count, 0)
  }
}
