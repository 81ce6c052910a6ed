import Foundation
import HeadlessUIKit
import Testing

/// Which cells there are, where they come from and when they go.
@MainActor @Suite struct CellTests {
  @Test func onlyVisibleItemsHaveCells() {
    let screen = ShelfScreen([100])
    #expect(screen.shown == (0..<5).map { "0,\($0) A\($0):0" })
    #expect(screen.view.headless.cells.created == 5)
    #expect(screen.view.cellForItem(at: at(0, 5)) == nil)
    #expect(screen.cell(at(0, 3)).flatMap(screen.view.indexPath) == at(0, 3))
  }

  @Test func prototypesAreDequeuedWithoutARegistration() {
    let screen = ShelfScreen([3])
    let header = UICollectionView.elementKindSectionHeader
    screen.view.headless.addPrototype("proto") { BookCell() }
    screen.view.headless.addPrototype("proto", ofKind: header) { BookCell() }
    // Dequeued without being asked for, which raises another exception.
    let raised = HeadlessException.raised {
      let cell = screen.view.dequeueReusableCell(withReuseIdentifier: "proto", for: at(0, 0))
      let view = screen.view.dequeueReusableSupplementaryView(
        ofKind: header, withReuseIdentifier: "proto", for: at(0, 0))
      #expect(cell is BookCell && view is BookCell)
    }
    #expect(raised.allSatisfy { !$0.reason.contains("could not dequeue") })
    #expect(screen.view.headless.mostRegistrations == 1)
  }

  @Test func aBatchUpdateMayComeBeforeTheLayoutOfAReload() {
    let screen = ShelfScreen([1, 3])
    let raised = HeadlessException.raised {
      screen.shelf = Shelf([1])
      screen.view.reloadData()
      screen.view.performBatchUpdates(nil)
      screen.update([2]) { $0.insertItems(at: [at(0, 1)]) }
      screen.view.headless.finishAnimations()
      screen.view.layoutIfNeeded()
    }
    #expect(raised.map(\.description) == [])
    #expect(screen.shown == ["0,0 A0:0", "0,1 A1:0"])
    #expect(screen.view.headless.cells.onDisplay == 2)
  }

