import ListLayout
import ListModel
import Testing

/// Sections, headers, footers, insets, directions: by hand.
@Suite struct SectionPlacementTests {
  private let section = MeasuredSection(
    metrics: SectionMetrics(
      lineSpacing: 4, insets: insets(5, 6, 7, 8), headerInsets: insets(1, 2, 3, 4),
      footerInsets: insets(9, 10, 11, 12)),
    headerLength: 20, footerLength: 30, items: heights(10, 40))

  @Test func partsStandOneBelowAnother() {
    let placement = ListPlacement([section, section], in: view(100), sectionSpacing: 50)
    #expect(placement.frame(of: .header, inSection: 0) == frame(2, 1, 94, 20))
    // 1 + 20 + 3 + 5 = 29
    #expect(placement.frame(ofItemAt: path(0, 0)) == frame(6, 29, 86, 10))
    #expect(placement.frame(ofItemAt: path(0, 1)) == frame(6, 43, 86, 40))
    // 83 + 7 + 9 = 99
    #expect(placement.frame(of: .footer, inSection: 0) == frame(10, 99, 78, 30))
    #expect(placement.frame(ofSection: 0) == frame(0, 0, 100, 140))
    #expect(placement.frame(ofSection: 1) == frame(0, 190, 100, 140))
    #expect(placement.frame(ofItemAt: path(1, 1)) == frame(6, 233, 86, 40))
    #expect(placement.contentSize == Size(width: 100, height: 330))
  }

  @Test func horizontallyTheSameAreColumns() {
    var section = section
    section.items = sizes((10, 1), (40, 1))
    let container = LayoutContainer(size: Size(width: 480, height: 100), axis: .horizontal)
    let placement = ListPlacement([section], in: container)
    // left and right are along, top and bottom across.
    #expect(placement.frame(of: .header, inSection: 0) == frame(2, 1, 20, 96))
    // 2 + 20 + 4 + 6 = 32
    #expect(placement.frame(ofItemAt: path(0, 0)) == frame(32, 5, 10, 88))
    #expect(placement.frame(ofItemAt: path(0, 1)) == frame(46, 5, 40, 88))
    // 86 + 8 + 10 = 104
    #expect(placement.frame(of: .footer, inSection: 0) == frame(104, 9, 30, 80))
    #expect(placement.contentSize == Size(width: 146, height: 100))
  }

  @Test func mirroredEverythingChangesSidesWithItsInsets() {
    var container = view(100)
    container.isMirrored = true
    let placement = ListPlacement([section], in: container)
    #expect(placement.frame(of: .header, inSection: 0) == frame(4, 1, 94, 20))
    #expect(placement.frame(ofItemAt: path(0, 0)) == frame(8, 29, 86, 10))
    #expect(placement.frame(of: .footer, inSection: 0) == frame(12, 99, 78, 30))
  }

  @Test func mirroredAHorizontalListBeginsAtTheRight() {
    let container = LayoutContainer(
      size: Size(width: 480, height: 100), axis: .horizontal, isMirrored: true)
    let section = MeasuredSection(metrics: SectionMetrics(), items: sizes((10, 1), (40, 1)))
    let placement = ListPlacement([section], in: container)
    #expect(placement.frames() == [frame(40, 0, 10, 100), frame(0, 0, 40, 100)])
    #expect(placement.elements(in: frame(0, 0, 40, 1)).map(\.element) == [.item(path(0, 1))])
    #expect(placement.elements(in: frame(40, 0, 40, 1)).map(\.element) == [.item(path(0, 0))])
  }

  @Test func anEnvironmentSaysScaleAndDirection() {
    let environment = LayoutEnvironment(layoutDirection: "rightToLeft", displayScale: 3)
    let container = LayoutContainer(size: Size(width: 1, height: 2), in: environment)
    #expect(container.isMirrored && container.scale == 3 && container.axis == .vertical)
    #expect(!LayoutContainer(size: container.size, in: LayoutEnvironment()).isMirrored)
  }

  @Test(arguments: [nil, 0, -1, .nan] as [Double?])
  func withoutLengthThereIsNoViewNorItsInsets(length: Double?) {
    var section = section
    section.headerLength = length
    section.footerLength = length
    let placement = ListPlacement([section], in: view(100))
    #expect(placement.frame(of: .header, inSection: 0) == nil)
    #expect(placement.frame(of: .footer, inSection: 0) == nil)
    #expect(placement.frame(ofItemAt: path(0, 0))?.y == 5)
    #expect(placement.contentSize.height == 66)
  }

