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

/// A list that opens at its end and stays there, and scrolling to items that were never measured.
@MainActor @Suite struct ChatScreenTests {
  private let bookcase: Bookcase
  private var shelf: LiveList { bookcase.shelf }

  init() throws {
    bookcase = try Bookcase()
    try shelf.edit { list throws in
      try list.insertSection("a", SectionAttributes(layout: SectionLayout(kind: .list)))
      // Of many heights, so that means are wrong nearly everywhere.
      try list.insert((0..<200).map { Book(id: "b\($0)", likes: $0 * $0 % 7) }, in: "a")
    }
  }

  private func chat(_ kind: ScreenKind, size: CGSize? = nil, named name: String? = nil) throws
    -> Screen
  {
    let screen = try Screen(kind, showing: shelf, named: name, size: size)
    screen.adapter.sticksToEnd = true
    return screen
  }

  /// How far below the upper edge of the view an item is.
  private func place(_ item: String, on screen: Screen) throws -> CGFloat {
    try #require(screen.frame(of: ItemID(stringLiteral: item))).minY - screen.view.contentOffset.y
  }

  private func expectEnd(
    _ screen: Screen, _ last: String, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(screen.shown.contains(last), sourceLocation: location)
    let bottom = screen.view.bounds.maxY - screen.view.contentInset.bottom
    #expect(abs(screen.view.contentSize.height - bottom) < 1, sourceLocation: location)
  }

