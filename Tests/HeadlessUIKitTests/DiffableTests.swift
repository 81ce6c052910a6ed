import Foundation
import HeadlessUIKit
import TestSupport
import Testing

/// The diffable data source, whose batches the view checks like any other.
@MainActor @Suite struct DiffableTests {
  private typealias Snapshot = NSDiffableDataSourceSnapshot<String, Int>

  @MainActor private final class Screen {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 400))
    let view: UICollectionView
    let source: UICollectionViewDiffableDataSource<String, Int>

    init() {
      let layout = UICollectionViewFlowLayout()
      layout.itemSize = CGSize(width: 20, height: 20)
      view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
      view.register(BookCell.self, forCellWithReuseIdentifier: "book")
      source = UICollectionViewDiffableDataSource(collectionView: view) { view, path, item in
        let cell = view.dequeueReusableCell(withReuseIdentifier: "book", for: path)
        (cell as? BookCell)?.headlessContent = HeadlessContent(identity: "\(item)")
        return cell
      }
      window.addSubview(view)
      view.layoutIfNeeded()
    }

    var shown: [String] {
      view.indexPathsForVisibleItems.sorted().map { path in
        let cell = view.cellForItem(at: path) as? BookCell
        return "\(path.section) \(cell?.headlessContent?.identity ?? "nothing")"
      }
    }
  }

  private func snapshot(_ sections: [(String, [Int])]) -> Snapshot {
    var snapshot = Snapshot()
    for (name, items) in sections {
      snapshot.appendSections([name])
      snapshot.appendItems(items, toSection: name)
    }
    return snapshot
  }

  @Test func aListIsShownAndChanged() async {
    let screen = Screen()
    await screen.source.apply(snapshot([("A", [1, 2, 3]), ("B", [4])]))
    #expect(screen.shown == ["0 1", "0 2", "0 3", "1 4"])
    let cell = screen.view.cellForItem(at: at(0, 2))
    var list = screen.source.snapshot()
    list.moveSection("B", beforeSection: "A")
    list.moveItem(3, beforeItem: 1)
    list.deleteItems([2])
    list.insertItems([5, 6], afterItem: 4)
    list.reconfigureItems([3])
    var isDone = false
    screen.source.apply(list) { isDone = true }
    #expect(screen.shown == ["0 4", "0 5", "0 6", "1 3", "1 1"])
    #expect(screen.view.cellForItem(at: at(1, 0)) === cell)
    #expect(screen.view.headless.cells.reconfigured == 1)
    #expect(!isDone)
    while !isDone { await Task.yield() }
    #expect(screen.source.indexPath(for: 3) == at(1, 0))
    #expect(screen.source.itemIdentifier(for: at(0, 1)) == 5)
    #expect(screen.source.itemIdentifier(for: at(2, 0)) == nil)
  }

  /// Whatever changes: only the last of its batch updates has the completion.
  @Test(arguments: [[1, 2, 3], [1], [3, 1], [1, 9, 3], []])
  func theCompletionIsCalledWhenTheAnimationsAreOver(_ items: [Int]) async {
    let screen = Screen()
    await screen.source.apply(snapshot([("A", [1, 2, 3])]))
    screen.view.headless.finishAnimations()
    var done = 0
    screen.source.apply(snapshot([("A", items)])) { done += 1 }
    #expect(done == 0)
    screen.view.headless.finishAnimations()
    #expect(done == 1)
    await Task.yield()
    screen.source.apply(snapshot([("A", [2])]), animatingDifferences: false) { done += 1 }
    #expect(done == 2)
  }

  @Test func reloadDataAsksForEverythingAnew() {
    let screen = Screen()
    screen.source.apply(snapshot([("A", [1, 2])]), animatingDifferences: false)
    let bound = screen.view.headless.cells.bound
    screen.source.applySnapshotUsingReloadData(snapshot([("A", [2, 3])]))
    screen.view.layoutIfNeeded()
    #expect(screen.shown == ["0 2", "0 3"])
    #expect(screen.view.headless.cells.bound == bound + 2)
  }

  @Test(arguments: 0..<40) func randomLists(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let screen = Screen()
    var next: [(String, [Int])] = []
    for step in 0..<20 {
      let items = Array(0..<20).filter { _ in random.percent(60) }.shuffled(using: &random)
      next = ["A", "B", "C", "D"].filter { _ in random.percent(70) }.shuffled(using: &random)
        .map { ($0, []) }
      for item in items where !next.isEmpty { next[random.number(0..<next.count)].1.append(item) }
      screen.source.apply(snapshot(next), animatingDifferences: step % 2 == 0)
      let expected = next.enumerated().flatMap { section, content in
        content.1.map { "\(section) \($0)" }
      }
      #expect(screen.shown == expected, "seed \(seed), step \(step)")
    }
    screen.view.headless.finishAnimations()
    #expect(screen.view.headless.cells.onDisplay == screen.view.visibleCells.count)
  }

  @Test func identifiersAreUnique() async {
    await #expect(processExitsWith: .failure) {
      var list = NSDiffableDataSourceSnapshot<String, Int>()
      list.appendSections(["A"])
      list.appendItems([1, 1])
    }
  }
}
