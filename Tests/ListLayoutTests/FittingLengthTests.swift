import ListLayout
import ListModel
import Testing

@Suite struct FittingLengthTests {
  /// `(bounds - insets - (n - 1) × spacing) / n`, rounded down to a pixel.
  @Test(arguments: [
    // length, before, after, columns, spacing, scale -> pixels
    (375.0, 0.0, 0.0, 1, 0.0, 2.0, 750),
    (375, 16, 16, 1, 0, 2, 686),
    (375, 16, 16, 2, 8, 2, 335),
    (390, 0, 0, 3, 10, 3, 370),
    (391, 0, 0, 3, 10, 3, 371),
    (320, 10, 10, 4, 10, 1, 67),
    (1_024, 20, 20, 7, 12, 2, 260),
  ])
  func workedExamples(
    length: Double, before: Double, after: Double, columns: Int, spacing: Double, scale: Double,
    pixels: Int
  ) {
    let fitting = FittingLength(
      length: length, before: before, after: after, columns: columns, spacing: spacing,
      scale: scale)
    #expect(fitting.pixels == pixels)
    #expect(fitting.points == Double(pixels) / scale)
  }

  @Test func thirdsOfAPointAreWholePixelsAtScale3() {
    // In binary, 3 × (100 - 2 × 7.666…) is 253.999….
    let inset = 23.0 / 3
    #expect((100 - inset - inset) * 3 < 254, "this test needs a difference that is not exact")
    for pixels in 300..<400 {
      for inset in 0..<60 {
        let fitting = FittingLength(
          length: Double(pixels) / 3, before: Double(inset) / 3, after: Double(inset) / 3,
          scale: 3)
        #expect(fitting.pixels == pixels - 2 * inset)
      }
    }
  }

  @Test func columnsOfAPixelEachFitThoughASumIsNotExact() {
    // 200 columns of a third of a point with as much between them.
    let third = 1.0 / 3
    for columns in 1...200 {
      let length = Double(columns) * third + Double(columns - 1) * third
      let metrics = SectionMetrics(kind: .waterfall, columns: 1_000, interitemSpacing: third)
      let section = MeasuredSection(
        metrics: metrics, items: ItemSizes(repeating: Size(width: 1, height: 3), count: columns))
      let height = ListPlacement([section], in: view(length, scale: 3)).contentSize.height
      #expect(height == 3, "\(columns) columns")
    }
  }

  @Test func columnsThatWouldGetNoPixelAreLeftOut() {
    // 1,000 columns of 100 points at scale 1: 100 of one pixel.
    #expect(FittingLength(length: 100, columns: 1_000, scale: 1).pixels == 1)
    // With 10 points between them 10: 10 × 1 + 9 × 10 = 100.
    #expect(FittingLength(length: 100, columns: 1_000, spacing: 10, scale: 1).pixels == 1)
    let section = MeasuredSection(
      metrics: SectionMetrics(kind: .waterfall, columns: 1_000, interitemSpacing: 10),
      items: ItemSizes(repeating: Size(width: 1, height: 5), count: 11))
    let frames = ListPlacement([section], in: view(100)).frames()
    #expect(frames[9] == frame(99, 0, 1, 5))
    #expect(frames[10] == frame(0, 5, 1, 5))
  }

  @Test(arguments: [0, -5, .nan, -.infinity, 0.4])
  func nothingFitsWhereThereIsNoLength(length: Double) {
    let fitting = FittingLength(length: length, columns: 3, spacing: 8, scale: 2)
    #expect(fitting.pixels == 0)
    #expect(fitting.points == 0)
  }

  @Test func insetsBeyondTheLengthLeaveNothing() {
    #expect(FittingLength(length: 100, before: 80, after: 80, scale: 1).pixels == 0)
    #expect(FittingLength(length: 100, before: .nan, after: -20, scale: 1).pixels == 100)
  }

  @Test(arguments: [0, -1, .nan, .infinity]) func aScaleThatIsNoneCountsAs1(scale: Double) {
    let fitting = FittingLength(length: 100.5, scale: scale)
    #expect(fitting.pixels == 100)
    #expect(fitting.points == 100)
  }

