internal import _RopeModule

/// Numbers in the rope of swift-collections, in chunks that are counted.
struct RopeOfNumbers {
  private var rope: Rope<Chunk>

  init(_ numbers: Range<Int32>) {
    var chunks: [Chunk] = []
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Chunk.capacity / 2) {
      chunks.append(
        Chunk(
          numbers: Array(start..<min(numbers.upperBound, start + Int32(Chunk.capacity / 2)))))
    }
    rope = Rope(chunks)
  }

  var count: Int { rope.summary.count }

  /// The number at an offset.
  subscript(offset: Int) -> Int32 {
    let (index, rest) = rope.find(at: offset, in: Metric(), preferEnd: false)
    return rope[index].numbers[rest]
  }

  /// Inserts a number before the one at an offset, or at the end.
  mutating func insert(_ number: Int32, at offset: Int) {
    var (index, rest) = rope.find(at: offset, in: Metric(), preferEnd: true)
    let second = rope.update(at: &index) { chunk -> Chunk? in
      chunk.numbers.insert(number, at: rest)
      return chunk.numbers.count > Chunk.capacity
        ? chunk.split(at: chunk.numbers.count / 2) : nil
    }
    if let second { rope.insert(second, at: rope.index(after: index)) }
  }

  /// Neighbours, at most `capacity`.
  struct Chunk: RopeElement {
    static let capacity = 128

    var numbers: [Int32]

    var summary: Summary { Summary(count: numbers.count) }
    var isEmpty: Bool { numbers.isEmpty }
    var isUndersized: Bool { numbers.count < Self.capacity / 4 }

    func invariantCheck() {}

    mutating func rebalance(nextNeighbor right: inout Chunk) -> Bool {
      let all = numbers + right.numbers
      let cut = all.count <= Self.capacity ? all.count : all.count / 2
      numbers = Array(all[..<cut])
      right.numbers = Array(all[cut...])
      return right.isEmpty
    }

    mutating func split(at index: Int) -> Chunk {
      let tail = Chunk(numbers: Array(numbers[index...]))
      numbers.removeSubrange(index...)
      return tail
    }
  }

  struct Summary: RopeSummary {
    var count: Int

    static var maxNodeSize: Int { 15 }
    static var zero: Summary { Summary(count: 0) }
    var isZero: Bool { count == 0 }
    mutating func add(_ other: Summary) { count += other.count }
    mutating func subtract(_ other: Summary) { count -= other.count }
  }

  struct Metric: RopeMetric {
    func size(of summary: Summary) -> Int { summary.count }
    func index(at offset: Int, in element: Chunk) -> Int { offset }
  }
}
