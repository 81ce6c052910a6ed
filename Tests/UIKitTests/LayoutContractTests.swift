import Foundation
import Testing

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// The flow layout's arithmetic, by worked examples.
@MainActor @Suite struct FlowLayoutContractTests {
  /// Sections of cells without content, with sizes of their own if there are any.
  @MainActor
  private final class Sized: NSObject, UICollectionViewDataSource,
    UICollectionViewDelegateFlowLayout
  {
    let counts: [Int]
    let sizes: [CGSize]
    let layout = UICollectionViewFlowLayout()
    let view: UICollectionView

    init(_ counts: [Int], _ sizes: [CGSize] = [], size: CGSize = CGSize(width: 100, height: 1_000))
    {
      self.counts = counts
      self.sizes = sizes
      view = UICollectionView(
        frame: CGRect(origin: .zero, size: size), collectionViewLayout: layout)
      super.init()
      view.contentInsetAdjustmentBehavior = .never
      view.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "cell")
      for kind in [
        UICollectionView.elementKindSectionHeader, UICollectionView.elementKindSectionFooter,
      ] {
        view.register(
          UICollectionReusableView.self, forSupplementaryViewOfKind: kind,
          withReuseIdentifier: "edge")
      }
      view.dataSource = self
      view.delegate = self
    }

    func frames(_ section: Int) -> [CGRect] {
      view.layoutIfNeeded()
      return (0..<counts[section]).compactMap {
        view.layoutAttributesForItem(at: at(section, $0))?.frame
      }
    }

