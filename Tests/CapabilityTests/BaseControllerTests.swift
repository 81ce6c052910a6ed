import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// What the article on a base controller describes.
@Suite @MainActor struct BaseControllerTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private var shelf: LiveList { bookcase.shelf }

  private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

  @Test(
    "4.5: cells that come when the screen is there already are registered by then",
    arguments: ScreenKind.allCases)
  func laterCellsAreRegistered(_ kind: ScreenKind) throws {
    let screen = try Screen(kind, showing: shelf)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.checkBooks()
    screen.layOut()
    let raised = HeadlessException.raised {
      _ = try? shelf.edit { list throws in
        try list.insertSection(
          "a", SectionAttributes(header: try Supplementary(TallHeader(title: "Tall"))))
        try list.insert([Book(id: "x"), Book(id: "y", isWide: true)], in: "a")
      }
      screen.adapter.update()
      screen.layOut()
      screen.finishAnimations()
    }
    #expect(raised.isEmpty)
    #expect(screen.shown == ["x", "y"])
    #expect(screen.header(inSection: 0)?.title == "Tall")
  }

  /// Shows every field, also one that is not set.
  private class SettingCell: UICollectionViewCell, FieldCell {
    var text = ""

    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 44) }

    func show(_ item: FieldItem) {
      text = "\(item.title ?? "-"), \(item.subtitle ?? "-"), \(item.others["badge"] ?? "-")"
    }
  }

  private final class WideSettingCell: SettingCell {}

  @Test("4.6: items of common fields are shown by the cells that they name")
  func fieldItemsNameTheirCells() throws {
    let settings = bookcase.repository.liveList("settings", items: [FieldItem.self])
    var language = FieldItem(id: "language", cell: "SettingCell", title: "Language")
    language.subtitle = "English"
    language.url = "app://language"
    var about = FieldItem(id: "about", cell: "WideSettingCell", title: "About")
    about.others = ["badge": "2"]
    try settings.replace { ListSection("a") { [language, about] } }
    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.register("SettingCell", .type(SettingCell.self))
    views.register("WideSettingCell", .type(WideSettingCell.self))
    let screen = try Screen(.flow, showing: settings, collectionViews: views)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    var routed: [String] = []
    screen.adapter.handlers.route = { url, _ in routed.append(url) }
    screen.layOut()
    func texts() -> [String] {
      (0..<2).compactMap { (screen.cell(at: path($0)) as? SettingCell)?.text }
    }
    #expect(texts() == ["Language, English, -", "About, -, 2"])
    #expect(screen.cell(at: path(1)) is WideSettingCell)
    screen.tap(path(0))
    screen.tap(path(1))
    #expect(routed == ["app://language"])
    try settings.edit { try $0.update("language", as: FieldItem.self) { $0.subtitle = nil } }
    try screen.settle()
    #expect(texts() == ["Language, -, -", "About, -, 2"])
  }

  @Test("4.6: a field item has the height that it says, and is measured without one")
  func fieldItemsHaveHeights() throws {
    let settings = bookcase.repository.liveList("settings", items: [FieldItem.self])
    try settings.replace {
      ListSection("a", layout: SectionLayout(kind: .list)) {
        FieldItem(id: "picture", cell: "SettingCell", height: 120)
        FieldItem(id: "language", cell: "SettingCell")
        FieldItem(id: "impossible", cell: "SettingCell", height: -1)
      }
    }
    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.register("SettingCell", .type(SettingCell.self))
    let screen = try Screen(.placed, showing: settings, collectionViews: views)
    screen.adapter.estimatedLength = 33
    screen.layOut()
    func heights() -> [CGFloat?] {
      ["picture", "language", "impossible"].map { screen.frame(of: $0)?.height }
    }
    // The cell has no constraints.
    #expect(heights() == [120, 33, 33])
    try settings.edit { try $0.update("picture", as: FieldItem.self) { $0.height = 80 } }
    try screen.settle()
    #expect(heights() == [80, 33, 33])
  }

  // MARK: Lists in cells

  /// A row with a list of its own.
  private final class ShelfRow: UITableViewCell {
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 320, height: 60),
      collectionViewLayout: UICollectionViewFlowLayout())
  }

  private struct Category: ListItem {
    var id: String
    func configure(_ cell: ShelfRow) {
      if cell.view.superview == nil { cell.contentView.addSubview(cell.view) }
    }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 60)
    }
  }

  @Test("4.10: a table's row shows the list that its item owns")
  func rowsShowListsOfTheirItems() throws {
    let categories = bookcase.repository.liveList("categories", items: [Category.self])
    try categories.replace {
      ListSection("a") {
        Category(id: "novels")
        Category(id: "poems")
      }
    }
    func books(of category: ItemID) -> LiveList {
      categories.nested(in: category, "books", items: [Book.self])
    }
    for (category, count) in [("novels", 2), ("poems", 1)] as [(ItemID, Int)] {
      try books(of: category).replace {
        ListSection("s") { for index in 0..<count { Book(id: "\(category)\(index)") } }
      }
    }
    var views = ViewRegistry(
      fallback: .type(UITableViewCell.self),
      supplementaryFallback: .type(UITableViewHeaderFooterView.self))
    views.register([Category.self])
    let screen = try Screen(.table, showing: categories, tableViews: views)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.adapter.showNested("books", of: Category.self, items: [Book.self]) { $0.view }
    screen.layOut()
    func shown(_ row: Int) -> [String] {
      guard let row = screen.cell(at: path(row)) as? ShelfRow else { return [] }
      row.view.layoutIfNeeded()
      return row.view.indexPathsForVisibleItems.sorted()
        .compactMap { (row.view.cellForItem(at: $0) as? BookCell)?.book?.id }
    }
    #expect(shown(0) == ["novels0", "novels1"])
    #expect(shown(1) == ["poems0"])
    // The row goes along with its item, and its list by itself.
    try categories.edit { try $0.move("poems", to: .start) }
    try books(of: "poems").edit { try $0.insert(Book(id: "new"), in: "s", at: .start) }
    try screen.settle()
    #expect(shown(0) == ["new", "poems0"])
    #expect(shown(1) == ["novels0", "novels1"])
  }
}
