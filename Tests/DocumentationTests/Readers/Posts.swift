import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

// For the reader of the article on items, sections and providers: cells that know no model, likes
// inside of them, and ads of a fixed height between them.

final class PostCell: UICollectionViewCell {
  let state = UILabel()
  var onLike: (() -> Void)?

  override func sizeThatFits(_ size: CGSize) -> CGSize { state.sizeThatFits(size) }
}

final class AdCell: UICollectionViewCell {
  let label = UILabel()
}

final class DayView: UICollectionReusableView {
  let label = UILabel()
}

// Program: begin
struct Post: ListItem {
  var id: String, text: String, isLiked = false
  static var measuring: ViewMeasuring { .sizeThatFits }
  func configure(_ cell: PostCell) { cell.state.text = isLiked ? "♥ \(text)" : text }
  func bind(_ cell: PostCell, send: @escaping @MainActor (ControlEvent) -> Void) {
    cell.onLike = { send("like") }
  }
}

struct Advert: ListItem {
  var id: String
  func configure(_ cell: AdCell) { cell.label.text = "Advert" }
  func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 60) }
}

struct Day: ListSupplementary {
  var title: String
  func configure(_ view: DayView) { view.label.text = title }
  func size(fitting room: Supplementary.Room) -> Size? { Size(width: room.length, height: 30) }
}

final class PostsController: UIViewController {
  let posts: LiveList
  let list = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
  let adapter: CollectionAdapter
  var opened: [String] = []

  init(_ file: URL) throws {
    posts = try Repository(at: file).liveList(
      "posts", items: [Post.self, Advert.self], supplementaries: [Day.self])
    adapter = try CollectionAdapter(posts, in: list)
    super.init(nibName: nil, bundle: nil)
    adapter.handlers.on(.select, of: Post.self) { [weak self] post, _ in
      self?.opened.append(post.id)
    }
    adapter.handlers.on(.control("like"), of: Post.self) { [weak self] _, context in
      do { try self?.like(context.id) } catch { print(error) }
    }
    try posts.edit { list in
      try list.insertSectionIfMissing(
        ListSection(
          "today",
          layout: SectionLayout(
            columns: 2, lineSpacing: 8, interitemSpacing: 8,
            insets: Insets(top: 12, left: 12, bottom: 12, right: 12)),
          header: try Supplementary(Day(title: "Today"))
        ) {
          for number in 1...4 { Post(id: "post\(number)", text: "Post \(number)") }
          Advert(id: "advert")
        })
    }
  }

  // Program: end
  required init?(coder: NSCoder) { nil }
  override func loadView() { view = list }

  // Program: begin
  func like(_ id: ItemID) throws {
    try posts.edit { try $0.update(id, as: Post.self) { $0.isLiked.toggle() } }
  }

  func change() throws {
    try posts.edit { list in
      try list.insert(Post(id: "post5", text: "Post 5"), at: IndexPath(item: 1, section: 0))
      try list.move("post1", to: .end)
      try list.update("post2", as: Post.self) { $0.text = "Second" }
      try list.delete("post3")
      try list.delete(at: IndexPath(item: 2, section: 0))
    }
  }
}
// Program: end
