import ListLayout
import ListModel
import TestSupport
import Testing

/// Random lists and edits, against a list in arrays that is placed anew each time.
@Suite struct RandomPlacementTests {
  private let container = view(400, scale: 2)

  @Test(arguments: 0..<60 as Range<UInt64>)
  func editsLeadWhereTheirResultDoes(seed: UInt64) throws {
    var random = RandomList(seed: seed)
    var naive = (0..<random.number(0..<4)).map { _ in random.section() }
    let spacing = Double(random.number(0..<20))
    var placement = ListPlacement(naive.map(\.measured), in: container, sectionSpacing: spacing)
    for step in 0..<60 {
      placement.update { edits in
        for _ in 0..<random.number(0..<4) { random.edit(&edits, &naive) }
      }
      try #require(placement.problem == nil, "seed \(seed), step \(step)")
      let expected = naive.place(in: container, spacing: spacing)
      try #require(placement.everything == expected, "seed \(seed), step \(step)")
      let scratch = ListPlacement(naive.map(\.measured), in: container, sectionSpacing: spacing)
      #expect(scratch.contentSize == placement.contentSize, "seed \(seed), step \(step)")
      for _ in 0..<5 {
        let visible = random.frame(in: placement.contentSize)
        #expect(
          placement.elements(in: visible) == expected.filter { $0.frame.overlaps(visible) },
          "seed \(seed), step \(step): \(visible)")
      }
    }
  }

  @Test(arguments: SectionLayout.Kind.allCases)
  func longSectionsKeepTheirOrderThroughEdits(kind: SectionLayout.Kind) throws {
    // Thousands of runs: many chunks, that are split and joined.
    for seed in 0..<2 as Range<UInt64> {
      var random = RandomList(seed: seed)
      var section = random.section()
      section.metrics.kind = kind
      section.sizes = random.sizes(3_000)
      var naive = [section]
      var placement = ListPlacement(naive.map(\.measured), in: container)
      for step in 0..<20 {
        let count = naive[0].sizes.count
        let start = random.number(0..<(count + 1))
        // Mostly a few, sometimes thousands.
        let most = random.number(0..<5) == 0 ? 2_000 : 6
        let range = start..<min(count, start + random.number(0..<most))
        let new = random.sizes(random.number(0..<most))
        var isDone = false
        placement.update { isDone = $0.replaceItems(range, inSection: 0, with: ItemSizes(new)) }
        #expect(isDone)
        naive[0].sizes.replaceSubrange(range, with: new)
        try #require(placement.problem == nil, "seed \(seed), step \(step)")
        guard step % 4 == 3 else { continue }
        let expected = naive.place(in: container, spacing: 0)
        try #require(placement.everything == expected, "seed \(seed), step \(step)")
        let visible = random.frame(in: placement.contentSize)
        #expect(placement.elements(in: visible) == expected.filter { $0.frame.overlaps(visible) })
      }
    }
  }

  @Test(arguments: SectionLayout.Kind.allCases)
  func sectionsShrinkToNothingAndGrowAgain(kind: SectionLayout.Kind) throws {
    var random = RandomList(seed: 5)
    var section = random.section()
    section.metrics.kind = kind
    section.sizes = random.sizes(2_500)
    var placement = ListPlacement([section.measured], in: container)
    while !section.sizes.isEmpty {
      let count = section.sizes.count
      // Ranges that leave little of some chunks.
      let start = random.number(0..<count)
      let range = start..<min(count, start + random.number(1..<400))
      section.sizes.removeSubrange(range)
      placement.update { $0.removeItems(range, inSection: 0) }
      try #require(placement.problem == nil)
      try #require(placement.itemCount(inSection: 0) == section.sizes.count)
      try #require(placement.everything == [section].place(in: container, spacing: 0))
    }
    section.sizes = random.sizes(700)
    placement.update { $0.insertItems(ItemSizes(section.sizes), at: path(0, 0)) }
    #expect(placement.problem == nil)
    #expect(placement.everything == [section].place(in: container, spacing: 0))
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func framesAreInTheContentAndItemsApart(seed: UInt64) throws {
    var random = RandomList(seed: seed)
    let sections = (0..<random.number(1..<4)).map { _ in
      var section = random.section()
      // Any lengths, not only those that have exact sums.
      section.sizes = section.sizes.map { _ in random.anySize() }
      return section
    }
    for axis in [SizeKey.Axis.vertical, .horizontal] {
      var container = LayoutContainer(
        size: Size(width: 321.5, height: 234.25), axis: axis, scale: 3, isMirrored: seed % 2 == 1)
      container.rounding = PixelRounding.allCases[Int(seed) % 3]
      let placement = ListPlacement(sections.map(\.measured), in: container)
      let content = placement.contentSize
      let frames = placement.everything.map(\.frame)
      for frame in frames {
        #expect(frame.x >= -1e-6 && frame.y >= -1e-6, "seed \(seed): \(frame)")
        #expect(frame.x + frame.width <= content.width + 1e-6, "seed \(seed): \(frame)")
        #expect(frame.y + frame.height <= content.height + 1e-6, "seed \(seed): \(frame)")
      }
      for (index, frame) in frames.enumerated() {
        let inner = Frame(
          x: frame.x + 1e-6, y: frame.y + 1e-6, width: frame.width - 2e-6,
          height: frame.height - 2e-6)
        let isApart = frames[(index + 1)...].allSatisfy { !$0.overlaps(inner) }
        #expect(isApart, "seed \(seed), \(placement.everything[index])")
      }
    }
  }

  @Test func editsOfAMomentArePlacedTogetherAndSectionsKeepTheirOwn() throws {
    let waterfall = MeasuredSection(
      metrics: SectionMetrics(kind: .waterfall, columns: 2), items: heights(10, 20, 30))
    let list = MeasuredSection(metrics: SectionMetrics(), items: heights(1, 2))
    var placement = ListPlacement([waterfall, list], in: container)
    placement.update { edits in
      edits.setSize(Size(width: 1, height: 100), at: path(0, 0))
      edits.moveSection(at: 0, to: 1)
      edits.insertSection(list, at: 0)
      edits.setSize(Size(width: 1, height: 7), at: path(2, 1))
      edits.removeSection(at: 1)
      edits.setLength(5, of: .footer, inSection: 1)
    }
    #expect(placement.problem == nil)
    let expected = ListPlacement(
      [
        list,
        MeasuredSection(
          metrics: waterfall.metrics, footerLength: 5, items: heights(100, 7, 30)),
      ], in: container)
    #expect(placement.everything == expected.everything)
  }

  @Test func whatTheClosureThrowsComesOutWithWhatWasDoneBefore() {
    struct Stop: Error {}
    var placement = ListPlacement(
      [MeasuredSection(metrics: SectionMetrics(kind: .waterfall), items: heights(1))],
      in: container)
    #expect(throws: Stop.self) {
      try placement.update { edits in
        edits.insertItems(heights(2, 3), at: path(0, 1))
        throw Stop()
      }
    }
    #expect(placement.problem == nil)
    #expect(placement.contentSize.height == 6)
  }
}
