import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import ScreenSupport
import TestSupport
import Testing

/// What the app selects and deselects itself stays so after the next update.
@MainActor @Suite struct AppSelectionTests {
  private let bookcase: Bookcase

  init() throws {
    bookcase = try Bookcase()
    try bookcase.fill(10)
  }

  private func insertAbove(_ screen: Screen) throws {
    try bookcase.shelf.edit { try $0.insert(Book(id: "new"), in: "a", at: .start) }
    try screen.settle()
  }

  @Test(arguments: ScreenKind.allCases)
  func whatAHandlerDeselectsStaysDeselected(_ kind: ScreenKind) throws {
    let screen = try Screen(kind, showing: bookcase.shelf, named: "main")
    screen.layOut()
    screen.adapter.handlers.on(.select, of: Book.self) { _, _ in
      screen.deselect(IndexPath(item: 1, section: 0))
    }
    screen.tap(IndexPath(item: 1, section: 0))
    #expect(screen.adapter.selection.items == [])
    try insertAbove(screen)
    #expect(screen.selectedPaths == [])
    try screen.adapter.saveViewState()
    #expect(try bookcase.shelf.viewState(view: "main").selection.items == [])
  }

  @Test(arguments: ScreenKind.allCases)
  func whatTheAppSelectsInTheViewStaysSelected(_ kind: ScreenKind) throws {
    let screen = try Screen(kind, showing: bookcase.shelf, named: "main")
    screen.layOut()
    screen.tap(IndexPath(item: 0, section: 0))
    screen.select(IndexPath(item: 2, section: 0))
    #expect(screen.adapter.selection.items == ["b2"])
    try insertAbove(screen)
    #expect(screen.selectedPaths == [IndexPath(item: 3, section: 0)])
    #expect(screen.adapter.selection.items == ["b2"])
    try screen.adapter.saveViewState()
    #expect(try bookcase.shelf.viewState(view: "main").selection.items == ["b2"])
  }

  @Test(arguments: ScreenKind.allCases)
  func itemsAreSelectedByTheirIDs(_ kind: ScreenKind) throws {
    let screen = try Screen(kind, showing: bookcase.shelf, named: "main")
    screen.layOut()
    var calls = 0
    screen.adapter.handlers.on(.select, of: Book.self) { _, _ in calls += 1 }
    screen.adapter.select("b4")
    #expect(screen.selectedPaths == [IndexPath(item: 4, section: 0)])
    screen.adapter.select("b5")
    #expect(screen.selectedPaths == [IndexPath(item: 5, section: 0)])
    screen.adapter.select("nobody")
    #expect(screen.adapter.selection.items == ["b5"])
    try insertAbove(screen)
    #expect(screen.selectedPaths == [IndexPath(item: 6, section: 0)])
    screen.adapter.deselect("b5")
    #expect(screen.selectedPaths == [])
    #expect(calls == 0)
  }

  @Test(arguments: ScreenKind.allCases)
  func itemsOfHiddenSectionsStaySelected(_ kind: ScreenKind) throws {
    let screen = try Screen(kind, showing: bookcase.shelf, named: "main")
    screen.layOut()
    screen.adapter.select("b4")
    try bookcase.shelf.edit { try $0.updateSection("a") { $0.visibility = .hidden } }
    try screen.settle()
    #expect(screen.adapter.selection.items == ["b4"])
    try bookcase.shelf.edit { try $0.updateSection("a") { $0.visibility = .shown } }
    try screen.settle()
    #expect(screen.selectedPaths == [IndexPath(item: 4, section: 0)])
  }
}
