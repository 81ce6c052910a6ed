import Foundation
import HeadlessUIKit
import Testing

/// Cells that left the display and are kept there for their items.
@MainActor @Suite struct KeptCellTests {
  private let screen = ShelfScreen([100])

  private func scroll(to offset: CGFloat) {
    screen.view.headless.scroll(to: CGPoint(x: 0, y: offset))
  }

  @Test func aKeptCellComesBackWithWillDisplayAlone() throws {
    let first = try #require(screen.cell(at(0, 0)))
    scroll(to: 20)
    let bound = screen.view.headless.cells.bound
    #expect(screen.view.headless.keptCells == 1)
    #expect(screen.view.cellForItem(at: at(0, 0)) === first)
    #expect(!screen.view.visibleCells.contains(first))
    screen.events = []
    scroll(to: 0)
    #expect(screen.events == ["didEndDisplaying 0,5", "willDisplay 0,0"])
    #expect(screen.cell(at(0, 0)) === first)
    #expect(first.preparations == 0)
    #expect(screen.view.headless.cells.bound == bound)
  }

  @Test func fewAreKept() {
    scroll(to: 1_000)
    #expect(screen.view.headless.keptCells == 3)
    #expect(screen.view.headless.waitingCells == 2)
    #expect(screen.view.headless.aliveCells == 10)
    screen.view.isPrefetchingEnabled = false
    #expect(screen.view.headless.keptCells == 0)
    #expect(screen.view.headless.waitingCells == 5)
  }

  @Test func aKeptCellFollowsItsItem() throws {
    let first = try #require(screen.cell(at(0, 0)))
    scroll(to: 20)
    screen.view.performBatchUpdates {
      screen.shelf.sections[0].books.insert(.init(id: "new"), at: 0)
      screen.view.insertItems(at: [at(0, 0)])
    }
    #expect(screen.view.cellForItem(at: at(0, 1)) === first)
    screen.shelf[at(0, 1)].version = 3
    screen.view.reconfigureItems(at: [at(0, 1)])
    #expect(first.headlessContent?.version == 3)
    screen.view.performBatchUpdates {
      screen.shelf.sections[0].books.remove(at: 1)
      screen.view.deleteItems(at: [at(0, 1)])
    }
    #expect(screen.view.headless.keptCells == 0)
    screen.view.reloadData()
    scroll(to: 0)
    #expect(screen.shown.first == "0,0 new:0")
  }

  @Test func aKeptCellWithOldContentIsFound() {
    scroll(to: 20)
    screen.shelf[at(0, 0)].version = 9
    let raised = HeadlessException.raised { scroll(to: 0) }
    #expect(raised.map(\.name) == [.wrongContent])
  }
}