  @Test(arguments: ScreenKind.allCases, [CGSize.zero, CGSize(width: 320, height: 480)])
  func itOpensAtItsEnd(_ kind: ScreenKind, _ size: CGSize) throws {
    let screen = try chat(kind, size: size)
    if size == .zero { screen.layOut() }
    screen.view.frame.size = CGSize(width: 320, height: 480)
    screen.layOut()
    expectEnd(screen, "b199")
    #expect(screen.cells.displayed <= screen.shown.count + 4)
    if kind != .flow { #expect(screen.adapter.measurementCount <= screen.shown.count + 6) }
  }

  @Test(arguments: ScreenKind.allCases)
  func itStaysThere(_ kind: ScreenKind) throws {
    let screen = try chat(kind)
    screen.layOut()
    try shelf.edit { try $0.insert(Book(id: "new", likes: 6), in: "a") }
    try screen.settle()
    expectEnd(screen, "new")
    try shelf.edit { try $0.update("new", as: Book.self) { $0.likes = 1 } }
    try screen.settle()
    expectEnd(screen, "new")
    try shelf.edit { try $0.insert((0..<30).map { Book(id: "c\($0)", likes: $0 % 7) }, in: "a") }
    try screen.settle()
    expectEnd(screen, "c29")
    // A keyboard comes, in either way that apps make room for it.
    screen.view.contentInset.bottom = 200
    screen.layOut()
    expectEnd(screen, "c29")
    screen.view.contentInset.bottom = 0
    screen.view.frame.size.height = 280
    screen.layOut()
    expectEnd(screen, "c29")
    screen.view.frame.size = CGSize(width: 480, height: 320)
    screen.layOut()
    expectEnd(screen, "c29")
  }

  @Test(arguments: ScreenKind.allCases)
  func whoHasScrolledAwayIsLeftAlone(_ kind: ScreenKind) throws {
    let screen = try chat(kind)
    screen.layOut()
    screen.scroll(to: 0.5)
    let first = try #require(screen.shown.first)
    let place = try place(first, on: screen)
    try shelf.edit { try $0.insert(Book(id: "new"), in: "a") }
    try screen.settle()
    #expect(abs(try self.place(first, on: screen) - place) < 0.01)
    screen.scroll(to: 1)
    try shelf.edit { try $0.insert(Book(id: "newer"), in: "a") }
    try screen.settle()
    expectEnd(screen, "newer")
  }

  /// What comes into sight above is longer than was assumed, and moves the view by more than somebody has
  /// scrolled.
  @Test(arguments: ScreenKind.allCases, [30.0, 100, 400])
  func whoScrollsBackToLongItemsIsLeftAlone(_ kind: ScreenKind, _ distance: CGFloat) throws {
    try shelf.edit {
      try $0.insert((0..<40).map { Book(id: "long\($0)", likes: 40) }, in: "a")
      try $0.insert((0..<12).map { Book(id: "short\($0)", likes: 0) }, in: "a")
    }
    let screen = try chat(kind)
    screen.layOut()
    screen.view.headlessBeginDragging()
    screen.view.headlessDrag(to: CGPoint(x: 0, y: screen.view.contentOffset.y - distance))
    let first = try #require(screen.shown.first)
    let place = try place(first, on: screen)
    try shelf.edit { try $0.insert(Book(id: "new"), in: "a") }
    try screen.settle()
    #expect(abs(try self.place(first, on: screen) - place) < 0.01)
  }

  /// What a fling brings into sight is measured then, and longer than was assumed.
  @Test(arguments: ScreenKind.allCases)
  func aFlingToTheEndEndsThere(_ kind: ScreenKind) throws {
    let screen = try chat(kind)
    screen.layOut()
    screen.scroll(to: 0.5)
    try shelf.edit {
      try $0.insert((0..<30).map { Book(id: "tall\($0)", likes: 6) }, in: "a")
    }
    try screen.settle()
    screen.view.headlessBeginDragging()
    screen.view.headlessEndDragging(decelerating: true)
    let end = screen.view.contentSize.height - screen.view.bounds.height
    screen.view.headlessDrag(to: CGPoint(x: 0, y: end))
    screen.view.headlessEndDecelerating()
    screen.layOut()
    expectEnd(screen, "tall29")
  }

  @Test(arguments: ScreenKind.allCases, [0.0, 1, 30])
  func aPageThatIsPutAboveMovesNothing(_ kind: ScreenKind, _ offset: CGFloat) throws {
    let screen = try chat(kind)
    screen.layOut()
    screen.view.headlessDrag(to: CGPoint(x: 0, y: offset))
    let first = try #require(screen.shown.first)
    let place = try place(first, on: screen)
    for page in 0..<3 {
      try shelf.edit {
        try $0.insert(
          (0..<21).map { Book(id: "p\(page).\($0)", likes: $0 % 5) }, in: "a", at: .start)
      }
      try screen.settle()
      #expect(abs(try self.place(first, on: screen) - place) < 0.01)
    }
  }

  @Test(arguments: ScreenKind.allCases)
  func itOpensAtItsEndAgainUnlessItWasLeftElsewhere(_ kind: ScreenKind) throws {
    let screen = try chat(kind, named: "chat")
    screen.layOut()
    try screen.adapter.saveViewState()
    try shelf.edit { try $0.insert(Book(id: "new"), in: "a") }
    let again = try chat(kind, named: "chat")
    again.layOut()
    expectEnd(again, "new")
    again.scroll(to: 0.4)
    let first = try #require(again.shown.first)
    try again.adapter.saveViewState()
    let third = try chat(kind, size: .zero, named: "chat")
    third.view.frame.size = CGSize(width: 320, height: 480)
    third.layOut()
    #expect(third.shown.first == first)
    // It is not at its end, so nothing takes it there.
    try shelf.edit { try $0.insert(Book(id: "newer"), in: "a") }
    try third.settle()
    #expect(third.shown.first == first)
  }

  // MARK: Scrolling to items

  @Test(arguments: ScreenKind.allCases, [false, true])
  func scrollingArrives(_ kind: ScreenKind, _ animated: Bool) throws {
    let screen = try Screen(kind, showing: shelf)
    screen.layOut()
    let targets: [(String, ListAdapter.ScrollPosition)] = [
      ("b150", .start), ("b20", .end), ("b120", .center), ("b199", .start), ("b0", .center),
    ]
    for (item, position) in targets {
      screen.adapter.scroll(to: ItemID(stringLiteral: item), at: position, animated: animated)
      screen.layOut()
      let frame = try #require(screen.frame(of: ItemID(stringLiteral: item)))
      let bounds = screen.view.bounds
      switch (item, position) {
      case ("b199", _): #expect(abs(bounds.maxY - screen.view.contentSize.height) < 0.5)
      case ("b0", _): #expect(bounds.minY == 0)
      case (_, .start): #expect(abs(frame.minY - bounds.minY) < 0.5)
      case (_, .end): #expect(abs(frame.maxY - bounds.maxY) < 0.5)
      default: #expect(abs(frame.midY - bounds.midY) < 0.5)
      }
    }
    let offset = screen.view.contentOffset
    screen.adapter.scroll(to: "b2")
    #expect(screen.view.contentOffset == offset)
    screen.adapter.scroll(to: "b40")
    let frame = try #require(screen.frame(of: "b40"))
    #expect(abs(frame.maxY - screen.view.bounds.maxY) < 0.5)
    screen.adapter.scrollToEnd(animated: animated)
    screen.layOut()
    expectEnd(screen, "b199")
    #expect(screen.view.bounds.maxY <= screen.view.contentSize.height + 0.5)
  }

  /// Where estimates are too long, the end of the content comes nearer while one scrolls to it.
  @Test(arguments: [ScreenKind.flow, .placed])
  func theEndIsNeverPassed(_ kind: ScreenKind) throws {
    let screen = try Screen(kind, showing: shelf)
    screen.adapter.estimatedLength = 300
    screen.layOut()
    for _ in 0..<30 {
      screen.view.contentOffset.y = screen.view.contentSize.height - screen.view.bounds.height
      screen.layOut()
      #expect(screen.view.bounds.maxY <= screen.view.contentSize.height + 0.5)
      #expect(!screen.shown.isEmpty)
    }
    expectEnd(screen, "b199")
  }
}
