import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import ScreenSupport
import TestSupport
import Testing

/// What only table views do.
@Suite @MainActor struct TableAdapterTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private func screen(_ count: Int) throws -> (
    screen: Screen, view: UITableView, adapter: TableAdapter
  ) {
    try bookcase.fill(count)
    let screen = try Screen(.table, showing: bookcase.shelf)
    screen.checkBooks()
    screen.layOut()
    return (screen, try #require(screen.table), try #require(screen.adapter as? TableAdapter))
  }

  private func path(_ row: Int) -> IndexPath { IndexPath(row: row, section: 0) }

  @Test func aSwipeDeletesInTheStoreAndCanBeUndone() throws {
    let (screen, view, adapter) = try screen(3)
    #expect(!view.headless.deleteRow(at: path(1)))
    adapter.canDelete = { $0 != "b2" }
    #expect(!view.headless.deleteRow(at: path(2)))
    #expect(view.headless.deleteRow(at: path(1)))
    try screen.settle()
    #expect(screen.shown == ["b0", "b2"])
    try bookcase.repository.undoCommit(
      try bookcase.repository.revision(of: "shelf"), of: "shelf")
    try screen.settle()
    #expect(screen.shown == ["b0", "b1", "b2"])
    screen.expectBalance()
  }

  @Test func aRowIsMovedInTheStore() throws {
    let (screen, view, adapter) = try screen(4)
    view.setEditing(true, animated: false)
    #expect(!view.headless.dragRow(at: path(0), to: path(2)))
    adapter.canMove = { _ in true }
    let raised = HeadlessException.raised {
      #expect(view.headless.dragRow(at: path(0), to: path(2)))
      view.headless.finishAnimations()
    }
    #expect(raised.isEmpty)
    try screen.settle()
    #expect(screen.shown == ["b1", "b2", "b0", "b3"])
    #expect(adapter.provider.tree == (try bookcase.repository.tree(of: "shelf")))
    screen.expectBalance()
  }

  private final class Delegate: NSObject, UITableViewDelegate {
    var told: [String] = []
    var selects = true

    func tableView(
      _ tableView: UITableView, shouldHighlightRowAt indexPath: IndexPath
    ) -> Bool {
      told.append("shouldHighlight")
      return true
    }
    func tableView(
      _ tableView: UITableView, willSelectRowAt indexPath: IndexPath
    ) -> IndexPath? {
      told.append("willSelect")
      return selects ? indexPath : nil
    }
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      told.append("didSelect")
    }
    func tableView(
      _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
      UISwipeActionsConfiguration(actions: [
        UIContextualAction(style: .normal, title: "Later") { _, _, done in done(true) }
      ])
    }
    func scrollViewDidScroll(_ scrollView: UIScrollView) { told.append("didScroll") }
  }

  @Test func theDelegateIsAskedAndTold() throws {
    let (screen, view, adapter) = try screen(60)
    let delegate = Delegate()
    adapter.delegate = delegate
    view.headless.tap(rowAt: path(1))
    #expect(delegate.told == ["shouldHighlight", "willSelect", "didSelect"])
    delegate.selects = false
    view.headless.tap(rowAt: path(2))
    #expect(adapter.selection.items == ["b1"])
    screen.scroll(to: 1)
    #expect(delegate.told.last == "didScroll")
    #expect(view.headless.swipe(rowAt: path(0)).map(\.title) == ["Later"])
  }

  @Test func sectionsWithoutAHeaderHaveNoGapInGroupedTables() throws {
    try bookcase.fill(2)
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    let view = UITableView(frame: window.bounds, style: .grouped)
    window.addSubview(view)
    let adapter = try TableAdapter(bookcase.shelf, in: view, views: Screen.tableViews)
    view.layoutIfNeeded()
    #expect(view.visibleCells.count == 2)
    #expect(view.rectForRow(at: path(0)).minY < 0.001)
    #expect(adapter.bindings.shown == 2)
  }

  @Test func aLongTableReadsOneScreen() throws {
    let (_, view, adapter) = try screen(5_000)
    // Heights of what is seen alone are measured; of the rest the table is told a mean.
    #expect(adapter.measurementCount == view.visibleCells.count)
    #expect(view.contentSize.height > 4_000 * 40)
  }
}
