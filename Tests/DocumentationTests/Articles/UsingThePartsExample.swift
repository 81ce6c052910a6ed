// Article: begin
import BatchUpdates
import ListLayout
import ListModel
// Article: end
import Foundation
import HeadlessUIKit

/// The examples of an article, line by line; ``PartsArticleTests`` compares and runs them.
enum UsingThePartsExample {
  // Article: begin
  struct Book {
    var id: String, title: String
  }

  struct Shelf {
    var name: String, books: [Book]
  }

  /// The ids alone: contents stay where the app keeps them.
  static func tree(_ shelves: [Shelf]) throws -> ListTree {
    let sections = try shelves.map { shelf in
      ListTree.Section(
        id: try SectionID(shelf.name),
        items: try shelf.books.map {
          Item(id: try ItemID($0.id), cell: "BookCell", content: .null)
        })
    }
    return ListTree(list: "shelves", sections: sections)
  }

  static func update(
    from old: [Shelf], to new: [Shelf], changed: Set<ItemID>
  ) throws -> BatchUpdate {
    BatchUpdate(from: try tree(old), to: try tree(new), touched: changed)
  }
  // Article: end

  static func updateFromALog() -> BatchUpdate {
    // Article: begin
    let emma = Item(id: "emma", cell: "BookCell", content: .null)
    let update = BatchUpdate(
      list: "shelves", from: 41, to: 43,
      replaying: [
        .insertItem(emma, at: ItemPath(section: 0, item: 0)),
        .moveItem("dune", from: ItemPath(section: 0, item: 3), to: ItemPath(section: 1, item: 0)),
      ],
      on: [1_000_000, 12])
    // Article: end
    return update
  }

  // Article: begin
  /// `show` makes the data source answer for the list after a stage.
  @MainActor static func perform(
    _ update: BatchUpdate, on view: UICollectionView, show: @escaping (Stage) -> Void
  ) {
    if case .reload = update.mode { view.reloadData() }
    for stage in update.stages {
      func paths(_ paths: [ItemPath]) -> [IndexPath] {
        paths.map { IndexPath(item: $0.item, section: $0.section) }
      }
      view.performBatchUpdates {
        show(stage)
        view.deleteSections(IndexSet(stage.deleteSections))
        view.insertSections(IndexSet(stage.insertSections))
        for move in stage.moveSections { view.moveSection(move.from, toSection: move.to) }
        view.deleteItems(at: paths(stage.deleteItems))
        view.insertItems(at: paths(stage.insertItems))
        for move in stage.moveItems {
          view.moveItem(at: paths([move.from])[0], to: paths([move.to])[0])
        }
        view.reloadItems(at: paths(stage.reloadItems))
        view.reconfigureItems(at: paths(stage.reconfigureItems))
      }
    }
  }
  // Article: end

  static func proof() -> String {
    // Article: begin
    var stage = Stage()
    stage.deleteItems = [ItemPath(section: 0, item: 1)]
    stage.moveItems = [
      Stage.Move(from: ItemPath(section: 0, item: 1), to: ItemPath(section: 0, item: 0))
    ]
    let verdict = LegalityCheck.verdict(of: stage, before: [3], after: [2])
    if verdict.outcome != .ok { print(verdict.message) }
    // Article: end
    return verdict.message
  }

  static func placement() -> [PlacedElement] {
    // Article: begin
    let container = LayoutContainer(size: Size(width: 390, height: 844), scale: 3)
    let books = MeasuredSection(
      metrics: SectionMetrics(kind: .waterfall, columns: 2, lineSpacing: 8, interitemSpacing: 8),
      headerLength: 44,
      items: ItemSizes(repeating: Size(width: 191, height: 120), count: 10_000))
    var placement = ListPlacement([books], in: container)
    placement.update { edits in
      _ = edits.setSize(Size(width: 191, height: 200), at: ItemPath(section: 0, item: 0))
    }
    let visible = placement.elements(in: Frame(x: 0, y: 0, width: 390, height: 844))
    // Article: end
    return visible
  }
}
