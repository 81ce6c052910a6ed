import ListModel
import ListOrder
import TestSupport
import Testing

/// The counted sequence against plain arrays of handles.
@Suite struct ListOutlineTests {
  /// The same operations on an outline and on arrays.
  private struct Pair {
    var outline: ListOutline
    var sections: [(handle: Int32, items: [Int32])]

    init(counts: [Int]) {
      outline = ListOutline(counts: counts)
      sections = []
      for index in counts.indices {
        let handle = outline.section(at: index)
        var items: [Int32] = []
        outline.forEachRun(inSection: handle) { run in
          items += (0..<Int32(run.count)).map { run.first + $0 }
        }
        sections.append((handle, items))
      }
    }

    mutating func change(using generator: inout SeededGenerator, growing: Int) {
      let kind = generator.number(0..<100)
      guard kind >= 4, !sections.isEmpty else {
        let index = generator.number(0..<sections.count + 1)
        sections.insert((outline.insertSection(at: index), []), at: index)
        return
      }
      let section = generator.number(0..<sections.count)
      let count = sections[section].items.count
      switch kind {
      case 4..<6:
        var freed: [Int32] = []
        let handle = outline.removeSection(at: section) { run in
          freed += (0..<Int32(run.count)).map { run.first + $0 }
        }
        let gone = sections.remove(at: section)
        #expect(handle == gone.handle && freed == gone.items)
        for item in freed { outline.release(item) }
      case 6..<10:
        let target = generator.number(0..<sections.count)
        outline.moveSection(from: section, to: target)
        sections.insert(sections.remove(at: section), at: target)
      case 10..<(10 + growing):
        let index = generator.number(0..<count + 1)
        let handle = outline.insertItem(at: ItemPath(section: section, item: index))
        sections[section].items.insert(handle, at: index)
      case (10 + growing)..<85:
        guard count > 0 else { return }
        let index = generator.number(0..<count)
        let handle = outline.removeItem(at: ItemPath(section: section, item: index))
        #expect(handle == sections[section].items.remove(at: index))
        // Some come back, some make room.
        if generator.percent(30) {
          let path = ItemPath(section: section, item: generator.number(0..<count))
          #expect(outline.insertItem(at: path, returning: handle) == handle)
          sections[section].items.insert(handle, at: path.item)
        } else {
          outline.release(handle)
        }
      default:
        guard count > 0 else { return }
        let index = generator.number(0..<count)
        let item = sections[section].items.remove(at: index)
        let target = generator.number(0..<sections.count)
        let place = generator.number(0..<sections[target].items.count + 1)
        outline.moveItem(
          from: ItemPath(section: section, item: index),
          to: ItemPath(section: target, item: place))
        sections[target].items.insert(item, at: place)
      }
    }

    func check(_ hint: String) throws {
      try outline.checkInvariants()
      #expect(outline.sectionCount == sections.count, "\(hint)")
      for (index, section) in sections.enumerated() {
        var items: [Int32] = []
        outline.forEachRun(inSection: section.handle) { run in
          items += (0..<Int32(run.count)).map { run.first + $0 }
        }
        #expect(outline.section(at: index) == section.handle, "\(hint)")
        #expect(items == section.items, "\(hint)")
        #expect(outline.itemCount(inSection: index) == items.count, "\(hint)")
      }
      #expect(outline.itemCount == sections.reduce(0) { $0 + $1.items.count }, "\(hint)")
    }
  }

