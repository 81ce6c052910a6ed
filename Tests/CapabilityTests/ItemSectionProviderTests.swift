import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// What the article on items, sections and providers describes, and the bugs of its code: see
/// `Capabilities.md` for the rows that other suites have.
@Suite @MainActor struct ItemSectionProviderTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private var shelf: LiveList { bookcase.shelf }

  /// A list of one section `a` with these items.
  private func front(
    _ types: [any ListItem.Type], _ items: [any ListItem],
    _ attributes: SectionAttributes = SectionAttributes(layout: SectionLayout(kind: .list))
  ) throws -> LiveList {
    let list = bookcase.repository.liveList(
      "front", items: types, supplementaries: [TextHeader.self])
    try list.replace { ListSection("a", attributes) { items } }
    return list
  }

  private func screen(_ list: LiveList) throws -> Screen {
    let screen = try Screen(.placed, showing: list)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    return screen
  }

  private func texts(_ screen: Screen) -> [String] {
    screen.visiblePaths.compactMap { (screen.cell(at: $0) as? TextCell)?.text }
  }

  private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

  // MARK: Items

  @Test("0.1: items of two types are shown by cells of one class")
  func twoTypesOneCell() throws {
    let list = try front(
      [Article.self, Advert.self],
      [Article(id: "x", words: 600), Advert(id: "y", company: "Acme")])
    let screen = try screen(list)
    #expect(texts(screen) == ["3 minutes", "by Acme"])
    try list.edit { list throws in
      try list.update(Advert(id: "x", company: "Bell"))
      try list.update(Article(id: "y", words: 1_000))
    }
    try screen.settle()
    #expect(texts(screen) == ["by Bell", "5 minutes"])
  }

  /// As the next release of the app shows articles.
  private struct LaterArticle: ListItem {
    var id: String, words: Int
    static var typeName: TypeName { Article.typeName }
    func configure(_ cell: TextCell) { cell.text = "\(words) words" }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 50)
    }
  }

  @Test("0.2: the store has what the text is made from, and never the text")
  func textsAreMadeAnew() throws {
    let list = try front([Article.self], [Article(id: "x", words: 600)])
    let stored = try list.provider().item(at: ItemPath(section: 0, item: 0))
    #expect(stored?.state.content == #"{"id":"x","words":600}"#)
    #expect(texts(try screen(list)) == ["3 minutes"])
    let later = bookcase.repository.liveList("front", items: [LaterArticle.self])
    #expect(texts(try screen(later)) == ["600 words"])
  }

  /// An item whose cell is in a nib.
  private struct Clipping: ListItem {
    var id: String
    static var cells: [CellName: ViewSource] { ["Clipping": .nib(name: "Clipping of 0.4")] }
    var cellName: CellName { "Clipping" }
    func configure(_ cell: TextCell) { cell.text += id }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 50)
    }
  }

  @Test("0.4: a cell comes from the nib that its item names")
  func cellsOfNibs() throws {
    UINib.headlessDefine("Clipping of 0.4") {
      let cell = TextCell(frame: .zero)
      cell.text = "from the nib: "
      return [cell]
    }
    let list = try front([Clipping.self], [Clipping(id: "x")])
    #expect(texts(try screen(list)) == ["from the nib: x"])
  }

  /// An item whose cell is in a nib of another bundle.
  private struct Supplement: ListItem {
    var id: String
    static var bundle: String { "org.example.supplement" }
    static var cells: [CellName: ViewSource] {
      ["Supplement": .nib(name: "Supplement", bundle: bundle)]
    }
    var cellName: CellName { "Supplement" }
    func configure(_ cell: TextCell) {}
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 50)
    }
  }

  @Test("+: a nib is looked for in the bundle that its item names")
  func nibsOfOtherBundles() throws {
    let folder = bookcase.folder.file("Supplement.bundle")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let info = try PropertyListSerialization.data(
      fromPropertyList: ["CFBundleIdentifier": Supplement.bundle], format: .xml, options: 0)
    try info.write(to: folder.appendingPathComponent("Info.plist"))
    let bundle = try #require(Bundle(path: folder.path))
    let list = try front([Supplement.self], [Supplement(id: "x")])
    // The bundle has no nib: the exception says where it was looked for.
    let raised = try HeadlessException.raised { try Screen(.placed, showing: list).layOut() }
    #expect(raised.first?.reason.contains(bundle.bundlePath) == true)
  }

  /// An item as long as the room is broad.
  private struct Square: ListItem {
    var id: String
    func configure(_ cell: TextCell) { cell.text = id }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: room.length)
    }
  }

  @Test("0.6: an item says its size for the room that there is, in either direction of scrolling")
  func sizesByTheRoom() throws {
    let list = try front(
      [Square.self], [Square(id: "x")],
      SectionAttributes(
        layout: SectionLayout(
          kind: .list, insets: Insets(top: 40, left: 60, bottom: 40, right: 60))))
    let screen = try screen(list)
    #expect(screen.frame(of: "x") == CGRect(x: 60, y: 40, width: 200, height: 200))
    let layout = try #require(screen.collection?.collectionViewLayout as? ListCollectionLayout)
    layout.scrollDirection = .horizontal
    screen.layOut()
    #expect(screen.frame(of: "x") == CGRect(x: 60, y: 40, width: 400, height: 400))
  }

  @Test(
    "0.7: a cell is bound when it comes on display and unbound when it leaves",
    arguments: ScreenKind.allCases)
  func bindingsEnd(_ kind: ScreenKind) throws {
    try bookcase.fill(60)
    let screen = try Screen(kind, showing: shelf)
    screen.layOut()
    screen.expectBalance()
    screen.scroll(to: 0.7)
    screen.expectBalance()
    let cell = try #require(screen.cell(at: screen.visiblePaths[0]) as? any BookView)
    try shelf.edit { list throws in
      try list.insert(Book(id: "new"), in: "a", at: .start)
      try list.delete("b3")
    }
    try screen.settle()
    let id = try #require(cell.book.map { ItemID(stringLiteral: $0.id) })
    #expect(screen.cell(of: id) === cell)
    screen.expectBalance()
    try shelf.edit { try $0.deleteAllSections() }
    try screen.settle()
    #expect(screen.bindings.shown == 0)
    #expect(screen.bindings.bound == screen.bindings.unbound)
    #expect(screen.bindings.bound > 10)
  }

  @Test(
    "0.8: a property that changes refreshes the bound cell in place",
    arguments: ScreenKind.allCases)
  func propertiesRefreshInPlace(_ kind: ScreenKind) throws {
    try bookcase.fill(3)
    let screen = try Screen(kind, showing: shelf)
    screen.layOut()
    let cell = try #require(screen.cell(of: "b1"))
    try shelf.edit { try $0.update("b1", as: Book.self) { $0.likes += 1 } }
    try screen.settle()
    #expect(cell.book?.likes == 1)
    #expect(screen.cell(of: "b1") === cell)
    #expect(screen.cells.displayed == 3)
    #expect(screen.cells.reconfigured == 1)
  }

  @Test("0.11: nothing below the adapters knows a user interface")
  func modelsKnowNoViews() throws {
    let sources = PackageFiles.root.appendingPathComponent("Sources")
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .filter { !["CellarUIKit", "CellarSwiftUI", "HeadlessUIKit", "ListViews"].contains($0) }
    var files = 0
    for module in modules {
      let folder = sources.appendingPathComponent(module)
      for case let file as URL in FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil) ?? .init()
      where file.pathExtension == "swift" {
        files += 1
        // Also `import class UIKit.UIView`.
        let imports = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
          .filter { $0.contains("import ") }.flatMap { $0.split { " .".contains($0) } }
        let interfaces: Set<Substring> = ["UIKit", "HeadlessUIKit", "AppKit", "SwiftUI"]
        #expect(interfaces.isDisjoint(with: imports), "\(file.lastPathComponent)")
      }
    }
    #expect(files > 100)
  }

  // MARK: Sections

  @Test("0.14: a flow layout takes insets and spacing from the section")
  func sectionMetricsReachTheFlow() throws {
    try bookcase.fill(
      4,
      layout: SectionLayout(
        kind: .flow, lineSpacing: 7, interitemSpacing: 0,
        insets: Insets(top: 5, left: 10, bottom: 9, right: 10)))
    let screen = try Screen(.flow, showing: shelf)
    screen.layOut()
    // Three books of 100 points fit in 300 if nothing has to be between them.
    #expect(screen.frame(of: "b0") == CGRect(x: 10, y: 5, width: 100, height: 40))
    #expect(screen.frame(of: "b2") == CGRect(x: 210, y: 5, width: 100, height: 40))
    #expect(screen.frame(of: "b3")?.minY == 52)
    #expect(screen.view.contentSize.height == 101)
  }

  @Test(
    "0.15: a footer is a value with a view of its own, as a header is",
    arguments: [ScreenKind.flow, .placed])
  func footers(_ kind: ScreenKind) throws {
    try bookcase.fill(1, layout: SectionLayout(kind: .list))
    let screen = try Screen(kind, showing: shelf)
    screen.layOut()
    func footer() -> UICollectionReusableView? {
      screen.collection?.supplementaryView(
        forElementKind: UICollectionView.elementKindSectionFooter,
        at: IndexPath(item: 0, section: 0))
    }
    func set(_ title: String) throws {
      try shelf.edit {
        try $0.updateSection("a") { $0.footer = try Supplementary(TallHeader(title: title)) }
      }
      try screen.settle()
    }
    try set("One")
    let first = try #require(footer() as? TallHeaderView)
    #expect(first.title == "One")
    #expect(first.frame == CGRect(x: 0, y: 40, width: 320, height: 90))
    #expect(screen.header(inSection: 0) == nil)
    try set("Two")
    #expect(footer() === first)
    #expect(first.title == "Two")
  }

  @Test("0.17: what a section's operations return is what the view is told")
  func operationsReturnWhatTheViewIsTold() throws {
    try bookcase.fill(5)
    var provider = try shelf.provider()
    let deleted = try shelf.edit { try $0.delete(["b3", "b1"]) }
    #expect(try shelf.advance(&provider).stages.flatMap(\.deleteItems) == deleted.sorted())
    let inserted = try shelf.edit { list throws in
      try list.insert([Book(id: "x"), Book(id: "y")], in: "a", at: .after("b0"))
    }
    #expect(try shelf.advance(&provider).stages.flatMap(\.insertItems) == inserted)
    let move = try shelf.edit { try $0.move("b4", to: .start) }
    #expect(
      try shelf.advance(&provider).stages.flatMap(\.moveItems)
        == [Stage.Move(from: move.from, to: move.to)])
    let updated = try shelf.edit { try $0.update("y", as: Book.self) { $0.likes = 9 } }
    #expect(try shelf.advance(&provider).stages.flatMap(\.reconfigureItems) == [updated])
    #expect(deleted.count == 2 && inserted.count == 2)
    #expect(updated == ItemPath(section: 0, item: 3))
  }

  // MARK: The whole

  @Test(
    "0.19: a list has meta, in one commit with its items; a commit of it alone draws nothing",
    arguments: ScreenKind.allCases)
  func aListHasMeta(_ kind: ScreenKind) throws {
    try bookcase.fill(3)
    let screen = try Screen(kind, showing: shelf)
    screen.layOut()
    try shelf.edit { list throws in
      try list.insert(Book(id: "new"), in: "a")
      try list.setMeta(JSON(encoding: ["next": "c81"]))
    }
    try screen.settle()
    #expect(screen.adapter.provider.meta?.text == #"{"next":"c81"}"#)
    let bound = screen.bindings.bound
    try shelf.edit { try $0.setMeta(JSON(encoding: ["next": "c82"])) }
    try screen.settle()
    #expect(try screen.adapter.provider.meta?.decoded(as: [String: String].self)["next"] == "c82")
    #expect(screen.bindings.bound == bound)
    let revision = try shelf.revision()
    try shelf.undoCommit(revision - 1)
    #expect(try shelf.meta()?.text == #"{"next":"c82"}"#)
    #expect(try shelf.provider().numberOfItems == 3)
  }

  @Test(
    "0.27: handlers that are given once reach the items of a list that was rebuilt",
    arguments: ScreenKind.allCases)
  func handlersReachRebuiltItems(_ kind: ScreenKind) throws {
    try bookcase.fill(3)
    let repository = try Repository(at: bookcase.folder.file("store.sqlite"))
    let screen = try Screen(kind, showing: Bookcase.shelf(of: repository))
    var tapped: [String] = []
    screen.adapter.handlers.on(.select, of: Book.self) { book, _ in tapped.append(book.id) }
    screen.layOut()
    screen.tap(path(2))
    try Bookcase.shelf(of: repository).edit { try $0.insert(Book(id: "new"), in: "a") }
    try screen.settle()
    screen.tap(path(3))
    #expect(tapped == ["b2", "new"])
  }

  // MARK: Bugs of the article's code

  @Test("L8: an item that is never seen is measured once, however often the layout is prepared")
  func unseenItemsAreMeasuredOnce() throws {
    try bookcase.fill(60)
    let screen = try Screen(.flow, showing: shelf)
    screen.layOut()
    #expect(screen.visiblePaths.count < 60)
    for _ in 0..<3 {
      screen.collection?.collectionViewLayout.invalidateLayout()
      screen.layOut()
    }
    screen.scroll(to: 1)
    #expect(screen.adapter.measurementCount == 60)
  }

  @Test("L10: one class is a cell and a header on one screen")
  func oneClassIsCellAndHeader() throws {
    let list = try front(
      [Article.self], [Article(id: "x", words: 600)],
      SectionAttributes(
        layout: SectionLayout(kind: .list), header: try Supplementary(TextHeader(text: "Today"))))
    let screen = try screen(list)
    #expect(texts(screen) == ["3 minutes"])
    let header = screen.collection?.supplementaryView(
      forElementKind: UICollectionView.elementKindSectionHeader, at: path(0))
    #expect((header as? TextCell)?.text == "Today")
  }
}
