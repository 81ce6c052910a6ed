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
    #expect(screen.shown == (0..<5).map(String.init))
    #expect(
      screen.view.visibleCells.compactMap { ($0 as? TextRow)?.text } == (0..<5).map(String.init))
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
    #expect(screen.shown == (2..<7).map(String.init))
  }

  @Test func rowsAreUsedAgainAndPreparedForIt() {
    let screen = RowScreen(1_000)
    for step in 1...200 { screen.scroll(to: CGFloat(step) * 50) }
    #expect(screen.asked.count > 400)
    #expect(screen.rows.count < 60)
    #expect(screen.rows.reduce(0) { $0 + $1.preparations } >= screen.asked.count - 60)
    #expect(screen.shown == (500..<505).map(String.init))
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
    screen.data = [(0..<8).map(String.init)]
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.view.contentOffset.y == 60)
    screen.view.layoutIfNeeded()
    #expect(screen.shown == (3..<8).map(String.init))
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
    try await screen.update([(0..<8).map(String.init)]) { view in
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

/// The diffable data source of a collection view.
@MainActor @Suite struct DiffableContractTests {
  private typealias Snapshot = NSDiffableDataSourceSnapshot<String, String>

  @MainActor private final class Screen {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 200))
    let view: UICollectionView
    let source: UICollectionViewDiffableDataSource<String, String>
    /// What the cells show, by item.
    var texts: [String: String] = [:]

    init() {
      let layout = UICollectionViewFlowLayout()
      layout.itemSize = CGSize(width: 100, height: 20)
      layout.minimumLineSpacing = 0
      view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
      view.contentInsetAdjustmentBehavior = .never
      view.register(TextCell.self, forCellWithReuseIdentifier: "cell")
      final class Box { weak var screen: Screen? }
      let box = Box()
      source = UICollectionViewDiffableDataSource(collectionView: view) { view, path, item in
        let cell = view.dequeueReusableCell(withReuseIdentifier: "cell", for: path)
        (cell as? TextCell)?.text = box.screen?.texts[item] ?? item
        return cell
      }
      box.screen = self
      window.addSubview(view)
    }

    var shown: [String] {
      view.layoutIfNeeded()
      return view.indexPathsForVisibleItems.sorted().map {
        (view.cellForItem(at: $0) as? TextCell)?.text ?? "nothing"
      }
    }
  }

  private func snapshot(_ sections: [(String, [String])]) -> Snapshot {
    var snapshot = Snapshot()
    for (name, items) in sections {
      snapshot.appendSections([name])
      snapshot.appendItems(items, toSection: name)
    }
    return snapshot
  }

  @Test func aSnapshotIsShown() {
    let screen = Screen()
    screen.source.apply(snapshot([("A", ["a", "b"]), ("B", ["c"])]), animatingDifferences: false)
    #expect(screen.shown == ["a", "b", "c"])
    #expect(screen.source.snapshot().itemIdentifiers == ["a", "b", "c"])
    #expect(screen.source.itemIdentifier(for: at(1, 0)) == "c")
    #expect(screen.source.itemIdentifier(for: at(2, 0)) == nil)
    #expect(screen.source.indexPath(for: "b") == at(0, 1))
    #expect(screen.source.indexPath(for: "z") == nil)
  }

  @Test func aSnapshotIsACopy() {
    let screen = Screen()
    screen.source.apply(snapshot([("A", ["a"])]), animatingDifferences: false)
    var copy = screen.source.snapshot()
    copy.appendItems(["b"])
    #expect(screen.source.snapshot().itemIdentifiers == ["a"])
  }

  @Test func cellsStayWithTheirItems() async throws {
    let screen = Screen()
    await screen.source.apply(snapshot([("A", ["a", "b", "c"])]), animatingDifferences: false)
    #expect(screen.shown == ["a", "b", "c"])
    let cell = screen.view.cellForItem(at: at(0, 2))
    var isDone = false
    screen.source.apply(
      snapshot([("A", ["c", "new", "a"])]), animatingDifferences: true
    ) { isDone = true }
    try await wait { isDone }
    #expect(screen.shown == ["c", "new", "a"])
    #expect(screen.view.cellForItem(at: at(0, 0)) === cell)
  }

  @Test func aReconfiguredItemKeepsItsCell() {
    let screen = Screen()
    screen.source.apply(snapshot([("A", ["a", "b"])]), animatingDifferences: false)
    _ = screen.shown
    let cell = screen.view.cellForItem(at: at(0, 1))
    screen.texts["b"] = "bee"
    var next = screen.source.snapshot()
    next.reconfigureItems(["b"])
    screen.source.apply(next, animatingDifferences: false)
    #expect(screen.shown == ["a", "bee"])
    #expect(screen.view.cellForItem(at: at(0, 1)) === cell)
  }

  @Test func aSnapshotThatIsLoadedAsksForEverything() {
    let screen = Screen()
    screen.source.apply(snapshot([("A", ["a", "b"])]), animatingDifferences: false)
    _ = screen.shown
    screen.texts["b"] = "bee"
    screen.source.applySnapshotUsingReloadData(snapshot([("A", ["b", "c"])]))
    #expect(screen.shown == ["bee", "c"])
  }

  @Test func aSnapshotIsRearranged() {
    var list = snapshot([("A", ["1", "2"]), ("B", ["3"]), ("C", [])])
    #expect(list.numberOfItems(inSection: "A") == 2)
    #expect(list.sectionIdentifier(containingItem: "3") == "B")
    #expect(list.indexOfItem("3") == 2)
    #expect(list.indexOfItem("9") == nil)
    list.insertSections(["D"], beforeSection: "A")
    list.moveSection("C", afterSection: "D")
    #expect(list.sectionIdentifiers == ["D", "C", "A", "B"])
    list.moveItem("1", afterItem: "3")
    #expect(list.itemIdentifiers(inSection: "B") == ["3", "1"])
    list.deleteSections(["A"])
    #expect(list.itemIdentifiers == ["3", "1"])
  }
}

