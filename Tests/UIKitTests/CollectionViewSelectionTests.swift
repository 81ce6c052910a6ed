import Foundation
import Testing

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// What the app selects, and what becomes of it; touches need a finger, and are not here.
@MainActor @Suite struct CollectionViewSelectionTests {
  private func selected(_ screen: CollectionScreen) -> [IndexPath] {
    (screen.view.indexPathsForSelectedItems ?? []).sorted()
  }

  @Test func theAppSelectsWithoutADelegatesCall() {
    let screen = CollectionScreen(5)
    screen.events = []
    #expect(screen.view.indexPathsForSelectedItems == [])
    screen.view.selectItem(at: at(0, 1), animated: false, scrollPosition: [])
    #expect(screen.cell(0, 1)?.isSelected == true)
    screen.view.deselectItem(at: at(0, 1), animated: false)
    #expect(screen.cell(0, 1)?.isSelected == false)
    #expect(screen.events == [])
    #expect(selected(screen) == [])
  }

  @Test func oneIsSelectedUnlessSeveralAreAllowed() {
    let screen = CollectionScreen(5)
    screen.view.selectItem(at: at(0, 1), animated: false, scrollPosition: [])
    screen.view.selectItem(at: at(0, 2), animated: false, scrollPosition: [])
    #expect(selected(screen) == [at(0, 2)])
    #expect(screen.cell(0, 1)?.isSelected == false)
    screen.view.allowsMultipleSelection = true
    screen.view.selectItem(at: at(0, 4), animated: false, scrollPosition: [])
    #expect(selected(screen) == [at(0, 2), at(0, 4)])
  }

  @Test func selectingNoPathDeselectsAll() {
    let screen = CollectionScreen(5)
    screen.view.allowsMultipleSelection = true
    for item in [0, 3] {
      screen.view.selectItem(at: at(0, item), animated: false, scrollPosition: [])
    }
    screen.view.selectItem(at: nil, animated: false, scrollPosition: [])
    #expect(selected(screen) == [])
    #expect(screen.cell(0, 0)?.isSelected == false)
  }

  @Test func selectingCanScroll() {
    let screen = CollectionScreen(20)
    screen.view.selectItem(at: at(0, 10), animated: false, scrollPosition: .top)
    #expect(screen.view.contentOffset.y == 200)
  }

  @Test func whatIsOutOfSightIsSelectedWhenItComes() {
    let screen = CollectionScreen(100)
    var states: [Int: Bool] = [:]
    screen.onDisplay = { cell, path in states[path.item] = cell.isSelected }
    screen.view.selectItem(at: at(0, 20), animated: false, scrollPosition: [])
    screen.scroll(to: 380)
    #expect(states[20] == true)
    #expect(states[21] == false)
    // Nor does the selection go with a cell that is used again.
    screen.scroll(to: 1_000)
    #expect(screen.view.visibleCells.allSatisfy { !$0.isSelected })
    screen.scroll(to: 380)
    #expect(screen.cell(0, 20)?.isSelected == true)
  }

  @Test func theSelectionGoesWithItsItem() async throws {
    let screen = CollectionScreen([["a", "b", "c"]])
    screen.view.layoutIfNeeded()
    screen.view.selectItem(at: at(0, 1), animated: false, scrollPosition: [])
    try await screen.update([["b", "c", "d"]]) { view in
      view.deleteItems(at: [at(0, 0)])
      view.insertItems(at: [at(0, 2)])
    }
    #expect(selected(screen) == [at(0, 0)])
    #expect(screen.cell(0, 0)?.isSelected == true)
    try await screen.update([["c", "d", "b"]]) { $0.moveItem(at: at(0, 0), to: at(0, 2)) }
    #expect(selected(screen) == [at(0, 2)])
  }

  @Test func aDeletedItemIsNotSelectedAnyMore() async throws {
    let screen = CollectionScreen([["a", "b", "c"]])
    screen.view.layoutIfNeeded()
    screen.view.selectItem(at: at(0, 1), animated: false, scrollPosition: [])
    screen.events = []
    try await screen.update([["a", "c"]]) { $0.deleteItems(at: [at(0, 1)]) }
    #expect(selected(screen) == [])
    #expect(!screen.events.contains("deselected"))
    #expect(screen.cell(0, 1)?.isSelected == false)
  }

  @Test func aReconfiguredItemStaysSelected() {
    let screen = CollectionScreen(3)
    screen.view.selectItem(at: at(0, 1), animated: false, scrollPosition: [])
    screen.view.reconfigureItems(at: [at(0, 1)])
    #expect(selected(screen) == [at(0, 1)])
    #expect(screen.cell(0, 1)?.isSelected == true)
  }

