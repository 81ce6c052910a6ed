import ListLayout
import ListModel
import Testing

/// Numbers that no view has: a defined placement, never a crash.
@Suite struct HostileInputTests {
  private static let numbers: [Double] = [
    .nan, -.nan, .infinity, -.infinity, -1, -0.0, 0, Double.leastNonzeroMagnitude, 1e-9, 1, 1e300,
    .greatestFiniteMagnitude,
  ]

  /// Whether every edge is a number, and no length negative.
  private func isSound(_ frame: Frame) -> Bool {
    [frame.x, frame.y, frame.width, frame.height].allSatisfy(\.isFinite) && frame.width >= 0
      && frame.height >= 0
  }

  private func check(_ placement: ListPlacement, _ what: String) {
    #expect(placement.problem == nil, "\(what)")
    let everything = placement.everything
    let areSound = everything.allSatisfy { isSound($0.frame) }
    #expect(areSound, "\(what)")
    let size = placement.contentSize
    let isContentSound = isSound(Frame(x: 0, y: 0, width: size.width, height: size.height))
    #expect(isContentSound, "\(what)")
    let all = Frame(x: -1e9, y: -1e9, width: 1e10, height: 1e10)
    let withArea = everything.filter { $0.frame.width > 0 && $0.frame.height > 0 }
    #expect(placement.elements(in: all) == withArea, "\(what)")
  }

  @Test(arguments: SectionLayout.Kind.allCases)
  func anyNumberAnywhereIsPlaced(kind: SectionLayout.Kind) {
    for number in Self.numbers {
      let all = Insets(top: number, left: number, bottom: number, right: number)
      let items = ItemSizes([Size(width: number, height: 10), Size(width: 10, height: number)])
      let metrics = SectionMetrics(kind: kind, columns: 3)
      var odd = metrics
      odd.lineSpacing = number
      odd.interitemSpacing = number
      odd.insets = all
      odd.headerInsets = all
      odd.footerInsets = all
      for axis in [SizeKey.Axis.vertical, .horizontal] {
        for sizing in SectionMetrics.Sizing.allCases {
          odd.sizing = sizing
          let plain = MeasuredSection(metrics: metrics, headerLength: 1, items: items)
          let section = MeasuredSection(
            metrics: odd, headerLength: number, footerLength: number, items: items)
          let view = LayoutContainer(size: Size(width: 100, height: 100), axis: axis)
          check(ListPlacement([section, plain], in: view, sectionSpacing: number), "\(number)")
          var odd = LayoutContainer(
            size: Size(width: number, height: number), axis: axis, scale: number,
            isMirrored: true, contentInsets: all, margins: all, minimumContentLength: number)
          check(ListPlacement([section, plain], in: odd), "\(number)")
          odd.size = view.size
          check(ListPlacement([plain], in: odd), "\(number)")
        }
      }
    }
  }

  @Test(arguments: [Int.min, -1, 0, 1, 2, 999, 1_000, 1_001, Int.max])
  func anyNumberOfColumnsIsPlaced(columns: Int) {
    for kind in SectionLayout.Kind.allCases {
      for spacing in [0, 10.0] {
        let metrics = SectionMetrics(kind: kind, columns: columns, interitemSpacing: spacing)
        let count = kind == .flow ? 200 : 1_100
        let items = ItemSizes(repeating: Size(width: 30, height: 10), count: count)
        for width in [0, 1, 5_000.0] {
          check(
            ListPlacement([MeasuredSection(metrics: metrics, items: items)], in: view(width)),
            "\(kind), \(columns) columns, \(width)")
        }
      }
    }
  }

  @Test func whatCountsAsNothingIsNothing() {
    // NaN and what is negative count as 0: this is the same list.
    let metrics = SectionMetrics(kind: .flow)
    var odd = metrics
    odd.lineSpacing = -10
    odd.interitemSpacing = .nan
    odd.insets = insets(-5, .nan, -.infinity, -1)
    let items = ItemSizes([10, 20].map { Size(width: 60, height: $0) })
    let oddly = ListPlacement([MeasuredSection(metrics: odd, items: items)], in: view(100))
    let plainly = ListPlacement([MeasuredSection(metrics: metrics, items: items)], in: view(100))
    #expect(oddly.everything == plainly.everything)
  }

  @Test func rectanglesWithoutAreaHoldNothing() {
    let placement = ListPlacement(
      [MeasuredSection(metrics: SectionMetrics(), items: heights(10, 10))], in: view(100))
    for number in [.nan, 0, -1, -.infinity] as [Double] {
      #expect(placement.elements(in: frame(0, 0, number, 10)).isEmpty)
      #expect(placement.elements(in: frame(0, 0, 10, number)).isEmpty)
    }
    #expect(placement.elements(in: frame(.nan, .nan, 10, 10)).isEmpty)
    #expect(placement.elements(in: frame(0, 0, Double.infinity, Double.infinity)).count == 2)
    #expect(placement.elements(in: frame(0, 1e300, 10, 10)).isEmpty)
  }

  @Test func editsOfWhatIsNotThereChangeNothing() {
    let section = MeasuredSection(metrics: SectionMetrics(), items: heights(10, 20))
    var placement = ListPlacement([section], in: view(100))
    let before = placement.everything
    var answers: [Bool] = []
    placement.update { edits in
      for index in [-1, 1, Int.max, Int.min] {
        answers += [
          edits.setSize(Size(width: 1, height: 1), at: path(index, 0)),
          edits.insertItems(heights(1), at: path(index, 0)),
          edits.removeItems(0..<1, inSection: index),
          edits.setLength(9, of: .header, inSection: index),
          edits.removeSection(at: index),
          edits.moveSection(at: index, to: 0), edits.moveSection(at: 0, to: index),
          edits.replaceSection(at: index, with: section),
        ]
      }
      for item in [-1, 2, Int.max] {
        answers.append(edits.setSize(Size(width: 1, height: 1), at: path(0, item)))
      }
      for item in [-1, 3, Int.max] {
        answers.append(edits.insertItems(heights(1), at: path(0, item)))
      }
      answers += [
        edits.removeItems(1..<3, inSection: 0), edits.removeItems(-1..<1, inSection: 0),
        edits.insertSection(section, at: -1), edits.insertSection(section, at: 2),
      ]
    }
    #expect(answers.count == 42 && !answers.contains(true))
    #expect(placement.everything == before)
  }

  @Test func noMoreItemsThanCanBeCounted() {
    var sizes = ItemSizes(repeating: Size(width: 1, height: 1), count: Int.max)
    #expect(sizes.count == 2_147_483_647)
    sizes.append(Size(width: 1, height: 2))
    #expect(sizes.count == 2_147_483_647)
    #expect(ItemSizes(repeating: Size(width: 1, height: 1), count: Int.min).count == 0)
    var section = MeasuredSection(metrics: SectionMetrics(), items: sizes)
    section.headerLength = 10
    var placement = ListPlacement([section], in: view(100))
    var isDone = true
    placement.update { isDone = $0.insertItems(heights(1), at: path(0, 0)) }
    #expect(!isDone)
    #expect(placement.contentSize.height == 2_147_483_657)
  }
}
