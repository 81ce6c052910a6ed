import CellarUIKit
import Foundation
import HeadlessUIKit
import ListLayout
import ListModel
import ListStore
import ListSync
import ListItems
import Providers
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// What a collection view meets on a device besides batch updates of items.
@Suite @MainActor struct CollectionUpdateTests {
  private let bookcase: Bookcase
  private let header = UICollectionView.elementKindSectionHeader

  init() throws { bookcase = try Bookcase() }

  private func screen(_ kind: ScreenKind, _ count: Int = 4) throws -> (
    screen: Screen, view: UICollectionView, adapter: CollectionAdapter
  ) {
    try bookcase.fill(count, layout: SectionLayout(kind: .list))
    let screen = try Screen(kind, showing: bookcase.shelf, collectionViews: .books)
    screen.checkBooks()
    screen.layOut()
    return (
      screen, try #require(screen.collection), try #require(screen.adapter as? CollectionAdapter)
    )
  }

  private func path(_ item: Int, _ section: Int = 0) -> IndexPath {
    IndexPath(item: item, section: section)
  }

  // MARK: Headers, footers and decorations

  @Test(arguments: [ScreenKind.flow, .placed], [false, true])
  func aHeaderComesAndGoesInAnUpdate(_ kind: ScreenKind, _ isStructural: Bool) throws {
    let (screen, _, _) = try screen(kind)
    func title(_ title: String?, _ id: String) throws {
      try bookcase.shelf.edit { list throws in
        if isStructural { try list.insert(Book(id: id), in: "a", at: .start) }
        try list.updateSection("a") {
          $0.header = try title.map { try Supplementary(ShelfHeader(title: $0)) }
          $0.footer = try title.map { try Supplementary(TallHeader(title: $0)) }
        }
      }
    }
    for round in 0..<3 {
      try title("Title", "in\(round)")
      try screen.settle()
      #expect(screen.header(inSection: 0)?.title == "Title")
      #expect(screen.headers.onDisplay == 2)
      try title(nil, "out\(round)")
      try screen.settle()
      #expect(screen.header(inSection: 0) == nil)
      #expect(screen.headers.onDisplay == 0)
      screen.expectBalance()
    }
    #expect(bookcase.repository.diagnostics["mismatch"] == nil)
  }

  @Test(arguments: [ScreenKind.flow, .placed])
  func aHeaderOfAnotherClassReplacesTheOldOne(_ kind: ScreenKind) throws {
    let (screen, _, _) = try screen(kind)
    for isTall in [false, true, false] {
      try bookcase.shelf.edit { list throws in
        try list.updateSection("a") {
          $0.header =
            isTall
            ? try Supplementary(TallHeader(title: "A")) : try Supplementary(ShelfHeader(title: "A"))
        }
      }
      try screen.settle()
      #expect((screen.header(inSection: 0) is TallHeaderView) == isTall)
    }
    // The cells stayed where they were.
    #expect(screen.cells.created == 4)
  }

  @Test func decorationsComeAndGoInAnUpdate() throws {
    let (screen, view, _) = try screen(.placed)
    let cards: [[ViewName]] = [
      ["Card"], ["Card", "Line"], ["Line"], ["Line", "Line", "Card"], [],
    ]
    for (round, names) in cards.enumerated() {
      try bookcase.shelf.edit { list throws in
        try list.insert(Book(id: "new\(round)"), in: "a", at: .start)
        try list.updateSection("a") { $0.decorations = names.map { Decoration(view: $0) } }
      }
      try screen.settle()
      #expect(view.subviews.count { $0 is CardView } == names.count)
    }
  }

  @Test func sectionsGoWithTheirDecorations() throws {
    let (screen, view, _) = try screen(.placed)
    try bookcase.shelf.edit { list throws in
      for section in ["b", "c"] as [SectionID] {
        try list.insertSection(
          section,
          SectionAttributes(
            header: try Supplementary(ShelfHeader(title: section.rawValue)),
            decorations: [Decoration(view: "Card")]))
        try list.insert(Book(id: "in \(section)"), in: section)
      }
    }
    try screen.settle()
    try bookcase.shelf.edit { list throws in try list.deleteSection("b") }
    try screen.settle()
    #expect(view.subviews.count { $0 is CardView } == 1)
    #expect(screen.header(inSection: 1)?.title == "c")
  }

  // MARK: Cells kept off screen

  @Test(arguments: [ScreenKind.flow, .placed])
  func aKeptCellIsBoundAgain(_ kind: ScreenKind) throws {
    let (screen, view, adapter) = try screen(kind, 60)
    var liked: [ItemID] = []
    adapter.handlers.on(.control("like"), of: Book.self) { book, _ in
      liked.append(ItemID(stringLiteral: book.id))
    }
    let cell = try #require(screen.cell(of: "b0"))
    view.headlessDrag(to: CGPoint(x: 0, y: 50))
    #expect(screen.cell(of: "b0") == nil)
    #expect(cell.onControlEvent == nil)
    view.headlessDrag(to: .zero)
    #expect(screen.cells.returned > 0)
    #expect(screen.cell(of: "b0") === cell)
    cell.onControlEvent?("like")
    #expect(liked == ["b0"])
    screen.expectBalance()
  }