    func numberOfSections(in collectionView: UICollectionView) -> Int { counts.count }
    func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { counts[section] }
    func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: indexPath)
    }
    func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
      at indexPath: IndexPath
    ) -> UICollectionReusableView {
      collectionView.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: "edge", for: indexPath)
    }
    func collectionView(
      _ collectionView: UICollectionView, layout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize { sizes.isEmpty ? self.layout.itemSize : sizes[indexPath.item] }
  }

  private func rect(_ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) -> CGRect {
    CGRect(x: x, y: y, width: width, height: height)
  }

  @Test func linesAreFilledAndJustified() {
    // Three items of 30 leave 10, which the two gaps share; the last line continues the grid.
    let sized = Sized([5])
    sized.layout.itemSize = CGSize(width: 30, height: 20)
    sized.layout.minimumInteritemSpacing = 0
    sized.layout.minimumLineSpacing = 4
    #expect(
      sized.frames(0) == [
        rect(0, 0, 30, 20), rect(35, 0, 30, 20), rect(70, 0, 30, 20), rect(0, 24, 30, 20),
        rect(35, 24, 30, 20),
      ])
    #expect(sized.view.contentSize == CGSize(width: 100, height: 44))
  }

  @Test func spacingDecidesHowManyFit() {
    let sized = Sized([3])
    sized.layout.itemSize = CGSize(width: 30, height: 20)
    sized.layout.minimumInteritemSpacing = 6
    sized.layout.minimumLineSpacing = 0
    // 30 + 6 + 30 + 6 + 30 is 102: two a line.
    #expect(sized.frames(0).map(\.minX) == [0, 70, 0])
    sized.layout.minimumInteritemSpacing = 5
    #expect(sized.frames(0).map(\.minX) == [0, 35, 70])
  }

  @Test func itemsOfALineAreCentredAcrossIt() {
    let sized = Sized([2], [CGSize(width: 40, height: 20), CGSize(width: 40, height: 40)])
    sized.layout.minimumInteritemSpacing = 0
    #expect(sized.frames(0) == [rect(0, 10, 40, 20), rect(60, 0, 40, 40)])
  }

  @Test func anItemAloneInItsLineIsCentredAlongItWhereSizesDiffer() {
    let sized = Sized(
      [3],
      [
        CGSize(width: 40, height: 20), CGSize(width: 40, height: 20), CGSize(width: 80, height: 10),
      ])
    sized.layout.minimumInteritemSpacing = 0
    sized.layout.minimumLineSpacing = 10
    #expect(sized.frames(0).last == rect(10, 30, 80, 10))
  }

  @Test func sectionsHaveInsetsHeadersAndFooters() {
    let sized = Sized([1, 0, 1])
    sized.layout.itemSize = CGSize(width: 90, height: 20)
    sized.layout.sectionInset = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 8)
    sized.layout.headerReferenceSize = CGSize(width: 7, height: 30)
    sized.layout.footerReferenceSize = CGSize(width: 7, height: 5)
    // A section is 30 + 1 + 20 + 3 + 5 high, an empty one 30 + 1 + 3 + 5.
    #expect(sized.frames(0) == [rect(2, 31, 90, 20)])
    #expect(sized.frames(2) == [rect(2, 59 + 39 + 31, 90, 20)])
    let edges = [
      UICollectionView.elementKindSectionHeader, UICollectionView.elementKindSectionFooter,
    ].map { kind in sized.view.supplementaryView(forElementKind: kind, at: at(1, 0))?.frame }
    // As broad as the view, whatever the width says.
    #expect(edges == [rect(0, 59, 100, 30), rect(0, 93, 100, 5)])
    #expect(sized.view.contentSize == CGSize(width: 100, height: 59 + 39 + 59))
  }

  @Test func horizontalLinesAreColumns() {
    let sized = Sized([3], size: CGSize(width: 200, height: 100))
    sized.layout.scrollDirection = .horizontal
    sized.layout.itemSize = CGSize(width: 10, height: 40)
    sized.layout.minimumInteritemSpacing = 20
    sized.layout.minimumLineSpacing = 5
    sized.layout.headerReferenceSize = CGSize(width: 8, height: 99)
    #expect(sized.frames(0) == [rect(8, 0, 10, 40), rect(8, 60, 10, 40), rect(23, 0, 10, 40)])
    #expect(sized.view.contentSize == CGSize(width: 33, height: 100))
  }

  @Test func anotherWidthBreaksLinesAnew() {
    let sized = Sized([3])
    sized.layout.itemSize = CGSize(width: 30, height: 20)
    sized.layout.minimumInteritemSpacing = 0
    sized.layout.minimumLineSpacing = 0
    #expect(sized.frames(0).map(\.minY) == [0, 0, 0])
    sized.view.frame.size.width = 60
    #expect(sized.frames(0).map(\.minY) == [0, 0, 20])
    #expect(sized.view.contentSize == CGSize(width: 60, height: 40))
  }

  @Test func aChangedPropertyLaysOutAnew() {
    let sized = Sized([2])
    sized.layout.itemSize = CGSize(width: 100, height: 20)
    sized.layout.minimumLineSpacing = 0
    #expect(sized.frames(0).map(\.minY) == [0, 20])
    sized.layout.minimumLineSpacing = 7
    #expect(sized.frames(0).map(\.minY) == [0, 27])
    sized.layout.itemSize.height = 30
    #expect(sized.frames(0).map(\.minY) == [0, 37])
  }

  @Test func contentInsetsNarrowTheLines() {
    let sized = Sized([2])
    sized.view.contentInset = UIEdgeInsets(top: 5, left: 10, bottom: 0, right: 10)
    sized.layout.itemSize = CGSize(width: 45, height: 20)
    sized.layout.minimumInteritemSpacing = 0
    sized.layout.minimumLineSpacing = 0
    #expect(sized.frames(0).map(\.minY) == [0, 20])
    #expect(sized.view.contentSize == CGSize(width: 80, height: 40))
  }
}

/// Cells and rows that size themselves.
@MainActor @Suite struct SelfSizingContractTests {
  /// Lays a view out until its cells have said what they need: how many turns that takes is UIKit's.
  private static func layOut(_ view: UIView) {
    for _ in 0..<3 {
      view.setNeedsLayout()
      view.layoutIfNeeded()
    }
  }

