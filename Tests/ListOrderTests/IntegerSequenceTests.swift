import ListOrder
import TestSupport
import Testing

/// The sequence of integers against a plain array.
@Suite struct IntegerSequenceTests {
  private struct Pair {
    var sequence: IntegerSequence
    var array: [Int]

    init(_ integers: Range<Int>) {
      sequence = IntegerSequence(integers)
      array = Array(integers)
    }

    mutating func insert(_ integer: Int, at offset: Int) {
      sequence.insert(integer, at: offset)
      array.insert(integer, at: offset)
    }

    mutating func remove(at offset: Int) {
      #expect(sequence.remove(at: offset) == array.remove(at: offset))
    }

    mutating func replace(at offset: Int) {
      sequence.replace(at: offset, with: ~)
      array[offset] = ~array[offset]
    }

    func check(_ hint: String) throws {
      try sequence.checkInvariants()
      var integers: [Int] = []
      for run in sequence.runs { integers += (run.first..<run.first + run.count) }
      #expect(integers == array, "\(hint)")
      #expect(sequence.count == array.count, "\(hint)")
    }
  }

  @Test func everyTwoChangesOfASmallSequenceAreAsOnAnArray() throws {
    for count in 0...4 {
      var pairs = [Pair(0..<count)]
      for _ in 0..<2 {
        var changed: [Pair] = []
        for pair in pairs {
          for offset in 0...pair.array.count {
            var copy = pair
            copy.insert(-7, at: offset)
            changed.append(copy)
          }
          for offset in pair.array.indices {
            var removed = pair
            removed.remove(at: offset)
            var replaced = pair
            replaced.replace(at: offset)
            changed += [removed, replaced]
          }
        }
        for pair in changed {
          try pair.check("\(count)")
          for offset in pair.array.indices { #expect(pair.sequence[offset] == pair.array[offset]) }
        }
        pairs = changed
      }
    }
  }

  @Test func longRunsOfChangesAreAsOnAnArray() throws {
    for seed in 0..<6 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var pair = Pair(0..<5_000)
      for step in 0..<4_000 {
        // Grows at first, then shrinks.
        let growing = step < 2_000 ? 60 : 10
        let offset = generator.number(0..<pair.array.count + 1)
        if generator.percent(growing) || pair.array.isEmpty {
          pair.insert(-step, at: offset)
        } else if generator.percent(70) {
          pair.remove(at: min(offset, pair.array.count - 1))
        } else {
          pair.replace(at: min(offset, pair.array.count - 1))
        }
        if step % 500 == 0 { try pair.check("seed \(seed), step \(step)") }
      }
      try pair.check("seed \(seed), end")
    }
  }

  @Test func aRangeIsOneRun() {
    let runs = IntegerSequence(3..<1_000_000).runs
    #expect(runs.map(\.first) == [3])
    #expect(runs.map(\.count) == [999_997])
    #expect(IntegerSequence(5..<5).count == 0)
  }

  @Test func aCopyKeepsWhatItHeld() throws {
    var pair = Pair(0..<300)
    let copy = pair
    for offset in stride(from: 0, to: 300, by: 7) { pair.replace(at: offset) }
    pair.remove(at: 100)
    try copy.check("copy")
    try pair.check("changed")
  }
}
