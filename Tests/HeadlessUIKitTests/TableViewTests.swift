import Foundation
import HeadlessUIKit
import Testing

/// What a table view does otherwise than a collection view.
@MainActor @Suite struct TableViewTests {
  @Test func onlyVisibleRowsHaveCells() {
    let screen = TableScreen([100])
    #expect(screen.shown == (0..<5).map { "0,\($0) A\($0):0" })
    screen.events = []
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 20))
    #expect(screen.events == ["didEndDisplaying 0,0", "willDisplay 0,5"])
    #expect(screen.view.headless.cells.created == 5)
    #expect((screen.view.cellForRow(at: at(0, 5)) as? BookRow)?.preparations == 1)
    #expect(screen.view.contentSize.height == 2_000)
  }

  @Test func aPrototypeIsDequeuedWithoutARegistration() {
    let view = UITableView(frame: CGRect(x: 0, y: 0, width: 100, height: 100), style: .plain)
    #expect(view.dequeueReusableCell(withIdentifier: "row") == nil)
    view.headless.addPrototype("row") { BookRow(style: .subtitle, reuseIdentifier: nil) }
    let cell = view.dequeueReusableCell(withIdentifier: "row")
    #expect(cell is BookRow && cell?.reuseIdentifier == "row")
    #expect(view.headless.mostRegistrations == 0)
    let raised = HeadlessException.raised {
      _ = view.dequeueReusableCell(withIdentifier: "other", for: at(0, 0))
    }
    #expect(raised.first?.reason.contains("connect a prototype cell in a storyboard") == true)
  }

  @Test func aRowThatTheAppMakesIsReusedByItsIdentifier() {
    let screen = TableScreen([100])
    var made = 0
    screen.configure = { [unowned screen] view, path in
      var cell = view.dequeueReusableCell(withIdentifier: "made") as? BookRow
      if cell == nil {
        made += 1
        cell = BookRow(style: .subtitle, reuseIdentifier: "made")
      }
      cell?.headlessContent = screen.shelf.book(at: path)?.content
      return cell ?? BookRow(style: .default, reuseIdentifier: nil)
    }
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    for offset in [300, 700, 0] {
      screen.view.headless.scroll(to: CGPoint(x: 0, y: offset))
    }
    #expect(made <= 6)
    // The table gives the row to be reconfigured only to those who dequeue by its path.
    let raised = HeadlessException.raised {
      screen.update { $0.reconfigureRows(at: [at(0, 0)]) }
    }
    #expect(raised.first?.reason.contains("was reconfigured") == true)
  }

  @Test func aTapSelectsInTheOrderOfTables() {
    let screen = TableScreen([5])
    screen.view.headless.tap(rowAt: at(0, 1))
    screen.events = []
    screen.view.headless.tap(rowAt: at(0, 2))
    #expect(
      screen.events == [
        "shouldHighlight 0,2", "didHighlight 0,2", "didUnhighlight 0,2", "willSelect 0,2",
        "willDeselect 0,1", "didDeselect 0,1", "didSelect 0,2",
      ])
    #expect(screen.view.indexPathForSelectedRow == at(0, 2))
    screen.refusals = ["willSelect"]
    screen.view.headless.tap(rowAt: at(0, 3))
    #expect(screen.view.indexPathsForSelectedRows == [at(0, 2)])
    screen.view.selectRow(at: nil, animated: false, scrollPosition: .none)
    #expect(screen.view.indexPathsForSelectedRows == nil)
  }

  @Test func aFingerThatLeavesSelectsNothing() {
    let screen = TableScreen([3])
    screen.events = []
    screen.view.headless.touchDown(rowAt: at(0, 1))
    screen.view.headless.touchCancel()
    #expect(screen.events == ["shouldHighlight 0,1", "didHighlight 0,1", "didUnhighlight 0,1"])
    #expect(screen.view.indexPathForSelectedRow == nil)
  }

  @Test func aRowThatShowsTheWrongThingIsFound() {
    let screen = TableScreen([3])
    screen.shelf.sections[0].books[1].version = 4
    let raised = HeadlessException.raised { screen.view.headless.checkContent() }
    #expect(raised.map(\.name) == [.wrongContent])
  }

  @Test func anAnimationEnds() {
    let screen = TableScreen([3])
    screen.update([2]) { $0.deleteRows(at: [at(0, 2)], with: .automatic) }
    #expect(screen.view.headless.isAnimating)
    screen.view.headless.finishAnimations()
    #expect(!screen.view.headless.isAnimating)
  }

  @Test func aBatchUpdateMayComeBeforeTheLayoutOfAReload() {
    let screen = TableScreen([1, 3])
    let raised = HeadlessException.raised {
      screen.shelf = Shelf([1])
      screen.view.reloadData()
      screen.view.performBatchUpdates(nil)
      screen.update([2]) { $0.insertRows(at: [at(0, 1)], with: .automatic) }
      screen.view.headless.finishAnimations()
      screen.view.layoutIfNeeded()
    }
    #expect(raised.map(\.description) == [])
    #expect(screen.shown == ["0,0 A0:0", "0,1 A1:0"])
    #expect(screen.view.headless.cells.onDisplay == 2)
  }

  @Test func aRowIsFoundByItsCellAndByAPoint() throws {
    let screen = TableScreen([3])
    let cell = try #require(screen.view.cellForRow(at: at(0, 2)))
    #expect(screen.view.indexPath(for: cell) == at(0, 2))
    #expect(
      screen.view.indexPath(for: UITableViewCell(style: .default, reuseIdentifier: nil)) == nil)
    #expect(screen.view.indexPathForRow(at: CGPoint(x: 5, y: 45)) == at(0, 2))
    #expect(screen.view.indexPathForRow(at: CGPoint(x: 5, y: 61)) == nil)
  }

  @Test func aCellThatLeftIsNotSelectedAnyMore() {
    let screen = TableScreen([30])
    let cell = screen.view.cellForRow(at: at(0, 0))
    screen.view.headless.tap(rowAt: at(0, 0))
    #expect(cell?.isSelected == true)
    // One row is visible then, so that this cell waits.
    screen.view.frame.size.height = 20
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 400))
    #expect(cell?.isSelected == false)
    screen.view.headless.scroll(to: .zero)
    #expect(screen.view.cellForRow(at: at(0, 0))?.isSelected == true)
  }

  @Test func rowsAreDeletedByTheUser() {
    let screen = TableScreen([3])
    #expect(screen.view.headless.deleteRow(at: at(0, 1)))
    #expect(screen.shown == ["0,0 A0:0", "0,1 A2:0"])
    #expect(!screen.view.headless.insertRow(at: at(0, 1)))
    screen.refusals = ["edit"]
    #expect(!screen.view.headless.deleteRow(at: at(0, 0)))
    #expect(screen.view.headless.swipe(rowAt: at(0, 0)).isEmpty)
  }

  @Test func swipesOfferActions() throws {
    let screen = TableScreen([3])
    var likes = 0
    screen.swipeActions = [
      UIContextualAction(style: .normal, title: "Like") { _, view, done in
        likes += view is BookRow ? 1 : 10
        done(true)
      }
    ]
    let action = try #require(screen.view.headless.swipe(rowAt: at(0, 1)).first)
    #expect(screen.view.headless.choose(action, rowAt: at(0, 1)) == true)
    #expect(likes == 1)
    #expect(screen.view.headless.swipe(rowAt: at(0, 1), fromTrailingEdge: false).isEmpty)
  }

  @Test func rowsAreReorderedInEditingMode() {
    let screen = TableScreen([3])
    #expect(!screen.view.headless.dragRow(at: at(0, 0), to: at(0, 2)))
    screen.view.setEditing(true, animated: false)
    #expect(screen.view.visibleCells.map(\.isEditing) == [true, true, true])
    let cell = screen.view.cellForRow(at: at(0, 0))
    #expect(screen.view.headless.dragRow(at: at(0, 0), to: at(0, 2)))
    #expect(screen.shown == ["0,0 A1:0", "0,1 A2:0", "0,2 A0:0"])
    #expect(screen.view.cellForRow(at: at(0, 2)) === cell)
    screen.refusals = ["move"]
    #expect(!screen.view.headless.dragRow(at: at(0, 0), to: at(0, 2)))
  }

  @Test func titlesMakeHeaders() {
    let screen = TableScreen([1, 2])
    screen.titles = true
    screen.view.sectionHeaderHeight = 10
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.view.rectForHeader(inSection: 1) == CGRect(x: 0, y: 30, width: 100, height: 10))
    #expect(screen.view.rectForRow(at: at(1, 1)) == CGRect(x: 0, y: 60, width: 100, height: 20))
    #expect(screen.view.headless.headersAndFooters.onDisplay == 2)
    let header = screen.view.headerView(forSection: 1)
    #expect(header != nil)
    screen.view.performBatchUpdates {
      screen.shelf.sections.remove(at: 0)
      screen.view.deleteSections([0], with: .automatic)
    }
    screen.view.headless.finishAnimations()
    #expect(screen.view.headerView(forSection: 0) === header)
    #expect(screen.view.headless.headersAndFooters.onDisplay == 1)
  }

  @Test func dequeuingRowsRaises() {
    let screen = TableScreen([1])
    screen.view.headless.expectedContent = nil
    func reload() -> String? {
      HeadlessException.raised {
        screen.view.reloadData()
        screen.view.layoutIfNeeded()
      }.first?.reason
    }
    screen.configure = { $0.dequeueReusableCell(withIdentifier: "other", for: $1) }
    #expect(
      reload()
        == "unable to dequeue a cell with identifier other - must register a nib or a class for the "
        + "identifier or connect a prototype cell in a storyboard")
    #expect(screen.view.dequeueReusableCell(withIdentifier: "never") == nil)
    screen.configure = { view, path in
      _ = view.dequeueReusableCell(withIdentifier: "book", for: path)
      return view.dequeueReusableCell(withIdentifier: "book", for: path)
    }
    #expect(
      reload()
        == "Attempted to dequeue multiple cells for the same index path, which is not allowed. If "
        + "you really need to dequeue more cells than the table view is requesting, use the "
        + "-dequeueReusableCellWithIdentifier: method (without an index path). Cell identifier: "
        + "book, index path: <NSIndexPath> {length = 2, path = 0 - 0}")
    // A table takes cells that nobody dequeued.
    screen.configure = { _, _ in UITableViewCell(style: .default, reuseIdentifier: nil) }
    #expect(reload() == nil)
  }

  @Test func reconfiguredRowsKeepTheirCells() {
    let screen = TableScreen([3])
    let cell = screen.view.cellForRow(at: at(0, 1)) as? BookRow
    screen.shelf[at(0, 1)].version = 2
    screen.view.reconfigureRows(at: [at(0, 1)])
    #expect(screen.view.cellForRow(at: at(0, 1)) === cell)
    #expect(cell?.headlessContent?.version == 2)
    screen.shelf[at(0, 1)].version = 3
    screen.view.reloadRows(at: [at(0, 1)], with: .fade)
    #expect(screen.view.cellForRow(at: at(0, 1)) !== cell)
  }

  @Test func prefetchingRunsAheadOfScrolling() {
    @MainActor final class Prefetcher: NSObject, UITableViewDataSourcePrefetching {
      var events: [String] = []
      func tableView(_ view: UITableView, prefetchRowsAt paths: [IndexPath]) {
        events.append("+\(paths.map(\.row))")
      }
      func tableView(_ view: UITableView, cancelPrefetchingForRowsAt paths: [IndexPath]) {
        events.append("-\(paths.map(\.row))")
      }
    }
    let screen = TableScreen([100])
    let prefetcher = Prefetcher()
    screen.view.prefetchDataSource = prefetcher
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 20))
    #expect(prefetcher.events == ["+[6, 7, 8, 9, 10]"])
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 40))
    #expect(prefetcher.events.last == "+[11]")
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 20))
    #expect(prefetcher.events.suffix(2) == ["-[7, 8, 9, 10, 11]", "+[0]"])
    screen.view.isPrefetchingEnabled = false
    prefetcher.events = []
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 40))
    #expect(prefetcher.events == [])
  }

  @Test func scrollingToARow() {
    let screen = TableScreen([20])
    screen.view.scrollToRow(at: at(0, 10), at: .top, animated: false)
    #expect(screen.view.contentOffset.y == 200)
    screen.view.scrollToRow(at: at(0, 10), at: .bottom, animated: false)
    #expect(screen.view.contentOffset.y == 120)
    let raised = HeadlessException.raised {
      screen.view.scrollToRow(at: at(1, 0), at: .top, animated: false)
    }
    #expect(raised.count == 1)
  }
}