  @Test(arguments: [0, -1, Int.min]) func noColumnsCountAsOne(columns: Int) {
    #expect(FittingLength(length: 100, columns: columns, spacing: 8, scale: 1).pixels == 100)
  }

  @Test func itemsAreAsBroadAsTheLengthThatTheyWereMeasuredFor() throws {
    for kind in [SectionLayout.Kind.list, .waterfall] {
      for columns in 1...9 {
        let metrics = SectionMetrics(
          kind: kind, columns: columns, interitemSpacing: 7, insets: insets(1, 13, 2, 5))
        var container = view(414, scale: 3)
        container.contentInsets = insets(0, 11, 0, 3)
        container.margins = insets(0, 4, 0, 4)
        let placement = ListPlacement(
          [MeasuredSection(metrics: metrics, items: heights(10, 20))], in: container)
        let fitting = metrics.fittingLength(in: container)
        #expect(placement.frames().map { $0?.width } == [fitting.points, fitting.points])
      }
    }
  }

  @Test func aListHasOneColumnWhateverItsLayoutSays() {
    let metrics = SectionMetrics(kind: .list, columns: 3, interitemSpacing: 10)
    #expect(metrics.fittingLength(in: view(320)).pixels == 320)
  }

  @Test func anItemOfAFlowCanSpanColumns() {
    let metrics = SectionMetrics(kind: .flow, columns: 6, interitemSpacing: 10)
    // 350 = 6 × 50 + 5 × 10
    let lengths = (0...7).map { metrics.fittingLength(in: view(350), spanning: $0).pixels }
    #expect(lengths == [50, 50, 110, 170, 230, 290, 350, 350])
    let halves = ItemSizes([170, 170, 110, 110, 110].map { Size(width: $0, height: 10) })
    let placement = ListPlacement([MeasuredSection(metrics: metrics, items: halves)], in: view(350))
    #expect(placement.frames().map { $0?.x } == [0, 180, 0, 120, 240])
    #expect(placement.frames().map { $0?.y } == [0, 0, 10, 10, 10])
  }

  @Test func theKeyHoldsWhatWasFixed() {
    let environment = LayoutEnvironment(displayScale: 2)
    let container = LayoutContainer(
      size: Size(width: 320, height: 100), axis: .horizontal, in: environment)
    let metrics = SectionMetrics(insets: insets(10, 99, 20, 99))
    let key = metrics.fittingLength(in: container).sizeKey(
      axis: .horizontal, variant: "expanded", in: environment)
    #expect(
      key
        == SizeKey(
          axis: .horizontal, fittingPixels: 140, variant: "expanded", environment: environment))
  }

  @Test func headersFitBetweenTheirOwnInsets() {
    let metrics = SectionMetrics(
      kind: .waterfall, columns: 3, insets: insets(0, 50, 0, 50),
      headerInsets: insets(1, 10, 2, 20), footerInsets: insets(3, 5, 4, 5))
    #expect(metrics.fittingLength(of: .header, in: view(320)).pixels == 290)
    #expect(metrics.fittingLength(of: .footer, in: view(320)).pixels == 310)
  }

  @Test func aLayoutOverridesTheDefaultsThatItNames() {
    let defaults = SectionMetrics(
      kind: .flow, columns: 2, lineSpacing: 3, interitemSpacing: 4, insets: insets(1, 2, 3, 4),
      renderDirection: .leftToRight)
    #expect(SectionMetrics(nil, defaults: defaults) == defaults)
    var expected = defaults
    expected.kind = .waterfall
    expected.lineSpacing = 9
    #expect(
      SectionMetrics(SectionLayout(kind: .waterfall, lineSpacing: 9), defaults: defaults)
        == expected)
    let full = SectionLayout(
      kind: .list, columns: 7, lineSpacing: 1, interitemSpacing: 2, insets: insets(9, 8, 7, 6))
    let metrics = SectionMetrics(full, defaults: defaults)
    #expect(metrics.columns == 7 && metrics.interitemSpacing == 2)
    #expect(metrics.insets == insets(9, 8, 7, 6))
    #expect(metrics.renderDirection == .leftToRight)
  }
}
