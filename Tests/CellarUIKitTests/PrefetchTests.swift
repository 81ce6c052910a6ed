import CellarUIKit
import Foundation
import GRDB
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import ScreenSupport
import StoreFiles
import TestSupport
import Testing

/// What is read before cells ask for it, and what costs no statement at all.
@Suite @MainActor struct PrefetchTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let log = StatementLog()

  /// The statements that SQLite ran for a closure, on the closure's thread.
  private final class StatementLog: Sendable {
    private struct Record: Sendable {
      var thread: ObjectIdentifier?
      var statements: [String] = []
    }

    private let record = Guarded(Record())

    func attach(to db: Database) {
      db.trace { event in
        let (sql, thread) = ("\(event)", ObjectIdentifier(Thread.current))
        self.record.withValue { if $0.thread == thread { $0.statements.append(sql) } }
      }
    }

    func statements(of body: () throws -> Void) rethrows -> [String] {
      record.withValue { $0 = Record(thread: ObjectIdentifier(Thread.current)) }
      try body()
      return record.withValue { record in
        defer { record = Record() }
        return record.statements
      }
    }
  }

  init() throws {
    folder = try TemporaryFolder()
    var options = Repository.Options()
    options.prepareConnection = { [log] db in log.attach(to: db) }
    repository = try Repository(at: folder.file("store.sqlite"), options: options)
  }

  private var shelf: LiveList { Bookcase.shelf(of: repository) }

  private func fill(_ count: Int) throws {
    try shelf.edit { list throws in
      try list.insertSection("a", SectionAttributes(layout: SectionLayout(kind: .list)))
      try list.insert((0..<count).map { Book(id: "b\($0)", likes: $0 % 7) }, in: "a")
    }
  }

  /// A screen that shows the list for the second time: sizes are stored.
  private func screen(_ kind: ScreenKind) throws -> Screen {
    let screen = try Screen(kind, showing: shelf)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.checkBooks()
    screen.layOut()
    return screen
  }

  /// To the end of the list where `CELLAR_SEEDS` asks for more than the usual: it takes minutes.
  @Test(arguments: [ScreenKind.placed, .table])
  func scrollingReadsNothingOnTheMainThread(_ kind: ScreenKind) throws {
    try fill(10_000)
    let screen = try screen(kind)
    // The view announces what is below when it is scrolled down for the first time.
    screen.view.headlessDrag(to: CGPoint(x: 0, y: 10))
    var seen: Set<String> = Set(screen.shown)
    let goal = SeededGenerator.asksForMore ? 10_000 : 300
    var offset: CGFloat = 10
    while seen.count < goal, offset < screen.view.contentSize.height {
      screen.adapter.finishPrefetching()
      offset += 400
      let read = log.statements {
        screen.view.headlessDrag(to: CGPoint(x: 0, y: offset))
      }
      guard read.isEmpty else {
        Issue.record("at \(offset): \(read)")
        return
      }
      seen.formUnion(screen.shown)
    }
    #expect(seen.count >= goal)
  }

  @Test(arguments: ScreenKind.allCases)
  func tapsBindingsAndPathsOfItemsInSightRunNoStatement(_ kind: ScreenKind) throws {
    try fill(200)
    let screen = try screen(kind)
    var tapped: [String] = []
    screen.adapter.handlers.on(.select, of: Book.self) { book, _ in tapped.append(book.id) }
    let paths = screen.visiblePaths.sorted()
    let read = log.statements {
      for path in paths {
        let item = screen.adapter.itemID(at: path)
        #expect(item.flatMap { screen.adapter.indexPath(of: $0) } == path)
        #expect(item.flatMap { screen.adapter.provider.path(of: $0) }?.item == path.item)
        screen.tap(path)
      }
    }
    #expect(read == [])
    #expect(tapped == paths.map { "b\($0.item)" })
    // The selection is restored after an update, whose commit is all that is read.
    try shelf.edit { try $0.insert(Book(id: "new"), in: "a", at: .start) }
    let updated = log.statements { screen.adapter.update() }
    #expect(!updated.contains { $0.contains("FROM item ") }, "\(updated)")
    let selected = screen.selectedPaths.compactMap { screen.adapter.itemID(at: $0)?.rawValue }
    #expect(selected == [tapped.last])
  }

  /// Notes what it is called for.
  private final class Announcements: NSObject, UICollectionViewDataSourcePrefetching,
    UITableViewDataSourcePrefetching
  {
    var events: [String] = []
    func collectionView(_ view: UICollectionView, prefetchItemsAt paths: [IndexPath]) {
      events.append("+\(paths.count)")
    }
    func collectionView(
      _ view: UICollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]
    ) { events.append("-\(paths.count)") }
    func tableView(_ view: UITableView, prefetchRowsAt paths: [IndexPath]) {
      events.append("+\(paths.count)")
    }
    func tableView(_ view: UITableView, cancelPrefetchingForRowsAt paths: [IndexPath]) {
      events.append("-\(paths.count)")
    }
  }

  @Test(arguments: ScreenKind.allCases)
  func theAppsPrefetchDataSourceGetsItsCalls(_ kind: ScreenKind) throws {
    try fill(200)
    let screen = try screen(kind)
    let announcements = Announcements()
    (screen.adapter as? CollectionAdapter)?.prefetchDataSource = announcements
    (screen.adapter as? TableAdapter)?.prefetchDataSource = announcements
    screen.scroll(to: 0.5)
    #expect(announcements.events.last?.hasPrefix("+") == true)
    screen.view.headlessDrag(to: CGPoint(x: 0, y: screen.view.contentOffset.y - 5))
    let signs = announcements.events.suffix(2).map(\.first)
    #expect(signs == ["-", "+"])
  }

  /// What the view announced of a revision may not be there any more when it is read.
  @Test func pathsOfSeveralRevisionsAreReadInTheirOwn() throws {
    try fill(3)
    try shelf.edit { list throws in
      try list.insertSection("b")
      try list.insert([Book(id: "x")], in: "b")
    }
    let before = try shelf.provider()
    try shelf.edit { try $0.deleteSection("b") }
    let after = try shelf.provider()
    let queue = DispatchQueue(label: "prefetch")
    let prefetch = ItemPrefetch(on: queue)
    queue.suspend()
    prefetch.add([ItemPath(section: 1, item: 0)], of: before, sizedFor: [:])
    prefetch.add([ItemPath(section: 0, item: 0)], of: after, sizedFor: [:])
    queue.resume()
    prefetch.finish()
    let read = log.statements { #expect(after.item(at: ItemPath(section: 0, item: 0)) != nil) }
    #expect(read == [])
  }
}
