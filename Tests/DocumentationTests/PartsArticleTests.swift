import BatchUpdates
import Foundation
import HeadlessUIKit
import ListLayout
import ListModel
import TestSupport
import Testing

/// The page on the parts without a store does what it says; `ArticleTests` compares its examples,
/// and `PublicNamesTests` compiles them outside of this package.
@MainActor @Suite struct PartsArticleTests {
  private typealias Example = UsingThePartsExample

  /// A data source over rows of ids, as an app without Cellar's store has one.
  private final class Shelves: NSObject, UICollectionViewDataSource {
    /// `nil`: inserted, and not filled yet.
    var rows: [[String?]] = []

    func show(_ stage: Stage) {
      for operation in stage.sequentialOperations {
        switch operation {
        case .deleteItem(let path): rows[path.section].remove(at: path.item)
        case .insertItem(let path): rows[path.section].insert(nil, at: path.item)
        case .moveItem(let from, let to):
          let row = rows[from.section].remove(at: from.item)
          rows[to.section].insert(row, at: to.item)
        case .deleteSection(let index): rows.remove(at: index)
        case .insertSection(let index, let count):
          rows.insert(Array(repeating: nil, count: count), at: index)
        case .moveSection(let from, let to): rows.insert(rows.remove(at: from), at: to)
        case .reloadItem, .reconfigureItem, .updateSection: break
        }
      }
    }

    func numberOfSections(in collectionView: UICollectionView) -> Int { rows.count }
    func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int { rows[section].count }
    func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: indexPath)
    }
  }

  private func shelf(_ name: String, _ ids: String...) -> Example.Shelf {
    Example.Shelf(name: name, books: ids.map { Example.Book(id: $0, title: $0) })
  }

  @Test func twoListsBecomeAnUpdateThatAViewAccepts() throws {
    let old = [shelf("new", "emma", "dune", "it"), shelf("old"), shelf("read", "ulysses")]
    let new = [shelf("read", "ulysses", "dune"), shelf("new", "it", "emma", "persuasion")]
    let update = try Example.update(from: old, to: new, changed: ["ulysses"])
    let shelves = Shelves()
    shelves.rows = old.map { $0.books.map(\.id) }
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 320, height: 480),
      collectionViewLayout: UICollectionViewFlowLayout())
    view.register(UICollectionViewCell.self, forCellWithReuseIdentifier: "cell")
    view.dataSource = shelves
    let window = UIWindow(frame: view.frame)
    window.addSubview(view)
    view.layoutIfNeeded()
    let exceptions = HeadlessException.raised {
      Example.perform(update, on: view) { shelves.show($0) }
    }
    #expect(exceptions == [])
    #expect(update.stages.count > 1)
    #expect((0..<2).map { view.numberOfItems(inSection: $0) } == [2, 3])
    #expect(shelves.rows == [["ulysses", "dune"], ["it", "emma", nil]])
  }

  @Test func aLogBecomesAnUpdateWhateverTheLengthOfTheList() {
    let update = Example.updateFromALog()
    #expect(update.stages.count == 1)
    #expect(update.stages.first?.insertItems == [ItemPath(section: 0, item: 0)])
    #expect(
      update.stages.first?.moveItems == [
        Stage.Move(from: ItemPath(section: 0, item: 2), to: ItemPath(section: 1, item: 0))
      ])
    #expect(update.stages.first?.counts == [1_000_000, 13])
  }

  @Test func theProofPrintsWhatThePageSays() throws {
    let message = Example.proof()
    let page = PackageFiles.root.appendingPathComponent(
      "Sources/BatchUpdates/BatchUpdates.docc/UsingTheParts.md")
    #expect(try String(contentsOf: page, encoding: .utf8).contains("It prints `\(message)`"))
  }

  @Test func thePlacementSaysWhatIsVisible() {
    let visible = Example.placement()
    #expect(visible.count == 1 + 6 + 7)
    #expect(visible.first?.element == .supplementary(.header, section: 0))
  }
}
