import Foundation
import HeadlessUIKit
import Testing

/// A layout of one's own: a column on a background, anchored at its end.
private final class Column: UICollectionViewLayout {
  var itemHeight: CGFloat = 50
  var anchor: ((CGPoint) -> CGPoint)?
  var preparations = 0

  override func prepare() {
    super.prepare()
    preparations += 1
  }

  private var count: Int { collectionView?.numberOfItems(inSection: 0) ?? 0 }

  override var collectionViewContentSize: CGSize {
    CGSize(width: 100, height: CGFloat(count) * itemHeight)
  }

  override func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    let attributes = UICollectionViewLayoutAttributes(forCellWith: indexPath)
    attributes.frame = CGRect(
      x: 0, y: CGFloat(indexPath.item) * itemHeight, width: 100, height: itemHeight)
    return attributes
  }

  override func layoutAttributesForElements(
    in rect: CGRect
  ) -> [UICollectionViewLayoutAttributes]? {
    [layoutAttributesForDecorationView(ofKind: "background", at: at(0, 0))].compactMap(\.self)
      + (0..<count).compactMap { layoutAttributesForItem(at: at(0, $0)) }
  }

  override func layoutAttributesForDecorationView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    let background = UICollectionViewLayoutAttributes(
      forDecorationViewOfKind: elementKind, with: indexPath)
    background.frame = CGRect(origin: .zero, size: collectionViewContentSize)
    return background
  }

  override func targetContentOffset(forProposedContentOffset offset: CGPoint) -> CGPoint {
    anchor?(offset) ?? offset
  }
}

private final class Background: UICollectionReusableView {}

@MainActor @Suite struct CustomLayoutTests {
  private func column() -> Column {
    let column = Column()
    column.register(Background.self, forDecorationViewOfKind: "background")
    return column
  }

  @Test func switchingLayoutsKeepsTheCells() async {
    let screen = ShelfScreen([10])
    let cell = screen.cell(at(0, 1))
    var isDone = false
    screen.view.setCollectionViewLayout(column(), animated: true) { _ in isDone = true }
    #expect(screen.layout.collectionView == nil)
    #expect(screen.view.contentSize.height == 500)
    #expect(screen.view.indexPathsForVisibleItems.sorted() == [at(0, 0), at(0, 1)])
    #expect(screen.cell(at(0, 1)) === cell)
    #expect(cell?.frame == CGRect(x: 0, y: 50, width: 100, height: 50))
    #expect(!isDone)
    while !isDone { await Task.yield() }
    screen.view.setCollectionViewLayout(screen.layout, animated: false)
    screen.view.layoutIfNeeded()
    #expect(screen.view.contentSize.height == 200)
    #expect(screen.cell(at(0, 1)) === cell)
  }

  @Test func decorationsLieBehind() {
    let screen = ShelfScreen([10])
    let layout = column()
    screen.view.setCollectionViewLayout(layout, animated: false)
    screen.view.layoutIfNeeded()
    let first = screen.view.subviews.first
    #expect(first is Background)
    #expect(first?.frame.height == 500)
    #expect(screen.view.headless.supplementaryViews.displayed == 0)
    layout.register(nil as AnyClass?, forDecorationViewOfKind: "background")
    let raised = HeadlessException.raised {
      screen.view.reloadData()
      screen.view.layoutIfNeeded()
    }
    #expect(raised.count == 1)
  }

  @Test func theLayoutIsPreparedOnceForEachChange() {
    let screen = ShelfScreen([10])
    let layout = column()
    screen.view.setCollectionViewLayout(layout, animated: false)
    screen.view.layoutIfNeeded()
    let before = layout.preparations
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 100))
    #expect(layout.preparations == before)
    screen.update([11]) { $0.insertItems(at: [at(0, 10)]) }
    #expect(layout.preparations == before + 1)
  }

  @Test func theLayoutAnchorsTheOffset() {
    let screen = ShelfScreen([10])
    let layout = column()
    screen.view.setCollectionViewLayout(layout, animated: false)
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 100))
    layout.anchor = { CGPoint(x: 0, y: $0.y + 50) }
    let cell = screen.cell(at(0, 2))
    screen.view.performBatchUpdates {
      screen.shelf.sections[0].books.insert(.init(id: "new"), at: 0)
      screen.view.insertItems(at: [at(0, 0)])
    }
    #expect(screen.view.contentOffset.y == 150)
    #expect(screen.view.indexPathsForVisibleItems.sorted() == [at(0, 3), at(0, 4)])
    #expect(screen.cell(at(0, 3)) === cell)
  }

  @Test func traitsReachEveryView() {
    final class Watching: UIView {
      var changes: [UIContentSizeCategory] = []
      override func traitCollectionDidChange(_ previous: UITraitCollection?) {
        changes.append(traitCollection.preferredContentSizeCategory)
      }
    }
    let window = UIWindow(frame: .zero)
    let watching = Watching(frame: .zero)
    window.addSubview(watching)
    #expect(watching.traitCollection.displayScale == 3)
    let larger = UITraitCollection(preferredContentSizeCategory: .extraLarge)
    window.headlessChangeTraits(larger)
    window.headlessChangeTraits(larger)
    #expect(watching.changes == [.extraLarge])
    #expect(watching.traitCollection.displayScale == 3)
    #expect(watching.window === window)
    watching.removeFromSuperview()
    #expect(watching.window == nil)
    #expect(watching.traitCollection.preferredContentSizeCategory == .large)
  }

  @Test func aViewControllerLoadsItsViewOnce() {
    final class Controller: UIViewController {
      var events: [String] = []
      override func loadView() {
        events.append("load")
        view = UIView(frame: CGRect(x: 0, y: 0, width: 7, height: 7))
      }
      override func viewDidLoad() { events.append("did load") }
    }
    let controller = Controller()
    #expect(!controller.isViewLoaded)
    #expect(controller.view.frame.width == 7)
    #expect(controller.view.frame.width == 7)
    #expect(controller.events == ["load", "did load"])
  }
}
