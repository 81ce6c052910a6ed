import Foundation
import HeadlessUIKit
import Testing

/// Where a table puts its rows, and what it leaves to their contents.
@MainActor @Suite struct TableContentTests {
  private final class Rows: NSObject, UITableViewDataSource, UITableViewDelegate {
    var accessory = UITableViewCell.AccessoryType.none
    var indents = true

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 2 }
    func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      let cell = tableView.dequeueReusableCell(withIdentifier: "row", for: indexPath)
      cell.accessoryType = accessory
      return cell
    }
    func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
      indexPath.row == 1
    }
    func tableView(
      _ tableView: UITableView, moveRowAt source: IndexPath, to target: IndexPath
    ) {}
    func tableView(
      _ tableView: UITableView, shouldIndentWhileEditingRowAt indexPath: IndexPath
    ) -> Bool { indents }
    func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat { 0 }
  }

  private let rows = Rows()
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

  private func table(_ style: UITableView.Style) -> UITableView {
    let view = UITableView(frame: window.bounds, style: style)
    view.register(UITableViewCell.self, forCellReuseIdentifier: "row")
    view.dataSource = rows
    view.delegate = rows
    window.addSubview(view)
    view.layoutIfNeeded()
    return view
  }

  private func content(_ view: UITableView, _ row: Int = 0) -> CGRect? {
    view.layoutIfNeeded()
    return view.cellForRow(at: at(0, row))?.contentView.frame
  }

  @Test func aSeparatorTakesOnePixelOfTheContent() {
    let view = table(.plain)
    #expect(content(view)?.height == 44 - 1 / CGFloat(3))
    view.separatorStyle = .none
    view.reloadData()
    #expect(content(view)?.size == CGSize(width: 320, height: 44))
  }

  @Test func groupsAreInsetByTheMarginsOfTheTable() {
    let view = table(.insetGrouped)
    #expect(view.cellForRow(at: at(0, 0))?.frame.minX == 16)
    #expect(content(view)?.width == 288)
    window.headlessChangeSafeArea(UIEdgeInsets(top: 0, left: 50, bottom: 0, right: 50))
    #expect(content(view)?.width == 188)
    view.layoutMargins = UIEdgeInsets(top: 0, left: 30, bottom: 0, right: 10)
    #expect(content(view)?.width == 180)
  }

  @Test func groupsOfAReadableWidthAreNoWiderThanThat() {
    window.frame.size.width = 1_000
    let view = table(.insetGrouped)
    #expect(content(view)?.width == 960)
    view.cellLayoutMarginsFollowReadableWidth = true
    #expect(content(view)?.width == 672)
  }

  @Test func contentsKeepClearOfTheSafeArea() {
    let view = table(.plain)
    window.headlessChangeSafeArea(UIEdgeInsets(top: 40, left: 50, bottom: 20, right: 30))
    #expect(content(view)?.minX == 50)
    #expect(content(view)?.width == 240)
    #expect(view.cellForRow(at: at(0, 0))?.frame.width == 320)
    view.insetsContentViewsToSafeArea = false
    view.reloadData()
    #expect(content(view)?.width == 320)
  }

  @Test func accessoriesTakeTheirWidthFromTheContent() {
    rows.accessory = .disclosureIndicator
    let view = table(.plain)
    #expect(content(view)?.width == 286)
    view.cellForRow(at: at(0, 0))?.accessoryView = UIView(
      frame: CGRect(x: 0, y: 0, width: 50, height: 20))
    #expect(content(view)?.width == 254)
  }

  @Test func editingModeIndentsTheContent() {
    rows.accessory = .checkmark
    let view = table(.plain)
    view.setEditing(true, animated: false)
    #expect(content(view, 0)?.minX == UITableViewCell.headlessEditControlWidth)
    #expect(content(view, 0)?.width == 320 - UITableViewCell.headlessEditControlWidth)
    #expect(
      content(view, 1)?.width
        == 320 - UITableViewCell.headlessEditControlWidth
        - UITableViewCell.headlessReorderControlWidth)
    view.setEditing(false, animated: false)
    rows.indents = false
    view.setEditing(true, animated: false)
    #expect(content(view, 0)?.width == 320)
  }

  @Test func aGroupedTableHasAGapWhereItsDelegateWantsNoHeader() {
    #expect(table(.plain).rectForHeader(inSection: 0).height == 0)
    #expect(table(.grouped).rectForHeader(inSection: 0).height > 0)
  }

  @Test func anotherWidthAsksForAllHeightsAgain() {
    let screen = TableScreen([3])
    #expect(screen.view.rectForRow(at: at(0, 1)).height == 20)
    screen.view.frame.size.width = 200
    #expect(screen.view.rectForRow(at: at(0, 1)).width == 200)
  }
}

/// Selection in editing mode, in both views.
@MainActor @Suite struct EditingModeTests {
  @Test func aTableSelectsWhatEditingModeAllows() {
    let screen = TableScreen([5])
    let view = screen.view
    view.headless.tap(rowAt: at(0, 0))
    view.setEditing(true, animated: false)
    #expect(view.indexPathsForSelectedRows == nil)
    view.headless.tap(rowAt: at(0, 1))
    #expect(view.indexPathsForSelectedRows == nil)
    view.allowsSelectionDuringEditing = true
    view.headless.tap(rowAt: at(0, 1))
    view.headless.tap(rowAt: at(0, 2))
    #expect(view.indexPathsForSelectedRows == [at(0, 2)])
    view.allowsMultipleSelectionDuringEditing = true
    view.headless.tap(rowAt: at(0, 3))
    #expect(view.indexPathsForSelectedRows == [at(0, 2), at(0, 3)])
    view.setEditing(false, animated: false)
    #expect(view.indexPathsForSelectedRows == nil)
  }

  @Test func aSwipeIsEditingModeForTheTableAndDeselectsNothing() {
    let screen = TableScreen([5])
    screen.view.headless.tap(rowAt: at(0, 0))
    #expect(screen.view.headless.beginSwipe(rowAt: at(0, 1)))
    #expect(screen.view.isEditing)
    #expect(screen.view.indexPathsForSelectedRows == [at(0, 0)])
    screen.view.headless.endSwipe()
    #expect(!screen.view.isEditing)
  }

  @Test func anOffsetThatIsNotAnimatedJumpsDuringAnUpdate() {
    let screen = TableScreen([30])
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 100))
    #expect(screen.view.headless.offsetJumps == 0)
    screen.view.performBatchUpdates {
      screen.shelf = Shelf([31])
      screen.view.insertRows(at: [at(0, 30)], with: .automatic)
    } completion: { _ in
    }
    UIView.animate(withDuration: 0.1, delay: 0) { screen.view.contentOffset.y = 110 }
    #expect(screen.view.headless.offsetJumps == 0)
    screen.view.contentOffset.y = 120
    #expect(screen.view.headless.offsetJumps == 1)
    screen.view.headless.finishAnimations()
    screen.view.contentOffset.y = 130
    #expect(screen.view.headless.offsetJumps == 1)
  }
}
