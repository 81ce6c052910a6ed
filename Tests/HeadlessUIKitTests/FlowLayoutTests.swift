import Foundation
import HeadlessUIKit
import Testing

/// The flow layout's arithmetic, by worked examples.
@MainActor @Suite struct FlowLayoutTests {
  private final class Source: NSObject, UICollectionViewDataSource {
    var counts: [Int]
    init(_ counts: [Int]) { self.counts = counts }
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
  }

  private final class Sizes: NSObject, UICollectionViewDelegateFlowLayout {
    var sizes: [CGSize]
    var questions = 0
    init(_ sizes: [CGSize]) { self.sizes = sizes }
    func collectionView(
      _ view: UICollectionView, layout: UICollectionViewLayout, sizeForItemAt path: IndexPath
    ) -> CGSize {
      questions += 1
      return sizes[path.item]
    }
  }

  private func view(
    _ source: Source, _ layout: UICollectionViewFlowLayout, width: CGFloat = 100,
    height: CGFloat = 1_000
  ) -> UICollectionView {
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: width, height: height), collectionViewLayout: layout)
    view.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "cell")
    for kind in [
      UICollectionView.elementKindSectionHeader, UICollectionView.elementKindSectionFooter,
    ] {
      view.register(
        UICollectionReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: "edge"
      )
    }
    view.dataSource = source
    view.layoutIfNeeded()
    return view
  }

  private func frames(_ view: UICollectionView, _ section: Int, _ count: Int) -> [CGRect] {
    (0..<count).compactMap { view.layoutAttributesForItem(at: at(section, $0))?.frame }
  }

  private func rect(_ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) -> CGRect {
    CGRect(x: x, y: y, width: width, height: height)
  }

  @Test func linesAreFilledAndJustified() {
    // Three items of 30 leave 10, which the two gaps share; the last line continues the grid.
    let source = Source([5])
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 30, height: 20)
    layout.minimumInteritemSpacing = 0
    layout.minimumLineSpacing = 4
    let view = view(source, layout)
    #expect(
      frames(view, 0, 5) == [
        rect(0, 0, 30, 20), rect(35, 0, 30, 20), rect(70, 0, 30, 20), rect(0, 24, 30, 20),
        rect(35, 24, 30, 20),
      ])
    #expect(view.contentSize == CGSize(width: 100, height: 44))
  }

  @Test func spacingDecidesHowManyFit() {
    let source = Source([3])
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 30, height: 20)
    layout.minimumInteritemSpacing = 6
    layout.minimumLineSpacing = 0
    let view = view(source, layout)
    // 30 + 6 + 30 + 6 + 30 is 102: two a line.
    #expect(frames(view, 0, 3).map(\.minX) == [0, 70, 0])
    layout.minimumInteritemSpacing = 5
    view.layoutIfNeeded()
    #expect(frames(view, 0, 3).map(\.minX) == [0, 35, 70])
  }

  @Test func itemsOfALineAreCentredAcrossIt() {
    let source = Source([3])
    let layout = UICollectionViewFlowLayout()
    layout.minimumInteritemSpacing = 0
    layout.minimumLineSpacing = 10
    let sizes = Sizes([
      CGSize(width: 40, height: 20), CGSize(width: 40, height: 40), CGSize(width: 80, height: 10),
    ])
    let view = view(source, layout)
    view.delegate = sizes
    layout.invalidateLayout()
    view.layoutIfNeeded()
    // A line of one item is centred along it.
    #expect(
      frames(view, 0, 3) == [rect(0, 10, 40, 20), rect(60, 0, 40, 40), rect(10, 50, 80, 10)])
  }

  @Test func sectionsHaveInsetsHeadersAndFooters() {
    let source = Source([1, 0, 1])
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 90, height: 20)
    layout.sectionInset = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 8)
    layout.headerReferenceSize = CGSize(width: 7, height: 30)
    layout.footerReferenceSize = CGSize(width: 7, height: 5)
    let view = view(source, layout)
    let header = UICollectionView.elementKindSectionHeader
    let footer = UICollectionView.elementKindSectionFooter
    // A section is 30 + 1 + 20 + 3 + 5 high, an empty one 30 + 1 + 3 + 5.
    #expect(frames(view, 0, 1) == [rect(2, 31, 90, 20)])
    #expect(frames(view, 2, 1) == [rect(2, 59 + 39 + 31, 90, 20)])
    let edges = [header, footer].map { kind -> CGRect in
      view.supplementaryView(forElementKind: kind, at: at(1, 0))?.frame ?? .zero
    }
    #expect(edges == [rect(0, 59, 100, 30), rect(0, 93, 100, 5)])
    #expect(view.contentSize == CGSize(width: 100, height: 59 + 39 + 59))
    #expect(view.visibleSupplementaryViews(ofKind: header).count == 3)
  }

  @Test func horizontalLinesAreColumns() {
    let source = Source([3])
    let layout = UICollectionViewFlowLayout()
    layout.scrollDirection = .horizontal
    layout.itemSize = CGSize(width: 10, height: 40)
    layout.minimumInteritemSpacing = 20
    layout.minimumLineSpacing = 5
    layout.headerReferenceSize = CGSize(width: 8, height: 99)
    let view = view(source, layout, width: 200, height: 100)
    #expect(
      frames(view, 0, 3) == [rect(8, 0, 10, 40), rect(8, 60, 10, 40), rect(23, 0, 10, 40)])
    #expect(view.contentSize == CGSize(width: 33, height: 100))
  }

  @Test func sizesAreAskedAgainOnlyWhenTheyAreOutOfDate() {
    let source = Source([2])
    let layout = UICollectionViewFlowLayout()
    let sizes = Sizes([CGSize(width: 10, height: 500), CGSize(width: 10, height: 900)])
    let view = view(source, layout)
    view.delegate = sizes
    layout.invalidateLayout()
    view.layoutIfNeeded()
    #expect(sizes.questions == 2)
    view.headless.scroll(to: CGPoint(x: 0, y: 100))
    #expect(sizes.questions == 2)
    let context = UICollectionViewFlowLayoutInvalidationContext()
    context.invalidateFlowLayoutDelegateMetrics = false
    layout.invalidateLayout(with: context)
    view.layoutIfNeeded()
    #expect(sizes.questions == 2)
    // A rotation alone does not make it ask.
    view.frame.size.width = 50
    view.layoutIfNeeded()
    #expect(sizes.questions == 2)
    layout.invalidateLayout()
    view.layoutIfNeeded()
    #expect(sizes.questions == 4)
  }

  @Test func anInvalidationMovesTheOffset() {
    let source = Source([50])
    let layout = UICollectionViewFlowLayout()
    let view = view(source, layout, width: 50, height: 100)
    view.headless.scroll(to: CGPoint(x: 0, y: 300))
    let context = UICollectionViewFlowLayoutInvalidationContext()
    context.contentOffsetAdjustment = CGPoint(x: 0, y: 40)
    layout.invalidateLayout(with: context)
    #expect(view.contentOffset.y == 340)
  }
}