  @Test(arguments: SectionLayout.Kind.allCases)
  func anEmptySectionHasItsInsetsAndViews(kind: SectionLayout.Kind) {
    var section = section
    section.metrics.kind = kind
    section.items = ItemSizes()
    let placement = ListPlacement([section, section], in: view(100))
    #expect(placement.frame(of: .footer, inSection: 0)?.y == 45)
    #expect(placement.frame(ofSection: 1)?.y == 86)
    #expect(placement.contentSize.height == 172)
    #expect(placement.elements(in: frame(0, 0, 100, 1_000)).count == 4)
  }

  @Test func contentInsetsNarrowTheContentAndMarginsTheItems() {
    var container = view(100)
    container.contentInsets = insets(1, 10, 1, 5)
    container.margins = insets(1, 3, 1, 4)
    let placement = ListPlacement([section], in: container)
    #expect(placement.contentSize.width == 85)
    #expect(placement.frame(of: .header, inSection: 0) == frame(2, 1, 79, 20))
    #expect(placement.frame(ofItemAt: path(0, 0)) == frame(9, 29, 64, 10))
  }

  @Test func theContentHasALeastLength() {
    var container = view(100)
    container.minimumContentLength = 500
    #expect(ListPlacement([section], in: container).contentSize.height == 500)
    container.minimumContentLength = 20
    #expect(ListPlacement([section], in: container).contentSize.height == 140)
    #expect(ListPlacement([], in: container).contentSize == Size(width: 100, height: 20))
  }

  @Test func lengthsAreRoundedAsTheContainerSays() {
    let lengths = heights(10.1, 10.5, 10.6)
    let expected: [PixelRounding: [Double]] = [
      .up: [10.5, 10.5, 11], .down: [10, 10.5, 10.5], .none: [10.1, 10.5, 10.6],
    ]
    for rounding in PixelRounding.allCases {
      var container = view(100, scale: 2)
      container.rounding = rounding
      let section = MeasuredSection(
        metrics: SectionMetrics(), headerLength: 5.2, items: lengths)
      let placement = ListPlacement([section], in: container)
      #expect(placement.frames().map { $0?.height } == expected[rounding])
      let header = [PixelRounding.up: 5.5, .down: 5, .none: 5.2][rounding]
      #expect(placement.frame(of: .header, inSection: 0)?.height == header)
    }
  }

  @Test func aPinnedHeaderStaysAsLongAsItsSectionIsSeen() {
    let section = MeasuredSection(
      metrics: SectionMetrics(), headerLength: 20, footerLength: 10, items: heights(50, 50))
    let placement = ListPlacement([section, section], in: view(100))
    func y(_ index: Int, _ top: Double) -> Double? {
      placement.pinnedFrameOfHeader(inSection: index, visible: frame(0, top, 100, 60))?.y
    }
    #expect([-30, 0, 10, 70, 100, 110, 200].map { y(0, $0) } == [0, 0, 10, 70, 100, 100, 100])
    #expect([0, 130, 140].map { y(1, $0) } == [130, 130, 140])
    #expect(placement.pinnedFrameOfHeader(inSection: 2, visible: frame(0, 0, 1, 1)) == nil)
  }

  @Test func whatIsNotThereHasNoFrame() {
    let placement = ListPlacement([section], in: view(100))
    for section in [-1, 1, Int.max] {
      #expect(placement.frame(ofSection: section) == nil)
      #expect(placement.frame(of: .header, inSection: section) == nil)
      #expect(placement.frame(ofItemAt: path(section, 0)) == nil)
      #expect(placement.itemCount(inSection: section) == 0)
    }
    for item in [-1, 2, Int.max] { #expect(placement.frame(ofItemAt: path(0, item)) == nil) }
  }

  @Test func edgesThatTouchAreOutside() {
    let section = MeasuredSection(metrics: SectionMetrics(), items: heights(10, 0, 10))
    let placement = ListPlacement([section], in: view(100))
    func items(_ y: Double, _ height: Double) -> [Int] {
      placement.elements(in: frame(0, y, 100, height)).map {
        guard case .item(let path) = $0.element else { return -1 }
        return path.item
      }
    }
    #expect(items(0, 10) == [0])
    #expect(items(10, 10) == [2])
    #expect(items(9.5, 1) == [0, 2])
    #expect(items(5, 0).isEmpty && items(20, 10).isEmpty && items(-10, 10).isEmpty)
    #expect(placement.elements(in: frame(100, 0, 10, 20)).isEmpty)
    #expect(placement.frame(ofItemAt: path(0, 1)) == frame(0, 10, 100, 0))
  }

  @Test func rangesOfItemsAreSectionBySection() {
    let section = MeasuredSection(metrics: SectionMetrics(), items: heights(10, 10, 10))
    let empty = MeasuredSection(metrics: SectionMetrics())
    let placement = ListPlacement([section, empty, section], in: view(9))
    let ranges = placement.itemRanges(in: frame(0, 15, 9, 20))
    #expect(ranges.map(\.section) == [0, 2])
    #expect(ranges.map(\.items) == [1..<3, 0..<1])
  }
}
