import Cellar
import CellarUIKit
import HeadlessUIKit
import ListStore

/// The examples of an article, line by line; ``ArticleTests`` compares and runs them.
@MainActor enum ComingFromItemsAndSectionsExample {
  // Article: begin
  struct Video: ListItem {
    var id: String, title: String, isLiked = false
    var action: Action? { Action(url: "app://videos/\(id)", event: "video.open") }

    func configure(_ cell: VideoCell) { cell.show(title, isLiked: isLiked) }

    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: room.length * 9 / 16 + 44)
    }
  }
  // Article: end

  final class VideoCell: UICollectionViewCell, ControlEventSource {
    var onControlEvent: (@MainActor (ControlEvent) -> Void)?
    var shown = ""
    func show(_ title: String, isLiked: Bool) { shown = title + (isLiked ? " ♥" : "") }
  }

  static func edit(_ list: LiveList) throws -> (ItemPath, Move<ItemPath>, [ItemPath]) {
    // Article: begin
    let (path, move, gone) = try list.edit { list in
      try list.insertSectionIfMissing("today")
      let path = try list.insert(Video(id: "v9", title: "New"), in: "today", at: .start)
      let move = try list.move("v1", to: .after("v2"))
      let gone = try list.delete(["v3", "v4"])
      return (path, move, gone)
    }
    // Article: end
    return (path, move, gone)
  }

  // Article: begin
  struct Clip: ListItem {
    var id: String
    func configure(_ cell: PlainCell) {}
    func bind(_ cell: PlainCell, send: @escaping @MainActor (ControlEvent) -> Void) {
      cell.onLike = { send("like") }
    }
    func unbind(_ cell: PlainCell) { cell.onLike = nil }
  }
  // Article: end

  final class PlainCell: UICollectionViewCell {
    var onLike: (() -> Void)?
  }

  static func handlers(_ list: LiveList, _ adapter: CollectionAdapter) {
    // Article: begin
    func like(_ video: ItemID) throws {
      try list.edit { try $0.update(video, as: Video.self) { $0.isLiked.toggle() } }
    }
    adapter.handlers.on(.control("like"), of: Video.self) { _, context in
      do { try like(context.id) } catch { print(error) }
    }
    // Article: end
  }
}
