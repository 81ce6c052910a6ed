import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// Selection by identity, in and around editing mode.
@Suite @MainActor struct EditingModeTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private func screen(_ kind: ScreenKind) throws -> Screen {
    try bookcase.fill(6)
    let screen = try Screen(kind, showing: bookcase.shelf)
    screen.checkBooks()
    screen.layOut()
    screen.collection?.allowsMultipleSelectionDuringEditing = true
    screen.table?.allowsMultipleSelectionDuringEditing = true
    return screen
  }

  /// Changes the mode, and waits for the adapter to notice the end of it.
  ///
  /// It notices the beginning when it is next called, and looks for the end by itself: then it has
  /// another selection.
  private func setEditing(_ isEditing: Bool, _ screen: Screen) async throws {
    let before = screen.adapter.selection.items
    screen.collection?.isEditing = isEditing
    screen.table?.setEditing(isEditing, animated: true)
    screen.layOut()
    screen.finishAnimations()
    if !isEditing { try await screen.wait { screen.adapter.selection.items != before } }
  }

  private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

  @Test(.timeLimit, arguments: ScreenKind.allCases)
  func editingModeHasASelectionOfItsOwn(_ kind: ScreenKind) async throws {
    let screen = try screen(kind)
    screen.tap(path(1))
    try await setEditing(true, screen)
    screen.tap(path(2))
    screen.tap(path(4))
    #expect(screen.adapter.selection.items == ["b2", "b4"])
    #expect(screen.selectedPaths == [path(2), path(4)])
    // It is a selection of items, not of places.
    try await bookcase.shelf.edit { try $0.move("b2", to: .end) }
    try screen.settle()
    #expect(screen.selectedPaths == [path(3), path(5)])
    try await bookcase.shelf.edit { try $0.delete(["b4"]) }
    try screen.settle()
    #expect(screen.adapter.selection.items == ["b2"])
    #expect(screen.selectedPaths == [path(4)])
    // The selection from before comes back after it.
    try await setEditing(false, screen)
    #expect(screen.adapter.selection.items == ["b1"])
    #expect(screen.selectedPaths == [path(1)])
  }

  @Test(.timeLimit) func theSelectionOfEditingModeIsNotSaved() async throws {
    try bookcase.fill(6)
    let screen = try Screen(.table, showing: bookcase.shelf, named: "")
    screen.layOut()
    screen.table?.allowsMultipleSelectionDuringEditing = true
    screen.tap(path(1))
    try await setEditing(true, screen)
    screen.tap(path(2))
    try screen.adapter.saveViewState()
    let next = try Screen(.table, showing: bookcase.shelf, named: "")
    #expect(next.adapter.selection.items == ["b1"])
  }

  @Test func aSwipeKeepsTheSelection() async throws {
    let screen = try screen(.table)
    let adapter = try #require(screen.adapter as? TableAdapter)
    adapter.canDelete = { _ in true }
    screen.tap(path(1))
    screen.table?.headless.beginSwipe(rowAt: path(3))
    try await bookcase.shelf.edit { try $0.move("b1", to: .end) }
    try screen.settle()
    #expect(screen.selectedPaths == [path(5)])
    screen.table?.headless.endSwipe()
    #expect(adapter.selection.items == ["b1"])
  }
}

/// A table keeps the rows in sight in their places within the animation of an update.
@Suite @MainActor struct TableScrollTests {
  @Test func insertingAboveDoesNotMakeTheRowsJump() throws {
    let bookcase = try Bookcase()
    try bookcase.fill(60)
    let screen = try Screen(.table, showing: bookcase.shelf)
    screen.layOut()
    screen.scroll(to: 0.5)
    let table = try #require(screen.table)
    let first = try #require(screen.shown.first)
    let id = try ItemID(first)
    let before = try #require(screen.frame(of: id)).minY - table.contentOffset.y
    try bookcase.shelf.edit { list throws in
      try list.insert((0..<5).map { Book(id: "n\($0)") }, in: "a", at: .start)
    }
    screen.adapter.update()
    let after = try #require(screen.frame(of: id)).minY - table.contentOffset.y
    #expect(abs(before - after) < 0.001)
    #expect(table.headless.offsetJumps == 0)
    try screen.settle()
    #expect(screen.shown.contains(first))
  }
}

/// Traits change without a word to the app.
@Suite(.serialized) @MainActor struct TraitChangeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Traits that text and layout depend on.
  private static var changes: [UITraitCollection] {
    [
      UITraitCollection(legibilityWeight: .bold), UITraitCollection(displayScale: 2),
      UITraitCollection(horizontalSizeClass: .regular),
      UITraitCollection(layoutDirection: .rightToLeft),
      UITraitCollection(preferredContentSizeCategory: .extraLarge),
    ]
  }

  @Test(arguments: ScreenKind.allCases, [false, true])
  func eachChangeMeasuresAgainAndTheWayBackDoesNot(
    _ kind: ScreenKind, _ isContainers: Bool
  ) throws {
    let bookcase = try Bookcase()
    try bookcase.fill(4)
    let screen = try Screen(kind, showing: bookcase.shelf)
    let container = UIView(frame: screen.window.bounds)
    screen.window.addSubview(container)
    container.addSubview(screen.view)
    screen.layOut()
    let adapter = screen.adapter
    var count = 4
    #expect(adapter.measurementCount == count)
    for change in Self.changes {
      let old = screen.view.traitCollection
      let changed = isContainers ? container : screen.window
      changed.headlessChangeTraits(change)
      screen.layOut()
      screen.finishAnimations()
      screen.layOut()
      count += 4
      #expect(adapter.measurementCount == count, "\(change)")
      changed.headlessChangeTraits(old)
      screen.layOut()
      screen.finishAnimations()
      screen.layOut()
      #expect(adapter.measurementCount == count, "back from \(change)")
    }
  }
}
