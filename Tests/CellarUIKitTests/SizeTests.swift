import CellarUIKit
import Foundation
import GRDB
import HeadlessUIKit
import ListLayout
import ListModel
import ListStore
import ListSync
import ListItems
import Providers
import ScreenSupport
import StoreFiles
import TestSupport
import Testing

/// A cell that is measured by asking one: as high as its text has lines.
final class NoteCell: UICollectionViewCell {
  var text = ""

  override func sizeThatFits(_ size: CGSize) -> CGSize {
    // Letters of 10 × 20 points, more for larger text.
    let scale: CGFloat = traitCollection.preferredContentSizeCategory == .extraLarge ? 2 : 1
    let lines = (CGFloat(text.count) * 10 * scale / size.width).rounded(.up)
    return CGSize(width: size.width, height: lines * 20 * scale)
  }
}

struct Note: ListItem {
  var id: String, text: String
  static var measuring: ViewMeasuring { .sizeThatFits }
  func configure(_ cell: NoteCell) { cell.text = text }
}

/// What SQLite ran, on all connections.
private final class StatementLog: Sendable {
  private let ran = Guarded<[String]>([])

  var statements: [String] { ran.withValue { $0 } }

  func attach(to db: Database) {
    db.trace { event in
      let sql = "\(event)"
      self.ran.withValue { $0.append(sql) }
    }
  }
}

