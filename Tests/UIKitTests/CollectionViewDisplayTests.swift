import Foundation
import Testing

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// When a collection view has cells, which, and what it tells of them.
@MainActor @Suite struct CollectionViewDisplayTests {
  @Test func noCellIsAskedForBeforeTheFirstLayout() {
    let screen = CollectionScreen([["a", "b"]])
    #expect(screen.asked.isEmpty)
    #expect(screen.view.visibleCells.isEmpty)
    #expect(screen.view.indexPathsForVisibleItems.isEmpty)
    #expect(screen.view.cellForItem(at: at(0, 0)) == nil)
    screen.view.layoutIfNeeded()
    #expect(screen.shown == ["a", "b"])
  }

  @Test func aViewWithoutASizeHasNoCellsUntilItGetsOne() {
    let screen = CollectionScreen([["a", "b"]])
    screen.view.frame = .zero
    screen.view.layoutIfNeeded()
    #expect(screen.view.visibleCells.isEmpty)
    screen.view.frame = screen.window.bounds
    screen.view.layoutIfNeeded()
    #expect(screen.shown == ["a", "b"])
  }

  @Test func itemsInTheBoundsAreVisibleAndNoOthers() {
    let screen = CollectionScreen(100)
    #expect(Set(screen.view.indexPathsForVisibleItems) == Set((0..<5).map { at(0, $0) }))
    #expect(screen.view.visibleCells.count == 5)
    #expect(screen.cell(0, 50) == nil)
    screen.scroll(to: 10)
    #expect(screen.shown == texts(0..<6))
  }

  @Test func aVisibleCellIsFoundByItsPathAndItsPathByTheCell() throws {
    let screen = CollectionScreen(10)
    let cell = try #require(screen.cell(0, 3))
    #expect(screen.view.indexPath(for: cell) == at(0, 3))
    #expect(screen.view.visibleCells.contains(cell))
    #expect(cell.text == "3")
    #expect(screen.view.indexPath(for: TextCell(frame: .zero)) == nil)
  }

  @Test func aCellIsWhereTheLayoutSays() throws {
    let screen = CollectionScreen(10)
    let frame = CGRect(x: 0, y: 40, width: 100, height: 20)
    #expect(screen.cell(0, 2)?.frame == frame)
    #expect(screen.cell(0, 2)?.window === screen.window)
    #expect(screen.view.layoutAttributesForItem(at: at(0, 2))?.frame == frame)
    // Also of what is out of sight.
    #expect(screen.view.layoutAttributesForItem(at: at(0, 9))?.frame.minY == 180)
    #expect(screen.view.contentSize == CGSize(width: 100, height: 200))
  }

  @Test func anItemIsFoundByAPointOfTheContent() {
    let screen = CollectionScreen(10)
    #expect(screen.view.indexPathForItem(at: CGPoint(x: 5, y: 45)) == at(0, 2))
    #expect(screen.view.indexPathForItem(at: CGPoint(x: 5, y: 1_000)) == nil)
  }

  @Test func aCellGetsItsAttributesBeforeItIsDisplayed() {
    let screen = CollectionScreen([["a", "b"]])
    var applied: [IndexPath?] = []
    screen.onDisplay = { cell, _ in applied.append(cell.applied?.indexPath) }
    screen.view.layoutIfNeeded()
    #expect(applied.sorted { ($0?.item ?? -1) < ($1?.item ?? -1) } == [at(0, 0), at(0, 1)])
  }

