import ListLayout
import ListModel
import Testing

/// What UIKit's flow layout is known to do, by hand.
@Suite struct FlowArithmeticTests {
  private func place(
    _ items: ItemSizes, width: Double = 320, spacing: Double = 10, lineSpacing: Double = 10,
    insets: Insets = .zero, scale: Double = 1,
    change: (inout SectionMetrics) -> Void = { _ in }
  ) -> ListPlacement {
    var metrics = SectionMetrics(
      kind: .flow, lineSpacing: lineSpacing, interitemSpacing: spacing, insets: insets)
    change(&metrics)
    return ListPlacement(
      [MeasuredSection(metrics: metrics, items: items)], in: view(width, scale: scale))
  }

  @Test func asManyAsFitAreInALineAndTheRestIsSharedOut() {
    // 3 × 90 + 2 × 10 = 290 fit in 320, 4 do not; the gaps are (320 - 270) / 2 = 25.
    let placement = place(ItemSizes(repeating: Size(width: 90, height: 50), count: 3))
    #expect(placement.frames() == [0, 115, 230].map { frame($0, 0, 90, 50) })
    #expect(placement.contentSize == Size(width: 320, height: 50))
  }

  @Test func whatFitsExactlyFits() {
    let placement = place(ItemSizes(repeating: Size(width: 100, height: 50), count: 3))
    #expect(placement.frames() == [0, 110, 220].map { frame($0, 0, 100, 50) })
    // In thirds of a point sums are not exact: 4 × 86.333… + 3 × 10 = 375.333…
    let thirds = place(
      ItemSizes(repeating: Size(width: 86 + 1.0 / 3, height: 50), count: 4),
      width: 375 + 1.0 / 3, scale: 3)
    #expect(thirds.frames().map { $0?.y } == [0, 0, 0, 0])
  }

  @Test func theLastLineOfEqualItemsKeepsTheGaps() {
    let placement = place(ItemSizes(repeating: Size(width: 90, height: 50), count: 5))
    #expect(placement.frames().map { $0?.x } == [0, 115, 230, 0, 115])
    #expect(placement.frames().map { $0?.y } == [0, 0, 0, 60, 60])
    #expect(placement.contentSize.height == 110)
  }

  @Test func aLastLineOfOtherwiseUnequalItemsIsAtTheLeftWithTheLeastSpacing() {
    let placement = place(sizes((90, 50), (90, 50), (80, 50), (90, 50), (90, 50)))
    // 320 - 260 = 60, in two gaps.
    #expect(placement.frames().map { $0?.x } == [0, 120, 240, 0, 100])
  }

  @Test func anItemAloneInItsLineIsInTheMiddle() {
    let placement = place(sizes((200, 10), (200, 10), (200, 10), (250, 10)))
    #expect(placement.frames().map { $0?.x } == [60, 60, 60, 0])
    // Of equal ones, the last too.
    let equal = place(ItemSizes(repeating: Size(width: 200, height: 10), count: 2))
    #expect(equal.frames().map { $0?.x } == [60, 60])
  }