  /// As many points high as its text says.
  private final class HighCell: TextCell {
    override func preferredLayoutAttributesFitting(
      _ layoutAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutAttributes {
      layoutAttributes.frame.size.height = CGFloat(Double(text) ?? 1)
      return layoutAttributes
    }
  }

  private func screen(_ heights: [String]) -> CollectionScreen {
    let screen = CollectionScreen([heights])
    screen.view.register(HighCell.self, forCellWithReuseIdentifier: "high")
    screen.cellIdentifier = "high"
    return screen
  }

  @Test func cellsOfEstimatedSizesGetWhatTheyPrefer() {
    let screen = screen(["35", "25", "15"])
    screen.layout.estimatedItemSize = CGSize(width: 100, height: 20)
    Self.layOut(screen.view)
    #expect((0..<3).map { screen.cell(0, $0)?.frame.minY } == [0, 35, 60])
    #expect((0..<3).map { screen.cell(0, $0)?.frame.height } == [35, 25, 15])
    #expect(screen.view.contentSize.height == 75)
  }

  @Test func smallerCellsBringMoreIntoSight() {
    let screen = screen(Array(repeating: "10", count: 20))
    screen.layout.estimatedItemSize = CGSize(width: 100, height: 50)
    Self.layOut(screen.view)
    #expect(screen.view.visibleCells.count == 10)
  }

  @Test func withoutEstimatesTheSizeIsTheLayouts() {
    let screen = screen(["35", "25"])
    Self.layOut(screen.view)
    #expect((0..<2).map { screen.cell(0, $0)?.frame.height } == [20, 20])
  }

  /// A layout of lines that follows its cells.
  private final class Lines: UICollectionViewLayout {
    var heights: [CGFloat] = [10, 10, 10]

    override var collectionViewContentSize: CGSize {
      CGSize(width: 100, height: heights.reduce(0, +))
    }
    override func layoutAttributesForElements(
      in rect: CGRect
    ) -> [UICollectionViewLayoutAttributes]? {
      heights.indices.compactMap { layoutAttributesForItem(at: at(0, $0)) }
        .filter { $0.frame.intersects(rect) }
    }
    override func layoutAttributesForItem(
      at indexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? {
      let attributes = UICollectionViewLayoutAttributes(forCellWith: indexPath)
      attributes.frame = CGRect(
        x: 0, y: heights[..<indexPath.item].reduce(0, +), width: 100,
        height: heights[indexPath.item])
      return attributes
    }
    override func shouldInvalidateLayout(
      forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
      withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
    ) -> Bool { preferredAttributes.frame.height != originalAttributes.frame.height }
    override func invalidationContext(
      forPreferredLayoutAttributes preferredAttributes: UICollectionViewLayoutAttributes,
      withOriginalAttributes originalAttributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutInvalidationContext {
      heights[originalAttributes.indexPath.item] = preferredAttributes.frame.height
      return super.invalidationContext(
        forPreferredLayoutAttributes: preferredAttributes,
        withOriginalAttributes: originalAttributes)
    }
  }

  @Test func anyLayoutIsToldWhatCellsPrefer() {
    let screen = screen(["35", "25", "15"])
    let layout = Lines()
    screen.view.collectionViewLayout = layout
    Self.layOut(screen.view)
    #expect(layout.heights == [35, 25, 15])
    #expect((0..<3).map { screen.cell(0, $0)?.frame.minY } == [0, 35, 60])
  }

  @Test func aReconfiguredCellIsAskedAgain() {
    let screen = screen(["35", "25", "15"])
    let layout = Lines()
    screen.view.collectionViewLayout = layout
    Self.layOut(screen.view)
    let cell = screen.cell(0, 1)
    screen.data = [["35", "40", "15"]]
    screen.view.reconfigureItems(at: [at(0, 1)])
    Self.layOut(screen.view)
    #expect(layout.heights == [35, 40, 15])
    #expect(screen.cell(0, 1) === cell)
    #expect(screen.cell(0, 2)?.frame.minY == 75)
  }

  // MARK: Rows

  private final class HighRow: UITableViewCell {
    var height: CGFloat = 20
    override func systemLayoutSizeFitting(
      _ targetSize: CGSize, withHorizontalFittingPriority horizontal: UILayoutPriority,
      verticalFittingPriority vertical: UILayoutPriority
    ) -> CGSize { CGSize(width: targetSize.width, height: height) }
  }

  /// A table whose rows are 30, 40, 50, … points high.
  @MainActor private final class HighRows: NSObject, UITableViewDataSource {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 200))
    let view: UITableView
    var first: CGFloat = 30

