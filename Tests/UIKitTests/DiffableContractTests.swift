import Foundation
import Testing

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// The diffable data source of a collection view.
@MainActor @Suite struct DiffableContractTests {
  private typealias Snapshot = NSDiffableDataSourceSnapshot<String, String>

  @MainActor private final class Screen {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 200))
    let view: UICollectionView
    let source: UICollectionViewDiffableDataSource<String, String>
    /// What the cells show, by item.
    var texts: [String: String] = [:]

    init() {
      let layout = UICollectionViewFlowLayout()
      layout.itemSize = CGSize(width: 100, height: 20)
      layout.minimumLineSpacing = 0
      view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
      view.contentInsetAdjustmentBehavior = .never
      view.register(TextCell.self, forCellWithReuseIdentifier: "cell")
      final class Box { weak var screen: Screen? }
      let box = Box()
      source = UICollectionViewDiffableDataSource(collectionView: view) { view, path, item in
        let cell = view.dequeueReusableCell(withReuseIdentifier: "cell", for: path)
        (cell as? TextCell)?.text = box.screen?.texts[item] ?? item
        return cell
      }
      box.screen = self
      window.addSubview(view)
    }

    var shown: [String] {
      view.layoutIfNeeded()
      return view.indexPathsForVisibleItems.sorted().map {
        (view.cellForItem(at: $0) as? TextCell)?.text ?? "nothing"
      }
    }
  }

  private func snapshot(_ sections: [(String, [String])]) -> Snapshot {
    var snapshot = Snapshot()
    for (name, items) in sections {
      snapshot.appendSections([name])
      snapshot.appendItems(items, toSection: name)
    }
    return snapshot
  }

  @Test func aSnapshotIsShown() {
    let screen = Screen()
    screen.source.apply(snapshot([("A", ["a", "b"]), ("B", ["c"])]), animatingDifferences: false)
    #expect(screen.shown == ["a", "b", "c"])
    #expect(screen.source.snapshot().itemIdentifiers == ["a", "b", "c"])
    #expect(screen.source.itemIdentifier(for: at(1, 0)) == "c")
    #expect(screen.source.itemIdentifier(for: at(2, 0)) == nil)
    #expect(screen.source.indexPath(for: "b") == at(0, 1))
    #expect(screen.source.indexPath(for: "z") == nil)
  }

  @Test func aSnapshotIsACopy() {
    let screen = Screen()
    screen.source.apply(snapshot([("A", ["a"])]), animatingDifferences: false)
    var copy = screen.source.snapshot()
    copy.appendItems(["b"])
    #expect(screen.source.snapshot().itemIdentifiers == ["a"])
  }

  @Test func cellsStayWithTheirItems() async throws {
    let screen = Screen()
    await screen.source.apply(snapshot([("A", ["a", "b", "c"])]), animatingDifferences: false)
    #expect(screen.shown == ["a", "b", "c"])
    let cell = screen.view.cellForItem(at: at(0, 2))
    var isDone = false
    screen.source.apply(
      snapshot([("A", ["c", "new", "a"])]), animatingDifferences: true
    ) { isDone = true }
    try await wait { isDone }
    #expect(screen.shown == ["c", "new", "a"])
    #expect(screen.view.cellForItem(at: at(0, 0)) === cell)
  }

  @Test func aReconfiguredItemKeepsItsCell() {
    let screen = Screen()
    screen.source.apply(snapshot([("A", ["a", "b"])]), animatingDifferences: false)
    _ = screen.shown
    let cell = screen.view.cellForItem(at: at(0, 1))
    screen.texts["b"] = "bee"
    var next = screen.source.snapshot()
    next.reconfigureItems(["b"])
    screen.source.apply(next, animatingDifferences: false)
    #expect(screen.shown == ["a", "bee"])
    #expect(screen.view.cellForItem(at: at(0, 1)) === cell)
  }

  @Test func aSnapshotThatIsLoadedAsksForEverything() {
    let screen = Screen()
    screen.source.apply(snapshot([("A", ["a", "b"])]), animatingDifferences: false)
    _ = screen.shown
    screen.texts["b"] = "bee"
    screen.source.applySnapshotUsingReloadData(snapshot([("A", ["b", "c"])]))
    #expect(screen.shown == ["bee", "c"])
  }

  @Test func aSnapshotIsRearranged() {
    var list = snapshot([("A", ["1", "2"]), ("B", ["3"]), ("C", [])])
    #expect(list.numberOfItems(inSection: "A") == 2)
    #expect(list.sectionIdentifier(containingItem: "3") == "B")
    #expect(list.indexOfItem("3") == 2)
    #expect(list.indexOfItem("9") == nil)
    list.insertSections(["D"], beforeSection: "A")
    list.moveSection("C", afterSection: "D")
    #expect(list.sectionIdentifiers == ["D", "C", "A", "B"])
    list.moveItem("1", afterItem: "3")
    #expect(list.itemIdentifiers(inSection: "B") == ["3", "1"])
    list.deleteSections(["A"])
    #expect(list.itemIdentifiers == ["3", "1"])
  }
}
