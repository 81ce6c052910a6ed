import Foundation
import Testing

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// When a table has rows, which, and where it is scrolled to.
@MainActor @Suite struct TableViewDisplayTests {
  @Test func rowsInTheBoundsAreVisibleFromTopToBottom() {
    let screen = RowScreen(100)
    #expect(screen.view.indexPathsForVisibleRows == (0..<5).map { at(0, $0) })
    #expect(screen.shown == texts(0..<5))
    #expect(screen.view.visibleCells.compactMap { ($0 as? TextRow)?.text } == texts(0..<5))
    #expect(screen.row(0, 50) == nil)
    #expect(screen.view.contentSize == CGSize(width: 100, height: 2_000))
  }

  @Test func aRowIsFoundByItsPathItsCellAndAPoint() throws {
    let screen = RowScreen(10)
    let row = try #require(screen.row(0, 3))
    #expect(row.frame == CGRect(x: 0, y: 60, width: 100, height: 20))
    #expect(row.window === screen.window)
    #expect(screen.view.rectForRow(at: at(0, 3)) == row.frame)
    #expect(screen.view.indexPath(for: row) == at(0, 3))
    #expect(screen.view.indexPathForRow(at: CGPoint(x: 5, y: 65)) == at(0, 3))
    #expect(screen.view.indexPathForRow(at: CGPoint(x: 5, y: 1_000)) == nil)
  }

  @Test func whatLeavesEndsItsDisplayAndWhatComesBegins() {
    let screen = RowScreen(100)
    screen.events = []
    screen.scroll(to: 40)
    #expect(
      Set(screen.events) == ["scrolled 40", "ended 0,0", "ended 0,1", "will 0,5", "will 0,6"])
    #expect(screen.shown == texts(2..<7))
  }

  @Test func rowsAreUsedAgainAndPreparedForIt() {
    let screen = RowScreen(1_000)
    for step in 1...200 { screen.scroll(to: CGFloat(step) * 50) }
    #expect(screen.asked.count > 400)
    #expect(screen.rows.count < 60)
    #expect(screen.rows.reduce(0) { $0 + $1.preparations } >= screen.asked.count - 60)
    #expect(screen.shown == texts(500..<505))
  }

  @Test func anIdentifierThatIsNotRegisteredGivesNoRow() {
    let view = UITableView(frame: CGRect(x: 0, y: 0, width: 100, height: 100), style: .plain)
    #expect(view.dequeueReusableCell(withIdentifier: "row") == nil)
    #expect(view.dequeueReusableHeaderFooterView(withIdentifier: "header") == nil)
  }

  @Test func aRegisteredClassIsMadeInTheDefaultStyleWithItsIdentifier() {
    let view = UITableView(frame: CGRect(x: 0, y: 0, width: 100, height: 100), style: .plain)
    view.register(TextRow.self, forCellReuseIdentifier: "row")
    let row = view.dequeueReusableCell(withIdentifier: "row")
    #expect(row is TextRow)
    #expect(row?.reuseIdentifier == "row")
  }

  @Test func reloadingAsksForEveryVisibleRowAgain() {
    let screen = RowScreen(3)
    screen.data = [["x"], ["y", "z"]]
    screen.asked = []
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(Set(screen.asked) == [at(0, 0), at(1, 0), at(1, 1)])
    #expect(screen.shown == ["x", "y", "z"])
    #expect(screen.view.numberOfSections == 2)
    #expect(screen.view.numberOfRows(inSection: 1) == 2)
  }

  @Test func theOffsetStaysInAReload() {
    let screen = RowScreen(20)
    screen.scroll(to: 90)
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.view.contentOffset.y == 90)
  }

  @Test func lessContentTakesTheOffsetAlong() {
    let screen = RowScreen(20)
    screen.scroll(to: 300)
    screen.data = [texts(0..<8)]
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.view.contentOffset.y == 60)
    screen.view.layoutIfNeeded()
    #expect(screen.shown == texts(3..<8))
  }

  @Test func anOffsetIsSetAsItIsAlsoBeyondTheContent() {
    let screen = RowScreen(10)
    screen.view.setContentOffset(CGPoint(x: 0, y: 170), animated: false)
    #expect(screen.view.contentOffset.y == 170)
  }

  @Test func aRowIsScrolledToAPlace() {
    let screen = RowScreen(20)
    screen.view.scrollToRow(at: at(0, 10), at: .top, animated: false)
    #expect(screen.view.contentOffset.y == 200)
    screen.view.scrollToRow(at: at(0, 10), at: .middle, animated: false)
    #expect(screen.view.contentOffset.y == 160)
    screen.view.scrollToRow(at: at(0, 10), at: .bottom, animated: false)
    #expect(screen.view.contentOffset.y == 120)
    // As little as is needed.
    screen.view.scrollToRow(at: at(0, 3), at: .none, animated: false)
    #expect(screen.view.contentOffset.y == 60)
    screen.view.scrollToRow(at: at(0, 19), at: .top, animated: false)
    #expect(screen.view.contentOffset.y == 300)
  }

  @Test func titlesMakeHeadersOfTheirSections() {
    let screen = RowScreen([["a"], ["b", "c"]])
    screen.titles = ["A", nil]
    screen.view.sectionHeaderHeight = 10
    screen.view.layoutIfNeeded()
    #expect(screen.view.rectForHeader(inSection: 0) == CGRect(x: 0, y: 0, width: 100, height: 10))
    #expect(screen.view.headerView(forSection: 0) != nil)
    #expect(screen.view.headerView(forSection: 1) == nil)
    #expect(screen.view.rectForRow(at: at(0, 0)).minY == 10)
  }

  @Test func anotherHeightLaysOutAnew() {
    let screen = RowScreen(3)
    screen.view.rowHeight = 30
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.row(0, 2)?.frame == CGRect(x: 0, y: 60, width: 100, height: 30))
  }

  @Test func rowsAreAsBroadAsTheTable() {
    let screen = RowScreen(3)
    screen.view.frame.size.width = 70
    screen.view.layoutIfNeeded()
    #expect(screen.row(0, 1)?.frame.width == 70)
  }
}

