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

/// What a user does in a view goes the way that the list's edits go, or the app's.
@Suite(.timeLimit) @MainActor struct UserEditTests {
  private let bookcase: Bookcase
  private var list: LiveList

  init() throws {
    bookcase = try Bookcase()
    try bookcase.fill(5)
    list = bookcase.shelf
  }

  private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

  private func swipe(_ item: Int, on screen: Screen) throws {
    let table = try #require(screen.table)
    (screen.adapter as? TableAdapter)?.canDelete = { _ in true }
    table.dataSource?.tableView(table, commit: .delete, forRowAt: path(item))
    try screen.settle()
  }

  @discardableResult private func drop(_ item: Int, at place: Int, on screen: Screen) throws -> Bool
  {
    screen.adapter.canMove = { _ in true }
    screen.table?.isEditing = true
    defer { try? screen.settle() }
    return screen.collection?.headless.dragItem(at: path(item), to: path(place))
      ?? screen.table?.headless.dragRow(at: path(item), to: path(place)) ?? false
  }

  private var items: [ItemID] {
    get throws { try list.repository.tree(of: "shelf").sections.flatMap { $0.items.map(\.id) } }
  }

  @Test mutating func aSwipeEntersTheOutbox() throws {
    list.sendsEdits = true
    let screen = try Screen(.table, showing: list)
    screen.layOut()
    try swipe(1, on: screen)
    #expect(screen.shown == ["b0", "b2", "b3", "b4"])
    let edits = try list.pendingEdits()
    #expect(edits.map(\.changes.count) == [1])
    try list.undo()
    try screen.settle()
    #expect(screen.shown == ["b0", "b1", "b2", "b3", "b4"])
    #expect(try list.pendingEdits().count == 2)
  }

  @Test(arguments: ScreenKind.allCases) mutating func aDropEntersTheOutbox(_ kind: ScreenKind)
    throws
  {
    list.sendsEdits = true
    let screen = try Screen(kind, showing: list)
    screen.layOut()
    #expect(try drop(0, at: 2, on: screen))
    #expect(try items == ["b1", "b2", "b0", "b3", "b4"])
    #expect(try list.pendingEdits().count == 1)
  }

  /// Another commit has deleted it, or where it goes, and the view does not show that yet.
  @Test(arguments: ScreenKind.allCases, [true, false])
  func aDropOfWhatIsGoneIsNothing(_ kind: ScreenKind, isItem: Bool) async throws {
    let screen = try dropOfWhatIsGone(kind, isItem: isItem)
    let rest: [ItemID] = isItem ? ["b0", "b2", "b3", "b4", "x"] : ["b0", "b1", "b2", "b3", "b4"]
    // The drop ends first.
    try await screen.wait { screen.shown == rest.map(\.rawValue) }
    #expect(try items == rest)
    screen.expectBalance()
  }

  /// The main thread does not get to show the commit before the drop.
  private func dropOfWhatIsGone(_ kind: ScreenKind, isItem: Bool) throws -> Screen {
    try list.edit { try $0.insertSection("b") }
    try list.edit { try $0.insert([Book(id: "x")], in: "b") }
    let screen = try Screen(kind, showing: list)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    try list.edit { list throws in
      if isItem { try list.delete("b1") } else { try list.deleteSection("b") }
    }
    screen.adapter.canMove = { _ in true }
    screen.table?.isEditing = true
    let target = IndexPath(item: 0, section: 1)
    screen.collection?.headless.dragItem(at: path(1), to: target)
    screen.table?.headless.dragRow(at: path(1), to: target)
    return screen
  }

  @Test func aSwipeOfWhatIsGoneIsNothing() throws {
    let screen = try Screen(.table, showing: list)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    try list.edit { try $0.delete("b1") }
    try swipe(1, on: screen)
    #expect(screen.shown == ["b0", "b2", "b3", "b4"])
    #expect(try items == ["b0", "b2", "b3", "b4"])
  }

  @Test func withoutAServerNothingWaits() throws {
    let screen = try Screen(.table, showing: list)
    screen.layOut()
    try swipe(1, on: screen)
    try drop(0, at: 2, on: screen)
    #expect(try list.pendingEdits().isEmpty)
  }

  @Test func theAppCanDecideWhatASwipeDoes() throws {
    let screen = try Screen(.table, showing: list)
    screen.layOut()
    var deleted: [ItemID] = []
    let list = list
    (screen.adapter as? TableAdapter)?.onDelete = { item in
      deleted.append(item)
      try list.edit { try $0.move(item, to: .end) }
    }
    try swipe(1, on: screen)
    #expect(deleted == ["b1"])
    #expect(screen.shown == ["b0", "b2", "b3", "b4", "b1"])
  }

  private struct Refused: Error {}

  @Test(arguments: ScreenKind.allCases) func theAppCanDecideWhatADropDoes(_ kind: ScreenKind)
    async throws
  {
    let screen = try Screen(kind, showing: list)
    screen.layOut()
    var problems: [any Error] = []
    screen.adapter.onProblem = { problems.append($0) }
    var drops: [(ItemID, SectionID, Place<ItemID>)] = []
    let list = list
    screen.adapter.onMove = { item, section, place in
      drops.append((item, section, place))
      if item == "b4" { throw Refused() }
      _ = try list.commit([.moveItem(item, in: section, to: place)])
    }
    try drop(0, at: 2, on: screen)
    #expect(screen.shown == ["b1", "b2", "b0", "b3", "b4"])
    #expect(drops.map(\.2) == [.after("b2")])
    // What is refused goes back.
    try drop(4, at: 0, on: screen)
    #expect(drops.map(\.2) == [.after("b2"), .start])
    try await screen.wait { screen.shown == ["b1", "b2", "b0", "b3", "b4"] }
    #expect(problems.contains { $0 is Refused })
  }
}
