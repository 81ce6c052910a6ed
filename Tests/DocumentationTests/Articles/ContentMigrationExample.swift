import Cellar
import CellarUIKit
import HeadlessUIKit

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
@MainActor enum ContentMigrationExample {
  // Article: begin
  struct Novel: ListItem {
    var id: String, title: String
    var rating: Int?

    func configure(_ cell: NovelCell) { cell.show(title, rating: rating) }
  }
  // Article: end

  final class NovelCell: UICollectionViewCell {
    var shown = ""

    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 44) }

    func show(_ title: String, rating: Int?) { shown = title + (rating.map { " \($0)" } ?? "") }
  }

  static func show(
    _ repository: Repository, in collectionView: UICollectionView
  ) throws -> CollectionAdapter {
    // Article: begin
    var types = repository.liveList("shelf", items: [Novel.self]).types
    types.alias("Book", of: "Novel")
    let shelf = repository.liveList("shelf", types: types)

    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.register(types.all)
    try views.alias("BookCell", of: "NovelCell")
    let adapter = try CollectionAdapter(shelf, in: collectionView, views: views)
    // Article: end
    return adapter
  }

  static func rename(_ repository: Repository) throws -> [ListID: Int] {
    // Article: begin
    let counts = try repository.renameCell("BookCell", to: "NovelCell")
    // Article: end
    return counts
  }
}