/// Batch updates, selection and editing mode of a table.
@MainActor @Suite struct TableViewUpdateTests {
  @Test func deletesCountBeforeAndInsertsAfter() async throws {
    let screen = RowScreen([["a", "b", "c", "d"]])
    screen.view.layoutIfNeeded()
    try await screen.update([["x", "b", "y", "d"]]) { view in
      view.insertRows(at: [at(0, 2), at(0, 0)], with: .none)
      view.deleteRows(at: [at(0, 0), at(0, 2)], with: .none)
    }
    #expect(screen.shown == ["x", "b", "y", "d"])
    #expect(screen.view.numberOfRows(inSection: 0) == 4)
  }

  @Test func cellsStayWithTheirRows() async throws {
    let screen = RowScreen([["a", "b", "c"]])
    screen.view.layoutIfNeeded()
    let rows = (0..<3).map { screen.row(0, $0) }
    try await screen.update([["c", "new", "a"]]) { view in
      view.deleteRows(at: [at(0, 1)], with: .none)
      view.moveRow(at: at(0, 2), to: at(0, 0))
      view.insertRows(at: [at(0, 1)], with: .none)
    }
    #expect(screen.row(0, 0) === rows[2])
    #expect(screen.row(0, 2) === rows[0])
    #expect(screen.shown == ["c", "new", "a"])
  }

  @Test func sectionsComeGoAndMoveWithTheirRows() async throws {
    let screen = RowScreen([["a"], ["b"], ["c"]])
    screen.view.layoutIfNeeded()
    let c = screen.row(2, 0)
    try await screen.update([["c"], ["new"], ["b"]]) { view in
      view.deleteSections([0], with: .none)
      view.moveSection(2, toSection: 0)
      view.insertSections([1], with: .none)
    }
    #expect(screen.shown == ["c", "new", "b"])
    #expect(screen.row(0, 0) === c)
  }

  @Test func aReloadedRowIsAskedForAgainAndAReconfiguredOneKeepsItsCell() async throws {
    let screen = RowScreen(3)
    let row = screen.row(0, 2)
    screen.asked = []
    try await screen.update([["0", "one", "2"]]) { $0.reloadRows(at: [at(0, 1)], with: .none) }
    #expect(screen.asked == [at(0, 1)])
    #expect(screen.shown == ["0", "one", "2"])
    screen.data = [["0", "one", "two"]]
    screen.view.reconfigureRows(at: [at(0, 2)])
    screen.view.layoutIfNeeded()
    #expect(screen.row(0, 2) === row)
    #expect(row?.text == "two")
    #expect(row?.preparations == 0)
  }

  @Test func rowsOfSeveralCallsAreOneBatch() {
    let screen = RowScreen([["a", "b"]])
    screen.view.layoutIfNeeded()
    screen.view.beginUpdates()
    screen.data = [["b", "c"]]
    screen.view.deleteRows(at: [at(0, 0)], with: .none)
    screen.view.insertRows(at: [at(0, 1)], with: .none)
    screen.view.endUpdates()
    screen.view.layoutIfNeeded()
    #expect(screen.shown == ["b", "c"])
  }

  @Test func deletedContentTakesTheOffsetAlong() async throws {
    let screen = RowScreen(20)
    screen.scroll(to: 300)
    try await screen.update([texts(0..<8)]) { view in
      view.deleteRows(at: (8..<20).map { at(0, $0) }, with: .none)
    }
    #expect(screen.view.contentOffset.y == 60)
  }

