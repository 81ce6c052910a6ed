import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

// For the reader of the collection view guide: a flow layout, cells of two classes, a header, a
// selection that stays, a menu.

final class PhotoCell: UICollectionViewCell {
  let caption = UILabel()
  var onStar: (() -> Void)?
}

final class TextCell: UICollectionViewCell {
  let label = UILabel()

  override func sizeThatFits(_ size: CGSize) -> CGSize { label.sizeThatFits(size) }
}

// Program: begin
struct Photo: ListItem {
  var id: String, isStarred = false
  func configure(_ cell: PhotoCell) { cell.caption.text = isStarred ? "★ \(id)" : id }
  func bind(_ cell: PhotoCell, send: @escaping @MainActor (ControlEvent) -> Void) {
    cell.onStar = { send("star") }
  }
  func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: room.length) }
}

struct Caption: ListItem {
  var id: String, text: String
  static var measuring: ViewMeasuring { .sizeThatFits }
  func configure(_ cell: TextCell) { cell.label.text = text }
}

final class PhotosController: UIViewController {
  let photos: LiveList
  let list = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
  let adapter: CollectionAdapter
  // Program: end
  var opened: [String] = []
  // Program: begin

  init(_ file: URL) throws {
    photos = try Repository(at: file).liveList(
      "photos", items: [Photo.self, Caption.self], supplementaries: [Supplementary.Of<Caption>.self]
    )
    adapter = try CollectionAdapter(photos, in: list)
    super.init(nibName: nil, bundle: nil)
    adapter.handlers.on(.select, of: Photo.self) { [weak self] photo, _ in
      self?.opened.append(photo.id)
    }
    adapter.handlers.on(.control("star"), of: Photo.self) { [weak self] _, context in
      do { try self?.star(context.id) } catch { print(error) }
    }
    try photos.edit { list in
      try list.insertSectionIfMissing(
        ListSection(
          "album",
          layout: SectionLayout(columns: 3, insets: Insets(top: 4, left: 4, bottom: 4, right: 4)),
          header: try Supplementary(Caption(id: "album", text: "Album"))
        ) {
          for name in ["sea", "sun", "sand", "sky"] { Photo(id: name) }
          Caption(id: "caption", text: "Summer")
        })
    }
  }

  // Program: end
  required init?(coder: NSCoder) { nil }
  override func loadView() { view = list }

  // Program: begin
  func star(_ id: ItemID) throws {
    try photos.edit { try $0.update(id, as: Photo.self) { $0.isStarred.toggle() } }
  }

  func change() throws {
    try photos.edit { list in
      try list.insert(Photo(id: "snow"), at: IndexPath(item: 1, section: 0))
      try list.move("sea", to: .end)
      try list.update("caption", as: Caption.self) { $0.text = "All year" }
      try list.delete("sand")
      try list.delete(at: IndexPath(item: 2, section: 0))
    }
  }
}
// Program: end
