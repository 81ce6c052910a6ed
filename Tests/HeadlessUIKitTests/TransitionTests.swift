import Foundation
import HeadlessUIKit
import Testing

/// Interactive transitions between two layouts.
@MainActor @Suite struct TransitionTests {
  private let screen = ShelfScreen([3])
  private let columns = UICollectionViewFlowLayout()

  init() {
    columns.scrollDirection = .horizontal
    columns.itemSize = CGSize(width: 30, height: 100)
    columns.minimumLineSpacing = 0
  }

  private func frame(_ item: Int) -> CGRect? { screen.cell(at(0, item))?.frame }

  private func go(to progress: CGFloat, _ transition: UICollectionViewTransitionLayout) {
    transition.transitionProgress = progress
    transition.invalidateLayout()
    screen.view.layoutIfNeeded()
  }

  @Test func elementsAreBetweenTheirPlacesInTheTwoLayouts() async {
    let cell = screen.cell(at(0, 2))
    var ends: [Bool] = []
    let transition = screen.view.startInteractiveTransition(to: columns) { isFinished, _ in
      ends.append(isFinished)
    }
    #expect(screen.view.collectionViewLayout === transition)
    #expect(transition.currentLayout === screen.layout)
    #expect(transition.nextLayout === columns)
    // Both are the view's, and ask for sizes.
    #expect(screen.layout.collectionView === screen.view)
    #expect(columns.collectionView === screen.view)
    screen.view.layoutIfNeeded()
    #expect(frame(2) == CGRect(x: 0, y: 40, width: 100, height: 20))
    go(to: 1, transition)
    let last = columns.layoutAttributesForItem(at: at(0, 2))?.frame
    #expect(frame(2) == last)
    #expect(screen.view.contentSize == columns.collectionViewContentSize)
    go(to: 0.5, transition)
    #expect(frame(2)?.minY == ((last?.minY ?? 0) + 40) / 2)
    #expect(frame(2)?.minX == (last?.minX ?? 0) / 2)
    #expect(ends.isEmpty)
    screen.view.finishInteractiveTransition()
    #expect(screen.view.collectionViewLayout === columns)
    #expect(columns.collectionView === screen.view)
    #expect(screen.layout.collectionView == nil)
    while ends.isEmpty { await Task.yield() }
    #expect(ends == [true])
    #expect(screen.cell(at(0, 2)) === cell)
    #expect(frame(2) == last)
  }

  @Test func aCancelledTransitionLeadsBack() {
    let before = frame(2)
    let transition = screen.view.startInteractiveTransition(to: columns)
    go(to: 0.8, transition)
    screen.view.cancelInteractiveTransition()
    #expect(screen.view.collectionViewLayout === screen.layout)
    #expect(columns.collectionView == nil)
    #expect(frame(2) == before)
  }

  @Test func transitionsBeginAndEndOnce() {
    let exceptions = HeadlessException.raised {
      screen.view.finishInteractiveTransition()
      screen.view.startInteractiveTransition(to: columns)
      screen.view.startInteractiveTransition(to: UICollectionViewFlowLayout())
      screen.view.cancelInteractiveTransition()
    }
    #expect(exceptions.count == 2)
    #expect(screen.view.collectionViewLayout === screen.layout)
  }
}
