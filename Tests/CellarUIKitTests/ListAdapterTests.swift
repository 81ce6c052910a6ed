import BatchUpdates
import CellarUIKit
import Foundation
import HeadlessUIKit
import ListModel
import ListStore
import ListSync
import ListItems
import Providers
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// What collection and table views do alike.
@Suite @MainActor struct ListAdapterTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private var shelf: LiveList { bookcase.shelf }

  private func screen(_ kind: ScreenKind, _ count: Int) throws -> Screen {
    try bookcase.fill(count, layout: SectionLayout(kind: .list))
    let screen = try Screen(kind, showing: shelf)
    screen.checkBooks()
    screen.layOut()
    return screen
  }

  @Test(arguments: ScreenKind.allCases) func aListIsShownAndFollowed(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 3)
    #expect(screen.shown == ["b0", "b1", "b2"])
    try shelf.edit { list throws in
      try list.delete("b1")
      try list.insert(Book(id: "new"), in: "a", at: .start)
      try list.update("b2", as: Book.self) { $0.likes += 1 }
    }
    try screen.settle()
    #expect(screen.shown == ["new", "b0", "b2"])
    // A like is shown in the cell that is there, which is higher now; a new item needs the only new
    // cell.
    #expect(screen.cell(of: "b2")?.book?.likes == 1)
    #expect(screen.frame(of: "b2")?.height == 49)
    #expect(screen.cells.reconfigured == 1)
    #expect(screen.cells.created == 4)
    screen.expectBalance()
  }

  @Test(.timeLimit, arguments: ScreenKind.allCases)
  func commitsComeByThemselves(_ kind: ScreenKind) async throws {
    let screen = try screen(kind, 2)
    try await shelf.edit { try $0.insert(Book(id: "new"), in: "a") }
    while screen.adapter.provider.numberOfItems < 3 {
      try await Task.sleep(nanoseconds: 500_000)
    }
    screen.layOut()
    #expect(screen.shown == ["b0", "b1", "new"])
  }

  @Test(arguments: ScreenKind.allCases)
  func aViewWithoutAWindowLoadsItAnew(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 2)
    screen.view.removeFromSuperview()
    try shelf.edit { try $0.insert(Book(id: "new"), in: "a", at: .start) }
    screen.adapter.update()
    screen.window.addSubview(screen.view)
    screen.layOut()
    #expect(screen.shown == ["new", "b0", "b1"])
    screen.expectBalance()
  }

  @Test(arguments: ScreenKind.allCases)
  func whatIsCommittedDuringAnUpdateComesAfterIt(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 3)
    try shelf.edit { try $0.delete("b0") }
    screen.adapter.update()
    // The animation is not over.
    try shelf.edit { try $0.insert(Book(id: "new"), in: "a") }
    screen.adapter.update()
    #expect(screen.adapter.provider.numberOfItems == 2)
    screen.finishAnimations()
    screen.layOut()
    #expect(screen.adapter.provider.numberOfItems == 3)
    #expect(screen.shown == ["b1", "b2", "new"])
  }

  @Test(.timeLimit, arguments: ScreenKind.allCases)
  func nothingMovesWhileSomethingIsDragged(_ kind: ScreenKind) async throws {
    let screen = try screen(kind, 3)
    screen.collection?.headless.beginDragSession()
    screen.table?.headless.beginDragSession()
    let raised = HeadlessException.raised {
      _ = try? shelf.edit { try $0.delete("b0") }
      screen.adapter.update()
      screen.adapter.setNeedsLayout(of: "b1")
      screen.layOut()
    }
    #expect(raised.isEmpty)
    #expect(screen.shown == ["b0", "b1", "b2"])
    screen.collection?.headless.endDragSession()
    screen.table?.headless.endDragSession()
    // It is noticed without anybody saying so.
    while screen.adapter.provider.numberOfItems == 3 {
      try await Task.sleep(nanoseconds: 500_000)
    }
    try screen.settle()
    #expect(screen.shown == ["b1", "b2"])
  }

  @Test(arguments: ScreenKind.allCases) func updatesCanBeHeld(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 2)
    screen.adapter.holdsUpdates = true
    try shelf.edit { try $0.delete("b0") }
    screen.adapter.update()
    #expect(screen.adapter.provider.numberOfItems == 2)
    screen.adapter.holdsUpdates = false
    screen.layOut()
    #expect(screen.shown == ["b1"])
  }

  @Test(arguments: ScreenKind.allCases)
  func anUnknownCellIsThePlaceholderAndReportedOnce(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 1)
    var problems: [String] = []
    screen.adapter.onProblem = { problems.append("\($0)") }
    screen.check { _ in nil }
    // By somebody who knows more types than the screen.
    try shelf.repository.liveList(shelf.id).edit { list throws in
      for id in ["x", "y"] as [ItemID] {
        try list.insert(Item(id: id, cell: "Gone", content: "{}", type: "Film"), in: "a")
      }
      try list.updateSection("a") { $0.header = .init(view: "Away", content: "{}") }
    }
    try screen.settle()
    #expect(screen.visiblePaths.count == 3)
    #expect(problems.count == 2)
    #expect(problems.contains { $0.contains("no cell is registered as \"Gone\"") })
    #expect(
      problems.contains { $0.contains("no view of kind \"header\" is registered as \"Away\"") })
    screen.expectBalance()
  }

  @Test(arguments: ScreenKind.allCases)
  func whatCanNotBeDecodedIsReportedAndTheRestIsShown(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 1)
    var problems: [String] = []
    screen.adapter.onProblem = { problems.append("\($0)") }
    screen.check { _ in nil }
    try shelf.edit { list throws in
      try list.insert(
        Item(id: "x", cell: "BookCell", content: "{\"likes\":\"many\"}", type: "Book"), in: "a")
    }
    try screen.settle()
    #expect(screen.visiblePaths.count == 2)
    #expect(screen.shown == ["b0"])
    #expect(problems.contains { $0.contains("item \"x\"") && $0.contains("Book") })
  }

  @Test(arguments: ScreenKind.allCases)
  func theAppLearnsOfEachUpdateAfterItsAnimations(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 3)
    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    try shelf.edit { list in _ = try list.delete("b0") }
    screen.adapter.update()
    #expect(updates.isEmpty)
    screen.finishAnimations()
    #expect(updates.map(\.to) == [screen.adapter.provider.revision])
    #expect(updates.first?.stages.flatMap(\.deleteItems) == [ItemPath(section: 0, item: 0)])
    // Nothing visible: meta is the app's own.
    try shelf.edit { list in _ = try list.updateSection("a") { $0.meta = .null } }
    try screen.settle()
    #expect(updates.count == 1)
    screen.view.removeFromSuperview()
    try shelf.edit { list in _ = try list.delete("b1") }
    screen.adapter.update()
    #expect(updates.count == 2, "a reload, because the view is on no screen")
  }

  /// A reused cell of its own class would still show the item that it showed before.
  @Test(arguments: ScreenKind.allCases)
  func whatCanNotBeDecodedIsTheFallbackAndNeverAnotherItem(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 60)
    var problems = 0
    screen.adapter.onProblem = { _ in problems += 1 }
    screen.check { _ in nil }
    func setContent(_ content: JSON, of item: ItemID) throws {
      try shelf.edit { list throws in
        try list.apply(.updateItem(item, ItemUpdate(content: .set(content))))
      }
      try screen.settle()
    }
    let first = IndexPath(item: 0, section: 0)
    #expect(screen.cell(at: first) is any BookView)
    // On display: the cell shows the content from before, so it is replaced.
    try setContent("{\"likes\":\"many\"}", of: "b0")
    #expect(screen.cell(at: first) != nil)
    #expect(!(screen.cell(at: first) is any BookView))
    #expect(screen.shown.first == "b1")
    #expect(problems > 0)
    // And back.
    try setContent(JSON(encoding: Book(id: "b0", likes: 2)), of: "b0")
    #expect(screen.cell(of: "b0")?.book?.likes == 2)
    // Out of sight: its place gets a cell when it comes into sight.
    try setContent("{\"likes\":\"many\"}", of: "b59")
    screen.scroll(to: 1)
    #expect(screen.shown.last == "b58")
    #expect(screen.cell(at: IndexPath(item: 59, section: 0)) != nil)
    screen.expectBalance()
  }

  @Test(arguments: ScreenKind.allCases)
  func aHeaderThatCanNotBeDecodedIsTheFallback(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 2)
    var problems = 0
    screen.adapter.onProblem = { _ in problems += 1 }
    func setHeader(_ content: JSON) throws {
      try shelf.edit { list throws in
        try list.updateSection("a") {
          $0.header = Supplementary(view: "ShelfHeader", content: content)
        }
      }
      try screen.settle()
    }
    try setHeader(JSON(encoding: ShelfHeader(title: "One")))
    #expect(screen.header(inSection: 0)?.title == "One")
    try setHeader("{\"title\":1}")
    #expect(screen.header(inSection: 0) == nil)
    #expect(problems > 0)
    try setHeader(JSON(encoding: ShelfHeader(title: "Two")))
    #expect(screen.header(inSection: 0)?.title == "Two")
  }

  /// A list that was changed while its Repository was suspended, and is looked at before it is
  /// advanced.
  @Test(arguments: ScreenKind.allCases)
  func whatCanNotBeReadIsThePlaceholderAndReportedOnce(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 400)
    bookcase.repository.flushSizes()
    var problems: [String] = []
    screen.adapter.onProblem = { problems.append("\($0)") }
    screen.check { _ in nil }
    bookcase.repository.suspend()
    let other = try Repository(at: bookcase.folder.file("store.sqlite"))
    try other.edit("shelf") { list in _ = try list.delete("b3") }
    // A thread of its own may have read between the two, and can read that state as long as it likes.
    bookcase.repository.suspend()
    screen.scroll(to: 1)
    #expect(screen.visiblePaths.count > 3)
    let unreadable = problems.count { $0.contains("items of list \"shelf\" can't be read") }
    // A flow layout has looked at all of them before.
    #expect(unreadable == (kind == .flow ? 0 : 1))
    // Then it is brought to the list as it is.
    try screen.settle()
    screen.scroll(to: 1)
    #expect(screen.shown.last == "b399")
    screen.expectBalance()
  }

  @Test(arguments: ScreenKind.allCases)
  func aTapGoesToTheItemAndTheSelectionStaysWithIt(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 4)
    var tapped: [String] = []
    var deselected: [String] = []
    screen.adapter.handlers.on(.select, of: Book.self) { book, _ in tapped.append(book.id) }
    screen.adapter.handlers.on(.deselect, of: Book.self) { book, _ in deselected.append(book.id) }
    screen.tap(IndexPath(item: 1, section: 0))
    screen.tap(IndexPath(item: 2, section: 0))
    #expect(tapped == ["b1", "b2"])
    #expect(deselected == ["b1"])
    #expect(screen.adapter.selection.items == ["b2"])
    try shelf.edit { list throws in
      try list.move("b2", to: .start)
      try list.insert(Book(id: "new"), in: "a", at: .start)
    }
    try screen.settle()
    #expect(screen.selectedPaths == [IndexPath(item: 1, section: 0)])
    // The cell is another one now, and still selected.
    try shelf.edit { try $0.update("b2", as: Book.self) { $0.isWide = true } }
    try screen.settle()
    #expect(screen.selectedPaths == [IndexPath(item: 1, section: 0)])
    try shelf.edit { try $0.delete("b2") }
    try screen.settle()
    #expect(screen.adapter.selection.items.isEmpty)
    #expect(screen.selectedPaths.isEmpty)
  }

  @Test(arguments: ScreenKind.allCases)
  func aControlReachesItsItemAfterItsCellShowedAnother(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 60)
    var liked: [String] = []
    screen.adapter.handlers.on(.control("like"), of: Book.self) { book, _ in liked.append(book.id) }
    let first = screen.cell(of: "b0")
    first?.onControlEvent?("like")
    #expect(liked == ["b0"])
    screen.scroll(to: 1)
    // What left is nobody's.
    #expect(screen.cell(of: "b0") == nil)
    screen.cell(of: "b59")?.onControlEvent?("like")
    #expect(liked == ["b0", "b59"])
    screen.scroll(to: 0)
    screen.cell(of: "b0")?.onControlEvent?("like")
    #expect(liked == ["b0", "b59", "b0"])
    // A cell that waits for another item says nothing, although its item is still in the list.
    let cells = screen.visiblePaths.compactMap { screen.cell(at: $0) as? any BookView }
    try shelf.edit { list in try list.updateSection("a") { $0.visibility = .hidden } }
    try screen.settle()
    for cell in cells { cell.onControlEvent?("like") }
    #expect(liked == ["b0", "b59", "b0"])
  }

  @Test(arguments: ScreenKind.allCases) func aMenuIsData(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 2)
    screen.adapter.handlers.menu(of: Book.self) { book, _ in
      book.id == "b0" ? nil : ItemMenu([.init("Delete", .menu("delete"), isDestructive: true)])
    }
    screen.adapter.handlers.on(.menu("delete"), of: Book.self) { [shelf] book, context in
      _ = try? shelf.edit { try $0.delete(context.id) }
    }
    #expect(screen.press(IndexPath(item: 0, section: 0)) == nil)
    let menu = try #require(screen.press(IndexPath(item: 1, section: 0)))
    let action = try #require(menu.children.first as? UIAction)
    #expect(action.title == "Delete")
    #expect(action.attributes == .destructive)
    #expect(action.headlessChoose())
    try screen.settle()
    #expect(screen.shown == ["b0"])
  }

  @Test(arguments: ScreenKind.allCases)
  func aHeaderChangesInPlaceAndItsClassWithoutAReload(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 3)
    #expect(screen.header(inSection: 0) == nil)
    func setHeader(_ header: Supplementary?) throws {
      try shelf.edit { try $0.updateSection("a") { $0.header = header } }
      try screen.settle()
    }
    try setHeader(Supplementary(ShelfHeader(title: "One")))
    let first = try #require(screen.header(inSection: 0))
    #expect(first.title == "One")
    #expect(screen.frame(of: "b0")?.minY == 23)
    try setHeader(Supplementary(ShelfHeader(title: "Twenty-one")))
    #expect(screen.header(inSection: 0) === first)
    #expect(first.title == "Twenty-one")
    #expect(screen.frame(of: "b0")?.minY == 30)
    try setHeader(Supplementary(TallHeader(title: "Tall")))
    let tall = try #require(screen.header(inSection: 0))
    #expect(tall !== first)
    #expect(tall.title == "Tall")
    #expect(screen.frame(of: "b0")?.minY == 90)
    try setHeader(nil)
    #expect(screen.header(inSection: 0) == nil)
    #expect(screen.frame(of: "b0")?.minY == 0)
    // No cell was made anew for any of it, and each header that came has left.
    #expect(screen.cells.displayed == 3)
    #expect(screen.headers.onDisplay == 0)
  }

  @Test(arguments: ScreenKind.allCases)
  func whatIsSeenStaysWhenSomethingIsInsertedAbove(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 60)
    screen.scroll(to: 0.5)
    let first = try #require(screen.shown.first.map { ItemID(stringLiteral: $0) })
    let distance = try #require(screen.frame(of: first)).minY - screen.view.contentOffset.y
    try shelf.edit { list throws in
      try list.insert((0..<7).map { Book(id: "new\($0)", likes: $0) }, in: "a", at: .start)
      try list.delete("b1")
    }
    try screen.settle()
    #expect(try #require(screen.frame(of: first)).minY - screen.view.contentOffset.y == distance)
    #expect(screen.shown.first == first.rawValue)
    // At the very top what is new comes into sight.
    screen.scroll(to: 0)
    try shelf.edit { try $0.insert(Book(id: "newest"), in: "a", at: .start) }
    try screen.settle()
    #expect(screen.shown.first == "newest")
    // Who wants to may leave the offset as it is.
    screen.adapter.keepsScrollPosition = false
    screen.scroll(to: 0.5)
    func place() throws -> CGFloat {
      try #require(screen.frame(of: first)).minY - screen.view.contentOffset.y
    }
    let before = try place()
    try shelf.edit { try $0.insert((0..<3).map { Book(id: "last\($0)") }, in: "a", at: .start) }
    try screen.settle()
    #expect(try place() > before + 20)
  }

  // MARK: Hidden sections

  @Test(arguments: ScreenKind.allCases) func hiddenSectionsAreNotShown(_ kind: ScreenKind) throws {
    try shelf.edit { list throws in
      for name in ["a", "b", "c"] {
        let section = SectionID(stringLiteral: name)
        try list.insertSection(
          section, SectionAttributes(header: try Supplementary(ShelfHeader(title: name))))
        try list.insert((0..<2).map { Book(id: "\(name)\($0)") }, in: section)
      }
      try list.updateSection("b") { $0.visibility = .hidden }
    }
    let screen = try Screen(kind, showing: shelf)
    screen.checkBooks()
    screen.layOut()
    #expect(screen.shown == ["a0", "a1", "c0", "c1"])
    #expect(screen.header(inSection: 1)?.title == "c")
    #expect(screen.adapter.indexPath(of: "c1") == IndexPath(item: 1, section: 1))
    #expect(screen.adapter.indexPath(of: "b1") == nil)
    // What happens in it nobody sees; what leaves it comes into sight.
    try shelf.edit { list throws in
      try list.insert(Book(id: "b2"), in: "b")
      try list.delete("b0")
      try list.move("b1", in: "c", to: .start)
      try list.move("a0", in: "b", to: .end)
    }
    try screen.settle()
    #expect(screen.shown == ["a1", "b1", "c0", "c1"])
    try shelf.edit { try $0.updateSection("b") { $0.visibility = .shown } }
    try screen.settle()
    #expect(screen.shown == ["a1", "b2", "a0", "b1", "c0", "c1"])
    #expect(screen.header(inSection: 1)?.title == "b")
    // One that hides itself when it is empty.
    try shelf.edit { list throws in
      try list.updateSection("a") { $0.visibility = .hiddenWhenEmpty }
      try list.delete("a1")
    }
    try screen.settle()
    #expect(screen.shown == ["b2", "a0", "b1", "c0", "c1"])
    #expect(screen.header(inSection: 0)?.title == "b")
    try shelf.edit { try $0.insert(Book(id: "back"), in: "a") }
    try screen.settle()
    #expect(screen.shown == ["back", "b2", "a0", "b1", "c0", "c1"])
    screen.expectBalance()
  }

  // MARK: After a relaunch

  @Test(arguments: ScreenKind.allCases)
  func whatWasSelectedAndSeenIsAgainAfterARelaunch(_ kind: ScreenKind) throws {
    try bookcase.fill(100, layout: SectionLayout(kind: .list))
    let screen = try Screen(kind, showing: shelf, named: "main")
    screen.layOut()
    screen.tap(IndexPath(item: 1, section: 0))
    screen.scroll(to: 0.6)
    let first = try #require(screen.shown.first.map { ItemID(stringLiteral: $0) })
    let distance = try #require(screen.frame(of: first)).minY - screen.view.contentOffset.y
    try screen.adapter.saveViewState()
    bookcase.repository.flushSizes()
    // Meanwhile, somebody else changed the list.
    try shelf.edit { try $0.insert(Book(id: "new", likes: 3), in: "a", at: .start) }

    let repository = try Repository(at: bookcase.folder.file("store.sqlite"))
    let again = try Screen(kind, showing: Bookcase.shelf(of: repository), named: "main")
    again.layOut()
    #expect(again.adapter.selection.items == ["b1"])
    #expect(again.selectedPaths == [IndexPath(item: 2, section: 0)])
    // In a flow, what is new moved some into the same line.
    #expect(again.shown.prefix(3).contains(first.rawValue))
    #expect(
      abs(try #require(again.frame(of: first)).minY - again.view.contentOffset.y - distance) < 0.01)
    // Another screen of the same list stands at its beginning.
    let other = try Screen(kind, showing: Bookcase.shelf(of: repository), named: "other")
    other.layOut()
    #expect(other.shown.first == "new")
    #expect(other.selectedPaths.isEmpty)
  }
}
