public import Cellar
public import CellarUIKit
public import Foundation
public import HeadlessUIKit
import ListModel
public import TestSupport
public import Testing

/// The views that a list can be shown in.
public enum ScreenKind: String, CaseIterable, Sendable {
  /// A collection view with UIKit's flow layout.
  case flow
  /// A collection view with Cellar's layout, sections as the store says.
  case placed
  /// A table view.
  case table
}

/// A view on a screen of 320 × 480 points that shows a list, and what tests ask of it.
@MainActor public final class Screen {
  /// Which view it is.
  public let kind: ScreenKind
  /// What the view is in.
  public let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  /// The view.
  public let view: UIScrollView
  /// What shows the list in it.
  public let adapter: ListAdapter

  /// A list on a screen.
  ///
  /// `size`: The size that the view is made with; `nil`: the window's.
  public init(
    _ kind: ScreenKind, showing list: some ShowableList, collectionViews: ViewRegistry? = nil,
    tableViews: ViewRegistry? = nil, named screen: String? = nil, size: CGSize? = nil
  ) throws {
    self.kind = kind
    let frame = size.map { CGRect(origin: .zero, size: $0) } ?? window.bounds
    switch kind {
    case .flow, .placed:
      let layout =
        kind == .flow ? UICollectionViewFlowLayout() : ListCollectionLayout()
      let view = UICollectionView(frame: frame, collectionViewLayout: layout)
      self.view = view
      window.addSubview(view)
      adapter = try CollectionAdapter(list, in: view, views: collectionViews, screen: screen)
    case .table:
      let view = UITableView(frame: frame, style: .plain)
      self.view = view
      window.addSubview(view)
      adapter = try TableAdapter(
        list, in: view, views: tableViews ?? Self.tableViews, screen: screen)
    }
  }

  /// The cells and headers of tables.
  public static var tableViews: ViewRegistry {
    var views = ViewRegistry(
      fallback: .type(UITableViewCell.self),
      supplementaryFallback: .type(UITableViewHeaderFooterView.self))
    views.register("BookCell", .type(BookRow.self))
    views.register("WideCell", .type(WideRow.self))
    for kind in [.header, .footer] as [Supplementary.Kind] {
      views.register("ShelfHeader", kind: kind, .type(TableHeaderView.self))
      views.register("TallHeader", kind: kind, .type(TallTableHeaderView.self))
    }
    return views
  }

  /// The view, if it is a collection view.
  public var collection: UICollectionView? { view as? UICollectionView }
  /// The view, if it is a table.
  public var table: UITableView? { view as? UITableView }

  // MARK: What it shows

  /// What is in sight, in order.
  public var visiblePaths: [IndexPath] {
    collection?.indexPathsForVisibleItems.sorted() ?? table?.indexPathsForVisibleRows ?? []
  }

  /// The cell at a path.
  public func cell(at path: IndexPath) -> UIView? {
    collection?.cellForItem(at: path) ?? table?.cellForRow(at: path)
  }

  /// The ids of the books in sight, in order.
  public var shown: [String] {
    visiblePaths.compactMap { (cell(at: $0) as? any BookView)?.book?.id }
  }

  /// The cell that shows an item.
  public func cell(of item: ItemID) -> (any BookView)? {
    (adapter as? CollectionAdapter)?.cell(of: item) as? any BookView
      ?? (adapter as? TableAdapter)?.cell(of: item) as? any BookView
  }

  /// Where an item is.
  public func frame(of item: ItemID) -> CGRect? {
    adapter.indexPath(of: item).flatMap { path in
      collection?.layoutAttributesForItem(at: path)?.frame ?? table?.rectForRow(at: path)
    }
  }

  /// The header of a section in sight.
  public func header(inSection section: Int) -> (any TitleView)? {
    collection?.supplementaryView(
      forElementKind: UICollectionView.elementKindSectionHeader,
      at: IndexPath(item: 0, section: section)) as? any TitleView
      ?? table?.headerView(forSection: section) as? any TitleView
  }

  /// How often cells were made and used.
  public var cells: HeadlessCounts {
    collection?.headless.cells ?? table?.headless.cells ?? .init()
  }

  /// How often headers were made and used.
  public var headers: HeadlessCounts {
    collection?.headless.supplementaryViews ?? table?.headless.headersAndFooters ?? .init()
  }

  /// How often the identifier was registered that was so most often.
  public var mostRegistrations: Int {
    collection?.headless.mostRegistrations ?? table?.headless.mostRegistrations ?? 0
  }

  /// What is selected.
  public var selectedPaths: [IndexPath] {
    collection?.indexPathsForSelectedItems ?? table?.indexPathsForSelectedRows ?? []
  }

  // MARK: What happens to it

