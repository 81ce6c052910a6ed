import BatchUpdates
import CellarUIKit
import Foundation
import HeadlessUIKit
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

/// A cell that says what it shows, to the view that checks.
class BookCell: UICollectionViewCell, HeadlessProbe {
  var shown: Book?
  var headlessContent: HeadlessContent? {
    shown.map { HeadlessContent(identity: $0.id, version: $0.likes) }
  }
}
final class WideCell: BookCell {}

struct Book: ListItem, Equatable {
  var id: String, likes = 0, isWide = false
  static var cells: [CellName: ViewSource] {
    ["BookCell": .type(BookCell.self), "WideCell": .type(WideCell.self)]
  }
  var cellName: CellName { isWide ? "WideCell" : "BookCell" }
  func configure(_ cell: BookCell) { cell.shown = self }
}

/// A list in a collection view, without a screen.
@Suite @MainActor struct CollectionAdapterTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let shelf: LiveList
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  private let view: UICollectionView

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    shelf = repository.liveList("shelf", items: [Book.self])
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 100, height: 40)
    view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
    window.addSubview(view)
  }

  private func fill(_ count: Int) throws {
    try shelf.edit { list throws in
      try list.insertSection("a")
      try list.insert((0..<count).map { Book(id: "b\($0)") }, in: "a")
    }
  }

  /// Has the view compare what its cells show with the list, after each layout.
  private func check(_ adapter: CollectionAdapter) {
    view.headless.expectedContent = { [weak adapter] path in
      guard let adapter, let item = adapter.item(at: path),
        let book = try? adapter.list.types.value(of: item) as? Book
      else { return HeadlessContent(identity: "nothing") }
      return HeadlessContent(
        identity: book.id, version: adapter.isBetweenStages ? nil : book.likes)
    }
  }

  private func shown() -> [String] {
    view.indexPathsForVisibleItems.sorted().compactMap {
      (view.cellForItem(at: $0) as? BookCell)?.shown?.id
    }
  }

  /// Lets the task that follows the list run, and animations end.
  private func settle(_ adapter: CollectionAdapter) throws {
    for _ in 0..<4 {
      adapter.update()
      view.layoutIfNeeded()
      view.headless.finishAnimations()
    }
    #expect(adapter.provider.revision == (try repository.revision(of: "shelf")))
  }

  @Test func aListIsShownAndFollowed() throws {
    try fill(3)
    let adapter = try CollectionAdapter(shelf, in: view)
    check(adapter)
    view.layoutIfNeeded()
    #expect(shown() == ["b0", "b1", "b2"])
    try shelf.edit { list throws in
      try list.delete("b1")
      try list.insert(Book(id: "new"), in: "a", at: .start)
      try list.update("b2", as: Book.self) { $0.likes += 1 }
    }
    try settle(adapter)
    #expect(shown() == ["new", "b0", "b2"])
    // A like is shown in the cell that is there; a new item needs the only new cell.
    #expect((adapter.cell(of: "b2") as? BookCell)?.shown?.likes == 1)
    #expect(view.headless.cells.reconfigured == 1)
    #expect(adapter.bindings.bound - adapter.bindings.unbound == adapter.bindings.shown)
    #expect(adapter.bindings.shown == 3)
  }

  @Test(.timeLimit(.minutes(1))) func commitsComeByThemselves() async throws {
    try fill(2)
    let adapter = try CollectionAdapter(shelf, in: view)
    view.layoutIfNeeded()
    try shelf.edit { try $0.insert(Book(id: "new"), in: "a") }
    while adapter.provider.numberOfItems < 3 { await Task.yield() }
    view.layoutIfNeeded()
    #expect(shown() == ["b0", "b1", "new"])
  }

  @Test func aViewWithoutAWindowLoadsItAnew() throws {
    try fill(2)
    let adapter = try CollectionAdapter(shelf, in: view)
    view.removeFromSuperview()
    try shelf.edit { try $0.insert(Book(id: "new"), in: "a", at: .start) }
    adapter.update()
    window.addSubview(view)
    view.layoutIfNeeded()
    #expect(shown() == ["new", "b0", "b1"])
  }

  @Test func whatIsCommittedDuringAnUpdateComesAfterIt() throws {
    try fill(3)
    let adapter = try CollectionAdapter(shelf, in: view)
    check(adapter)
    view.layoutIfNeeded()
    try shelf.edit { try $0.delete("b0") }
    adapter.update()
    // The animation is not over.
    try shelf.edit { try $0.insert(Book(id: "new"), in: "a") }
    adapter.update()
    #expect(adapter.provider.numberOfItems == 2)
    view.headless.finishAnimations()
    view.layoutIfNeeded()
    #expect(adapter.provider.numberOfItems == 3)
    #expect(shown() == ["b1", "b2", "new"])
  }

  @Test func anUnknownCellIsThePlaceholderAndReportedOnce() throws {
    try fill(1)
    try repository.edit("shelf") { list throws in
      for id in ["x", "y"] as [ItemID] {
        try list.insert(Item(id: id, cell: "Gone", content: "{}", type: "Film"), in: "a")
      }
    }
    let adapter = try CollectionAdapter(shelf, in: view)
    var problems: [String] = []
    adapter.onProblem = { problems.append("\($0)") }
    view.layoutIfNeeded()
    #expect(view.visibleCells.count == 3)
    #expect(problems.count == 1)
    #expect(problems.first?.contains("\"Gone\"") == true)
    #expect(adapter.bindings.shown == 3)
  }

  @Test func aTapGoesToTheItemAndTheSelectionStaysWithIt() throws {
    try fill(4)
    var tapped: [String] = []
    let handlers = ItemHandlers(shelf.types)
    handlers.on(.select, of: Book.self) { book, _ in tapped.append(book.id) }
    let adapter = try CollectionAdapter(shelf, in: view, handlers: handlers)
    view.layoutIfNeeded()
    view.headless.tap(itemAt: IndexPath(item: 2, section: 0))
    #expect(tapped == ["b2"])
    #expect(adapter.selection.items == ["b2"])
    try shelf.edit { list throws in
      try list.move("b2", to: .start)
      try list.insert(Book(id: "new"), in: "a", at: .start)
    }
    try settle(adapter)
    #expect(view.indexPathsForSelectedItems == [IndexPath(item: 1, section: 0)])
    // The cell is another one now, and still selected.
    try shelf.edit { try $0.update("b2", as: Book.self) { $0.isWide = true } }
    try settle(adapter)
    #expect(view.indexPathsForSelectedItems == [IndexPath(item: 1, section: 0)])
    try shelf.edit { try $0.delete("b2") }
    try settle(adapter)
    #expect(adapter.selection.items.isEmpty)
    #expect(view.indexPathsForSelectedItems?.isEmpty != false)
  }

  /// Random edits with scrolling in between: no batch is refused, no cell shows another item or an old
  /// content, and each binding ends.
  @Test(arguments: 1...24 as ClosedRange<UInt64>)
  func randomEditsWithScrollingShowTheList(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try fill(60)
    let adapter = try CollectionAdapter(shelf, in: view)
    check(adapter)
    var made = 0
    let raised = HeadlessException.raised {
      for _ in 0..<30 {
        do {
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            try shelf.edit { list throws in
              for _ in 0..<Int.random(in: 1...6, using: &random) {
                try edit(list, &made, &random)
              }
            }
          }
        } catch {
          Issue.record(error)
        }
        adapter.update()
        if Bool.random(using: &random) { view.headless.finishAnimations() }
        let height = max(0, view.contentSize.height - 480)
        view.headless.scroll(
          to: CGPoint(x: 0, y: Double.random(in: 0...1, using: &random) * height))
        view.layoutIfNeeded()
      }
    }
    #expect(raised.isEmpty)
    try settle(adapter)
    #expect(adapter.provider.tree == (try repository.tree(of: "shelf")))
    #expect(adapter.bindings.bound - adapter.bindings.unbound == adapter.bindings.shown)
    #expect(adapter.bindings.shown == view.visibleCells.count)
    #expect(repository.diagnostics["mismatch"] == nil)
  }

  private func edit(
    _ list: ListEditor, _ made: inout Int, _ random: inout SeededGenerator
  ) throws {
    let count = try list.numberOfSections()
    let section = try list.section(at: Int.random(in: 0..<max(1, count), using: &random))
    let items = try section.map { try list.numberOfItems(in: $0) } ?? 0
    let index = try section.flatMap { try list.index(of: $0) } ?? 0
    let item =
      items > 0
      ? try list.itemID(
        at: ItemPath(section: index, item: Int.random(in: 0..<items, using: &random))) : nil
    made += 1
    switch Int.random(in: 0..<10, using: &random) {
    case 0 where count < 5: try list.insertSection(SectionID("s\(made)"), at: .start)
    case 1 where count > 1: try list.moveSection(at: 0, to: count - 1)
    case 2 where count > 3: try list.deleteSection(at: count - 1)
    case 3...4:
      if let section {
        try list.insert(
          Book(id: "n\(made)", isWide: Bool.random(using: &random)), in: section,
          at: .index(Int.random(in: 0...items, using: &random)))
      }
    case 5: if let item { try list.delete(item) }
    case 6...7:
      if let item, let target = try list.section(at: Int.random(in: 0..<count, using: &random)) {
        try list.move(item, in: target, to: Bool.random(using: &random) ? .start : .end)
      }
    case 8: if let item { try list.update(item, as: Book.self) { $0.likes += 1 } }
    default: if let item { try list.update(item, as: Book.self) { $0.isWide.toggle() } }
    }
  }
}
