import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// What a tap on a screen reaches, and what the app asks about the row that was tapped.
@Suite @MainActor struct TapScreenTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  @MainActor private protocol PostView: AnyObject {
    var text: String { get set }
    var like: (() -> Void)? { get set }
  }

  private final class PostCell: UICollectionViewCell, PostView {
    var text = ""
    var like: (() -> Void)?
  }

  private final class PostRow: UITableViewCell, PostView {
    var text = ""
    var like: (() -> Void)?
  }

  private final class AdvertCell: UICollectionViewCell, PostView {
    var text = ""
    var like: (() -> Void)?
  }

  private final class AdvertRow: UITableViewCell, PostView {
    var text = ""
    var like: (() -> Void)?
  }

  /// An item that says what its events lead to.
  private struct Post: ListItem {
    var id: String, text: String
    var isAdvert = false
    static var cells: [CellName: ViewSource] {
      ["Post": .type(PostCell.self), "Advert": .type(AdvertCell.self)]
    }
    var cellName: CellName { isAdvert ? "Advert" : "Post" }
    var action: Action? {
      Action(url: "app://post/\(id)", event: "open", attrs: JSON(stringLiteral: "\"\(text)\""))
    }
    func action(for event: ItemEvent) -> Action? {
      switch event {
      case .select: action
      case .control("like"): Action(event: "like")
      default: nil
      }
    }
    func configure(_ cell: any PostView) { cell.text = text }
    func bind(_ cell: any PostView, send: @escaping @MainActor (ControlEvent) -> Void) {
      cell.like = { send("like") }
    }
    func unbind(_ cell: any PostView) { cell.like = nil }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 50) }
  }

  private func screen(_ kind: ScreenKind, types: [any ListItem.Type] = [Post.self]) throws -> Screen
  {
    let list = bookcase.repository.liveList("posts", items: types)
    var (cells, rows) = (
      ViewRegistry(fallback: .type(PostCell.self)), ViewRegistry(fallback: .type(PostRow.self))
    )
    cells.register("Post", .type(PostCell.self))
    cells.register("Advert", .type(AdvertCell.self))
    rows.register("Post", .type(PostRow.self))
    rows.register("Advert", .type(AdvertRow.self))
    let screen = try Screen(kind, showing: list, collectionViews: cells, tableViews: rows)
    screen.layOut()
    return screen
  }

  /// Three posts; the second is an advert.
  private func write() throws {
    try bookcase.repository.liveList("posts", items: [Post.self]).replace {
      ListSection("a", layout: SectionLayout(kind: .list)) {
        Post(id: "x", text: "X")
        Post(id: "y", text: "Y", isAdvert: true)
        Post(id: "z", text: "Z")
      }
    }
  }

  private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

  private func view(_ screen: Screen, _ item: Int) -> (any PostView)? {
    screen.cell(at: path(item)) as? any PostView
  }

  @Test(
    "3.13: a tap and a button lead where the stored item says, also without its type",
    arguments: ScreenKind.allCases)
  func actionsAreData(_ kind: ScreenKind) throws {
    try write()
    var lines: [String] = []
    func listen(to screen: Screen) {
      screen.adapter.handlers.report = { event, context in
        lines.append("\(event) \(context.id) \(context.action?.attrs?.text ?? "-")")
      }
      screen.adapter.handlers.route = { url, _ in lines.append(url) }
    }
    let screen = try screen(kind)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    listen(to: screen)
    screen.tap(path(1))
    view(screen, 2)?.like?()
    #expect(lines == ["open y \"Y\"", "app://post/y", "like z -"])
    // The next release no longer has the type; the action of a tap is in the store.
    lines = []
    let later = try self.screen(kind, types: [])
    listen(to: later)
    later.tap(path(0))
    #expect(lines == ["open x \"X\"", "app://post/x"])
  }

  @Test(
    "3.14: a tap is reported, then routed, then handled by type and for the one item",
    arguments: ScreenKind.allCases)
  func tapsAreReportedRoutedAndHandled(_ kind: ScreenKind) throws {
    try write()
    let screen = try screen(kind)
    var lines: [String] = []
    screen.adapter.handlers.on(.select, of: Post.self) { post, _ in lines.append("type \(post.id)")
    }
    screen.adapter.handlers.on(.select, item: "z") { context in lines.append("item \(context.id)") }
    screen.adapter.handlers.route = { url, _ in lines.append("route \(url)") }
    screen.adapter.handlers.report = { event, _ in lines.append("report \(event)") }
    screen.tap(path(2))
    screen.tap(path(0))
    #expect(
      lines == [
        "report open", "route app://post/z", "type z", "item z",
        "report open", "route app://post/x", "type x",
      ])
  }

  @Test(
    "4.8: a selection is told with the model and the path that it has by then",
    arguments: ScreenKind.allCases)
  func selectionsHaveModelAndPath(_ kind: ScreenKind) throws {
    try write()
    let screen = try screen(kind)
    var told: [String] = []
    screen.adapter.handlers.on(.select, of: Post.self) { post, context in
      let path = context.path.map { "\($0.section).\($0.item)" } ?? "nowhere"
      told.append("\(context.list) \(context.id) \(post.text) \(path)")
    }
    screen.tap(path(2))
    try screen.adapter.list.edit { list throws in
      try list.move("z", to: .start)
      try list.update("z", as: Post.self) { $0.text = "New" }
    }
    try screen.settle()
    screen.tap(path(1))
    screen.tap(path(0))
    #expect(told == ["posts z Z 0.2", "posts x X 0.1", "posts z New 0.0"])
  }

  @Test(
    "1.10: the app asks for the item of a row and the cell that it is shown by, after any update",
    arguments: ScreenKind.allCases)
  func rowsHaveItemsAndCells(_ kind: ScreenKind) throws {
    try write()
    let screen = try screen(kind)
    func expectRows(_ texts: [String], _ location: SourceLocation = #_sourceLocation) throws {
      #expect(screen.visiblePaths.count == texts.count, sourceLocation: location)
      for (index, text) in texts.enumerated() {
        let item = try #require(screen.adapter.item(at: path(index)), sourceLocation: location)
        let post = try #require(
          try screen.adapter.list.types.value(of: item) as? Post, sourceLocation: location)
        #expect(post.text == text, sourceLocation: location)
        #expect(screen.adapter.itemID(at: path(index)) == item.id, sourceLocation: location)
        #expect(screen.adapter.indexPath(of: item.id) == path(index), sourceLocation: location)
        let cell = screen.cell(at: path(index))
        #expect((cell as? any PostView)?.text == text, sourceLocation: location)
        let name = screen.adapter.provider.cell(at: ItemPath(section: 0, item: index))?.cell
        let isAdvert = cell is AdvertCell || cell is AdvertRow
        #expect(name == (isAdvert ? "Advert" : "Post"), sourceLocation: location)
        #expect(isAdvert == post.isAdvert, sourceLocation: location)
      }
      #expect(screen.adapter.item(at: path(texts.count)) == nil, sourceLocation: location)
    }
    try expectRows(["X", "Y", "Z"])
    try screen.adapter.list.edit { list throws in
      try list.update("x", as: Post.self) { $0.isAdvert = true }
      try list.delete("y")
      try list.insert(Post(id: "new", text: "New"), in: "a", at: .start)
      try list.move("z", to: .start)
    }
    try screen.settle()
    try expectRows(["Z", "New", "X"])
  }

  // MARK: Reused cells

  @MainActor private protocol CardView: AnyObject {
    var title: String { get set }
    var badge: String? { get set }
  }

  private final class CardCell: UICollectionViewCell, CardView {
    var title = ""
    var badge: String?
  }

  private final class CardRow: UITableViewCell, CardView {
    var title = ""
    var badge: String?
  }

  /// Every third has a badge.
  private struct Card: ListItem {
    var id: String
    var badge: String?
    static var cells: [CellName: ViewSource] { ["Card": .type(CardCell.self)] }
    var cellName: CellName { "Card" }
    func configure(_ cell: any CardView) {
      cell.title = id
      cell.badge = badge
    }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 50) }
  }

  /// As a card, but what it has not it leaves in the cell.
  private struct CarelessCard: ListItem {
    var id: String
    var badge: String?
    static var typeName: TypeName { Card.typeName }
    static var cells: [CellName: ViewSource] { Card.cells }
    var cellName: CellName { "Card" }
    func configure(_ cell: any CardView) {
      cell.title = id
      if let badge { cell.badge = badge }
    }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 50) }
  }

  @Test(
    "2.14: a cell that shows another item now shows all of that one and nothing of the last",
    arguments: ScreenKind.allCases)
  func reusedCellsShowTheirItems(_ kind: ScreenKind) throws {
    try bookcase.repository.liveList("cards", items: [Card.self]).replace {
      ListSection("a", layout: SectionLayout(kind: .list)) {
        for index in 0..<60 {
          Card(id: "c\(index)", badge: index.isMultiple(of: 3) ? "\(index)" : nil)
        }
      }
    }
    /// The cells in sight, on the way through the list, that show what is another item's.
    func wrongCells(_ type: any ListItem.Type) throws -> Int {
      var rows = ViewRegistry(fallback: .type(UITableViewCell.self))
      rows.register("Card", .type(CardRow.self))
      let screen = try Screen(
        kind, showing: bookcase.repository.liveList("cards", items: [type]), tableViews: rows)
      screen.layOut()
      var (wrong, seen) = (0, Set<Int>())
      for step in (0...20) + (0...20).reversed() {
        screen.scroll(to: Double(step) / 20)
        for path in screen.visiblePaths {
          seen.insert(path.item)
          let view = screen.cell(at: path) as? any CardView
          let badge = path.item.isMultiple(of: 3) ? "\(path.item)" : nil
          if view?.title != "c\(path.item)" || view?.badge != badge { wrong += 1 }
        }
      }
      #expect(seen.count == 60)
      #expect(screen.cells.created < 40)
      return wrong
    }
    #expect(try wrongCells(Card.self) == 0)
    // A view reuses cells without clearing them, so that one forgets at its own risk, and hears of
    // it in a test.
    #expect(try wrongCells(CarelessCard.self) > 0)
    let careless = [CarelessCard(id: "a", badge: "1"), CarelessCard(id: "b")]
    let problems = try CarelessCard.reuseProblems(of: careless, in: { CardCell() }) {
      [$0.title, $0.badge]
    }
    #expect(problems.map { "\($0.item.id) after \($0.previous.id)" } == ["b after a"])
    let cards = [Card(id: "a", badge: "1"), Card(id: "b")]
    #expect(try Card.reuseProblems(of: cards, in: { CardCell() }) { [$0.title, $0.badge] }.isEmpty)
  }
}