  @Test func aReloadOfAllEndsTheSelection() {
    let screen = CollectionScreen(3)
    screen.view.selectItem(at: at(0, 1), animated: false, scrollPosition: [])
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(selected(screen) == [])
    #expect(screen.cell(0, 1)?.isSelected == false)
  }
}

/// Items that are moved by hand, as a gesture recognizer does it.
@MainActor @Suite struct CollectionViewMovementTests {
  @Test func aDropIsTheDataSourcesToMove() async throws {
    let screen = CollectionScreen([["a", "b", "c", "d"]])
    screen.view.layoutIfNeeded()
    #expect(screen.view.beginInteractiveMovementForItem(at: at(0, 0)))
    screen.view.updateInteractiveMovementTargetPosition(CGPoint(x: 50, y: 50))
    #expect(screen.moves.isEmpty)
    screen.view.endInteractiveMovement()
    try await wait { !screen.moves.isEmpty }
    #expect(screen.moves == [[at(0, 0), at(0, 2)]])
    screen.view.layoutIfNeeded()
    try await wait { screen.shown == ["b", "c", "a", "d"] }
  }

  @Test func theDataSourceMayRefuse() {
    let screen = CollectionScreen(4)
    screen.canMove = false
    #expect(!screen.view.beginInteractiveMovementForItem(at: at(0, 0)))
  }

  @Test func aCancelledMoveMovesNothing() async throws {
    let screen = CollectionScreen(4)
    #expect(screen.view.beginInteractiveMovementForItem(at: at(0, 0)))
    screen.view.updateInteractiveMovementTargetPosition(CGPoint(x: 50, y: 50))
    screen.view.cancelInteractiveMovement()
    screen.view.layoutIfNeeded()
    #expect(screen.moves == [])
    try await wait { screen.shown == ["0", "1", "2", "3"] }
  }
}

/// What is asked for ahead of scrolling.
@MainActor @Suite struct PrefetchContractTests {
  @MainActor
  private final class Prefetcher: NSObject, UICollectionViewDataSourcePrefetching,
    UITableViewDataSourcePrefetching
  {
    var asked: [IndexPath] = []
    /// Those of which the view had a cell in sight when it asked.
    var late: [IndexPath] = []
    var cancelled: [IndexPath] = []

    func collectionView(_ view: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
      asked += indexPaths
      late += indexPaths.filter(view.indexPathsForVisibleItems.contains)
    }
    func collectionView(
      _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) { cancelled += indexPaths }
    func tableView(_ view: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
      asked += indexPaths
      late += indexPaths.filter((view.indexPathsForVisibleRows ?? []).contains)
    }
    func tableView(
      _ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]
    ) { cancelled += indexPaths }
  }

  /// UIKit asks in idle turns of the run loop and only while the window is on a screen, so that it
  /// may ask for nothing here.
  private func expectAhead(_ prefetcher: Prefetcher) {
    #if !canImport(UIKit) || os(watchOS)
      #expect(!prefetcher.asked.isEmpty)
    #endif
    #expect(prefetcher.asked.allSatisfy { (0..<100).contains($0.item) && $0.section == 0 })
    #expect(prefetcher.late == [])
    #expect(Set(prefetcher.cancelled).isSubset(of: prefetcher.asked))
  }

  @Test func aCollectionViewAsksForItemsThatAreNotInSightYet() async throws {
    let screen = CollectionScreen(100)
    let prefetcher = Prefetcher()
    screen.view.prefetchDataSource = prefetcher
    for y in [20, 40, 60, 80, 60, 40] {
      screen.scroll(to: CGFloat(y))
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    expectAhead(prefetcher)
  }

  @Test func aTableAsksForRowsThatAreNotInSightYet() async throws {
    let screen = RowScreen(100)
    let prefetcher = Prefetcher()
    screen.view.prefetchDataSource = prefetcher
    for y in [20, 40, 60, 80, 60, 40] {
      screen.scroll(to: CGFloat(y))
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    expectAhead(prefetcher)
  }

  @Test func whereItIsOffNothingIsAskedFor() async throws {
    let screen = CollectionScreen(100)
    let prefetcher = Prefetcher()
    screen.view.isPrefetchingEnabled = false
    screen.view.prefetchDataSource = prefetcher
    for y in [20, 40, 60] {
      screen.scroll(to: CGFloat(y))
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    #expect(prefetcher.asked == [])
  }
}
