import Cellar
import CellarUIKit
import HeadlessUIKit

/// The examples of an article, line by line; ``ArticleTests`` compares and runs them.
@MainActor enum ComingFromABaseControllerExample {
  static func fill(_ repository: Repository, name: String) throws -> LiveList {
    // Article: begin
    let settings = repository.liveList("settings", items: [FieldItem.self])
    try settings.replace {
      ListSection("account") {
        FieldItem(id: "name", cell: "DetailCell", title: "Name", subtitle: name)
        FieldItem(id: "photo", cell: "ImageCell", title: "Photo", imageName: "person")
      }
    }
    // Article: end
    return settings
  }

  static func listen(_ adapter: CollectionAdapter, _ show: @escaping (String) -> Void) {
    // Article: begin
    adapter.handlers.on(.select, of: FieldItem.self) { item, _ in show(item.id) }
    adapter.handlers.on(.control("edit"), of: FieldItem.self) { item, _ in show("edit " + item.id) }
    // Article: end
  }

  static func nest(_ settings: LiveList) throws -> LiveList {
    // Article: begin
    let photos = settings.nested(in: "photo", "recent", items: [FieldItem.self])
    try photos.replace {
      ListSection("recent") {
        for name in ["sea", "sun"] { FieldItem(id: name, cell: "ImageCell", imageName: name) }
      }
    }
    // Article: end
    return photos
  }

  final class PhotosCell: UICollectionViewCell, FieldCell {
    let photos = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
    func show(_ item: FieldItem) {}
  }

  static func show(_ adapter: CollectionAdapter, _ show: @escaping (String) -> Void) {
    // Article: begin
    adapter.showNested("recent", of: FieldItem.self, items: [FieldItem.self]) { cell in
      (cell as? PhotosCell)?.photos
    }
    adapter.handlers.on(.select, of: FieldItem.self) { photo, context in
      if let owner = context.owner { show("\(photo.id) of \(owner.item)") }
    }
    // Article: end
  }
}