  @Test func eachVisibleCellIsToldOnce() {
    let screen = CollectionScreen(100)
    #expect(
      screen.events.filter { $0.hasPrefix("will") }.sorted() == (0..<5).map { "will 0,\($0)" })
    screen.view.setNeedsLayout()
    screen.view.layoutIfNeeded()
    #expect(screen.events.count { $0.hasPrefix("will") } == 5)
  }

  @Test func whatLeavesEndsItsDisplayAndWhatComesBegins() {
    let screen = CollectionScreen(100)
    screen.events = []
    screen.scroll(to: 40)
    #expect(
      Set(screen.events) == ["scrolled 40", "ended 0,0", "ended 0,1", "will 0,5", "will 0,6"])
    screen.events = []
    screen.scroll(to: 0)
    #expect(screen.events.contains("will 0,0") && screen.events.contains("ended 0,6"))
    #expect(screen.shown == texts(0..<5))
  }

  @Test func cellsAreUsedAgainAndPreparedForIt() {
    let screen = CollectionScreen(1_000)
    var lastUse: [ObjectIdentifier: (path: IndexPath, preparations: Int)] = [:]
    screen.onDisplay = { cell, path in
      // A cell may be kept for its own item without being prepared.
      if let last = lastUse[ObjectIdentifier(cell)], last.path != path {
        #expect(cell.preparations > last.preparations)
      }
      lastUse[ObjectIdentifier(cell)] = (path, cell.preparations)
      #expect(cell.text == "\(path.item)")
    }
    for step in 1...200 { screen.scroll(to: CGFloat(step) * 50) }
    #expect(screen.asked.count > 400)
    // One screen is five cells; some are prepared ahead, and some kept behind.
    #expect(screen.cells.count < 60)
  }

  @Test func reloadingAsksForEveryVisibleCellAgainInTheNextLayout() {
    let screen = CollectionScreen(3)
    screen.data = [["x"], ["y", "z"]]
    screen.asked = []
    screen.view.reloadData()
    #expect(screen.asked.isEmpty)
    screen.view.layoutIfNeeded()
    #expect(Set(screen.asked) == [at(0, 0), at(1, 0), at(1, 1)])
    #expect(screen.shown == ["x", "y", "z"])
    #expect(screen.view.numberOfSections == 2)
  }

  @Test func countsAreThoseOfTheLastReload() {
    let screen = CollectionScreen(3)
    screen.data = [["x"]]
    #expect(screen.view.numberOfItems(inSection: 0) == 3)
    screen.view.reloadData()
    #expect(screen.view.numberOfItems(inSection: 0) == 1)
  }

  @Test func anotherDataSourceIsAReload() {
    let screen = CollectionScreen(3)
    let other = CollectionScreen([["x", "y"]])
    screen.view.dataSource = other
    screen.view.layoutIfNeeded()
    #expect(screen.shown == ["x", "y"])
  }

  @Test func withoutADataSourceThereIsNothing() {
    let screen = CollectionScreen(3)
    screen.view.dataSource = nil
    screen.view.layoutIfNeeded()
    #expect(screen.view.visibleCells.isEmpty)
  }

  @Test func headersAreViewsOfTheirSections() throws {
    let screen = CollectionScreen([["a"], ["b", "c"]])
    screen.headerHeight = 10
    screen.view.layoutIfNeeded()
    let kind = UICollectionView.elementKindSectionHeader
    let view = try #require(
      screen.view.supplementaryView(forElementKind: kind, at: at(1, 0)) as? TextView)
    #expect(view.text == "b…")
    #expect(view.frame == CGRect(x: 0, y: 30, width: 100, height: 10))
    #expect(screen.view.visibleSupplementaryViews(ofKind: kind).count == 2)
    #expect(
      Set(screen.view.indexPathsForVisibleSupplementaryElements(ofKind: kind))
        == [at(0, 0), at(1, 0)])
    #expect(screen.cell(1, 0)?.frame.minY == 40)
  }

  @Test func aHeaderWithoutAHeightIsNotThere() {
    let screen = CollectionScreen(1)
    let kind = UICollectionView.elementKindSectionHeader
    #expect(screen.view.supplementaryView(forElementKind: kind, at: at(0, 0)) == nil)
  }
}

