import ListLayout
import ListModel
import TestSupport
import Testing

/// Waterfalls by hand, and against the arithmetic of CHTCollectionViewWaterfallLayout.
@Suite struct WaterfallArithmeticTests {
  private func place(
    _ items: ItemSizes, columns: Int, direction: SectionMetrics.RenderDirection = .shortestFirst,
    sizing: SectionMetrics.Sizing = .fitted
  ) -> ListPlacement {
    let metrics = SectionMetrics(
      kind: .waterfall, columns: columns, lineSpacing: 5, interitemSpacing: 10,
      insets: insets(1, 2, 3, 4), renderDirection: direction, sizing: sizing)
    return ListPlacement([MeasuredSection(metrics: metrics, items: items)], in: view(226))
  }

  @Test func theNextItemGoesToTheShortestColumnAndOfEqualOnesToTheFirst() {
    // 226 - 6 = 220: two columns of 105 at 2 and 117.
    let placement = place(heights(50, 20, 25, 10, 30), columns: 2)
    #expect(
      placement.frames() == [
        frame(2, 1, 105, 50), frame(117, 1, 105, 20), frame(117, 26, 105, 25),
        // 56 and 56: the first.
        frame(2, 56, 105, 10), frame(117, 56, 105, 30),
      ])
    // 86 is the longer one's end, no spacing below it.
    #expect(placement.contentSize.height == 89)
  }

  @Test func theOtherDirectionsTakeTurns() {
    let items = heights(50, 20, 25, 10, 30)
    let right = place(items, columns: 2, direction: .leftToRight)
    #expect(right.frames().map { $0?.x } == [2, 117, 2, 117, 2])
    #expect(right.frames().map { $0?.y } == [1, 1, 56, 26, 86])
    let left = place(items, columns: 2, direction: .rightToLeft)
    #expect(left.frames().map { $0?.x } == [117, 2, 117, 2, 117])
  }

  @Test func proportionalSizesAreScaledToTheColumn() {
    var container = view(226)
    container.rounding = .down
    let metrics = SectionMetrics(kind: .waterfall, columns: 2, sizing: .proportional)
    let items = sizes((226, 100), (100, 50), (0, 10), (10, 0), (300, 100))
    let placement = ListPlacement(
      [MeasuredSection(metrics: metrics, items: items)], in: container)
    #expect(placement.frames().map { $0?.height } == [50, 56, 0, 0, 37])
  }

  @Test func columnsThatARoundingErrorMakesUnequalAreEqual() {
    // Three thirds in one column, a whole in the other.
    var container = view(20, scale: 3)
    container.rounding = .none
    let third = 1.0 / 3
    let lengths = heights(2.1, 0.7, 0.7, 0.7, 9, third)
    let metrics = SectionMetrics(kind: .waterfall, columns: 2)
    let sum: Double = 0.7 + 0.7 + 0.7
    #expect(sum != 2.1, "this test needs a sum that is not exact")
    let placement = ListPlacement(
      [MeasuredSection(metrics: metrics, items: lengths)], in: container)
    #expect(placement.frames().map { $0?.x } == [0, 10, 10, 10, 0, 10])
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func framesAreThoseOfTheOriginal(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let scale = Double(generator.number(1..<4))
    let width = Double(generator.number(100..<1_100))
    let sections = (0..<generator.number(1..<4)).map { _ in randomSection(&generator) }
    // Thirds of a point have rounding errors.
    let original = OriginalWaterfall(
      sections, width: width, scale: scale, tolerance: scale == 3 ? 1e-6 : 0)
    var container = view(width, scale: scale)
    container.rounding = .down
    let placement = ListPlacement(sections.map(MeasuredSection.init), in: container)
    for index in sections.indices {
      let frames = try placement.frames(ofSection: index).map { try #require($0) }
      #expect(frames.count == original.frames[index].count)
      for (frame, expected) in zip(frames, original.frames[index]) {
        #expect(frame.isClose(to: expected), "seed \(seed): \(frame), not \(expected)")
      }
      for (kind, views) in [
        (Supplementary.Kind.header, original.headers), (.footer, original.footers),
      ] {
        let frame = placement.frame(of: kind, inSection: index)
        #expect((frame == nil) == (views[index] == nil))
        if let frame, let expected = views[index] { #expect(frame.isClose(to: expected)) }
      }
    }
    #expect(abs(placement.contentSize.height - original.contentHeight) < 1e-6, "seed \(seed)")
  }

  /// A section of which both say the same; see the known differences.
  private func randomSection(_ generator: inout SeededGenerator) -> OriginalWaterfall.Section {
    func points(_ end: Int) -> Double { Double(generator.number(0..<end)) }
    func insets() -> Insets {
      Insets(top: points(9), left: points(9), bottom: points(9), right: points(9))
    }
    let header = points(30) + 1
    let footer = points(30) + 1
    return OriginalWaterfall.Section(
      columns: generator.number(1..<7), columnSpacing: points(11), itemSpacing: points(11),
      insets: insets(), header: header, footer: footer, headerInsets: insets(),
      footerInsets: insets(),
      direction: SectionMetrics.RenderDirection.allCases.randomElement(using: &generator)
        ?? .shortestFirst,
      items: (0..<generator.number(1..<60)).map { _ in
        Size(width: points(200), height: points(200))
      })
  }

  // MARK: Known differences

  private var original: OriginalWaterfall.Section {
    OriginalWaterfall.Section(
      columns: 2, columnSpacing: 10, itemSpacing: 8, insets: insets(1, 2, 3, 4), header: 20,
      footer: 0, headerInsets: insets(5, 0, 6, 0), footerInsets: insets(7, 0, 8, 0),
      direction: .shortestFirst, items: [])
  }

  @Test func aRoundingErrorCostsNoPixel() {
    var section = original
    section.columns = 1
    section.items = [Size(width: 11, height: 11)]
    section.insets = .zero
    // A square is a square: 484.333… wide and high, that the original makes 484 high.
    let width = 484 + 1.0 / 3
    let there = OriginalWaterfall([section], width: width, scale: 3).frames[0][0]
    var container = view(width, scale: 3)
    container.rounding = .down
    let here = ListPlacement([MeasuredSection(section)], in: container).frames()[0]
    #expect(here?.height == here?.width)
    #expect(there.height == 484)
  }

  @Test func anEmptySectionIsNotShorterByASpacing() {
    var section = original
    section.footerInsets = .zero
    let there = OriginalWaterfall([section], width: 200, scale: 1).contentHeight
    let here = ListPlacement([MeasuredSection(section)], in: view(200)).contentSize.height
    #expect(here == 35)
    #expect(there == here - section.itemSpacing)
  }

  @Test func insetsOfAViewThatIsNotThereCountForNothing() {
    var section = original
    section.items = [Size(width: 1, height: 1)]
    section.header = 0
    let there = OriginalWaterfall([section], width: 200, scale: 1).contentHeight
    let here = ListPlacement([MeasuredSection(section)], in: view(200)).contentSize.height
    // The original keeps the upper insets of both.
    #expect(there == here + 5 + 7)
  }
}

extension Frame {
  /// Whether both are the same but for a rounding error.
  func isClose(to other: Frame) -> Bool {
    abs(x - other.x) < 1e-6 && abs(y - other.y) < 1e-6 && abs(width - other.width) < 1e-6
      && abs(height - other.height) < 1e-6
  }
}