  @Test func nothingIsAskedBeforeLayout() {
    let screen = ShelfScreen([3])
    let questions = screen.view.headless.countQuestions
    screen.view.reloadData()
    screen.view.reloadData()
    #expect(screen.view.headless.countQuestions == questions)
    screen.view.layoutIfNeeded()
    #expect(screen.view.headless.countQuestions == questions + 1)
    screen.view.setNeedsLayout()
    screen.view.layoutIfNeeded()
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 10))
    #expect(screen.view.headless.countQuestions == questions + 1)
    screen.update { _ in }
    #expect(screen.view.headless.countQuestions == questions + 2)
  }

  @Test func cellsThatLeaveComeBackPrepared() throws {
    let screen = ShelfScreen([100])
    screen.view.isPrefetchingEnabled = false
    let first = try #require(screen.cell(at(0, 0)))
    screen.events = []
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 20))
    #expect(screen.events == ["didEndDisplaying 0,0", "willDisplay 0,5"])
    #expect(screen.cell(at(0, 5)) === first)
    #expect(first.preparations == 1)
    #expect(first.headlessContent == HeadlessContent(identity: "A5", version: 0))
    let counts = screen.view.headless.cells
    #expect(counts.created == 5 && counts.reused == 1)
    #expect(counts.dequeued == 6 && counts.bound == 6)
    #expect(counts.displayed == 6 && counts.ended == 1 && counts.onDisplay == 5)
  }

  @Test func aMovedCellKeepsItsIdentityAndAReloadedOneDoesNot() throws {
    let screen = ShelfScreen([4])
    let cells = (0..<4).map { screen.cell(at(0, $0)) }
    screen.view.performBatchUpdates {
      screen.shelf.sections[0].books.swapAt(0, 3)
      screen.view.moveItem(at: at(0, 0), to: at(0, 3))
      screen.view.moveItem(at: at(0, 3), to: at(0, 0))
    }
    #expect(screen.cell(at(0, 3)) === cells[0])
    #expect(screen.cell(at(0, 0)) === cells[3])
    #expect(screen.cell(at(0, 3))?.frame.minY == 60)
    screen.events = []
    screen.shelf[at(0, 1)].version = 1
    screen.view.reloadItems(at: [at(0, 1)])
    #expect(screen.cell(at(0, 1)) !== cells[1])
    #expect(screen.cell(at(0, 1))?.headlessContent?.version == 1)
    // The old one is on display until the animation is over.
    #expect(screen.events == ["willDisplay 0,1"])
    #expect(screen.view.headless.isAnimating)
    screen.view.headless.finishAnimations()
    #expect(screen.events == ["willDisplay 0,1", "didEndDisplaying 0,1"])
    #expect(!screen.view.headless.isAnimating)
    let kept = screen.cell(at(0, 2))
    screen.shelf[at(0, 2)].version = 7
    screen.view.reconfigureItems(at: [at(0, 2)])
    #expect(screen.cell(at(0, 2)) === kept)
    #expect(kept?.headlessContent?.version == 7)
    #expect(kept?.preparations == 0)
    #expect(screen.view.headless.cells.reconfigured == 1)
  }

  @Test func aDeletedCellEndsAtThePathThatItHad() {
    let screen = ShelfScreen([3])
    screen.events = []
    screen.view.performBatchUpdates {
      screen.shelf.sections[0].books.removeFirst(2)
      screen.view.deleteItems(at: [at(0, 0), at(0, 1)])
    }
    #expect(screen.events.isEmpty)
    screen.view.headless.finishAnimations()
    #expect(screen.events == ["didEndDisplaying 0,0", "didEndDisplaying 0,1"])
    #expect(screen.view.headless.cells.onDisplay == 1)
  }

  @Test func completionsComeOuterFirstAndLater() async {
    let screen = ShelfScreen([3])
    var called: [String] = []
    screen.view.performBatchUpdates {
      screen.view.performBatchUpdates(nil) { _ in called.append("inner 0") }
      screen.view.performBatchUpdates(nil) { _ in called.append("inner 1") }
    } completion: { finished in
      called.append("outer \(finished)")
    }
    #expect(called.isEmpty)
    while called.isEmpty { await Task.yield() }
    #expect(called == ["outer true", "inner 0", "inner 1"])
    UIView.performWithoutAnimation {
      screen.view.performBatchUpdates(nil) { _ in called.append("at once") }
    }
    #expect(called.last == "at once")
  }

  @Test func withoutAWindowABatchIsAReload() {
    let screen = ShelfScreen([3], inWindow: false)
    let cell = screen.cell(at(0, 2))
    var isDone = false
    screen.view.selectItem(at: at(0, 2), animated: false, scrollPosition: [])
    screen.view.performBatchUpdates {
      screen.shelf.sections[0].books.remove(at: 0)
      screen.view.deleteItems(at: [at(0, 0)])
    } completion: { _ in
      isDone = true
    }
    #expect(isDone)
    #expect(screen.view.indexPathsForSelectedItems == [])
    let bound = screen.view.headless.cells.bound
    screen.view.layoutIfNeeded()
    #expect(screen.view.headless.cells.bound == bound + 2)
    #expect(screen.shown == ["0,0 A1:0", "0,1 A2:0"])
    #expect(cell?.preparations == 1)
    let raised = HeadlessException.raised { screen.update([9]) { _ in } }
    #expect(raised.count == 1)
  }

  @Test func countsBeforeAreThoseAtEntry() {
    let screen = ShelfScreen([3])
    screen.view.reloadData()
    screen.shelf.sections[0].books.append(.init(id: "X"))
    // The view never saw three.
    let raised = HeadlessException.raised { screen.view.insertItems(at: [at(0, 3)]) }
    #expect(raised.first?.detail.contains("before the update (4)") == true)
  }

  @Test func aRefusedBatchLeavesTheViewUntilItIsReloaded() {
    let screen = ShelfScreen([3])
    let shown = screen.shown
    var isCalled = false
    let raised = HeadlessException.raised {
      screen.view.performBatchUpdates {
        screen.shelf.sections[0].books.removeLast()
      } completion: { _ in
        isCalled = true
      }
      screen.view.layoutIfNeeded()
      screen.view.insertItems(at: [at(0, 0)])
      screen.view.headless.finishAnimations()
    }
    #expect(raised.map(\.name) == [.internalInconsistency, .hazard])
    #expect(!isCalled)
    #expect(screen.shown == shown)
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.shown == ["0,0 A0:0", "0,1 A1:0"])
  }

  @Test func aCellThatShowsTheWrongThingIsFound() {
    let screen = ShelfScreen([3])
    screen.shelf[at(0, 1)].version = 4
    let raised = HeadlessException.raised { screen.update { _ in } }
    #expect(raised.map(\.name) == [.wrongContent])
    #expect(raised.map(\.reason) == ["the cell at (0 - 1) shows A1:0, and should show A1:4"])
    screen.view.headless.expectedContent = { _ in HeadlessContent(identity: "A1") }
    let identities = HeadlessException.raised { screen.view.headless.checkContent() }
    #expect(identities.count == 2)
  }

  @Test func reloadingInsideABatchIsAHazard() {
    let screen = ShelfScreen([3])
    let raised = HeadlessException.raised { screen.update { $0.reloadData() } }
    #expect(raised.map(\.name) == [.hazard])
  }

  @Test func headersFollowTheirSections() {
    let screen = ShelfScreen([1, 1])
    let header = UICollectionView.elementKindSectionHeader
    func titles() -> [String] {
      screen.view.visibleSupplementaryViews(ofKind: header).compactMap { ($0 as? TitleView)?.title }
    }
    screen.headerHeight = 10
    screen.layout.invalidateLayout()
    screen.view.layoutIfNeeded()
    #expect(titles() == ["A", "B"])
    let second = screen.view.supplementaryView(forElementKind: header, at: at(1, 0))
    screen.view.performBatchUpdates {
      screen.shelf.sections.swapAt(0, 1)
      screen.view.moveSection(1, toSection: 0)
    }
    #expect(titles() == ["B", "A"])
    #expect(screen.view.supplementaryView(forElementKind: header, at: at(0, 0)) === second)
    screen.view.performBatchUpdates {
      screen.shelf.sections.remove(at: 1)
      screen.view.deleteSections([1])
    }
    screen.view.reloadSections([0])
    screen.view.headless.finishAnimations()
    #expect(titles() == ["B"])
    #expect(screen.view.supplementaryView(forElementKind: header, at: at(0, 0)) !== second)
    let counts = screen.view.headless.supplementaryViews
    #expect(counts.onDisplay == 1)
    #expect(counts.bound == counts.displayed)
  }

  @Test func theOffsetStaysInsideTheContent() {
    let screen = ShelfScreen([20])
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 1_000))
    #expect(screen.view.contentOffset.y == 300)
    screen.update([6]) { $0.deleteItems(at: (6..<20).map { at(0, $0) }) }
    #expect(screen.view.contentOffset.y == 20)
    #expect(screen.view.indexPathsForVisibleItems.sorted() == (1..<6).map { at(0, $0) })
  }

  @Test func scrollingToAnItem() {
    let screen = ShelfScreen([20])
    screen.view.scrollToItem(at: at(0, 10), at: .top, animated: false)
    #expect(screen.view.contentOffset.y == 200)
    screen.view.scrollToItem(at: at(0, 10), at: .centeredVertically, animated: false)
    #expect(screen.view.contentOffset.y == 160)
    screen.view.scrollToItem(at: at(0, 10), at: .bottom, animated: false)
    #expect(screen.view.contentOffset.y == 120)
    screen.view.scrollToItem(at: at(0, 11), at: [], animated: false)
    #expect(screen.view.contentOffset.y == 140)
    let raised = HeadlessException.raised {
      screen.view.scrollToItem(at: at(0, 20), at: .top, animated: false)
    }
    #expect(
      raised.first?.reason.hasPrefix(
        "Attempted to scroll the collection view to an out-of-bounds item (20) when there are only "
          + "20 items in section 0.") == true)
  }
}
