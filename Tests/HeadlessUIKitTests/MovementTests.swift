import Foundation
import HeadlessUIKit
import Testing

/// Items that the user carries from one place to another.
@MainActor @Suite struct MovementTests {
  @Test func aDroppedItemMovesInTheDataThenInTheView() {
    let screen = ShelfScreen([4])
    let cell = screen.cell(at(0, 0))
    #expect(screen.view.headless.dragItem(at: at(0, 0), to: at(0, 2)))
    #expect(screen.shown == ["0,0 A1:0", "0,1 A2:0", "0,2 A0:0", "0,3 A3:0"])
    #expect(screen.cell(at(0, 2)) === cell)
  }

  @Test func betweenSections() {
    let screen = ShelfScreen([2, 2])
    #expect(screen.view.headless.dragItem(at: at(1, 1), to: at(0, 0)))
    #expect(screen.shelf.sections.map { $0.books.map(\.id) } == [["B1", "A0", "A1"], ["B0"]])
    #expect(screen.view.numberOfItems(inSection: 0) == 3)
  }

  @Test func theDelegateMayChooseAnotherPlaceAndTheDataSourceMayRefuse() {
    let screen = ShelfScreen([4])
    screen.retarget = { _ in at(0, 3) }
    screen.view.headless.dragItem(at: at(0, 0), to: at(0, 1))
    #expect(screen.shelf.sections[0].books.map(\.id) == ["A1", "A2", "A3", "A0"])
    screen.refusals = ["move"]
    #expect(!screen.view.beginInteractiveMovementForItem(at: at(0, 0)))
    #expect(!screen.view.beginInteractiveMovementForItem(at: at(0, 9)))
  }

  @Test func aCancelledOrUnmovedItemStays() {
    let screen = ShelfScreen([4])
    screen.events = []
    #expect(screen.view.beginInteractiveMovementForItem(at: at(0, 0)))
    screen.view.updateInteractiveMovementTargetPosition(CGPoint(x: 50, y: 50))
    screen.view.cancelInteractiveMovement()
    screen.view.endInteractiveMovement()
    #expect(screen.events.isEmpty)
    #expect(screen.view.beginInteractiveMovementForItem(at: at(0, 0)))
    screen.view.endInteractiveMovement()
    #expect(screen.events.isEmpty)
    #expect(screen.view.beginInteractiveMovementForItem(at: at(0, 0)))
    screen.view.updateInteractiveMovementTargetPosition(CGPoint(x: 50, y: 50))
    screen.view.reloadData()
    screen.view.endInteractiveMovement()
    #expect(screen.events.isEmpty)
  }

  @Test func anUpdateDuringAMoveIsAHazard() {
    let screen = ShelfScreen([4])
    #expect(!screen.view.hasUncommittedUpdates)
    #expect(screen.view.beginInteractiveMovementForItem(at: at(0, 0)))
    #expect(screen.view.hasUncommittedUpdates)
    let raised = HeadlessException.raised { screen.update { _ in } }
    #expect(raised.map(\.name) == [.hazard])
    #expect(!screen.view.hasUncommittedUpdates)
  }

  @Test func dataThatDoesNotFollowIsFound() {
    let screen = ShelfScreen([1, 2])
    screen.refusals = ["follow"]
    let raised = HeadlessException.raised {
      screen.view.headless.dragItem(at: at(0, 0), to: at(1, 0))
    }
    #expect(raised.first?.detail.contains("(0 moved in, 1 moved out)") == true)
  }

  @Test func prefetchingRunsAheadOfScrolling() {
    @MainActor final class Prefetcher: NSObject, UICollectionViewDataSourcePrefetching {
      var events: [String] = []
      func collectionView(_ view: UICollectionView, prefetchItemsAt paths: [IndexPath]) {
        events.append("+\(paths.map(\.item))")
      }
      func collectionView(
        _ view: UICollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]
      ) { events.append("-\(paths.map(\.item))") }
    }
    let screen = ShelfScreen([100])
    let prefetcher = Prefetcher()
    screen.view.prefetchDataSource = prefetcher
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 20))
    #expect(prefetcher.events == ["+[6, 7, 8, 9, 10]"])
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 40))
    #expect(prefetcher.events.last == "+[11]")
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 20))
    #expect(prefetcher.events.suffix(2) == ["-[7, 8, 9, 10, 11]", "+[0]"])
    // After an update the paths are those of other items.
    prefetcher.events = []
    screen.view.performBatchUpdates {
      screen.shelf.sections[0].books.swapAt(0, 1)
      screen.view.moveItem(at: at(0, 0), to: at(0, 1))
    }
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 21))
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 20))
    #expect(prefetcher.events == ["+[7, 8, 9, 10, 11]", "-[7, 8, 9, 10, 11]", "+[0]"])
  }
}
