import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// After each commit every cell in sight was configured with the content that the list has.
///
/// `CELLAR_SEEDS=2` asks for 10,000 random commits.
@MainActor @Suite(.timeLimit) struct VisibleContentTests {
  /// What shows a list, and what its cells show by the ids of their items.
  @MainActor private protocol Display {
    func update() throws
    var shown: [ItemID: Int?] { get }
  }

  private struct AdapterDisplay: Display {
    let screen: Screen
    func update() throws { try screen.settle() }
    var shown: [ItemID: Int?] {
      screen.visiblePaths.reduce(into: [:]) { shown, path in
        guard let id = screen.adapter.itemID(at: path) else { return }
        shown[id] = .some((screen.cell(at: path) as? any RowView)?.row?.version)
      }
    }
  }

  private final class FollowerDisplay: Display {
    private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    private let view: UICollectionView
    private let follower: DiffableFollower
    private var source: UICollectionViewDiffableDataSource<SectionID, ItemID>

    init(_ list: LiveList) throws {
      let layout = UICollectionViewFlowLayout()
      layout.itemSize = CGSize(width: 300, height: 24)
      view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
      window.addSubview(view)
      for name in Row.cellNames + ["BookCell"] {
        view.register(RowCell.self, forCellWithReuseIdentifier: name.rawValue)
      }
      let latest = Latest()
      source = UICollectionViewDiffableDataSource(collectionView: view) { view, path, id in
        let item = latest.follower.flatMap { $0.provider.path(of: id).flatMap($0.provider.item) }
        let cell = view.dequeueReusableCell(
          withReuseIdentifier: item?.state.cell.rawValue ?? "PlainCell", for: path)
        (cell as? RowCell)?.row = item.flatMap { try? list.types.value(of: $0) as? Row }
        return cell
      }
      follower = try DiffableFollower(list, source)
      latest.follower = follower
      view.layoutIfNeeded()
    }

    private final class Latest { weak var follower: DiffableFollower? }

    func update() {
      follower.update()
      view.layoutIfNeeded()
      view.headless.finishAnimations()
      view.layoutIfNeeded()
    }

    var shown: [ItemID: Int?] {
      view.indexPathsForVisibleItems.reduce(into: [:]) { shown, path in
        guard let id = source.itemIdentifier(for: path) else { return }
        shown[id] = .some((view.cellForItem(at: path) as? RowCell)?.row?.version)
      }
    }
  }

  nonisolated enum Kind: String, CaseIterable, Sendable { case flow, placed, table, follower }

  @Test(arguments: Kind.allCases, 1...2 as ClosedRange<UInt64>)
  func itIsTheLists(_ kind: Kind, _ seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    let list = repository.liveList("shelf", types: .rows, supplementaryTypes: .ofRows)
    let display: any Display =
      if let screen = ScreenKind(rawValue: kind.rawValue) {
        AdapterDisplay(screen: try Screen.ofRows(screen, showing: "shelf", of: repository))
      } else {
        try FollowerDisplay(list)
      }
    // Few ids: most commits touch what is in sight, and sections come and go.
    let changes = RandomChanges(sections: 4, items: 20)
    var random = SeededGenerator(seed: seed)
    var tree = ListTree(list: "shelf")
    var seen = 0
    for number in 0..<(SeededGenerator.asksForMore ? 1_250 : 150) {
      let commit = try (0..<random.number(1..<7)).map { _ in
        let change = changes.change(for: tree, using: &random)
        _ = try tree.apply(change)
        return change
      }
      try edit(list, commit)
      try display.update()
      for (id, version) in display.shown {
        seen += 1
        let item = tree.sections.lazy.flatMap(\.items).first { $0.id == id }
        let expected = try item.map { try #require(try list.types.value(of: $0) as? Row).version }
        #expect(version == expected, "\(id) after commit \(number)")
      }
      await Task.yield()
    }
    #expect(seen > 500)
  }

  private func edit(_ list: LiveList, _ changes: [Change]) throws {
    _ = try list.commit(changes)
  }

  /// The smallest case: an item that is changed and goes to a section of the same commit.
  @Test func anItemThatIsChangedGoesToANewSection() throws {
    let bookcase = try Bookcase()
    let list = bookcase.repository.liveList("shelf", types: .rows)
    let item = Item(
      id: "b1",
      state: ItemState(cell: "PlainCell", content: #"{"id":"b1","title":"Old"}"#, type: "Book"))
    try list.commit([.insertSection("a", .init(), at: .end), .insertItem(item, in: "a", at: .end)])
    let display = try FollowerDisplay(list)
    let before = try #require(display.shown["b1"] ?? nil)
    try list.commit([
      .updateItem("b1", ItemUpdate(content: .set(#"{"id":"b1","title":"New"}"#))),
      .insertSection("new", .init(), at: .end), .moveItem("b1", in: "new", to: .start),
    ])
    display.update()
    #expect(try #require(display.shown["b1"] ?? nil) != before)
  }
}
