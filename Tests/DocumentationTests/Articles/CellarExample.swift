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

  final class BookCell: UICollectionViewCell {
    let label = UILabel()

    override init(frame: CGRect) {
      super.init(frame: frame)
      contentView.addSubview(label)
    }

    required init?(coder: NSCoder) { nil }

    override func layoutSubviews() {
      super.layoutSubviews()
      label.frame = contentView.bounds
    }

    override func sizeThatFits(_ size: CGSize) -> CGSize { label.sizeThatFits(size) }
  }
  // Article: end

  static func open(in folder: URL) throws -> LiveList {
    // Article: begin
    let repository = try Repository(at: folder.appendingPathComponent("books.sqlite"))
    let shelf = repository.liveList("shelf", items: [Book.self])
    // Article: end
    return shelf
  }

  static func fill(_ shelf: LiveList) throws {
    // Article: begin
    try shelf.edit { list in
      try list.insertSectionIfMissing("books")
      try list.insert(Book(id: "emma", title: "Emma"), in: "books")
      try list.insert(Book(id: "dune", title: "Dune"), in: "books", at: .start)
    }
    // Article: end
  }

  // Article: begin
  final class ShelfController: UIViewController {
    let shelf: LiveList
    let list = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
    var adapter: CollectionAdapter?

    init(_ shelf: LiveList) {
      self.shelf = shelf
      super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func loadView() { view = list }

    override func viewDidLoad() {
      super.viewDidLoad()
      adapter = try? CollectionAdapter(shelf, in: list)
      adapter?.handlers.on(.select, of: Book.self) { [shelf] _, context in
        _ = try? shelf.edit { list in
          try list.update(context.id, as: Book.self) { $0.isLiked.toggle() }
        }
      }
    }
  }
  // Article: end

  static func deleteAndUndo(_ shelf: LiveList) throws {
    let repository = shelf.repository
    // Article: begin
    let deletion = try repository.edit("shelf") { list in try list.delete("emma") }
    if let revision = deletion.commit?.revision {
      try repository.undo(revision, of: "shelf")
    }
    // Article: end
  }

  static func history(_ shelf: LiveList) throws -> ListTree {
    let repository = shelf.repository
    // Article: begin
    let atFirst = try repository.tree(of: "shelf", at: 1)
    for commit in try repository.commits(of: "shelf") {
      print(commit.revision, commit.author, commit.entries.count)
    }
    // Article: end
    return atFirst
  }
}
