import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// Lists in the cells of the items that own them.
@Suite @MainActor struct NestedScreenTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private final class ShelfCell: UICollectionViewCell {
    let books = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 320, height: 100),
      collectionViewLayout: ListCollectionLayout())
  }

  private final class ShelfRow: UITableViewCell {
    let books = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 320, height: 100),
      collectionViewLayout: ListCollectionLayout())
  }

  /// An item with books.
  private struct Shelf: ListItem {
    var id: String
    var isClosed = false
    static var cells: [CellName: ViewSource] { ["Shelf": .type(ShelfCell.self)] }
    var cellName: CellName { "Shelf" }
    func configure(_ cell: UIView) {
      guard let books = Shelf.books(cell), books.superview == nil else { return }
      cell.addSubview(books)
    }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 100)
    }
    @MainActor static func books(_ cell: UIView) -> UICollectionView? {
      (cell as? ShelfCell)?.books ?? (cell as? ShelfRow)?.books
    }
  }

  /// An item without books in a cell of the same class.
  private struct Plain: ListItem {
    var id: String
    static var cells: [CellName: ViewSource] { [:] }
    var cellName: CellName { "Shelf" }
    func configure(_ cell: UIView) {}
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 100)
    }
  }

  private var shelves: LiveList {
    bookcase.repository.liveList("shelves", items: [Shelf.self, Plain.self])
  }

  /// Shelves with 20 books each.
  private func fill(_ count: Int) throws {
    try shelves.replace {
      ListSection("a", layout: SectionLayout(kind: .list)) {
        for index in 0..<count { Shelf(id: "s\(index)") }
      }
    }
    for index in 0..<count {
      try books(of: "s\(index)").replace {
        ListSection("b", layout: SectionLayout(kind: .list)) {
          for book in 0..<20 { Book(id: "s\(index)b\(book)") }
        }
      }
    }
  }

  private func books(of shelf: String) throws -> LiveList {
    shelves.nested(in: try ItemID(shelf), "books", items: [Book.self])
  }

  private func screen(_ kind: ScreenKind, showing list: LiveList? = nil) throws -> Screen {
    var rows = ViewRegistry(fallback: .type(UITableViewCell.self))
    rows.register("Shelf", .type(ShelfRow.self))
    let screen = try Screen(kind, showing: list ?? shelves, tableViews: rows, named: "")
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.adapter.showNested("books", of: Shelf.self, items: [Book.self]) { Shelf.books($0) }
    screen.layOut()
    return screen
  }

  /// The books in sight in the cell at a path.
  private func shown(_ screen: Screen, _ path: IndexPath) -> [String] {
    guard let view = screen.cell(at: path).flatMap({ Shelf.books($0) }) else { return [] }
    view.layoutIfNeeded()
    return view.indexPathsForVisibleItems.sorted()
      .compactMap { (view.cellForItem(at: $0) as? BookCell)?.book?.id }
  }

  private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

  @Test(
    "An item of a derived or passing list owns what it owns in its source",
    arguments: ScreenKind.allCases)
  func nestedListsOfDerivedItems(_ kind: ScreenKind) throws {
    try fill(3)
    let sorted = try shelves.derived("sorted", of: Shelf.self) { $0.sorted(by: \.id, .reverse) }
    let passing = try shelves.passing(of: Shelf.self) { $0.sorted(by: \.id, .reverse) }
    for list in [sorted.shown, passing.shown] {
      let screen = try screen(kind, showing: list)
      #expect(shown(screen, path(0)) == ["s2b0", "s2b1", "s2b2"])
      #expect(try list.nestedLists(of: "s1").keys.map(\.rawValue) == ["books"])
      #expect(
        list.nested(in: "s1", "books", items: [Book.self]).id == (try books(of: "s1").id))
      screen.expectBalance()
    }
  }

  @Test(
    "4.10: each cell on display shows the list of its item, and no other",
    arguments: ScreenKind.allCases)
  func cellsShowTheListsOfTheirItems(_ kind: ScreenKind) throws {
    try fill(30)
    let screen = try screen(kind)
    #expect(shown(screen, path(0)) == ["s0b0", "s0b1", "s0b2"])
    var random = SeededGenerator(seed: 3)
    for step in 0..<40 {
      switch random.number(0..<3) {
      case 0:
        try shelves.edit { list throws in
          let id = try ItemID("s\(random.number(0..<30))")
          if (try list.item(id)) != nil { try list.move(id, to: .start) }
        }
      case 1:
        try shelves.edit { list throws in
          let id = try ItemID("s\(random.number(0..<30))")
          guard (try list.item(id)) != nil else { return }
          // The cell stays, and has no list of its item, or one again.
          if random.percent(50) {
            try list.update(Plain(id: id.rawValue))
          } else {
            try list.update(Shelf(id: id.rawValue, isClosed: step.isMultiple(of: 2)))
          }
        }
      default: screen.scroll(to: Double(random.number(0..<100)) / 100)
      }
      try screen.settle()
      for path in screen.visiblePaths {
        let item = try #require(screen.adapter.item(at: path))
        let isShelf = item.state.type == "Shelf"
        #expect(shown(screen, path) == (isShelf ? (0..<3).map { "\(item.id)b\($0)" } : []))
        #expect((screen.adapter.nestedAdapter(of: item.id, "books") != nil) == isShelf)
      }
    }
    screen.expectBalance()
    try screen.adapter.saveViewState()
  }

  @Test(
    "4.10: a nested list follows its commits, and keeps its place while its cell is away",
    arguments: ScreenKind.allCases)
  func nestedListsAreScreens(_ kind: ScreenKind) async throws {
    try fill(30)
    let screen = try screen(kind)
    let view = try #require(screen.cell(at: path(1)).flatMap { Shelf.books($0) })
    view.layoutIfNeeded()
    view.headlessDrag(to: CGPoint(x: 0, y: 410))
    let inSight = shown(screen, path(1))
    #expect(inSight.contains("s1b10") && !inSight.contains("s1b1"))
    view.headless.tap(itemAt: path(11))
    try await books(of: "s0").edit { try $0.insert(Book(id: "new"), in: "b", at: .start) }
    try await screen.wait { shown(screen, path(0)).first == "new" }
    // No drag ends where the app scrolls.
    for path in screen.visiblePaths where path.item != 1 {
      screen.cell(at: path).flatMap { Shelf.books($0) }?.contentOffset.y = 300
    }
    let first = shown(screen, path(0))
    #expect(!first.contains("new"))
    for _ in 0..<2 { screen.scroll(to: 1) }
    #expect(screen.adapter.nestedAdapter(of: "s1", "books") == nil)
    for path in screen.visiblePaths {
      #expect(shown(screen, path) == (0..<3).map { "s\(path.item)b\($0)" })
    }
    screen.scroll(to: 0)
    screen.layOut()
    #expect(shown(screen, path(1)) == inSight)
    #expect(shown(screen, path(0)) == first)
    let nested = try #require(screen.adapter.nestedAdapter(of: "s1", "books"))
    #expect(nested.selection.items == ["s1b11"])
    // A new value of the item leaves the list in its cell as it is.
    try await shelves.edit { try $0.update("s1", as: Shelf.self) { $0.isClosed = true } }
    try screen.settle()
    #expect(screen.adapter.nestedAdapter(of: "s1", "books") === nested)
    #expect(shown(screen, path(1)) == inSight)
    try screen.adapter.saveViewState()
  }

  @Test(
    "4.10: a list that comes back waits for its place, which another commit keeps from the store")
  func placesAreSavedBeforeTheyAreRead() throws {
    try fill(30)
    let screen = try screen(.placed)
    let view = try #require(screen.cell(at: path(0)).flatMap { Shelf.books($0) })
    view.layoutIfNeeded()
    let (begun, isSaving) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let other = bookcase.repository.liveList("other")
    let commit = Thread {
      try? other.edit { list throws in
        try list.insertSection("a")
        begun.signal()
        #expect(isSaving.wait(timeout: .now() + 600) == .success)
        // What is shown meanwhile must wait for all of this.
        for number in 0..<3_000 { try list.insertSection(SectionID("\(number)")) }
      }
    }
    commit.start()
    begun.wait()
    view.headlessDrag(to: CGPoint(x: 0, y: 410))
    let inSight = shown(screen, path(0))
    isSaving.signal()
    screen.scroll(to: 1)
    screen.scroll(to: 0)
    screen.layOut()
    #expect(inSight.first != "s0b0")
    #expect(shown(screen, path(0)) == inSight)
    try screen.adapter.saveViewState()
  }

  @Test(
    "4.10: events of nested items reach the handlers of the outer list, with their owner",
    arguments: ScreenKind.allCases)
  func eventsBubble(_ kind: ScreenKind) throws {
    try fill(3)
    var rows = ViewRegistry(fallback: .type(UITableViewCell.self))
    rows.register("Shelf", .type(ShelfRow.self))
    let screen = try Screen(kind, showing: shelves, tableViews: rows)
    var events: [String] = []
    func log(_ place: String) -> @MainActor (Book, ItemContext) -> Void {
      { book, context in
        events.append(
          "\(place) \(book.id) \(context.owner?.item.rawValue ?? "nil") \(context.list == context.owner?.nestedList)"
        )
      }
    }
    screen.adapter.handlers.on(.select, of: Book.self, perform: log("outer"))
    screen.adapter.handlers.on(.control("like"), of: Book.self, perform: log("like"))
    screen.adapter.handlers.on(.select, of: Shelf.self) { shelf, context in
      events.append("shelf \(shelf.id) \(context.owner == nil)")
    }
    screen.adapter.showNested(
      "books", of: Shelf.self, items: [Book.self],
      setUp: { $0.handlers.on(.select, of: Book.self, perform: log("own")) },
      in: { Shelf.books($0) })
    screen.layOut()
    let view = try #require(screen.cell(at: path(1)).flatMap { Shelf.books($0) })
    view.layoutIfNeeded()
    view.headless.tap(itemAt: path(2))
    (view.cellForItem(at: path(0)) as? BookCell)?.onControlEvent?("like")
    screen.tap(path(2))
    #expect(
      events == [
        "own s1b2 s1 true", "outer s1b2 s1 true", "like s1b0 s1 true", "shelf s2 true",
      ])
  }

  private struct Room: ListItem {
    var id: String
    func configure(_ cell: ShelfCell) { cell.contentView.addSubview(cell.books) }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 100)
    }
  }

  @Test("4.10: events of a list in a list in a list reach the outermost handlers")
  func twoLevelsDeep() throws {
    let rooms = bookcase.repository.liveList("rooms", items: [Room.self])
    try rooms.replace { ListSection("a", layout: SectionLayout(kind: .list)) { Room(id: "r") } }
    let inRoom = rooms.nested(in: "r", "shelves", items: [Shelf.self])
    try inRoom.replace { ListSection("a", layout: SectionLayout(kind: .list)) { Shelf(id: "s") } }
    try inRoom.nested(in: "s", "books").replace { ListSection("a") { Book(id: "emma") } }
    let screen = try Screen(.placed, showing: rooms)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    var events: [String] = []
    screen.adapter.handlers.on(.select, of: Book.self) { book, context in
      events.append(
        "\(book.id) \(context.owner?.item.rawValue ?? "") \(context.owner?.list == inRoom.id)")
    }
    screen.adapter.handlers.on(.willDisplay, of: Book.self) { book, _ in
      events.append("seen \(book.id)")
    }
    screen.adapter.showNested(
      "shelves", of: Room.self, items: [Shelf.self],
      setUp: { shelves in
        shelves.showNested("books", of: Shelf.self, items: [Book.self]) { Shelf.books($0) }
      },
      in: { $0.books })
    screen.layOut()
    let shelves = try #require((screen.cell(at: path(0)) as? ShelfCell)?.books)
    shelves.layoutIfNeeded()
    let books = try #require((shelves.cellForItem(at: path(0)) as? ShelfCell)?.books)
    books.layoutIfNeeded()
    books.headless.tap(itemAt: path(0))
    #expect(events == ["seen emma", "emma s true"])
  }
}