  // MARK: Selection

  @Test func theAppSelectsWithoutADelegatesCall() {
    let screen = RowScreen(5)
    screen.events = []
    #expect(screen.view.indexPathsForSelectedRows == nil)
    screen.view.selectRow(at: at(0, 1), animated: false, scrollPosition: .none)
    #expect(screen.row(0, 1)?.isSelected == true)
    #expect(screen.view.indexPathForSelectedRow == at(0, 1))
    screen.view.selectRow(at: at(0, 2), animated: false, scrollPosition: .none)
    #expect(screen.view.indexPathsForSelectedRows == [at(0, 2)])
    screen.view.deselectRow(at: at(0, 2), animated: false)
    #expect(screen.row(0, 2)?.isSelected == false)
    #expect(screen.view.indexPathForSelectedRow == nil)
    #expect(screen.events == [])
  }

  @Test func selectingNoRowDeselectsAll() {
    let screen = RowScreen(5)
    screen.view.allowsMultipleSelection = true
    for row in [0, 3] {
      screen.view.selectRow(at: at(0, row), animated: false, scrollPosition: .none)
    }
    #expect(screen.view.indexPathsForSelectedRows?.sorted() == [at(0, 0), at(0, 3)])
    screen.view.selectRow(at: nil, animated: false, scrollPosition: .none)
    #expect(screen.view.indexPathsForSelectedRows == nil)
  }

  @Test func theSelectionGoesWithItsRowAndEndsWithAReload() async throws {
    let screen = RowScreen([["a", "b", "c"]])
    screen.view.layoutIfNeeded()
    screen.view.selectRow(at: at(0, 1), animated: false, scrollPosition: .none)
    try await screen.update([["b", "c"]]) { $0.deleteRows(at: [at(0, 0)], with: .none) }
    #expect(screen.view.indexPathForSelectedRow == at(0, 0))
    try await screen.update(screen.data) { $0.reloadRows(at: [at(0, 0)], with: .none) }
    #expect(screen.view.indexPathForSelectedRow == nil)
    screen.view.selectRow(at: at(0, 1), animated: false, scrollPosition: .none)
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.view.indexPathForSelectedRow == nil)
  }

  @Test func whatIsOutOfSightIsSelectedWhenItComes() {
    let screen = RowScreen(100)
    screen.view.selectRow(at: at(0, 20), animated: false, scrollPosition: .none)
    screen.scroll(to: 380)
    #expect(screen.row(0, 20)?.isSelected == true)
    #expect(screen.row(0, 21)?.isSelected == false)
  }

  // MARK: Editing mode

  @Test func editingModeReachesRowsInSightAndThoseThatCome() {
    let screen = RowScreen(100)
    #expect(!screen.view.isEditing)
    screen.view.setEditing(true, animated: false)
    screen.view.layoutIfNeeded()
    #expect(screen.view.isEditing)
    #expect(screen.view.visibleCells.allSatisfy { $0.isEditing })
    screen.scroll(to: 400)
    #expect(screen.view.visibleCells.allSatisfy { $0.isEditing })
    // Now a sixth row has come and gone, and its cell waits.
    screen.scroll(to: 410)
    screen.scroll(to: 420)
    screen.view.setEditing(false, animated: false)
    screen.scroll(to: 430)
    #expect(screen.view.visibleCells.count == 6)
    #expect(screen.view.visibleCells.allSatisfy { !$0.isEditing })
  }

  @Test func aRowShowsTheControlThatItsDelegateSaysIfItCanBeEdited() {
    let screen = RowScreen(3)
    screen.isEditable = { $0.row != 1 }
    screen.view.setEditing(true, animated: false)
    screen.view.layoutIfNeeded()
    #expect(
      (0..<3).map { screen.row(0, $0)?.editingStyle } == [
        .delete, UITableViewCell.EditingStyle.none, .delete,
      ])
  }

  @Test func editingModeIndentsTheContent() throws {
    let screen = RowScreen(3)
    let row = try #require(screen.row(0, 0))
    row.layoutIfNeeded()
    #expect(row.contentView.frame.minX == 0)
    screen.view.setEditing(true, animated: false)
    screen.view.layoutIfNeeded()
    row.layoutIfNeeded()
    #expect(row.contentView.frame.minX > 0)
    #expect(row.contentView.frame.maxX <= row.bounds.maxX)
  }

  @Test func anAccessoryTakesItsWidthFromTheContent() throws {
    let screen = RowScreen(1)
    let row = try #require(screen.row(0, 0))
    row.layoutIfNeeded()
    let width = row.contentView.frame.width
    row.accessoryType = .disclosureIndicator
    row.layoutIfNeeded()
    #expect(row.contentView.frame.width < width)
    #expect(row.contentView.frame.minX == 0)
  }
}
