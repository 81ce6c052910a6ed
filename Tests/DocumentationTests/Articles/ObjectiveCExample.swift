import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

/// The examples of an article, line by line; ``ArticleTests`` compares and runs them.
enum ObjectiveCExample {
  final class BookCell: UICollectionViewCell {
    let label = UILabel()
  }

  // Article: begin
  struct Book: ListItem {
    var id: String, title: String, isLiked = false
    func configure(_ cell: BookCell) { cell.label.text = isLiked ? "♥ \(title)" : title }
  }

  @MainActor final class Bookshelf: NSObject {
    private let shelf: LiveList
    private let adapter: CollectionAdapter

    init(file: URL, collectionView: UICollectionView) throws {
      shelf = try Repository(at: file).liveList("shelf", items: [Book.self])
      adapter = try CollectionAdapter(shelf, in: collectionView)
      super.init()
    }

    func onSelect(_ handler: @escaping (_ book: String) -> Void) {
      adapter.handlers.on(.select, of: Book.self) { book, _ in handler(book.id) }
    }

    func add(_ book: String, title: String) throws {
      try shelf.edit { list in
        try list.insertSectionIfMissing("books")
        try list.insert(Book(id: book, title: title), in: "books", at: .start)
      }
    }

    func like(_ book: String) throws {
      try shelf.edit { list in
        try list.update(ItemID(book), as: Book.self) { $0.isLiked = true }
      }
    }

    func delete(at indexPath: IndexPath) throws {
      try shelf.edit { list in try list.delete(at: indexPath) }
    }
  }
  // Article: end
}
