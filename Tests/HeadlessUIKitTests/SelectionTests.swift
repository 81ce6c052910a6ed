import Foundation
import HeadlessUIKit
import Testing

/// What a touch does, in UIKit's order: highlighting first, selection always last.
@MainActor @Suite struct SelectionTests {
  private func screen(multiple: Bool = false) -> ShelfScreen {
    let screen = ShelfScreen([5])
    screen.view.allowsMultipleSelection = multiple
    screen.events = []
    return screen
  }

  @Test func aTapHighlightsThenSelects() {
    let screen = screen()
    screen.view.headless.touchDown(itemAt: at(0, 1))
    #expect(screen.events == ["shouldHighlight 0,1", "didHighlight 0,1"])
    #expect(screen.cell(at(0, 1))?.isHighlighted == true)
    #expect(screen.cell(at(0, 1))?.isSelected == false)
    screen.events = []
    screen.view.headless.touchUp()
    #expect(screen.events == ["shouldSelect 0,1", "didUnhighlight 0,1", "didSelect 0,1"])
    #expect(screen.cell(at(0, 1))?.isHighlighted == false)
    #expect(screen.cell(at(0, 1))?.isSelected == true)
    #expect(screen.view.indexPathsForSelectedItems == [at(0, 1)])
  }

  @Test func anotherTapReplacesTheSelection() {
    let screen = screen()
    screen.view.headless.tap(itemAt: at(0, 1))
    screen.events = []
    screen.view.headless.tap(itemAt: at(0, 2))
    #expect(
      screen.events == [
        "shouldHighlight 0,2", "didHighlight 0,2", "shouldSelect 0,2", "didUnhighlight 0,2",
        "didDeselect 0,1", "didSelect 0,2",
      ])
    #expect(screen.view.indexPathsForSelectedItems == [at(0, 2)])
    #expect(screen.cell(at(0, 1))?.isSelected == false)
  }

  @Test func whereSeveralMayBeSelectedASecondTapDeselects() {
    let screen = screen(multiple: true)
    screen.view.headless.tap(itemAt: at(0, 1))
    screen.view.headless.tap(itemAt: at(0, 3))
    #expect(screen.view.indexPathsForSelectedItems == [at(0, 1), at(0, 3)])
    screen.events = []
    screen.view.headless.tap(itemAt: at(0, 1))
    #expect(
      screen.events == [
        "shouldHighlight 0,1", "didHighlight 0,1", "shouldDeselect 0,1", "didUnhighlight 0,1",
        "didDeselect 0,1",
      ])
    #expect(screen.view.indexPathsForSelectedItems == [at(0, 3)])
    screen.refusals = ["shouldDeselect"]
    screen.view.headless.tap(itemAt: at(0, 3))
    #expect(screen.view.indexPathsForSelectedItems == [at(0, 3)])
  }

  @Test func theDelegateMayRefuse() {
    let screen = screen()
    screen.refusals = ["shouldHighlight"]
    screen.view.headless.tap(itemAt: at(0, 1))
    #expect(screen.events == ["shouldHighlight 0,1"])
    screen.refusals = ["shouldSelect"]
    screen.events = []
    screen.view.headless.tap(itemAt: at(0, 1))
    #expect(screen.events.last == "didUnhighlight 0,1")
    screen.events = []
    screen.view.headless.touchDown(itemAt: at(0, 1))
    screen.view.headless.touchCancel()
    #expect(screen.events == ["shouldHighlight 0,1", "didHighlight 0,1", "didUnhighlight 0,1"])
    screen.view.allowsSelection = false
    screen.events = []
    screen.view.headless.tap(itemAt: at(0, 1))
    #expect(screen.events.isEmpty)
    #expect(screen.view.indexPathsForSelectedItems == [])
  }

  @Test func selectionFollowsItsItemAndSurvivesScrolling() {
    let screen = ShelfScreen([30])
    screen.view.selectItem(at: at(0, 1), animated: false, scrollPosition: [])
    screen.view.performBatchUpdates {
      screen.shelf.sections[0].books.remove(at: 0)
      screen.view.deleteItems(at: [at(0, 0)])
    }
    #expect(screen.view.indexPathsForSelectedItems == [at(0, 0)])
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 400))
    #expect(screen.view.visibleCells.map(\.isSelected) == Array(repeating: false, count: 5))
    screen.view.headless.scroll(to: .zero)
    #expect(screen.cell(at(0, 0))?.isSelected == true)
    screen.view.reconfigureItems(at: [at(0, 0)])
    #expect(screen.view.indexPathsForSelectedItems == [at(0, 0)])
    screen.view.reloadItems(at: [at(0, 0)])
    #expect(screen.view.indexPathsForSelectedItems == [])
    screen.view.selectItem(at: at(0, 3), animated: false, scrollPosition: [])
    screen.view.reloadData()
    #expect(screen.view.indexPathsForSelectedItems == [])
  }

  @Test func aLongPressOpensTheMenu() throws {
    let screen = screen()
    #expect(screen.view.headless.press(itemsAt: [at(0, 1)]) == nil)
    var chosen = 0
    screen.menuActions = [
      UIAction(title: "Like") { _ in chosen += 1 },
      UIAction(title: "Sold", attributes: .disabled) { _ in chosen += 10 },
    ]
    let menu = try #require(screen.view.headless.press(itemsAt: [at(0, 1)]))
    #expect(menu.children.map(\.title) == ["Like", "Sold"])
    let chose = menu.children.compactMap { ($0 as? UIAction)?.headlessChoose() }
    #expect(chose == [true, false])
    #expect(chosen == 1)
  }
}