/// Where a collection view is scrolled to.
@MainActor @Suite struct CollectionViewOffsetTests {
  @Test func anOffsetIsSetAsItIsAlsoBeyondTheContent() {
    let screen = CollectionScreen(10)
    screen.view.setContentOffset(CGPoint(x: 0, y: 170), animated: false)
    #expect(screen.view.contentOffset.y == 170)
    screen.view.contentOffset.y = -30
    #expect(screen.view.contentOffset.y == -30)
    #expect(screen.view.bounds.origin.y == -30)
  }

  @Test func theDelegateIsToldOfAnOffsetAtOnce() {
    let screen = CollectionScreen(10)
    screen.events = []
    screen.view.contentOffset.y = 15
    #expect(screen.events == ["scrolled 15"])
    screen.view.contentOffset.y = 15
    #expect(screen.events.count == 1)
  }

  @Test func anItemIsScrolledToAPlace() {
    let screen = CollectionScreen(20)
    screen.view.scrollToItem(at: at(0, 10), at: .top, animated: false)
    #expect(screen.view.contentOffset.y == 200)
    screen.view.scrollToItem(at: at(0, 10), at: .centeredVertically, animated: false)
    #expect(screen.view.contentOffset.y == 160)
    screen.view.scrollToItem(at: at(0, 10), at: .bottom, animated: false)
    #expect(screen.view.contentOffset.y == 120)
  }

  @Test func scrollingToAnItemStaysInsideTheContent() {
    let screen = CollectionScreen(20)
    screen.view.scrollToItem(at: at(0, 19), at: .top, animated: false)
    #expect(screen.view.contentOffset.y == 300)
    screen.view.scrollToItem(at: at(0, 0), at: .bottom, animated: false)
    #expect(screen.view.contentOffset.y == 0)
  }

  @Test func theOffsetStaysInAReload() {
    let screen = CollectionScreen(20)
    screen.scroll(to: 90)
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.view.contentOffset.y == 90)
  }

  /// A scroll view moves inside its content when that becomes smaller.
  @Test func lessContentTakesTheOffsetAlong() {
    let screen = CollectionScreen(20)
    screen.scroll(to: 300)
    screen.data = [texts(0..<8)]
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.view.contentOffset.y == 60)
    screen.view.layoutIfNeeded()
    #expect(screen.shown == texts(3..<8))
  }

  @Test func anInvalidationCanMoveTheOffset() {
    let screen = CollectionScreen(20)
    screen.scroll(to: 100)
    let context = UICollectionViewFlowLayoutInvalidationContext()
    context.contentOffsetAdjustment = CGPoint(x: 0, y: 40)
    screen.layout.invalidateLayout(with: context)
    screen.view.layoutIfNeeded()
    #expect(screen.view.contentOffset.y == 140)
  }

  /// What is above moves what is in sight, unless the delegate or the layout says otherwise.
  @Test func itemsInsertedAboveLeaveTheOffset() async throws {
    let screen = CollectionScreen(20)
    screen.scroll(to: 100)
    try await screen.update([["new"] + screen.data[0]]) { $0.insertItems(at: [at(0, 0)]) }
    #expect(screen.view.contentOffset.y == 100)
    #expect(screen.shown.first == "4")
  }

  @Test func theDelegateChoosesTheOffsetAfterAnUpdate() async throws {
    let screen = CollectionScreen(20)
    screen.scroll(to: 100)
    screen.targetOffset = CGPoint(x: 0, y: 120)
    try await screen.update([["new"] + screen.data[0]]) { $0.insertItems(at: [at(0, 0)]) }
    #expect(screen.view.contentOffset.y == 120)
    #expect(screen.shown.first == "5")
  }

  @Test func deletedContentTakesTheOffsetAlong() async throws {
    let screen = CollectionScreen(20)
    screen.scroll(to: 300)
    try await screen.update([texts(0..<8)]) { view in
      view.deleteItems(at: (8..<20).map { at(0, $0) })
    }
    #expect(screen.view.contentOffset.y == 60)
    #expect(screen.shown == texts(3..<8))
  }
}
