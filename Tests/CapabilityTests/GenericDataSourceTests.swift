import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// What the article on a generic data source describes, and the bugs of its code.
@Suite @MainActor struct GenericDataSourceTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private var shelf: LiveList { bookcase.shelf }

  private func addSection(
    _ id: SectionID, _ count: Int, header: String? = nil, footer: String? = nil
  ) throws {
    let attributes = SectionAttributes(
      layout: SectionLayout(kind: .list),
      header: try header.map { try Supplementary(ShelfHeader(title: $0)) },
      footer: try footer.map { try Supplementary(TallHeader(title: $0)) })
    try shelf.edit { list throws in
      try list.insertSection(id, attributes)
      try list.insert((0..<count).map { Book(id: "\(id)\($0)") }, in: id)
    }
  }

  @Test("1.1: a table and a collection view show the same sections, titles included")
  func tableAndCollectionShowTheSame() throws {
    try addSection("a", 2, header: "First")
    try addSection("b", 1, header: "Second")
    let screens = try [ScreenKind.table, .placed, .flow].map { try Screen($0, showing: shelf) }
    for screen in screens { screen.layOut() }
    func check(_ ids: [String], _ titles: [String?]) {
      for screen in screens {
        #expect(screen.shown == ids, "\(screen.kind)")
        #expect((0..<2).map { screen.header(inSection: $0)?.title } == titles, "\(screen.kind)")
      }
    }
    check(["a0", "a1", "b0"], ["First", "Second"])
    try shelf.edit { list throws in
      try list.moveSection("b", to: .start)
      try list.updateSection("a") {
        $0.header = try Supplementary(ShelfHeader(title: "Third"))
      }
    }
    for screen in screens { try screen.settle() }
    check(["b0", "a0", "a1"], ["Second", "Third"])
  }

  /// A cell that is 30 points high in a collection view, and 70 in a table.
  private final class LineCell: UICollectionViewCell {
    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 30) }
  }

  private final class LineRow: UITableViewCell {
    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 70) }
  }

  private struct Line: ListItem {
    var id: String
    static var cells: [CellName: ViewSource] { ["Line": .type(LineCell.self)] }
    var cellName: CellName { "Line" }
    static var measuring: ViewMeasuring { .sizeThatFits }
    func configure(_ cell: UIView) {}
  }

  @Test("1.1: a table and a collection view with cells of one name measure each its own")
  func tableAndCollectionHaveTheirOwnSizes() throws {
    let lines = bookcase.repository.liveList("lines", items: [Line.self])
    try lines.replace { ListSection("a", layout: SectionLayout(kind: .list)) { Line(id: "x") } }
    var rows = ViewRegistry(fallback: .type(UITableViewCell.self))
    rows.register("Line", .type(LineRow.self))
    for measured in [1, 0] {
      for (kind, height) in [(ScreenKind.placed, CGFloat(30)), (.table, 70 + 1.0 / 3)] {
        let screen = try Screen(kind, showing: lines, tableViews: rows)
        screen.layOut()
        let frame = try #require(screen.frame(of: "x"))
        #expect(abs(frame.height - height) < 0.01)
        #expect(screen.adapter.measurementCount == measured)
        bookcase.repository.flushSizes()
      }
    }
  }

  @Test("1.6: a row is as high as its item says, and no cell is made to know it")
  func rowsAreAsHighAsItemsSay() throws {
    try addSection("a", 100)
    try shelf.edit { try $0.update("a1", as: Book.self) { $0.likes = 2 } }
    let screen = try Screen(.table, showing: shelf)
    screen.layOut()
    #expect(screen.frame(of: "a0")?.height == 40)
    #expect(screen.frame(of: "a1")?.height == 58)
    #expect(screen.cells.created == screen.visiblePaths.count)
    #expect(screen.cells.dequeued == screen.visiblePaths.count)
  }

  @Test("1.11: a cell that can't show its item is shown as it is, and told of")
  func cellsThatCanNotShow() throws {
    try addSection("a", 2)
    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.register("BookCell", .type(TextCell.self))
    let screen = try Screen(.placed, showing: shelf, collectionViews: views)
    var problems: [String] = []
    screen.adapter.onProblem = { problems.append("\($0)") }
    screen.layOut()
    #expect(screen.visiblePaths.map { screen.cell(at: $0) is TextCell } == [true, true])
    #expect(problems.contains { $0.contains("item \"a0\"") && $0.contains("TextCell") })
  }

  /// The cell that took the old one's place.
  private final class NewBookCell: UICollectionViewCell, BookView {
    var book: Book?
    var onControlEvent: (@MainActor (ControlEvent) -> Void)?
  }

  @Test("1.13: another class under a cell's name shows what is stored")
  func anotherClassUnderTheName() throws {
    try addSection("a", 2)
    let before = try Screen(.placed, showing: shelf)
    before.layOut()
    bookcase.repository.flushSizes()
    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.register([Book.self])
    views.register("BookCell", .type(NewBookCell.self))
    let screen = try Screen(.placed, showing: shelf, collectionViews: views)
    screen.layOut()
    #expect(screen.shown == ["a0", "a1"])
    #expect(screen.cell(of: "a0") is NewBookCell)
    // Another class may be of another size.
    #expect(screen.adapter.measurementCount == 2)
    #expect(try shelf.revision() == 1)
  }

  /// As articles are shown by a cell that is higher.
  private struct HigherArticle: ListItem {
    var id: String, words: Int
    static var typeName: TypeName { Article.typeName }
    static var measurerVersion: Int { 2 }
    func configure(_ cell: TextCell) {}
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 80)
    }
  }

  @Test("1.13: a view that measures otherwise says so, and its sizes are found again")
  func anotherVersionMeasuresAgain() throws {
    let articles = bookcase.repository.liveList("articles", items: [Article.self])
    try articles.replace {
      ListSection("a", layout: SectionLayout(kind: .list)) { Article(id: "x", words: 1) }
    }
    for (list, height, measured) in [
      (articles, CGFloat(50), 1), (articles, 50, 0),
      (bookcase.repository.liveList("articles", items: [HigherArticle.self]), 80, 1),
    ] {
      let screen = try Screen(.placed, showing: list)
      screen.layOut()
      #expect(screen.frame(of: "x")?.height == height)
      #expect(screen.adapter.measurementCount == measured)
      bookcase.repository.flushSizes()
    }
  }

  @Test(
    "1.13: so does the view of items that are stored under a name from an earlier release",
    arguments: [true, false])
  func anotherVersionMeasuresItemsOfOldNamesAgain(_ isAlias: Bool) throws {
    try bookcase.repository.liveList("articles").edit { list throws in
      try list.insertSection("a", SectionAttributes(layout: SectionLayout(kind: .list)))
      let content: JSON = #"{"id":"x","words":1}"#
      try list.insert(Item(id: "x", cell: "OldCell", content: content, type: "Article"), in: "a")
    }
    for (type, height, measured) in [
      (Article.self, CGFloat(50), 1), (Article.self, 50, 0), (HigherArticle.self, 80, 1),
      (HigherArticle.self, 80, 0),
    ] as [(any ListItem.Type, CGFloat, Int)] {
      var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
      // A type's only cell shows its items whose names lead to none.
      views.register([type])
      if isAlias { try views.alias("OldCell", of: "TextCell") }
      let list = bookcase.repository.liveList("articles", items: [type])
      let screen = try Screen(.placed, showing: list, collectionViews: views)
      screen.layOut()
      #expect(screen.frame(of: "x")?.height == height)
      #expect(screen.adapter.measurementCount == measured)
      bookcase.repository.flushSizes()
    }
  }

  // MARK: Bugs of the article's code

  @Test("CDZ bug: items of equal content keep cells of their own, also when it changes")
  func equalContentsDifferentCells() throws {
    try shelf.edit { list throws in
      try list.insertSection("a")
      for (id, cell) in [("x", "BookCell"), ("y", "WideCell")] as [(ItemID, CellName)] {
        try list.insert(
          Item(id: id, cell: cell, content: #"{"isWide":false,"likes":0}"#, type: "Book"), in: "a")
      }
    }
    let screen = try Screen(.placed, showing: shelf)
    screen.layOut()
    func areWide() -> [Bool] { ["x", "y"].map { screen.cell(of: $0) is WideCell } }
    #expect(areWide() == [false, true])
    try shelf.edit { list throws in
      for id in ["x", "y"] as [ItemID] {
        try list.apply(
          .updateItem(id, ItemUpdate(content: .set(#"{"isWide":false,"likes":3}"#))))
      }
    }
    try screen.settle()
    #expect(areWide() == [false, true])
    #expect(screen.cell(of: "y")?.book?.likes == 3)
  }

  @Test("CDZ bug: a table's footer is the footer, and its header's title is shown")
  func headersAndFootersOfTables() throws {
    try addSection("a", 2, header: "Above", footer: "Below")
    let screen = try Screen(.table, showing: shelf)
    screen.layOut()
    let table = try #require(screen.table)
    #expect((table.headerView(forSection: 0) as? TableHeaderView)?.title == "Above")
    let footer = try #require(table.footerView(forSection: 0) as? TallTableHeaderView)
    #expect(footer.title == "Below")
    #expect(footer.frame.minY >= (screen.frame(of: "a1")?.maxY ?? .infinity))
  }
}
