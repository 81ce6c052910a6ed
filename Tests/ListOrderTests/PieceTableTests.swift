import ListOrder
import TestSupport
import Testing

/// The piece table against a plain array, in which a node is its complement.
@Suite struct PieceTableTests {
  private struct Pair {
    var table: PieceTable
    var array: [Int]
    var nodes = 0

    init(count: Int) {
      table = PieceTable(count: count)
      array = Array(0..<count)
    }

    mutating func insert(at offset: Int) {
      table.insert(nodes, at: offset)
      array.insert(~nodes, at: offset)
      nodes += 1
    }

    mutating func remove(at offset: Int) {
      table.remove(at: offset)
      array.remove(at: offset)
    }

    mutating func replace(at offset: Int) {
      guard array[offset] >= 0 else { return }
      table.replace(at: offset, with: nodes)
      array[offset] = ~nodes
      nodes += 1
    }

    /// A node that goes elsewhere.
    mutating func move(from: Int, to: Int) {
      guard array[from] < 0 else { return }
      table.remove(at: from)
      let node = array.remove(at: from)
      table.insert(~node, at: to)
      array.insert(node, at: to)
    }

    func check(_ hint: String) throws {
      try table.checkInvariants()
      #expect(table.count == array.count, "\(hint)")
      var found: [Int] = []
      for piece in table.pieces {
        switch piece {
        case .node(let node): found.append(~node)
        case .places(let places): found += places
        }
      }
      #expect(found == array, "\(hint)")
      for (offset, element) in array.enumerated() {
        switch table[offset] {
        case .node(let node): #expect(~node == element, "\(hint)")
        case .place(let place): #expect(place == element, "\(hint)")
        }
        let back =
          element < 0 ? table.offset(ofNode: ~element) : table.offset(ofPlace: element)
        #expect(back == offset, "\(hint)")
      }
    }
  }

  @Test func everyThreeChangesOfASmallTableAreAsOnAnArray() throws {
    for count in 0...3 {
      var pairs = [Pair(count: count)]
      for _ in 0..<3 {
        var changed: [Pair] = []
        for pair in pairs {
          for offset in 0...pair.array.count {
            var copy = pair
            copy.insert(at: offset)
            changed.append(copy)
          }
          for offset in pair.array.indices {
            var (removed, replaced, moved) = (pair, pair, pair)
            removed.remove(at: offset)
            replaced.replace(at: offset)
            moved.move(from: offset, to: (offset + 2) % pair.array.count)
            changed += [removed, replaced, moved]
          }
        }
        for pair in changed { try pair.check("\(count)") }
        pairs = changed
      }
    }
  }

  @Test(arguments: 0..<10) func thousandsOfChangesAreAsOnAnArray(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var pair = Pair(count: 1_500)
    for step in 0..<3_000 {
      let count = pair.array.count
      switch generator.number(0..<4) {
      case 0: pair.insert(at: generator.number(0..<count + 1))
      case 1: pair.remove(at: generator.number(0..<count))
      case 2: pair.replace(at: generator.number(0..<count))
      default: pair.move(from: generator.number(0..<count), to: generator.number(0..<count))
      }
      if step % 500 == 0 { try pair.check("seed \(seed), step \(step)") }
    }
    try pair.check("seed \(seed)")
  }
}