/// Views as such: their tree, their layout and their sizes.
@MainActor @Suite struct ViewContractTests {
  private final class CountingView: UIView {
    var layouts = 0
    var windows: [Bool] = []
    override func layoutSubviews() {
      super.layoutSubviews()
      layouts += 1
    }
    override func didMoveToWindow() {
      super.didMoveToWindow()
      windows.append(window != nil)
    }
  }

  @Test func aViewIsLaidOutWhenItIsAskedAndNeedsIt() {
    let view = CountingView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    view.layoutIfNeeded()
    let first = view.layouts
    view.layoutIfNeeded()
    #expect(view.layouts == first)
    view.setNeedsLayout()
    #expect(view.layouts == first)
    view.layoutIfNeeded()
    #expect(view.layouts == first + 1)
    view.frame.size.width = 20
    view.layoutIfNeeded()
    #expect(view.layouts == first + 2)
    // Its place is not its layout.
    view.frame.origin.x = 5
    view.layoutIfNeeded()
    #expect(view.layouts == first + 2)
  }

  @Test func aViewHasOneParent() {
    let (first, second, child) = (UIView(), UIView(), UIView())
    first.addSubview(child)
    second.addSubview(child)
    #expect(first.subviews.isEmpty)
    #expect(child.superview === second)
    let behind = UIView()
    second.insertSubview(behind, at: 0)
    #expect(second.subviews.first === behind)
    child.removeFromSuperview()
    #expect(second.subviews == [behind])
    #expect(child.superview == nil)
  }

  @Test func aViewHearsOfItsWindow() {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let (parent, child) = (UIView(), CountingView())
    parent.addSubview(child)
    #expect(child.windows == [])
    window.addSubview(parent)
    #expect(child.windows == [true])
    #expect(child.window === window)
    parent.removeFromSuperview()
    #expect(child.windows == [true, false])
  }

  @Test func aViewFollowsItsParentsSizeAsItsMaskSays() {
    let parent = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    let child = UIView(frame: CGRect(x: 10, y: 10, width: 80, height: 20))
    child.autoresizingMask = [.flexibleWidth]
    let fixed = UIView(frame: CGRect(x: 10, y: 50, width: 80, height: 20))
    parent.addSubview(child)
    parent.addSubview(fixed)
    parent.frame.size = CGSize(width: 200, height: 300)
    #expect(child.frame == CGRect(x: 10, y: 10, width: 180, height: 20))
    #expect(fixed.frame == CGRect(x: 10, y: 50, width: 80, height: 20))
  }

  @Test func theContentOffsetIsTheOriginOfTheBounds() {
    let view = UIScrollView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    view.contentSize = CGSize(width: 100, height: 500)
    view.contentOffset = CGPoint(x: 0, y: 50)
    #expect(view.bounds == CGRect(x: 0, y: 50, width: 100, height: 100))
    #expect(view.frame == CGRect(x: 0, y: 0, width: 100, height: 100))
  }

  @Test func aViewFitsWhatItIsUnlessItSaysOtherwise() {
    let view = UIView(frame: CGRect(x: 0, y: 0, width: 30, height: 40))
    #expect(view.sizeThatFits(CGSize(width: 10, height: 10)) == CGSize(width: 30, height: 40))
  }

  @Test func aControlTellsItsActions() {
    let button = UIButton()
    var count = 0
    button.addAction(UIAction { _ in count += 1 }, for: .touchUpInside)
    button.sendActions(for: .touchUpInside)
    button.sendActions(for: .valueChanged)
    #expect(count == 1)
  }

  @Test func attributesAreCopiedWithTheirSubclassesValues() {
    final class Tinted: UICollectionViewLayoutAttributes {
      // Copied where UIKit copies, which is on the main actor only.
      nonisolated(unsafe) var tint = 0
      override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone)
        (copy as? Tinted)?.tint = tint
        return copy
      }
    }
    let tinted = Tinted(forDecorationViewOfKind: "card", with: at(1, 2))
    tinted.frame = CGRect(x: 1, y: 2, width: 3, height: 4)
    (tinted.zIndex, tinted.alpha, tinted.tint) = (5, 0.5, 7)
    let copy = tinted.copy() as? Tinted
    #expect(copy !== tinted)
    #expect(copy?.tint == 7)
    #expect(copy?.frame == tinted.frame)
    #expect(copy?.zIndex == 5)
    #expect(copy?.indexPath == at(1, 2))
    #expect(copy?.representedElementKind == "card")
  }
}