/// Sizes come from the store; where it has none, a cell made apart is measured, once.
@Suite(.serialized) @MainActor struct SizeTests {
  private let folder: TemporaryFolder
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 300, height: 400))

  init() throws { folder = try TemporaryFolder() }

  private func repository() throws -> Repository {
    try Repository(at: folder.file("store.sqlite"))
  }

  private func fill(_ repository: Repository, _ count: Int) throws {
    try repository.edit("notes") { list throws in
      try list.insertSection("a", SectionAttributes(layout: SectionLayout(kind: .list)))
      try list.insert(
        (0..<count).map { Note(id: "n\($0)", text: String(repeating: "x", count: 20 + $0 % 90)) },
        in: "a")
    }
  }

  private func screen(
    _ repository: Repository, _ layout: UICollectionViewLayout = ListCollectionLayout()
  ) throws -> (view: UICollectionView, adapter: CollectionAdapter) {
    let view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
    window.addSubview(view)
    let adapter = try CollectionAdapter(
      repository.liveList("notes", items: [Note.self]), in: view)
    adapter.onProblem = { Issue.record("\($0)") }
    view.layoutIfNeeded()
    return (view, adapter)
  }

  private func height(_ view: UICollectionView, _ item: Int) -> CGFloat? {
    view.layoutAttributesForItem(at: IndexPath(item: item, section: 0))?.frame.height
  }

  @Test func aCellIsMeasuredOnceAndNeverDequeuedForIt() throws {
    let repository = try repository()
    try fill(repository, 200)
    let (view, adapter) = try screen(repository)
    let shown = view.visibleCells.count
    #expect(adapter.measurementCount == shown)
    #expect(view.headless.cells.dequeued == shown)
    #expect(view.headless.cells.bound == shown)
    #expect(height(view, 0) == 20)
    #expect(height(view, 11) == 40)
    // There and back: nothing is measured twice.
    view.headless.scroll(to: CGPoint(x: 0, y: 1_000))
    let after = adapter.measurementCount
    #expect(after > shown)
    view.headless.scroll(to: .zero)
    view.headless.scroll(to: CGPoint(x: 0, y: 1_000))
    #expect(adapter.measurementCount == after)
  }

  @Test func theFlowLayoutIsAnsweredFromTheStoreToo() throws {
    let repository = try repository()
    try fill(repository, 50)
    do {
      let (_, adapter) = try screen(repository, UICollectionViewFlowLayout())
      #expect(adapter.measurementCount == 50)
    }
    repository.flushSizes()
    let (view, adapter) = try screen(repository, UICollectionViewFlowLayout())
    #expect(adapter.measurementCount == 0)
    #expect(height(view, 11) == 40)
  }

  @Test func aChangeOfContentMeasuresOneItem() throws {
    let repository = try repository()
    try fill(repository, 100)
    let (view, adapter) = try screen(repository)
    let before = adapter.measurementCount
    let offset = try #require(
      view.layoutAttributesForItem(at: IndexPath(item: 3, section: 0))?.frame.minY)
    try adapter.list.edit { list in
      try list.update("n1", as: Note.self) { $0.text = String(repeating: "y", count: 65) }
    }
    adapter.update()
    view.headless.finishAnimations()
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == before + 1)
    #expect(height(view, 1) == 60)
    #expect(
      view.layoutAttributesForItem(at: IndexPath(item: 3, section: 0))?.frame.minY == offset + 40)
  }

  @Test(arguments: [false, true]) func setNeedsLayoutMeasuresAgain(_ isFlow: Bool) throws {
    let repository = try repository()
    try fill(repository, 3)
    let layout = isFlow ? UICollectionViewFlowLayout() : ListCollectionLayout()
    let (view, adapter) = try screen(repository, layout)
    #expect(adapter.measurementCount == 3)
    adapter.setNeedsLayout(of: "n1")
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 4)
    adapter.setNeedsLayout(ofSection: "a")
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 7)
    // It is so in the store as well: nobody has seen the item before the app ended.
    adapter.provider.setNeedsLayout(at: ItemPath(section: 0, item: 2))
    repository.flushSizes()
    let again = try screen(repository, ListCollectionLayout())
    #expect(again.adapter.measurementCount == 1)
  }

  @Test(arguments: [false, true])
  func setNeedsLayoutBeforeTheFirstLookMeasuresAgain(_ isFlow: Bool) throws {
    let first = try repository()
    try fill(first, 3)
    #expect(try screen(first).adapter.measurementCount == 3)
    first.flushSizes()
    // The next launch has read no size yet, and the store is told later.
    let repository = try repository()
    let view = UICollectionView(
      frame: window.bounds,
      collectionViewLayout: isFlow ? UICollectionViewFlowLayout() : ListCollectionLayout())
    window.addSubview(view)
    let adapter = try CollectionAdapter(
      repository.liveList("notes", items: [Note.self]), in: view)
    adapter.setNeedsLayout(of: "n1")
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 1)
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 1)
    repository.flushSizes()
    #expect(try screen(repository).adapter.measurementCount == 0)
  }

  @Test func anotherSizeOfTextMeasuresAgainAndTheWayBackIsKept() throws {
    let repository = try repository()
    try fill(repository, 5)
    let (view, adapter) = try screen(repository)
    #expect(adapter.measurementCount == 5)
    view.headlessChangeTraits(UITraitCollection(preferredContentSizeCategory: .extraLarge))
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 10)
    view.headlessChangeTraits(UITraitCollection(preferredContentSizeCategory: .large))
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 10)
  }

  @Test func boldTextMeasuresAgain() throws {
    let repository = try repository()
    try fill(repository, 5)
    let (view, adapter) = try screen(repository)
    view.headlessChangeTraits(UITraitCollection(legibilityWeight: .bold))
    adapter.layoutEnvironmentDidChange()
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 10)
    // Nobody says so: it is noticed with the next layout.
    view.headlessChangeTraits(UITraitCollection(displayScale: 2))
    view.collectionViewLayout.invalidateLayout()
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 15)
  }

  @Test func anotherWidthMeasuresAgainAndTheWayBackIsKept() throws {
    let repository = try repository()
    try fill(repository, 12)
    let (view, adapter) = try screen(repository)
    #expect(adapter.measurementCount == 12)
    view.frame.size = CGSize(width: 400, height: 400)
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 24)
    view.frame.size = CGSize(width: 300, height: 400)
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 24)
    #expect(height(view, 11) == 40)
  }

  @Test func layoutsAreSwitchedWithoutMeasuring() throws {
    let repository = try repository()
    try fill(repository, 12)
    let flow = UICollectionViewFlowLayout()
    let (view, adapter) = try screen(repository, flow)
    let count = adapter.measurementCount
    view.setCollectionViewLayout(ListCollectionLayout(), animated: true)
    view.headless.finishAnimations()
    #expect(adapter.measurementCount == count)
    view.setCollectionViewLayout(flow, animated: false)
    #expect(adapter.measurementCount == count)
    #expect(adapter.bindings.shown == view.visibleCells.count)
  }

  /// A list is shown, measured, the app ends, and starts again without a network.
  @Test func afterARelaunchNothingIsMeasuredAndOneBlockIsRead() throws {
    var firstFrames: [CGRect] = []
    do {
      let repository = try repository()
      try fill(repository, 10_000)
      let (view, adapter) = try screen(repository)
      for share in stride(from: 0.0, through: 1, by: 0.001) {
        view.headless.scroll(
          to: CGPoint(x: 0, y: share * (view.contentSize.height - view.bounds.height)))
      }
      view.headless.scroll(to: .zero)
      firstFrames = view.visibleCells.map(\.frame)
      #expect(adapter.measurementCount > 1_000)
      repository.flushSizes()
    }
    let log = StatementLog()
    var options = Repository.Options()
    options.prepareConnection = { [log] db in log.attach(to: db) }
    let again = try Repository(at: folder.file("store.sqlite"), options: options)
    let (view, adapter) = try screen(again)
    #expect(adapter.measurementCount == 0)
    #expect(view.visibleCells.map(\.frame) == firstFrames)
    func count(_ beginning: String) -> Int {
      log.statements.count { $0.hasPrefix(beginning) }
    }
    // Of ten thousand items a block of 64 is read, with its sizes; and the contents of what is
    // seen.
    #expect(count("SELECT sizeKey, width, height") == 64)
    #expect(count("SELECT type, action, content") <= 64)
  }

  /// What a table with so many rows asks the store when it is laid out, by the statements'
  /// beginnings.
  private func statementsOfATable(_ count: Int) throws -> [String: Int] {
    let log = StatementLog()
    var options = Repository.Options()
    // It looks into the store by the clock.
    options.otherProcesses = .ignored
    options.prepareConnection = { [log] db in log.attach(to: db) }
    let repository = try Repository(at: folder.file("\(count).sqlite"), options: options)
    try repository.edit("shelf") { list throws in
      try list.insertSection("a")
      try list.insert((0..<count).map { Book(id: "b\($0)") }, in: "a")
    }
    let screen = try Screen(.table, showing: Bookcase.shelf(of: repository))
    // What another thread reads ahead would be counted at any moment.
    screen.table?.isPrefetchingEnabled = false
    let before = log.statements.count
    screen.layOut()
    #expect(screen.view.contentSize.height > CGFloat(count * 40))
    let laidOut = log.statements.count
    // Each row again, as a table does when it scrolls.
    let table = try #require(screen.table)
    let adapter = try #require(screen.adapter as? TableAdapter)
    let heights = (0..<count).map {
      adapter.tableView(table, estimatedHeightForRowAt: IndexPath(row: $0, section: 0))
    }
    #expect(Set(heights).count == 1)
    #expect(log.statements.count == laidOut)
    return Dictionary(
      grouping: log.statements[before..<laidOut], by: { String($0.prefix(40)) }
    ).mapValues(\.count)
  }

  /// A table asks for an estimate of every row; the store is asked once for all of a section.
  @Test func aTableAsksTheStoreOnceForItsEstimates() throws {
    let few = try statementsOfATable(1_000)
    #expect(!few.isEmpty)
    #expect(try statementsOfATable(2_000) == few)
  }

  @Test func howLongTheListIsTheStoreKnows() throws {
    let repository = try repository()
    try fill(repository, 300)
    var length: CGFloat = 0
    do {
      let (view, _) = try screen(repository, UICollectionViewFlowLayout())
      length = view.contentSize.height
      repository.flushSizes()
    }
    // Of which a screen is seen: the rest by the sums.
    let (view, adapter) = try screen(repository)
    #expect(adapter.measurementCount == 0)
    #expect(abs(view.contentSize.height - (length - 299 * 10)) < length * 0.2)
    #expect(adapter.provider.extent(ofSection: 0, for: key)?.measuredCount == 300)
  }

  @Test func aTableKnowsFromTheStoreHowLongTheListIs() throws {
    let repository = try repository()
    try repository.edit("shelf") { list throws in
      try list.insertSection("a")
      try list.insert((0..<300).map { Book(id: "b\($0)") }, in: "a")
    }
    func screen() throws -> Screen {
      let screen = try Screen(.table, showing: Bookcase.shelf(of: repository))
      // Nothing like the length of a book.
      screen.adapter.estimatedLength = 500
      screen.layOut()
      return screen
    }
    let first = try screen()
    for share in stride(from: 0.0, through: 1, by: 0.01) { first.scroll(to: share) }
    let length = first.view.contentSize.height
    #expect(length < 300 * 100)
    repository.flushSizes()
    let second = try screen()
    #expect(second.adapter.measurementCount == 0)
    #expect(abs(second.view.contentSize.height - length) < length * 0.2)
  }

  private var key: SizeKey {
    SizeKey(
      fittingPixels: 900,
      environment: LayoutEnvironment(
        contentSizeCategory: "UICTContentSizeCategoryL", locale: Locale.current.identifier,
        displayScale: 3, system: "\(systemName) \(majorVersion)"))
  }

  private var majorVersion: Int { ProcessInfo.processInfo.operatingSystemVersion.majorVersion }

  private var systemName: String {
    #if os(macOS)
      "macOS"
    #else
      "Linux"
    #endif
  }

  @Test func layoutsOfOthersAskTheAdapter() throws {
    let repository = try repository()
    try repository.edit("notes") { list throws in
      try list.insertSection(
        "a",
        SectionAttributes(
          layout: SectionLayout(
            kind: .waterfall, columns: 3, interitemSpacing: 6,
            insets: Insets(top: 1, left: 9, bottom: 2, right: 9))))
      try list.insert(Note(id: "n", text: String(repeating: "x", count: 12)), in: "a")
    }
    let (_, adapter) = try screen(repository)
    #expect(adapter.metrics(ofSection: 0).columns == 3)
    // (300 - 18 - 12) / 3 = 90 points: two lines.
    #expect(adapter.size(ofItemAt: IndexPath(item: 0, section: 0)) == Size(width: 90, height: 40))
  }
}