    override init() {
      view = UITableView(frame: window.bounds, style: .plain)
      super.init()
      view.rowHeight = UITableView.automaticDimension
      view.separatorStyle = .none
      view.contentInsetAdjustmentBehavior = .never
      view.register(HighRow.self, forCellReuseIdentifier: "row")
      view.dataSource = self
      window.addSubview(view)
      SelfSizingContractTests.layOut(view)
    }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 3 }
    func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
      (cell as? HighRow)?.height = first + CGFloat(indexPath.row) * 10
      return cell
    }

    var heights: [CGFloat] { (0..<3).map { view.rectForRow(at: at(0, $0)).height } }
  }

  @Test func rowsHaveTheHeightThatTheirCellsNeed() {
    let rows = HighRows()
    #expect(rows.heights == [30, 40, 50])
    #expect(rows.view.cellForRow(at: at(0, 1))?.frame.minY == 30)
    #expect(rows.view.contentSize.height == 120)
  }

  @Test func anEmptyBatchAsksRowsInSightAgain() throws {
    let rows = HighRows()
    try #require(rows.view.cellForRow(at: at(0, 0)) as? HighRow).height = 60
    rows.view.performBatchUpdates(nil)
    Self.layOut(rows.view)
    #expect(rows.heights == [60, 40, 50])
  }

  // MARK: Constraints

  /// A bar of a height between the edges of a view.
  private func addBar(_ height: CGFloat, in view: UIView) {
    let bar = UIView()
    bar.translatesAutoresizingMaskIntoConstraints = false
    view.addSubview(bar)
    NSLayoutConstraint.activate([
      bar.leadingAnchor.constraint(equalTo: view.leadingAnchor),
      bar.trailingAnchor.constraint(equalTo: view.trailingAnchor),
      bar.topAnchor.constraint(equalTo: view.topAnchor, constant: 5),
      bar.bottomAnchor.constraint(equalTo: view.bottomAnchor, constant: -5),
      bar.heightAnchor.constraint(equalToConstant: height),
    ])
  }

  @Test func aCellIsAsHighAsItsConstraintsNeed() {
    let cell = UICollectionViewCell(frame: CGRect(x: 0, y: 0, width: 100, height: 20))
    addBar(33, in: cell.contentView)
    let size = cell.systemLayoutSizeFitting(
      CGSize(width: 80, height: 0), withHorizontalFittingPriority: .required,
      verticalFittingPriority: .fittingSizeLevel)
    #expect(size == CGSize(width: 80, height: 43))
  }

  @Test func constraintsPlaceAView() {
    let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 60))
    let icon = UIView()
    icon.translatesAutoresizingMaskIntoConstraints = false
    view.addSubview(icon)
    NSLayoutConstraint.activate([
      icon.widthAnchor.constraint(equalToConstant: 20),
      icon.heightAnchor.constraint(equalToConstant: 10),
      icon.centerXAnchor.constraint(equalTo: view.centerXAnchor),
      icon.centerYAnchor.constraint(equalTo: view.centerYAnchor, constant: 5),
    ])
    view.layoutIfNeeded()
    #expect(icon.frame == CGRect(x: 40, y: 30, width: 20, height: 10))
  }
}
