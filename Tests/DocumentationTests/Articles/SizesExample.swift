import Cellar
import CellarUIKit
import HeadlessUIKit

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
@MainActor enum SizesExample {
  // Article: begin
  struct Photo: ListItem {
    var id: String, width: Double, height: Double

    func configure(_ cell: PhotoCell) { cell.show(id) }

    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: room.length * height / width)
    }
  }
  // Article: end

  final class PhotoCell: UICollectionViewCell {
    func show(_ name: String) {}
  }

  // Article: begin
  struct Story: ListItem {
    var id: String, title: String

    static var sizeDependsOnPlace: Bool { true }

    func configure(_ cell: StoryCell) { cell.show(title) }

    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: room.path.item == 0 ? 200 : 80)
    }
  }
  // Article: end

  final class StoryCell: UICollectionViewCell {
    func show(_ title: String) {}
  }

  static func pictureHasCome(_ adapter: CollectionAdapter) {
    // Article: begin
    adapter.setNeedsLayout(of: "sunset")
    // Article: end
  }

  static func evict(_ repository: Repository) throws -> Int {
    // Article: begin
    let count = try repository.evictSizes(keeping: .init(count: 100_000))
    // Article: end
    return count
  }
}
