import Cellar
import CellarUIKit
import HeadlessUIKit

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
@MainActor enum HeadersExample {
  // Article: begin
  struct ShelfHeader: ListSupplementary {
    var title: String
    static var measuring: ViewMeasuring { .sizeThatFits }

    func configure(_ view: ShelfHeaderView) { view.label.text = title }
  }
  // Article: end

  final class ShelfHeaderView: UICollectionReusableView {
    let label = UILabel()

    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 24) }
  }

  static func setHeader(_ repository: Repository) throws -> LiveList {
    // Article: begin
    let shelf = repository.liveList("shelf", supplementaries: [ShelfHeader.self])
    try shelf.edit { list in
      try list.insertSectionIfMissing("today")
      try list.updateSection("today") { section in
        section.header = try Supplementary(ShelfHeader(title: "Today"))
      }
    }
    // Article: end
    return shelf
  }

  struct Book: ListItem {
    var id: String, title: String
    func configure(_ cell: BookCell) { cell.label.text = title }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 30)
    }
  }

  final class BookCell: UICollectionViewCell {
    let label = UILabel()
  }

  static func setBadges(_ shelf: LiveList) throws {
    // Article: begin
    try shelf.edit { list in
      try list.updateSection("today") { section in
        section["badge"] = try Supplementary(ShelfHeader(title: "First"))
        section[.numbered("badge", 1)] = try Supplementary(ShelfHeader(title: "Second"))
      }
    }
    // Article: end
  }

  static func setItemAsHeader(_ repository: Repository) throws -> LiveList {
    // Article: begin
    let shelf = repository.liveList(
      "shelf", items: [Book.self], supplementaries: [Supplementary.Of<Book>.self])
    try shelf.edit { list in
      try list.insertSectionIfMissing("today")
      try list.updateSection("today") { section in
        section.header = try Supplementary(Book(id: "emma", title: "Emma"))
      }
    }
    // Article: end
    return shelf
  }

  // Article: begin
  struct MoreHeader: ListSupplementary {
    var title: String

    func configure(_ view: MoreHeaderView) { view.label.text = title }
    func bind(_ view: MoreHeaderView, send: @escaping @MainActor (ControlEvent) -> Void) {
      view.onMore = { send("more") }
    }
    func unbind(_ view: MoreHeaderView) { view.onMore = nil }
  }
  // Article: end

  final class MoreHeaderView: UICollectionReusableView {
    let label = UILabel()
    var onMore: (() -> Void)?
  }

  static func listen(_ adapter: CollectionAdapter, _ open: @escaping (String) -> Void) {
    // Article: begin
    adapter.handlers.on(.control("more"), of: MoreHeader.self) { header, context in
      open("\(header.title), section \(context.section)")
    }
    // Article: end
  }
}
