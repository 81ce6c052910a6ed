// Article: begin
import Cellar
import CellarUIKit
// Article: end
import Foundation
import HeadlessUIKit

/// The examples of Getting Started, line by line; ``TaskArticleTests`` compares and runs them.
@MainActor enum CellarExample {
  // Article: begin
  struct Book: ListItem {
    var id: String, title: String, isLiked = false
    static var measuring: ViewMeasuring { .sizeThatFits }
    func configure(_ cell: BookCell) { cell.label.text = isLiked ? "♥ " + title : title }
  }

  struct Quote: ListItem {
    var id: String, text: String
    static var measuring: ViewMeasuring { .sizeThatFits }
    func configure(_ cell: QuoteCell) { cell.label.text = text }
  }

  struct ShelfHeader: ListSupplementary {
    var title: String
    static var measuring: ViewMeasuring { .sizeThatFits }
    func configure(_ view: ShelfHeaderView) { view.label.text = title }
  }
  // Article: end

  // Article: begin
  class LabelCell: UICollectionViewCell {
    let label = UILabel()
    override func sizeThatFits(_ size: CGSize) -> CGSize { label.sizeThatFits(size) }

    override func layoutSubviews() {
      super.layoutSubviews()
      contentView.addSubview(label)
      label.frame = contentView.bounds
    }
  }

  final class BookCell: LabelCell {}
  final class QuoteCell: LabelCell {}

  final class ShelfHeaderView: UICollectionReusableView {
    let label = UILabel()
    override func sizeThatFits(_ size: CGSize) -> CGSize { label.sizeThatFits(size) }

    override func layoutSubviews() {
      super.layoutSubviews()
      addSubview(label)
      label.frame = bounds
    }
  }
  // Article: end

  static func open(in folder: URL) throws -> LiveList {
    // Article: begin
    let repository = try Repository(at: folder.appendingPathComponent("books.sqlite"))
    let shelf = repository.liveList(
      "shelf", items: [Book.self, Quote.self], supplementaries: [ShelfHeader.self])
    // Article: end
    return shelf
  }

  static func fill(_ shelf: LiveList) throws {
    // Article: begin
    try shelf.edit { list in
      try list.insertSectionIfMissing("books")
      try list.updateSection("books") {
        $0.header = try Supplementary(ShelfHeader(title: "Books"))
      }
      try list.insert(Book(id: "emma", title: "Emma"), in: "books")
      try list.insert(Book(id: "dune", title: "Dune"), in: "books", at: .start)
      try list.insert(Quote(id: "q1", text: "It is a truth"), at: .after("emma"))
    }
    // Article: end
  }

  // Article: begin
  final class ShelfController: UIViewController {
    let list = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
    let adapter: CollectionAdapter

    init(_ shelf: LiveList) throws {
      adapter = try CollectionAdapter(shelf, in: list)
      super.init(nibName: nil, bundle: nil)
      adapter.handlers.on(.select, of: Book.self) { [weak self] _, context in
        do { try self?.like(context.id) } catch { print(error) }
      }
    }

    required init?(coder: NSCoder) { nil }

    override func loadView() { view = list }

    func like(_ book: ItemID) throws {
      try adapter.list.edit { list in
        try list.update(book, as: Book.self) { $0.isLiked.toggle() }
      }
    }
  }
  // Article: end

  static func deleteAndUndo(_ shelf: LiveList) throws {
    // Article: begin
    if let deletion = try shelf.commit({ list in try list.delete("emma") }) {
      try shelf.undoCommit(deletion.revision)
    }
    // Article: end
  }

  static func history(_ shelf: LiveList) throws -> ListTree {
    // Article: begin
    let atFirst = try shelf.tree(at: 1)
    for commit in try shelf.commits() {
      print(commit.revision, commit.author, commit.entries.count)
    }
    // Article: end
    return atFirst
  }
}
