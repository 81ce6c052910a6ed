import Cellar
import CellarUIKit
import HeadlessUIKit

/// The examples of an article, line by line; ``ArticleTests`` compares and runs them.
@MainActor enum ComingFromTheCollectionViewGuideExample {
  struct Photo: ListItem {
    var id: String
    func configure(_ cell: PhotoCell) { cell.shown = id }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: 90, height: 90)
    }
  }
  final class PhotoCell: UICollectionViewCell { var shown: String? }

  static func show(
    _ repository: Repository, in collectionView: UICollectionView
  ) throws -> CollectionAdapter {
    // Article: begin
    let photos = repository.liveList("photos", items: [Photo.self])
    let adapter = try CollectionAdapter(photos, in: collectionView)
    adapter.canMove = { _ in true }
    adapter.handlers.menu(of: Photo.self) { photo, _ in
      ItemMenu([.init("Delete", .menu("delete"), isDestructive: true)])
    }
    adapter.handlers.on(.menu("delete"), of: Photo.self) { _, context in
      do { try photos.edit { try $0.delete(context.id) } } catch { print(error) }
    }
    // Article: end
    return adapter
  }

  static func switchLayout(_ collectionView: UICollectionView) {
    // Article: begin
    collectionView.setCollectionViewLayout(ListCollectionLayout(), animated: true)
    // Article: end
  }
}