  @Test func aLineIsAsHighAsItsHighestItemAndTheOthersAreInItsMiddle() {
    let placement = place(sizes((150, 20), (150, 50), (150, 30), (150, 10)))
    #expect(
      placement.frames() == [
        frame(0, 15, 150, 20), frame(170, 0, 150, 50), frame(0, 60, 150, 30),
        frame(160, 70, 150, 10),
      ])
  }

  @Test func insetsNarrowTheLine() {
    // 320 - 30 - 40 = 250 holds two of 100: gap 50.
    let placement = place(
      ItemSizes(repeating: Size(width: 100, height: 20), count: 3), insets: insets(7, 30, 9, 40))
    #expect(
      placement.frames() == [
        frame(30, 7, 100, 20), frame(180, 7, 100, 20), frame(30, 37, 100, 20),
      ])
    #expect(placement.contentSize.height == 66)
  }

  @Test func gapsEndAtWholePixels() {
    // (320 - 3 × 95) / 2 = 17.5
    let items = ItemSizes(repeating: Size(width: 95, height: 10), count: 3)
    #expect(place(items).frames().map { $0?.x } == [0, 112, 225])
    #expect(place(items, scale: 2).frames().map { $0?.x } == [0, 112.5, 225])
  }

  @Test func anItemThatIsTooWideIsCutToItsLine() {
    let placement = place(sizes((50, 10), (900, 20), (50, 10)))
    #expect(
      placement.frames() == [frame(135, 0, 50, 10), frame(0, 20, 320, 20), frame(0, 50, 50, 10)])
  }

  @Test func horizontallyLinesAreColumns() {
    let metrics = SectionMetrics(kind: .flow, lineSpacing: 5, interitemSpacing: 10)
    let container = LayoutContainer(size: Size(width: 100, height: 100), axis: .horizontal)
    let placement = ListPlacement(
      [MeasuredSection(metrics: metrics, items: sizes((30, 40), (20, 40), (30, 40)))],
      in: container)
    #expect(
      placement.frames() == [frame(0, 0, 30, 40), frame(5, 60, 20, 40), frame(35, 0, 30, 40)])
    #expect(placement.contentSize == Size(width: 65, height: 100))
  }

  @Test func otherAlignmentsKeepTheSpacing() {
    let items = sizes((90, 50), (80, 20), (100, 50), (90, 30))
    let starts: [SectionMetrics.LineAlignment: [Double]] = [
      .leading: [0, 100, 190, 0], .center: [15, 115, 205, 115], .trailing: [30, 130, 220, 230],
      .justified: [0, 115, 220, 0],
    ]
    for alignment in SectionMetrics.LineAlignment.allCases {
      let placement = place(items) { $0.lineAlignment = alignment }
      #expect(placement.frames().map { $0?.x } == starts[alignment])
    }
    let tops: [SectionMetrics.ItemAlignment: Double] = [.start: 0, .center: 15, .end: 30]
    for alignment in SectionMetrics.ItemAlignment.allCases {
      let placement = place(items) { $0.itemAlignment = alignment }
      #expect(placement.frame(ofItemAt: path(0, 1))?.y == tops[alignment])
    }
  }

  @Test func aShorterNextItemStillFitsBesideEqualOnes() {
    // 2 × 120 + 10 = 250; a third of 120 does not fit, one of 50 does.
    let placement = place(sizes((120, 10), (120, 10), (50, 10)))
    #expect(placement.frames().map { $0?.y } == [0, 0, 0])
    let longer = place(sizes((120, 10), (120, 10), (120, 10), (120, 10), (50, 10)))
    #expect(longer.frames().map { $0?.y } == [0, 0, 20, 20, 20])
  }

  @Test func aLineHoldsAThousandItemsAtMost() {
    let placement = place(
      ItemSizes(repeating: Size(width: 0, height: 10), count: 2_500), spacing: 0, lineSpacing: 0)
    #expect(placement.contentSize.height == 30)
    #expect(placement.frame(ofItemAt: path(0, 999))?.y == 0)
    #expect(placement.frame(ofItemAt: path(0, 1_000))?.y == 10)
    #expect(placement.elements(in: frame(0, 0, 320, 30)).isEmpty)
  }

  @Test func anItemThatBecomesShorterGoesUpToTheLineBefore() throws {
    var placement = place(sizes((150, 10), (200, 10), (100, 10), (200, 10)))
    #expect(placement.frames().map { $0?.y } == [0, 20, 20, 40])
    placement.update { $0.setSize(Size(width: 160, height: 10), at: path(0, 1)) }
    #expect(placement.frames().map { $0?.y } == [0, 0, 20, 20])
    #expect(placement.contentSize.height == 30)
  }
}
