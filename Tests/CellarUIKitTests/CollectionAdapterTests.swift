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

/// What only collection views do.
@Suite @MainActor struct CollectionAdapterTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private func screen(_ count: Int, _ kind: ScreenKind = .flow) throws -> (
    screen: Screen, view: UICollectionView, adapter: CollectionAdapter
  ) {
    try bookcase.fill(count)
    let screen = try Screen(kind, showing: bookcase.shelf)
    screen.checkBooks()
    screen.layOut()
    return (
      screen, try #require(screen.collection), try #require(screen.adapter as? CollectionAdapter)
    )
  }

  private func path(_ item: Int, _ section: Int = 0) -> IndexPath {
    IndexPath(item: item, section: section)
  }

  // MARK: Delegate

  /// Notes what it is told, and forbids what begins with "no".
  private final class Delegate: NSObject, UICollectionViewDelegate {
    var told: [String] = []
    var forbidden: Set<String> = []

    private func tell(_ what: String) -> Bool {
      told.append(what)
      return !forbidden.contains(what)
    }

    func collectionView(
      _ collectionView: UICollectionView, shouldHighlightItemAt indexPath: IndexPath
    ) -> Bool { tell("shouldHighlight") }
    func collectionView(
      _ collectionView: UICollectionView, didHighlightItemAt indexPath: IndexPath
    ) { _ = tell("didHighlight") }
    func collectionView(
      _ collectionView: UICollectionView, didUnhighlightItemAt indexPath: IndexPath
    ) { _ = tell("didUnhighlight") }
    func collectionView(
      _ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath
    ) -> Bool { tell("shouldSelect") }
    func collectionView(
      _ collectionView: UICollectionView, shouldDeselectItemAt indexPath: IndexPath
    ) -> Bool { tell("shouldDeselect") }
    func collectionView(
      _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
    ) { _ = tell("didSelect") }
    func collectionView(
      _ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath
    ) { _ = tell("didDeselect") }
    func collectionView(
      _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
      forItemAt indexPath: IndexPath
    ) { _ = tell("willDisplay") }
    func collectionView(
      _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
      forItemAt indexPath: IndexPath
    ) { _ = tell("didEndDisplaying") }
    func collectionView(
      _ collectionView: UICollectionView,
      willDisplaySupplementaryView view: UICollectionReusableView,
      forElementKind elementKind: String, at indexPath: IndexPath
    ) { _ = tell("willDisplaySupplementary") }
    func collectionView(
      _ collectionView: UICollectionView,
      didEndDisplayingSupplementaryView view: UICollectionReusableView,
      forElementOfKind elementKind: String, at indexPath: IndexPath
    ) { _ = tell("didEndDisplayingSupplementary") }
    func collectionView(
      _ collectionView: UICollectionView,
      contextMenuConfigurationForItemsAt indexPaths: [IndexPath], point: CGPoint
    ) -> UIContextMenuConfiguration? {
      _ = tell("menu")
      return nil
    }
    func scrollViewDidScroll(_ scrollView: UIScrollView) { _ = tell("didScroll") }
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { _ = tell("willBeginDragging") }
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
      _ = tell("didEndDragging")
    }
  }

  @Test func highlightComesBeforeSelectionAndSelectionLast() throws {
    let (_, view, adapter) = try screen(3)
    let delegate = Delegate()
    adapter.delegate = delegate
    adapter.handlers.on(.select, of: Book.self) { _, _ in delegate.told.append("handler") }
    delegate.told = []
    view.headless.tap(itemAt: path(1))
    #expect(
      delegate.told == [
        "shouldHighlight", "didHighlight", "shouldSelect", "didUnhighlight", "handler", "didSelect",
      ])
    delegate.told = []
    delegate.forbidden = ["shouldSelect"]
    view.headless.tap(itemAt: path(0))
    #expect(
      delegate.told == ["shouldHighlight", "didHighlight", "shouldSelect", "didUnhighlight"])
    #expect(adapter.selection.items == ["b1"])
    delegate.told = []
    delegate.forbidden = ["shouldHighlight"]
    view.headless.tap(itemAt: path(0))
    #expect(delegate.told == ["shouldHighlight"])
    view.allowsMultipleSelection = true
    delegate.told = []
    delegate.forbidden = []
    view.headless.tap(itemAt: path(2))
    view.headless.tap(itemAt: path(1))
    #expect(adapter.selection.items == ["b2"])
    let last = delegate.told.suffix(3)
    #expect(last == ["shouldDeselect", "didUnhighlight", "didDeselect"])
  }

  @Test func theDelegateIsToldOfEverythingElse() throws {
    try bookcase.shelf.edit { list throws in
      try list.insertSection(
        "z", SectionAttributes(header: try Supplementary(ShelfHeader(title: "Z"))))
    }
    let (screen, view, adapter) = try screen(60)
    let delegate = Delegate()
    adapter.delegate = delegate
    view.headlessBeginDragging()
    screen.scroll(to: 1)
    view.headlessEndDragging()
    screen.scroll(to: 0)
    #expect(screen.press(path(0, 1)) == nil)
    #expect(
      Set(delegate.told) == [
        "willBeginDragging", "didScroll", "didEndDragging", "willDisplay", "didEndDisplaying",
        "didEndDisplayingSupplementary", "willDisplaySupplementary", "menu",
      ])
  }

  // MARK: Sections

  @Test func theLayoutKeepsSectionsApart() throws {
    let (screen, view, _) = try screen(2, .placed)
    let layout = try #require(view.collectionViewLayout as? ListCollectionLayout)
    try bookcase.shelf.edit { list throws in
      try list.insertSection("b")
      try list.insert(Book(id: "x"), in: "b")
    }
    try screen.settle()
    #expect(screen.frame(of: "x")?.minY == 80)
    layout.sectionSpacing = 25
    screen.layOut()
    #expect(screen.frame(of: "b1")?.minY == 40)
    #expect(screen.frame(of: "x")?.minY == 105)
    try bookcase.shelf.edit { try $0.delete("b0") }
    try screen.settle()
    #expect(screen.frame(of: "x")?.minY == 65)
    #expect(view.contentSize.height == 105)
  }

  // MARK: Reordering

  @Test(arguments: [ScreenKind.flow, .placed])
  func aDropIsAMoveInTheStore(_ kind: ScreenKind) throws {
    let (screen, view, adapter) = try screen(5, kind)
    #expect(!view.headless.dragItem(at: path(0), to: path(3)))
    adapter.canMove = { $0 != "b4" }
    #expect(!view.headless.dragItem(at: path(4), to: path(3)))
    let raised = HeadlessException.raised {
      #expect(view.headless.dragItem(at: path(0), to: path(3)))
      view.headless.finishAnimations()
    }
    #expect(raised.isEmpty)
    try screen.settle()
    #expect(screen.shown == ["b1", "b2", "b3", "b0", "b4"])
    #expect(try bookcase.repository.tree(of: "shelf") == adapter.provider.tree)
    #expect(view.headless.dragItem(at: path(3), to: path(0)))
    try screen.settle()
    #expect(screen.shown == ["b0", "b1", "b2", "b3", "b4"])
    // The cells went along: none was made anew for it.
    #expect(screen.cells.displayed == 5)
    screen.expectBalance()
  }

  /// A log may say of two neighbours that change places that the other one moved.
  @Test(arguments: [(0, 1), (1, 0), (2, 3), (4, 3)])
  func neighboursThatChangePlacesAreNotLoadedAgain(_ from: Int, _ to: Int) throws {
    let (screen, view, adapter) = try screen(5)
    adapter.canMove = { _ in true }
    #expect(view.headless.dragItem(at: path(from), to: path(to)))
    #expect(!adapter.isBetweenStages)
    try screen.settle()
    var books = ["b0", "b1", "b2", "b3", "b4"]
    books.swapAt(from, to)
    #expect(screen.shown == books)
    #expect(screen.cells.displayed == 5)
    screen.expectBalance()
  }

  /// The drop changes nothing in the store, and the one new commit moves another item.
  @Test(.timeLimit)
  func aDropThatTheStoreHasAlreadyShowsWhatOthersMoved() async throws {
    let (screen, view, adapter) = try screen(3)
    adapter.canMove = { _ in true }
    try await bookcase.shelf.edit { try $0.move("b0", to: .end) }
    #expect(view.headless.dragItem(at: path(1), to: path(0)))
    while adapter.isBetweenStages { await Task.yield() }
    try screen.settle()
    #expect(screen.shown == ["b1", "b2", "b0"])
    screen.expectBalance()
  }

  @Test func aDropBetweenWhatOthersChangedGoesBetweenTheSameItems() throws {
    let (screen, view, adapter) = try screen(5)
    adapter.canMove = { _ in true }
    // Not told to the view yet.
    try bookcase.shelf.edit { list throws in
      try list.insert(Book(id: "new"), in: "a", at: .start)
      try list.delete("b1")
    }
    let raised = HeadlessException.raised {
      #expect(view.headless.dragItem(at: path(4), to: path(3)))
      view.headless.finishAnimations()
      screen.layOut()
    }
    #expect(raised.isEmpty)
    let items = try bookcase.repository.tree(of: "shelf").sections[0].items
    #expect(items.map(\.id.rawValue) == ["new", "b0", "b2", "b4", "b3"])
    #expect(adapter.isBetweenStages)
  }

  @Test(arguments: [false, true])
  func aDropBehindAnItemThatHasGoneGoesToItsIndex(_ isElsewhere: Bool) throws {
    let (_, view, adapter) = try screen(4)
    var problems: [String] = []
    adapter.onProblem = { problems.append("\($0)") }
    adapter.canMove = { _ in true }
    // Not told to the view yet.
    try bookcase.shelf.edit { list throws in
      try list.insertSection("z", at: .end)
      if isElsewhere {
        try list.move("b0", in: "z", to: .start)
      } else {
        try list.delete("b0")
      }
    }
    #expect(view.headless.dragItem(at: path(3), to: path(1)))
    #expect(problems.isEmpty)
    let items = try bookcase.repository.tree(of: "shelf").sections[0].items
    #expect(items.map(\.id.rawValue) == ["b1", "b3", "b2"])
  }

  @Test(.timeLimit)
  func afterADropTheRestIsShownToo() async throws {
    let (screen, view, adapter) = try screen(3)
    adapter.canMove = { _ in true }
    try await bookcase.shelf.edit { try $0.insert(Book(id: "new"), in: "a", at: .start) }
    #expect(view.headless.dragItem(at: path(2), to: path(0)))
    while adapter.provider.numberOfItems < 4 { await Task.yield() }
    try screen.settle()
    #expect(screen.shown == ["b2", "new", "b0", "b1"])
    screen.expectBalance()
  }

  /// The section that the last item leaves hides itself: the view must not hear of that in the
  /// drop.
  @Test(.timeLimit)
  func aDropThatEmptiesASectionWhichThenHides() async throws {
    try await bookcase.shelf.edit { list throws in
      try list.insertSection("z", SectionAttributes(visibility: .hiddenWhenEmpty))
      try list.insert(Book(id: "last"), in: "z")
    }
    let (screen, view, adapter) = try screen(2)
    adapter.canMove = { _ in true }
    #expect(view.numberOfSections == 2)
    let raised = HeadlessException.raised {
      #expect(view.headless.dragItem(at: path(0), to: path(1, 1)))
      view.headless.finishAnimations()
    }
    #expect(raised.isEmpty)
    while adapter.isBetweenStages { await Task.yield() }
    try screen.settle()
    #expect(view.numberOfSections == 1)
    #expect(Set(screen.shown) == ["b0", "b1", "last"])
    #expect(adapter.provider.tree == (try bookcase.repository.tree(of: "shelf")))
    screen.expectBalance()
  }

  // MARK: Layout

  @Test func aWaterfallIsPlacedAsTheStoreSays() throws {
    try bookcase.shelf.edit { list throws in
      try list.insertSection(
        "w",
        SectionAttributes(
          layout: SectionLayout(
            kind: .waterfall, columns: 2, lineSpacing: 4, interitemSpacing: 20,
            insets: Insets(top: 10, left: 50, bottom: 0, right: 50)),
          header: try Supplementary(ShelfHeader(title: "12345"))))
      for (index, likes) in [0, 2, 1, 0].enumerated() {
        try list.insert(Book(id: "w\(index)", likes: likes), in: "w")
      }
    }
    let screen = try Screen(.placed, showing: bookcase.shelf)
    screen.layOut()
    // Columns of (320 - 100 - 20) / 2 = 100 points, below a header of 25 and an inset of 10.
    #expect(screen.frame(of: "w0") == CGRect(x: 50, y: 35, width: 100, height: 40))
    #expect(screen.frame(of: "w1") == CGRect(x: 170, y: 35, width: 100, height: 58))
    #expect(screen.frame(of: "w2") == CGRect(x: 50, y: 79, width: 100, height: 49))
    #expect(screen.frame(of: "w3") == CGRect(x: 170, y: 97, width: 100, height: 40))
    #expect(screen.view.contentSize == CGSize(width: 320, height: 137))
    // A like makes a book higher, and what is below it goes down.
    try bookcase.shelf.edit { try $0.update("w0", as: Book.self) { $0.likes = 1 } }
    try screen.settle()
    #expect(screen.frame(of: "w2") == CGRect(x: 50, y: 88, width: 100, height: 49))
    #expect(screen.frame(of: "w3")?.minY == 97)
  }

  @Test func aHeaderStaysInSightWhereItIsPinned() throws {
    try bookcase.fill(40, layout: SectionLayout(kind: .list))
    try bookcase.shelf.edit { list throws in
      try list.updateSection("a") { $0.header = try Supplementary(ShelfHeader(title: "A")) }
    }
    let screen = try Screen(.placed, showing: bookcase.shelf)
    let layout = try #require(screen.collection?.collectionViewLayout as? ListCollectionLayout)
    layout.pinsHeaders = true
    screen.layOut()
    screen.scroll(to: 0.5)
    let header = try #require(screen.header(inSection: 0) as? HeaderView)
    #expect(header.frame.minY == screen.view.contentOffset.y)
    layout.pinsHeaders = false
    screen.layOut()
    #expect(screen.header(inSection: 0) == nil)
  }

  /// Takes what the store says of a decoration.
  private final class CardView: UICollectionReusableView {
    var content: JSON?
    override func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {
      content = (layoutAttributes as? DecorationAttributes)?.decoration?.content
    }
  }

  @Test func decorationsStandWhereTheStoreSays() throws {
    try bookcase.fill(2, layout: SectionLayout(kind: .list))
    try bookcase.shelf.edit { list throws in
      try list.updateSection("a") {
        $0.header = try Supplementary(ShelfHeader(title: "A"))
        $0.decorations = [
          Decoration(view: "Card", content: "{\"color\":\"red\"}"),
          Decoration(
            view: "Card", element: .items,
            insets: Insets(top: 5, left: 10, bottom: 5, right: 10)),
          Decoration(view: "Gone", element: .footer),
        ]
      }
    }
    var views = ViewRegistry(
      fallback: .type(UICollectionViewCell.self),
      supplementaryFallback: .type(UICollectionReusableView.self))
    views.register([Book.self])
    views.register([ShelfHeader.self, TallHeader.self])
    views.register("Card", kind: ViewRegistry.decorationKind, .type(CardView.self))
    let screen = try Screen(.placed, showing: bookcase.shelf, collectionViews: views)
    screen.layOut()
    func cards() -> [CardView] {
      screen.view.subviews.compactMap { $0 as? CardView }.sorted { $0.frame.minY < $1.frame.minY }
    }
    // A header of 21 points, two items of 40; the section has no footer to decorate.
    #expect(
      cards().map(\.frame) == [
        CGRect(x: 0, y: 0, width: 320, height: 101), CGRect(x: 10, y: 26, width: 300, height: 70),
      ])
    #expect(cards().first?.content == "{\"color\":\"red\"}")
    try bookcase.shelf.edit { try $0.updateSection("a") { $0.decorations = [] } }
    try screen.settle()
    #expect(cards().isEmpty)
  }

  @Test func aListScrollsHorizontallyToo() throws {
    try bookcase.fill(30, layout: SectionLayout(kind: .list, lineSpacing: 5))
    let screen = try Screen(.placed, showing: bookcase.shelf)
    let layout = try #require(screen.collection?.collectionViewLayout as? ListCollectionLayout)
    layout.scrollDirection = .horizontal
    screen.layOut()
    #expect(screen.frame(of: "b1") == CGRect(x: 105, y: 0, width: 100, height: 480))
    screen.view.headlessDrag(to: CGPoint(x: 1_000, y: 0))
    let first = try #require(screen.shown.first.map { ItemID(stringLiteral: $0) })
    let distance = try #require(screen.frame(of: first)).minX - screen.view.contentOffset.x
    try bookcase.shelf.edit { try $0.insert(Book(id: "new"), in: "a", at: .start) }
    try screen.settle()
    #expect(try #require(screen.frame(of: first)).minX - screen.view.contentOffset.x == distance)
  }

  @Test func whatIsSeenStaysWhileLongerItemsComeIntoSightAbove() throws {
    try bookcase.shelf.edit { list throws in
      try list.insertSection("a", SectionAttributes(layout: SectionLayout(kind: .list)))
      try list.insert((0..<200).map { Book(id: "b\($0)", likes: $0) }, in: "a")
    }
    let screen = try Screen(.placed, showing: bookcase.shelf)
    screen.checkBooks()
    screen.layOut()
    screen.scroll(to: 0.8)
    for _ in 0..<40 {
      let first = try #require(screen.shown.first.map { ItemID(stringLiteral: $0) })
      let before = try #require(screen.frame(of: first)).minY - screen.view.contentOffset.y
      screen.view.headlessDrag(to: CGPoint(x: 0, y: screen.view.contentOffset.y - 35))
      let after = try #require(screen.frame(of: first)).minY - screen.view.contentOffset.y
      #expect(abs(after - before - 35) < 0.001)
    }
  }

  // MARK: A diffable data source of the app's

  @Test func aDiffableDataSourceIsKeptAtTheList() throws {
    try bookcase.fill(4)
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: UICollectionViewFlowLayout())
    window.addSubview(view)
    view.register(BookCell.self, forCellWithReuseIdentifier: "book")
    let shelf = bookcase.shelf
    let source = UICollectionViewDiffableDataSource<SectionID, ItemID>(collectionView: view) {
      view, path, id in
      let cell = view.dequeueReusableCell(withReuseIdentifier: "book", for: path)
      // What a cell shows is asked of the store: the follower may not be there yet.
      let provider = try? shelf.provider()
      (cell as? BookCell)?.book = provider?.path(of: id).flatMap { provider?.item(at: $0) }
        .flatMap { try? shelf.types.value(of: $0) as? Book }
      return cell
    }
    let follower = try DiffableFollower(shelf, source)
    view.layoutIfNeeded()
    #expect(source.snapshot().itemIdentifiers == ["b0", "b1", "b2", "b3"])
    try shelf.edit { list throws in
      try list.insertSection("first", at: .start)
      try list.move("b3", in: "first", to: .start)
      try list.delete("b1")
      try list.update("b0", as: Book.self) { $0.likes = 3 }
    }
    follower.update()
    view.headless.finishAnimations()
    view.layoutIfNeeded()
    #expect(source.snapshot().sectionIdentifiers == ["first", "a"])
    #expect(source.snapshot().itemIdentifiers == ["b3", "b0", "b2"])
    #expect((view.cellForItem(at: path(0, 1)) as? BookCell)?.book?.likes == 3)
    #expect(view.headless.cells.reconfigured == 1)
  }
}
