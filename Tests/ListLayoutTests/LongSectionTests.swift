import ListLayout
import ListModel
import Testing

/// Sections of two thousand million items: what touched each of them would not end.
@Suite struct LongSectionTests {
  private let count = 2_000_000_000

  @Test func aListOfEqualItemsIsPlacedWithoutTouchingThem() {
    let section = MeasuredSection(
      metrics: SectionMetrics(lineSpacing: 6),
      items: ItemSizes(repeating: Size(width: 100, height: 44), count: count))
    var placement = ListPlacement([section], in: view(100))
    #expect(placement.contentSize.height == 50.0 * Double(count) - 6)
    #expect(placement.frame(ofItemAt: path(0, 1_234_567_890))?.y == 61_728_394_500)
    let visible = frame(0, 61_728_394_500, 100, 480)
    #expect(
      placement.itemRanges(in: visible).map(\.items) == [1_234_567_890..<1_234_567_900])

    // What is seen is measured; a few come and go; the rest moves along.
    placement.update { edits in
      for item in 0..<10 {
        edits.setSize(
          Size(width: 100, height: 45 + Double(item)), at: path(0, 1_234_567_890 + item))
      }
      edits.removeItems(0..<1_000_000_000, inSection: 0)
      edits.insertItems(heights(1, 2, 3), at: path(0, 0))
    }
    #expect(placement.problem == nil)
    #expect(placement.itemCount(inSection: 0) == 1_000_000_003)
    // 24 for the three that are new, 5 × 10 and 0 + … + 9 … 55 more for those that were measured.
    let height = 50_000_000_000.0 - 6 + 24 + 55
    #expect(placement.contentSize.height == height)
    #expect(placement.frame(ofItemAt: path(0, 234_567_893)) == frame(0, 11_728_394_524, 100, 45))
  }

  @Test func soIsAGrid() {
    let section = MeasuredSection(
      metrics: SectionMetrics(kind: .flow, lineSpacing: 5, interitemSpacing: 5),
      items: ItemSizes(repeating: Size(width: 30, height: 20), count: count))
    var placement = ListPlacement([section], in: view(100))
    // Three a line, the last line has two.
    let lastLine: Double = 25 * 666_666_666
    #expect(placement.contentSize.height == lastLine + 20)
    #expect(placement.frame(ofItemAt: path(0, 1_999_999_999))?.y == lastLine)
    #expect(placement.frame(ofItemAt: path(0, 1_999_999_999))?.x == 35)
    placement.update { $0.insertItems(sizes((30, 20)), at: path(0, 0)) }
    #expect(placement.frame(ofItemAt: path(0, 1_999_999_999))?.x == 35)
    placement.update { $0.setSize(Size(width: 100, height: 10), at: path(0, 0)) }
    #expect(placement.problem == nil)
    #expect(placement.frame(ofItemAt: path(0, 1))?.y == 15)
    let height: Double = 15 + 25 * 666_666_667 - 5
    #expect(placement.contentSize.height == height)
  }

  @Test func sumsHoldWhereSizesAreMeans() {
    // 1,000 items of 33,333.25 points together, and 500 of 100.
    var items = ItemSizes()
    items.append(count: 1_000, totalLength: 33_333.25, breadth: 100)
    items.append(count: 0, totalLength: 5, breadth: 100)
    items.append(count: 500, totalLength: 100, breadth: 100)
    var placement = ListPlacement(
      [MeasuredSection(metrics: SectionMetrics(), items: items)], in: view(100))
    #expect(abs(placement.contentSize.height - 33_433.25) < 1e-6)
    let second = placement.frame(ofItemAt: path(0, 1_000))?.y ?? 0
    #expect(abs(second - 33_333.25) < 1e-6)
    // The real sizes of the first stretch have the same sum: nothing below it moves.
    let real = ItemSizes((0..<1_000).map { Size(width: 100, height: $0 == 0 ? 66 : 33) })
    placement.update { $0.replaceItems(0..<1_000, inSection: 0, with: real) }
    #expect(placement.frame(ofItemAt: path(0, 1_000))?.y == 33_033)
    #expect(placement.frame(ofItemAt: path(0, 999))?.y == 33_000)
  }
}