  @Test(arguments: [[], [3], [0, 0], [64], [65, 1, 0], [200, 5, 130], [5_000, 700]])
  func changesAreAsOnArrays(_ counts: [Int]) throws {
    for seed in 0..<4 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var pair = Pair(counts: counts)
      try pair.check("loaded")
      // Grows, then shrinks until little is left.
      for step in 0..<3_000 {
        pair.change(using: &generator, growing: step < 1_500 ? 60 : 10)
        if step % 250 == 0 { try pair.check("\(counts), seed \(seed), step \(step)") }
      }
      try pair.check("\(counts), seed \(seed), end")
    }
  }

  @Test func everyPlaceOfASmallListIsFoundAfterEveryChange() throws {
    for seed in 0..<40 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var pair = Pair(counts: [2, 3])
      for step in 0..<60 {
        pair.change(using: &generator, growing: 40)
        try pair.check("seed \(seed), step \(step)")
      }
    }
  }

  @Test func insertsAtOneSpotKeepTheTreeBalanced() throws {
    for place in [0, 2_000, 4_000] {
      var outline = ListOutline(counts: [4_000])
      for step in 0..<4_000 {
        _ = outline.insertItem(at: ItemPath(section: 0, item: place))
        if step % 1_000 == 0 { try outline.checkInvariants() }
      }
      try outline.checkInvariants()
      for step in 0..<8_000 {
        outline.release(outline.removeItem(at: ItemPath(section: 0, item: 0)))
        // Leaves are joined on the way.
        if step % 1_000 == 0 { try outline.checkInvariants() }
      }
      try outline.checkInvariants()
      #expect(outline.itemCount == 0)
    }
  }

  @Test func leavesThatAreJoinedAnywhereKeepTheirItems() throws {
    var generator = SeededGenerator(seed: 11)
    var outline = ListOutline()
    _ = outline.insertSection(at: 0)
    // Nothing but single items, in hundreds of leaves.
    for count in 0..<20_000 {
      outline.insertItem(at: ItemPath(section: 0, item: generator.number(0..<count + 1)))
    }
    try outline.checkInvariants()
    for count in stride(from: 20_000, to: 0, by: -1) {
      outline.release(
        outline.removeItem(at: ItemPath(section: 0, item: generator.number(0..<count))))
      if count % 500 == 0 { try outline.checkInvariants() }
    }
    try outline.checkInvariants()
  }

  @Test func handlesOfWhatIsGoneAreGivenAgain() {
    var outline = ListOutline(counts: [3])
    for _ in 0..<100 {
      #expect(outline.insertSection(at: 0) == 1)
      #expect(outline.removeSection(at: 0) { _ in } == 1)
      let item = outline.insertItem(at: ItemPath(section: 0, item: 0))
      #expect(item == 64)
      outline.release(outline.removeItem(at: ItemPath(section: 0, item: 0)))
    }
  }

  @Test func manyPathsAreFoundAsEachAlone() {
    var generator = SeededGenerator(seed: 12)
    var outline = ListOutline(counts: [9_000, 0, 300])
    for _ in 0..<5_000 {
      outline.moveItem(
        from: ItemPath(section: 0, item: generator.number(0..<9_000)),
        to: ItemPath(section: 0, item: generator.number(0..<9_000)))
    }
    var paths = (0..<3_000).map { _ in
      ItemPath(section: generator.number(-1..<4), item: generator.number(-1..<9_001))
    }
    paths += paths.sorted()
    let counts = [9_000, 0, 300]
    let found = outline.items(at: paths)
    for (path, handle) in zip(paths, found) {
      let isThere =
        counts.indices.contains(path.section) && (0..<counts[path.section]).contains(path.item)
      #expect(handle == (isThere ? outline.item(at: path) : nil), "\(path)")
    }
  }

  @Test func aCopyStaysAsItWas() throws {
    var generator = SeededGenerator(seed: 9)
    var pair = Pair(counts: [300, 40])
    var copies: [(Pair, Int)] = []
    for step in 0..<400 {
      if step % 20 == 0 { copies.append((pair, step)) }
      pair.change(using: &generator, growing: 45)
    }
    for (copy, step) in copies { try copy.check("copied at \(step)") }
  }

  @Test func aLoadedListIsOneRunABlock() {
    let outline = ListOutline(counts: [1_000_000])
    var runs = 0
    outline.forEachRun(inSection: 0) { _ in runs += 1 }
    #expect(runs == 1_000_000 / ListOutline.blockSize)
    // Touching one item opens its run, no other.
    var touched = outline
    touched.moveItem(from: ItemPath(section: 0, item: 500_000), to: ItemPath(section: 0, item: 10))
    var after = 0
    touched.forEachRun(inSection: 0) { _ in after += 1 }
    #expect(after <= runs + 4)
  }
}
