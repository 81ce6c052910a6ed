import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// What happens while an update or a drop is still under way.
@Suite @MainActor struct WaitingWorkTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private func path(_ item: Int, _ section: Int = 0) -> IndexPath {
    IndexPath(item: item, section: section)
  }

  private func drag(_ screen: Screen, _ source: IndexPath, to target: IndexPath) {
    screen.collection?.headless.dragItem(at: source, to: target)
    screen.table?.headless.dragRow(at: source, to: target)
  }

  /// The first drop hides a section, which the view gets by a reload after the drop.
  @Test(.timeLimit, arguments: ScreenKind.allCases)
  func anItemIsDroppedWhileAnEarlierDropIsNotLoaded(_ kind: ScreenKind) async throws {
    try bookcase.fill(1)
    try await bookcase.shelf.edit { list throws in
      try list.updateSection("a") { $0.visibility = .hiddenWhenEmpty }
      try list.insertSection("b")
      try list.insert(["x", "y", "z"].map { Book(id: $0) }, in: "b")
    }
    let screen = try Screen(kind, showing: bookcase.shelf)
    screen.adapter.canMove = { _ in true }
    screen.table?.setEditing(true, animated: false)
    screen.checkBooks()
    screen.layOut()
    let raised = HeadlessException.raised {
      drag(screen, path(0), to: path(0, 1))
      screen.layOut()
      drag(screen, path(3, 1), to: path(1, 1))
      screen.layOut()
      screen.finishAnimations()
    }
    #expect(raised.map(\.description) == [])
    try await screen.wait { screen.visiblePaths.allSatisfy { $0.section == 0 } }
    #expect(screen.shown == ["b0", "z", "x", "y"])
    #expect(try bookcase.repository.tree(of: "shelf").sections[1].items.count == 4)
    try screen.settle()
    screen.expectBalance()
  }

  /// An item that is longer where text is larger.
  private struct Scaled: ListItem {
    var id: String
    static var cells: [CellName: ViewSource] { ["BookCell": .type(BookCell.self)] }
    var cellName: CellName { "BookCell" }
    func configure(_ cell: any BookView) { cell.book = Book(id: id) }
    func size(fitting room: Item.Room) -> Size? {
      Size(
        width: room.length, height: room.environment.contentSizeCategory.hasSuffix("XL") ? 70 : 40)
    }
  }

  @Test(arguments: ScreenKind.allCases)
  func settingsThatChangeDuringAnUpdateLeaveWhatIsInSightWhereItIs(_ kind: ScreenKind) throws {
    let list = bookcase.repository.liveList("shelf", items: [Scaled.self])
    try list.edit { list throws in
      try list.insertSection("a", SectionAttributes(layout: SectionLayout(kind: .list)))
      try list.insert((0..<60).map { Scaled(id: "b\($0)") }, in: "a")
    }
    let screen = try Screen(kind, showing: list)
    screen.layOut()
    screen.scroll(to: 0.5)
    try list.edit { try $0.insert(Scaled(id: "new"), in: "a", at: .start) }
    screen.adapter.update()
    screen.window.headlessChangeTraits(
      UITraitCollection(preferredContentSizeCategory: .extraLarge))
    screen.layOut()
    let first = try #require(screen.visiblePaths.min().flatMap { screen.adapter.itemID(at: $0) })
    func place() throws -> CGFloat {
      try #require(screen.frame(of: first)).minY - screen.view.contentOffset.y
    }
    let before = try place()
    screen.finishAnimations()
    screen.layOut()
    #expect(abs(try place() - before) < 0.5)
    #expect(screen.frame(of: first)?.height == 70)
  }

  @Test(arguments: ScreenKind.allCases)
  func settingsAndCommitsThatWaitTogetherLeaveWhatIsInSightWhereItIs(_ kind: ScreenKind) throws {
    let list = bookcase.repository.liveList("shelf", items: [Scaled.self])
    try list.edit { list throws in
      try list.insertSection("a", SectionAttributes(layout: SectionLayout(kind: .list)))
      try list.insert((0..<30).map { Scaled(id: "b\($0)") }, in: "a")
    }
    let screen = try Screen(kind, showing: list)
    screen.window.headlessChangeTraits(
      UITraitCollection(preferredContentSizeCategory: .extraLarge))
    screen.layOut()
    screen.scroll(to: 1)
    let first = try #require(screen.visiblePaths.min().flatMap { screen.adapter.itemID(at: $0) })
    func place() throws -> CGFloat {
      try #require(screen.frame(of: first)).minY - screen.view.contentOffset.y
    }
    let before = try place()
    screen.adapter.holdsUpdates = true
    // With smaller text there is too little content below the item, until the commit comes.
    screen.window.headlessChangeTraits(UITraitCollection(preferredContentSizeCategory: .large))
    try list.edit { list throws in
      try list.insert((30..<60).map { Scaled(id: "b\($0)") }, in: "a")
    }
    screen.adapter.update()
    screen.adapter.holdsUpdates = false
    #expect(screen.adapter.provider.numberOfItems == 60)
    #expect(screen.frame(of: first)?.height == 40)
    #expect(abs(try place() - before) < 0.5)
    screen.finishAnimations()
    screen.layOut()
    #expect(abs(try place() - before) < 0.5)
  }

  /// Editing mode makes rows narrower, which the adapter of a table notices with the tap.
  @Test(arguments: ScreenKind.allCases)
  func aTapInNewEditingModeSelectsItsItemWhileACommitWaits(_ kind: ScreenKind) throws {
    try bookcase.fill(5)
    let screen = try Screen(kind, showing: bookcase.shelf)
    screen.collection?.allowsMultipleSelectionDuringEditing = true
    screen.table?.allowsMultipleSelectionDuringEditing = true
    screen.layOut()
    screen.collection?.headless.beginDragSession()
    screen.table?.headless.beginDragSession()
    try bookcase.shelf.edit { try $0.insert(Book(id: "new"), in: "a", at: .start) }
    screen.adapter.update()
    screen.collection?.headless.endDragSession()
    screen.table?.headless.endDragSession()
    screen.collection?.isEditing = true
    screen.table?.setEditing(true, animated: false)
    screen.tap(path(1))
    #expect(screen.adapter.selection.items == ["b1"])
    #expect(screen.selectedPaths.map { screen.adapter.itemID(at: $0) } == ["b1"])
    try screen.settle()
    #expect(screen.adapter.provider.numberOfItems == 6)
    #expect(screen.selectedPaths.map { screen.adapter.itemID(at: $0) } == ["b1"])
  }
}