  @Test(arguments: [ScreenKind.flow, .placed])
  func aKeptCellShowsWhatChangedMeanwhile(_ kind: ScreenKind) throws {
    let (screen, view, _) = try screen(kind, 60)
    let cell = try #require(screen.cell(of: "b0"))
    view.headlessDrag(to: CGPoint(x: 0, y: 50))
    try bookcase.shelf.edit { try $0.update("b0", as: Book.self) { $0.likes = 2 } }
    try screen.settle()
    view.headlessDrag(to: .zero)
    #expect(screen.cell(of: "b0") === cell)
    #expect(cell.book?.likes == 2)
    screen.expectBalance()
  }

  // MARK: Moves by hand

  @Test(.timeLimit, arguments: [ScreenKind.flow, .placed], [false, true])
  func commitsWaitForTheEndOfAMove(_ kind: ScreenKind, _ isCancelled: Bool) async throws {
    let (screen, view, adapter) = try screen(kind)
    adapter.canMove = { _ in true }
    #expect(view.beginInteractiveMovementForItem(at: path(3)))
    try await bookcase.shelf.edit { try $0.insert(Book(id: "new"), in: "a", at: .start) }
    adapter.update()
    screen.layOut()
    #expect(screen.shown == ["b0", "b1", "b2", "b3"])
    view.updateInteractiveMovementTargetPosition(CGPoint(x: 5, y: 5))
    adapter.update()
    if isCancelled { view.cancelInteractiveMovement() } else { view.endInteractiveMovement() }
    while adapter.provider.numberOfItems < 5 || adapter.isBetweenStages { await Task.yield() }
    try screen.settle()
    #expect(
      screen.shown
        == (isCancelled ? ["new", "b0", "b1", "b2", "b3"] : ["b3", "new", "b0", "b1", "b2"]))
    screen.expectBalance()
  }

  // MARK: When a layout changes

  /// Asks for the place of an item inside the update's closure, after the operations.
  private final class LateLayout: ListCollectionLayout {
    var heights: [CGFloat?] = []
    override func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
      heights.append(layoutAttributesForItem(at: IndexPath(item: 1, section: 0))?.frame.minY)
      super.invalidateLayout(with: context)
      heights.append(layoutAttributesForItem(at: IndexPath(item: 1, section: 0))?.frame.minY)
    }
  }

  @Test func aLayoutAnswersForTheOldStateUntilItIsInvalidated() throws {
    try bookcase.fill(2, layout: SectionLayout(kind: .list))
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    let layout = LateLayout()
    let view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
    window.addSubview(view)
    let adapter = try CollectionAdapter(bookcase.shelf, in: view)
    view.layoutIfNeeded()
    try bookcase.shelf.edit { try $0.insert(Book(id: "tall", likes: 3), in: "a", at: .start) }
    layout.heights = []
    adapter.update()
    // Before the invalidation the first item is 40 points high; the new one is not measured yet.
    #expect(layout.heights.first == 40)
    view.layoutIfNeeded()
    #expect(layout.layoutAttributesForItem(at: path(1))?.frame.minY == 67)
  }

  // MARK: Layouts of the app's

  private final class TintedAttributes: UICollectionViewLayoutAttributes {
    // Copied where UIKit copies, which is on the main actor only.
    nonisolated(unsafe) var tint = 0
    override func copy(with zone: NSZone? = nil) -> Any {
      let copy = super.copy(with: zone)
      (copy as? TintedAttributes)?.tint = tint
      return copy
    }
  }

  private final class TintedLayout: ListCollectionLayout {
    override class var layoutAttributesClass: AnyClass { TintedAttributes.self }
    override func layoutAttributesForElements(
      in rect: CGRect
    ) -> [UICollectionViewLayoutAttributes]? {
      let attributes = super.layoutAttributesForElements(in: rect)
      for case let tinted as TintedAttributes in attributes ?? [] {
        tinted.tint = tinted.indexPath.item
      }
      return attributes
    }
  }

  private final class TintedCell: UICollectionViewCell, BookView {
    var book: Book?
    var onControlEvent: (@MainActor (ControlEvent) -> Void)?
    var tint: Int?
    override func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {
      tint = (layoutAttributes as? TintedAttributes)?.tint
    }
  }

  @Test func aSubclassHasAttributesOfItsOwn() throws {
    try bookcase.fill(3)
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    let view = UICollectionView(frame: window.bounds, collectionViewLayout: TintedLayout())
    window.addSubview(view)
    var views = ViewRegistry(
      fallback: .type(UICollectionViewCell.self),
      supplementaryFallback: .type(UICollectionReusableView.self))
    views.register("BookCell", .type(TintedCell.self))
    let adapter = try CollectionAdapter(bookcase.shelf, in: view, views: views)
    view.layoutIfNeeded()
    #expect((adapter.cell(of: "b2") as? TintedCell)?.tint == 2)
  }

  @Test func storedSizesCountEvenWhereCellsWouldSizeThemselves() throws {
    final class SmallCell: UICollectionViewCell, BookView {
      var book: Book?
      var onControlEvent: (@MainActor (ControlEvent) -> Void)?
      override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: 10, height: 10) }
    }
    try bookcase.fill(3)
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    let layout = UICollectionViewFlowLayout()
    layout.estimatedItemSize = UICollectionViewFlowLayout.automaticSize
    let view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
    window.addSubview(view)
    var views = ViewRegistry(
      fallback: .type(UICollectionViewCell.self),
      supplementaryFallback: .type(UICollectionReusableView.self))
    views.register("BookCell", .type(SmallCell.self))
    let adapter = try CollectionAdapter(bookcase.shelf, in: view, views: views)
    view.layoutIfNeeded()
    #expect(adapter.cell(of: "b2")?.frame.height == 40)
  }

  @Test(arguments: [ScreenKind.flow, .placed])
  func aRotationMeasuresForTheNewWidth(_ kind: ScreenKind) async throws {
    let (screen, view, adapter) = try screen(kind, 3)
    #expect(adapter.cell(of: "b0")?.frame.width == (kind == .flow ? 100 : 320))
    view.frame.size = CGSize(width: 60, height: 480)
    view.layoutIfNeeded()
    await Task.yield()
    view.layoutIfNeeded()
    #expect(adapter.cell(of: "b0")?.frame.width == 60)
    screen.expectBalance()
  }

  // MARK: Right to left

  @Test(arguments: [false, true])
  func aListBeginsWhereTextBegins(_ isRightToLeft: Bool) throws {
    try bookcase.fill(30, layout: SectionLayout(kind: .waterfall, columns: 2))
    let screen = try Screen(.placed, showing: bookcase.shelf)
    screen.window.headlessChangeTraits(
      UITraitCollection(layoutDirection: isRightToLeft ? .rightToLeft : .leftToRight))
    screen.layOut()
    let view = try #require(screen.collection)
    let layout = try #require(view.collectionViewLayout as? ListCollectionLayout)
    func begins(_ item: Int) -> CGFloat? {
      let frame = view.headless.frameOnScreen(ofItemAt: path(item))
      return isRightToLeft ? frame.map { 320 - $0.maxX } : frame?.minX
    }
    #expect(begins(0) == 0)
    #expect(begins(1) == 160)
    layout.scrollDirection = .horizontal
    screen.layOut()
    #expect(begins(0) == 0)
    #expect(begins(2) == 100)
    // What is in sight keeps its distance from the edge where text begins.
    view.headlessDrag(to: CGPoint(x: 130, y: 0))
    let before = begins(4)
    try bookcase.shelf.edit { list throws in
      for id in ["x", "y"] { try list.insert(Book(id: id), in: "a", at: .start) }
    }
    try screen.settle()
    #expect(begins(6) == before)
  }

  // MARK: Menus and the status bar

  private final class OneItemMenus: NSObject, UICollectionViewDelegate {
    func collectionView(
      _ view: UICollectionView, contextMenuConfigurationForItemAt path: IndexPath, point: CGPoint
    ) -> UIContextMenuConfiguration? {
      UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { _ in
        UIMenu(title: "one", children: [])
      }
    }
  }

  @Test func aDelegateWithTheMenuOfOneItemIsAsked() throws {
    let (screen, _, adapter) = try screen(.placed)
    let delegate = OneItemMenus()
    adapter.delegate = delegate
    #expect(screen.press(path(1))?.title == "one")
  }

  @Test(.timeLimit)
  func thePositionIsSavedAfterATapOnTheStatusBar() async throws {
    try bookcase.fill(60)
    let screen = try Screen(.placed, showing: bookcase.shelf, named: "main")
    screen.layOut()
    screen.view.headlessDrag(to: CGPoint(x: 0, y: 400))
    try screen.adapter.saveViewState()
    #expect(try bookcase.shelf.viewState(view: "main").anchor != nil)
    screen.view.headlessScrollToTop()
    // It is saved on another thread.
    try await screen.wait { try bookcase.shelf.viewState(view: "main").anchor == nil }
  }
}

/// A decoration of any content.
private final class CardView: UICollectionReusableView {}

extension ViewRegistry {
  /// Books, their headers, and two decorations.
  @MainActor fileprivate static var books: ViewRegistry {
    var views = ViewRegistry(
      fallback: .type(UICollectionViewCell.self),
      supplementaryFallback: .type(UICollectionReusableView.self))
    views.register([Book.self])
    views.register([ShelfHeader.self, TallHeader.self])
    for name in ["Card", "Line"] as [ViewName] {
      views.register(name, kind: decorationKind, .type(CardView.self))
    }
    return views
  }
}