  /// The user taps an item.
  public func tap(_ path: IndexPath) {
    collection?.headless.tap(itemAt: path)
    table?.headless.tap(rowAt: path)
  }

  /// The app selects an item in the view.
  public func select(_ path: IndexPath) {
    collection?.selectItem(at: path, animated: false, scrollPosition: [])
    table?.selectRow(at: path, animated: false, scrollPosition: .none)
  }

  /// The app deselects an item in the view.
  public func deselect(_ path: IndexPath) {
    collection?.deselectItem(at: path, animated: false)
    table?.deselectRow(at: path, animated: false)
  }

  /// The user presses an item long.
  public func press(_ path: IndexPath) -> UIMenu? {
    collection?.headless.press(itemsAt: [path]) ?? table?.headless.press(rowAt: path)
  }

  /// Ends what is animated.
  public func finishAnimations() {
    collection?.headless.finishAnimations()
    table?.headless.finishAnimations()
  }

  /// Scrolls to a share of the content.
  public func scroll(to share: Double) {
    view.headlessDrag(
      to: CGPoint(x: 0, y: share * max(0, view.contentSize.height - view.bounds.height)))
  }

  /// Lays the view out.
  public func layOut() { view.layoutIfNeeded() }

  /// Has the view compare what its cells show with the list, after each layout.
  public func check(_ expected: @escaping @MainActor (Item) -> HeadlessContent?) {
    let check: @MainActor (IndexPath) -> HeadlessContent? = { [weak adapter] path in
      guard let adapter else { return nil }
      guard let item = adapter.item(at: path) else { return HeadlessContent(identity: "nothing") }
      guard var content = expected(item) else { return nil }
      if adapter.isBetweenStages { content.version = nil }
      return content
    }
    collection?.headless.expectedContent = check
    table?.headless.expectedContent = check
  }

  /// As ``check(_:)`` for books.
  public func checkBooks() {
    let types = adapter.list.types
    check { item in
      (try? types.value(of: item) as? Book).map {
        HeadlessContent(identity: $0.id, version: $0.likes)
      } ?? HeadlessContent(identity: "no book")
    }
  }

  /// Brings it to the list as it is, and its animations to their end.
  public func settle() throws {
    for _ in 0..<4 {
      adapter.update()
      view.layoutIfNeeded()
      finishAnimations()
    }
    #expect(
      adapter.provider.revision == (try adapter.list.revision()))
  }

  /// Lets tasks run that the adapter began, until a condition holds; the test has a time limit.
  public func wait(until isDone: () throws -> Bool) async throws {
    while try !isDone() {
      try await Task.sleep(nanoseconds: 1_000_000)
      layOut()
      finishAnimations()
    }
    layOut()
  }

  /// How many cells were bound and unbound, and how many are.
  public var bindings: (bound: Int, unbound: Int, shown: Int) { adapter.bindings }
  /// The same of headers and footers.
  public var supplementaryBindings: (bound: Int, unbound: Int, shown: Int) {
    adapter.supplementaryBindings
  }

  /// What must hold whenever nothing moves.
  public func expectBalance(_ location: SourceLocation = #_sourceLocation) {
    #expect(bindings.bound - bindings.unbound == bindings.shown, sourceLocation: location)
    #expect(bindings.shown == visiblePaths.count, sourceLocation: location)
    #expect(cells.onDisplay == bindings.shown, sourceLocation: location)
    #expect(mostRegistrations == 1, sourceLocation: location)
  }
}

/// A store for one test, with a shelf in it.
public struct Bookcase {
  /// Holds the store.
  public let folder: TemporaryFolder
  /// The store.
  public let repository: Repository
  /// The list.
  public let shelf: LiveList

  /// A store without commits.
  public init(busyTimeout: Double = Repository.Options().busyTimeout) throws {
    folder = try TemporaryFolder()
    var options = Repository.Options()
    options.busyTimeout = busyTimeout
    repository = try Repository(at: folder.file("store.sqlite"), options: options)
    shelf = Self.shelf(of: repository)
  }

  /// The list in any Repository.
  public static func shelf(of repository: Repository) -> LiveList {
    repository.liveList(
      "shelf", items: [Book.self], supplementaries: [ShelfHeader.self, TallHeader.self])
  }

  /// Puts `b0`, `b1`, … into section `a`.
  public func fill(_ count: Int, layout: SectionLayout? = nil) throws {
    try shelf.edit { list throws in
      try list.insertSection("a", SectionAttributes(layout: layout))
      try list.insert((0..<count).map { Book(id: "b\($0)") }, in: "a")
    }
  }
}

extension ListTree {
  /// The digest of its state, as the programs of the tests print it.
  public var stateDigest: String { "\(StateDigest(self).value)" }
}
