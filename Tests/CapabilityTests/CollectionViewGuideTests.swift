import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// What Apple's guide asks of a data source and a delegate.
@Suite @MainActor struct CollectionViewGuideTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private var shelf: LiveList { bookcase.shelf }

  private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

  private func questions(_ screen: Screen) -> Int {
    screen.collection?.headless.countQuestions ?? screen.table?.headless.countQuestions ?? 0
  }

  @Test(
    "2.2: how much there is the view asks once for each update, and not in between",
    arguments: ScreenKind.allCases)
  func countsAreAskedOnce(_ kind: ScreenKind) throws {
    try bookcase.fill(60)
    let screen = try Screen(kind, showing: shelf)
    screen.layOut()
    let first = questions(screen)
    for share in [0.3, 0.9, 0] { screen.scroll(to: share) }
    screen.tap(path(1))
    #expect(questions(screen) == first)
    try shelf.edit { list throws in
      try list.insert(Book(id: "new"), in: "a", at: .start)
      try list.delete("b4")
      try list.move("b7", to: .end)
    }
    #expect(questions(screen) == first)
    try screen.settle()
    #expect(questions(screen) == first + 1)
  }

  @Test(
    "2.3: a list without sections is shown, and so is a section without items",
    arguments: ScreenKind.allCases)
  func emptyListsAreShown(_ kind: ScreenKind) throws {
    let screen = try Screen(kind, showing: shelf)
    screen.layOut()
    #expect((screen.collection?.numberOfSections ?? screen.table?.numberOfSections) == 0)
    try shelf.edit { try $0.insertSection("a") }
    try screen.settle()
    #expect((screen.collection?.numberOfSections ?? screen.table?.numberOfSections) == 1)
    #expect(screen.visiblePaths.isEmpty)
    try shelf.edit { try $0.insert(Book(id: "x"), in: "a") }
    try screen.settle()
    #expect(screen.shown == ["x"])
  }

  /// A flow layout with a view of a kind of its own in the corner of each section.
  private final class BadgeLayout: UICollectionViewFlowLayout {
    override func layoutAttributesForElements(
      in rect: CGRect
    ) -> [UICollectionViewLayoutAttributes]? {
      let sections = 0..<(collectionView?.numberOfSections ?? 0)
      return (super.layoutAttributesForElements(in: rect) ?? [])
        + sections.compactMap {
          layoutAttributesForSupplementaryView(
            ofKind: "badge", at: IndexPath(item: 0, section: $0))
        }
    }

    override func layoutAttributesForSupplementaryView(
      ofKind elementKind: String, at indexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? {
      guard elementKind == "badge" else {
        return super.layoutAttributesForSupplementaryView(ofKind: elementKind, at: indexPath)
      }
      let attributes = UICollectionViewLayoutAttributes(
        forSupplementaryViewOfKind: elementKind, with: indexPath)
      attributes.frame = CGRect(x: 0, y: indexPath.section * 20, width: 20, height: 20)
      return attributes
    }
  }

  @Test("2.6, 2.12: a view of a kind that only the app's layout knows comes from the store")
  func kindsOfTheLayoutsOwn() throws {
    func badge(_ title: String) throws -> Supplementary {
      try Supplementary(ShelfHeader(title: title))
    }
    try shelf.edit { list throws in
      for section in ["a", "b", "c"] as [SectionID] { try list.insertSection(section) }
      try list.updateSection("b") { $0["badge"] = try badge("3") }
    }
    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.register([Book.self])
    views.register([ShelfHeader.self], kinds: ["badge"])
    let screen = try Screen(.flow, showing: shelf, collectionViews: views)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.collection?.setCollectionViewLayout(BadgeLayout(), animated: false)
    screen.layOut()
    func titles() -> [String?] {
      (0..<3).map { section in
        (screen.collection?.supplementaryView(
          forElementKind: "badge", at: IndexPath(item: 0, section: section)) as? HeaderView)?.title
      }
    }
    #expect(titles() == [nil, "3", nil])
    // It is its section's, wherever that goes, and changes in place.
    try shelf.edit { list throws in
      try list.moveSection("b", to: .start)
    }
    try screen.settle()
    #expect(titles().first == "3")
    try shelf.edit { try $0.updateSection("b") { $0["badge"] = try badge("4") } }
    try screen.settle()
    #expect(titles().first == "4")
  }

  /// A layout of an app: below the items of each section, three badges side by side.
  private final class ThreeBadgesLayout: UICollectionViewLayout {
    weak var adapter: CollectionAdapter?
    private static let sectionHeight: CGFloat = 100

    override var collectionViewContentSize: CGSize {
      CGSize(
        width: 320, height: Self.sectionHeight * CGFloat(collectionView?.numberOfSections ?? 0))
    }

    override func layoutAttributesForElements(
      in rect: CGRect
    ) -> [UICollectionViewLayoutAttributes]? {
      (0..<(collectionView?.numberOfSections ?? 0)).flatMap { section in
        let items = 0..<(collectionView?.numberOfItems(inSection: section) ?? 0)
        return items.map { attributes(ofItemAt: IndexPath(item: $0, section: section)) }
          + (0..<3).compactMap {
            layoutAttributesForSupplementaryView(
              ofKind: "badge", at: IndexPath(item: $0, section: section))
          }
      }
    }

    private func attributes(ofItemAt path: IndexPath) -> UICollectionViewLayoutAttributes {
      let attributes = UICollectionViewLayoutAttributes(forCellWith: path)
      attributes.frame = CGRect(
        x: CGFloat(path.item * 30), y: Self.sectionHeight * CGFloat(path.section), width: 30,
        height: 30)
      return attributes
    }

    override func layoutAttributesForItem(
      at indexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? { attributes(ofItemAt: indexPath) }

    override func layoutAttributesForSupplementaryView(
      ofKind elementKind: String, at indexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? {
      let attributes = UICollectionViewLayoutAttributes(
        forSupplementaryViewOfKind: elementKind, with: indexPath)
      let size = adapter?.size(
        of: .numbered("badge", indexPath.item), inSection: indexPath.section)
      attributes.frame = CGRect(
        x: CGFloat(indexPath.item * 100),
        y: Self.sectionHeight * CGFloat(indexPath.section) + 40, width: 100,
        height: size.map { CGFloat($0.height) } ?? 1)
      return attributes
    }
  }

  @Test("2.6: a section has several views of a kind, each at its own path")
  func severalViewsOfAKind() throws {
    func badge(_ title: String) throws -> Supplementary {
      try Supplementary(ShelfHeader(title: title))
    }
    try shelf.edit { list throws in
      for section in ["a", "b"] as [SectionID] { try list.insertSection(section) }
      try list.insert(Book(id: "x"), in: "a")
      try list.updateSection("a") {
        $0["badge"] = try badge("one")
        // Its kind was "tag" in an earlier release.
        $0[.numbered("tag", 2)] = try badge("three")
      }
    }
    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.register([Book.self])
    views.register([ShelfHeader.self, TallHeader.self], kinds: ["badge"])
    try views.aliasKind("tag", of: "badge")
    let screen = try Screen(.flow, showing: shelf, collectionViews: views)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    let layout = ThreeBadgesLayout()
    layout.adapter = screen.adapter as? CollectionAdapter
    screen.collection?.setCollectionViewLayout(layout, animated: false)
    screen.layOut()
    func view(_ number: Int, inSection section: Int = 0) -> HeaderView? {
      screen.collection?.supplementaryView(
        forElementKind: "badge", at: IndexPath(item: number, section: section)) as? HeaderView
    }
    func titles(inSection section: Int = 0) -> [String?] {
      (0..<3).map { view($0, inSection: section)?.title }
    }
    #expect(titles() == ["one", nil, "three"])
    #expect(titles(inSection: 1) == [nil, nil, nil])
    #expect(view(0)?.frame.height == 23)
    #expect(view(2)?.frame.height == 25)
    // In place, and only the one that changes; its size is its own.
    let third = view(2)
    try shelf.edit { list throws in
      try list.updateSection("a") { $0[.numbered("tag", 2)] = try badge("three!") }
    }
    try screen.settle()
    #expect(titles() == ["one", nil, "three!"])
    #expect(view(2) === third && third?.frame.height == 26)
    // One comes, one goes, one becomes another class.
    try shelf.edit { list throws in
      try list.updateSection("a") {
        $0["badge"] = nil
        $0[.numbered("badge", 1)] = try badge("two")
        $0[.numbered("tag", 2)] = try Supplementary(TallHeader(title: "tall"))
      }
    }
    try screen.settle()
    #expect(titles() == [nil, "two", "tall"])
    #expect(view(2) is TallHeaderView)
    // They go along with their section.
    try shelf.edit { try $0.moveSection("a", to: .end) }
    try screen.settle()
    #expect(titles(inSection: 1) == [nil, "two", "tall"])
    #expect(titles() == [nil, nil, nil])
    // Each has its size in the store.
    let measured = screen.adapter.measurementCount
    bookcase.repository.flushSizes()
    let second = try Screen(.flow, showing: shelf, collectionViews: views)
    #expect(second.adapter.size(of: .numbered("badge", 1), inSection: 1)?.height == 23)
    #expect(second.adapter.size(of: .numbered("badge", 2), inSection: 1)?.height == 90)
    #expect(measured > 0 && second.adapter.measurementCount == 0)
    #expect(try bookcase.repository.storedNames().views[.numbered("tag", 2)] == ["TallHeader": 1])
  }

  @Test(
    "2.12: a kind that has another name today is shown, also as a header",
    arguments: ScreenKind.allCases)
  func kindsOfEarlierReleases(_ kind: ScreenKind) throws {
    try bookcase.fill(2, layout: SectionLayout(kind: .list))
    func set(_ title: String) throws {
      try shelf.edit {
        try $0.updateSection("a") {
          $0["CHTHeader"] = try Supplementary(ShelfHeader(title: title))
        }
      }
    }
    try set("Old")
    var collectionViews = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    collectionViews.register([Book.self])
    collectionViews.register([ShelfHeader.self])
    try collectionViews.aliasKind("CHTHeader", of: "header")
    var tableViews = Screen.tableViews
    try tableViews.aliasKind("CHTHeader", of: "header")
    let screen = try Screen(
      kind, showing: shelf, collectionViews: collectionViews, tableViews: tableViews)
    screen.layOut()
    let header = try #require(screen.header(inSection: 0))
    #expect(header.title == "Old")
    #expect(screen.frame(of: "b0")?.minY == 23)
    try set("Older")
    try screen.settle()
    #expect(header.title == "Older")
    #expect(screen.frame(of: "b0")?.minY == 25)
    // Its size is kept under the name that the store has.
    bookcase.repository.flushSizes()
    let again = try Screen(
      kind, showing: shelf, collectionViews: collectionViews, tableViews: tableViews)
    again.layOut()
    #expect(again.adapter.measurementCount == 0)
  }

  @Test("2.12: a view that a layout shows always comes, goes and becomes another one")
  func viewsThatALayoutKeepsAskingFor() throws {
    try bookcase.fill(2)
    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.register([Book.self])
    views.register([ShelfHeader.self, TallHeader.self], kinds: ["badge"])
    let screen = try Screen(.flow, showing: shelf, collectionViews: views)
    screen.collection?.setCollectionViewLayout(BadgeLayout(), animated: false)
    screen.layOut()
    func badge() -> HeaderView? {
      screen.collection?.supplementaryView(
        forElementKind: "badge", at: path(0)) as? HeaderView
    }
    func set(_ badge: Supplementary?) throws {
      let raised = HeadlessException.raised {
        _ = try? shelf.edit { try $0.updateSection("a") { $0["badge"] = badge } }
        screen.adapter.update()
        screen.finishAnimations()
        screen.layOut()
      }
      #expect(raised.isEmpty)
    }
    #expect(badge() == nil)
    try set(try Supplementary(ShelfHeader(title: "1")))
    #expect(badge()?.title == "1")
    try set(try Supplementary(TallHeader(title: "2")))
    #expect(badge() is TallHeaderView)
    #expect(badge()?.title == "2")
    try set(nil)
    #expect(badge() == nil)
    screen.expectBalance()
  }

  @Test("2.11: each view is registered once, also an unknown one and one that the store has not")
  func viewsAreRegisteredOnce() throws {
    try bookcase.fill(2)
    try shelf.edit { try $0.insertSection("b") }
    let screen = try Screen(.flow, showing: shelf)
    screen.layOut()
    screen.collection?.setCollectionViewLayout(BadgeLayout(), animated: false)
    screen.layOut()
    try shelf.edit { list throws in
      for id in ["x", "y"] as [ItemID] {
        try list.insert(Item(id: id, cell: "Gone", content: "{}", type: "Film"), in: "b")
      }
      try list.insert(Book(id: "wide", isWide: true), in: "a")
      try list.insertSection("c")
    }
    try screen.settle()
    #expect(screen.visiblePaths.count == 5)
    #expect(
      screen.collection?.visibleSupplementaryViews(ofKind: "badge").count == 3)
    #expect(screen.mostRegistrations == 1)
  }

  @Test(
    "2.18: one item is selected, and several where the view allows it",
    arguments: ScreenKind.allCases)
  func oneOrSeveralAreSelected(_ kind: ScreenKind) throws {
    try bookcase.fill(4)
    let screen = try Screen(kind, showing: shelf)
    screen.layOut()
    for item in [0, 2] { screen.tap(path(item)) }
    #expect(screen.adapter.selection.items == ["b2"])
    #expect(screen.selectedPaths == [path(2)])
    screen.collection?.allowsMultipleSelection = true
    screen.table?.allowsMultipleSelection = true
    for item in [3, 0] { screen.tap(path(item)) }
    #expect(screen.adapter.selection.items == ["b2", "b3", "b0"])
    #expect(Set(screen.selectedPaths) == [path(0), path(2), path(3)])
    screen.tap(path(3))
    #expect(screen.adapter.selection.items == ["b2", "b0"])
  }

  @Test(
    "R11, R15: a view that was just told to load anew takes the next update all the same",
    arguments: ScreenKind.allCases)
  func updatesAfterAReload(_ kind: ScreenKind) throws {
    try bookcase.fill(4)
    let screen = try Screen(kind, showing: shelf)
    screen.layOut()
    screen.collection?.reloadData()
    screen.table?.reloadData()
    let raised = HeadlessException.raised {
      _ = try? shelf.edit { list throws in
        try list.delete("b0")
        try list.insert([Book(id: "x"), Book(id: "y")], in: "a")
      }
      screen.adapter.update()
      screen.finishAnimations()
    }
    #expect(raised.isEmpty)
    screen.layOut()
    #expect(screen.shown == ["b1", "b2", "b3", "x", "y"])
    // Four at first, four that were loaded anew before the update, and the two that came with it.
    #expect(screen.cells.displayed == 10)
    screen.expectBalance()
  }

  @Test("R14: an update is told after the one that still moves", arguments: ScreenKind.allCases)
  func updatesWaitForEachOther(_ kind: ScreenKind) throws {
    try bookcase.fill(4)
    let screen = try Screen(kind, showing: shelf)
    screen.layOut()
    let first = questions(screen)
    for id in ["b0", "b1", "b2"] as [ItemID] {
      try shelf.edit { try $0.delete(id) }
      screen.adapter.update()
    }
    #expect(questions(screen) == first + 1)
    #expect(screen.adapter.provider.numberOfItems == 3)
    // The two that waited are one.
    screen.finishAnimations()
    #expect(questions(screen) == first + 2)
    try screen.settle()
    #expect(screen.shown == ["b3"])
  }

  /// An item that is 30 points long in the direction of scrolling.
  private struct Strip: ListItem {
    var id: String
    func configure(_ cell: TextCell) {}
    func size(fitting room: Item.Room) -> Size? {
      room.axis == .vertical
        ? Size(width: room.length, height: 30) : Size(width: 30, height: room.length)
    }
  }

  @Test(
    "2.22: in a transition each layout gets the sizes and the spacing of its own direction",
    arguments: [false, true])
  func layoutsOfATransitionAskInTurn(_ isFlow: Bool) throws {
    let strips = bookcase.repository.liveList("strips", items: [Strip.self])
    try strips.replace { ListSection("a") { for id in ["x", "y"] { Strip(id: id) } } }
    let screen = try Screen(.flow, showing: strips)
    let view = try #require(screen.collection)
    screen.layOut()
    #expect(screen.frame(of: "y") == CGRect(x: 0, y: 40, width: 320, height: 30))
    let next: UICollectionViewLayout
    if isFlow {
      let flow = UICollectionViewFlowLayout()
      flow.scrollDirection = .horizontal
      flow.minimumLineSpacing = 7
      next = flow
    } else {
      let layout = ListCollectionLayout()
      layout.scrollDirection = .horizontal
      next = layout
    }
    let target = CGRect(x: isFlow ? 37 : 30, y: 0, width: 30, height: 480)
    let transition = view.startInteractiveTransition(to: next)
    screen.layOut()
    #expect(screen.frame(of: "y") == CGRect(x: 0, y: 40, width: 320, height: 30))
    transition.transitionProgress = 1
    transition.invalidateLayout()
    screen.layOut()
    #expect(screen.frame(of: "y") == target)
    let count = screen.adapter.measurementCount
    view.cancelInteractiveTransition()
    #expect(screen.frame(of: "y") == CGRect(x: 0, y: 40, width: 320, height: 30))
    view.setCollectionViewLayout(next, animated: true)
    screen.layOut()
    #expect(screen.frame(of: "y") == target)
    #expect(screen.adapter.measurementCount == count)
  }

  @Test(
    "R16: more changes than the policy allows load the view anew",
    arguments: ScreenKind.allCases)
  func manyChangesAreAReload(_ kind: ScreenKind) throws {
    try bookcase.fill(5)
    let list = bookcase.repository.liveList(
      "shelf", items: [Book.self],
      policy: UpdatePolicy(budget: ReloadBudget(changes: 3, changesPerItem: 0)))
    let screen = try Screen(kind, showing: list)
    screen.layOut()
    func displayedFor(_ count: Int) throws -> Int {
      let before = screen.cells.displayed
      try list.edit { editor throws in
        for _ in 0..<count { try editor.delete(at: IndexPath(item: 0, section: 0)) }
        try editor.insert((0..<count).map { Book(id: "\(before) \($0)") }, in: "a")
      }
      try screen.settle()
      #expect(screen.visiblePaths.count == 5)
      return screen.cells.displayed - before
    }
    #expect(try displayedFor(1) == 1)
    #expect(try displayedFor(2) == 5)
  }
}
